// The filters, sort order and page of a list of contracts, stored in the address after `#`. The
// owner of the list, a supplier or a customer, is `{view, inn}`, where `view` is the name of the
// view in the address.

import { isDay } from "./days.js";
import { FACTS } from "./risk.js";
import { language } from "./texts.js";
import { hashOf, readHash, requestUrl } from "./routes.js";

export const STAGES = ["E", "EC", "ET", "IN"];
export const SORTS = ["-signDate", "signDate", "-contractPrice", "contractPrice", "-updateDate", "updateDate"];
export const SIZES = ["20", "50", "100", "200"];
const FILTERS = ["stage", "year", "signedFrom", "signedTo", "priceFrom", "priceTo", "customer", "supplier", "fact"];
const NAMES = [...FILTERS, "sort", "page", "size", "asOf", "tab", "who"];
/** The tabs of each view. The first one is the default. */
export const TABS = {
  supplier: ["contracts", "purchases", "customers", "entries", "sources"],
  customer: ["contracts", "purchases", "suppliers", "sources"],
};
const PATHS = {
  supplier: ["/contract/monitor-supplier44", "supplierINN"],
  customer: ["/contract/monitor-customer44", "customerINN"],
};
/** The parameter that names the owner in a search by content. */
const OF_SEARCH = { supplier: "supplierINN", customer: "customerInn" };

const CUSTOMER = /^\d{1,20}$/;
const SUPPLIER = /^(?:\d{10}|\d{12})$/;
export const AMOUNT = /^\d{1,18}(\.\d{1,6})?$/;

/** Returns whether the API can filter by this customer's INN. */
export const isCustomer = (inn) => CUSTOMER.test(inn ?? "");

/** Returns whether the API can filter by this supplier's INN. */
export const isSupplier = (inn) => SUPPLIER.test(inn ?? "");

/**
 * Parses an amount as people type it (`1 500 000,50 ₽`, in English `1,500,000.50`), and returns it
 * as `1500000.50`. Returns `null` if it is invalid.
 */
export function amountOf(text) {
  const bare = text.replace(/[\s₽]|руб\.?/gu, "");
  const digits = language() === "ru" ? bare.replace(",", ".") : bare.replace(/,(?=\d{3}(?!\d))/g, "");
  return digits === "" || AMOUNT.test(digits) ? digits : null;
}

/** Parses the filters from an address, ignoring invalid ones. */
export function filtersOf(params) {
  const one = (name, isRight) => {
    const value = params.get(name) ?? "";
    return isRight(value) ? value : "";
  };
  const some = (name, all) => {
    const values = (params.get(name) ?? "").split(",");
    return all.filter((value) => values.includes(value)).join(",");
  };
  const [sort, size] = [params.get("sort"), params.get("size")];
  return {
    stage: some("stage", STAGES),
    year: one("year", (text) => /^[12]\d{3}$/.test(text)),
    signedFrom: one("signedFrom", isDay),
    signedTo: one("signedTo", isDay),
    priceFrom: one("priceFrom", (text) => AMOUNT.test(text)),
    priceTo: one("priceTo", (text) => AMOUNT.test(text)),
    customer: one("customer", isCustomer),
    supplier: one("supplier", isSupplier),
    // Older addresses have a separate parameter for this fact.
    fact: some("fact", FACTS) || (params.get("overdue") === "true" ? "overdue" : ""),
    tab: one("tab", (text) => Object.values(TABS).flat().includes(text)),
    who: params.get("who") ?? "",
    sort: SORTS.includes(sort) ? sort : SORTS[0],
    page: Number(one("page", (text) => /^[1-9]\d{0,7}$/.test(text)) || 1),
    size: Number(SIZES.includes(size) ? size : SIZES[0]),
    asOf: one("asOf", (text) => /^\d{4}-\d\d-\d\d$/.test(text)),
  };
}

/** Empty values for all filters, to reset them. */
export const NONE = Object.fromEntries(FILTERS.map((name) => [name, ""]));

export const isFiltered = (filters) => FILTERS.some((name) => filters[name]);

/** Returns the current address of the owner's view with these changes. */
export function withFilters(owner, changes) {
  const { params } = readHash(location.hash);
  const now = Object.fromEntries(NAMES.map((name) => [name, params.get(name) ?? ""]));
  const then = { ...now, ...changes };
  if (then.sort === SORTS[0]) then.sort = "";
  if (String(then.size) === SIZES[0]) then.size = "";
  if (String(then.page) === "1") then.page = "";
  return hashOf(owner.view, owner.inn, then);
}

/**
 * Converts the filters to request parameters. A year becomes its first and last day, unless a range
 * of days is set.
 */
const requestParams = ({ stage, year, signedFrom, signedTo, priceFrom, priceTo, customer, supplier, fact }) => ({
  stage,
  signedFrom: signedFrom || (!signedTo && year && `${year}-01-01`) || "",
  signedTo: signedTo || (!signedFrom && year && `${year}-12-31`) || "",
  priceFrom,
  priceTo,
  customerInn: customer,
  supplierINN: supplier,
  ...(fact === "overdue" ? { overdue: "true" } : { fact }),
});

/** Returns whether only the search by content supports these filters. */
const isOfSearch = ({ view }, { fact, supplier }) =>
  (fact !== "" && fact !== "overdue") || (view === "customer" && supplier !== "");

/**
 * Returns the URL of a request for the owner's contracts. `name` is the request parameter for the
 * owner's INN.
 */
function urlOf(path, name, { view, inn }, filters, first, last = {}) {
  const params = { [name]: inn, ...first, ...requestParams({ ...filters, [view]: "" }), ...last };
  // The converted filters may contain an empty parameter of the same name.
  return requestUrl(path, { ...params, [name]: inn });
}

export function pageUrl(owner, filters, format, skip, limit) {
  const sort = filters.sort === SORTS[0] ? "" : filters.sort;
  const [path, name] = isOfSearch(owner, filters) ? ["/contract/search", OF_SEARCH[owner.view]] : PATHS[owner.view];
  return urlOf(path, name, owner, filters, { format, skip: String(skip), limit: String(limit) }, { sort });
}

/**
 * Returns the URL of the totals over the owner's matching contracts, with the `top` largest
 * customers or suppliers.
 */
export function sumsUrl(owner, filters, format, top = "") {
  const isOfSupplier = owner.view === "supplier" && !isOfSearch(owner, filters);
  const path = isOfSupplier ? "/contract/summary-supplier44" : "/contract/summary";
  return urlOf(path, OF_SEARCH[owner.view], owner, filters, { format }, { top });
}

/** Returns the URL of the totals over a supplier's matching contracts. */
export const summaryUrl = (inn, filters, format) => sumsUrl({ view: "supplier", inn }, filters, format);

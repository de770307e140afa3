// How contracts are filtered, sorted and paged, as the address has it after `#`. Whose they
// are is `{view, inn}`: those of a supplier or of a customer, as the address names the view.

import { isDay } from "./days.js";
import { FACTS } from "./risk.js";
import { language } from "./texts.js";
import { hashOf, readHash, requestUrl } from "./routes.js";

export const STAGES = ["E", "EC", "ET", "IN"];
export const SORTS = ["-signDate", "signDate", "-contractPrice", "contractPrice", "-updateDate", "updateDate"];
export const SIZES = ["20", "50", "100", "200"];
/** The parameters that choose contracts. */
const FILTERS = ["stage", "year", "signedFrom", "signedTo", "priceFrom", "priceTo", "customer", "supplier", "fact"];
const NAMES = [...FILTERS, "sort", "page", "size", "asOf", "tab", "who"];
/** The parts of each view; the first is shown unless there is a reason for another. */
export const TABS = {
  supplier: ["contracts", "purchases", "customers", "entries", "sources"],
  customer: ["contracts", "purchases", "suppliers", "sources"],
};
const PATHS = {
  supplier: ["/contract/monitor-supplier44", "supplierINN"],
  customer: ["/contract/monitor-customer44", "customerINN"],
};
/** The parameter of a search by content that the view is of. */
const OF_SEARCH = { supplier: "supplierINN", customer: "customerInn" };

const CUSTOMER = /^\d{1,20}$/;
const SUPPLIER = /^(?:\d{10}|\d{12})$/;
export const AMOUNT = /^\d{1,18}(\.\d{1,6})?$/;

/** Can contracts be filtered by this customer's INN? */
export const isCustomer = (inn) => CUSTOMER.test(inn ?? "");

/** Can contracts be filtered by this supplier's INN? */
export const isSupplier = (inn) => SUPPLIER.test(inn ?? "");

/** An amount as it was typed (`1 500 000,50 ₽`, in English `1,500,000.50`), as `1500000.50`; null for none. */
export function amountOf(text) {
  const bare = text.replace(/[\s₽]|руб\.?/gu, "");
  const digits = language() === "ru" ? bare.replace(",", ".") : bare.replace(/,(?=\d{3}(?!\d))/g, "");
  return digits === "" || AMOUNT.test(digits) ? digits : null;
}

/** The filters in an address; what makes no sense counts as not there. */
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
    // Addresses had a parameter of its own for this fact.
    fact: some("fact", FACTS) || (params.get("overdue") === "true" ? "overdue" : ""),
    tab: one("tab", (text) => Object.values(TABS).flat().includes(text)),
    who: params.get("who") ?? "",
    sort: SORTS.includes(sort) ? sort : SORTS[0],
    page: Number(one("page", (text) => /^[1-9]\d{0,7}$/.test(text)) || 1),
    size: Number(SIZES.includes(size) ? size : SIZES[0]),
    asOf: one("asOf", (text) => /^\d{4}-\d\d-\d\d$/.test(text)),
  };
}

/** The filters that choose contracts, all empty: for an address without them. */
export const NONE = Object.fromEntries(FILTERS.map((name) => [name, ""]));

/** Do these filters leave any contract out? */
export const isFiltered = (filters) => FILTERS.some((name) => filters[name]);

/** The address of the view of `whose` where these filters are others than in the one now. */
export function withFilters(whose, changes) {
  const { params } = readHash(location.hash);
  const now = Object.fromEntries(NAMES.map((name) => [name, params.get(name) ?? ""]));
  const then = { ...now, ...changes };
  if (then.sort === SORTS[0]) then.sort = "";
  if (String(then.size) === SIZES[0]) then.size = "";
  if (String(then.page) === "1") then.page = "";
  return hashOf(whose.view, whose.inn, then);
}

/** The filters as parameters of a request: a year is its days, unless days are given. */
const wire = ({ stage, year, signedFrom, signedTo, priceFrom, priceTo, customer, supplier, fact }) => ({
  stage,
  signedFrom: signedFrom || (!signedTo && year && `${year}-01-01`) || "",
  signedTo: signedTo || (!signedFrom && year && `${year}-12-31`) || "",
  priceFrom,
  priceTo,
  customerInn: customer,
  supplierINN: supplier,
  ...(fact === "overdue" ? { overdue: "true" } : { fact }),
});

/** Does only a search by content know these filters? */
const isOfSearch = ({ view }, { fact, supplier }) =>
  (fact !== "" && fact !== "overdue") || (view === "customer" && supplier !== "");

/** The URL of a request for the contracts of `whose` that match; `name`: the parameter for whose they are. */
function urlOf(path, name, { view, inn }, filters, first, last = {}) {
  const params = { [name]: inn, ...first, ...wire({ ...filters, [view]: "" }), ...last };
  // The filters may have an empty parameter of the same name.
  return requestUrl(path, { ...params, [name]: inn });
}

/** The URL of a page of contracts. */
export function pageUrl(whose, filters, format, skip, limit) {
  const sort = filters.sort === SORTS[0] ? "" : filters.sort;
  const [path, name] = isOfSearch(whose, filters) ? ["/contract/search", OF_SEARCH[whose.view]] : PATHS[whose.view];
  return urlOf(path, name, whose, filters, { format, skip: String(skip), limit: String(limit) }, { sort });
}

/** The URL of the sums over all contracts of `whose` that match, with the `top` largest customers or suppliers. */
export function sumsUrl(whose, filters, format, top = "") {
  const isOfSupplier = whose.view === "supplier" && !isOfSearch(whose, filters);
  const path = isOfSupplier ? "/contract/summary-supplier44" : "/contract/summary";
  return urlOf(path, OF_SEARCH[whose.view], whose, filters, { format }, { top });
}

/** The same of a supplier's contracts. */
export const summaryUrl = (inn, filters, format) => sumsUrl({ view: "supplier", inn }, filters, format);

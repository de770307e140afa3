// How a supplier's contracts are filtered, sorted and paged, as the address has it after `#`.

import { hashOf, readHash, requestUrl } from "./routes.js";

export const STAGES = ["E", "EC", "ET", "IN"];
export const SORTS = ["-signDate", "signDate", "-contractPrice", "contractPrice", "-updateDate", "updateDate"];
export const SIZES = ["20", "50", "100", "200"];
const NAMES = ["stage", "year", "customer", "sort", "page", "size", "asOf"];

const CUSTOMER = /^\d{1,20}$/;

/** Can contracts be filtered by this customer's INN? */
export const isCustomer = (inn) => CUSTOMER.test(inn ?? "");

/** The filters in an address; what makes no sense counts as not there. */
export function filtersOf(params) {
  const one = (name, rule) => {
    const value = params.get(name) ?? "";
    return rule.test(value) ? value : "";
  };
  const stages = (params.get("stage") ?? "").split(",");
  const [sort, size] = [params.get("sort"), params.get("size")];
  return {
    stage: STAGES.filter((stage) => stages.includes(stage)).join(","),
    year: one("year", /^[12]\d{3}$/),
    customer: one("customer", CUSTOMER),
    sort: SORTS.includes(sort) ? sort : SORTS[0],
    page: Number(one("page", /^[1-9]\d{0,7}$/) || 1),
    size: Number(SIZES.includes(size) ? size : SIZES[0]),
    asOf: one("asOf", /^\d{4}-\d\d-\d\d$/),
  };
}

/** The address of a supplier's view where these filters are others than in the one now. */
export function withFilters(inn, changes) {
  const { params } = readHash(location.hash);
  const now = Object.fromEntries(NAMES.map((name) => [name, params.get(name) ?? ""]));
  const then = { ...now, ...changes };
  if (then.sort === SORTS[0]) then.sort = "";
  if (String(then.size) === SIZES[0]) then.size = "";
  if (String(then.page) === "1") then.page = "";
  return hashOf("supplier", inn, then);
}

const wire = ({ stage, year, customer }) => ({
  stage,
  signedFrom: year && `${year}-01-01`,
  signedTo: year && `${year}-12-31`,
  customerInn: customer,
});

/** The URL of a page of contracts. */
export const pageUrl = (inn, filters, format, skip, limit) =>
  requestUrl("/contract/monitor-supplier44", {
    supplierINN: inn, format, skip: String(skip), limit: String(limit), ...wire(filters),
    sort: filters.sort === SORTS[0] ? "" : filters.sort,
  });

/** The URL of the sums over all contracts that match. */
export const summaryUrl = (inn, filters, format) =>
  requestUrl("/contract/summary-supplier44", { supplierINN: inn, format, ...wire(filters) });

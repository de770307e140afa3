// The conditions of the registry list: parses them from the address, after `#/rnp`, and builds the
// requests.

import { isDay } from "./days.js";
import { isCustomer, SIZES } from "./filters.js";
import { prefixesOf } from "./regions.js";
import { hashOf, requestUrl } from "./routes.js";

const SIZE = "50";
export const LAWS = ["44", "223", "615"];
/** The names of the conditions, the same in the address and in requests. */
const NAMES = ["q", "inForce", "laws", "registeredFrom", "registeredTo", "region", "customerINN", "asOf"];
/** Maximum number of regional INN prefixes that the API accepts in one request. */
const MOST_REGIONS = 10;
/** Lower and upper bound on the length of a part of a supplier's name, in characters. */
const [LEAST, MOST] = [3, 200];

/** Whether a value of each condition is valid. Invalid values are ignored. */
const RIGHT = {
  q: (text) => text.trim().length >= LEAST && text.length <= MOST,
  inForce: (text) => text === "true" || text === "false",
  laws: (text) => text.split(",").every((law) => LAWS.includes(law)),
  registeredFrom: isDay,
  registeredTo: isDay,
  region: (text) => /^\d\d(?:,\d\d){0,9}$/.test(text),
  customerINN: isCustomer,
  asOf: isDay,
};

/** Parses the conditions, page and page size from an address. Missing conditions are "". */
export function conditionsOf(params) {
  const conditions = NAMES.map((name) => {
    const value = params.get(name) ?? "";
    return [name, RIGHT[name](value) ? value : ""];
  });
  const page = Number(/^[1-9]\d{0,6}$/.exec(params.get("page") ?? "")?.[0] ?? 1);
  const size = SIZES.includes(params.get("size")) ? params.get("size") : SIZE;
  return { ...Object.fromEntries(conditions), page, size: Number(size) };
}

/** Returns whether the API accepts this text as part of a name. */
export const isName = RIGHT.q;

export const conditionsIn = (conditions) => NAMES.filter((name) => conditions[name]);

/**
 * Returns the address with these conditions and changes. It is the first page unless `changes`
 * contains a page.
 */
export function rnpHash(conditions, changes = {}) {
  const { page, size, ...rest } = { ...conditions, page: "", ...changes };
  return hashOf("rnp", "", {
    ...rest,
    page: Number(page) > 1 ? String(page) : "",
    size: String(size) === SIZE ? "" : String(size),
  });
}

/** Empty values for all conditions, to reset them. */
export const NONE = Object.fromEntries(NAMES.map((name) => [name, ""]));

/** Returns the URL of all matching entries. `page` contains further parameters, such as `limit`. */
export function entriesUrl(conditions, format, page = {}) {
  const asked = Object.fromEntries(NAMES.map((name) => [name, conditions[name]]));
  const regions = conditions.region.split(",").filter(Boolean).flatMap(prefixesOf).slice(0, MOST_REGIONS);
  return requestUrl("/rnp/entries", { format, ...asked, region: regions.join(","), ...page });
}

/** Returns the URL of the current page of entries. */
export const pageUrl = (conditions, format) =>
  entriesUrl(conditions, format, { skip: String(skipOf(conditions)), limit: String(conditions.size) });

export const skipOf = ({ page, size }) => (page - 1) * size;

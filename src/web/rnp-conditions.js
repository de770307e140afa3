// Which entries of the registry are listed, as the address has it after `#/rnp`, and the request for them.

import { isDay } from "./days.js";
import { isCustomer, SIZES } from "./filters.js";
import { prefixesOf } from "./regions.js";
import { hashOf, requestUrl } from "./routes.js";

/** How many entries a page has, unless another size is chosen. */
const SIZE = "50";
export const LAWS = ["44", "223", "615"];
/** The conditions, as the address and the request have them. */
const NAMES = ["q", "inForce", "laws", "registeredFrom", "registeredTo", "region", "customerINN", "asOf"];
/** How many beginnings of INNs the service takes for regions. */
const MOST_REGIONS = 10;
/** Of a supplier's name, in characters. */
const [LEAST, MOST] = [3, 200];

/** What is right of a condition; what makes no sense counts as not there. */
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

/** The conditions in an address, "" for one that is not there, and its `page` of `size` entries. */
export function conditionsOf(params) {
  const conditions = NAMES.map((name) => {
    const value = params.get(name) ?? "";
    return [name, RIGHT[name](value) ? value : ""];
  });
  const page = Number(/^[1-9]\d{0,6}$/.exec(params.get("page") ?? "")?.[0] ?? 1);
  const size = SIZES.includes(params.get("size")) ? params.get("size") : SIZE;
  return { ...Object.fromEntries(conditions), page, size: Number(size) };
}

/** Is this text part of a name that can be looked for? */
export const isName = RIGHT.q;

/** The conditions that there are. */
export const conditionsIn = (conditions) => NAMES.filter((name) => conditions[name]);

/** The address with these conditions, some of them others; the first page, unless another is named. */
export function rnpHash(conditions, changes = {}) {
  const { page, size, ...rest } = { ...conditions, page: "", ...changes };
  return hashOf("rnp", "", {
    ...rest,
    page: Number(page) > 1 ? String(page) : "",
    size: String(size) === SIZE ? "" : String(size),
  });
}

/** No conditions, for an address without them. */
export const NONE = Object.fromEntries(NAMES.map((name) => [name, ""]));

/** The request for all entries that match; `page`: further parameters, as `limit`. */
export function entriesUrl(conditions, format, page = {}) {
  const asked = Object.fromEntries(NAMES.map((name) => [name, conditions[name]]));
  const regions = conditions.region.split(",").filter(Boolean).flatMap(prefixesOf).slice(0, MOST_REGIONS);
  return requestUrl("/rnp/entries", { format, ...asked, region: regions.join(","), ...page });
}

/** The request for the page of entries that the address names. */
export const pageUrl = (conditions, format) =>
  entriesUrl(conditions, format, { skip: String(skipOf(conditions)), limit: String(conditions.size) });

/** How many entries stand before the page. */
export const skipOf = ({ page, size }) => (page - 1) * size;

// Which entries of the registry are listed, as the address has it after `#/rnp`, and the request for them.

import { isDay } from "./days.js";
import { isCustomer } from "./filters.js";
import { hashOf, requestUrl } from "./routes.js";

/** How many entries a page has. */
export const PAGE = 50;
export const LAWS = ["44", "223", "615"];
/** The conditions, as the address and the request have them. */
const NAMES = ["q", "inForce", "laws", "registeredFrom", "registeredTo", "region", "customerINN", "asOf"];
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

/** The conditions in an address, "" for one that is not there, and its `page`. */
export function conditionsOf(params) {
  const conditions = NAMES.map((name) => {
    const value = params.get(name) ?? "";
    return [name, RIGHT[name](value) ? value : ""];
  });
  const page = Number(/^[1-9]\d{0,6}$/.exec(params.get("page") ?? "")?.[0] ?? 1);
  return { ...Object.fromEntries(conditions), page };
}

/** Is this text part of a name that can be looked for? */
export const isName = RIGHT.q;

/** The conditions that there are. */
export const conditionsIn = (conditions) => NAMES.filter((name) => conditions[name]);

/** The address with these conditions, some of them others; the first page, unless another is named. */
export function rnpHash(conditions, changes = {}) {
  const { page, ...rest } = { ...conditions, page: "", ...changes };
  return hashOf("rnp", "", { ...rest, page: Number(page) > 1 ? String(page) : "" });
}

/** The address without any condition but those that `kept` names. */
export const rnpHashOf = (conditions, kept) =>
  hashOf("rnp", "", Object.fromEntries(kept.map((name) => [name, conditions[name]])));

/** The request for entries: all that match or, where `skip` is given, a page after so many. */
export function entriesUrl(conditions, format, skip = "", limit = skip && String(PAGE)) {
  const asked = Object.fromEntries(NAMES.map((name) => [name, conditions[name]]));
  return requestUrl("/rnp/entries", { format, ...asked, skip, limit });
}

// The conditions of the search by content: parses them from the address, after `#`, and builds the
// requests. All tabs share the conditions; each tab ignores those that its request does not
// support.

import { isDay } from "./days.js";
import { AMOUNT, SIZES, SORTS, STAGES } from "./filters.js";
import { prefixesOf, regionOf } from "./regions.js";
import { FACTS } from "./risk.js";
import { hashOf, isInn, readHash, requestUrl } from "./routes.js";

/** The first tab is the default. */
export const TABS = ["contracts", "purchases", "prices"];
export const LAWS = ["44", "223", "615"];
export const PURCHASE_SORTS = ["-published", "published", "-price", "price", "closes"];
/** Upper bound of the API on values per condition. */
export const MOST_VALUES = 10;
const CODE = /^\d(?:[\d.-]{0,48}\d)$/;

/** The address parameters of each condition. */
export const CONDITIONS = {
  words: ["q"], code: ["code"], region: ["region"], customer: ["customer"], supplier: ["supplier"],
  days: ["from", "to"], price: ["priceFrom", "priceTo"], stage: ["stage"], fact: ["fact"], law: ["law"], open: ["open"],
};
const NAMES = [...Object.values(CONDITIONS).flat(), "tab", "sort", "page", "size"];
/**
 * Further parameters of the prices tab, kept while other tabs are open: the unit, the chosen prices
 * and the calculation.
 */
const OF_PRICES = ["unit", "pick", "quantity", "object"];
/**
 * Conditions that the search for purchases does not support, and conditions that only this search
 * supports.
 */
const NOT_OF_PURCHASES = ["supplier", "stage", "fact"];
const OF_PURCHASES = ["law", "open"];

/** Returns whether the tab's request supports the condition. */
export const isSupported = (condition, tab) =>
  !(tab === "purchases" ? NOT_OF_PURCHASES : OF_PURCHASES).includes(condition);

/** Returns whether a string is an OKPD2 or KTRU code, or the start of one. */
export const isCode = (text) => CODE.test(text);

/** Expands a year to its first or last day. Other strings are returned unchanged. */
const dayOf = (text, rest) => (/^[12]\d{3}$/.test(text) ? text + rest : text);

/** Cuts off a list of regions before it exceeds `MOST_VALUES` INN prefixes in total. */
function fewEnough(regions) {
  const last = regions.findIndex((_, at) => regions.slice(0, at + 1).flatMap(prefixesOf).length > MOST_VALUES);
  return last < 0 ? regions : regions.slice(0, last);
}

/**
 * Parses the conditions in an address, ignoring invalid ones. Conditions that may have several
 * values become arrays.
 */
export function conditionsOf(params) {
  const one = (name, isRight) => {
    const value = (params.get(name) ?? "").trim();
    return isRight(value) ? value : "";
  };
  const some = (name, isRight) => {
    const values = (params.get(name) ?? "").split(",").map((value) => value.trim());
    return [...new Set(values.filter(isRight))].slice(0, MOST_VALUES);
  };
  const among = (name, all) => all.filter((value) => (params.get(name) ?? "").split(",").includes(value));
  const tab = one("tab", (text) => TABS.includes(text)) || TABS[0];
  const from = dayOf(params.get("from") ?? "", "-01-01");
  const to = dayOf(params.get("to") ?? "", "-12-31");
  const sorts = tab === "purchases" ? PURCHASE_SORTS : SORTS;
  return {
    tab,
    q: one("q", Boolean).replace(/\s+/g, " "),
    code: some("code", isCode),
    region: fewEnough([...new Set(some("region", (text) => /^\d\d$/.test(text)).map(regionOf))]),
    customer: one("customer", isInn),
    supplier: one("supplier", isInn),
    from: isDay(from) ? from : "",
    to: isDay(to) ? to : "",
    priceFrom: one("priceFrom", (text) => AMOUNT.test(text)),
    priceTo: one("priceTo", (text) => AMOUNT.test(text)),
    stage: among("stage", STAGES),
    fact: among("fact", FACTS),
    law: among("law", LAWS),
    open: one("open", (text) => text === "true" || text === "false"),
    sort: one("sort", (text) => sorts.includes(text)) || sorts[0],
    page: Number(one("page", (text) => /^[1-9]\d{0,5}$/.test(text)) || 1),
    size: Number(one("size", (text) => SIZES.includes(text)) || SIZES[0]),
  };
}

export const has = (conditions, condition) => CONDITIONS[condition].some((name) => conditions[name].length > 0);

/** Returns the names of the active conditions that the tab's request supports. */
export const chosen = (conditions, tab = conditions.tab) =>
  Object.keys(CONDITIONS).filter((condition) => isSupported(condition, tab) && has(conditions, condition));

/** Empty values for all conditions, to reset them. */
export const NONE = Object.fromEntries(Object.values(CONDITIONS).flat().map((name) => [name, ""]));

/** Each tab's search requires at least one of these conditions. */
const NEEDED = {
  contracts: ["words", "code", "region", "customer", "supplier", "fact"],
  purchases: ["words", "code", "region", "customer"],
  prices: ["words", "code"],
};

/** Returns whether the active conditions suffice for the tab's request. */
export const isEnough = (conditions, tab = conditions.tab) =>
  NEEDED[tab].some((condition) => has(conditions, condition));

/**
 * Returns the address of the search with `changes` applied, on the first page unless `changes` has
 * a page. A change of tab resets the sort order.
 */
export function withConditions(changes) {
  const { params } = readHash(location.hash);
  const now = Object.fromEntries([...NAMES, ...OF_PRICES].map((name) => [name, params.get(name) ?? ""]));
  const then = { ...now, page: "", ...changes };
  if ("tab" in changes) then.sort = "";
  const flat = Object.entries(then).map(([name, value]) => [name, [value].flat().join(",")]);
  const standard = { tab: TABS[0], page: "1", size: SIZES[0] };
  return hashOf("search", "", Object.fromEntries(flat.filter(([name, value]) => value !== standard[name])));
}

const contractParams = ({ q, code, region, customer, supplier, from, to, priceFrom, priceTo, stage, fact }) => ({
  q, code: code.join(","), region: region.flatMap(prefixesOf).join(","), customerInn: customer, supplierINN: supplier,
  signedFrom: from, signedTo: to, priceFrom, priceTo, stage: stage.join(","), fact: fact.join(","),
});

const purchaseParams = ({ q, code, region, customer, from, to, priceFrom, priceTo, law, open }) => ({
  q, code: code.join(","), region: region.flatMap(prefixesOf).join(","), customerInn: customer,
  publishedFrom: from, publishedTo: to, priceFrom, priceTo, law: law.join(","), open,
});

const PATHS = { contracts: "/contract/search", purchases: "/purchase/search", prices: "/contract/prices" };

/** Returns the URL of a tab's search. `page` holds further parameters: `skip`, `limit`, `sort`. */
export function searchUrl(tab, conditions, format, page = {}) {
  const params = tab === "purchases" ? purchaseParams(conditions) : contractParams(conditions);
  return requestUrl(PATHS[tab], { ...params, format, ...page });
}

/** Returns the URL of the totals over all matching contracts. */
export const summaryUrl = (conditions, format, top) =>
  requestUrl("/contract/summary", { ...contractParams(conditions), format, top: String(top) });

// The conditions of a search by content, as the address has them after `#`, and the requests that
// ask by them. They are kept from tab to tab; a tab passes over those that its request does not know.

import { isDay } from "./days.js";
import { AMOUNT, SIZES, SORTS, STAGES } from "./filters.js";
import { prefixesOf, regionOf } from "./regions.js";
import { FACTS } from "./risk.js";
import { hashOf, isInn, readHash, requestUrl } from "./routes.js";

/** The tabs, the first of which is shown unless the address names another. */
export const TABS = ["contracts", "purchases", "prices"];
export const LAWS = ["44", "223", "615"];
export const PURCHASE_SORTS = ["-published", "published", "-price", "price", "closes"];
/** How many values the service takes of a condition that has several. */
export const MOST_VALUES = 10;
const CODE = /^\d(?:[\d.-]{0,48}\d)$/;

/** What each condition needs to be there at all: the parameters of the address that it consists of. */
export const CONDITIONS = {
  words: ["q"], code: ["code"], region: ["region"], customer: ["customer"], supplier: ["supplier"],
  days: ["from", "to"], price: ["priceFrom", "priceTo"], stage: ["stage"], fact: ["fact"], law: ["law"], open: ["open"],
};
const NAMES = [...Object.values(CONDITIONS).flat(), "tab", "sort", "page", "size"];
/** What the tab of prices has besides, and finds again when it comes back: unit, choice, calculation. */
const OF_PRICES = ["unit", "pick", "quantity", "object"];
/** The conditions that purchases do not know, and those that nothing else knows. */
const NOT_OF_PURCHASES = ["supplier", "stage", "fact"];
const OF_PURCHASES = ["law", "open"];

/** Does the request of this tab know the condition? */
export const isOf = (condition, tab) => !(tab === "purchases" ? NOT_OF_PURCHASES : OF_PURCHASES).includes(condition);

/** Is this a code of OKPD2 or KTRU, or the beginning of one? */
export const isCode = (text) => CODE.test(text);

/** A year as its first or last day, other text as it is. */
const dayOf = (text, rest) => (/^[12]\d{3}$/.test(text) ? text + rest : text);

/** As many regions as have `MOST_VALUES` beginnings of INN between them. */
function fewEnough(regions) {
  const last = regions.findIndex((_, at) => regions.slice(0, at + 1).flatMap(prefixesOf).length > MOST_VALUES);
  return last < 0 ? regions : regions.slice(0, last);
}

/** The conditions in an address; what makes no sense counts as not there. Several values are a list. */
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

/** Is the condition set? */
export const has = (conditions, condition) => CONDITIONS[condition].some((name) => conditions[name].length > 0);

/** The conditions that are set and that the tab's request knows. */
export const chosen = (conditions, tab = conditions.tab) =>
  Object.keys(CONDITIONS).filter((condition) => isOf(condition, tab) && has(conditions, condition));

/** No conditions at all, for an address without them. */
export const NONE = Object.fromEntries(Object.values(CONDITIONS).flat().map((name) => [name, ""]));

/** Which conditions one of must be there for the tab's request. */
const NEEDED = {
  contracts: ["words", "code", "region", "customer", "supplier", "fact"],
  purchases: ["words", "code", "region", "customer"],
  prices: ["words", "code"],
};

/** Can the tab's request be made with these conditions? */
export const isEnough = (conditions, tab = conditions.tab) =>
  NEEDED[tab].some((condition) => has(conditions, condition));

/** The address of the search with these changes to the address now; a change begins with the first page. */
export function withConditions(changes) {
  const { params } = readHash(location.hash);
  const now = Object.fromEntries([...NAMES, ...OF_PRICES].map((name) => [name, params.get(name) ?? ""]));
  const then = { ...now, page: "", ...changes };
  if ("tab" in changes) then.sort = "";
  const flat = Object.entries(then).map(([name, value]) => [name, [value].flat().join(",")]);
  const standard = { tab: TABS[0], page: "1", size: SIZES[0] };
  return hashOf("search", "", Object.fromEntries(flat.filter(([name, value]) => value !== standard[name])));
}

/** Of contracts and their items. */
const contractParams = ({ q, code, region, customer, supplier, from, to, priceFrom, priceTo, stage, fact }) => ({
  q, code: code.join(","), region: region.flatMap(prefixesOf).join(","), customerInn: customer, supplierINN: supplier,
  signedFrom: from, signedTo: to, priceFrom, priceTo, stage: stage.join(","), fact: fact.join(","),
});

const purchaseParams = ({ q, code, region, customer, from, to, priceFrom, priceTo, law, open }) => ({
  q, code: code.join(","), region: region.flatMap(prefixesOf).join(","), customerInn: customer,
  publishedFrom: from, publishedTo: to, priceFrom, priceTo, law: law.join(","), open,
});

const PATHS = { contracts: "/contract/search", purchases: "/purchase/search", prices: "/contract/prices" };

/** The URL of what a tab shows; `page`: further parameters, as `skip`, `limit`, `sort`. */
export function searchUrl(tab, conditions, format, page = {}) {
  const params = tab === "purchases" ? purchaseParams(conditions) : contractParams(conditions);
  return requestUrl(PATHS[tab], { ...params, format, ...page });
}

/** The URL of the sums over all contracts that match. */
export const summaryUrl = (conditions, format, top) =>
  requestUrl("/contract/summary", { ...contractParams(conditions), format, top: String(top) });

// The prices that a search finds: statistics per unit of measure, the individual prices, and those
// chosen in the address.

import { dataUpdated, get, RequestError } from "./client.js";
import { amountOf } from "./filters.js";
import { parseJson } from "./json.js";
import { cellsOf, unescapeFormula } from "./list.js";
import { items } from "./record.js";
import { compare } from "./statistics.js";

/**
 * Upper bound on prices that are fetched, newest first. Nobody could use a chart or a table of
 * more.
 */
export const MOST_ITEMS = 10_000;
/** Upper bound on prices in a calculation: more would not fit into an address or on a few pages. */
export const MOST_CHOSEN = 50;
/** Minimum number of prices for a calculation. */
export const LEAST_CHOSEN = 3;
/** Value of the parameter `unit` for items without a unit of measure. */
const NO_UNIT = "none";

let last = null;

/**
 * Fetches the prices as `{total, units, items, updated}`. `urlOf(format, limit)` returns the URL.
 * In `units` and `items`, `unit` is the key of the unit of measure in the address, and `pick` is
 * the key of an item. The latest result is cached until the data changes. Throws like `getJson`.
 */
export async function readPrices(urlOf, signal) {
  const urls = [urlOf("json", "0"), urlOf("csv", String(MOST_ITEMS))];
  const isSame = last && last.url === urls[1] && last.updated === dataUpdated();
  if (isSame) return last;
  const [figures, rows] = await Promise.all(urls.map((url) => get(url, signal)));
  if (figures.updated !== rows.updated) throw new RequestError("changed");
  const answer = parseJson(figures.text);
  last = {
    url: urls[1],
    updated: rows.updated,
    total: Number(answer.totalcount),
    units: items(answer, "units").map((unit) => ({ ...unit, unit: unit.okei || NO_UNIT })),
    items: withPicks(itemsOf(rows.text)),
  };
  return last;
}

/** Parses CSV into objects keyed by the headings. */
function itemsOf(csv) {
  const [headings, ...rows] = cellsOf(csv.replace(/^\ufeff/, ""), ",").filter((cells) => cells.length > 1);
  return rows.map((cells) => Object.fromEntries(headings.map((name, at) => [name, unescapeFormula(cells[at] ?? "")])));
}

/**
 * Adds the key `pick` to items. It consists of contract number and price, because these do not
 * depend on what else is found. Prices that occur several times in a contract are numbered.
 */
function withPicks(all) {
  const seen = new Map();
  return all.map((item) => {
    const name = `${item.regNum}_${item.price}`.replaceAll(",", ";");
    const times = (seen.get(name) ?? 0) + 1;
    seen.set(name, times);
    return { ...item, unit: item.okei || NO_UNIT, pick: times > 1 ? `${name}_${times}` : name };
  });
}

/**
 * Returns the unit named in the address, otherwise the unit of the chosen prices, otherwise the
 * most frequent unit.
 */
export function unitOf({ units, items: all }, params) {
  const picks = picksIn(params);
  const named = params.get("unit") ?? all.find(({ pick }) => picks.has(pick))?.unit;
  return units.find(({ unit }) => unit === named) ?? units[0] ?? null;
}

/** Returns the keys of the chosen prices in the address. */
const picksIn = (params) => new Set((params.get("pick") ?? "").split(",").filter(Boolean).slice(0, MOST_CHOSEN));

/** Returns the chosen items, in the order of `all`, and the number of chosen keys that were not found. */
export function chosenOf(all, params) {
  const picks = picksIn(params);
  const chosen = all.filter(({ pick }) => picks.has(pick));
  return { chosen, missing: picks.size - chosen.length };
}

const QUANTITY = /^\d{1,18}(?:\.\d{1,6})?$/;

/**
 * Parses a quantity as people type it, and returns it as `1500.5`. Returns `null` unless it is
 * above zero.
 */
export function quantityOf(text) {
  const digits = amountOf(text);
  return /[1-9]/.test(digits ?? "") ? digits : null;
}

/** Returns the quantity in the address, 1 by default. */
export function quantityIn(params) {
  const text = params.get("quantity") ?? "";
  return QUANTITY.test(text) && /[1-9]/.test(text) ? text : "1";
}

/** Comparators by sort order. Items arrive newest first. */
const ORDERS = {
  "-signDate": null,
  signDate: (one, other) => (one.signDate < other.signDate ? -1 : Number(one.signDate > other.signDate)),
  price: (one, other) => compare(one.price, other.price),
  "-price": (one, other) => compare(other.price, one.price),
};
export const SORTS = Object.keys(ORDERS);

export const sortOf = (params) => (SORTS.includes(params.get("sort")) ? params.get("sort") : SORTS[0]);

export const inOrder = (all, sort) => (ORDERS[sort] ? [...all].sort(ORDERS[sort]) : all);

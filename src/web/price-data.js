// The prices that a search finds: the figures of each unit of measure, the items, and which of the
// items an address chooses.

import { dataUpdated, get, Trouble } from "./client.js";
import { amountOf } from "./filters.js";
import { parseJson } from "./json.js";
import { cellsOf, undefused } from "./list.js";
import { items } from "./record.js";
import { compare } from "./statistics.js";

/** The most items that are read, the newest ones: a chart and a table for people, not an archive. */
export const MOST_ITEMS = 10_000;
/** The most prices that one calculation takes, which fit into an address and onto a few sheets. */
export const MOST_CHOSEN = 50;
/** The fewest prices that a calculation takes. */
export const LEAST_CHOSEN = 3;
/** How an address names items without a unit of measure. */
const NO_UNIT = "none";

let last = null;

/**
 * What a search finds: `{total, units, items, updated}`. `urlOf(format, limit)` is the request for
 * prices. Units have their key in an address (`unit`), items theirs and one of their own (`pick`).
 * The answer read last is kept until the data changes. Throws as `getJson`.
 */
export async function readPrices(urlOf, signal) {
  const urls = [urlOf("json", "0"), urlOf("csv", String(MOST_ITEMS))];
  const isSame = last && last.url === urls[1] && last.updated === dataUpdated();
  if (isSame) return last;
  const [figures, rows] = await Promise.all(urls.map((url) => get(url, signal)));
  if (figures.updated !== rows.updated) throw new Trouble("changed");
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

/** The rows of CSV as objects by its headings. */
function itemsOf(csv) {
  const [headings, ...rows] = cellsOf(csv.replace(/^\ufeff/, ""), ",").filter((cells) => cells.length > 1);
  return rows.map((cells) => Object.fromEntries(headings.map((name, at) => [name, undefused(cells[at] ?? "")])));
}

/**
 * Items, each with `pick`: its contract and price, as an address chooses it, whatever else is
 * found. Several items of a contract with the same price are numbered.
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

/** The unit that is shown: the one that the address names, else that of its choice, else the most frequent. */
export function unitOf({ units, items: all }, params) {
  const picks = picksIn(params);
  const named = params.get("unit") ?? all.find(({ pick }) => picks.has(pick))?.unit;
  return units.find(({ unit }) => unit === named) ?? units[0] ?? null;
}

/** The `pick`s in an address. */
const picksIn = (params) => new Set((params.get("pick") ?? "").split(",").filter(Boolean).slice(0, MOST_CHOSEN));

/** The items that an address chooses, in the order of `all`, and how many of its choice are not there. */
export function chosenOf(all, params) {
  const picks = picksIn(params);
  const chosen = all.filter(({ pick }) => picks.has(pick));
  return { chosen, missing: picks.size - chosen.length };
}

const QUANTITY = /^\d{1,18}(?:\.\d{1,6})?$/;

/** A quantity as it was typed, as `1500.5`; null for none above zero. */
export function quantityOf(text) {
  const digits = amountOf(text);
  return /[1-9]/.test(digits ?? "") ? digits : null;
}

/** The quantity in an address; 1 where there is none. */
export function quantityIn(params) {
  const text = params.get("quantity") ?? "";
  return QUANTITY.test(text) && /[1-9]/.test(text) ? text : "1";
}

/** The orders of items: by the day of signing and by price, newest first unless another is chosen. */
const ORDERS = {
  "-signDate": null,
  signDate: (one, other) => (one.signDate < other.signDate ? -1 : Number(one.signDate > other.signDate)),
  price: (one, other) => compare(one.price, other.price),
  "-price": (one, other) => compare(other.price, one.price),
};
export const SORTS = Object.keys(ORDERS);

export const sortOf = (params) => (SORTS.includes(params.get("sort")) ? params.get("sort") : SORTS[0]);

/** Items, which come newest first, in this order. */
export const inOrder = (all, sort) => (ORDERS[sort] ? [...all].sort(ORDERS[sort]) : all);

// Regions of customers: their names and INN prefixes.

import { rowsOf } from "./tables.js";
import { language } from "./texts.js";

/** INN prefixes issued before regions merged, by today's region. The API itself treats 97 as 77. */
const FORMER = { 24: ["84", "88"], 38: ["85"], 41: ["82"], 59: ["81"], 75: ["80"] };

/** Returns the code under which the page lists a region: 77 for 97, and other codes unchanged. */
export const regionOf = (digits) => (digits === "97" ? "77" : digits);

/** Returns the INN prefixes to send to the API for a region. */
export const prefixesOf = (code) => [code, ...(FORMER[code] ?? [])];

/** Returns the INN prefixes of a region for display. */
export const shownPrefixesOf = (code) => (code === "77" ? ["77", "97"] : prefixesOf(code));

const nameIn = ([, , ru, en]) => (language() === "ru" ? ru : en);

/** Returns a map from region code to name. Throws `RequestError`. */
export async function regionNames() {
  const rows = await rowsOf("./regions.tsv");
  return new Map(rows.map((row) => [row[0], nameIn(row)]));
}

/**
 * Returns the regions with this code or with this text in their name, in either language, as `[code,
 * name]`. Throws `RequestError`.
 */
export async function regionsLike(text) {
  const wanted = text.toLowerCase();
  const rows = await rowsOf("./regions.tsv");
  return rows
    .filter(([code, , ...names]) => code === text || names.some((name) => name.toLowerCase().includes(wanted)))
    .map((row) => [row[0], nameIn(row)]);
}

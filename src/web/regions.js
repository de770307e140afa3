// The regions of customers: their names, and the beginnings of INNs by which the service knows
// them.

import { rowsOf } from "./tables.js";
import { language } from "./texts.js";

/**
 * Beginnings of INNs that tax offices gave out before regions were joined. The service itself takes
 * 97 for 77.
 */
const FORMER = { 24: ["84", "88"], 38: ["85"], 41: ["82"], 59: ["81"], 75: ["80"] };

/** The region whose customers have INNs that begin so. */
export const regionOf = (digits) => (digits === "97" ? "77" : digits);

/** The first two digits of the INNs of a region's customers, as the service is asked for them. */
export const prefixesOf = (code) => [code, ...(FORMER[code] ?? [])];

/** The same as people are told. */
export const shownPrefixesOf = (code) => (code === "77" ? ["77", "97"] : prefixesOf(code));

/** All regions: code to name. Throws `Trouble`. */
export async function regionNames() {
  const rows = await rowsOf("./regions.tsv");
  return new Map(rows.map(([code, , ru, en]) => [code, language() === "ru" ? ru : en]));
}

// The regions of customers by the codes that EIS has for them.

import { rowsOf } from "./tables.js";
import { language } from "./texts.js";

/** All regions: code to name. Throws `Trouble`. */
export async function regionNames() {
  const rows = await rowsOf("./regions.tsv");
  return new Map(rows.map(([code, , ru, en]) => [code, language() === "ru" ? ru : en]));
}

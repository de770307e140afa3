// Names of OKPD2 classes. KTRU codes begin with an OKPD2 code, so the names serve both classifiers.

import { rowsOf } from "./tables.js";
import { language } from "./texts.js";

/** Fetches the classes as a map from code to name, ordered by code. Throws `RequestError`. */
export async function classNames() {
  const rows = await rowsOf("./okpd2.tsv");
  return new Map(rows.map(([code, ru, en]) => [code, language() === "en" && en ? en : ru]));
}

/** Returns the most specific class that contains a code, as `[code, name]`, or `null`. */
export function classOf(names, code) {
  for (let end = code.length; end >= 2; end -= 1) {
    const start = code.slice(0, end);
    if (names.has(start)) return [start, names.get(start)];
  }
  return null;
}

/** Returns whether a code is a KTRU code: an OKPD2 code, a hyphen and a number. */
export const isKtru = (code) => code.includes("-");

/**
 * Returns up to `most` classes: those whose code starts with `text` if it starts with a digit,
 * otherwise those whose name matches every word. For an empty `text`, returns only two-digit
 * classes.
 */
export function classesLike(names, text, most) {
  const wanted = text.trim().toLowerCase().replaceAll("ё", "е");
  const words = wanted.split(/[^\p{L}\d.]+/u).filter(Boolean);
  const found = [];
  for (const [code, name] of names) {
    const inName = name.toLowerCase().replaceAll("ё", "е").split(/[^\p{L}\d]+/u);
    const isLike = /^\d/.test(wanted)
      ? code.startsWith(wanted)
      : words.every((word) => inName.some((one) => one.startsWith(stemOf(word))));
    if (isLike && (wanted || code.length === 2)) found.push([code, name]);
    if (found.length === most) break;
  }
  return found;
}

/**
 * Cuts off a word's ending. The stemming of the API is finer, but this is good enough for the names
 * of classes.
 */
const stemOf = (word) => (word.length > 5 ? word.slice(0, -2) : word.length > 3 ? word.slice(0, -1) : word);

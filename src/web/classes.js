// The names of the classes of OKPD2, of which codes of goods and services are the continuation; of
// KTRU, too, whose codes begin with one of OKPD2.

import { rowsOf } from "./tables.js";
import { language } from "./texts.js";

/** All classes that have a name here: code to name, in the order of their codes. Throws `Trouble`. */
export async function classNames() {
  const rows = await rowsOf("./okpd2.tsv");
  return new Map(rows.map(([code, ru, en]) => [code, language() === "en" && en ? en : ru]));
}

/** The nearest class that a code is of: `[code, name]`; null for none. */
export function classOf(names, code) {
  for (let end = code.length; end >= 2; end -= 1) {
    const start = code.slice(0, end);
    if (names.has(start)) return [start, names.get(start)];
  }
  return null;
}

/** Is this a code of KTRU: one of OKPD2 with a number after it? */
export const isKtru = (code) => code.includes("-");

/** The classes whose code begins so, or whose name has all these beginnings of words, at most `most`. */
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

/** A word without its ending, roughly: the service reduces words in a stricter way. */
const stemOf = (word) => (word.length > 5 ? word.slice(0, -2) : word.length > 3 ? word.slice(0, -1) : word);

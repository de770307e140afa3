// Amounts and counts, exactly as they were sent: an amount is the text of its digits, and
// never becomes a floating point number.

import { language, locale } from "./texts.js";

const NARROW = "\u202f";

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;

/** `1234567.5` as `1 234 567,50`: all its digits, grouped; other text as it is. */
export function decimal(text, places = 0) {
  const parts = DECIMAL.exec(text);
  if (!parts) return String(text);
  const [, sign, whole, rest = ""] = parts;
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, NARROW);
  const fraction = rest.padEnd(places, "0");
  return (sign ? "\u2212" : "") + grouped + (fraction ? `,${fraction}` : "");
}

/** An amount of roubles. */
export const roubles = (text) => (DECIMAL.test(text) ? `${decimal(text, 2)}${NARROW}₽` : String(text));

/** Units by the digits of their least amount. */
const UNITS = {
  ru: { 13: "трлн", 10: "млрд", 7: "млн", 4: "тыс." },
  en: { 13: "tn", 10: "bn", 7: "m", 4: "k" },
};

/** A sum in few characters, as `≈12,4 млн ₽`: rounded half up by its digits, `≈` where it is not exact. */
export function roughly(text) {
  const parts = DECIMAL.exec(text);
  const whole = parts?.[2].replace(/^0+(?=\d)/, "") ?? "0";
  const unit = unitOf(whole);
  if (!unit) return roubles(text);
  const cut = unit - 1 - (whole.length === unit || whole.length === unit + 1 ? 1 : 0);
  const digits = whole.length - cut;
  const up = whole[digits] >= "5" ? 1n : 0n;
  const rounded = String(BigInt(whole.slice(0, digits)) + up) + "0".repeat(cut);
  const exact = rounded === whole && !/[1-9]/.test(parts[3] ?? "");
  const shown = unitOf(rounded);
  const at = rounded.length - shown + 1;
  const tenth = rounded[at] !== "0" ? `,${rounded[at]}` : "";
  const unitName = UNITS[language()][shown];
  const sign = parts[1] && "\u2212";
  return `${exact ? "" : "≈"}${sign}${decimal(rounded.slice(0, at))}${tenth}${NARROW}${unitName}${NARROW}₽`;
}

/** From how many digits on the greatest unit counts that this whole number reaches. */
const unitOf = (whole) => [13, 10, 7, 4].find((digits) => whole.length >= digits);

/** An amount as a whole number of its 12th decimal place; what is none is 0. */
function scaled(text) {
  const parts = DECIMAL.exec(text ?? "");
  return parts ? BigInt(parts[1] + parts[2] + (parts[3] ?? "").slice(0, 12).padEnd(12, "0")) : 0n;
}

/** How many thousandths of `most` an amount is, 0 to 1000: for the length of a bar. */
export function thousandths(text, most) {
  const [part, all] = [scaled(text), scaled(most)];
  return all > 0n && part > 0n ? Number((part * 1000n) / all) : 0;
}

/** The larger of two amounts. */
export const larger = (one, other) => (scaled(one) > scaled(other) ? one : other);

/** Is the first amount the larger one? */
export const isMore = (one, other) => scaled(one) > scaled(other);

/** A count of things, grouped. */
export const count = (number) => decimal(String(number));

/** Which of the forms of a word goes with `number`. */
export function plural(number, forms) {
  const rule = new Intl.PluralRules(locale()).select(Number(number));
  return (forms[rule] ?? forms.other ?? forms.many).replaceAll("{n}", count(number));
}

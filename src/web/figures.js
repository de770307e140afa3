// Amounts and counts, exactly as they were sent: an amount is the text of its digits, and
// never becomes a floating point number.

import { language, locale } from "./texts.js";

const NARROW = "\u202f";

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;

/**
 * How a language writes figures: between thousands, before a fraction, with its currency, and
 * units by the digits of their least amount.
 */
const MANNERS = {
  ru: {
    group: NARROW, point: ",", units: { 13: "трлн", 10: "млрд", 7: "млн", 4: "тыс." },
    amount: (text) => `${text}${NARROW}₽`, rough: (text, unit) => `${text}${NARROW}${unit}${NARROW}₽`,
  },
  en: {
    group: ",", point: ".", units: { 13: "tn", 10: "bn", 7: "m", 4: "k" },
    amount: (text) => `₽${text}`, rough: (text, unit) => `₽${text}${unit}`,
  },
};

const manner = () => MANNERS[language()];

/** `1234567.5` as `1 234 567,50`, or `1,234,567.50`: all its digits, grouped; other text as it is. */
export function decimal(text, places = 0) {
  const parts = DECIMAL.exec(text);
  if (!parts) return String(text);
  const [, sign, whole, rest = ""] = parts;
  const { group, point } = manner();
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, group);
  const fraction = rest.padEnd(places, "0");
  return (sign ? "\u2212" : "") + grouped + (fraction ? point + fraction : "");
}

/** An amount of roubles. */
export const roubles = (text) => (DECIMAL.test(text) ? manner().amount(decimal(text, 2)) : String(text));

/** How many figures of an amount below a rouble say enough. */
const FIGURES = 3;

/** An amount with at most so many decimal places, rounded half up. */
function rounded(text, places) {
  const [, sign, whole, rest = ""] = DECIMAL.exec(text) ?? [];
  if (whole === undefined || rest.length <= places) return text;
  const cut = BigInt(whole + rest.slice(0, places)) + (rest[places] >= "5" ? 1n : 0n);
  const digits = String(cut).padStart(places + 1, "0");
  return `${sign}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

/**
 * An amount of roubles as people read it: to the kopeck, below a rouble to three figures
 * (`0,00457 ₽`). `roubles` has all its digits.
 */
export function readableRoubles(text) {
  const [, , whole, rest = ""] = DECIMAL.exec(text) ?? [];
  const zeros = /^0*/.exec(rest)[0].length;
  const small = /^0+$/.test(whole) && zeros < rest.length ? rounded(text, Math.max(2, zeros + FIGURES)) : "";
  return roubles(/^-?0/.test(small) ? small : rounded(text, 2));
}

/** The same without kopecks where there are none. */
export const shortRoubles = (text) => manner().amount(decimal(text.replace(/\.0+$/, ""), text.includes(".") ? 2 : 0));

/** The greatest unit that an amount reaches, by the digits of its least amount; 1 for roubles. */
export const unitOf = (text) => {
  const whole = DECIMAL.exec(text)?.[2].replace(/^0+(?=\d)/, "") ?? "";
  return [13, 10, 7, 4].find((digits) => whole.length >= digits) ?? 1;
};

/** A unit in words: `млн ₽`, `₽m`. */
export const unitName = (unit) => manner().rough("", manner().units[unit] ?? "").trim();

/** How many tenths of a unit an amount is, rounded half up. */
function tenthsOf(text, unit) {
  const tenth = 10n ** BigInt(11 + unit - 1);
  return (scaled(text) + tenth / 2n) / tenth;
}

/** How many of a unit an amount is, rounded half up to a tenth: `12,4`. */
export function inUnit(text, unit) {
  const tenths = tenthsOf(text, unit);
  return decimal(`${tenths / 10n}${tenths % 10n ? `.${tenths % 10n}` : ""}`);
}

/** The same for a column of figures: `12,4`, `12,0`. */
export function tenthsIn(text, unit) {
  const tenths = tenthsOf(text, unit);
  return decimal(`${tenths / 10n}.${tenths % 10n}`);
}

/** The same in three figures, for a narrow place: `12,4`, from a hundred on `128`. */
export function brieflyIn(text, unit) {
  const tenths = tenthsOf(text, unit);
  return tenths < 1000n ? inUnit(text, unit) : decimal(String((tenths + 5n) / 10n));
}

/** A sum in few characters, rounded half up: `12,4 млн ₽`, `₽12.4m`. */
export function roughly(text) {
  const unit = unitOf(text);
  if (unit === 1) return roubles(text);
  // What rounds to a thousand of a unit is one of the next.
  const next = unit < 13 && tenthsOf(text, unit) >= 10_000n ? unit + 3 : unit;
  return manner().rough(inUnit(text, next), manner().units[next]);
}

/** The sum of amounts, with all their digits. */
export function total(amounts) {
  return amountOf(amounts.reduce((all, one) => all + scaled(one), 0n));
}

/** The amount that `scaled` made a whole number. */
function amountOf(sum) {
  const [whole, fraction] = [sum / ONE, String(sum % ONE).padStart(12, "0").replace(/0+$/, "")];
  return `${whole}${fraction && `.${fraction}`}`;
}

const ONE = 10n ** 12n;

/** An amount as a whole number of its 12th decimal place; what is none is 0. */
function scaled(text) {
  const parts = DECIMAL.exec(text ?? "");
  return parts ? BigInt(parts[1] + parts[2] + (parts[3] ?? "").slice(0, 12).padEnd(12, "0")) : 0n;
}

/** What is left of an amount without other ones; null where they are as much or more. */
export function without(text, others) {
  const rest = scaled(text) - others.reduce((all, one) => all + scaled(one), 0n);
  return rest > 0n ? amountOf(rest) : null;
}

/** The share of an amount in `all`, as a percentage rounded half up to a tenth (`21.4`); null where there is none. */
export function shareOf(text, all) {
  const [part, whole] = [scaled(text), scaled(all)];
  if (whole <= 0n) return null;
  const tenths = (part * 2000n + whole) / (whole * 2n);
  return `${tenths / 10n}.${tenths % 10n}`;
}

/** A percentage as `21,4 %`, `9,0 %`. */
export const percent = (text) => `${decimal(text, 1)}\u202f%`;

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

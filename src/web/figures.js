// Formatting and arithmetic of amounts and counts. Amounts are exact decimal strings and never
// become floating point numbers.

import { language, locale } from "./texts.js";

const NARROW = "\u202f";

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;

/**
 * Number format of each language: separators, currency, and the large units. Each unit is keyed by
 * the number of digits from which it applies.
 */
const NUMBER_FORMATS = {
  ru: {
    group: NARROW, point: ",", units: { 13: "трлн", 10: "млрд", 7: "млн", 4: "тыс." },
    amount: (text) => `${text}${NARROW}₽`, rough: (text, unit) => `${text}${NARROW}${unit}${NARROW}₽`,
  },
  en: {
    group: ",", point: ".", units: { 13: "tn", 10: "bn", 7: "m", 4: "k" },
    amount: (text) => `₽${text}`, rough: (text, unit) => `₽${text}${unit}`,
  },
};

const numberFormat = () => NUMBER_FORMATS[language()];

/**
 * Formats `1234567.5` as `1 234 567,50` or `1,234,567.50`, keeping all digits. Other strings are
 * returned unchanged.
 */
export function decimal(text, places = 0) {
  const parts = DECIMAL.exec(text);
  if (!parts) return String(text);
  const [, sign, whole, rest = ""] = parts;
  const { group, point } = numberFormat();
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, group);
  const fraction = rest.padEnd(places, "0");
  return (sign ? "\u2212" : "") + grouped + (fraction ? point + fraction : "");
}

export const roubles = (text) => (DECIMAL.test(text) ? numberFormat().amount(decimal(text, 2)) : String(text));

/** Significant digits that are shown for amounts below one rouble. */
const FIGURES = 3;

/** Rounds an amount half up to at most `places` decimal places. */
function rounded(text, places) {
  const [, sign, whole, rest = ""] = DECIMAL.exec(text) ?? [];
  if (whole === undefined || rest.length <= places) return text;
  const cut = BigInt(whole + rest.slice(0, places)) + (rest[places] >= "5" ? 1n : 0n);
  const digits = String(cut).padStart(places + 1, "0");
  return `${sign}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

/**
 * Formats an amount to the kopeck, or to three significant digits if it is below one rouble
 * (`0,00457 ₽`). `roubles` shows all digits.
 */
export function readableRoubles(text) {
  const [, , whole, rest = ""] = DECIMAL.exec(text) ?? [];
  const zeros = /^0*/.exec(rest)[0].length;
  const small = /^0+$/.test(whole) && zeros < rest.length ? rounded(text, Math.max(2, zeros + FIGURES)) : "";
  return roubles(/^-?0/.test(small) ? small : rounded(text, 2));
}

/** Formats an amount, leaving out the kopecks if there are none. */
export const shortRoubles = (text) =>
  numberFormat().amount(decimal(text.replace(/\.0+$/, ""), text.includes(".") ? 2 : 0));

/**
 * Returns the largest unit that an amount reaches, as its key in the number format, or 1 for
 * roubles.
 */
export const unitOf = (text) => {
  const whole = DECIMAL.exec(text)?.[2].replace(/^0+(?=\d)/, "") ?? "";
  return [13, 10, 7, 4].find((digits) => whole.length >= digits) ?? 1;
};

/** Returns the name of a unit: `млн ₽`, `₽m`. */
export const unitName = (unit) => numberFormat().rough("", numberFormat().units[unit] ?? "").trim();

/** Converts an amount to tenths of a unit, rounded half up. */
function tenthsOf(text, unit) {
  const tenth = 10n ** BigInt(11 + unit - 1);
  return (scaled(text) + tenth / 2n) / tenth;
}

/** Formats an amount in a unit, rounded half up to a tenth: `12,4`, `12`. */
export function inUnit(text, unit) {
  const tenths = tenthsOf(text, unit);
  return decimal(`${tenths / 10n}${tenths % 10n ? `.${tenths % 10n}` : ""}`);
}

/** Formats an amount in a unit, always with one decimal place, to align in columns: `12,4`, `12,0`. */
export function tenthsIn(text, unit) {
  const tenths = tenthsOf(text, unit);
  return decimal(`${tenths / 10n}.${tenths % 10n}`);
}

/** Formats an amount in a unit with about three digits, for narrow places: `12,4`, `128`. */
export function briefIn(text, unit) {
  const tenths = tenthsOf(text, unit);
  return tenths < 1000n ? inUnit(text, unit) : decimal(String((tenths + 5n) / 10n));
}

/** Formats a sum briefly, rounded half up: `12,4 млн ₽`, `₽12.4m`. */
export function briefRoubles(text) {
  const unit = unitOf(text);
  if (unit === 1) return roubles(text);
  // An amount that rounds to 1000 of a unit is shown as 1 of the next unit.
  const next = unit < 13 && tenthsOf(text, unit) >= 10_000n ? unit + 3 : unit;
  return numberFormat().rough(inUnit(text, next), numberFormat().units[next]);
}

export function total(amounts) {
  return amountOf(amounts.reduce((all, one) => all + scaled(one), 0n));
}

/** Converts an integer from `scaled` back to an amount. */
function amountOf(sum) {
  const [whole, fraction] = [sum / ONE, String(sum % ONE).padStart(12, "0").replace(/0+$/, "")];
  return `${whole}${fraction && `.${fraction}`}`;
}

const ONE = 10n ** 12n;

/**
 * Converts an amount to an integer in units of its 12th decimal place; 0 if the string is not an
 * amount.
 */
function scaled(text) {
  const parts = DECIMAL.exec(text ?? "");
  return parts ? BigInt(parts[1] + parts[2] + (parts[3] ?? "").slice(0, 12).padEnd(12, "0")) : 0n;
}

/** Subtracts `others` from an amount. Returns `null` if nothing remains. */
export function without(text, others) {
  const rest = scaled(text) - others.reduce((all, one) => all + scaled(one), 0n);
  return rest > 0n ? amountOf(rest) : null;
}

/**
 * Returns what percentage of `all` an amount is, rounded half up to a tenth (`21.4`), or `null` if
 * `all` is zero.
 */
export function shareOf(text, all) {
  const [part, whole] = [scaled(text), scaled(all)];
  if (whole <= 0n) return null;
  const tenths = (part * 2000n + whole) / (whole * 2n);
  return `${tenths / 10n}.${tenths % 10n}`;
}

/** Formats a percentage: `21,4 %`, `9,0 %`. */
export const percent = (text) => `${decimal(text, 1)}\u202f%`;

/** Returns the ratio of an amount to `most` in thousandths, 0 to 1000, for the length of a bar. */
export function thousandths(text, most) {
  const [part, all] = [scaled(text), scaled(most)];
  return all > 0n && part > 0n ? Number((part * 1000n) / all) : 0;
}

export const larger = (one, other) => (scaled(one) > scaled(other) ? one : other);

export const isMore = (one, other) => scaled(one) > scaled(other);

export const count = (number) => decimal(String(number));

/** Picks the plural form for `number` and inserts the number. */
export function plural(number, forms) {
  const rule = new Intl.PluralRules(locale()).select(Number(number));
  return (forms[rule] ?? forms.other ?? forms.many).replaceAll("{n}", count(number));
}

// Finds INNs in a cell or a line of a list. Words next to an INN are the supplier's name. Near
// misses are reported together with the INN that is probably meant. Telephone, account and other
// numbers are recognised, so that they are not mistaken for INNs.

import { isInn, LIKE } from "./routes.js";

/** Names are cut to this many characters. */
const LONGEST_NAME = 300;

/** A string with fewer digits contains neither an INN nor a near miss. */
const FEWEST = 7;

const PHONE_LABEL = "тел(?:ефоны?)?|моб(?:ильный)?|факс|(?:tele)?phone|tel|fax|mobile";
const PHONE = String.raw`\d{3}[\s)-]{0,3}\d{3}[\s-]?\d{2}[\s-]?\d{2}(?!\d)`;
const ROUBLES = String.raw`\s?(?:₽|(?:руб(?:л\p{L}+)?|тыс|млн|млрд)(?!\p{L})\.?)`;
/**
 * Other kinds of numbers, recognised by their label or form. If several kinds match, the one that
 * comes first here is reported.
 */
const OTHERS = [
  ["kpp", String.raw`(?<!\p{L})(?:кпп|kpp)[\s:№]*\d{9}(?!\d)`],
  ["ogrn", String.raw`(?<!\p{L})(?:огрн(?:ип)?|ogrn(?:ip)?)[\s:№]*(?:\d{15}|\d{13})(?!\d)`],
  ["bik", String.raw`(?<!\p{L})(?:бик|bik|bic)[\s:№]*\d{9}(?!\d)`],
  ["okpo", String.raw`(?<!\p{L})(?:окпо|okpo)[\s:№]*\d{8,10}(?!\d)`],
  ["passport", String.raw`(?<!\p{L})(?:паспорт|passport)[\s:№]*\d{2}\s?\d{2}\s?\d{6}(?!\d)`],
  ["phone", String.raw`(?<!\p{L})(?:${PHONE_LABEL})\.?[\s:№]*(?:\+?\d?[\s(-]{0,3}${PHONE}|\+?\d+)`],
  ["account", String.raw`(?:[ркл]/с[\s:№]*)?(?<!\d)(?:30[1-3]|40[5-8])\d{2}\s?\d{3}(?:\s?\d){12}(?!\d)`],
  ["snils", String.raw`(?<!\d)\d{3}-\d{3}-\d{3}[\s-]\d{2}(?!\d)`],
  ["day", String.raw`(?<!\d)(?:\d{1,2}\.\d{1,2}\.(?:\d{4}|\d{2})|\d{4}-\d\d-\d\d)(?!\d)`],
  // An amount has kopecks or a currency.
  ["amount", String.raw`(?<!\d)(?:\d{1,3}(?:\s\d{3})+|\d+)(?:[.,]\d{1,2}(?!\d)(?:${ROUBLES})?|${ROUBLES})`],
  // A telephone number has a country code or is grouped like one.
  ["phone", String.raw`(?<![\d\p{L}])(?:\+7[\s(-]{0,3}|8[\s(-]{1,3})${PHONE}`],
  ["phone", String.raw`\(\d{3,5}\)\s?\d[\d-]{4,8}(?!\d)`],
  ["phone", String.raw`(?<!\d)[3489]\d\d[\s-]\d{3}-\d{2}-\d{2}(?!\d)`],
].map(([kind, pattern]) => [kind, new RegExp(pattern, "giu")]);

/**
 * A number in scientific notation, as spreadsheets show long numbers. The exponent mark may be a
 * Cyrillic letter.
 */
const POWER = /(?<![\d.,])(\d)(?:[.,](\d+))?[EЕ]\+?(\d{1,2})(?!\d)/giu;
/** A number as spreadsheets format it: digits in groups of three, and a fraction of zeros. */
const SHOWN = /(?<![\d.,])(?:\d{1,3}(?:([\s,.'’])\d{3})(?:\1\d{3}){2}|\d{12}|\d{10})(?:[.,]0{1,2})?(?![.,]?\d)/gu;
/** Maximum length of a text that may be a single number with a label, in characters. */
const LONGEST_NUMBER = 60;
const CELL_ERROR = /^#(?:[\p{L}/]+[!?]?|(?:ДЕЛ|DIV)\/0!|#+)$/iu;
/** Kinds of numbers by their length in digits. */
const BY_LENGTH = { 13: "ogrn", 15: "ogrn", 18: "number", 19: "number", 20: "account", 36: "ikz" };

const LABEL = /(?<!\p{L})(?:ИНН|INN)(?:\s*\/\s*(?:КПП|KPP))?(?!\p{L})/giu;
/** The word after the label "INN", if it contains a digit. */
const CALLED = /(?<!\p{L})(?:ИНН|INN)[\s:№]*([\p{L}\d]*\d[\p{L}\d]*)/giu;
/** Statements that there is no INN, such as "INN: none". */
const LACKING = /(?<!\p{L})(?:ИНН|INN)[\s:–—-]*(?:нет|не указан\p{L}*|отсутствует|неизвест\p{L}*|н\/д)(?!\p{L})/giu;
const ADDRESS = /https?:\/\/\S+/giu;
const WITH_KPP = /(?<!\d)(?:\d{12}|\d{10})(?:\s?\/\s?\d{9})?(?!\d)/g;
const EXACT = /(?<!\d)(?:\d{12}|\d{10})(?!\d)/g;
/** Groups of digits separated by a single space, dash or underscore. */
const GROUPED = /\d+(?:[\s_\u2010-\u2015\u2212-]\d+)*/g;
const WEIGHTS = [3, 7, 2, 4, 10, 3, 5, 9, 4, 6, 8];

/** Returns whether the check digits of an INN are valid. */
function isRight(inn) {
  const digit = (length) => {
    const weights = WEIGHTS.slice(WEIGHTS.length - length);
    return String((weights.reduce((sum, weight, at) => sum + weight * Number(inn[at]), 0) % 11) % 10);
  };
  return inn.length === 10 ? digit(9) === inn[9] : digit(10) + digit(11) === inn.slice(10);
}

const digitsOf = (text) => text.replace(/\D/g, "");
const hasLetters = (text) => /\p{L}/u.test(text);

/**
 * Finds the INNs in a string, in order and with duplicates. Returns `{inns, areRight, misses,
 * rest}`.
 *
 * - `inns` includes INNs with wrong check digits, because the registries contain a few. They are
 *   left out only if the string also has words and a valid INN.
 * - `areRight` is true if there are INNs and all of them have valid check digits.
 * - `misses` are near misses as `{text, why, inn}`. `why` is `zero` (a leading zero was lost),
 *   `nine` (another digit was lost), `eleven` (11 digits), `letters` (letters instead of digits),
 *   `rounded` (rounded by a spreadsheet) or `control` (wrong check digits). `inn` is the INN that
 *   is probably meant, or "" if that is uncertain.
 * - `rest` is the string without the numbers of other kinds.
 */
export function innsOf(given) {
  if (isInn(given)) return { inns: [given], areRight: isRight(given), misses: [], rest: given };
  const { text, rounded } = expandNumbers(given);
  if (digitsOf(text).length < FEWEST) return { inns: [], areRight: false, misses: rounded, rest: text };
  const rest = OTHERS.reduce((left, [, pattern]) => left.replace(pattern, " "), text);
  const called = new Set([...rest.matchAll(CALLED)].map(([, word]) => word));
  const isAmongWords = hasLetters(rest.replace(LABEL, " "));
  const exact = (rest.match(EXACT) ?? []).filter(isInn);
  const right = new Set(exact.filter((inn) => called.has(inn) || isRight(inn)));
  const inns = isAmongWords && right.size ? exact.filter((inn) => right.has(inn)) : exact;
  // Telephone numbers begin with these digits; the INNs of most regions do not.
  const wrong = exact.filter((inn) => isAmongWords && right.size && !right.has(inn) && !/^[3489]/.test(inn));
  if (inns.length)
    return {
      inns,
      areRight: inns.every(isRight),
      misses: wrong.map((inn) => ({ text: inn, why: "control", inn: "" })),
      rest,
    };
  const grouped = (rest.match(GROUPED) ?? [])
    .map(digitsOf)
    .filter((inn) => isInn(inn) && (!isAmongWords || isRight(inn)));
  const misses = grouped.length ? [] : [...missesIn(rest, called, isAmongWords), ...rounded];
  return { inns: grouped, areRight: grouped.length > 0 && grouped.every(isRight), misses, rest };
}

/**
 * Converts numbers in a spreadsheet's format (grouped, or in scientific notation) to plain digits.
 * Numbers that the spreadsheet has rounded are removed from the string and returned in `rounded`.
 */
function expandNumbers(given) {
  const rounded = [];
  const text = given.replace(POWER, (whole, first, others = "", power) => {
    const digits = first + others;
    if (digits.length === Number(power) + 1) return digits;
    rounded.push({ text: whole, why: "rounded", inn: "" });
    return " ";
  });
  const bare = text.length > LONGEST_NUMBER ? "" : text.replace(LABEL, "").replace(/^[\s:№]+|[\s:;,.]+$/gu, "");
  const written = text.replace(SHOWN, (number) => {
    const inn = digitsOf(number.replace(/[.,]0{1,2}$/, ""));
    return isInn(inn) && (number === bare || isRight(inn)) ? inn : number;
  });
  return { text: written, rounded };
}

/**
 * Classifies a string that contains neither INNs nor near misses, as `{why, text}`. `why` is the
 * kind of number (such as `kpp` or `phone`, or `length` if only the length is known), `error` for a
 * spreadsheet error, or `none`.
 */
export function kindOf(text) {
  if (CELL_ERROR.test(text)) return { why: "error", text };
  for (const [why, pattern] of OTHERS) {
    const [number] = text.match(pattern) ?? [];
    if (number) return { why, text: number.trim() };
  }
  const numbers = (text.match(GROUPED) ?? []).map((number) => [number, digitsOf(number)]);
  const [called] = [...text.matchAll(CALLED)];
  for (const [number, digits] of numbers) {
    const why = BY_LENGTH[digits.length] ?? kindOfFew(digits);
    if (why) return { why, text: number };
  }
  if (called) return { why: "length", text: called[1] };
  return numbers.length && !hasLetters(text) ? { why: "length", text } : { why: "none", text: "" };
}

/** Classifies a number of nine or more digits. Returns "" if it may be an INN. */
function kindOfFew(digits) {
  if (/^0{10}(?:00)?$/.test(digits)) return "zeros";
  if (digits.length === 11 && /^[78]/.test(digits)) return "phone";
  if (digits.length !== 9) return "";
  if (/^04/.test(digits)) return "bik";
  return /^\d{4}(?:01|02|05|31|32|43|44|45|50)00\d$/.test(digits) ? "kpp" : "";
}

/** Finds near misses in a string without INNs. */
function missesIn(text, called, isAmongWords) {
  const misses = [];
  for (const word of text.match(GROUPED) ?? []) {
    const digits = digitsOf(word);
    if (digits.length !== 9 && digits.length !== 11) continue;
    const inn = isRight(`0${digits}`) ? `0${digits}` : "";
    const kind = kindOfFew(digits);
    const isOther = kind || /^0/.test(digits);
    if (kind === "kpp" && !called.has(word)) continue;
    if (inn || called.has(word) || (!isAmongWords && !isOther))
      misses.push({ text: word, why: inn ? "zero" : digits.length === 9 ? "nine" : "eleven", inn });
  }
  const words = text.replace(LABEL, " ").match(/[\p{L}\d]+/gu) ?? [];
  const lettered = words.filter(hasLetters).length;
  for (const word of words) {
    const inn = word.toUpperCase().replace(/\D/g, (letter) => LIKE[letter] ?? letter);
    if (!isInn(inn) || inn === word || word.length - digitsOf(word).length > 3) continue;
    if (isRight(inn) || called.has(word) || lettered === 1)
      misses.push({ text: word, why: "letters", inn: isRight(inn) ? inn : "" });
  }
  return misses;
}

/**
 * Returns the name next to `inns` in a string, without labels and numbering, or "" if there is no
 * name.
 */
export function nameNextTo(text, inns) {
  const own = new Set(inns);
  const blank = (number) => (own.has(digitsOf(number)) ? " " : number);
  return tidy(
    text
      .replace(ADDRESS, " ")
      .replace(LACKING, " ")
      .replace(WITH_KPP, " ")
      .replace(GROUPED, blank)
      .replace(LABEL, " ")
      .replace(/\([\s:;,№]*\)/g, " "),
  );
}

/** Trims a name and removes its numbering. Returns "" if the name has no letters. */
export function tidy(text) {
  const line = text
    .replace(/\s+/g, " ")
    .replace(/(?: ?[,;|])+/g, (marks) => marks.trim()[0])
    .slice(0, LONGEST_NAME);
  const name = line.replace(/^(?:[\s,;:.|/–—-]|№? ?\d{1,5}[.)](?= ))+/, "").replace(/[\s,;:|/–—-]+$/, "");
  return hasLetters(name) ? name : "";
}

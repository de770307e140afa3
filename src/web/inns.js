// The INNs in a piece of text: a cell, or a line of a list. What stands beside one is its
// name; what only looks like one is a near miss. A telephone, an account, a day, an amount, a
// KPP or an OGRN is neither.

import { isInn } from "./routes.js";

/** The longest name, in characters: what is beyond is cut off. */
const LONGEST_NAME = 300;

/** With fewer digits, nothing is an INN, nor looks like one. */
const FEWEST = 7;

const PHONE = String.raw`\d{3}[\s)-]{0,3}\d{3}[\s-]?\d{2}[\s-]?\d{2}(?!\d)`;
/** What has digits and is no INN, by its label or by its form. */
const OTHERS = [
  String.raw`(?<!\p{L})(?:тел(?:ефоны?)?|моб(?:ильный)?|факс|(?:tele)?phone|tel|fax|mobile)\.?[\s:№]*(?:\+?\d?[\s(-]{0,3}${PHONE}|\+?\d+)`,
  String.raw`(?<!\p{L})(?:кпп|kpp|бик|bik|bic)[\s:№]*\d{9}(?!\d)`,
  String.raw`(?<!\p{L})(?:огрн(?:ип)?|ogrn(?:ip)?)[\s:№]*(?:\d{15}|\d{13})(?!\d)`,
  String.raw`(?<!\p{L})(?:окпо|okpo)[\s:№]*\d{8,10}(?!\d)`,
  String.raw`(?<!\p{L})(?:паспорт|passport)[\s:№]*\d{2}\s?\d{2}\s?\d{6}(?!\d)`,
  // An account, an insurance number, a day.
  String.raw`(?:[ркл]/с[\s:№]*)?(?<!\d)(?:30[1-3]|40[5-8])\d{2}\s?\d{3}(?:\s?\d){12}(?!\d)`,
  String.raw`(?<!\d)\d{3}-\d{3}-\d{3}[\s-]\d{2}(?!\d)`,
  String.raw`(?<!\d)(?:\d{1,2}\.\d{1,2}\.(?:\d{4}|\d{2})|\d{4}-\d\d-\d\d)(?!\d)`,
  // An amount: with kopecks, or with its unit.
  String.raw`(?<!\d)(?:\d{1,3}(?:\s\d{3})+|\d+)(?:[.,]\d{1,2}(?!\d)|\s?(?:₽|(?:руб(?:л\p{L}+)?|тыс|млн|млрд)(?!\p{L})))`,
  // A telephone: after the country's code, or grouped as telephones are.
  String.raw`(?<![\d\p{L}])(?:\+7[\s(-]{0,3}|8[\s(-]{1,3})${PHONE}`,
  String.raw`\(\d{3,5}\)\s?\d[\d-]{4,8}(?!\d)`,
  String.raw`(?<!\d)[3489]\d\d[\s-]\d{3}-\d{2}-\d{2}(?!\d)`,
].map((pattern) => new RegExp(pattern, "giu"));

const LABEL = /(?<!\p{L})(?:ИНН|INN)(?:\s*\/\s*(?:КПП|KPP))?(?!\p{L})/giu;
/** What is called an INN, as far as that is one word. */
const CALLED = /(?<!\p{L})(?:ИНН|INN)[\s:№]*([\p{L}\d]*\d[\p{L}\d]*)/giu;
const WITH_KPP = /(?<!\d)(?:\d{12}|\d{10})(?:\s?\/\s?\d{9})?(?!\d)/g;
const EXACT = /(?<!\d)(?:\d{12}|\d{10})(?!\d)/g;
/** Groups of digits with one space or dash between them. */
const GROUPED = /\d+(?:[\s\u2010-\u2015\u2212-]\d+)*/g;
/** Letters that are typed for digits, and look like them. */
const LIKE = { О: "0", O: "0", З: "3", Б: "6", В: "8", B: "8", I: "1", L: "1", S: "5" };
const WEIGHTS = [3, 7, 2, 4, 10, 3, 5, 9, 4, 6, 8];

/** Are the control digits of an INN right? */
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
 * The INNs of a text, in order, as often as they stand in it: `{inns, areRight, misses, rest}`.
 * One with wrong control digits is among them, unless it stands among words beside one that is
 * right: registries have such INNs. `areRight`: there are some, and their control digits are
 * right. `misses`: what only looks like an INN, as `{text, why, inn}`; `why` is `zero` (a
 * zero was lost), `eleven` (11 digits), `letters` (letters for digits) or `control`, and `inn` the INN that is probably
 * meant, "" where none is certain. `rest`: the text without what has digits and is something else.
 */
export function innsOf(text) {
  if (isInn(text)) return { inns: [text], areRight: isRight(text), misses: [], rest: text };
  if (digitsOf(text).length < FEWEST) return { inns: [], areRight: false, misses: [], rest: text };
  const rest = OTHERS.reduce((left, pattern) => left.replace(pattern, " "), text);
  const called = new Set([...rest.matchAll(CALLED)].map(([, word]) => word));
  const isAmongWords = hasLetters(rest.replace(LABEL, " "));
  const exact = rest.match(EXACT) ?? [];
  const right = new Set(exact.filter((inn) => called.has(inn) || isRight(inn)));
  const inns = isAmongWords && right.size ? exact.filter((inn) => right.has(inn)) : exact;
  // The numbers of telephones begin so, those of most regions do not.
  const wrong = exact.filter((inn) => isAmongWords && right.size && !right.has(inn) && !/^[3489]/.test(inn));
  if (inns.length) return { inns, areRight: inns.every(isRight), misses: wrong.map((inn) => ({ text: inn, why: "control", inn: "" })), rest };
  const grouped = (rest.match(GROUPED) ?? []).map(digitsOf).filter((inn) => isInn(inn) && (!isAmongWords || isRight(inn)));
  return { inns: grouped, areRight: grouped.length > 0 && grouped.every(isRight), misses: grouped.length ? [] : missesIn(rest, called, isAmongWords), rest };
}

/** What looks like an INN in a text that has none. */
function missesIn(text, called, isAmongWords) {
  const misses = [];
  for (const word of text.match(GROUPED) ?? []) {
    const digits = digitsOf(word);
    if (digits.length !== 9 && digits.length !== 11) continue;
    const inn = isRight(`0${digits}`) ? `0${digits}` : "";
    if (inn || called.has(word) || (!isAmongWords && !isOther(digits))) misses.push({ text: word, why: inn || digits.length === 9 ? "zero" : "eleven", inn });
  }
  const words = text.replace(LABEL, " ").match(/[\p{L}\d]+/gu) ?? [];
  const lettered = words.filter(hasLetters).length;
  for (const word of words) {
    const inn = word.toUpperCase().replace(/\D/g, (letter) => LIKE[letter] ?? letter);
    if (!isInn(inn) || inn === word || word.length - digitsOf(word).length > 3) continue;
    if (isRight(inn) || called.has(word) || lettered === 1) misses.push({ text: word, why: "letters", inn: isRight(inn) ? inn : "" });
  }
  return misses;
}

/** Is that a telephone, a KPP or a BIK, rather than an INN whose zero was lost? */
const isOther = (digits) => (digits.length === 11 ? /^[78]/ : /^0|^\d{4}(?:01|02|05|31|32|43|44|45|50)00\d$/).test(digits);

/** What stands beside `inns` in a text, without what it is numbered by; "" where that has no letter. */
export function nameBeside(text, inns) {
  const own = new Set(inns);
  const blank = (number) => (own.has(digitsOf(number)) ? " " : number);
  return tidy(text.replace(WITH_KPP, " ").replace(GROUPED, blank).replace(LABEL, " ").replace(/\(\s*\)/g, " "));
}

/** A name in one line, without what separates it from its neighbours; "" where it has no letter. */
export function tidy(text) {
  const line = text.replace(/\s+/g, " ").replace(/(?: ?[,;|])+/g, (marks) => marks.trim()[0]).slice(0, LONGEST_NAME);
  const name = line.replace(/^(?:[\s,;:.|/–—-]|№? ?\d{1,5}[.)](?= ))+/, "").replace(/[\s,;:|/–—-]+$/, "");
  return hasLetters(name) ? name : "";
}

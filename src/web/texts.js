// The languages of the page. Their texts are in a file each: the one of the language that the
// page came in is loaded before the other scripts run, another when it is chosen. What only a
// part of the page says is in a file of that part, for each language.

import { lasting } from "./storage.js";

const LANGUAGE = "language";
const tables = {};
/** The parts whose texts are loaded, as their files' names have them. */
const parts = new Set([""]);

/** Adds texts of the language `code`. The server makes the files that call this from `texts/*.json`. */
export function addTexts(code, texts) {
  tables[code] ??= { words: {}, fields: {}, texts: {} };
  for (const [table, some] of Object.entries(texts)) Object.assign(tables[code][table], some);
}

const load = (code) => Promise.all([...parts].map((part) => import(`./texts-${part}${code}.js`)));

/** Loads the texts of a part, and from now on with every language. */
export function speakOf(part) {
  parts.add(`${part}-`);
  return load(language());
}

/** The language that is spoken now: the one that the page came in, or the one chosen since. */
export const language = () => document.documentElement.lang;

export const locale = () => (language() === "ru" ? "ru-RU" : "en-GB");

/** Uses the language `code` from now on, loading its texts if need be; `chosen`: on later pages too (`early.js`). */
export async function speak(code, { chosen = false } = {}) {
  await load(code);
  if (chosen) lasting.setItem(LANGUAGE, code);
  document.documentElement.lang = code;
}

/** The text of that name, with `{name}` filled in. */
export function t(name, values = {}) {
  const text = tables[language()].texts[name] ?? name;
  return text.replace(/\{(\w+)\}/g, (whole, key) => values[key] ?? whole);
}

/** The forms of a text that depends on a number; for `plural`. */
export const forms = (name) => tables[language()].texts[name];

const worded = (table, key) => (Object.hasOwn(table, key) ? table[key] : null);

/** A field's name in words (`column.x` and `day.x`: in that place); where there are none, as the answer has it. */
export function fieldName(name) {
  const { fields } = tables[language()];
  const bare = name.replace(/^(column|day|sheet)\./, "");
  return worded(fields, name) ?? worded(fields, bare) ?? bare;
}

/** A code in words; null for none. */
export const word = (kind, code, words = tables[language()].words) => worded(words, `${kind}.${code}`);

export const lawName = (law) => word("law", law) ?? law;
/** A trouble in one line. */
export const troubleWords = ({ kind }) => `${t(`trouble.${kind}`)}. ${t(`trouble.${kind}.do`)}`;

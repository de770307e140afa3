// The page's translated strings. Each language has one file, plus one for each part of the page
// that has its own strings. The file of the initial language is loaded before the other scripts
// run, and the file of the other language when the user switches to it.

import { localStore } from "./storage.js";

const LANGUAGE = "language";
const tables = {};
/** The parts loaded so far, as prefixes of their file names. */
const parts = new Set([""]);

/**
 * Registers strings of the language `code`. Called by scripts that the server generates from
 * `texts/*.json`.
 */
export function addTexts(code, texts) {
  tables[code] ??= { words: {}, fields: {}, texts: {} };
  for (const [table, some] of Object.entries(texts)) Object.assign(tables[code][table], some);
}

const load = (code) => Promise.all([...parts].map((part) => import(`./texts-${part}${code}.js`)));

/**
 * Loads the strings of a part of the page in the current language. Switching to another language
 * also loads the part's strings in that language.
 */
export function loadTexts(part) {
  parts.add(`${part}-`);
  return load(language());
}

/** The current language code. */
export const language = () => document.documentElement.lang;

export const locale = () => (language() === "ru" ? "ru-RU" : "en-GB");

/**
 * Switches to the language `code` after loading its strings. With `chosen`, the language is
 * remembered for later visits (see `early.js`).
 */
export async function setLanguage(code, { chosen = false } = {}) {
  await load(code);
  if (chosen) localStore.setItem(LANGUAGE, code);
  document.documentElement.lang = code;
}

/** Returns a string with its `{name}` placeholders filled in. */
export function t(name, values = {}) {
  const text = tables[language()].texts[name] ?? name;
  return text.replace(/\{(\w+)\}/g, (whole, key) => values[key] ?? whole);
}

/** Returns the plural forms of a string, for `plural`. */
export const forms = (name) => tables[language()].texts[name];

const worded = (table, key) => (Object.hasOwn(table, key) ? table[key] : null);

/**
 * Returns the label of a field. Prefixes such as `column.` select a variant. Falls back to the
 * field's name.
 */
export function fieldName(name) {
  const { fields } = tables[language()];
  const bare = name.replace(/^(column|day|sheet)\./, "");
  return worded(fields, name) ?? worded(fields, bare) ?? bare;
}

/** Returns the words for a code, or `null` if there are none. */
export const word = (kind, code, words = tables[language()].words) => worded(words, `${kind}.${code}`);

export const lawName = (law) => word("law", law) ?? law;
export const errorWords = ({ kind }) => `${t(`error.${kind}`)}. ${t(`error.${kind}.do`)}`;

// The languages of the page. Their texts are in a file each: the one of the language that the
// page came in is loaded before the other scripts run, another when it is chosen.

import { CODES } from "./codes.js";
import { lasting } from "./storage.js";

const LANGUAGE = "language";
const tables = {};

/** Called by a file of texts: these are the tables of the language `code`. */
export const addLanguage = (code, { WORDS, FIELDS, TEXTS }) => (tables[code] = { WORDS, FIELDS, TEXTS });

/** The language that is spoken now: the one that the page came in, or the one chosen since. */
export const language = () => document.documentElement.lang;

export const locale = () => (language() === "ru" ? "ru-RU" : "en-GB");

/** Uses the language `code` from now on, loading its texts if need be; `chosen`: on later pages too (`early.js`). */
export async function speak(code, { chosen = false } = {}) {
  if (!tables[code]) await import(`./texts-${code}.js`);
  if (chosen) lasting.setItem(LANGUAGE, code);
  document.documentElement.lang = code;
}

/** The text of that name, with `{name}` filled in. */
export function t(name, values = {}) {
  const text = tables[language()].TEXTS[name] ?? name;
  return text.replace(/\{(\w+)\}/g, (whole, key) => values[key] ?? whole);
}

/** The forms of a text that depends on a number; for `plural`. */
export const forms = (name) => tables[language()].TEXTS[name];

const worded = (table, key) => (Object.hasOwn(table, key) ? table[key] : null);

/** A field's name in words (`column.x` and `day.x`: in that place); where there are none, as the answer has it. */
export function fieldName(name) {
  const { FIELDS } = tables[language()];
  const bare = name.replace(/^(column|day|sheet)\./, "");
  return worded(FIELDS, name) ?? worded(FIELDS, bare) ?? bare;
}

const word = (kind, code) => {
  const key = `${kind}.${code}`;
  return worded(CODES[language()], key) ?? worded(tables[language()].WORDS, key);
};

/** A contract's stage in words; one that is not known stays as it is. */
export const stageName = (stage) => (stage ? word("contractStage", stage) ?? stage : t("noStage"));
export const lawName = (law) => word("law", law) ?? law;
/** Why an entry was made: a code's words; a text stays as it is. */
export const reasonWords = (reason) => word("reason", reason) ?? reason;
/** A kind of thing, a role or a unit in words. */
export const kindName = (field, code) => word(field, code) ?? code;
/** A trouble in one line. */
export const troubleWords = ({ kind }) => `${t(`trouble.${kind}`)}. ${t(`trouble.${kind}.do`)}`;

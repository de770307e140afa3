// The languages that the page speaks. Their texts are in a file each, of which the one in
// use is loaded.

const LANGUAGE = "language";
const said = {};

/** The languages, each by its own name. */
export const LANGUAGES = { ru: "Русский", en: "English" };

/** The language that is spoken now: the one chosen in this tab, else the one that the page came in. */
export function language() {
  const chosen = sessionStorage.getItem(LANGUAGE) ?? document.documentElement.lang;
  return Object.hasOwn(LANGUAGES, chosen) ? chosen : "ru";
}

export const locale = () => (language() === "ru" ? "ru-RU" : "en-GB");

/** Loads the texts of `code` and speaks it from now on; `chosen`, as long as the tab is open. */
export async function speak(code, { chosen = false } = {}) {
  said[code] ??= await import(`./texts-${code}.js`);
  if (chosen) sessionStorage.setItem(LANGUAGE, code);
  document.documentElement.lang = code;
}

/** The text of that name, with `{name}` filled in. */
export function t(name, values = {}) {
  const text = said[language()].TEXTS[name] ?? name;
  return text.replace(/\{(\w+)\}/g, (whole, key) => values[key] ?? whole);
}

/** The forms of a text that depends on a number; for `plural`. */
export const forms = (name) => said[language()].TEXTS[name];

const worded = (table, key) => (Object.hasOwn(table, key) ? table[key] : null);

/** A field's name in words (`column.x` and `day.x`: in that place); where there are none, as the answer has it. */
export function fieldName(name) {
  const { FIELDS } = said[language()];
  const bare = name.replace(/^(column|day)\./, "");
  return worded(FIELDS, name) ?? worded(FIELDS, bare) ?? bare;
}

const word = (kind, code) => worded(said[language()].WORDS, `${kind}.${code}`);

/** A contract's stage in words; one that is not known stays as it is. */
export const stageName = (stage) => (stage ? word("stage", stage) ?? stage : t("noStage"));
export const lawName = (law) => word("law", law) ?? law;
/** Why an entry was made: a code's words, and the code; a text stays as it is. */
export const reasonWords = (reason) => withCode(word("reason", reason), reason);
/** A kind of thing, a role or a unit in words, with its code. */
export const kindName = (field, code) => withCode(word(field, code), code);
/** A trouble in one line. */
export const troubleWords = ({ kind }) => `${t(`trouble.${kind}`)}. ${t(`trouble.${kind}.do`)}`;

const withCode = (words, code) => (words ? `${words} (${code})` : code);

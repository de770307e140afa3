// The conditions of the search as a row of chips. An active chip has a cross, an inactive one opens
// a menu. Every choice is a link.

import { bounds, DAYS, PRICES, range } from "./bounds.js";
import { classesLike, classNames, classOf, isKtru } from "./classes.js";
import { getJson } from "./client.js";
import { stageName } from "./code-words.js";
import { CONDITIONS, has, isCode, isSupported, LAWS, NONE, withConditions } from "./conditions.js";
import { day, todayInMoscow } from "./days.js";
import { h, swap } from "./dom.js";
import { shortRoubles } from "./figures.js";
import { STAGES } from "./filters.js";
import { menu } from "./menu.js";
import { readable } from "./names.js";
import { regionNames, regionsLike, shownPrefixesOf } from "./regions.js";
import { FACTS, factsName } from "./risk.js";
import { requestUrl } from "./routes.js";
import { lawName, t } from "./texts.js";

const FIRST_YEAR = 2014;
const MOST_LISTED = 100;
/** Days of signing for contracts and prices, days of publication for purchases. */
const SEARCH_DAYS = { ...DAYS, stay: "days", names: ["from", "to"], labels: ["signedFrom", "signedTo"] };
const PUBLICATION_DAYS = { ...SEARCH_DAYS, labels: ["publishedFrom", "publishedTo"] };

/** Fills `place` with the chips. Resolves once the names in active conditions are loaded. */
export async function searchChips(place, conditions, signal) {
  const { region, code, customer, supplier } = conditions;
  // If names cannot be loaded, codes and INNs are shown instead.
  const orNone = (names) => names.catch(() => new Map());
  const [regions, classes, parties] = await Promise.all([
    region.length ? orNone(regionNames()) : new Map(), code.length ? orNone(classNames()) : new Map(),
    orNone(partyNames([customer, supplier].filter(Boolean), signal)),
  ]);
  if (signal.aborted) return;
  const words = chosenWords(conditions, { regions, classes, parties });
  swap(place, [
    ...words.map((chip) => chosenChip(conditions, chip)),
    ...menus(conditions),
    words.length > 1 && h("a", { class: "reset", "data-stay": "reset", href: withConditions(NONE) }, t("filter.reset")),
  ]);
}

/** Fetches the names of organisations as a map from INN to name. */
async function partyNames(inns, signal) {
  const found = await Promise.all(inns.map((q) =>
    getJson(requestUrl("/find", { q, format: "json", limit: "1" }), signal)));
  return new Map(found.map(({ hits: [hit] }, at) => [inns[at], readable(hit?.name)]));
}

/**
 * An active condition. Following the link removes it. If the current tab ignores the condition, the
 * tooltip says so.
 */
function chosenChip({ tab }, { condition, label = "", words, title = "", changes }) {
  const isIdle = !isSupported(condition, tab);
  const says = [title, isIdle && t("search.idle"), t("filter.remove")].filter(Boolean).join(". ");
  return h("a", {
    class: isIdle ? "chip chosen idle" : "chip chosen", href: withConditions(changes), title: says,
    "data-stay": `menu-${condition}`,
  },
  h("span", { class: "words" }, label && h("small", {}, `${label} `), words),
  h("span", { "aria-hidden": "true" }, " ×"), h("span", { class: "unseen" }, `, ${says}`));
}

/**
 * Describes the active conditions as `{condition, label, words, title, changes}`. `changes` removes
 * the condition from the address.
 */
function chosenWords(conditions, { regions, classes, parties }) {
  const without = (name, value) => ({ [name]: conditions[name].filter((one) => one !== value) });
  const bound = (condition, words) => {
    const [from, to] = CONDITIONS[condition];
    return has(conditions, condition) && { condition, words, changes: { [from]: "", [to]: "" } };
  };
  const single = (condition, name, words, label = "") =>
    conditions[name] && { condition, label, words, changes: { [name]: "" } };
  return [
    single("words", "q", conditions.q),
    ...conditions.code.map((code) =>
      ({ condition: "code", ...codeWords(code, classes), changes: without("code", code) })),
    ...conditions.region.map((code) => ({
      condition: "region", words: regions.get(code) ?? t("search.region.code", { code }),
      changes: without("region", code),
      title: t("search.region.means", { digits: shownPrefixesOf(code).join(", ") }),
    })),
    ...["customer", "supplier"].map((name) => conditions[name] && {
      ...single(name, name, parties.get(conditions[name]) || conditions[name], t(`search.${name}`)),
      title: `${t("inn")} ${conditions[name]}`,
    }),
    bound("days", daysWords(conditions)),
    bound("price", range(conditions.priceFrom, conditions.priceTo, shortRoubles)),
    ...conditions.stage.map((one) => ({ condition: "stage", words: stageName(one), changes: without("stage", one) })),
    ...conditions.fact.map((one) => ({ condition: "fact", words: factsName(one), changes: without("fact", one) })),
    ...conditions.law.map((one) => ({ condition: "law", words: lawName(one), changes: without("law", one) })),
    single("open", "open", t(`search.open.${conditions.open}`)),
  ].filter(Boolean);
}

/** Describes a code by the name of its class, or of the nearest class above it. */
function codeWords(code, classes) {
  const label = t(isKtru(code) ? "search.ktru" : "search.okpd2");
  const [whole, name] = classOf(classes, code) ?? [];
  if (!name) return { label, words: code };
  return {
    label, words: `${code} ${name}`, title: whole === code ? name : t("search.code.within", { code: whole, name }),
  };
}

/** Describes a range of dates; a calendar year is shortened to the year. */
export function daysWords({ from, to }) {
  const year = from.slice(0, 4);
  if (year && from === `${year}-01-01` && to === `${year}-12-31`) return year;
  if (from && to) return `${day(from)} – ${day(to)}`;
  return from ? t("search.since", { day: day(from) }) : t("search.until", { day: day(to) });
}

/** The menus of the conditions that can be added in this tab. */
function menus(conditions) {
  const { tab, stage, fact, law } = conditions;
  const rest = (all, some, wordsOf, name) =>
    all.filter((one) => !some.includes(one)).map((one) => [wordsOf(one), { [name]: [...some, one] }]);
  const open = (condition, ...content) => isSupported(condition, tab) &&
    menu(t(`search.menu.${condition}`), { kind: "chip", stay: `menu-${condition}` }, content);
  const years = Array.from({ length: Number(todayInMoscow().slice(0, 4)) - FIRST_YEAR + 1 }, (_, at) =>
    String(FIRST_YEAR + at)).reverse();
  const [codes, regions] = [codeForm(conditions), regionForm(conditions)];
  return [
    !conditions.q && onOpening(open("words", wordsForm())),
    onOpening(open("code", ...codes.content), codes.fill),
    onOpening(open("region", ...regions.content, h("p", { class: "aside" }, t("search.region.hint"))), regions.fill),
    !has(conditions, "days") && open("days",
      options(years.map((year) => [year, { from: `${year}-01-01`, to: `${year}-12-31` }])),
      bounds(conditions, tab === "purchases" ? PUBLICATION_DAYS : SEARCH_DAYS, go)),
    !has(conditions, "price") && open("price", bounds(conditions, PRICES, go)),
    stage.length < STAGES.length && open("stage", options(rest(STAGES, stage, stageName, "stage"))),
    fact.length < FACTS.length && open("fact", options(rest(FACTS, fact, factsName, "fact"))),
    law.length < LAWS.length && open("law", options(rest(LAWS, law, lawName, "law"))),
    !conditions.open && open("open",
      options(["true", "false"].map((one) => [t(`search.open.${one}`), { open: one }]))),
  ];
}

/**
 * Calls `fill` when the menu opens, and focuses the menu's field, except on devices where focusing
 * would open an on-screen keyboard.
 */
function onOpening(element, fill = () => {}) {
  const field = element.querySelector("input");
  const isTyped = matchMedia("(pointer: fine)").matches;
  element.addEventListener("toggle", () => {
    if (!element.open) return;
    fill();
    if (isTyped) field.focus();
  });
  return element;
}

const go = (changes) => (location.hash = withConditions(changes));

/** A list of choices `[words, changes]` as links. */
const options = (choices) =>
  // Firefox puts scrollable elements into the tab order unless they have a tabindex.
  h("ul", { class: "options", tabindex: "-1" }, choices.map(([words, changes]) =>
    h("li", {}, h("a", { href: withConditions(changes) }, h("span", {}, words)))));

/** A form with one field. `take(text, field)` is called when the form is submitted. */
function oneField(name, take, on = {}) {
  const field = h("input", { name, autocomplete: "off", spellcheck: "false", maxlength: "200", on });
  const submit = (event) => (event.preventDefault(), take(field.value.trim(), field));
  const form = h("form", { class: "bounds one", on: { submit } },
    h("label", { class: "field" }, h("span", {}, t(`search.${name}.label`)), field),
    h("button", { type: "submit" }, t("filter.apply")));
  return { field, form };
}

const wordsForm = () => oneField("words", (q, field) => (q ? go({ q }) : field.focus())).form;

/**
 * A field that filters a list of choices. `choicesLike(text)` returns the choices as `[words,
 * changes]`. Enter takes the first choice, unless `changesOf(text)` accepts the text itself.
 * Returns `{content, fill}`; `fill` lists the choices for the current text.
 */
function choosing(name, choicesLike, changesOf) {
  const list = h("div");
  const status = h("p", { class: "aside", role: "status" });
  const fill = async () => {
    const text = field.value.trim();
    if (!list.firstChild) list.append(h("p", { class: "loading" }, t("loading")));
    const choices = await choicesLike(text).catch(() => []);
    if (text !== field.value.trim()) return;
    list.replaceChildren(options(choices));
    status.textContent = choices.length ? "" : t(`search.${name}.none`);
  };
  const take = async (text) => {
    const changes = changesOf(text) ?? (text && (await choicesLike(text).catch(() => []))[0]?.[1]);
    if (changes) go(changes);
    else status.textContent = t(`search.${name}.none`);
  };
  const { field, form } = oneField(name, take, { input: fill });
  return { content: [form, status, list], fill };
}

const codeForm = ({ code }) => choosing(
  "code",
  async (text) => classesLike(await classNames(), text, MOST_LISTED)
    .filter(([one]) => !code.includes(one)).map(([one, name]) => [`${one} ${name}`, { code: [...code, one] }]),
  (text) => (isCode(text) ? { code: [...code, text] } : null),
);

const regionForm = ({ region }) => choosing(
  "region",
  async (text) => (await regionsLike(text)).filter(([code]) => !region.includes(code))
    .sort(([, one], [, other]) => one.localeCompare(other))
    .map(([code, name]) => [name, { region: [...region, code] }]),
  (text) => (/^\d\d$/.test(text) ? { region: [...region, text] } : null),
);

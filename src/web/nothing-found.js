// The panel for a search without results: the conditions, and for each condition, how many results
// there would be without it.

import { range } from "./bounds.js";
import { getJson, RequestError } from "./client.js";
import { stageName } from "./code-words.js";
import { chosen, CONDITIONS, conditionsOf, isEnough, searchUrl, withConditions } from "./conditions.js";
import { announce, h, swap } from "./dom.js";
import { plural, shortRoubles } from "./figures.js";
import { regionNames } from "./regions.js";
import { factsName } from "./risk.js";
import { hashOf, readHash } from "./routes.js";
import { daysWords } from "./search-chips.js";
import { forms, lawName, t } from "./texts.js";

/** If a query has more words than this, the panel does not suggest leaving out one of them. */
const MOST_WORDS = 6;

const quoted = (word) => t("search.quoted", { word });
const listed = (words) => words.join(", ");

/** Fills `section` with the panel for a search with these conditions. */
export async function nothingFound(section, conditions, signal) {
  const names = conditions.region.length ? await regionNames().catch(() => new Map()) : new Map();
  const ways = relaxations(conditions);
  const found = await Promise.all(ways.map((way) => countOf(way, conditions, signal)));
  signal.throwIfAborted();
  const some = ways.map((way, at) => ({ ...way, found: found[at] })).filter(({ found }) => found > 0);
  const none = ways.filter((_, at) => found[at] === 0);
  const { tab, q } = conditions;
  const title = t(`search.none.${tab}.title`);
  announce(title);
  swap(section, h("div", { class: "panel empty-search" },
    h("h2", {}, title),
    h("p", {}, t(`search.sought.${tab}`, { conditions: soughtWords(conditions, names) })),
    some.length > 0 && h("div", { class: "ways" },
      h("h3", {}, t("search.loosen")),
      h("ul", { class: "loosen" }, some.map(({ words, changes, found: number }) =>
        h("li", {}, h("a", { href: withConditions(changes) },
          h("span", {}, words), h("b", {}, plural(number, forms(`search.count.${tab}`)))))))),
    some.length === 0 && h("p", {}, t("search.none.otherWords")),
    some.length > 0 && none.length > 0 &&
      h("p", { class: "aside" }, t("search.loosen.none", { ways: listed(none.map(({ words }) => words)) })),
    q && h("p", {}, h("a", { href: hashOf("find", q) }, t("search.asName", { q }))),
    h("p", { class: "aside" }, t("find.none.data"))));
}

/** Lists the conditions in words, to follow "contracts", "purchases" or "prices". */
export function soughtWords(conditions, regions) {
  const { tab, q, code, region, customer, supplier, priceFrom, priceTo, stage, fact, law, open } = conditions;
  const ofItems = tab === "prices" ? ".prices" : "";
  const words = {
    words: () => t(`search.sought.words${ofItems}`, { words: listed(q.split(" ").map(quoted)) }),
    code: () => t("search.sought.code", { codes: listed(code) }),
    region: () => t("search.sought.region", { regions: listed(region.map((one) => regions.get(one) ?? one)) }),
    customer: () => t("search.sought.customer", { inn: customer }),
    supplier: () => t("search.sought.supplier", { inn: supplier }),
    days: () => t(`search.sought.days.${conditions.tab}`, { days: daysWords(conditions) }),
    price: () => t("search.sought.price", { price: range(priceFrom, priceTo, shortRoubles) }),
    stage: () => t("search.sought.stage", { stages: listed(stage.map(stageName)) }),
    fact: () => t("search.sought.fact", { facts: listed(fact.map(factsName)) }),
    law: () => t("search.sought.law", { laws: listed(law.map(lawName)) }),
    open: () => t(`search.open.${open}`),
  };
  return listed(chosen(conditions).map((condition) => words[condition]()));
}

/**
 * Returns the ways to relax the search, as `{words, changes}`: without one condition, or without
 * one word.
 */
function relaxations(conditions) {
  const words = conditions.q.split(" ").filter(Boolean);
  const ofWord = (word, at) => ({
    words: t("search.without.word", { word: quoted(word) }),
    changes: { q: words.filter((_, other) => other !== at).join(" ") },
  });
  const ofCondition = (condition) => ({
    words: t(`search.without.${condition}`),
    changes: Object.fromEntries(CONDITIONS[condition].map((name) => [name, ""])),
  });
  return [
    ...chosen(conditions).filter((condition) => condition !== "words").map(ofCondition).reverse(),
    ...(words.length > 1 && words.length <= MOST_WORDS ? words.map(ofWord) : []),
  ];
}

/**
 * Counts the results of the search with these changes. Returns `null` if the remaining conditions
 * do not suffice, or if the request fails.
 */
async function countOf({ changes }, { tab }, signal) {
  const conditions = conditionsOf(readHash(withConditions(changes)).params);
  if (!isEnough(conditions)) return null;
  try {
    const { totalcount } = await getJson(searchUrl(tab, conditions, "json", { limit: "0" }), signal);
    return Number(totalcount);
  } catch (error) {
    if (error instanceof RequestError) return null;
    throw error;
  }
}

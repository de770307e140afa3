// The filters of contracts as a row of chips. An active filter has a cross, an inactive one opens a
// menu. Every choice is a link, so the address always holds the filters.

import { bounds, DAYS, PRICES, range } from "./bounds.js";
import { stageName } from "./code-words.js";
import { day } from "./days.js";
import { h } from "./dom.js";
import { toggledFact } from "./facts-card.js";
import { count, shortRoubles } from "./figures.js";
import { isFiltered, NONE, STAGES, withFilters } from "./filters.js";
import { menu } from "./menu.js";
import { readable } from "./names.js";
import { filterOf, partyMenu } from "./parties.js";
import { factsName } from "./risk.js";
import { t } from "./texts.js";

/**
 * Returns the filter chips for the contracts of `owner`. The menus offer `years` and `stages` (as
 * `[value, words, count]`), the risk facts in `facts`, and the other parties in the totals
 * `parties`. `chosen` is the name of the party in the current filter, if there is one.
 */
export function chips(owner, filters, { years, stages, parties, chosen: name, facts }) {
  const to = (changes) => withFilters(owner, { page: "", ...changes });
  const chosen = (stay, words, changes) => chip(stay, words, to(changes));
  const options = (name, stay, values) =>
    // Firefox puts scrollable elements into the tab order unless they have a tabindex.
    h("ul", { class: "options", tabindex: "-1" }, values.map(([value, words, number]) =>
      h("li", {}, h("a", { href: to(name(value)), "data-stay": stay(value) },
        h("span", {}, words), number && h("span", { class: "aside" }, count(number))))));
  const chosenStages = filters.stage.split(",").filter(Boolean);
  const withStages = (some) => ({ stage: STAGES.filter((stage) => some.includes(stage)).join(",") });
  const stageMenu = menu(t("filter.stage"), { kind: "chip", stay: "stage" },
    options((stage) => withStages([...chosenStages, stage]), (stage) => `stage-${stage}`,
      stages.filter(([stage]) => !chosenStages.includes(stage))));
  const days = filters.signedFrom || filters.signedTo;
  const when = days || filters.year
    ? chosen("year", days ? range(filters.signedFrom, filters.signedTo, day) : filters.year,
      { year: "", signedFrom: "", signedTo: "" })
    : menu(t("filter.year"), { kind: "chip", stay: "year" }, options((year) => ({ year }), () => "year", years),
      bounds(filters, DAYS, (values) => (location.hash = to({ ...values, year: "" }))));
  const party = filterOf(owner);
  const who = filters[party]
    ? chosen(party, readable(name) || filters[party], { [party]: "" })
    : partyMenu(owner, filters, parties);
  const chosenFacts = filters.fact.split(",").filter(Boolean);
  const absent = facts.filter(({ fact }) => !chosenFacts.includes(fact));
  const factMenu = menu(t("facts.title"), { kind: "chip", stay: "fact" },
    h("ul", { class: "options", tabindex: "-1" }, absent.map(({ fact, count: number }) =>
      h("li", {}, h("a", { href: toggledFact(owner, filters, fact), "data-stay": `fact-of-${fact}` },
        h("span", {}, factsName(fact)), h("span", { class: "aside" }, count(number)))))));
  const price = filters.priceFrom || filters.priceTo
    ? chosen("price", range(filters.priceFrom, filters.priceTo, shortRoubles), { priceFrom: "", priceTo: "" })
    : menu(t("filter.price"), { kind: "chip", stay: "price" },
      bounds(filters, PRICES, (values) => (location.hash = to(values))));
  return [
    when,
    chosenStages.map((stage) =>
      chosen(`stage-${stage}`, stageName(stage), withStages(chosenStages.filter((one) => one !== stage)))),
    chosenStages.length < stages.length && stageMenu,
    who,
    price,
    chosenFacts.map((fact) =>
      chip(`fact-of-${fact}`, factsName(fact), toggledFact(owner, filters, fact))),
    absent.length > 0 && factMenu,
    isFiltered(filters) &&
      h("a", { class: "reset", "data-stay": "reset", href: to(NONE) }, t("filter.reset")),
  ];
}

/** Renders an active filter. Following its link removes the filter. */
const chip = (stay, words, href) =>
  h("a", { class: "chip chosen", href, "data-stay": stay, title: t("filter.remove") },
    h("span", { class: "words" }, words), h("span", { "aria-hidden": "true" }, " ×"),
    h("span", { class: "unseen" }, `, ${t("filter.remove")}`));

// The card of risk facts among a supplier's or a customer's contracts: the number and value of
// contracts with each fact. Each fact filters the list. The facts overlap, so they are never added
// up.

import { day } from "./days.js";
import { h } from "./dom.js";
import { count, percent, roubles, briefRoubles, shareOf } from "./figures.js";
import { withFilters } from "./filters.js";
import { isLong } from "./record.js";
import { FACTS, factsName } from "./risk.js";
import { lawName, t } from "./texts.js";

const capitalized = (text) => text[0].toUpperCase() + text.slice(1);

/** Returns the address with this fact added to the filters, or removed if it is already set. */
export function toggledFact(owner, filters, fact, changes = {}) {
  const chosen = filters.fact.split(",").filter(Boolean);
  const then = FACTS.filter((one) => (one === fact ? !chosen.includes(one) : chosen.includes(one)));
  return withFilters(owner, { page: "", ...changes, fact: then.join(",") });
}

/** Renders the facts in `sums`, which must not be filtered by a fact. */
export function factsCard(owner, filters, { facts = [], totalSum, registries = [] }) {
  const found = new Map(facts.map((one) => [one.fact, one]));
  const chosen = filters.fact.split(",");
  const row = ({ fact, count: many, sum }) => {
    const share = shareOf(sum, totalSum);
    const isChosen = chosen.includes(fact);
    return h("tr", {},
      h("th", { scope: "row" }, h("a", {
        href: toggledFact(owner, filters, fact, { tab: "" }), "data-stay": `fact-${fact}`,
        "aria-current": isChosen && "true", title: t(isChosen ? "chart.all" : "chart.only"),
      }, capitalized(factsName(fact)))),
      h("td", { class: "number" }, h("strong", {}, count(many))),
      h("td", { class: isLong(briefRoubles(sum)) ? "number long" : "number", title: roubles(sum) }, briefRoubles(sum)),
      h("td", { class: "number share" }, share === null ? "—" : percent(share)));
  };
  const there = FACTS.filter((fact) => found.has(fact));
  const absent = FACTS.filter((fact) => !found.has(fact)).map(factsName).join(", ");
  const head = ["fact", "count", "sum", "share"].map((name, at) =>
    h("th", { scope: "col", class: at > 0 && `number ${name}` }, t(`facts.column.${name}`)));
  return h("section", { class: "chart risks", "aria-labelledby": "facts-title" },
    h("h2", { id: "facts-title" }, t("facts.title")),
    there.length > 0 && h("table", {}, h("caption", { class: "unseen" }, t("facts.title")),
      h("thead", {}, h("tr", {}, head)), h("tbody", {}, there.map((fact) => row(found.get(fact))))),
    h("p", { class: "note" }, [
      absent && t(there.length ? "facts.absent" : "facts.noneOfThem", { facts: absent }),
      there.length > 1 && t("facts.overlap"),
      ...completenessOf(registries),
    ].filter(Boolean).join(" ")));
}

/**
 * Remarks on how complete the registries are. If a registry has gaps, more contracts may have been
 * signed while the supplier was listed.
 */
function completenessOf(registries) {
  const asked = registries.filter(({ state }) => state);
  const lacking = asked.filter(({ state }) => state !== "complete").map(({ federalLaw }) => lawName(federalLaw));
  const since = asked.map(({ completeSince }) => completeSince ?? "").sort().at(-1);
  return [
    lacking.length > 0 && t("facts.lacking", { laws: lacking.join(", ") }),
    since && t("facts.since", { day: day(since) }),
  ];
}

// The summary of contracts: shares of the other parties, sums by year, risk facts.

import { columns } from "./charts.js";
import { h } from "./dom.js";
import { count, plural, roubles, briefRoubles, total } from "./figures.js";
import { factsCard } from "./facts-card.js";
import { withFilters } from "./filters.js";
import { partiesCount, partiesName, sharesCard } from "./parties.js";
import { forms, t } from "./texts.js";

/** The stage of annulled contracts, which are excluded from sums. */
const ANNULLED = "IN";

/**
 * Returns the count and the sum of contracts. The sum excludes annulled contracts unless `annulled`
 * is set.
 */
export const sumsOf = ({ totalcount, stages = [] }, { annulled = false } = {}) => ({
  count: totalcount,
  sum: total(stages.filter(({ contractStage }) => annulled || contractStage !== ANNULLED).map(({ sum }) => sum)),
});

const ofStage = ({ stages = [] }, stage) => stages.find(({ contractStage }) => contractStage === stage);

/** The filters that each card ignores, so that it shows every value by which it can filter. */
const LEFT_OUT = {
  years: { year: "", signedFrom: "", signedTo: "" },
  parties: { customer: "", supplier: "" },
  facts: { fact: "" },
};

/**
 * The filters of each request: one for `all` contracts, one for those `found`, and one per card.
 */
export const sumFilters = (filters, none) => ({
  all: none,
  found: filters,
  ...Object.fromEntries(Object.entries(LEFT_OUT).map(([name, some]) => [name, { ...filters, ...some }])),
});

/** Renders the three cards from the responses to `sumFilters`. */
export function overviewCards(owner, filters, { years, parties, facts }) {
  const byYear = (years.years ?? []).map((row) => ({
    ...row, label: row.year || t("noDate"), stay: `year-${row.year}`,
    href: row.year && withFilters(owner, {
      page: "", tab: "", year: filters.year === row.year ? "" : row.year, signedFrom: "", signedTo: "",
    }),
    current: Boolean(row.year) && row.year === filters.year,
  }));
  return h("div", { class: "overview" },
    sharesCard(owner, filters, parties),
    columns(t("chart.years"), byYear.reverse()),
    factsCard(owner, filters, facts));
}

/** The figures below the heading: value, contracts, other parties, years. */
export function identity(owner, all) {
  if (!Number(all.totalcount)) return [h("span", {}, t("identity.none"))];
  const { sum } = sumsOf(all);
  const years = (all.years ?? []).map(({ year }) => year).filter(Boolean).sort();
  const [first, last] = [years[0], years.at(-1)];
  const number = (many, name) => {
    const words = plural(many, forms(name)).split(count(many));
    return h("span", {}, words[0], h("strong", {}, count(many)), words[1] ?? "");
  };
  return [
    h("span", { title: roubles(sum) }, h("strong", {}, briefRoubles(sum))),
    number(all.totalcount, "identity.contracts"),
    number(partiesCount(owner, all), `identity.${partiesName(owner)}`),
    first && h("span", {}, first === last ? first : `${first}–${last}`),
  ].filter(Boolean);
}

/** Remarks on the figures: annulled contracts, contracts in execution, contracts without a price. */
export function remarks(all) {
  const [annulled, running] = [ofStage(all, ANNULLED), ofStage(all, "E")];
  const late = Number(all.facts?.find(({ fact }) => fact === "overdue")?.count ?? 0);
  const priceless = Number(all.pricelessCount);
  const execution = running && plural(running.count, forms("overview.running"));
  return [
    annulled && plural(annulled.count, forms("overview.annulled")).replace("{sum}", briefRoubles(annulled.sum)),
    execution && (late > 0 ? `${execution}, ${plural(late, forms("overview.late"))}` : execution),
    priceless > 0 && plural(priceless, forms("overview.priceless")),
  ].filter(Boolean).map((words) => `${words[0].toUpperCase()}${words.slice(1)}.`).join(" ");
}

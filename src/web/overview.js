// A supplier's contracts in figures: what they come to, by year, and with whom.

import { bars, columns, figure } from "./charts.js";
import { h } from "./dom.js";
import { count, plural, roubles, roughly, total } from "./figures.js";
import { isCustomer, withFilters } from "./filters.js";
import { nameElement } from "./names.js";
import { forms, t } from "./texts.js";

/** The stage of a record that was annulled: its contract counts for nothing. */
const ANNULLED = "IN";
/** How many customers stand in the chart; the filter has all of them. */
const CUSTOMERS = 5;

/** How many contracts an answer is about and their sum: without those annulled, unless these are asked for. */
export const sumsOf = ({ totalcount, stages = [] }, { annulled = false } = {}) => ({
  count: totalcount,
  sum: total(stages.filter(({ contractStage }) => annulled || contractStage !== ANNULLED).map(({ sum }) => sum)),
});

/** The row of a stage in the sums; nothing for none. */
const ofStage = ({ stages = [] }, stage) => stages.find(({ contractStage }) => contractStage === stage);

/**
 * Three cards: `all` has the sums of all contracts, `years` and `customers` those of what
 * matches the filters, save the one that the chart itself sets; `overdue` those past their end.
 */
export function overviewCards(whose, filters, { all, years, customers, overdue }) {
  const toggled = (changes) => withFilters(whose, { page: "", tab: "", ...changes });
  const byYear = (years.years ?? []).map((row) => ({
    ...row, label: row.year || t("noDate"), stay: `year-${row.year}`,
    href: row.year && toggled({ year: filters.year === row.year ? "" : row.year, signedFrom: "", signedTo: "" }),
    current: Boolean(row.year) && row.year === filters.year,
  }));
  const byCustomer = (customers.customers ?? []).slice(0, CUSTOMERS).map((row) => ({
    ...row, label: nameElement(row.customerName || t("noName"), { class: "name" }), stay: `customer-${row.customerInn}`,
    href: isCustomer(row.customerInn) &&
      toggled({ customer: filters.customer === row.customerInn ? "" : row.customerInn }),
    current: Boolean(row.customerInn) && row.customerInn === filters.customer,
  }));
  return h("div", { class: "overview" },
    totals(whose, filters, all, overdue, toggled),
    columns(t("chart.years"), byYear.reverse()),
    bars(t("chart.customers"), byCustomer));
}

function totals(whose, filters, all, overdue, toggled) {
  const { sum } = sumsOf(all);
  const rough = roughly(sum);
  const [value, ...unit] = rough.split("\u202f");
  const [annulled, running] = [ofStage(all, ANNULLED), ofStage(all, "E")];
  const late = Number(overdue.totalcount);
  const priceless = Number(all.pricelessCount);
  return h("section", { class: "chart totals", "aria-label": t("overview.title") },
    h("h3", {}, t("overview.all")),
    figure(value, unit.join("\u202f"), { title: roubles(sum) }),
    h("p", { class: "aside exact" }, roubles(sum)),
    annulled && h("p", { class: "aside" },
      plural(annulled.count, forms("overview.annulled")).replace("{sum}", roughly(annulled.sum))),
    priceless > 0 && h("p", { class: "aside" }, plural(priceless, forms("overview.priceless"))),
    running && figure(count(running.count), plural(running.count, forms("overview.running"))),
    late > 0 && h("p", { class: "aside" },
      h("a", { href: toggled({ overdue: filters.overdue ? "" : "true" }), "data-stay": "overdue-count" },
        plural(late, forms("overview.late")))));
}

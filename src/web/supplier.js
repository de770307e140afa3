// A supplier: who it is, what the registry of unfair suppliers says, its contracts in sum.

import { getJson, Trouble } from "./client.js";
import { downloadBar } from "./downloads.js";
import { bars } from "./bars.js";
import { contractsSection } from "./contracts.js";
import { withObtained } from "./coverage.js";
import { day } from "./days.js";
import { announce, h, icon, swap } from "./dom.js";
import { count, plural, roubles } from "./figures.js";
import { filtersOf, isCustomer, summaryUrl, withFilters } from "./filters.js";
import { facts, take } from "./record.js";
import { requestUrl } from "./routes.js";
import { shownVerdict, standingWords } from "./registries.js";
import { lawName, reasonWords, t, forms, stageName } from "./texts.js";
import { troublePanel } from "./trouble.js";

/**
 * Puts the view of a supplier into `main`. Gives `{update, heading}`: `update` takes other
 * parameters of the same supplier, and requests again only what they change.
 */
export function supplierView(main, { subject: inn, params }, shell) {
  const heading = h("h1", { tabindex: "-1" }, t("supplier.title", { inn }));
  const meta = h("p", { class: "meta" }, h("span", {}, t("inn"), " ", h("span", { class: "code" }, inn)));
  const rnp = h("section", { class: "verdict-place", "aria-label": t("rnp.title"), "aria-busy": "true" }, h("p", { class: "loading" }, t("loading")));
  const overview = h("section", { class: "overview", "aria-label": t("overview.title") });
  const contracts = h("section", { class: "contracts", "aria-labelledby": "contracts-title" });
  main.replaceChildren(h("header", { class: "view-head" }, h("p", { class: "eyebrow" }, t("supplier.eyebrow")), heading, meta), rnp, overview, contracts);
  const named = (name) => {
    if (!name || name === heading.textContent) return;
    heading.textContent = name;
    shell.title(`${name} · ${inn}`);
  };
  const stop = { current: new AbortController(), rnp: new AbortController() };
  const again = () => shell.again();
  const fail = (section, trouble) => {
    if (trouble.name === "AbortError") return;
    if (!(trouble instanceof Trouble)) throw trouble;
    if (trouble.kind === "key") main.replaceChildren(troublePanel(trouble, again));
    else swap(section, troublePanel(trouble, again, trouble.kind === "wrong" ? "" : undefined));
    for (const one of [section, overview, contracts]) one.removeAttribute("aria-busy");
  };

  let checked;
  const check = async (asOf) => {
    if (asOf === checked) return;
    checked = asOf;
    stop.rnp.abort();
    stop.rnp = new AbortController();
    const { signal } = stop.rnp;
    rnp.setAttribute("aria-busy", "true");
    try {
      const url = (format) => requestUrl("/rnp/check-suppliers", { supplierINN: inn, format, history: "1", asOf });
      const answer = await getJson(url("json"), signal);
      const supplier = answer.suppliers?.[0] ?? { verdict: "unknown", entries: [] };
      named(supplier.supplierName);
      const registries = await withObtained(answer.registries);
      if (signal.aborted) return;
      const verdict = shownVerdict(supplier.verdict, registries, asOf);
      const from = standingWords(registries, asOf);
      swap(rnp, verdictCard(inn, { ...supplier, verdict, from }, asOf, (format) => [url(format)]));
      rnp.removeAttribute("aria-busy");
      announce(`${inn}: ${verdictWords(verdict, asOf)}`);
    } catch (trouble) {
      fail(rnp, trouble);
    }
  };

  const list = contractsSection(contracts, inn, { named, fail: (trouble) => fail(contracts, trouble) });
  const update = async (params) => {
    const filters = filtersOf(params);
    stop.current.abort();
    stop.current = new AbortController();
    const { signal } = stop.current;
    check(filters.asOf);
    for (const section of [overview, contracts]) section.setAttribute("aria-busy", "true");
    try {
      const kinds = [{ ...filters, year: "" }, { ...filters, stage: "" }, filters, {}];
      const [years, stages, found, all] = await getEach(kinds.map((some) => summaryUrl(inn, some, "json")), signal);
      named(all.supplierIName);
      swap(overview, Number(all.totalcount) ? summary(inn, filters, { years, stages, found, all }) : null);
      await list.show(filters, { found, all }, signal);
      for (const section of [overview, contracts]) section.removeAttribute("aria-busy");
    } catch (trouble) {
      fail(overview, trouble);
    }
  };
  update(params);
  return { heading, update, stop: () => Object.values(stop).forEach((one) => one.abort()) };
}

/** The responses from `urls`, each fetched once however often it is among them. */
async function getEach(urls, signal) {
  const different = [...new Set(urls)];
  const answers = await Promise.all(different.map((url) => getJson(url, signal)));
  return urls.map((url) => answers[different.indexOf(url)]);
}

/** A verdict in words: of the chosen day, or of now. */
function verdictWords(verdict, asOf) {
  const words = t(`verdict.${verdict}`);
  if (!asOf) return words;
  if (verdict === "previously-listed") return t("verdict.previously-listed.then", { day: day(asOf) });
  return t("verdict.then", { day: day(asOf), words: words[0].toLowerCase() + words.slice(1) });
}

/** The verdicts that say nothing of the registries. */
const APART = new Set(["listed", "no-registry", "unknown", "invalid"]);

/** The verdict in words, from which registries, its entries, and the day that it is of. */
function verdictCard(inn, supplier, asOf, urls) {
  const { verdict } = supplier;
  const entries = supplier.entries ?? [];
  const earlier = supplier.previousEntries ?? [];
  const said = h("p", { class: "said", id: "as-of-said", role: "alert", hidden: true });
  // While a year is being typed it is first 0002, then 0020: an error shows only once it is left so.
  const judge = (event) => {
    const { currentTarget: field, type } = event;
    const { valid } = field.validity;
    if (valid || type !== "change" || field.value >= "1000") {
      said.textContent = valid ? "" : t("rnp.badDay", { shown: asOf ? t("rnp.on", { day: day(asOf) }) : t("rnp.isToday") });
      said.hidden = valid;
      if (valid) field.removeAttribute("aria-invalid");
      else field.setAttribute("aria-invalid", "true");
    }
    if (valid && type === "change" && field.value !== asOf) location.hash = withFilters(inn, { asOf: field.value });
  };
  return [
    h("div", { class: `verdict ${verdict}` },
      icon(verdict, "large"),
      h("div", { class: "words" },
        h("h2", {}, verdictWords(verdict, asOf)),
        h("p", {}, t(asOf && verdict === "not-listed" ? "verdict.not-listed.meansThen" : `verdict.${verdict}.means`)),
        !APART.has(verdict) && h("p", { class: "aside" }, supplier.from),
      ),
      h("div", { class: asOf ? "as-of" : "as-of today" },
        h("label", { for: "as-of" }, t("rnp.asOf")),
        h("input", { type: "date", id: "as-of", value: asOf, min: "2000-01-01", max: "2100-12-31", "data-stay": "as-of", "aria-describedby": "as-of-said", on: { change: judge, blur: judge, keydown: (event) => event.key === "Enter" && judge(event) } }),
        said,
        h("p", { class: "aside" }, asOf ? h("a", { "data-stay": "as-of", href: withFilters(inn, { asOf: "" }) }, t("rnp.today")) : t("rnp.isToday")),
      ),
    ),
    entryList(t("rnp.entries"), entries, true),
    entryList(t("rnp.previous"), earlier, entries.length === 0),
    downloadBar({ name: `rnp-${inn}${asOf ? `-${asOf}` : ""}`, urls }),
  ];
}

function entryList(title, entries, open) {
  if (!entries.length) return null;
  return h("details", { class: "entries", open },
    h("summary", {}, title, " ", h("span", { class: "badge" }, count(entries.length))),
    h("ol", {}, entries.map((entry) => h("li", { class: "entry" }, entryCard({ ...entry })))),
  );
}

function entryCard(entry) {
  const [number, from, until] = ["registrationNumber", "registrationDate", "excludeDate"].map((name) => take(entry, name));
  const reason = take(entry, "reason");
  const law = take(entry, "federalLaw");
  const [name, inn] = [take(entry, "customerName"), take(entry, "customerINN")];
  return [
    h("h3", {}, h("span", { class: "code" }, number), law && h("span", { class: "badge" }, lawName(law))),
    h("p", { class: "span" }, t("rnp.from", { day: day(from) }), " ", until ? t("rnp.until", { day: day(until) }) : t("rnp.noEnd")),
    reason && h("p", { class: "prose" }, reasonWords(reason)),
    (name || inn) && h("p", { class: "aside prose" }, t("rnp.customer"), " ", name, inn && [" · ", t("inn"), "\u00a0", h("span", { class: "code" }, inn)]),
    facts(entry, ["contractNumber"]),
  ];
}

/** Totals and charts of what matches; each chart shows its own kind of filter in whole. */
function summary(inn, filters, { years, stages, found, all }) {
  const filtered = Boolean(filters.year || filters.stage || filters.customer);
  const toggled = (name, value) => withFilters(inn, { [name]: filters[name] === value ? "" : value, page: "" });
  const urls = (format) => [summaryUrl(inn, filters, format)];
  return [
    h("h2", {}, t("overview.title"), filtered && h("span", { class: "badge" }, t("overview.filtered"))),
    h("dl", { class: "tiles" },
      tile(t("overview.count"), count(found.totalcount), filtered && t("overview.of", { n: count(all.totalcount) })),
      tile(t("overview.sum"), roubles(found.totalSum), Number(found.pricelessCount) > 0 && plural(found.pricelessCount, forms("overview.priceless"))),
      tile(t("overview.customers"), count(found.customersCount)),
    ),
    h("div", { class: "charts" },
      bars({
        title: t("chart.years"), head: t("chart.year"),
        rows: (years.years ?? []).map((row) => ({
          ...row, label: row.year || t("chart.noYear"), stay: `year-${row.year}`,
          href: row.year && toggled("year", row.year), current: row.year === filters.year && Boolean(filters.year),
        })),
      }),
      bars({
        title: t("chart.stages"), head: t("chart.stage"),
        rows: (stages.stages ?? []).map((row) => ({
          ...row, label: stageName(row.contractStage), stay: `stage-${row.contractStage}`,
          href: row.contractStage && toggled("stage", row.contractStage), current: filters.stage.split(",").includes(row.contractStage),
        })),
      }),
      bars({
        title: t("chart.customers"), head: t("chart.customer"), wide: true,
        rows: (found.customers ?? []).map((row) => ({
          ...row, label: row.customerName || t("noName"), stay: `customer-${row.customerInn}`, note: row.customerInn && `${t("inn")} ${row.customerInn}`,
          href: isCustomer(row.customerInn) && toggled("customer", row.customerInn), current: row.customerInn === filters.customer && Boolean(filters.customer),
        })),
      }),
    ),
    downloadBar({ name: `summary-${inn}`, urls }),
  ];
}

const tile = (label, value, note) =>
  h("div", {}, h("dt", {}, label), h("dd", {}, h("span", { class: "figure" }, value), note && h("span", { class: "aside" }, note)));

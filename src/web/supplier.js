// A supplier: who it is, what the registry of unfair suppliers says, its contracts in sum.

import { getJson, Trouble } from "./client.js";
import { downloadBar } from "./downloads.js";
import { bars } from "./bars.js";
import { contractsSection, LOOKED, standsAt } from "./contracts.js";
import { missingDocuments } from "./coverage.js";
import { announce, focusHeading, h, swap } from "./dom.js";
import { count, plural, roubles } from "./figures.js";
import { filtersOf, isCustomer, isFiltered, NONE, pageUrl, summaryUrl, withFilters } from "./filters.js";
import { keepOpen, placeNow } from "./place.js";
import { hashOf } from "./routes.js";
import { t, forms, stageName } from "./texts.js";
import { troublePanel } from "./trouble.js";
import { checkOf, refreshEvidence, verdictCard, verdictUrl, verdictWords } from "./verdict.js";

/**
 * Puts the view of a supplier into `main`. Gives `{update, heading}`: `update` takes other
 * parameters of the same supplier, and requests again only what they change.
 */
export function supplierView(main, { subject: inn, params }, shell) {
  const whose = { view: "supplier", inn };
  const heading = h("h1", { tabindex: "-1", lang: "ru" }, t("supplier.title", { inn }));
  const toContracts = () => {
    focusHeading(contracts);
    contracts.scrollIntoView();
  };
  const jump = h("button", { type: "button", class: "jump", hidden: true, on: { click: toContracts } });
  const meta = h("p", { class: "meta" }, h("span", {}, t("inn"), " ", h("span", { class: "code" }, inn)), jump);
  const rnp = h("section", { class: "verdict-place", "aria-label": t("rnp.title"), "aria-busy": "true" }, h("p", { class: "loading" }, t("loading")));
  const overview = h("section", { class: "overview", "aria-label": t("overview.title") });
  const contracts = h("section", { class: "contracts", "aria-labelledby": "contracts-title" });
  main.replaceChildren(h("header", { class: "view-head" }, h("p", { class: "eyebrow" }, t("supplier.eyebrow")), heading, meta), rnp, overview, contracts);
  const named = (name) => {
    if (!name || name === heading.textContent) return;
    heading.textContent = name;
    shell.title(`${name} · ${inn}`);
  };
  const fail = (section, trouble) => {
    if (trouble.name === "AbortError") return;
    if (!(trouble instanceof Trouble)) throw trouble;
    const panel = troublePanel(trouble, () => shell.again(), trouble.kind === "wrong" ? "" : undefined);
    if (trouble.kind === "key") main.replaceChildren(panel);
    else swap(section, panel);
    for (const one of [section, overview, contracts]) one.removeAttribute("aria-busy");
  };
  const verdict = verdictPart(rnp, whose, { named, fail });
  const list = contractsPart({ jump, overview, contracts }, whose, { named, fail });
  const update = (now) => list.update(now, verdict.update(filtersOf(now).asOf));
  update(params);
  return { heading, update, stop: () => [verdict, list].forEach((part) => part.stop()) };
}

/** The verdict in `section`: `update` requests it where it is to be as of another day. */
function verdictPart(section, whose, { named, fail }) {
  const { inn } = whose;
  let stop = new AbortController();
  let checked;
  const update = async (asOf) => {
    refreshEvidence(section, whose);
    if (asOf === checked) return;
    checked = asOf;
    stop.abort();
    stop = new AbortController();
    const { signal } = stop;
    section.setAttribute("aria-busy", "true");
    try {
      const check = checkOf(await getJson(verdictUrl(inn, asOf, "json"), signal));
      named(check.supplierName);
      const documents = await missingDocuments(check.registries);
      if (signal.aborted) return;
      swap(section, verdictCard(whose, check, documents, asOf, (format) => [verdictUrl(inn, asOf, format)]));
      section.removeAttribute("aria-busy");
      announce(`${inn}: ${verdictWords(check, asOf)}`);
    } catch (trouble) {
      fail(section, trouble);
    }
  };
  return { update, stop: () => stop.abort() };
}

/** The contracts in sum and one by one: `update` takes other parameters, and goes to the place on the page once `verdict` is there. */
function contractsPart({ jump, overview, contracts }, whose, { named, fail }) {
  const { inn } = whose;
  const list = contractsSection(contracts, whose);
  let stop = new AbortController();
  const update = async (params, verdict) => {
    const place = placeNow();
    const wanted = params.get("contract");
    let filters = filtersOf(params);
    stop.abort();
    stop = new AbortController();
    const { signal } = stop;
    for (const section of [overview, contracts]) section.setAttribute("aria-busy", "true");
    let shown = overview;
    try {
      const kinds = [{ ...filters, year: "", signedFrom: "", signedTo: "" }, { ...filters, stage: "" }, filters, {}];
      const [years, stages, found, all] = await getEach(kinds.map((some) => summaryUrl(inn, some, "json")), signal);
      named(all.supplierIName);
      const total = Number(all.totalcount);
      jump.textContent = plural(total, forms("contracts.jump"));
      jump.hidden = total === 0;
      swap(overview, total ? summary(whose, filters, { years, stages, found, all }) : await asCustomer(inn, signal));
      shown = contracts;
      // The row that the address names is on the page where it stands in the usual order.
      const isNew = wanted && !place.isBack;
      if (isNew) {
        const at = await standsAt(inn, wanted, signal);
        if (at !== null) filters = { ...filters, page: Math.floor(at / filters.size) + 1 };
      }
      const page = await list.show(filters, total ? choicesOf(filters, found, all) : null, wanted ? [...place.open, wanted] : place.open, signal);
      named(page.supplierIName);
      if (isNew && !toRow(contracts, wanted)) contracts.querySelector("h2").after(notHere(wanted, total));
      else if (isNew) history.replaceState(history.state, "", hashOf("supplier", inn, { ...Object.fromEntries(params), page: filters.page > 1 ? String(filters.page) : "" }));
      for (const section of [overview, contracts]) section.removeAttribute("aria-busy");
      await verdict;
      place.goBack();
    } catch (trouble) {
      fail(shown, trouble);
    }
  };
  return { update, stop: () => stop.abort() };
}

/** The way to the contracts of whoever has no contracts as a supplier, and has some as a customer; null where there are none. */
async function asCustomer(inn, signal) {
  try {
    const { totalcount } = await getJson(pageUrl({ view: "customer", inn }, NONE, "json", 0, 0), signal);
    return Number(totalcount) > 0 ? h("p", { class: "panel note" }, h("a", { href: hashOf("customer", inn) }, t("customer.contracts", { n: count(totalcount) }))) : null;
  } catch (trouble) {
    // What was asked for needs no answer to this.
    if (trouble instanceof Trouble) return null;
    throw trouble;
  }
}

/** Goes to the row of a contract; is there one? */
function toRow(section, regNum) {
  const row = section.querySelector(`[data-stay="${CSS.escape(`row-${regNum}`)}"]`);
  if (!row) return false;
  keepOpen(regNum, true);
  row.focus({ preventScroll: true });
  row.scrollIntoView({ block: "center" });
  return true;
}

/** That a contract was not found, and among which of `total` it was looked for. */
const notHere = (regNum, total) =>
  h("p", { class: "panel note", role: "status" }, t(total > LOOKED ? "contracts.notAmongNewest" : "contracts.notHere", { n: regNum, most: count(LOOKED) }));

/** What the contracts of a supplier can be filtered by: the years and customers that it has. */
function choicesOf(filters, found, all) {
  const customers = (all.customers ?? []).filter((row) => isCustomer(row.customerInn)).map((row) => [row.customerInn, row.customerName || row.customerInn]);
  if (filters.customer && !customers.some(([inn]) => inn === filters.customer)) {
    customers.push([filters.customer, found.customers?.[0]?.customerName || filters.customer]);
  }
  const years = (all.years ?? []).filter((row) => row.year).map((row) => [row.year, row.year]);
  return { years, customers };
}

/** The responses from `urls`, each fetched once however often it is among them. */
async function getEach(urls, signal) {
  const different = [...new Set(urls)];
  const answers = await Promise.all(different.map((url) => getJson(url, signal)));
  return urls.map((url) => answers[different.indexOf(url)]);
}

/** Are the charts unfolded? As they were left, while the page is open. */
let areFiguresOpen = false;

/** Totals and charts of what matches; each chart shows its own kind of filter in whole. */
function summary(whose, filters, { years, stages, found, all }) {
  const filtered = isFiltered(filters);
  const toggled = (name, value) => withFilters(whose, { [name]: filters[name] === value ? "" : value, page: "", ...(name === "year" && { signedFrom: "", signedTo: "" }) });
  const urls = (format) => [summaryUrl(whose.inn, filters, format)];
  return [
    h("h2", {}, t("overview.title"), filtered && h("span", { class: "badge" }, t("overview.filtered"))),
    h("dl", { class: "tiles" },
      tile(t("overview.count"), count(found.totalcount), filtered && t("overview.of", { n: count(all.totalcount) })),
      tile(t("overview.sum"), roubles(found.totalSum), Number(found.pricelessCount) > 0 && plural(found.pricelessCount, forms("overview.priceless"))),
      tile(t("overview.customers"), count(found.customersCount)),
    ),
    h("details", { class: "figures", open: areFiguresOpen, on: { toggle: (event) => (areFiguresOpen = event.currentTarget.open) } },
      h("summary", { "data-stay": "figures" }, t("overview.charts")),
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
      downloadBar({ urls })),
  ];
}

const tile = (label, value, note) =>
  h("div", {}, h("dt", {}, label), h("dd", {}, h("span", { class: "figure" }, value), note && h("span", { class: "aside" }, note)));

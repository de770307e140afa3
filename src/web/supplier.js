// A supplier: who it is, what the registry of unfair suppliers says, and part by part its
// contracts, its other purchases, the entries of the registry, and where all that comes from.

import { getJson, Trouble } from "./client.js";
import { stageName } from "./code-words.js";
import { contractsSection, LOOKED, standsAt } from "./contracts.js";
import { announce, h, swap, refill } from "./dom.js";
import { count, plural, roubles, roughly } from "./figures.js";
import { filtersOf, isCustomer, isFiltered, NONE, pageUrl, STAGES, summaryUrl } from "./filters.js";
import { missingDocuments } from "./ground.js";
import { original, readable } from "./names.js";
import { overviewCards, sumsOf } from "./overview.js";
import { keepOpen, placeNow } from "./place.js";
import { hashOf } from "./routes.js";
import { sourcesOf } from "./supplier-sources.js";
import { tabs } from "./tabs.js";
import { forms, t } from "./texts.js";
import { troublePanel } from "./trouble.js";
import { checkOf, entriesPart, refreshEvidence, verdictCard, verdictUrl, verdictWords } from "./verdict.js";

/**
 * Puts the view of a supplier into `main`. Gives `{update, heading}`: `update` takes other
 * parameters of the same supplier, and requests again only what they change.
 */
export function supplierView(main, { subject: inn, params }, shell) {
  const whose = { view: "supplier", inn };
  const heading = h("h1", { tabindex: "-1", lang: "ru" }, t("supplier.title", { inn }));
  const figures = h("span", { class: "figures-of" });
  const meta = h("p", { class: "meta" }, h("span", {}, t("inn"), " ", h("strong", { class: "code" }, inn)), figures);
  const rnp = h("section", { class: "verdict-place", "aria-label": t("rnp.title"), "aria-busy": "true" },
    h("p", { class: "loading" }, t("loading")));
  const parts = tabs(whose);
  const head = h("header", { class: "view-head" }, h("p", { class: "eyebrow" }, t("find.supplier")), heading, meta);
  main.replaceChildren(head, rnp, parts.nav, ...Object.values(parts.sections));
  const named = (name) => {
    if (!name || heading.title === name) return;
    heading.textContent = readable(name);
    heading.title = original(name).title ?? "";
    shell.title(`${readable(name)} · ${inn}`);
  };
  const fail = (section, trouble, again = () => shell.again()) => {
    if (trouble.name === "AbortError") return;
    if (!(trouble instanceof Trouble)) throw trouble;
    if (trouble.kind === "key") refill(main, () => [head, troublePanel(trouble, () => shell.again())]);
    else swap(section, troublePanel(trouble, again));
    for (const one of [section, section.closest(".tab")]) one?.removeAttribute("aria-busy");
  };
  const context = { whose, parts, named, fail, shell };
  const verdict = verdictPart(rnp, context);
  const contracts = contractsPart(figures, context);
  const purchases = purchasesPart(context);
  const update = async (now) => {
    const filters = filtersOf(now);
    const checked = verdict.update(filters.asOf);
    if (filters.tab) parts.choose(filters.tab);
    const won = filters.tab === "purchases" && purchases.show();
    const listed = contracts.update(now, Promise.all([checked, won]));
    const check = await checked;
    if (!filters.tab) parts.choose(firstTab(now, filters, check));
    // Unless they were asked for, they come after all else: a line may be slow.
    await listed;
    purchases.show();
  };
  update(params);
  return { heading, update, stop: () => [verdict, contracts, purchases].forEach((part) => part.stop()) };
}

/** The part that is shown where the address names none: what was asked for, else the entries in force. */
function firstTab(params, filters, check) {
  const isOfContracts = isFiltered(filters) || filters.page > 1 || params.has("contract") || params.has("sort");
  return !isOfContracts && check?.entries.length ? "entries" : "contracts";
}

/** The verdict in `section`: `update` requests it where it is to be as of another day, and gives the check. */
function verdictPart(section, { whose, parts, named, fail }) {
  const { inn } = whose;
  let stop = new AbortController();
  let checked;
  let check = null;
  const update = async (asOf) => {
    refreshEvidence(section, whose);
    if (asOf === checked) return check;
    checked = asOf;
    stop.abort();
    stop = new AbortController();
    const { signal } = stop;
    section.setAttribute("aria-busy", "true");
    try {
      check = checkOf(await getJson(verdictUrl(inn, asOf, "json"), signal));
      named(check.supplierName);
      const documents = await missingDocuments(check.registries);
      if (signal.aborted) return check;
      swap(section, verdictCard(whose, check, documents, asOf));
      swap(parts.sections.entries, entriesPart(check, (format) => [verdictUrl(inn, asOf, format)]));
      parts.tell("entries", check.entries.length + check.previousEntries.length);
      sourcesOf(parts.sections.sources, check);
      section.removeAttribute("aria-busy");
      announce(`${inn}: ${verdictWords(check, asOf)}`);
    } catch (trouble) {
      fail(section, trouble);
    }
    return check;
  };
  return { update, stop: () => stop.abort() };
}

/** The requests for the sums of a supplier's contracts: each chart shows its own filter in whole. */
const sumFilters = (filters) => ({
  all: {},
  found: filters,
  years: { ...filters, year: "", signedFrom: "", signedTo: "" },
  customers: { ...filters, customer: "" },
  overdue: { overdue: "true" },
});

/**
 * The contracts in sum and one by one: `update` takes other parameters, and goes to the place
 * on the page once `others`, the parts that are shown with them, are there.
 */
function contractsPart(figures, { whose, parts, named, fail }) {
  const { inn } = whose;
  const section = parts.sections.contracts;
  const overview = h("div", { class: "overview-place" });
  const contracts = h("section", { class: "contracts", "aria-labelledby": "contracts-title" });
  section.append(overview, contracts);
  const list = contractsSection(contracts, whose);
  let stop = new AbortController();
  const update = async (params, others) => {
    const place = placeNow();
    const wanted = params.get("contract");
    let filters = filtersOf(params);
    stop.abort();
    stop = new AbortController();
    const { signal } = stop;
    section.setAttribute("aria-busy", "true");
    try {
      const sums = await getEach(sumFilters(filters), inn, signal);
      const { all, found } = sums;
      named(all.supplierIName);
      const total = Number(all.totalcount);
      parts.tell("contracts", total);
      figures.replaceChildren(...identity(all));
      swap(overview, total ? overviewCards(whose, filters, sums) : await asCustomer(inn, signal));
      // The row that the address names is on the page where it stands in the usual order.
      const isNew = wanted && !place.isBack;
      if (isNew) {
        const at = await standsAt(inn, wanted, signal);
        if (at !== null) filters = { ...filters, page: Math.floor(at / filters.size) + 1 };
      }
      const page = await list.show(filters, {
        choices: total ? choicesOf(filters, found, all) : null,
        open: wanted ? [...place.open, wanted] : place.open,
        sums: { all: sumsOf(all), found: sumsOf(found, { annulled: filters.stage === "IN" }) },
        signal,
      });
      named(page.supplierIName);
      await others;
      if (isNew && !toRow(contracts, wanted)) contracts.querySelector("h2").after(notHere(wanted, total));
      else if (isNew) {
        const there = { ...Object.fromEntries(params), page: filters.page > 1 ? String(filters.page) : "" };
        history.replaceState(history.state, "", hashOf("supplier", inn, there));
      }
      section.removeAttribute("aria-busy");
      place.goBack();
    } catch (trouble) {
      fail(overview.firstChild ? contracts : overview, trouble);
    }
  };
  return { update, stop: () => stop.abort() };
}

/** The purchases that the supplier won: `show` requests them once, and again after a failure. */
function purchasesPart({ whose, parts, fail, shell }) {
  const section = parts.sections.purchases;
  const stop = new AbortController();
  let isAsked = false;
  const show = async () => {
    if (isAsked || !section.isConnected) return;
    isAsked = true;
    section.setAttribute("aria-busy", "true");
    swap(section, h("p", { class: "loading" }, t("loading")));
    try {
      const { showWon } = await import("./won.js").catch(async () => {
        throw await shell.unloaded();
      });
      parts.tell("purchases", await showWon(section, whose.inn, stop.signal));
      section.removeAttribute("aria-busy");
    } catch (trouble) {
      isAsked = false;
      fail(section, trouble, () => (trouble.kind === "outdated" ? location.reload() : show()));
    }
  };
  return { show, stop: () => stop.abort() };
}

/** Who this is, in three figures; none without contracts. */
function identity(all) {
  if (!Number(all.totalcount)) return [];
  const { sum } = sumsOf(all);
  const years = (all.years ?? []).map(({ year }) => year).filter(Boolean).sort();
  const [first, last] = [years[0], years.at(-1)];
  const span = (words, title = null) => h("span", { title }, words);
  return [
    span(plural(all.totalcount, forms("supplier.contracts")).replace("{sum}", roughly(sum)), roubles(sum)),
    span(plural(all.customersCount, forms("supplier.customers"))),
    first && span(first === last ? first : `${first}–${last}`),
  ].filter(Boolean);
}

/** The way to the contracts of whoever has no contracts as a supplier, and has some as a customer; null for none. */
async function asCustomer(inn, signal) {
  try {
    const { totalcount } = await getJson(pageUrl({ view: "customer", inn }, NONE, "json", 0, 0), signal);
    if (!Number(totalcount)) return null;
    const words = t("customer.contracts", { n: count(totalcount) });
    return h("p", { class: "panel note" }, h("a", { href: hashOf("customer", inn) }, words));
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
const notHere = (regNum, total) => {
  const name = total > LOOKED ? "contracts.notAmongNewest" : "contracts.notHere";
  const words = t(name, { n: regNum, most: count(LOOKED) });
  return h("p", { class: "panel note", role: "status" }, words);
};

/** What the contracts of a supplier can be filtered by: the years, customers and stages that it has. */
function choicesOf(filters, found, all) {
  const customers = (all.customers ?? [])
    .filter((row) => isCustomer(row.customerInn))
    .map((row) => [row.customerInn, row.customerName || row.customerInn, row.count]);
  if (filters.customer && !customers.some(([inn]) => inn === filters.customer)) {
    customers.push([filters.customer, found.customers?.[0]?.customerName || filters.customer]);
  }
  const years = (all.years ?? []).filter((row) => row.year).map((row) => [row.year, row.year, row.count]);
  const stages = STAGES.flatMap((stage) => {
    const row = all.stages?.find(({ contractStage }) => contractStage === stage);
    return row ? [[stage, stageName(stage), row.count]] : [];
  });
  return { years, customers, stages };
}

/** The sums by name, each different request made once. */
async function getEach(filters, inn, signal) {
  const answers = new Map();
  const ask = (url) => {
    if (!answers.has(url)) answers.set(url, getJson(url, signal));
    return answers.get(url);
  };
  const named = Object.entries(filters).map(async ([name, some]) => [name, await ask(summaryUrl(inn, some, "json"))]);
  return Object.fromEntries(await Promise.all(named));
}

// The contracts tab of a supplier or a customer: summary cards, then the list.

import { getJson } from "./client.js";
import { stageName } from "./code-words.js";
import { contractsSection, MOST_SEARCHED, positionOf } from "./contracts.js";
import { h, swap } from "./dom.js";
import { count } from "./figures.js";
import { filtersOf, NONE, pageUrl, STAGES, sumsUrl } from "./filters.js";
import { identity, overviewCards, remarks, sumFilters, sumsOf } from "./overview.js";
import { filterOf, partiesCount, partiesName, partiesOf } from "./parties.js";
import { keepOpen, placeNow } from "./place.js";
import { items } from "./record.js";
import { hashOf } from "./routes.js";
import { t } from "./texts.js";
import { signals } from "./updates.js";
import { fillMarks } from "./verdict-marks.js";

const loading = () => h("p", { class: "loading" }, t("loading"));

/**
 * Creates the contracts tab of `owner`. It fills `figures` and `about`, which are elements in the
 * page header. `setName` receives the organisation's name, `showError` an error.
 * `withoutAny(signal)` returns the content to show if there are no contracts.
 *
 * `update` shows the contracts for new parameters. Before it restores the scroll position, it waits
 * for `others`, the promise that the other tabs have loaded.
 */
export function contractsTab({ figures, about }, { owner, parts, setName, showError, withoutAny }) {
  const section = parts.sections.contracts;
  const overview = h("div", { class: "overview-place" }, loading());
  const contracts = h("section", { class: "contracts", "aria-labelledby": "contracts-title" }, loading());
  section.append(overview, contracts);
  const list = contractsSection(contracts, owner);
  const { next, stop } = signals();
  const update = async (params, others) => {
    const place = placeNow();
    const wanted = owner.view === "supplier" ? params.get("contract") : null;
    let filters = filtersOf(params);
    const signal = next();
    section.setAttribute("aria-busy", "true");
    try {
      const sums = await getEach(owner, sumFilters(filters, NONE), signal);
      const { all } = sums;
      const total = Number(all.totalcount);
      parts.setCount("contracts", total);
      parts.setCount(partiesName(owner), partiesCount(owner, all));
      setName(all.supplierIName);
      figures.replaceChildren(...identity(owner, all));
      about.textContent = total ? remarks(all) : "";
      swap(overview, total ? overviewCards(owner, filters, sums) : await withoutAny(signal));
      // Open the page, in default order, on which the contract in the address appears.
      const isNew = wanted && !place.isBack;
      if (isNew) {
        const at = await positionOf(owner.inn, wanted, signal);
        if (at !== null) filters = { ...filters, page: Math.floor(at / filters.size) + 1 };
      }
      const page = await list.show(filters, {
        choices: total ? choicesOf(owner, filters, sums) : null,
        open: wanted ? [...place.open, wanted] : place.open,
        listed: (rows) => signedWhileListed(owner, filters, sums.found, rows, signal),
        sums: { all: sumsOf(all), found: sumsOf(sums.found, { annulled: filters.stage === "IN" }) },
        signal,
      });
      setName(page.supplierIName ?? page.customerName ?? items(page, "contracts")[0]?.customerName);
      await others;
      if (isNew && !toRow(contracts, wanted)) contracts.querySelector("h2").after(notHere(wanted, total));
      else if (isNew) {
        const there = { ...Object.fromEntries(params), page: filters.page > 1 ? String(filters.page) : "" };
        history.replaceState(history.state, "", hashOf(owner.view, owner.inn, there));
      }
      section.removeAttribute("aria-busy");
      place.goBack();
      await fillMarks(section, signal);
    } catch (error) {
      const isBegun = overview.querySelector(".overview") !== null;
      if (!isBegun) contracts.replaceChildren();
      showError(isBegun ? contracts : overview, error);
    }
  };
  return { update, stop };
}

/**
 * Contracts signed while the supplier was listed are fetched up to `MOST_LISTED`, in pages of
 * `AT_ONCE`.
 */
const MOST_LISTED = 1000;
const AT_ONCE = 200;

/**
 * Returns the numbers of contracts signed while the supplier was listed, for the period that `rows`
 * span.
 */
async function signedWhileListed(owner, filters, found, rows, signal) {
  const days = rows.map(({ signDate }) => signDate).filter(Boolean).sort();
  const isThere = found.facts?.some(({ fact }) => fact === "signedWhileListed");
  const numbers = new Set();
  if (!isThere || !days.length) return numbers;
  const some = { ...filters, fact: "signedWhileListed", year: "", signedFrom: days[0], signedTo: days.at(-1) };
  for (let skip = 0; skip < MOST_LISTED; skip += AT_ONCE) {
    const page = await getJson(pageUrl(owner, some, "json", skip, AT_ONCE), signal);
    for (const { regNum } of items(page, "contracts")) numbers.add(regNum);
    if (skip + AT_ONCE >= Number(page.totalcount)) break;
  }
  return numbers;
}

/** Scrolls to the row of a contract. Returns `false` if there is no such row. */
function toRow(section, regNum) {
  const row = section.querySelector(`[data-stay="${CSS.escape(`row-${regNum}`)}"]`);
  if (!row) return false;
  keepOpen(regNum, true);
  row.focus({ preventScroll: true });
  row.scrollIntoView({ block: "center" });
  return true;
}

/**
 * The message that a contract was not found. For large suppliers, only the newest contracts were
 * searched.
 */
const notHere = (regNum, total) => {
  const name = total > MOST_SEARCHED ? "contracts.notAmongNewest" : "contracts.notHere";
  const words = t(name, { n: regNum, most: count(MOST_SEARCHED) });
  return h("p", { class: "panel note", role: "status" }, words);
};

/** Returns the available filter values: years, parties, stages and risk facts. */
function choicesOf(owner, filters, { all, found, parties, facts }) {
  const chosen = filters[filterOf(owner)];
  const years = (all.years ?? []).filter((row) => row.year).map((row) => [row.year, row.year, row.count]);
  const stages = STAGES.flatMap((stage) => {
    const row = all.stages?.find(({ contractStage }) => contractStage === stage);
    return row ? [[stage, stageName(stage), row.count]] : [];
  });
  const named = [found, parties].flatMap((sums) => partiesOf(owner, sums)).find(({ inn }) => inn === chosen);
  return { years, stages, parties, chosen: (chosen && named?.name) ?? "", facts: facts.facts ?? [] };
}

/**
 * Fetches the sums for each of the named sets of filters. Several sets may need the same request,
 * which is sent only once.
 */
async function getEach(owner, filters, signal) {
  const answers = new Map();
  const ask = (url) => {
    if (!answers.has(url)) answers.set(url, getJson(url, signal));
    return answers.get(url);
  };
  const named = Object.entries(filters).map(async ([name, some]) => [name, await ask(sumsUrl(owner, some, "json"))]);
  return Object.fromEntries(await Promise.all(named));
}

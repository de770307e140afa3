// The supplier view: the registry verdict above tabs with contracts, other purchases, customers,
// registry entries and sources.

import { getJson, RequestError } from "./client.js";
import { contractsTab } from "./contracts-tab.js";
import { announce, h, swap } from "./dom.js";
import { count } from "./figures.js";
import { filtersOf, isFiltered, NONE, pageUrl } from "./filters.js";
import { missingDocuments } from "./ground.js";
import { lazyTab } from "./lazy-tab.js";
import { errorDisplay, nameSetter } from "./organisation.js";
import { partiesTab } from "./parties-tab.js";
import { noteSupplier } from "./recent.js";
import { hashOf } from "./routes.js";
import { loadStyles } from "./styles.js";
import { sourcesOf } from "./supplier-sources.js";
import { tabs } from "./tabs.js";
import { loadTexts, t } from "./texts.js";
import { signals } from "./updates.js";
import { checkOf, entriesPart, refreshEvidence, verdictCard, verdictUrl, verdictWords } from "./verdict.js";

await Promise.all([loadStyles("market.css"), loadTexts("market")]);

/**
 * Shows the view of a supplier in `main`. Returns `{heading, update, stop}`. `update` receives new
 * parameters for the same supplier and fetches only the parts that depend on them.
 */
export function supplierView(main, { subject: inn, params }, shell) {
  const owner = { view: "supplier", inn };
  const heading = h("h1", { tabindex: "-1", lang: "ru" }, t("supplier.title", { inn }));
  const figures = h("span", { class: "figures-of" });
  const meta = h("p", { class: "meta" }, h("span", {}, t("inn"), " ", h("strong", { class: "code" }, inn)), figures);
  const rnp = h("section", { class: "verdict-place", "aria-label": t("rnp.title"), "aria-busy": "true" },
    h("p", { class: "loading" }, t("loading")));
  const parts = tabs(owner);
  const about = h("p", { class: "aside about" });
  const head = h("header", { class: "view-head" },
    h("p", { class: "eyebrow" }, t("find.supplier")), heading, meta, about);
  for (const name of ["entries", "sources"]) parts.sections[name].append(h("p", { class: "loading" }, t("loading")));
  // The verdict decides which tab opens, unless the address names one.
  const pending = h("p", { class: "loading" }, t("loading"));
  main.replaceChildren(head, rnp, parts.nav, pending, ...Object.values(parts.sections));
  const choose = (name) => {
    pending.remove();
    parts.choose(name);
  };
  const setName = nameSetter(heading, inn, shell);
  const showError = errorDisplay(main, head, shell);
  const context = { owner, parts, setName, showError, shell, withoutAny: (signal) => asCustomer(inn, signal) };
  const verdict = verdictPart(rnp, context);
  const contracts = contractsTab({ figures, about }, context);
  const customers = partiesTab(context);
  const purchases = lazyTab(context, "purchases", () => import("./won.js"),
    ({ showWon }, section, signal) => showWon(section, inn, signal));
  const update = async (now) => {
    const filters = filtersOf(now);
    const checked = verdict.update(filters.asOf);
    if (filters.tab) choose(filters.tab);
    const opened = [
      filters.tab === "purchases" && purchases.show(),
      filters.tab === "customers" && customers.show(filters),
    ];
    const listed = contracts.update(now, Promise.all([checked, ...opened]));
    const check = await checked;
    if (!filters.tab) choose(firstTab(now, filters, check));
    // Load the purchases last, because the connection may be slow.
    await listed;
    purchases.show();
  };
  update(params);
  return { heading, update, stop: () => [verdict, contracts, customers, purchases].forEach((part) => part.stop()) };
}

/**
 * The tab that opens by default: contracts if the address filters them, otherwise registry entries
 * if any is in force, otherwise contracts.
 */
function firstTab(params, filters, check) {
  const isOfContracts = isFiltered(filters) || filters.page > 1 || params.has("contract") || params.has("sort");
  return !isOfContracts && check?.entries.length ? "entries" : "contracts";
}

/**
 * Creates the verdict in `section`. `update` fetches it again if the date has changed, and returns
 * the check.
 */
function verdictPart(section, { owner, parts, setName, showError }) {
  const { inn } = owner;
  const { next, stop } = signals();
  let checked;
  let check = null;
  const update = async (asOf) => {
    refreshEvidence(section, owner);
    if (asOf === checked) return check;
    checked = asOf;
    const signal = next();
    section.setAttribute("aria-busy", "true");
    try {
      check = checkOf(await getJson(verdictUrl(inn, asOf, "json"), signal));
      setName(check.supplierName);
      const documents = await missingDocuments(check.registries);
      if (signal.aborted) return check;
      swap(section, verdictCard(owner, check, documents, asOf));
      swap(parts.sections.entries, entriesPart(check, (format) => [verdictUrl(inn, asOf, format)]));
      parts.setCount("entries", check.entries.length + check.previousEntries.length);
      sourcesOf(parts.sections.sources, check);
      section.removeAttribute("aria-busy");
      noteSupplier(check, asOf);
      announce(`${inn}: ${verdictWords(check, asOf)}`);
    } catch (error) {
      // Each of these parts depends on the check, so each of them shows the error.
      for (const part of [section, parts.sections.entries, parts.sections.sources]) showError(part, error);
    }
    return check;
  };
  return { update, stop };
}

/**
 * Returns a link to the organisation's contracts as a customer, or `null` if it has none. Used if
 * it has no contracts as a supplier.
 */
async function asCustomer(inn, signal) {
  try {
    const { totalcount } = await getJson(pageUrl({ view: "customer", inn }, NONE, "json", 0, 0), signal);
    if (!Number(totalcount)) return null;
    const words = t("customer.contracts", { n: count(totalcount) });
    return h("p", { class: "panel note" }, h("a", { href: hashOf("customer", inn) }, words));
  } catch (error) {
    // The supplier view works without this link.
    if (error instanceof RequestError) return null;
    throw error;
  }
}

// A customer: its contracts, each with the supplier first.

import { Trouble } from "./client.js";
import { stageName } from "./code-words.js";
import { contractsSection } from "./contracts.js";
import { todayInMoscow } from "./days.js";
import { h, swap } from "./dom.js";
import { plural } from "./figures.js";
import { filtersOf, isFiltered, STAGES } from "./filters.js";
import { original, readable } from "./names.js";
import { placeNow } from "./place.js";
import { forms, t } from "./texts.js";
import { troublePanel } from "./trouble.js";

/** The first year with contracts under 44-FZ. */
const FIRST_YEAR = 2014;

/** Puts the view of a customer into `main`; gives the same as the view of a supplier. */
export function customerView(main, { subject: inn, params }, shell) {
  const heading = h("h1", { tabindex: "-1", lang: "ru" }, t("customer.title", { inn }));
  const found = h("span");
  const contracts = h("section", { class: "contracts", "aria-labelledby": "contracts-title" });
  main.replaceChildren(
    h("header", { class: "view-head" }, h("p", { class: "eyebrow" }, t("find.customer")), heading,
      h("p", { class: "meta" }, h("span", {}, t("inn"), " ", h("span", { class: "code" }, inn)), found)),
    contracts);
  const last = Number(todayInMoscow().slice(0, 4));
  const years = Array.from({ length: last - FIRST_YEAR + 1 }, (_, at) => String(last - at)).map((year) => [year, year]);
  const choices = { years, stages: STAGES.map((stage) => [stage, stageName(stage)]) };
  const list = contractsSection(contracts, { view: "customer", inn });
  let stop = new AbortController();
  const update = async (params) => {
    const place = placeNow();
    const filters = filtersOf(params);
    stop.abort();
    stop = new AbortController();
    const { signal } = stop;
    contracts.setAttribute("aria-busy", "true");
    try {
      const page = await list.show({ ...filters, customer: "" }, { choices, open: place.open, signal });
      if (page.customerName) {
        heading.textContent = readable(page.customerName);
        heading.title = original(page.customerName).title ?? "";
        shell.title(`${readable(page.customerName)} · ${inn}`);
      }
      found.textContent = isFiltered(filters) ? "" : plural(page.totalcount, forms("contracts.found"));
      contracts.removeAttribute("aria-busy");
      place.goBack();
    } catch (trouble) {
      if (trouble.name === "AbortError") return;
      if (!(trouble instanceof Trouble)) throw trouble;
      contracts.removeAttribute("aria-busy");
      const panel = troublePanel(trouble, () => shell.again());
      if (trouble.kind === "key") main.replaceChildren(panel);
      else swap(contracts, panel);
    }
  };
  update(params);
  return { heading, update, stop: () => stop.abort() };
}

// The customer view: contracts, purchases and suppliers.

import { Trouble } from "./client.js";
import { contractsPart } from "./contracts-part.js";
import { customerSources } from "./customer-sources.js";
import { h, refill, swap } from "./dom.js";
import { filtersOf } from "./filters.js";
import { laterPart } from "./later-part.js";
import { original, readable } from "./names.js";
import { partiesPart } from "./parties-part.js";
import { styled } from "./styles.js";
import { tabs } from "./tabs.js";
import { speakOf, t } from "./texts.js";
import { troublePanel } from "./trouble.js";

await Promise.all([styled("market.css"), speakOf("market")]);

/** Shows the view of a customer in `main`. Returns the same as `supplierView`. */
export function customerView(main, { subject: inn, params }, shell) {
  const whose = { view: "customer", inn };
  const heading = h("h1", { tabindex: "-1", lang: "ru" }, t("customer.title", { inn }));
  const figures = h("span", { class: "figures-of" });
  const about = h("p", { class: "aside about" });
  const parts = tabs(whose);
  const head = h("header", { class: "view-head" },
    h("p", { class: "eyebrow" }, t("find.customer")), heading,
    h("p", { class: "meta" }, h("span", {}, t("inn"), " ", h("strong", { class: "code" }, inn)), figures), about);
  main.replaceChildren(head, parts.nav, ...Object.values(parts.sections));
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
  const context = { whose, parts, named, fail, shell, withoutAny: async () => null };
  const contracts = contractsPart({ figures, about }, context);
  const suppliers = partiesPart(context);
  const purchases = laterPart(context, "purchases", () => import("./customer-purchases.js"),
    ({ showPurchases }, section, signal) => showPurchases(section, inn, signal));
  const update = async (now) => {
    const filters = filtersOf(now);
    parts.choose(filters.tab);
    const others = Promise.all([
      filters.tab === "purchases" && purchases.show(),
      filters.tab === "suppliers" && suppliers.show(filters),
    ]);
    await contracts.update(now, others);
    // Prefetched last, because the connection may be slow.
    purchases.show();
  };
  customerSources(parts.sections.sources);
  update(params);
  return { heading, update, stop: () => [contracts, suppliers, purchases].forEach((part) => part.stop()) };
}

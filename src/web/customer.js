// The customer view: contracts, purchases and suppliers.

import { contractsTab } from "./contracts-tab.js";
import { customerSources } from "./customer-sources.js";
import { h } from "./dom.js";
import { filtersOf } from "./filters.js";
import { lazyTab } from "./lazy-tab.js";
import { errorDisplay, nameSetter } from "./organisation.js";
import { partiesTab } from "./parties-tab.js";
import { loadStyles } from "./styles.js";
import { tabs } from "./tabs.js";
import { loadTexts, t } from "./texts.js";

await Promise.all([loadStyles("market.css"), loadTexts("market")]);

/** Shows the view of a customer in `main`. Returns the same as `supplierView`. */
export function customerView(main, { subject: inn, params }, shell) {
  const owner = { view: "customer", inn };
  const heading = h("h1", { tabindex: "-1", lang: "ru" }, t("customer.title", { inn }));
  const figures = h("span", { class: "figures-of" });
  const about = h("p", { class: "aside about" });
  const parts = tabs(owner);
  const head = h("header", { class: "view-head" },
    h("p", { class: "eyebrow" }, t("find.customer")), heading,
    h("p", { class: "meta" }, h("span", {}, t("inn"), " ", h("strong", { class: "code" }, inn)), figures), about);
  main.replaceChildren(head, parts.nav, ...Object.values(parts.sections));
  const setName = nameSetter(heading, inn, shell);
  const showError = errorDisplay(main, head, shell);
  const context = { owner, parts, setName, showError, shell, withoutAny: async () => null };
  const contracts = contractsTab({ figures, about }, context);
  const suppliers = partiesTab(context);
  const purchases = lazyTab(context, "purchases", () => import("./customer-purchases.js"),
    ({ showPurchases }, section, signal) => showPurchases(section, inn, signal));
  const update = async (now) => {
    const filters = filtersOf(now);
    parts.choose(filters.tab);
    const others = Promise.all([
      filters.tab === "purchases" && purchases.show(),
      filters.tab === "suppliers" && suppliers.show(filters),
    ]);
    await contracts.update(now, others);
    // Load the purchases last, because the connection may be slow.
    purchases.show();
  };
  customerSources(parts.sections.sources);
  update(params);
  return { heading, update, stop: () => [contracts, suppliers, purchases].forEach((part) => part.stop()) };
}

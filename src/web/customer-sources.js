// The sources tab of a customer.

import { dataUpdated } from "./client.js";
import { moscow } from "./days.js";
import { h, swap } from "./dom.js";
import { t } from "./texts.js";

export function customerSources(section) {
  swap(section,
    h("p", {}, t("sources.lead", { time: moscow(dataUpdated()) })),
    h("p", {}, t("sources.contracts")),
    h("p", { class: "aside" }, t("customer.sources")));
}

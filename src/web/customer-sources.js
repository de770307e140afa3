// What a customer's page rests on.

import { dataUpdated } from "./client.js";
import { moscow } from "./days.js";
import { h, swap } from "./dom.js";
import { t } from "./texts.js";

/** Says in `section` where the contracts and purchases of a customer come from. */
export function customerSources(section) {
  swap(section,
    h("p", {}, t("sources.lead", { time: moscow(dataUpdated()) })),
    h("p", {}, t("sources.contracts")),
    h("p", { class: "aside" }, t("customer.sources")));
}

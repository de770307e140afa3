// The sources tab of a supplier: the registries, and the documents behind each registry entry. The
// documents of a contract are listed in its details.

import { moscow } from "./days.js";
import { dataUpdated } from "./client.js";
import { h, swap } from "./dom.js";
import { groundList } from "./ground.js";
import { link } from "./record.js";
import { officialRnpUrl } from "./routes.js";
import { sources } from "./sources.js";
import { t } from "./texts.js";

export function sourcesOf(section, { supplierINN, entries, previousEntries, registries }) {
  const numbers = [...entries, ...previousEntries].map(({ registrationNumber }) => registrationNumber);
  swap(section,
    h("p", {}, t("sources.lead", { time: moscow(dataUpdated()) })),
    h("h3", {}, t("rnp.title")), groundList(registries),
    numbers.map((number) =>
      h("div", { class: "panel source-of" }, h("h3", {}, t("sources.entry"), " ", h("span", { class: "code" }, number)),
        sources(number))),
    h("p", { class: "aside" }, t("sources.contracts")),
    h("p", {}, link(officialRnpUrl(supplierINN), t("rnp.official"))));
}

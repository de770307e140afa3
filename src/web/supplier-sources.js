// What a supplier's page rests on: the registries of unfair suppliers, and the documents behind
// each entry. A contract's documents stand in its row.

import { moscow } from "./days.js";
import { dataUpdated } from "./client.js";
import { h, swap } from "./dom.js";
import { groundList } from "./ground.js";
import { link } from "./record.js";
import { officialRnpUrl } from "./routes.js";
import { sources } from "./sources.js";
import { t } from "./texts.js";

/** Fills `section` with the sources of a check. */
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

// The official documents behind a contract, purchase or registry entry, fetched when the user opens
// them.

import { getJson, RequestError } from "./client.js";
import { day, moscow } from "./days.js";
import { h } from "./dom.js";
import { errorPanel } from "./error-panel.js";
import { items, link } from "./record.js";
import { requestUrl } from "./routes.js";
import { t } from "./texts.js";

/** Returns the collapsed list of the documents with this number. */
export function sources(number) {
  const body = h("div", { class: "source-list" });
  const read = async () => {
    body.replaceChildren(h("p", { class: "loading", role: "status" }, t("loading")));
    try {
      const answer = await getJson(requestUrl("/documents", { number, format: "json" }));
      body.replaceChildren(listOf(items(answer, "documents")));
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      body.replaceChildren(error.kind === "notFound" ? h("p", {}, t("sources.none")) : errorPanel(error, read));
    }
  };
  const look = (event) => event.currentTarget.open && !body.firstChild && read();
  return h("details", { class: "sources", on: { toggle: look } }, h("summary", {}, t("tab.sources")), body);
}

const listOf = (documents) => h("ol", {}, documents.map((one) => h("li", {}, documentWords(one))));

/** A document: its kind (linked to the official page if there is one) and its details. */
function documentWords({ kind, number, version, published, subsystem, href }) {
  const words = h("span", { class: "code" }, kind);
  const rest = [
    h("span", { class: "code" }, `№\u00a0${number}`),
    version && version !== "0" && t("sources.version", { n: version }),
    published && (published.includes("T") ? t("sources.moscow", { time: moscow(published) }) : day(published)),
    subsystem,
  ];
  const name = kind === "line" ? t("sources.line") : words;
  const details = rest.filter(Boolean).flatMap((one) => [" · ", one]);
  return [href ? link(href, name) : name, h("span", { class: "aside" }, details)];
}

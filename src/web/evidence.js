// A check as evidence: one page to print, or to save as PDF by the browser. It has the
// question, the verdict with what it rests on, and the receipts, where the server signs them.

import { about, get, Trouble } from "./client.js";
import { withObtained } from "./coverage.js";
import { day, moscow, todayInMoscow } from "./days.js";
import { announce, h } from "./dom.js";
import { saveWithReceipt, withReceipt } from "./downloads.js";
import { count, plural, roubles } from "./figures.js";
import { filtersOf, isFiltered, summaryUrl } from "./filters.js";
import { parseJson } from "./json.js";
import { shownVerdict, standing, standingWords } from "./registries.js";
import { forms, lawName, stageName, t } from "./texts.js";
import { troublePanel } from "./trouble.js";
import { entryCard, verdictMeaning, verdictUrl, verdictWords } from "./verdict.js";

/** Puts the confirmation of a check into `main`. */
export function evidenceView(main, { subject: inn, params }, shell) {
  const filters = filtersOf(params);
  const heading = h("h1", { tabindex: "-1" }, t("evidence.title"));
  main.replaceChildren(h("header", { class: "view-head" }, heading), h("p", { class: "loading" }, t("loading")));
  const stop = new AbortController();
  const read = async () => {
    try {
      const [rnp, sums] = await asked([verdictUrl(inn, filters.asOf, "json"), summaryUrl(inn, filters, "json")], stop.signal);
      const registries = await withObtained(rnp.answer.registries);
      if (stop.signal.aborted) return;
      main.replaceChildren(...sheet(inn, filters, { rnp, sums, registries }, heading));
      shell.title(`${t("evidence.title")} ${inn} ${dayOf(filters, rnp)}`);
      announce(t("evidence.title"));
    } catch (trouble) {
      if (trouble.name === "AbortError") return;
      if (!(trouble instanceof Trouble)) throw trouble;
      main.replaceChildren(h("header", { class: "view-head" }, heading), troublePanel(trouble, () => shell.again()));
    }
  };
  read();
  return { heading, stop: () => stop.abort() };
}

/** The answers from `urls` with the parts of their receipts, all over the same data: `{url, response, answer, receipt}`. */
async function asked(urls, signal) {
  const all = await Promise.all(urls.map(async (url) => {
    const response = await get(withReceipt(url), signal);
    return { url, response, answer: parseJson(response.text), receipt: receiptOf(response.receipt) };
  }));
  const data = ({ receipt, response }) => receipt.data ?? response.updated;
  if (all.some((one) => data(one) !== data(all[0]))) throw new Trouble("changed");
  return all;
}

/** The fields of a receipt: `v2; …; data=…; day=…; …; sha256=…; sig=…`, and all its `text`; none where the server gives none. */
const receiptOf = (text) => ({ text, ...Object.fromEntries([...text.matchAll(/(\w+)=([^;]*)/g)].map(([, name, value]) => [name, value])) });

/** The day that the answer is about. */
const dayOf = (filters, { receipt }) => filters.asOf || receipt.day || todayInMoscow();

function sheet(inn, filters, { rnp, sums, registries }, heading) {
  const supplier = rnp.answer.suppliers?.[0] ?? { verdict: "unknown" };
  const on = dayOf(filters, rnp);
  const verdict = shownVerdict(supplier.verdict, registries, on);
  const past = registries.filter((registry) => standing(registry, on) === "past");
  const name = supplier.supplierName || sums.answer.supplierIName;
  const row = (label, ...value) => h("div", {}, h("dt", {}, label), h("dd", {}, value));
  const code = (text) => h("span", { class: "code" }, text);
  return [
    h("header", { class: "view-head" }, heading,
      h("p", { class: "evidence-actions" },
        h("button", { type: "button", class: "main", on: { click: () => print() } }, t("evidence.print")),
        [["rnp", rnp], ["contracts", sums]].map(([kind, { url, response }]) => response.receipt &&
          h("button", { type: "button", on: { click: () => saveWithReceipt(url, response) } }, t(`evidence.save.${kind}`))),
        h("a", { href: location.hash.replace("#/evidence/", "#/supplier/") }, t("evidence.back")))),
    h("article", { class: "evidence" },
      about.demo && h("p", { class: "demo" }, t("data.demo")),
      h("p", { class: "who", lang: "ru" }, h("strong", {}, name || t("noName")), h("span", {}, t("inn"), " ", code(inn))),
      h("dl", { class: "facts" },
        row(t("evidence.time"), t("evidence.moscow", { time: moscow(rnp.response.date) })),
        row(t("evidence.question"), question(inn, filters, on)),
        row(t("evidence.server"), code(location.origin)),
        row(t("evidence.data"), t("evidence.moscow", { time: moscow(rnp.response.updated) }), rnp.receipt.data && [", ", t("evidence.version"), " ", code(rnp.receipt.data)])),
      h("section", { class: `outcome ${verdict}` }, h("h2", {}, t("rnp.title")),
        h("p", {}, h("strong", {}, verdictWords(verdict, filters.asOf)), ". ", verdictMeaning(verdict, filters.asOf)),
        registryTable(registries, on),
        past.length > 0 && h("p", { class: "aside" }, standingWords(past, on)),
        registries.map(({ obtained }) => obtained && h("p", { class: "aside" }, obtained)),
        entries(t("rnp.entries"), supplier.entries), entries(t("rnp.previous"), supplier.previousEntries)),
      h("section", {}, h("h2", {}, t("contracts.title")),
        h("p", {}, sumWords(sums.answer)), isFiltered(filters) && h("p", { class: "aside" }, t("evidence.filters"), " ", filterWords(filters))),
      h("section", { class: "proof" }, h("h2", {}, t("evidence.receipts")),
        rnp.receipt.text ? receipts([["rnp", rnp], ["contracts", sums]]) : h("p", { class: "aside" }, t("evidence.unsigned")))),
  ];
}

/** How receipts are verified, and the receipts themselves. */
const receipts = (answers) => [
  h("p", {}, t("evidence.verify"), " ", h("code", {}, "procurement-lookup verify RECEIPT BODY --public-key signing-key.pem")),
  answers.map(([kind, { receipt }]) => [h("h3", {}, t(`evidence.receipt.${kind}`)), h("p", { class: "code receipt" }, receipt.text)]),
];

/** What was asked, as of which day, in words. */
const question = (inn, filters, on) =>
  `${t("evidence.asked", { inn, day: day(on) })}${isFiltered(filters) ? `; ${filterWords(filters)}` : ""}`;

/** The filters in words. */
function filterWords(filters) {
  const { stage, year, signedFrom, signedTo, priceFrom, priceTo, customer } = filters;
  const days = signedFrom || signedTo;
  return [
    stage && `${t("filter.stage")}: ${stage.split(",").map(stageName).join(", ")}`,
    year && !days && `${t("filter.year")}: ${year}`,
    signedFrom && `${t("filter.signedFrom")}: ${day(signedFrom)}`,
    signedTo && `${t("filter.signedTo")}: ${day(signedTo)}`,
    priceFrom && `${t("filter.priceFrom")}: ${roubles(priceFrom)}`,
    priceTo && `${t("filter.priceTo")}: ${roubles(priceTo)}`,
    customer && `${t("filter.customer")}: ${t("inn")} ${customer}`,
  ].filter(Boolean).join("; ");
}

/** How many contracts there are, and what they are worth. */
const sumWords = ({ totalcount, totalSum, pricelessCount }) => [
  plural(totalcount, forms("contracts.found")) + (Number(totalcount) > 0 ? ` ${t("evidence.sum")} ${roubles(totalSum)}` : ""),
  Number(pricelessCount) > 0 && plural(pricelessCount, forms("overview.priceless")),
].filter(Boolean).join(", ");

/** The registry of each law: what it is good for on a day, of which day, how many entries it has. */
const registryTable = (registries, on) =>
  h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": t("rnp.title") },
    h("table", { class: "small" },
      h("caption", { class: "unseen" }, t("rnp.title")),
      h("thead", {}, h("tr", {}, ["law", "state", "day", "entries"].map((name) => h("th", { scope: "col" }, t(`registry.column.${name}`))))),
      h("tbody", {}, registries.map((registry) => h("tr", {},
        h("th", { scope: "row" }, lawName(registry.federalLaw)),
        h("td", {}, t(`registry.state.${standing(registry, on)}`)),
        h("td", {}, day(registry.completeAsOf) || "—"),
        h("td", {}, count(registry.entries)))))));

const entries = (title, list) =>
  list?.length > 0 && [h("h3", {}, `${title}: ${list.length}`), h("ol", { class: "plain" }, list.map((entry) => h("li", { class: "entry" }, entryCard({ ...entry }))))];

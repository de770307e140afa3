// The record of a supplier check: one sheet to print or save as PDF. The record of a list check
// shares some of its parts.

import { about, get, getJson, RequestError } from "./client.js";
import { stageName } from "./code-words.js";
import { day, moscow } from "./days.js";
import { announce, h, refill } from "./dom.js";
import { saveWithReceipt, withReceipt } from "./downloads.js";
import { errorPanel } from "./error-panel.js";
import { count, plural, roubles } from "./figures.js";
import { filtersOf, isFiltered, summaryUrl } from "./filters.js";
import { missingDocuments, stateName } from "./ground.js";
import { parseJson } from "./json.js";
import { readable } from "./names.js";
import { isLong, items } from "./record.js";
import { factsName } from "./risk.js";
import { requestUrl } from "./routes.js";
import { forms, lawName, t } from "./texts.js";
import { checkOf, groundOf, untilWords, verdictMeaning, verdictUrl, verdictWords } from "./verdict.js";

export function evidenceView(main, { subject: inn, params }, shell) {
  const filters = filtersOf(params);
  const heading = h("h1", { tabindex: "-1" }, t("evidence.title"));
  main.replaceChildren(h("header", { class: "view-head" }, heading), h("p", { class: "loading" }, t("loading")));
  const stop = new AbortController();
  const read = async () => {
    try {
      const url = verdictUrl(inn, filters.asOf, "json");
      const [rnp, sums] = await Promise.all(
        [withReceipt(url), summaryUrl(inn, filters, "json")].map((one) => get(one, stop.signal)),
      );
      if (rnp.updated !== sums.updated) throw new RequestError("changed");
      const check = checkOf(parseJson(rnp.text));
      const [documents, sources] = await Promise.all([
        missingDocuments(check.registries),
        sourcesOf(check, stop.signal),
      ]);
      if (stop.signal.aborted) return;
      refill(main, () => [
        h(
          "p",
          { class: "evidence-actions" },
          h("button", { type: "button", class: "main", on: { click: () => print() } }, t("evidence.print")),
          rnp.receipt &&
            h("button", { type: "button", on: { click: () => saveWithReceipt(url, rnp) } }, t("evidence.save")),
          h("a", { href: location.hash.replace("#/evidence/", "#/supplier/") }, t("evidence.back")),
        ),
        sheet({ inn, filters, check, documents, sources, rnp, sums: parseJson(sums.text) }, heading),
      ]);
      shell.title(`${t("evidence.title")} ${inn} ${day(filters.asOf) || moscow(rnp.date).split(",")[0]}`);
      announce(t("evidence.title"));
    } catch (error) {
      if (error.name === "AbortError") return;
      if (!(error instanceof RequestError)) throw error;
      refill(main, () => [h("header", { class: "view-head" }, heading), errorPanel(error, () => shell.again())]);
    }
  };
  read();
  return { heading, stop: () => stop.abort() };
}

function sheet({ inn, filters, check, documents, sources, rnp, sums }, heading) {
  const { asOf } = filters;
  const name = check.supplierName || sums.supplierIName;
  return h(
    "article",
    { class: "evidence" },
    sheetHead(heading, rnp.date),
    h(
      "header",
      {},
      h("h2", { class: "who", lang: "ru" }, readable(name) || t("supplier.title", { inn })),
      h("p", {}, t("inn"), " ", h("span", { class: "code" }, inn)),
      name && readable(name) !== name && h("p", {}, t("evidence.asFiled", { name })),
    ),
    h(
      "section",
      { class: `outcome ${check.verdict}`, "aria-label": t("rnp.title") },
      h("h2", {}, verdictWords(check, asOf)),
      h("p", {}, verdictMeaning(check, asOf)),
    ),
    entryTable(check),
    groundTable(check.registries, documents),
    h(
      "section",
      {},
      h("h3", {}, t("tab.contracts")),
      h("p", {}, sumWords(sums)),
      Number(sums.totalcount) > 0 && h("p", {}, factWords(sums.facts ?? [])),
      isFiltered(filters) && h("p", {}, t("evidence.filters"), " ", filterWords(filters)),
    ),
    sourcePart(rnp.updated, sources),
    signLines(),
    h(
      "footer",
      {},
      rnp.receipt
        ? [
            h(
              "p",
              {},
              t("evidence.signed", { server: location.host, url: `${location.origin}/signing-key.pem` }),
              " ",
              h("code", {}, "procurement-lookup verify RECEIPT BODY --public-key signing-key.pem"),
              t("evidence.openssl"),
            ),
            h("p", { class: "code receipt" }, rnp.receipt),
          ]
        : h("p", {}, t("evidence.unsigned")),
    ),
  );
}

/** The head of a record: the title and the time of the response. */
export const sheetHead = (heading, date) =>
  h("header", { class: "sheet-head" }, heading, h("p", {}, t("sources.moscow", { time: moscow(date) })));

/** Renders a table of the record with its title. `rows` are arrays of cells. */
export const sheetTable = (title, kind, columns, rows) =>
  h(
    "section",
    {},
    h("h3", {}, title),
    h(
      "div",
      { class: "scroll", tabindex: "0", role: "group", "aria-label": title },
      h(
        "table",
        { class: `small ${kind}` },
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            columns.map((column) => h("th", { scope: "col" }, column)),
          ),
        ),
        h(
          "tbody",
          {},
          rows.map((cells) =>
            h(
              "tr",
              {},
              cells.map((cell, at) => h("td", { "data-label": columns[at] }, h("span", {}, cell))),
            ),
          ),
        ),
      ),
    ),
  );

/** The entries in force, then the earlier ones. */
function entryTable({ entries, previousEntries }) {
  const numberOf = ({ registrationNumber: number, federalLaw }) => [
    h("span", { class: isLong(number) ? "long" : null }, number),
    h("span", { class: "line" }, lawName(federalLaw)),
  ];
  const row = (areOver) => (entry) => [
    numberOf(entry),
    day(entry.registrationDate),
    untilWords(entry, areOver),
    groundOf(entry),
  ];
  const rows = [...entries.map(row(false)), ...previousEntries.map(row(true))];
  return (
    rows.length > 0 &&
    sheetTable(
      t("tab.entries"),
      "of-entries",
      ["number", "from", "until", "reason"].map((name) => t(`evidence.entry.${name}`)),
      rows,
    )
  );
}

/**
 * The state of each law's registry. `documents` are remarks on registries whose data does not cover
 * the day.
 */
export const groundTable = (registries, documents) => [
  sheetTable(
    t("registry.ground"),
    "",
    ["law", "state", "day", "since", "entries", "unread"].map((name) => t(`registry.column.${name}`)),
    registries.map((registry) => {
      const { federalLaw, completeAsOf, completeSince, entries, unread } = registry;
      return [
        lawName(federalLaw),
        stateName(registry),
        day(completeAsOf) || "—",
        day(completeSince) || "—",
        entries === null ? "—" : count(entries),
        unread === null ? "—" : count(unread),
      ];
    }),
  ),
  documents.length > 0 && h("p", {}, documents.join(" ")),
];

/** Upper bound on entries whose source documents are listed. */
const MOST_SOURCES = 10;

/** Describes the latest document of each entry. Skips entries that have no documents. */
async function sourcesOf({ entries, previousEntries }, signal) {
  const all = await Promise.all(
    [...entries, ...previousEntries].slice(0, MOST_SOURCES).map(async ({ registrationNumber: number }) => {
      try {
        const newest = items(
          await getJson(requestUrl("/documents", { number, format: "json" }), signal),
          "documents",
        ).findLast(({ published }) => published);
        return (
          newest && t("evidence.source.entry", { number, version: newest.version || "—", day: day(newest.published) })
        );
      } catch (error) {
        if (error.kind === "notFound") return null;
        throw error;
      }
    }),
  );
  return all.filter(Boolean);
}

/** The source and date of the data. `sources` are the documents of the entries. */
export const sourcePart = (updated, sources = []) =>
  h(
    "section",
    {},
    h("h3", {}, t("evidence.source")),
    h(
      "p",
      {},
      about.demo ? `${t("data.demo")}.` : t("evidence.source.means", { server: location.host }),
      " ",
      t("data.updated", { time: moscow(updated) }),
      ".",
      sources.length > 0 && ` ${sources.join("; ")}.`,
    ),
  );

/** The lines for name, signature and date. `who` is the label of the name. */
export const signLines = (who = t("evidence.sign.who")) =>
  h(
    "div",
    { class: "sign" },
    [who, t("evidence.sign.signature"), t("evidence.sign.date")].map((words) => h("p", {}, words)),
  );

function filterWords(filters) {
  const { stage, year, signedFrom, signedTo, priceFrom, priceTo, customer, fact } = filters;
  const days = signedFrom || signedTo;
  return [
    stage && `${t("filter.stage")}: ${stage.split(",").map(stageName).join(", ")}`,
    year && !days && `${t("filter.year")}: ${year}`,
    signedFrom && `${t("filter.signedFrom")}: ${day(signedFrom)}`,
    signedTo && `${t("filter.signedTo")}: ${day(signedTo)}`,
    priceFrom && `${t("filter.priceFrom")}: ${roubles(priceFrom)}`,
    priceTo && `${t("filter.priceTo")}: ${roubles(priceTo)}`,
    customer && `${t("filter.customer")}: ${t("inn")} ${customer}`,
    fact && fact.split(",").map(factsName).join(", "),
  ]
    .filter(Boolean)
    .join("; ");
}

/** Describes the risk facts: how many contracts each applies to, and their value. */
function factWords(facts) {
  if (!facts.length) return t("evidence.noFacts");
  const words = facts.map(({ fact, count: many, sum }) => `${factsName(fact)} — ${count(many)} (${roubles(sum)})`);
  return `${t("evidence.facts")} ${words.join("; ")}.`;
}

function sumWords({ totalcount, totalSum, pricelessCount }) {
  if (Number(totalcount) === 0) return t("contracts.none");
  const sum = `${t("evidence.contracts", { n: count(totalcount) })} ${t("evidence.sum")} ${roubles(totalSum)}`;
  return Number(pricelessCount) > 0 ? `${sum}, ${plural(pricelessCount, forms("overview.priceless"))}` : sum;
}

// Downloads of a checked list: all or the filtered rows as CSV and XLSX, the signed responses, the
// list itself, and a link to the list.

import { about, get, RequestError } from "./client.js";
import { reasonWords } from "./code-words.js";
import { day, moscow, moscowMinute } from "./days.js";
import { h } from "./dom.js";
import { copy, downloadBar, save, XLSX } from "./downloads.js";
import { count } from "./figures.js";
import { fileName } from "./file-name.js";
import { dataDay, lacking } from "./ground.js";
import { COUNTED, factCount } from "./list-columns.js";
import { lineTable, listCsv, tableCsv, tableRows } from "./list-files.js";
import { fitOf, innsOf, isMisfit, isShown, LINK, totalWords, urlsOf, whyNot } from "./list-run.js";
import { requestUrl } from "./routes.js";
import { MOST_ROWS, xlsx } from "./sheet.js";
import { fieldName, language, t } from "./texts.js";

/** The download menu for the rows that match the current filter. */
export function listMenu(run, rows, changes) {
  const shown = rows.filter((row) => isShown(row, run.only, changes));
  const lines = shown.flatMap((row) => row.lines).sort((one, other) => one.row - other.row);
  const inns = innsOf({ lines });
  const urls = (format) => urlsOf(inns, format, run.asOf);
  // A filtered list that has only one row left is still named as a list.
  const subject = run.lines.length === 1 && inns.length ? inns[0] : ",";
  const table = async () =>
    lineTable(lines, {
      table: run.table,
      csvs: await answers(run, urls("csv")),
      more: run.wantsFacts ? Object.keys(COUNTED) : [],
      of: (line) => valuesOf(run, line),
    });
  return downloadBar({
    urls,
    name: fileName(requestUrl("/rnp/check-suppliers", { supplierINN: subject, asOf: run.asOf }), run.only),
    own: {
      xlsx: async () => ({ bytes: workbook(run, lines, await table()), type: XLSX }),
      csv: async () => ({ bytes: new TextEncoder().encode(tableCsv(await table())), type: "text/csv" }),
    },
    more: isSigned(run) && signedAnswers(run),
  });
}

/**
 * Returns the values of a line for those columns of a file that describe the line rather than the
 * supplier.
 */
function valuesOf(run, line) {
  const facts = run.facts.get(line.inn);
  const counts = Object.keys(COUNTED).map((name) => [name, String(factCount(facts, name) ?? "")]);
  return {
    foundByName: line.score ? String(line.score) : "",
    nameScore: String(fitOf(run, line) ?? ""),
    nameDiffers: isMisfit(run, line) ? "true" : "",
    notChecked: whyNot(run, line),
    ...Object.fromEntries(counts),
  };
}

/** Fetches the registry's answers as CSV. Throws `RequestError` if the data has changed since the check. */
async function answers(run, urls) {
  const texts = [];
  for (const url of urls) {
    const { text, updated } = await get(url);
    if (updated !== run.updated) throw new RequestError("changed");
    texts.push(text);
  }
  return texts;
}

/** Returns whether the server has signed every response of the check. */
export const isSigned = ({ answers }) => answers.length > 0 && answers.every(({ receipt }) => receipt);

/** Returns the names of the files that `signedAnswers` saves. */
export function signedNames(run) {
  const name = fileName(requestUrl("/rnp/check-suppliers", { supplierINN: ",", asOf: run.asOf }), "answers");
  return { receipts: `${name}.receipts.txt`, answers: `${name}.jsonl` };
}

/**
 * A button that saves two files for `procurement-lookup verify`: the responses of the check, one
 * per line, and their receipts.
 */
function signedAnswers(run) {
  const saveBoth = () => {
    const names = signedNames(run);
    const parts = run.answers.flatMap(({ bytes }) => [bytes, "\n"]);
    save(new Blob(parts), names.answers, "application/x-ndjson");
    save(run.answers.map(({ receipt }) => `${receipt}\n`).join(""), names.receipts, "text/plain");
  };
  return h("button", { type: "button", title: t("batch.signedTitle"), on: { click: saveBoth } }, t("batch.signed"));
}

const WIDTHS = {
  row: 8,
  nameAsGiven: 36,
  innAsGiven: 18,
  foundByName: 12,
  nameScore: 12,
  nameDiffers: 16,
  notChecked: 36,
  supplierName: 40,
  customerName: 40,
  reason: 36,
  registrationNumber: 20,
  verdict: 18,
  inRNP: 9,
  previous: 10,
  registry44: 16,
  registry223: 16,
  registry615: 16,
  dataUpdated: 18,
};
const WIDTH = 14;
/** Columns whose cells are numbers. */
const NUMBERS = new Set(["row", "foundByName", "nameScore", ...Object.keys(COUNTED)]);

/**
 * Describes the state of a registry, such as `complete:2026-11-20 old`. Returns only the date if
 * the data covers the day of the check.
 */
function registryWords(text) {
  const [, state, asOf, lack] = /^(\w*)(?::(\S+))?(?: (\w+))?$/.exec(text) ?? [];
  if (!state) return text;
  if (state !== "complete") return t(`registry.mark.${state}`);
  if (lack === "unread") return t("registry.state.unread");
  return lack ? t("registry.mark.oneDay", { day: day(asOf) }) : asOf;
}

/**
 * Builds the workbook: a title row, headings, codes translated into words, and typed cells for
 * numbers and dates.
 */
function workbook(run, lines, table) {
  if (table.rows.length + 2 > MOST_ROWS) throw new RequestError("large");
  const flag = (text) => text && t(text === "true" ? "yes" : "no");
  const worded = {
    verdict: (code) => code && t(`verdict.${code}.short`),
    inRNP: flag,
    previous: flag,
    nameDiffers: (text) => text && t("batch.differs"),
    reason: (code) => code && reasonWords(code),
    registry44: registryWords,
    registry223: registryWords,
    registry615: registryWords,
    dataUpdated: moscowMinute,
  };
  const words = (name, text, isAlone) => {
    if (NUMBERS.has(name)) return text && Number(text);
    // A cell with a single date is a date cell; several dates are text.
    return worded[name]?.(text) ?? (isAlone ? text : day(text));
  };
  return xlsx({
    name: t("batch.eyebrow"),
    title: titleOf(run, lines),
    headings: table.columns.map(({ name, heading }) => (name ? fieldName(`sheet.${name}`) : heading)),
    rows: tableRows(table, words),
    widths: table.columns.map(({ name }) => WIDTHS[name] ?? WIDTH),
    days: language() === "ru" ? "dd\\.mm\\.yyyy" : "d\\ mmm\\ yyyy",
  });
}

/** The title row: the list, the number of rows, the date, and which data is missing. */
function titleOf(run, lines) {
  const from = dataDay(run.registries);
  const on = day(run.asOf || moscowMinute(run.date).slice(0, 10));
  return [
    `${t("batch.title")}${run.source && `: ${run.source}`}.`,
    t("batch.sheet.lines", { n: count(lines.length), all: count(run.lines.length) }),
    run.totals.length > 0 && `${totalWords(run.totals)}.`,
    `${from ? t("batch.sheet.onData", { day: on, from: day(from) }) : t("batch.sheet.on", { day: on })}.`,
    run.updated && `${t("data.updated", { time: moscow(run.updated) })}.`,
    about.demo && `${t("data.demo")}.`,
    lacking(run.registries),
  ]
    .filter(Boolean)
    .join(" ");
}

/** "Copy link" (only if a link has room for all INNs) and "Save list". */
export function sharing(run) {
  const { link, lines, table, asOf } = run;
  const lacksInns = lines.some(({ inn }) => !inn);
  const why = link ? "batch.linkHas" : lacksInns ? "batch.linkLacks" : "batch.linkLong";
  const address = `${location.origin}${location.pathname}${link}`;
  const name = fileName(requestUrl("/suppliers", { supplierINN: ",", asOf }));
  const button = (label, click) => h("button", { type: "button", class: "quiet", on: { click } }, label);
  return h(
    "div",
    { class: "answers", role: "group", "aria-label": t("batch.share") },
    h("span", { class: "label" }, t("batch.share")),
    link && button(t("batch.link"), () => copy(address, t("batch.linkCopied"))),
    button(t("batch.saveList"), () => save(listCsv(lines, table), `${name}.csv`, "text/csv")),
    h("p", { class: "aside" }, t(why, { most: count(LINK) })),
  );
}

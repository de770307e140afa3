// What is taken along of a list that was checked: its lines, all or those that a filter shows,
// as CSV and as a workbook; the list itself; a link to it.

import { about, get, Trouble } from "./client.js";
import { reasonWords } from "./code-words.js";
import { day, moscow } from "./days.js";
import { h } from "./dom.js";
import { copy, downloadBar, save, XLSX } from "./downloads.js";
import { count } from "./figures.js";
import { fileName } from "./file-name.js";
import { dataDay, lacking } from "./ground.js";
import { lineTable, listCsv, tableCsv, tableRows } from "./list-files.js";
import { innsOf, isShown, LINK, urlsOf, whyNot } from "./list-run.js";
import { requestUrl } from "./routes.js";
import { MOST_ROWS, xlsx } from "./sheet.js";
import { fieldName, language, t } from "./texts.js";

/** The menu of files; `rows`: those of the table. */
export function listMenu(run, rows, changes) {
  const shown = rows.filter((row) => isShown(row, run.only, changes));
  const lines = shown.flatMap((row) => row.lines).sort((one, other) => one.row - other.row);
  const inns = innsOf({ lines });
  const urls = (format) => urlsOf(inns, format, run.asOf);
  // Part of a list is a list, too, whatever is left of it.
  const subject = run.lines.length === 1 && inns.length ? inns[0] : ",";
  const table = async () => lineTable(lines, await answers(run, urls("csv")), (line) => whyNot(run, line));
  return downloadBar({
    urls,
    name: fileName(requestUrl("/rnp/check-suppliers", { supplierINN: subject, asOf: run.asOf }), run.only),
    own: {
      xlsx: async () => ({ bytes: workbook(run, lines, await table()), type: XLSX }),
      csv: async () => ({ bytes: new TextEncoder().encode(tableCsv(await table())), type: "text/csv" }),
    },
  });
}

/** The answers as CSV, which must be over the data that the page shows. */
async function answers(run, urls) {
  const texts = [];
  for (const url of urls) {
    const { text, updated } = await get(url);
    if (updated !== run.updated) throw new Trouble("changed");
    texts.push(text);
  }
  return texts;
}

const WIDTHS = {
  row: 8,
  nameAsGiven: 36,
  innAsGiven: 18,
  foundByName: 12,
  notChecked: 36,
  supplierName: 40,
  customerName: 40,
  reason: 36,
  registrationNumber: 20,
  verdict: 18,
  inRNP: 9,
  previous: 10,
  registry44: 20,
  registry223: 20,
  registry615: 20,
  dataUpdated: 22,
};
const WIDTH = 14;

/**
 * The table as a file for spreadsheets: what it is of, headings, verdicts, yes and no in words,
 * numbers of rows as numbers.
 */
function workbook(run, lines, table) {
  if (table.rows.length + 2 > MOST_ROWS) throw new Trouble("large");
  const flag = (text) => text && t(text === "true" ? "yes" : "no");
  const said = {
    verdict: (code) => code && t(`verdict.${code}.short`),
    inRNP: flag,
    previous: flag,
    reason: (code) => code && reasonWords(code),
  };
  const words = (heading, text, isAlone) => {
    if (heading === "row" || (heading === "foundByName" && text)) return Number(text);
    // A day among others is text, alone it is a day.
    return said[heading]?.(text) ?? (isAlone ? text : day(text));
  };
  return xlsx({
    name: t("batch.eyebrow"),
    title: titleOf(run, lines),
    headings: table.headings.map((name) => fieldName(`sheet.${name}`)),
    rows: tableRows(table, words),
    widths: table.headings.map((name) => WIDTHS[name] ?? WIDTH),
    days: language() === "ru" ? "dd\\.mm\\.yyyy" : "d\\ mmm\\ yyyy",
  });
}

/** What a workbook is of: the list, how many of its lines, as of when, and what is lacking. */
function titleOf(run, lines) {
  const from = dataDay(run.registries);
  return [
    `${t("batch.title")}${run.source && `: ${run.source}`}.`,
    t("batch.sheet.lines", { n: count(lines.length), all: count(run.lines.length) }),
    run.asOf && `${t("rnp.onDay", { day: day(run.asOf) })}.`,
    from && `${t("rnp.dataOf", { day: day(from) })}.`,
    run.updated && `${t("data.updated", { time: moscow(run.updated) })}.`,
    about.demo && `${t("data.demo")}.`,
    lacking(run.registries),
  ]
    .filter(Boolean)
    .join(" ");
}

/** What sends the list to somebody: a link with its INNs, where it is short enough, and a file with all of it. */
export function sharing(run) {
  const { link, lines, asOf } = run;
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
    button(t("batch.saveList"), () => save(listCsv(lines), `${name}.csv`, "text/csv")),
    h("p", { class: "aside" }, t(why, { most: count(LINK) })),
  );
}

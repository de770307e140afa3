// The sheet of a list, for paper: every line of it, also those that were not checked, and why.

import { day } from "./days.js";
import { h } from "./dom.js";
import { groundTable, sheetHead, sheetTable, signLines, sourcePart } from "./evidence.js";
import { count } from "./figures.js";
import { dataDay } from "./ground.js";
import { doneWords, ORDER, whyNot } from "./list-run.js";
import { readable } from "./names.js";
import { isLong } from "./record.js";
import { lawName, t } from "./texts.js";
import { untilWords } from "./verdict.js";

export function listSheet(run) {
  const { asOf, registries, documents, lines, found, updated, source } = run;
  const all = [...lines].sort((left, right) => left.row - right.row);
  const columns = ["row", all.some(({ name }) => name) && "given", "inn", "name", "verdict"].filter(Boolean);
  const of = [
    source,
    asOf && t("rnp.onDay", { day: day(asOf) }),
    dataDay(registries) && t("rnp.dataOf", { day: day(dataDay(registries)) }),
  ]
    .filter(Boolean)
    .join(". ");
  const suppliers = [...found.values()];
  const sum = ORDER.map((verdict) => [verdict, suppliers.filter((one) => one.verdict === verdict).length]).filter(
    ([, many]) => many,
  );
  return h(
    "article",
    { class: "evidence" },
    sheetHead(h("h1", {}, t("batch.evidence")), run.date),
    h(
      "section",
      {},
      h("h2", {}, doneWords(run)),
      of && h("p", {}, of, "."),
      sum.length > 0 &&
        h(
          "p",
          {},
          t("batch.sums"),
          " ",
          sum.map(([verdict, many]) => `${t(`verdict.${verdict}.short`)} – ${count(many)}`).join(", "),
          ".",
        ),
    ),
    groundTable(registries, documents),
    sheetTable(
      t("batch.caption"),
      "lines",
      columns.map((column) => t(`batch.column.${column}`)),
      all.map((line) => {
        const cells = cellsOf(run, line);
        return columns.map((column) => cells[column]);
      }),
    ),
    sourcePart(updated),
    signLines(),
  );
}

function cellsOf(run, line) {
  const supplier = run.found.get(line.inn);
  const why = whyNot(run, line);
  const wordsOf = (areOver) => (entry) =>
    `${entry.registrationNumber} (${lawName(entry.federalLaw)}): ${untilWords(entry, areOver)}`;
  const { entries = [], previousEntries = [] } = supplier ?? {};
  const outcome = why ? [why] : [...entries.map(wordsOf(false)), ...previousEntries.map(wordsOf(true))];
  const inn = line.inn || line.text || "—";
  return {
    row: count(line.row),
    given: readable(line.name) || "—",
    inn: [
      h("span", { class: isLong(inn) ? "long" : null }, inn),
      line.score !== undefined &&
        h(
          "span",
          { class: "line" },
          line.score ? t("batch.byName", { score: line.score }) : t("batch.byDigits", { text: line.text }),
        ),
    ],
    name: readable(supplier?.supplierName) || (why ? "—" : t("batch.noName")),
    verdict: [
      h("strong", {}, why ? t("batch.unchecked") : t(`verdict.${supplier.verdict}.short`)),
      outcome.map((words) => h("span", { class: "line" }, words)),
    ],
  };
}

// A list that was checked as files: the list itself as CSV, which `readList` takes again whole,
// and a table of a row for each of its lines, for CSV and for workbooks. The columns of the list
// come first, in their places; what was found stands at their right.

import { cellsOf, defused, numberIn, SAVED, SAVED_INN, undefused } from "./list.js";

/** What a table has of a line itself, after the columns of the list. */
const FOUND = ["foundByName", "nameScore", "nameDiffers", "notChecked"];
/** The columns that say the same in all rows of a supplier; the others are of an entry each. */
const OF_SUPPLIER = new Set(
  "supplierINN supplierName verdict inRNP registry44 registry223 registry615 asOf dataUpdated".split(" "),
);

const quoted = (text) => (/[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
const csvOf = (rows) => `\ufeff${rows.map((cells) => `${cells.map(quoted).join(",")}\r\n`).join("")}`;

/** The cells that a row of the list has in `columns`. */
const cellsIn = (columns, { cells = [] }) => columns.map(({ at }) => defused(cells[at] ?? ""));

/** What stands in a saved list of a line itself. */
const savedCells = ({ row, name, text, score }) => [
  String(row),
  defused(name),
  defused(text),
  score ? String(score) : "",
];

/** The list as CSV; lines as of `readList`, with the INN that was chosen and its `score`, and the list's `table`. */
export function listCsv(lines, table = null) {
  const others = table?.others ?? [];
  const headings = [...Object.values(SAVED), SAVED_INN, ...others.map(({ heading }) => defused(heading))];
  return csvOf([headings, ...lines.map((line) => [...savedCells(line), line.inn, ...cellsIn(others, line)])]);
}

/** The INNs of a list, each once, as CSV that the command `watch` takes. */
export const watchCsv = (suppliers) =>
  csvOf([
    ["INN", "name"],
    ...suppliers.map(({ supplierINN, supplierName }) => [supplierINN, defused(supplierName ?? "")]),
  ]);

/**
 * The answers about the INNs of `lines` (CSV, whose first column is the INN) as a table:
 * `{columns, rows}`, a row for each line, where a cell is a list of texts, as many as the
 * supplier has entries in the columns of those. A column is `{name, heading, isNumber}`: `name` is
 * "" for a column of the list itself. `of(line)` says of a line what the columns `FOUND` have, and
 * what `more` names beside these.
 * @param {any[]} lines
 * @param {{table?: any, csvs: string[], more?: string[], of: (line: any) => Record<string, string>}} found
 */
export function lineTable(lines, { table = null, csvs, more = [], of }) {
  const tables = csvs.map((csv) => cellsOf(csv.replace(/^\ufeff/, ""), ",").filter((cells) => cells.length > 1));
  const headings = tables[0]?.[0] ?? [];
  const found = new Map();
  for (const cells of tables.flatMap(([, ...rows]) => rows))
    found.set(cells[0], [...(found.get(cells[0]) ?? []), cells]);
  const answer = (line) =>
    headings.map((name, at) => {
      const cells = (found.get(line.inn) ?? []).map((row) => row[at]);
      return OF_SUPPLIER.has(name) ? cells.slice(0, 1) : cells;
    });
  const isPlain = !table || table.isSaved;
  const all = table?.all ?? [];
  const named = (name) => ({ name, heading: "", isNumber: false });
  const before = isPlain ? [SAVED.row, SAVED.name, SAVED.text] : [];
  const after = [...(isPlain ? [] : [SAVED.row]), ...FOUND];
  const rowOf = (line) => {
    const said = { ...of(line), [SAVED.row]: String(line.row), [SAVED.name]: line.name, [SAVED.text]: line.text };
    const own = (names) => names.map((name) => [defused(said[name] ?? "")]);
    return [...own(before), ...cellsIn(all, line).map((cell) => [cell]), ...own(after), ...answer(line), ...own(more)];
  };
  return {
    columns: [
      ...before.map(named),
      ...all.map(({ at, heading, isNumber }) => ({ name: "", heading: heading || String(at + 1), isNumber })),
      ...[...after, ...headings, ...more].map(named),
    ],
    rows: lines.map(rowOf),
  };
}

/** Such a table as CSV: of several entries one after the other in a cell. */
export const tableCsv = ({ columns, rows }) =>
  csvOf([
    columns.map(({ name, heading }) => name || defused(heading)),
    ...rows.map((row) => row.map((cells) => (cells.some(Boolean) ? cells.join("; ") : ""))),
  ]);

/**
 * The rows of such a table for a workbook: `words(name, text)` says a cell for people, of
 * several entries in a line each; a cell of the list is as it was there, a number where all of its
 * column are.
 */
export const tableRows = ({ columns, rows }, words) =>
  rows.map((row) =>
    row.map((cells, at) => {
      const { name, isNumber } = columns[at];
      const texts = cells.map(undefused);
      if (!name) return isNumber && texts[0] ? { number: numberIn(texts[0]) } : texts[0];
      const said = texts.map((text) => words(name, text, texts.length === 1));
      return said.length === 1 ? said[0] : said.some(Boolean) ? said.join("\n") : "";
    }),
  );

// A list that was checked as files: the list itself as CSV, which `readList` takes again whole,
// and a table of a row for each of its lines, for CSV and for workbooks.

import { cellsOf, defused, SAVED, undefused } from "./list.js";

/** What a table has of a line before the columns of the service's answer. */
const OWN = [...Object.values(SAVED), "notChecked"];
/** The columns that say the same in all rows of a supplier; the others are of an entry each. */
const OF_SUPPLIER = new Set(
  "supplierINN supplierName verdict inRNP registry44 registry223 registry615 asOf dataUpdated".split(" "),
);

const quoted = (text) => (/[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
const csvOf = (rows) => `\ufeff${rows.map((cells) => `${cells.map(quoted).join(",")}\r\n`).join("")}`;

/** What stands in a file of a line itself. */
const ownCells = ({ row, name, text, score }) =>
  [String(row), defused(name), defused(text), score ? String(score) : ""];

/** The list as CSV; lines as of `readList`, with the INN that was chosen and its `score`. */
export const listCsv = (lines) =>
  csvOf([[...Object.values(SAVED), "supplierINN"], ...lines.map((line) => [...ownCells(line), line.inn])]);

/**
 * The answers about the INNs of `lines` (CSV, whose first column is the INN) as a table:
 * `{headings, rows}`, a row for each line, where a cell is a list of texts, as many as the
 * supplier has entries in the columns of those. `why(line)`: why a line was not checked, "" where it was.
 */
export function lineTable(lines, csvs, why) {
  const tables = csvs.map((csv) => cellsOf(csv.replace(/^\ufeff/, ""), ",").filter((cells) => cells.length > 1));
  const headings = tables[0]?.[0] ?? [];
  const found = new Map();
  for (const cells of tables.flatMap(([, ...rows]) => rows))
    found.set(cells[0], [...(found.get(cells[0]) ?? []), cells]);
  const own = (line) => [...ownCells(line), defused(why(line))].map((cell) => [cell]);
  const answer = (line) =>
    headings.map((name, at) => {
      const cells = (found.get(line.inn) ?? []).map((row) => row[at]);
      return OF_SUPPLIER.has(name) ? cells.slice(0, 1) : cells;
    });
  return { headings: [...OWN, ...headings], rows: lines.map((line) => [...own(line), ...answer(line)]) };
}

/** Such a table as CSV: of several entries one after the other in a cell. */
export const tableCsv = ({ headings, rows }) =>
  csvOf([headings, ...rows.map((row) => row.map((cells) => (cells.some(Boolean) ? cells.join("; ") : "")))]);

/**
 * The rows of such a table for a workbook: `words(heading, text)` says a cell for people, of
 * several entries in a line each.
 */
export const tableRows = ({ headings, rows }, words) =>
  rows.map((row) =>
    row.map((cells, at) => {
      const texts = cells.map((cell) => words(headings[at], undefused(cell), cells.length === 1));
      return texts.length === 1 ? texts[0] : texts.some(Boolean) ? texts.join("\n") : "";
    }),
  );

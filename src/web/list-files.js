// Files of a checked list: the list itself as CSV, which `readList` can read back, and a table with
// one row per line, as CSV or for a workbook. In the table, the user's columns come first and the
// results are to the right of them.

import { cellsOf, escapeFormula, numberIn, SAVED, SAVED_INN, unescapeFormula } from "./list.js";

/** Columns about the line itself, after the user's columns. */
const FOUND = ["foundByName", "nameScore", "nameDiffers", "notChecked"];
/** Columns with one value per supplier. All others have one value per registry entry. */
const OF_SUPPLIER = new Set(
  "supplierINN supplierName verdict inRNP registry44 registry223 registry615 asOf dataUpdated".split(" "),
);

const quoted = (text) => (/[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
const csvOf = (rows) => `\ufeff${rows.map((cells) => `${cells.map(quoted).join(",")}\r\n`).join("")}`;

const cellsIn = (columns, { cells = [] }) => columns.map(({ at }) => escapeFormula(cells[at] ?? ""));

const savedCells = ({ row, name, text, score }) => [
  String(row),
  escapeFormula(name),
  escapeFormula(text),
  score ? String(score) : "",
];

/**
 * Returns the list as CSV. `lines` are the lines from `readList`, with the chosen INN and its
 * `score`; `table` is the table that the list was read from.
 */
export function listCsv(lines, table = null) {
  const others = table?.others ?? [];
  const headings = [...Object.values(SAVED), SAVED_INN, ...others.map(({ heading }) => escapeFormula(heading))];
  return csvOf([headings, ...lines.map((line) => [...savedCells(line), line.inn, ...cellsIn(others, line)])]);
}

/** Returns the suppliers' INNs as CSV for `procurement-lookup watch`. */
export const watchCsv = (suppliers) =>
  csvOf([
    ["INN", "name"],
    ...suppliers.map(({ supplierINN, supplierName }) => [supplierINN, escapeFormula(supplierName ?? "")]),
  ]);

/**
 * Joins the registry's answers (CSV, with the INN in the first column) to the lines of the list.
 * Returns `{columns, rows}` with a row per line. A cell is an array of strings: one, or one per
 * registry entry. A column is `{name, heading, isNumber}`; `name` is "" for the user's columns.
 * `of(line)` returns the values of the columns `FOUND` and `more`.
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
    const values = { ...of(line), [SAVED.row]: String(line.row), [SAVED.name]: line.name, [SAVED.text]: line.text };
    const own = (names) => names.map((name) => [escapeFormula(values[name] ?? "")]);
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

/**
 * Returns the table of `lineTable` as CSV. If a cell has values of several entries, they are
 * joined.
 */
export const tableCsv = ({ columns, rows }) =>
  csvOf([
    columns.map(({ name, heading }) => name || escapeFormula(heading)),
    ...rows.map((row) => row.map((cells) => (cells.some(Boolean) ? cells.join("; ") : ""))),
  ]);

/**
 * Returns the rows of the table of `lineTable` for a workbook. `words(name, text)` formats a value;
 * values of several entries become lines of one cell. The user's cells are unchanged, and numeric
 * if all cells of their column are.
 */
export const tableRows = ({ columns, rows }, words) =>
  rows.map((row) =>
    row.map((cells, at) => {
      const { name, isNumber } = columns[at];
      const texts = cells.map(unescapeFormula);
      if (!name) return isNumber && texts[0] ? { number: numberIn(texts[0]) } : texts[0];
      const worded = texts.map((text) => words(name, text, texts.length === 1));
      return worded.length === 1 ? worded[0] : worded.some(Boolean) ? worded.join("\n") : "";
    }),
  );

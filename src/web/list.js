// A list of suppliers: a file's bytes, or text that was pasted. A table is read by its column
// of INNs, a plain list line by line; each INN keeps its row and the name it has there, here and
// in the files that are saved.

import { innsOf, nameBeside, tidy } from "./inns.js";

const SEPARATORS = ["\t", ";", ","];
/** A comma between cells: none is followed by a space, nor stands in an amount. */
const CELL_COMMA = /,(?!\s|\d{1,2}(?!\d))/;
const HEADING = /(?<!\p{L})(?:ИНН|INN)(?!\p{L})|^supplierINN$/iu;
const EXACT_HEADING = /^(?:ИНН|INN|supplierINN)$/iu;
const SUPPLIER = /постав|исполн|подряд|участн|контраг|suppl|contractor/iu;
const NAME = /наимен|назван|имя|фирм|компан|организ|предприят|фио|лицо|name|company/iu;
const CUSTOMER = /заказчик|банк|customer|bank/iu;
/** A number as a spreadsheet shows one that is too long for its cell. */
const ROUNDED = /^\d[.,]\d+E\+\d+$/i;
/** The columns that a saved list begins with, beside that of the INNs. */
const [ROW, GIVEN] = ["row", "nameAsGiven"];
const TOTAL = /^(?:итого|всего|total)/iu;

/**
 * What is to be checked of a text or a table: `{rows, misses, without, column, isUnclear}`.
 * `rows`: one for each row and INN in it, as `{row, inn, name}`: where it stands, counted
 * from 1, and as whom. `misses`: what only looks like an INN, as `{row, text, why,
 * inn}` (see `innsOf`; in the column of INNs also `rounded`, and `other`, what is none; and `outside`, an INN
 * that stands outside of it). `without`: the rows of a table that have a name and no INN.
 * `column`: the heading (or number) of the column that was read, where the text is a table;
 * `isUnclear`: no column or several columns of the table may be that of the INNs.
 */
export function readList(text) {
  const table = rowsOf(text.replace(/^\uFEFF/, "").replace(/^\s*sep=.\r?\n/i, ""));
  const first = table.findIndex(({ cells }) => cells.some(isHeading) && !cells.some((cell) => innsOf(cell).inns.length));
  const headings = first < 0 ? [] : table[first].cells;
  const isPlain = first < 0 ? isList(table) : headings.length === 1;
  const at = isPlain ? 0 : first < 0 ? columnOfInns(table) : headedColumn(headings);
  if (at < 0) return { rows: [], misses: [], without: [], column: "", isUnclear: true };
  const read = { rows: [], misses: [], without: [] };
  const body = table.slice(first + 1);
  if (isPlain) for (const line of body) readLine(read, line);
  else readColumn(read, body, at, headings);
  for (const { row, cells } of table.slice(0, Math.max(first, 0))) outside(read, row, cells);
  read.misses.sort((one, other) => one.row - other.row);
  return { ...read, column: first < 0 ? (isPlain ? "" : String(at + 1)) : headings[at], isUnclear: false };
}

const isHeading = (cell) => HEADING.test(cell) && !/\d/.test(cell);

/** Is this no table? Lines without cells, one line, or lines of numbers of different lengths. */
function isList(table) {
  const widths = new Set(table.map(({ cells }) => cells.length));
  if (table.length === 1 || table.every(({ cells }) => cells.length === 1)) return true;
  return widths.size > 1 && !table.some(({ cells }) => cells.some((cell) => /\p{L}/u.test(cell)));
}

/** A line of a plain list: each of its INNs, with the words beside it. */
function readLine({ rows, misses }, { row, cells }) {
  const { inns, misses: near, rest } = innsOf(cells.join("; "));
  for (const miss of near) misses.push({ row, ...miss });
  if (new Set(inns).size < 2) {
    if (inns.length) rows.push({ row, inn: inns[0], name: nameBeside(rest, inns) });
    return;
  }
  // Of several in a line, a name is only that of the INN it is not separated from.
  const names = new Map();
  for (const item of rest.split(/[;,\t]/)) {
    const { inns: own } = innsOf(item);
    if (own.length === 1) names.set(own[0], nameBeside(item, own));
  }
  for (const inn of new Set(inns)) rows.push({ row, inn, name: names.get(inn) ?? "" });
}

/** The rows of a table below its headings, by the column `at`. */
function readColumn({ rows, misses, without }, body, at, headings) {
  const named = columnOfNames(body, at, headings);
  const isSaved = headings[named] === GIVEN;
  const numbered = isSaved ? headings.indexOf(ROW) : -1;
  for (const { row: line, cells } of body) {
    const cell = cells[at] ?? "";
    const { inns, misses: near, rest } = innsOf(cell);
    const given = cells[named] ?? "";
    const name = tidy(isSaved ? undefused(given) : given) || (inns.length === 1 ? nameBeside(rest, inns) : "");
    const row = /^\d{1,7}$/.test(cells[numbered] ?? "") ? Number(cells[numbered]) : line;
    for (const inn of new Set(inns)) {
      // The entries of one supplier are lines of a saved answer, and one row of the list.
      const last = rows.at(-1);
      if (!(isSaved && last?.row === row && last.inn === inn && last.name === name)) rows.push({ row, inn, name });
    }
    for (const miss of near) misses.push({ row, ...miss });
    if (inns.length || near.length) continue;
    if (/\d/.test(cell)) misses.push({ row, text: cell, why: ROUNDED.test(cell) ? "rounded" : "other", inn: "" });
    else if (!outside({ misses }, row, cells) && name && !TOTAL.test(name)) without.push(row);
  }
}

/** Reports the INNs that a row has beside the column that is read; is there one? */
function outside({ misses }, row, cells) {
  const { inns, areRight } = innsOf(cells.join("; "));
  if (areRight) for (const inn of inns) misses.push({ row, text: inn, why: "outside", inn: "" });
  return areRight;
}

/** The column that its heading names; -1 where several do, and none is the supplier's. */
function headedColumn(headings) {
  const exact = headings.findIndex((cell) => EXACT_HEADING.test(cell));
  if (exact >= 0) return exact;
  const headed = headings.flatMap((cell, at) => (isHeading(cell) ? [at] : []));
  return headed.find((at) => SUPPLIER.test(headings[at])) ?? (headed.length === 1 ? headed[0] : -1);
}

/**
 * The column of INNs of a table without headings: the one where most cells have INNs with
 * right control digits, or else where all cells are INNs; -1 where that is none or several.
 */
function columnOfInns(table) {
  const counts = [];
  for (const { cells } of table) {
    cells.forEach((cell, at) => {
      const { inns, areRight } = innsOf(cell);
      const one = (counts[at] ??= { filled: 0, inns: 0, right: 0 });
      one.filled += cell ? 1 : 0;
      one.inns += inns.length ? 1 : 0;
      one.right += areRight ? 1 : 0;
    });
  }
  const only = (holds) => counts.flatMap((one, at) => (one.inns && holds(one) ? [at] : []));
  const right = only(({ filled, right: some }) => 2 * some > filled);
  const columns = right.length ? right : only(({ filled, inns }) => inns === filled);
  return columns.length === 1 ? columns[0] : -1;
}

/** The column of names: by its heading, or without headings that with the most words, nearest to the INNs; -1 for none. */
function columnOfNames(body, inns, headings) {
  if (headings.length) {
    const headed = headings.flatMap((cell, at) => (at !== inns && !isHeading(cell) && !CUSTOMER.test(cell) ? [at] : []));
    const exact = headed.find((at) => headings[at] === GIVEN);
    return exact ?? headed.find((at) => NAME.test(headings[at]) && SUPPLIER.test(headings[at])) ??
      headed.find((at) => NAME.test(headings[at])) ?? headed.find((at) => SUPPLIER.test(headings[at])) ?? -1;
  }
  const counts = [];
  for (const { cells } of body) cells.forEach((cell, at) => (counts[at] = (counts[at] ?? 0) + (at !== inns && tidy(cell) ? 1 : 0)));
  const most = counts.reduce((one, other) => Math.max(one, other), 0);
  const columns = counts.flatMap((many, at) => (many && many === most ? [at] : []));
  return columns.sort((one, other) => Math.abs(one - inns) - Math.abs(other - inns))[0] ?? -1;
}

/** The list as CSV, which `readList` takes again whole. */
export const listCsv = (rows) => withRows(rows, ["supplierINN\r\n", ...new Set(rows.map(({ inn }) => `${inn}\r\n`))]);

/**
 * The CSV of answers on the INNs of `rows`, its lines (the first column is the INN) where these
 * INNs stand in the list, each behind its row and the name given there.
 */
export function joinRows(rows, texts) {
  // A line break within quotes ends no line.
  const lines = texts.map((text) => text.replace(/^\uFEFF/, "").match(/(?:"[^"]*"|[^"\n])*\n/g) ?? []);
  return withRows(rows, [lines[0][0], ...lines.flatMap((some) => some.slice(1))]);
}

function withRows(rows, [header, ...lines]) {
  const found = new Map();
  for (const line of lines) {
    const inn = /^\d+/.exec(line)?.[0];
    if (!found.has(inn)) found.set(inn, []);
    found.get(inn).push(line);
  }
  const body = rows.flatMap(({ row, inn, name }) => (found.get(inn) ?? []).map((line) => `${row},${quoted(defused(name))},${line}`));
  return `\ufeff${ROW},${GIVEN},${header}${body.join("")}`;
}

const quoted = (text) => (/[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** An apostrophe wherever a cell of one line could begin a formula, as the service's CSV has it, and the way back. */
const defused = (text) => text && text.replace(/(^|[,;])("*)(?=[=+@'-]|$)/g, "$1$2'");
const undefused = (text) => text.replace(/(^|[,;\t\r\n])("*)'/g, "$1$2");

/** The rows that are not blank as `{row, cells}`: RFC 4180 with the separator that most lines have. */
function rowsOf(text) {
  const lines = text.split(/[\r\n]+/).map((line) => line.replace(/"[^"]*"/g, '""'));
  const counts = SEPARATORS.map((one) => lines.filter((line) => (one === "," ? CELL_COMMA.test(line) : line.includes(one))).length);
  const most = Math.max(...counts);
  // A file without cells is split by what no text has.
  const separator = most ? SEPARATORS[counts.indexOf(most)] : "\0";
  return cellsOf(text, separator).map((cells, at) => ({ row: at + 1, cells })).filter(({ cells }) => cells.some(Boolean));
}

/** The cells of each row of CSV (RFC 4180), without white space around them; a blank line is a row. */
function cellsOf(text, separator) {
  const pattern = new RegExp(`(?:"([^"]*(?:""[^"]*)*)"|([^${separator}\\r\\n]*))(${separator}|\\r\\n|\\n|\\r|$)`, "gy");
  const rows = [];
  let cells = [];
  for (const [whole, quoted, bare, end] of text.matchAll(pattern)) {
    cells.push((quoted === undefined ? bare : quoted.replaceAll('""', '"')).trim());
    if (end === separator) continue;
    rows.push(cells);
    cells = [];
    if (!whole) break;
  }
  return rows;
}

/** The headings and rows of an answer's CSV, without what keeps its cells from being formulas. */
export function tableOf(csv) {
  const [headings, ...rows] = cellsOf(csv.replace(/^\uFEFF/, ""), ",").filter((cells) => cells.length > 1);
  return { headings, rows: rows.map((cells) => cells.map(undefused)) };
}

/** How files begin that are no text: spreadsheets, archives, pictures, PDF. */
const BINARY = [[0x50, 0x4b, 3, 4], [0xd0, 0xcf, 0x11, 0xe0], [0x89, 0x50, 0x4e, 0x47], [0xff, 0xd8, 0xff], [0x47, 0x49, 0x46, 0x38], [0x25, 0x50, 0x44, 0x46]];

/**
 * A file's text: UTF-16 where it begins so, UTF-8, or else the Windows encoding of Russian
 * spreadsheets. Null where it is no text.
 */
export function textOf(buffer) {
  const bytes = new Uint8Array(buffer);
  const begins = (start) => start.every((byte, at) => bytes[at] === byte);
  if (BINARY.some(begins)) return null;
  if (begins([0xff, 0xfe])) return new TextDecoder("utf-16le").decode(bytes);
  if (begins([0xfe, 0xff])) return new TextDecoder("utf-16be").decode(bytes);
  if (bytes.subarray(0, 4096).includes(0)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1251").decode(bytes);
  }
}

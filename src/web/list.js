// The INNs in a list: a file's bytes, or text that was pasted. A table is read by its column
// of INNs, a plain list item by item; what is not written as an INN is reported with its row.

import { isInn } from "./routes.js";

const SEPARATORS = ["\t", ";", ","];
/** A comma between cells: none is followed by a space, nor stands in an amount. */
const CELL_COMMA = /,(?!\s|\d{1,2}(?!\d))/;
const ITEM_END = /[;\t]|,(?!\d{1,2}(?!\d))/;
const HEADING = /(?<!\p{L})(?:ИНН|INN)(?!\p{L})|^supplierINN$/iu;
const EXACT_HEADING = /^(?:ИНН|INN|supplierINN)$/iu;
const SUPPLIER = /постав|исполн|подряд|участн|контраг|suppl|contractor/iu;
/** An INN that is called so, whatever stands around it. */
const NAMED = /(?<!\p{L})(?:ИНН|INN)[\s:№]*(\d{12}|\d{10})(?!\d)/giu;
const WITH_KPP = /^(\d{10})\s*\/\s*\d{9}$/;
/** What may stand between the groups of digits of one number. */
const GAPS = /[\s\u2010-\u2015\u2212-]/g;

/**
 * The INNs in a text or a table, each once; `repeated`: how many came again; `others`: what
 * stands where an INN should and is none, as `{row, text}`, rows counted from 1; `column`:
 * the heading (or number) of the column that was read, where the text is a table;
 * `isUnclear`: no column or several columns of the table may be that of the INNs.
 */
export function innsIn(text) {
  const rows = rowsOf(text.replace(/^\uFEFF/, "").replace(/^\s*sep=.\r?\n/i, ""));
  const { items, column = "", others = [] } = columnOf(rows) ?? {};
  const found = [];
  for (const { row, text } of items ?? []) {
    const { inns, rest } = read(text);
    for (const inn of inns) found.push(inn);
    for (const other of rest) others.push({ row, text: other });
  }
  others.sort((one, other) => one.row - other.row);
  const inns = [...new Set(found)];
  return { inns, repeated: found.length - inns.length, others, column, isUnclear: !items };
}

/** Is this a number whose leading zero a table may have dropped? */
export const isCut = ({ text }) => /^(\d{9}|\d{11})$/.test(text);

/** The INNs of one cell or item, and what of it is none. */
function read(text) {
  const named = [...text.matchAll(NAMED)].map(([, inn]) => inn);
  if (named.length) return { inns: named, rest: [] };
  const words = text.split(/\s+/);
  if (words.some(isInn) && words.every((word) => /\d/.test(word))) {
    return { inns: words.filter(isInn), rest: words.filter((word) => !isInn(word)) };
  }
  const inn = WITH_KPP.exec(text)?.[1] ?? text.replace(GAPS, "");
  return isInn(inn) ? { inns: [inn], rest: [] } : { inns: [], rest: [text] };
}

/** What to read of `rows`, as `{items, column, others}`; null where that is not clear. */
function columnOf(rows) {
  const first = rows.findIndex(({ cells }) => cells.some(isHeading) && !cells.some(isInn));
  if (first >= 0) {
    const at = headedColumn(rows[first].cells);
    return at < 0 ? null : itemsOf(rows, first + 1, at, rows[first].cells[at]);
  }
  if (isList(rows)) return { items: rows.flatMap(listItems) };
  const [withInns, withOthers] = [new Set(), new Set()];
  for (const { cells } of rows) cells.forEach((cell, at) => cell && (isInn(cell) ? withInns : withOthers).add(at));
  const columns = [...withInns].filter((at) => !withOthers.has(at));
  return columns.length === 1 ? itemsOf(rows, 0, columns[0], String(columns[0] + 1)) : null;
}

const isHeading = (cell) => HEADING.test(cell) && !/\d/.test(cell);

/** The column that its heading names; -1 where several do, and none is the supplier's. */
function headedColumn(cells) {
  const exact = cells.findIndex((cell) => EXACT_HEADING.test(cell));
  if (exact >= 0) return exact;
  const headed = cells.flatMap((cell, at) => (isHeading(cell) ? [at] : []));
  return headed.find((at) => SUPPLIER.test(cells[at])) ?? (headed.length === 1 ? headed[0] : -1);
}

/** The cells of a column from the row `start` on; rows without one, and numbers before it, are others. */
function itemsOf(rows, start, at, column) {
  const whole = ({ row, cells }) => ({ row, text: cells.filter(Boolean).join(" ") });
  const body = rows.slice(start);
  return {
    column,
    items: body.flatMap(({ row, cells }) => pieces(row, cells[at] ?? "")),
    others: [...rows.slice(0, start).map(whole).filter(({ text }) => /\d/.test(text)), ...body.filter(({ cells }) => !cells[at]).map(whole)],
  };
}

/** Is this no table? Lines without cells, one line of numbers, or lines of numbers of different lengths. */
function isList(rows) {
  const widths = new Set(rows.map(({ cells }) => cells.length));
  if (rows.every(({ cells }) => cells.length === 1)) return true;
  return (rows.length === 1 || widths.size > 1) && !rows.some(({ cells }) => cells.some((cell) => /\p{L}/u.test(cell)));
}

/** What stands between separators within a cell. */
const pieces = (row, cell) => cell.split(ITEM_END).map((text) => ({ row, text: text.trim() })).filter(({ text }) => text);

/** What stands between separators in a line of a list; words alone are passed over. */
const listItems = ({ row, cells }) => cells.flatMap((cell) => pieces(row, cell)).filter(({ text }) => /\d/.test(text));

/** The rows that are not blank as `{row, cells}`: RFC 4180 with the separator that most lines have. */
function rowsOf(text) {
  const lines = text.split(/[\r\n]+/).map((line) => line.replace(/"[^"]*"/g, '""'));
  const counts = SEPARATORS.map((one) => lines.filter((line) => (one === "," ? CELL_COMMA.test(line) : line.includes(one))).length);
  const most = Math.max(...counts);
  // A file without cells is split by what no text has.
  const separator = most ? SEPARATORS[counts.indexOf(most)] : "\0";
  const pattern = new RegExp(`(?:"([^"]*(?:""[^"]*)*)"|([^${separator}\\r\\n]*))(${separator}|\\r\\n|\\n|\\r|$)`, "gy");
  const rows = [];
  let [row, cells] = [1, []];
  for (const [whole, quoted, bare, end] of text.matchAll(pattern)) {
    cells.push((quoted === undefined ? bare : quoted.replaceAll('""', '"')).trim());
    if (end === separator) continue;
    if (cells.some(Boolean)) rows.push({ row, cells });
    [row, cells] = [row + 1, []];
    if (!whole) break;
  }
  return rows;
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

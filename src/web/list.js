// The INNs in a list: a file's bytes, or text that was pasted, line by line and cell by
// cell. What has digits and gives no INN is told, so that nothing is lost without a word.

/** What may stand within a number that is written in groups: no dot, which dates have. */
const GAPS = "\\s\\u00a0\\u2007\\u202f\\u2010-\\u2015\\u2212-";
const GROUPS = new RegExp(`\\d+(?:[${GAPS}]{1,3}\\d+)*`, "g");
const WORDED = new RegExp(`[^\\d${GAPS}]`);
const DECIMAL = /(?<!\d)\d+(?:(?:\.\d+)+|,\d{1,2}(?![\d,]))/g;
/** A number with a letter O for a zero: what it should be is not guessed. */
const MISTYPED = /(?:(?<![\p{L}\d])[OoОо]{1,2}(?=\d)|(?<![\dOoОо])(?=\d+[OoОо]))\d+(?:[OoОо]{1,2}\d+)*[OoОо]{0,2}(?![\p{L}\d])/gu;
/** An INN and the KPP beside it, which is no lost number. */
const WITH_KPP = /(?<!\d)(?:\d{12}|\d{10})(?!\d)(?:\s*\/\s*\d{9}(?!\d))?|(?:КПП|KPP)\D{0,3}\d{9}(?!\d)/giu;
const HEADER = /(?<!\p{L})(?:ИНН|INN)(?!\p{L})/iu;
const SUPPLIER = /постав|исполн|подряд|участн|контраг|suppl|contractor/iu;
/** From how many digits on a number beside an INN is told, too. */
const TOLD = 5;

const isInn = (digits) => digits.length === 10 || digits.length === 12;
const digitsOf = (text) => text.replace(/\D/g, "");

/**
 * The INNs in a text or a table, each once; `repeated`: how many came again; `others`: what
 * has digits and gives no INN; `column`: the heading of the column that alone was read.
 */
export function innsIn(text) {
  const plain = text.replace(/^\uFEFF/, "").replace(/^\s*sep=.\r?\n/i, "");
  const { column, cells, others } = columnOf(plain) ?? { column: "", cells: plain.split(/[\r\n]+/).flatMap(piecesOf), others: [] };
  const found = [];
  for (const cell of cells) {
    const { inns, rest } = read(cell);
    for (const inn of inns) found.push(inn);
    for (const other of rest) others.push(other);
  }
  const inns = [...new Set(found)];
  return { inns, repeated: found.length - inns.length, others, column };
}

/** Is this a number whose leading zero a table may have dropped? */
export const isCut = (other) => /^(\d{9}|\d{11})$/.test(other);

/** What stands between semicolons, tabs and commas; the comma of an amount parts nothing. */
const piecesOf = (line) => line.split(/[;\t]|(?<!\d),|,(?!\d{1,2}(?![\d,]))/).map((piece) => piece.trim().replace(/^"+|"+$/g, "").trim());

/** What one cell says: its INNs, and what else of it is to be told. */
function read(cell) {
  if (!/\d/.test(cell)) return { inns: [], rest: [] };
  const mistyped = cell.match(MISTYPED) ?? [];
  const plain = cell.replace(MISTYPED, "#").replace(DECIMAL, "#");
  const alone = (plain.match(/\d+/g) ?? []).filter(isInn);
  if (!alone.length) {
    const joined = (plain.match(GROUPS) ?? []).map(digitsOf).filter(isInn);
    return { inns: joined, rest: joined.length ? mistyped : [cell] };
  }
  const left = plain.replace(WITH_KPP, "|").match(GROUPS) ?? [];
  const more = WORDED.test(cell) ? [] : left.map(digitsOf).filter(isInn);
  const rest = left.filter((group) => digitsOf(group).length >= TOLD && !(more.length && isInn(digitsOf(group))));
  return { inns: [...alone, ...more], rest: [...mistyped, ...rest] };
}

/** The cells of the column that a table's first row calls INN; null where there is none, or no INN in it. */
function columnOf(text) {
  const first = /\S.*/.exec(text)?.[0] ?? "";
  const separator = ["\t", ";", ","].find((one) => first.includes(one));
  if (!separator || !HEADER.test(first)) return null;
  const [head, ...rows] = table(text, separator);
  const named = head.map((cell, at) => ({ column: cell.trim(), at })).filter(({ column }) => HEADER.test(column) && !/\d/.test(column));
  const chosen = named.find(({ column }) => /^(ИНН|INN)$/iu.test(column)) ?? named.find(({ column }) => SUPPLIER.test(column)) ?? named[0];
  if (!chosen) return null;
  const [cells, others] = [[], []];
  for (const row of rows) {
    const cell = (row[chosen.at] ?? "").trim();
    if (/\d/.test(cell)) cells.push(cell);
    else others.push(cell || row.filter((one) => one.trim()).join(" "));
  }
  return cells.some((cell) => read(cell).inns.length) ? { column: chosen.column, cells, others } : null;
}

/** A table's rows that are not blank: RFC 4180 with any separator. */
function table(text, separator) {
  const rows = [];
  let row = [];
  const cells = new RegExp(`(?:"([^"]*(?:""[^"]*)*)"|([^${separator}\\r\\n]*))(${separator}|\\r\\n|\\n|\\r|$)`, "gy");
  for (const [whole, quoted, bare, end] of text.matchAll(cells)) {
    row.push(quoted === undefined ? bare : quoted.replaceAll('""', '"'));
    if (end === separator) continue;
    if (row.some((cell) => cell.trim())) rows.push(row);
    row = [];
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

// Parses a list of suppliers from a file or pasted text. A table is read by its INN column, a plain
// list line by line. Every line that is not blank is returned, with the INN to check or the reason
// why there is none.

import { innsOf, kindOf, nameNextTo, tidy } from "./inns.js";
import { isInn } from "./routes.js";

const SEPARATORS = ["\t", ";", ","];
/**
 * A comma that separates cells, unlike a comma before a space, in an amount or in a number in
 * scientific notation.
 */
const CELL_COMMA = /,(?!\s|\d{1,2}(?!\d)|\d+[EЕ]\+?\d)/iu;
const HEADING = /(?<!\p{L})(?:ИНН|INN)(?!\p{L})|^supplierINN$/iu;
const EXACT_HEADING = /^(?:ИНН|INN|supplierINN)$/iu;
const SUPPLIER = /постав|исполн|подряд|участн|контраг|suppl|contractor/iu;
const NAME = /наимен|назван|имя|фирм|компан|организ|предприят|фио|лицо|name|company/iu;
/** A heading made only of these words marks a column of names, for tables without an INN heading. */
const NAME_WORDS = [
  ["полное", "краткое", "наименовани[ея]", "названи[ея]", "имя", "фио", "список", "юр(?:идического)?\\.? лица"],
  ["поставщик", "исполнител", "подрядчик", "участник", "контрагент", "организаци", "компани", "предприяти"].map(
    (word) => `${word}\\p{L}*`,
  ),
  ["names?", "suppliers?", "contractors?", "compan(?:y|ies)", "list", "of"],
].flat();
const NAME_HEADING = new RegExp(`^(?:(?:${NAME_WORDS.join("|")})[\\s:/,]*)+$`, "iu");
const LEGAL_FORMS = [
  ["ООО", "П?АО", "[ЗО]АО", "НКО", "АНО", "ИП", "Ф?ГУП", "МУП", "[ФГМ]\\p{L}?[БКА]У\\p{L}{0,3}"],
  ["общество", "предприниматель", "LLC", "Ltd", "JSC"],
].flat();
const LEGAL_FORM = new RegExp(`(?<!\\p{L})(?:${LEGAL_FORMS.join("|")})(?!\\p{L})`, "iu");
const CUSTOMER = /заказчик|банк|customer|bank/iu;
/** The columns of a saved list; see `list-files.js`. */
export const SAVED_INN = "supplierINN";
export const SAVED = { row: "row", name: "nameAsGiven", text: "innAsGiven", score: "foundByName" };
const TOTAL = /^(?:итого|всего|total)(?!\p{L})/iu;
/** Number of first rows in which headings are looked for. */
const HEADED_WITHIN = 20;
const NOT_GIVEN = /(?<!\p{L})(?:нет|не|без|отсутствует|no|not)(?!\p{L})/iu;
/** A number whose digits are grouped by commas, which do not separate cells. */
const IN_GROUPS = /(?<![\d,])\d{1,3}(?:,\d{3}){3}(?![\d,])/g;

/** Invisible characters that are removed. */
const UNSEEN = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;
const WIDE_DIGIT = /[\uff10-\uff19]/g;

/**
 * Parses a list. Returns `{lines, totals, table, column, isUnclear}`.
 *
 * - `lines`: the lines below the headings, as `{row, name, text, inn, why, meant, cells}`. A line
 *   with several INNs is returned once for each. `row` counts from 1; `name` and `text` are the name
 *   and the INN as they were written. `inn` is the INN to check. If it is "", `why` is the reason:
 *   one of `innsOf` and `kindOf`, or `outside` if the INN is not in the INN column. `meant` is the
 *   INN that was probably meant, or "" if that is uncertain. `cells` are the cells of the row, empty
 *   for a plain list. In a saved list, `chosen` is the supplier chosen by name, as `{inn, score}`.
 * - `totals`: the numbers of totals rows, which are not among the lines.
 * - `table`: see `tableOf`.
 * - `column`: the heading or number of the INN column, "" for a plain list or if there is none.
 * - `isUnclear`: several columns may be the INN column.
 */
export function readList(given) {
  const { lines, ...read } = linesOf(given);
  return {
    ...read,
    lines: lines.filter(({ why }) => why !== "total"),
    totals: lines.filter(({ why }) => why === "total").map(({ row }) => row),
  };
}

/** Like `readList`, but the returned lines include totals rows. */
function linesOf(given) {
  const text = given
    .replace(UNSEEN, "")
    .replace(WIDE_DIGIT, (digit) => String.fromCharCode(digit.charCodeAt(0) - 0xfee0));
  const table = rowsOf(text.replace(/^\s*sep=.\r?\n/i, ""));
  const first = headingsIn(table);
  const headings = first < 0 ? [] : table[first].cells;
  const body = table
    .slice(first + 1)
    .filter(({ cells }) => !cells.length || first < 0 || cells.join("\0") !== headings.join("\0"));
  const isPlain = first < 0 ? isList(table) : headings.length === 1;
  const lines = table.slice(0, Math.max(first, 0)).flatMap(({ row, cells }) => outside(row, cells));
  if (isPlain)
    return {
      lines: [...lines, ...body.flatMap(readLine)],
      table: null,
      column: first < 0 ? "" : headings[0],
      isUnclear: false,
    };
  const at = headings.some(isHeading) ? headedColumn(headings) : columnOfInns(body);
  if (at === SEVERAL) return { lines: [], table: null, column: "", isUnclear: true };
  const columns = { inn: at, name: columnOfNames(body, at, headings), headings };
  const isSaved = headings[columns.name] === SAVED.name;
  const withCells = (row) =>
    [readRow(row, columns)]
      .flat()
      .map((line) => ({ ...line, cells: isSaved ? row.cells.map(unescapeFormula) : row.cells }));
  return {
    lines: [...lines, ...body.flatMap(withCells)],
    table: tableOf(columns, body, isSaved),
    column: at < 0 ? "" : headings[at] || String(at + 1),
    isUnclear: false,
  };
}

/** Upper bound on columns that are kept for downloads. */
const MOST_COLUMNS = 256;

/**
 * Returns the columns of a table as `{isSaved, all, others}`. A column is `{at, heading,
 * isNumber}`: `heading` is "" if the column has none, and `isNumber` means that all cells are
 * numbers. `others` are the columns without INNs and names. A saved list (`isSaved`) has added
 * columns, which are left out.
 */
function tableOf({ inn, name, headings }, body, isSaved) {
  const widest = body.reduce((most, { cells }) => Math.max(most, cells.length), headings.length);
  const many = Math.min(MOST_COLUMNS, widest);
  const own = new Set([...Object.values(SAVED), SAVED_INN]);
  const all = Array.from({ length: many }, (_, at) => ({ at, heading: headings[at] ?? "" }))
    .filter(({ heading }) => !isSaved || !own.has(heading))
    .map(({ at, heading }) => ({
      at,
      heading,
      isNumber: at !== inn && areNumbers(body.map(({ cells }) => cells[at] ?? "")),
    }));
  return { isSaved, all, others: all.filter(({ at }) => isSaved || (at !== inn && at !== name)) };
}

const NUMBER = /^-?(?:\d{1,3}(?:[ \u00a0\u202f]\d{3})+|\d+)(?:[.,]\d{1,9})?$/;

/**
 * Returns the digits of a numeric cell, or `null` if it is not a number that spreadsheets can store
 * exactly.
 */
export function numberIn(cell) {
  const digits = cell.replace(/[ \u00a0\u202f]/g, "").replace(",", ".");
  return NUMBER.test(cell) && !/^-?0\d/.test(digits) && digitsOf(digits).length <= 15 ? digits : null;
}

const digitsOf = (text) => text.replace(/\D/g, "");

const areNumbers = (cells) => cells.some(Boolean) && cells.every((cell) => !cell || numberIn(cell) !== null);

/** Results of picking a column: no column qualifies, or several do. */
const [NONE, SEVERAL] = [-1, -2];

const isHeading = (cell) => HEADING.test(cell) && !/\d/.test(cell) && !LEGAL_FORM.test(cell) && !NOT_GIVEN.test(cell);

/** Returns the index of the row with the headings, or -1 if there is none. */
function headingsIn(table) {
  const rows = table.slice(0, HEADED_WITHIN).map(({ cells }) => cells);
  // A row with a single cell can only be a heading if it is the first row.
  const first = (holds) => rows.findIndex((cells, at) => (at === 0 || cells.length > 1) && holds(cells));
  const named = first((cells) => cells.some(isHeading) && !cells.some((cell) => innsOf(cell).inns.length));
  return named >= 0 ? named : first((cells) => cells.some((cell) => NAME_HEADING.test(cell)));
}

/**
 * Returns whether the input is a plain list: it has only one line or one column, or it has rows of
 * different lengths and no letters.
 */
function isList(table) {
  const widths = new Set(table.map(({ cells }) => cells.length));
  if (table.length === 1 || table.every(({ cells }) => cells.length === 1)) return true;
  return widths.size > 1 && !table.some(({ cells }) => cells.some((cell) => /\p{L}/u.test(cell)));
}

const lineOf = (row, inn, name, text) => ({ row, name, text, inn, why: "", meant: "", cells: [] });
const missOf = (row, name, { text, why, inn = "" }) => ({ row, name, text, inn: "", why, meant: inn, cells: [] });

/**
 * Reads a line of a plain list: its INNs with the words next to them, or the reason why it has
 * none.
 */
function readLine({ row, cells }) {
  const line = cells.join("; ");
  const { inns, misses, rest } = innsOf(line);
  const unique = [...new Set(inns)];
  if (!unique.length) {
    const miss = misses[0] ?? kindOf(line);
    const name = TOTAL.test(line) ? "" : nameNextTo(miss.text ? rest.replace(miss.text, " ") : rest, []);
    return missOf(
      row,
      name,
      TOTAL.test(line) ? { text: line, why: "total" } : { ...miss, text: miss.text || (name ? "" : line) },
    );
  }
  const near = misses.map((miss) => missOf(row, "", miss));
  if (unique.length === 1) return [lineOf(row, unique[0], nameNextTo(rest, unique), unique[0]), ...near];
  // If a line has several INNs, a name belongs to the INN between the same separators.
  const names = new Map();
  for (const item of rest.split(/[;,\t]/)) {
    const { inns: own } = innsOf(item);
    if (own.length === 1) names.set(own[0], nameNextTo(item, own));
  }
  return [...unique.map((inn) => lineOf(row, inn, names.get(inn) ?? "", inn)), ...near];
}

/** Reads a row of a table: the INNs in the INN column, or the reason why there are none. */
function readRow({ row, cells }, { inn: at, name: named, headings }) {
  const saved = headings[named] === SAVED.name;
  if (saved) return readSaved(row, cells, headings, headings[at]);
  // A line that does not follow the structure of the table is read like one of a plain list.
  if (cells.length === 1 && (at > 0 || named > 0) && !headings.length) return readLine({ row, cells });
  const cell = cells[at] ?? "";
  const { inns, misses, rest } = innsOf(cell);
  const beside = nameNextTo(inns.length === 1 ? rest : "", inns);
  const given = tidy(cells[named] ?? "");
  const name = !headings.length && LEGAL_FORM.test(beside) ? beside : given || beside;
  if (inns.length)
    return [
      ...[...new Set(inns)].map((inn) => lineOf(row, inn, name, cell)),
      ...misses.map((miss) => missOf(row, name, miss)),
    ];
  if (cells.some((one) => TOTAL.test(one)) && !misses.length)
    return missOf(row, "", { text: cells.find((one) => TOTAL.test(one)), why: "total" });
  if (misses.length) return missOf(row, name, { ...misses[0], text: cell });
  const [other] = at >= 0 || named >= 0 ? outside(row, cells) : [];
  if (other && !/\d/.test(cell)) return { ...other, name };
  const kind = kindOf(cell);
  const isWord = kind.why === "none" && cell !== (cells[named] ?? "");
  return missOf(row, name, {
    ...kind,
    text: isWord || kind.text ? cell : name ? "" : cells.filter(Boolean).join("; "),
  });
}

/** Reads a row of a saved list, with its original row number and the chosen supplier. */
function readSaved(at, cells, headings, heading) {
  const value = (name) => unescapeFormula(cells[headings.indexOf(name)] ?? "");
  const row = /^\d{1,7}$/.test(value(SAVED.row)) ? Number(value(SAVED.row)) : at;
  const [name, text, score, inn] = [tidy(value(SAVED.name)), value(SAVED.text), value(SAVED.score), value(heading)];
  const read = [readLine({ row, cells: [headings.includes(SAVED.text) ? text : inn] })].flat()[0];
  if (read.inn === inn) return { ...read, name: name || read.name };
  // The line had no INN when the list was saved, so do not take anything in its text for one.
  if (!isInn(inn)) return { ...read, name: name || read.name, inn: "", why: read.why || "control" };
  if (!headings.includes(SAVED.text) || (read.inn && !score)) return lineOf(row, inn, name, inn);
  return {
    ...read,
    inn: "",
    why: read.why || "none",
    name: name || read.name,
    text,
    chosen: { inn, score: /^\d{1,3}$/.test(score) ? Number(score) : 0 },
  };
}

/**
 * Reports an INN that is in the row but not in the INN column. Returns an array of one line, or an
 * empty array.
 */
function outside(row, cells) {
  const { inns, areRight } = innsOf(cells.join("; "));
  const unique = [...new Set(inns)];
  return areRight
    ? [missOf(row, "", { text: unique.join(", "), why: "outside", inn: unique.length === 1 ? unique[0] : "" })]
    : [];
}

/** Picks the INN column by its heading. Returns `SEVERAL` if several match and none is the supplier's. */
function headedColumn(headings) {
  const exact = headings.findIndex((cell) => EXACT_HEADING.test(cell));
  if (exact >= 0) return exact;
  const headed = headings.flatMap((cell, at) => (isHeading(cell) ? [at] : []));
  return headed.find((at) => SUPPLIER.test(headings[at])) ?? (headed.length === 1 ? headed[0] : SEVERAL);
}

/**
 * Picks the INN column without a heading: the one where most cells hold INNs with valid check
 * digits; otherwise one where all cells hold INNs; otherwise the only one with a valid INN. Returns
 * `NONE` or `SEVERAL` if this does not single out a column.
 */
function columnOfInns(body) {
  const counts = [];
  for (const { cells } of body) {
    cells.forEach((cell, at) => {
      const { inns, areRight } = innsOf(cell);
      const one = (counts[at] ??= { filled: 0, inns: 0, right: 0 });
      one.filled += cell ? 1 : 0;
      one.inns += inns.length ? 1 : 0;
      one.right += areRight ? 1 : 0;
    });
  }
  const only = (holds) => counts.flatMap((one, at) => (one?.inns && holds(one) ? [at] : []));
  const kinds = [
    ({ filled, right }) => 2 * right > filled,
    ({ filled, inns }) => inns === filled,
    ({ right }) => right > 0,
  ];
  const columns = kinds.map(only).find(({ length }) => length) ?? [];
  return columns.length > 1 ? SEVERAL : (columns[0] ?? NONE);
}

/**
 * Picks the name column: by its heading; otherwise the one with the most legal forms, then the most
 * words, then the shortest distance to the INNs. Returns `NONE` if there is none.
 */
function columnOfNames(body, inns, headings) {
  if (headings.length) {
    const headed = headings.flatMap((cell, at) =>
      at !== inns && !isHeading(cell) && !CUSTOMER.test(cell) ? [at] : [],
    );
    const exact = headed.find((at) => headings[at] === SAVED.name);
    return (
      exact ??
      headed.find((at) => NAME.test(headings[at]) && SUPPLIER.test(headings[at])) ??
      headed.find((at) => NAME.test(headings[at])) ??
      headed.find((at) => SUPPLIER.test(headings[at])) ??
      NONE
    );
  }
  const counts = [];
  for (const { cells } of body) {
    cells.forEach((cell, at) => {
      const one = (counts[at] ??= { at, forms: 0, words: 0 });
      if (at === inns || !tidy(cell)) return;
      one.words += 1;
      one.forms += LEGAL_FORM.test(cell) ? 1 : 0;
    });
  }
  const far = ({ at }) => Math.abs(at - Math.max(inns, 0));
  const [best] = counts
    .filter((one) => one?.words)
    .sort((one, other) => other.forms - one.forms || other.words - one.words || far(one) - far(other));
  return best?.at ?? NONE;
}

/**
 * Puts an apostrophe before anything that a spreadsheet would interpret as a formula, as the API
 * does in CSV. `unescapeFormula` removes it.
 */
export const escapeFormula = (text) => text && text.replace(/(^|[,;])("*)(?=[=+@'-]|$)/g, "$1$2'");
export const unescapeFormula = (text) => text.replace(/(^|[,;\t\r\n])("*)'/g, "$1$2");

/**
 * Splits text into rows `{row, cells}`, leaving out blank rows and trailing blank cells. Parses
 * RFC 4180 with the separator that occurs in the most lines. If it occurs in fewer than half of
 * them, each line is one cell.
 */
function rowsOf(text) {
  const lines = text
    .split(/[\r\n]+/)
    .filter((line) => line.trim())
    .map((line) => line.replace(/"[^"]*"/g, '""').replace(IN_GROUPS, "0"));
  const counts = SEPARATORS.map(
    (one) => lines.filter((line) => (one === "," ? CELL_COMMA.test(line) : line.includes(one))).length,
  );
  const most = Math.max(...counts);
  // No text contains NUL, so nothing is split.
  const separator = most && 2 * most >= lines.length ? SEPARATORS[counts.indexOf(most)] : "\0";
  return cellsOf(text, separator)
    .map((cells, at) => ({ row: at + 1, cells: cells.slice(0, cells.findLastIndex(Boolean) + 1) }))
    .filter(({ cells }) => cells.length);
}

/** Parses CSV (RFC 4180) into rows of trimmed cells. Blank lines are kept as rows. */
export function cellsOf(text, separator) {
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

/** Magic numbers of files that are neither text nor XLSX: old Excel files, images, PDF. */
const BINARY = [
  [0xd0, 0xcf, 0x11, 0xe0],
  [0x89, 0x50, 0x4e, 0x47],
  [0xff, 0xd8, 0xff],
  [0x47, 0x49, 0x46, 0x38],
  [0x25, 0x50, 0x44, 0x46],
];

/**
 * Decodes a text file: UTF-16 with a byte order mark, UTF-8, or else Windows-1251. Returns `null`
 * if it is not text.
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

// Reads XLSX workbooks (ECMA-376) in the browser: the directory of the ZIP archive, the parts with
// cells, and the rows of a sheet as strings. Nothing is uploaded.

/**
 * Upper bounds on the size of a file and of each unpacked part, in bytes, so that a damaged or
 * malicious file cannot exhaust memory.
 */
export const LARGEST_WORKBOOK = 20_000_000;
const LARGEST_PART = 100_000_000;
/**
 * Upper bounds on the parts of an archive, rows read per sheet, cells per row, and characters per
 * cell.
 */
const MOST_PARTS = 10_000;
export const MOST_ROWS_READ = 10_001;
const MOST_CELLS = 256;
const LONGEST_CELL = 32_767;

/**
 * Thrown if a file cannot be read. `kind` is `damaged`, `large`, or `other` (an archive that is not
 * a workbook).
 */
export class UnreadableWorkbook extends Error {
  constructor(kind) {
    super(kind);
    this.kind = kind;
  }
}

const damaged = () => new UnreadableWorkbook("damaged");

/** Returns whether a file has the signature of a ZIP archive. */
export function isArchive(buffer) {
  const bytes = new Uint8Array(buffer, 0, Math.min(4, buffer.byteLength));
  return bytes.length === 4 && bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4;
}

/**
 * Returns the visible sheets of a workbook as `{name, read}`, or all sheets if none is visible.
 * `read` returns `{rows, isCut}`: the rows as arrays of strings (empty for missing rows), and
 * whether the sheet has more rows than are read. Throws `UnreadableWorkbook`.
 */
export async function sheetsOf(buffer) {
  const archive = openArchive(buffer);
  const workbook = await archive.text("xl/workbook.xml");
  if (workbook === null) throw new UnreadableWorkbook("other");
  const paths = relationsOf((await archive.text("xl/_rels/workbook.xml.rels")) ?? "");
  const sheets = [...elements(workbook, "sheet")]
    .map(({ attributes }) => attributes)
    .filter(({ id }) => paths.get(id)?.includes("/worksheets/"));
  if (!sheets.length) throw damaged();
  const seen = sheets.filter(({ state }) => !/hidden/i.test(state ?? ""));
  const shared = once(async () => stringsOf((await archive.text("xl/sharedStrings.xml")) ?? ""));
  const forms = once(async () => formsOfStyles((await archive.text("xl/styles.xml")) ?? ""));
  return (seen.length ? seen : sheets).map(({ name = "", id }) => ({
    name,
    read: async () => {
      const xml = await archive.text(paths.get(id));
      if (xml === null) throw damaged();
      return rowsOf(xml, await shared(), await forms());
    },
  }));
}

function once(make) {
  let made = null;
  return () => (made ??= make());
}

/**
 * Reads the directory of a ZIP archive. `text(path)` of the result unpacks a part and returns
 * `null` if there is no such part.
 */
function openArchive(buffer) {
  const view = new DataView(buffer);
  const end = endOfDirectory(view);
  const parts = new Map();
  try {
    const many = view.getUint16(end + 10, true);
    if (many > MOST_PARTS) throw new UnreadableWorkbook("large");
    let at = view.getUint32(end + 16, true);
    for (let part = 0; part < many; part += 1) {
      if (view.getUint32(at, true) !== 0x02014b50) throw damaged();
      const [name, extra, comment] = [28, 30, 32].map((field) => view.getUint16(at + field, true));
      const path = new TextDecoder().decode(new Uint8Array(buffer, at + 46, name));
      parts.set(path.replaceAll("\\", "/").toLowerCase(), {
        method: view.getUint16(at + 10, true),
        size: view.getUint32(at + 20, true),
        local: view.getUint32(at + 42, true),
      });
      at += 46 + name + extra + comment;
    }
  } catch (problem) {
    throw problem instanceof UnreadableWorkbook ? problem : damaged();
  }
  const text = async (path) => {
    const part = parts.get(path.toLowerCase());
    return part ? new TextDecoder().decode(await unpacked(view, part)) : null;
  };
  return { text };
}

/**
 * Finds the end record of a ZIP directory. A comment of up to 65,535 bytes may follow the record.
 */
function endOfDirectory(view) {
  for (let at = view.byteLength - 22; at >= Math.max(0, view.byteLength - 65_557); at -= 1) {
    if (view.getUint32(at, true) === 0x06054b50) return at;
  }
  throw damaged();
}

async function unpacked(view, { method, size, local }) {
  let packed;
  try {
    const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    packed = new Uint8Array(view.buffer, start, size);
  } catch {
    throw damaged();
  }
  if (method === 0) return packed;
  if (method !== 8) throw damaged();
  const chunks = [];
  let length = 0;
  try {
    const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      length += next.value.length;
      if (length > LARGEST_PART) {
        reader.cancel().catch(() => {});
        throw new UnreadableWorkbook("large");
      }
      chunks.push(next.value);
    }
  } catch (problem) {
    throw problem instanceof UnreadableWorkbook ? problem : damaged();
  }
  const all = new Uint8Array(length);
  chunks.reduce((at, chunk) => (all.set(chunk, at), at + chunk.length), 0);
  return all;
}

const ENTITIES = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/**
 * Decodes XML entities, and escapes such as `_x000D_`, which spreadsheets use for characters that
 * XML does not allow.
 */
const unescaped = (text) =>
  text.replace(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos));|_x([\da-f]{4})_/gi,
    (whole, decimal, hex, name, code) => {
      if (name) return ENTITIES[name.toLowerCase()];
      const point = decimal ? Number(decimal) : parseInt(hex ?? code, 16);
      return point <= 0x10ffff ? String.fromCodePoint(point) : "\ufffd";
    },
  );

/** Returns the attributes of a start tag, without namespace prefixes. */
const attributesOf = (tag) =>
  Object.fromEntries(
    [...tag.matchAll(/([\w.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)].map(([, name, double, single]) => [
      name,
      unescaped(double ?? single),
    ]),
  );

/**
 * Finds the elements with this name, regardless of their prefix, as `{attributes, content}`. They
 * must not be nested.
 */
function* elements(xml, name) {
  const start = new RegExp(`<((?:\\w+:)?${name})(\\s[^<>]*?)?(/?)>`, "g");
  for (let found = start.exec(xml); found; found = start.exec(xml)) {
    const [, tag, attributes = "", isEmpty] = found;
    const from = start.lastIndex;
    const to = isEmpty ? from : xml.indexOf(`</${tag}`, from);
    if (to < 0) throw damaged();
    yield { attributes: attributesOf(attributes), content: xml.slice(from, to) };
    start.lastIndex = to;
  }
}

/** Returns a map from relation id to the path of the part. */
function relationsOf(xml) {
  /** @returns {[string, string]} */
  const target = ({ Id, Target = "" }) => [
    Id,
    Target.startsWith("/") ? Target.slice(1) : `xl/${Target.replace(/^\.\//, "")}`,
  ];
  return new Map([...elements(xml, "Relationship")].map(({ attributes }) => target(attributes)));
}

/** Returns the text of a string, joining its formatted parts and omitting phonetic hints. */
function textIn(xml) {
  const spoken = [...elements(xml, "rPh")].reduce((rest, { content }) => rest.replace(content, ""), xml);
  return [...elements(spoken, "t")]
    .map(({ content }) => unescaped(content))
    .join("")
    .slice(0, LONGEST_CELL);
}

const stringsOf = (xml) => [...elements(xml, "si")].map(({ content }) => textIn(content));

/** Ids of the built-in date formats (ECMA-376, 18.8.30). */
const BUILT_IN_DAYS = new Set(["14", "15", "16", "17", "22", "27", "30", "36", "50", "57"]);
/** A format is a date format if it has a year or a day outside quotes, colours and conditions. */
const DAY_FORMAT = /[ydгд]/iu;

/**
 * Returns how each cell style displays numbers: `isDay`, and `digits`, the minimum number of
 * digits. A format of ten zeros preserves the leading zero of an INN.
 */
function formsOfStyles(xml) {
  const formats = new Map(
    [...elements(xml, "numFmt")].map(({ attributes: { numFmtId, formatCode = "" } }) => {
      const bare = formatCode.replace(/"[^"]*"|\\.|\[[^\]]*\]/g, "");
      const digits = /^0{2,15}(?:;|$)/.exec(formatCode)?.[0].replace(";", "").length ?? 0;
      return [numFmtId, { digits, isDay: DAY_FORMAT.test(bare) && !/general/i.test(bare) }];
    }),
  );
  const formOf = (id) => formats.get(id) ?? { digits: 0, isDay: BUILT_IN_DAYS.has(id) };
  const [styles] = elements(xml, "cellXfs");
  return styles ? [...elements(styles.content, "xf")].map(({ attributes: { numFmtId } }) => formOf(numFmtId)) : [];
}

/** Day 0 of spreadsheet dates, and the number of the last day, 31 December 9999. */
const DAY_ZERO = Date.UTC(1899, 11, 30);
const LAST_DAY = 2_958_465;

/**
 * Converts a day number to `2026-11-27`, with `13:34` if it has a time. Other numbers are returned
 * unchanged.
 */
function dayText(value) {
  const days = Number(value);
  if (!(days >= 1 && days <= LAST_DAY)) return value;
  const [day, time] = new Date(DAY_ZERO + Math.round(days * 1440) * 60_000).toISOString().split("T");
  return Number.isInteger(days) ? day : `${day} ${time.slice(0, 5)}`;
}

/**
 * Writes out a number such as `9.602003485E9`, padded to at least `digits` digits before the
 * decimal point.
 */
function numberText(value, digits) {
  const [, sign, whole, fraction = "", power = "0"] = /^(-?)(\d+)(?:\.(\d+))?(?:E\+?(-?\d+))?$/i.exec(value) ?? [];
  const shift = Number(power);
  if (whole === undefined || shift < 0 || shift > 30) return value;
  const all = `${whole}${fraction.padEnd(shift, "0")}`;
  const cut = whole.length + shift;
  const rest = all.slice(cut).replace(/0+$/, "");
  return (
    sign +
    all
      .slice(0, cut)
      .replace(/^0+(?=\d)/, "")
      .padStart(digits, "0") +
    (rest && `.${rest}`)
  );
}

function cellText({ t: type = "n", s: style }, content, shared, forms) {
  if (type === "inlineStr") return textIn(content);
  const value = unescaped([...elements(content, "v")][0]?.content ?? "").trim();
  if (type === "s") return shared[Number(value)] ?? "";
  if (type === "d") return value.replace(/T00:00:00.*$/, "").slice(0, LONGEST_CELL);
  if (type !== "n") return value.slice(0, LONGEST_CELL);
  const { digits = 0, isDay = false } = forms[Number(style)] ?? {};
  return isDay ? dayText(value) : numberText(value, digits);
}

/** Returns the column, counted from 0, of a reference such as `AB12`; -1 if it has none. */
const columnOf = (place = "") =>
  [...(/^[A-Z]{1,3}/i.exec(place)?.[0].toUpperCase() ?? "")].reduce(
    (number, letter) => number * 26 + letter.charCodeAt(0) - 64,
    0,
  ) - 1;

function rowsOf(xml, shared, forms) {
  const rows = [];
  let next = 0;
  for (const { attributes, content } of elements(xml, "row")) {
    const stated = Number(attributes.r);
    const at = stated > next ? stated - 1 : next;
    next = at + 1;
    const cells = cellsOf(content, shared, forms);
    if (!cells.some((cell) => cell.trim())) continue;
    if (at >= MOST_ROWS_READ) return { rows, isCut: true };
    while (rows.length < at) rows.push([]);
    rows.push(cells);
  }
  return { rows, isCut: false };
}

function cellsOf(content, shared, forms) {
  const cells = [];
  for (const { attributes, content: inner } of elements(content, "c")) {
    const stated = columnOf(attributes.r);
    const at = stated >= 0 ? stated : cells.length;
    if (at >= MOST_CELLS) break;
    while (cells.length < at) cells.push("");
    cells[at] = cellText(attributes, inner, shared, forms);
  }
  return cells;
}

/** Converts rows to tab-separated text for `readList`. */
export function tableText(rows) {
  const quoted = (cell) => (/["\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  // A row with a single cell also gets a tab, so that commas in the cell do not separate cells.
  return rows
    .map((cells) => (cells.length ? cells.map(quoted).join("\t") + (cells.length === 1 ? "\t" : "") : ""))
    .join("\n");
}

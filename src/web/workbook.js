// Workbooks (XLSX, ECMA-376) that are read in the browser: the directory of the ZIP archive,
// the parts that hold cells, and of each sheet its rows as texts. Nothing is sent anywhere.

/**
 * The largest file, and the largest of its parts once it is unpacked, in bytes: a damaged or
 * hostile file must not fill the memory.
 */
export const LARGEST_WORKBOOK = 20_000_000;
const LARGEST_PART = 100_000_000;
/** How many parts an archive may have, rows of a sheet are read, and cells of a row; the longest text of a cell. */
const MOST_PARTS = 10_000;
export const MOST_ROWS_READ = 10_001;
const MOST_CELLS = 256;
const LONGEST_CELL = 32_767;

/**
 * Why a file is no workbook that can be read: `kind` is `damaged`, `large` or `other` (an
 * archive of something else).
 */
export class UnreadableWorkbook extends Error {
  constructor(kind) {
    super(kind);
    this.kind = kind;
  }
}

const damaged = () => new UnreadableWorkbook("damaged");

/** Does a file begin as an archive does? */
export function isArchive(buffer) {
  const bytes = new Uint8Array(buffer, 0, Math.min(4, buffer.byteLength));
  return bytes.length === 4 && bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4;
}

/**
 * The sheets of a workbook that are not hidden (all, where all are), in their order, as
 * `{name, read}`; `read` gives its rows as `{rows, isCut}`: `rows` are lists of texts, a blank
 * one for each row that is not there; `isCut`: more rows have something than are read. Throws `UnreadableWorkbook`.
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

/** The parts of a ZIP archive by its directory; `text(path)`: one unpacked, null where there is none. */
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

/** Where the end of an archive's directory begins; a comment of up to 65,535 bytes may follow it. */
function endOfDirectory(view) {
  for (let at = view.byteLength - 22; at >= Math.max(0, view.byteLength - 65_557); at -= 1) {
    if (view.getUint32(at, true) === 0x06054b50) return at;
  }
  throw damaged();
}

/** The bytes of a part, stored or deflated. */
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

/** XML text as it reads: entities, and `_x000D_` as spreadsheets write what XML cannot. */
const unescaped = (text) =>
  text.replace(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos));|_x([\da-f]{4})_/gi,
    (whole, decimal, hex, name, code) => {
      if (name) return ENTITIES[name.toLowerCase()];
      const point = decimal ? Number(decimal) : parseInt(hex ?? code, 16);
      return point <= 0x10ffff ? String.fromCodePoint(point) : "\ufffd";
    },
  );

/** The attributes of a start tag by their names without a prefix. */
const attributesOf = (tag) =>
  Object.fromEntries(
    [...tag.matchAll(/([\w.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)].map(([, name, double, single]) => [
      name,
      unescaped(double ?? single),
    ]),
  );

/** The elements of a name (whatever their prefix), none of which is within another, as `{attributes, content}`. */
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

/** The paths of a workbook's parts by the names of its relations. */
function relationsOf(xml) {
  /** @returns {[string, string]} */
  const target = ({ Id, Target = "" }) => [
    Id,
    Target.startsWith("/") ? Target.slice(1) : `xl/${Target.replace(/^\.\//, "")}`,
  ];
  return new Map([...elements(xml, "Relationship")].map(({ attributes }) => target(attributes)));
}

/** The text of a string: of its parts in several styles, without how it is pronounced. */
function textIn(xml) {
  const spoken = [...elements(xml, "rPh")].reduce((rest, { content }) => rest.replace(content, ""), xml);
  return [...elements(spoken, "t")]
    .map(({ content }) => unescaped(content))
    .join("")
    .slice(0, LONGEST_CELL);
}

const stringsOf = (xml) => [...elements(xml, "si")].map(({ content }) => textIn(content));

/** The numbers of the built-in formats of days and times (ECMA-376, 18.8.30). */
const BUILT_IN_DAYS = new Set(["14", "15", "16", "17", "22", "27", "30", "36", "50", "57"]);
/** What a format of days has outside of quoted texts, colours and conditions: a year or a day. */
const DAY_FORMAT = /[ydгд]/iu;

/**
 * How each style of cells shows a number: `digits`, how many at least (a format of ten zeroes keeps
 * an INN's first zero), and `isDay`.
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

/** The day that spreadsheets count days from, and the last they know, 31.12.9999. */
const DAY_ZERO = Date.UTC(1899, 11, 30);
const LAST_DAY = 2_958_465;

/** A number of days as `2026-11-27`, with `13:34` where it has a time; another number as it is. */
function dayText(value) {
  const days = Number(value);
  if (!(days >= 1 && days <= LAST_DAY)) return value;
  const [day, time] = new Date(DAY_ZERO + Math.round(days * 1440) * 60_000).toISOString().split("T");
  return Number.isInteger(days) ? day : `${day} ${time.slice(0, 5)}`;
}

/** A number as its digits, `9.602003485E9` written out; at least so many before its fraction. */
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

/** The text of a cell. */
function cellText({ t: type = "n", s: style }, content, shared, forms) {
  if (type === "inlineStr") return textIn(content);
  const value = unescaped([...elements(content, "v")][0]?.content ?? "").trim();
  if (type === "s") return shared[Number(value)] ?? "";
  if (type === "d") return value.replace(/T00:00:00.*$/, "").slice(0, LONGEST_CELL);
  if (type !== "n") return value.slice(0, LONGEST_CELL);
  const { digits = 0, isDay = false } = forms[Number(style)] ?? {};
  return isDay ? dayText(value) : numberText(value, digits);
}

/** The number of a column, counted from 0, of a cell's place `AB12`; -1 where it is not said. */
const columnOf = (place = "") =>
  [...(/^[A-Z]{1,3}/i.exec(place)?.[0].toUpperCase() ?? "")].reduce(
    (number, letter) => number * 26 + letter.charCodeAt(0) - 64,
    0,
  ) - 1;

function rowsOf(xml, shared, forms) {
  const rows = [];
  let next = 0;
  for (const { attributes, content } of elements(xml, "row")) {
    const said = Number(attributes.r);
    const at = said > next ? said - 1 : next;
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
    const said = columnOf(attributes.r);
    const at = said >= 0 ? said : cells.length;
    if (at >= MOST_CELLS) break;
    while (cells.length < at) cells.push("");
    cells[at] = cellText(attributes, inner, shared, forms);
  }
  return cells;
}

/** Rows as text that `readList` takes: cells between tabs, a row in each line. */
export function tableText(rows) {
  const quoted = (cell) => (/["\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  // A row of one cell has a tab, too, so that no comma in it separates cells.
  return rows
    .map((cells) => (cells.length ? cells.map(quoted).join("\t") + (cells.length === 1 ? "\t" : "") : ""))
    .join("\n");
}

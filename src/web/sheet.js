// Writes a table as an XLSX file (ECMA-376): one sheet in an uncompressed ZIP archive. Text is
// stored as text, so that no number loses a leading zero and no cell becomes a formula.

/**
 * Limits of the format: rows of a sheet, including the title and the headings, and characters in a
 * cell.
 */
export const MOST_ROWS = 1_048_576;
const LONGEST_CELL = 32_767;

const DAY = 86_400_000;
/** Day 0 of spreadsheet dates. */
const DAY_ZERO = Date.UTC(1899, 11, 30);
const NS = "http://schemas.openxmlformats.org";
/** The XML namespace of sheets and styles. */
export const SHEET_NS = `${NS}/spreadsheetml/2006/main`;
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
/** Indices in `cellXfs`. All styles except the title wrap text and align it to the top. */
const [TITLE, HEADING, DATE, TEXT, TIME] = [0, 1, 2, 3, 4];

const PARTS = {
  "[Content_Types].xml": `<Types xmlns="${NS}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/></Types>`,
  "_rels/.rels": `<Relationships xmlns="${NS}/package/2006/relationships"><Relationship Id="rId1" Type="${NS}/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  "xl/_rels/workbook.xml.rels": `<Relationships xmlns="${NS}/package/2006/relationships"><Relationship Id="rId1" Type="${NS}/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${NS}/officeDocument/2006/relationships/styles" Target="styles.xml"/></Relationships>`,
};

/** Returns the XML of the styles. `days` is the date format. */
function styles(days) {
  const style = (number, font, wrapped) =>
    `<xf numFmtId="${number}" fontId="${font}" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1" applyAlignment="1">${wrapped ? '<alignment vertical="top" wrapText="1"/>' : ""}</xf>`;
  return `<styleSheet xmlns="${NS}/spreadsheetml/2006/main"><numFmts count="2"><numFmt numFmtId="164" formatCode="${days}"/><numFmt numFmtId="165" formatCode="${days}\\ hh:mm"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="5">${style(0, 0, false)}${style(0, 1, true)}${style(164, 0, true)}${style(0, 0, true)}${style(165, 0, true)}</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;
}

/**
 * Returns the XML of the workbook. `name` must not contain quotation marks. The rows `titles` are
 * repeated on each printed page.
 */
const workbook = (name, titles) =>
  `<workbook xmlns="${NS}/spreadsheetml/2006/main" xmlns:r="${NS}/officeDocument/2006/relationships"><sheets><sheet name="${escaped(name)}" sheetId="1" r:id="rId1"/></sheets>${titles && `<definedNames><definedName name="_xlnm.Print_Titles" localSheetId="0">'${escaped(name)}'!${titles}</definedName></definedNames>`}</workbook>`;

/** Returns the letters of a column, counted from 0. */
export const columnName = (at) => (at < 26 ? "" : columnName(Math.floor(at / 26) - 1)) + String.fromCharCode(65 + (at % 26));

const MARKUP = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
/** Escapes XML. Characters that XML 1.0 does not allow become U+FFFD. */
export const escaped = (text) =>
  text
    .slice(0, LONGEST_CELL)
    .replace(/[^\t\n\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "\ufffd")
    .replace(/[&<>]/g, (mark) => MARKUP[mark]);

/** A date, with or without a time. */
const MOMENT = /^(\d{4}-\d\d-\d\d)(?: (\d\d:\d\d))?$/;

function cell(value, style = TEXT) {
  if (value === "") return "<c/>";
  if (typeof value === "number") return `<c s="${style}"><v>${value}</v></c>`;
  if (typeof value === "object") return `<c s="${style}"><v>${value.number}</v></c>`;
  const [, day, time] = (style === TEXT && MOMENT.exec(value)) || [];
  const days = day ? dayNumber(`${day}T${time ?? "00:00"}Z`) : NaN;
  // Spreadsheets have no dates before day 1, so these remain text.
  if (days >= 1) return `<c s="${time ? TIME : DATE}"><v>${days}</v></c>`;
  return `<c t="inlineStr" s="${style}"><is><t xml:space="preserve">${escaped(value)}</t></is></c>`;
}

/**
 * Returns the bytes of an XLSX file: a title row, a row of headings with filters, then `rows`.
 *
 * A cell is a string, a number, or `{number}` with exact digits. Strings of the form `YYYY-MM-DD`
 * or `YYYY-MM-DD HH:MM` become dates in the format `days`. `name` has at most 31 characters;
 * `widths` are in characters.
 */
export function xlsx({ name, title, headings, rows, widths, days = "yyyy\\-mm\\-dd" }) {
  const line = (cells) => `<row>${cells.join("")}</row>`;
  const columns = widths
    .map((width, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`)
    .join("");
  const sheet = [
    `<worksheet xmlns="${NS}/spreadsheetml/2006/main"><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr><sheetViews><sheetView workbookViewId="0"><pane ySplit="2" topLeftCell="A3" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${columns}</cols><sheetData>`,
    line([cell(title, TITLE)]),
    line(headings.map((heading) => cell(heading, HEADING))),
    ...rows.map((row) => line(row.map((value) => cell(value)))),
    `</sheetData><autoFilter ref="A2:${columnName(headings.length - 1)}${rows.length + 2}"/><pageSetup paperSize="9" orientation="landscape" fitToHeight="0"/></worksheet>`,
  ].join("");
  return workbookFile({ name, titles: "$1:$2", styles: styles(days), sheet });
}

/**
 * Returns the bytes of a workbook with one sheet, from the XML of its styles and of the sheet. The
 * rows `titles` (`$1:$2`) are repeated on each printed page.
 */
export const workbookFile = ({ name, titles = "", styles, sheet }) =>
  zip({
    ...PARTS,
    "xl/styles.xml": styles,
    "xl/workbook.xml": workbook(name, titles),
    "xl/worksheets/sheet1.xml": sheet,
  });

export const dayNumber = (text) => (Date.parse(text) - DAY_ZERO) / DAY;

const CRC = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit += 1) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
  return rest;
});

const crc32 = (bytes) => ~bytes.reduce((rest, byte) => CRC[(rest ^ byte) & 255] ^ (rest >>> 8), -1) >>> 0;

/** Writes a ZIP archive without compression, dated 1 January 1980. */
function zip(files) {
  const encoder = new TextEncoder();
  const [local, central] = [[], []];
  let at = 0;
  for (const [path, text] of Object.entries(files)) {
    const [name, body] = [encoder.encode(path), encoder.encode(HEAD + text)];
    const size = body.length;
    // Fields that both headers contain: version, UTF-8 flag, method, time, date, checksum, sizes,
    // lengths of the name and of the extra field.
    const common = [
      [20, 2],
      [0x800, 2],
      [0, 2],
      [0, 2],
      [0x21, 2],
      [crc32(body), 4],
      [size, 4],
      [size, 4],
      [name.length, 2],
      [0, 2],
    ];
    local.push(fields([[0x04034b50, 4], ...common]), name, body);
    central.push(fields([[0x02014b50, 4], [20, 2], ...common, [0, 2], [0, 2], [0, 2], [0, 4], [at, 4]]), name);
    at += 30 + name.length + size;
  }
  const size = central.reduce((sum, part) => sum + part.length, 0);
  const many = Object.keys(files).length;
  return joined([
    ...local,
    ...central,
    fields([
      [0x06054b50, 4],
      [0, 2],
      [0, 2],
      [many, 2],
      [many, 2],
      [size, 4],
      [at, 4],
      [0, 2],
    ]),
  ]);
}

/** Packs `[number, bytes]` pairs as little-endian integers. */
const fields = (numbers) =>
  Uint8Array.from(
    numbers.flatMap(([number, bytes]) => Array.from({ length: bytes }, (_, at) => (number >>> (8 * at)) & 255)),
  );

function joined(parts) {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  parts.reduce((at, part) => (all.set(part, at), at + part.length), 0);
  return all;
}

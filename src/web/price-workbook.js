// The price calculation as a workbook. The results are formulas over the price cells, so that
// changing a price or the quantity recalculates them. Each formula also has its exact value, for
// programs that do not calculate.

import { codeLabel, sourceWords } from "./price-sheet-words.js";
import { readable } from "./names.js";
import { perUnit, unitName } from "./price-units.js";
import { columnName, dayNumber, escaped, SHEET_NS, workbookFile } from "./sheet.js";
import { homogeneity, MOST_VARIATION, percentAbove } from "./statistics.js";
import { fieldName, language, t } from "./texts.js";

const top = '<alignment vertical="top"/>';
const wrap = '<alignment vertical="top" wrapText="1"/>';
/** Cell styles in the order of `cellXfs`: number format, font, alignment. */
const STYLES = {
  text: [0, 0, top],
  wrapped: [0, 0, wrap],
  heading: [0, 1, wrap],
  bold: [0, 1, top],
  title: [0, 2, top],
  day: [164, 0, top],
  amount: [165, 0, top],
  result: [165, 1, top],
  exact: [166, 0, top],
  plain: [0, 0, top],
};
const styleOf = (name) => Object.keys(STYLES).indexOf(name);

function styles() {
  const days = language() === "ru" ? "dd\\.mm\\.yyyy" : "d\\ mmm\\ yyyy";
  const formats = [
    [164, days],
    [165, "#,##0.00"],
    [166, "#,##0.00##########"],
  ].map(([id, code]) => `<numFmt numFmtId="${id}" formatCode="${code}"/>`);
  const fonts = [
    [11, ""],
    [11, "<b/>"],
    [14, "<b/>"],
  ].map(([size, bold]) => `<font>${bold}<sz val="${size}"/><name val="Calibri"/></font>`);
  const cells = Object.values(STYLES).map(
    ([format, font, alignment]) =>
      `<xf numFmtId="${format}" fontId="${font}" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" ` +
      `applyFont="1" applyAlignment="1">${alignment}</xf>`,
  );
  return [
    `<styleSheet xmlns="${SHEET_NS}">`,
    `<numFmts count="3">${formats.join("")}</numFmts>`,
    `<fonts count="3">${fonts.join("")}</fonts>`,
    '<fills count="2"><fill><patternFill patternType="none"/></fill>',
    '<fill><patternFill patternType="gray125"/></fill></fills>',
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>',
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>',
    `<cellXfs count="${cells.length}">${cells.join("")}</cellXfs>`,
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>',
  ].join("");
}

/**
 * Functions that create a cell: a string, a number given as exact digits, and a string computed by
 * a formula. A cell is itself a function, which takes the reference of the cell, such as `B2`, and
 * returns XML.
 */
const text =
  (value, style = "wrapped") =>
  (place) =>
    `<c r="${place}" t="inlineStr" s="${styleOf(style)}"><is><t xml:space="preserve">${escaped(value)}</t></is></c>`;
const number =
  (value, style, formula = "") =>
  (place) =>
    `<c r="${place}" s="${styleOf(style)}">${formula && `<f>${escaped(formula)}</f>`}<v>${value}</v></c>`;
const word = (value, formula) => (place) =>
  `<c r="${place}" t="str" s="${styleOf("bold")}"><f>${escaped(formula)}</f><v>${escaped(value)}</v></c>`;

/** A row that is `lines` lines high. Cells that are `null` stay empty. */
const rowOf = (at, cells, lines = 1) =>
  `<row r="${at}"${lines > 1 ? ` ht="${lines * LINE}" customHeight="1"` : ""}>` +
  `${cells.map((cell, column) => cell?.(columnName(column) + at) ?? "").join("")}</row>`;

/** Height of a line, in points. */
const LINE = 15;
/** Column widths, in characters. */
const WIDTHS = [5, 34, 14, 38, 14, 38, 12, 14, 12];
/**
 * Numbers of the rows with the quantity, the threshold and the headings, and the column of the
 * prices.
 */
const [QUANTITY, THRESHOLD, HEADINGS, PRICES] = [5, 6, 8, "H"];

export function priceWorkbook(calculation) {
  const { chosen, figures } = calculation;
  const [first, last] = [HEADINGS + 1, HEADINGS + chosen.length];
  const mean = last + 3;
  const rows = [
    ...head(calculation),
    ...chosen.map((item, at) => rowOf(first + at, priceCells(item, at, first + at, figures.mean, mean), linesOf(item))),
    ...results(calculation, `${PRICES}${first}:${PRICES}${last}`, last + 2),
  ];
  const columns = WIDTHS.map((width, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`);
  const sheet = [
    `<worksheet xmlns="${SHEET_NS}"><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>`,
    `<cols>${columns.join("")}</cols><sheetData>${rows.join("")}</sheetData>`,
    '<pageSetup paperSize="9" orientation="landscape" fitToHeight="0"/></worksheet>',
  ].join("");
  return workbookFile({ name: t("sheet.short"), styles: styles(), sheet });
}

/** The rows above the prices. */
function head({ object, codes, unit, quantity, today }) {
  const headings = [
    t("sheet.number"),
    t("sheet.regNum"),
    t("sheet.day"),
    t("sheet.customer"),
    fieldName("customerInn"),
    t("sheet.name"),
    t("sheet.many", { unit: unitName(unit) }),
    t("sheet.price", { per: perUnit(unit) }),
    t("sheet.above"),
  ];
  return [
    rowOf(1, [text(t("sheet.title"), "title")], 2),
    rowOf(2, [null, text(t("sheet.made")), number(dayNumber(today), "day")]),
    rowOf(3, [null, text(t("sheet.object")), text(object, "text")]),
    rowOf(4, [null, text(codeLabel(codes)), text(codes.join(", "), "text")]),
    rowOf(QUANTITY, [null, text(t("sheet.quantity")), number(quantity, "plain"), text(unitName(unit), "text")]),
    rowOf(THRESHOLD, [null, text(t("sheet.threshold")), number(MOST_VARIATION, "plain")]),
    rowOf(
      HEADINGS,
      headings.map((heading) => text(heading, "heading")),
      2,
    ),
  ];
}

/**
 * Estimates how many lines a price needs, because not all spreadsheet programs adjust the row
 * height. The factor allows for word wrap.
 */
const linesOf = ({ customerName, name }) =>
  Math.ceil(Math.max(readable(customerName).length, name.length) / (WIDTHS[3] * 0.8)) || 1;

/** The cells of a price in row `row`. Their formulas refer to the mean in row `meanRow`. */
function priceCells(item, at, row, mean, meanRow) {
  const { regNum, signDate, customerName, customerInn, name, quantity, price } = item;
  return [
    number(at + 1, "plain"),
    text(regNum),
    signDate ? number(dayNumber(signDate), "day") : null,
    text(readable(customerName)),
    text(customerInn),
    text(name),
    quantity ? number(quantity, "plain") : null,
    number(price, "exact"),
    number(percentAbove(price, mean), "plain", `ROUND((${PRICES}${row}/$C$${meanRow}-1)*100,0)`),
  ];
}

/** The results, from row `at` on: formulas over the range `prices`, followed by the remarks. */
function results(calculation, prices, at) {
  const { unit, figures, price } = calculation;
  const [mean, variation] = [`C${at + 1}`, `C${at + 3}`];
  const words = ["homogeneous", "heterogeneous"].map((kind) => t(`prices.${kind}`));
  const lines = [
    [t("sheet.count"), number(figures.count, "plain", `COUNT(${prices})`)],
    [t("sheet.mean", { per: perUnit(unit) }), number(figures.mean, "amount", `ROUND(AVERAGE(${prices}),2)`)],
    [t("sheet.deviation"), number(figures.deviation, "amount", `ROUND(STDEV(${prices}),2)`)],
    [
      t("sheet.variationPercent"),
      number(figures.variation, "amount", `ROUND(STDEV(${prices})/AVERAGE(${prices})*100,2)`),
    ],
    [
      t("sheet.conclusion"),
      word(
        t(`prices.${homogeneity(figures.variation)}`),
        `IF(${variation}<=C${THRESHOLD},"${words[0]}","${words[1]}")`,
      ),
    ],
    [t("sheet.resultShort"), number(price, "result", `ROUND(${mean}*C${QUANTITY},2)`)],
  ];
  return [
    ...lines.map(([label, cell], line) => rowOf(at + line, [null, text(label), cell])),
    ...sourceWords(calculation)
      .flat()
      .map((line, below) => rowOf(at + lines.length + 1 + below, [null, text(line, "text")])),
  ];
}

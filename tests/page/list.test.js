// Parsing and writing lists, without a browser: `src/web/list.js` and the files that it uses.

import assert from "node:assert/strict";
import { test } from "node:test";
import { fileName } from "../../src/web/file-name.js";
import { lineTable, listCsv, tableCsv, tableRows, watchCsv } from "../../src/web/list-files.js";
import { areSame } from "../../src/web/list-names.js";
import { readList } from "../../src/web/list.js";
import { xlsx } from "../../src/web/sheet.js";
import { CELLS, LINES } from "./awkward.js";

const [A, B, C] = ["9602003485", "9602003527", "9602003012"];

/** The result for a line in the notation of `awkward.js`: INN or reason, and name. */
const resultOf = ({ inn, why, meant, name }) => `${inn || `!${why}${meant && `=${meant}`}`}${name && ` | ${name}`}`;

/**
 * Checks the result of parsing `text`. `expected` has one result per line: `row INN | name` or
 * `row !reason | name`.
 */
function check(text, expected, { column = "", isUnclear = false, totals = [] } = {}) {
  const { table, ...read } = readList(text);
  assert.deepEqual({ ...read, lines: read.lines.map((line) => `${line.row} ${resultOf(line)}`) }, { lines: expected, totals, column, isUnclear }, text);
}

test("awkward lines and cells are read as expected", () => {
  const rows = (table) => table.slice(1, -1).split("\n").map((row) => /^(.*?) ?→ (.*)$/.exec(row).slice(1));
  const found = rows(LINES).map(([line]) => {
    const { lines, totals } = readList(line);
    return `${line} → ${[...lines.map(resultOf), ...totals.map(() => "!total")].join("; ")}`;
  });
  assert.deepEqual(found, rows(LINES).map((row) => row.join(" → ")));
  const cell = (text) => readList(`№;Название;ИНН\n1;ООО А;${text}\n2;ООО Б;${B}`).lines;
  assert.deepEqual(rows(CELLS).map(([text]) => `${text} → ${resultOf(cell(text)[0])}, ${cell(text).length}`), rows(CELLS).map(([text, outcome]) => `${text} → ${outcome} | ООО А, 2`));
});

test("a plain list: INNs keep their row and the words next to them; blank rows are skipped", () => {
  check(`${A}\n\n${B}\n${A}`, [`1 ${A}`, `3 ${B}`, `4 ${A}`]);
  check(`${A}, ${B};${C}\t${A}`, [`1 ${A}`, `1 ${B}`, `1 ${C}`]);
  check(`ООО «Ромашка» ${A}\n${B} — ИП Иванов И. И.\nООО Лютик`, [`1 ${A} | ООО «Ромашка»`, `2 ${B} | ИП Иванов И. И.`, "3 !none | ООО Лютик"]);
  check(`ООО А ${A}; ООО Б ${B}`, [`1 ${A} | ООО А`, `1 ${B} | ООО Б`]);
  check(`ООО А ${A}, ООО Б 5602003527`, [`1 ${A} | ООО А, ООО Б`, "1 !control"]);
  check(`Проверьте, ИНН:\n${A}, ${B}`, [`2 ${A}`, `2 ${B}`], { column: "Проверьте, ИНН:" });
  check(`ООО А\nООО Б, ИНН не указан\n${A}\nООО «А,Б»`, ["1 !none | ООО А", "2 !none | ООО Б", `3 ${A}`, "4 !none | ООО «А,Б»"]);
});

test("a table: INNs and names are read from the columns with these headings", () => {
  check(`№;Телефон;ИНН поставщика;Наименование\n1;4951234567;${A};ООО А\n2;"a;b";"96 0200 3527";"ООО ""Б"""\n3;;;ООО В\n№;Телефон;ИНН поставщика;Наименование\n4;;12;ООО Г\nИтого;;;\n`,
    [`2 ${A} | ООО А`, `3 ${B} | ООО "Б"`, "4 !none | ООО В", "6 !length | ООО Г"], { column: "ИНН поставщика", totals: [7] });
  check(`ИНН заказчика,Наименование заказчика,Поставщик,ИНН поставщика\n${A},Школа,ООО Б,${B}`, [`2 ${B} | ООО Б`], { column: "ИНН поставщика" });
  check(`supplierINN,supplierName\n${A},"ООО ""А"", 4951234567"`, [`2 ${A} | ООО "А", 4951234567`], { column: "supplierINN" });
  check(`Отчёт по ${C}\n\nИмя\tИНН\tНомер\nА\t${A}\t0296200014323000112\nБ\tнет\t1\nВ\t\t${B}`, [`1 !outside=${C}`, `4 ${A} | А`, "5 !none | Б", `6 !outside=${B} | В`], { column: "ИНН" });
});

test("a table without headings: the column with valid INNs is used; several such columns are ambiguous", () => {
  check(`ООО А;${A};+74951234567\nООО ИНН-Сервис;${B};`, [`1 ${A} | ООО А`, `2 ${B} | ООО ИНН-Сервис`], { column: "2" });
  check(`ООО А;${A};4951234567\nООО Б;${B};4951234568`, [`1 ${A} | ООО А`, `2 ${B} | ООО Б`], { column: "2" });
  check(`Иванов\t1\tООО А, ИНН ${A}\nПетров\t2\tООО Б, ИНН ${B}`, [`1 ${A} | ООО А`, `2 ${B} | ООО Б`], { column: "3" });
  check(`ООО А;нет\nООО Б;${B}`, ["1 !none | ООО А", `2 ${B} | ООО Б`], { column: "2" });
  for (const unclear of [`ООО А;${A};${C}\nООО Б;${B};${C}`, `ИНН заказчика;ИНН банка\n${A};${B}`]) check(unclear, [], { isUnclear: true });
});

test("a table without INNs: names are read from their column", () => {
  check("Наименование\nООО А\nИП Иванов", ["2 !none | ООО А", "3 !none | ИП Иванов"], { column: "Наименование" });
  check("№;Поставщик;Адрес\n1;ООО А;Москва\n2;Завод;Тула", ["2 !none | ООО А", "3 !none | Завод"]);
  check("1;Москва;ООО А\n2;Тула;АО Б", ["1 !none | ООО А", "2 !none | АО Б"]);
});

/** Names that a spreadsheet or a CSV parser may misread. */
const NAMES = ["", "ООО Ромашка", 'ООО "А; Б", филиал', "=cmd|' /C calc'!A0", "+7", "'апостроф", "a,-b", 'x,"@y"', "12.03.2024", `ООО 4951234567 и ${C}`, "-", "ИНН"];

test("a saved list can be loaded again with the chosen matches, and no cell of it is a formula", () => {
  const line = (row, name, text, inn, more = {}) => ({ row, name, text, inn, why: "", meant: "", ...more });
  const bare = ({ cells, ...rest }) => rest;
  const lines = NAMES.flatMap((name, at) => [line(10 + at, name, A, A), line(10 + at, name, at % 2 ? B : "7707083894", at % 2 ? B : "7707083894")]);
  lines.push(line(40, "ООО Найден", "", A, { score: 96 }), line(41, "ООО Ноль", "602003527", B, { score: 0 }), line(42, "ООО Круглый", "9,602E+09", ""), line(43, "ООО Без", "", ""));
  const csv = listCsv(lines);
  const again = readList(csv);
  const lettered = (name) => (/\p{L}/u.test(name) ? name.replace(/[-,]+$/, "") : "");
  assert.deepEqual(again.lines.slice(0, -4).map(bare), lines.slice(0, -4).map((one) => ({ ...one, name: lettered(one.name) })));
  assert.deepEqual(again.lines.slice(-4).map(({ row, name, text, why, chosen }) => ({ row, name, text, why, chosen })), [
    { row: 40, name: "ООО Найден", text: "", why: "none", chosen: { inn: A, score: 96 } }, { row: 41, name: "ООО Ноль", text: "602003527", why: "nine", chosen: { inn: B, score: 0 } },
    { row: 42, name: "ООО Круглый", text: "9,602E+09", why: "rounded", chosen: undefined }, { row: 43, name: "ООО Без", text: "", why: "none", chosen: undefined },
  ]);
  assert.doesNotMatch(csv, /(^|[,;\n])"*[=+@-]/m);
});

/**
 * Two responses as CSV: one for a supplier with two entries, one for a supplier with a single
 * entry.
 */
const PARTS = [`\ufeffsupplierINN,verdict,reason,excludeDate\r\n${A},listed,"a\r\n${B}, no row of its own",2026-01-02\r\n${A},listed,'=b,\r\n`, `\ufeffsupplierINN,verdict,reason,excludeDate\r\n${B},listed,c,2027-03-04\r\n`];

test("a table of answers has one row per line, however many entries, and the reason if it was not checked", () => {
  const lines = [{ row: 2, inn: B, name: "ООО Б", text: B }, { row: 3, inn: A, name: "=А", text: `${A},00` }, { row: 4, inn: "", name: "", text: "12" }, { row: 9, inn: B, name: "Б, ещё раз", text: "", score: 96 }];
  const of = ({ inn, score }) => ({ foundByName: score ? String(score) : "", nameScore: inn === A ? "6" : "", nameDiffers: inn === A ? "true" : "", notChecked: inn ? "" : "нет ИНН" });
  const table = lineTable(lines, { csvs: PARTS, of });
  assert.deepEqual(tableCsv(table).split(/\r\n(?!9602003527, )/), [
    "\ufeffrow,nameAsGiven,innAsGiven,foundByName,nameScore,nameDiffers,notChecked,supplierINN,verdict,reason,excludeDate", `2,ООО Б,${B},,,,,${B},listed,c,2027-03-04`,
    `3,'=А,"${A},00",,6,true,,${A},listed,"a\r\n${B}, no row of its own; '=b","2026-01-02; "`, "4,,12,,,,нет ИНН,,,,", `9,"Б, ещё раз",,96,,,,${B},listed,c,2027-03-04`, "",
  ]);
  const words = (name, text, isAlone) => (name === "excludeDate" && !isAlone && text ? `до ${text}` : text);
  assert.deepEqual(tableRows(table, words)[1], ["3", "=А", `${A},00`, "", "6", "true", "", A, "listed", `a\r\n${B}, no row of its own\n=b`, "до 2026-01-02\n"]);
});

test("files keep a list's own columns in order and put the results to their right", () => {
  const { lines, totals, table } = readList(`Договор;ИНН;Поставщик;Сумма;Дата;Куратор\nД-1;${A};ООО А;1 912 400,50;2026-11-27;=Лапина\n\nД-2;${B};ООО Б;240;;\nИТОГО;;;1 912 640,50`);
  assert.deepEqual(totals, [5]);
  assert.deepEqual(table.others.map(({ heading, isNumber }) => [heading, isNumber]), [["Договор", false], ["Сумма", true], ["Дата", false], ["Куратор", false]]);
  const found = lineTable(lines, { table, csvs: PARTS, more: ["overdue"], of: ({ inn }) => ({ notChecked: "", overdue: inn === A ? "2" : "" }) });
  assert.deepEqual(tableCsv(found).split(/\r\n(?!9602003527, )/), [
    "\ufeffДоговор,ИНН,Поставщик,Сумма,Дата,Куратор,row,foundByName,nameScore,nameDiffers,notChecked,supplierINN,verdict,reason,excludeDate,overdue",
    `Д-1,${A},ООО А,"1 912 400,50",2026-11-27,'=Лапина,2,,,,,${A},listed,"a\r\n${B}, no row of its own; '=b","2026-01-02; ",2`,
    `Д-2,${B},ООО Б,240,,,4,,,,,${B},listed,c,2027-03-04,`, "",
  ]);
  assert.deepEqual(tableRows(found, (_, text) => text)[0].slice(0, 7), ["Д-1", A, "ООО А", { number: "1912400.50" }, "2026-11-27", "=Лапина", "2"]);
  const saved = readList(listCsv(lines, table));
  assert.deepEqual(saved.table.others.map(({ heading }) => heading), ["Договор", "Сумма", "Дата", "Куратор"]);
  assert.deepEqual(saved.lines.map(({ row, inn, cells }) => [row, inn, ...cells.slice(5)]), [[2, A, "Д-1", "1 912 400,50", "2026-11-27", "=Лапина"], [4, B, "Д-2", "240"]]);
  const again = tableCsv(lineTable(saved.lines, { table: saved.table, csvs: [], of: () => ({}) })).split("\r\n");
  assert.deepEqual(again.slice(0, 2), ["\ufeffrow,nameAsGiven,innAsGiven,Договор,Сумма,Дата,Куратор,foundByName,nameScore,nameDiffers,notChecked", `2,ООО А,${A},Д-1,"1 912 400,50",2026-11-27,'=Лапина,,,,`]);
});

test("a list for `watch` has each INN once, under a heading that it accepts", () => {
  assert.equal(watchCsv([{ supplierINN: A, supplierName: 'ООО "А, Б"' }, { supplierINN: B, supplierName: null }]), `\ufeffINN,name\r\n${A},"ООО ""А, Б"""\r\n${B},\r\n`);
});

test("obviously equal names need no comparison", () => {
  for (const [one, other, expected] of [
    ["ООО «Речной сад»", 'ОБЩЕСТВО С ОГРАНИЧЕННОЙ ОТВЕТСТВЕННОСТЬЮ "РЕЧНОЙ САД"', true], ["Речной-сад, ООО", "ООО РЕЧНОЙ САД", true], ["ИП Ёлкин А.Б.", "Елкин А. Б.", true],
    ["ООО Рога и копыта", "ООО ФАРМСТРОЙ-35", false], ["ООО", "АО", false], ["Речной", "ООО РЕЧНОЙ САД", false],
  ]) assert.equal(areSame(one, other), expected, `${one}, ${other}`);
});

test("a workbook has typed cells, escapes markup, has filters, and repeats headings on each printed page", () => {
  const book = new TextDecoder().decode(xlsx({ name: "А & Б", title: "О чём", headings: ["Строка", "ИНН"], rows: [[1, "0012345678"], [2, "=1+1 <b> & \u0001\ufffe"], ["2024-02-29", ""], ["2024-02-29 12:00", { number: "1912400.50" }], ["2024-13-45", "1899-01-01"]], widths: [8, 16] }));
  const text = (words, style = 3) => `<c t="inlineStr" s="${style}"><is><t xml:space="preserve">${words}</t></is></c>`;
  for (const part of ['<sheet name="А &amp; Б"', "'А &amp; Б'!$1:$2</definedName>", '<pane ySplit="2" topLeftCell="A3"', '<autoFilter ref="A2:B7"/>', 'orientation="landscape"']) assert.ok(book.includes(part), part);
  for (const row of [[text("О чём", 0)], [text("Строка", 1), text("ИНН", 1)], ['<c s="3"><v>1</v></c>', text("0012345678")], ['<c s="3"><v>2</v></c>', text("=1+1 &lt;b&gt; &amp; \ufffd\ufffd")], ['<c s="2"><v>45351</v></c>', "<c/>"], ['<c s="4"><v>45351.5</v></c>', '<c s="3"><v>1912400.50</v></c>'], [text("2024-13-45"), text("1899-01-01")]]) {
    assert.ok(book.includes(`<row>${row.join("")}</row>`), row.join(""));
  }
});

test("random texts are read quickly and give only valid rows and INNs", () => {
  const pieces = [A, B, "7707083894", "602003527", "960200З485", "4951234567", "+7 916 123-45-67", "ООО Ромашка", "ИНН", "КПП 960201001", "12,50", "12.03.2024", "=x", '"', '""', ";", ",", ", ", "\t", "\n", "\r\n", " ", "\u00a0", "-", "№ 1.", "'", "(", "row", "nameAsGiven", "supplierINN", "тел."];
  let seed = 18;
  const random = (below) => (seed = (seed * 48271) % 0x7fffffff) % below;
  for (let round = 0; round < 4000; round += 1) {
    const text = Array.from({ length: 1 + random(40) }, () => pieces[random(pieces.length)]).join(random(2) ? "" : " ");
    const { lines } = readList(text);
    const count = text.split(/\r\n|\n|\r/).length;
    for (const { row, inn, why, meant, name } of lines) {
      assert.match(inn || meant || A, /^(\d{10}|\d{12})$/, text);
      assert.ok(inn ? text.replace(/\D/g, "").includes(inn) : why, text);
      assert.ok(row >= 1 && (row <= count || text.includes("row")) && name.length <= 300 && name === name.trim() && !/[\r\n\t]/.test(name), text);
    }
    const again = readList(listCsv(lines));
    assert.deepEqual(again.lines.map(({ row, inn }) => `${row} ${inn}`), lines.map(({ row, inn }) => `${row} ${inn}`), text);
  }
});

test("a file of the maximum size is read quickly", () => {
  const large = [
    `${A} `.repeat(400_000), `${A};ООО Ромашка;12.03.2024;+7 495 123-45-67\n`.repeat(40_000), "1".repeat(2_000_000), `${"1O".repeat(1_000_000)}x`, "1.".repeat(1_000_000),
    "1 ".repeat(1_000_000), "1,".repeat(1_000_000), "ИНН ".repeat(500_000), `тел ${" ".repeat(2_000_000)}`, "123456789;".repeat(200_000), "960200З48 ".repeat(200_000), '"'.repeat(2_000_000), '"a\n'.repeat(700_000), ",".repeat(2_000_000),
  ];
  for (const text of large) {
    // Processor time: other tests may be running.
    const began = process.cpuUsage();
    readList(text);
    const { user, system } = process.cpuUsage(began);
    assert.ok(user + system < 30_000_000, `${user + system} µs: ${text.slice(0, 30)}`);
  }
});

test("file names contain subject, filters and date", () => {
  const name = (url, ...rest) => fileName(url, ...rest).replace(/\d{4}-\d\d-\d\d$/, "DAY");
  assert.equal(name("/contract/monitor-supplier44?supplierINN=9602003012&format=csv&skip=0&limit=20&stage=EC&signedFrom=2024-01-01&signedTo=2024-12-31&sort=contractPrice"), "contracts-9602003012-2024-EC-DAY");
  assert.equal(name("/contract/monitor-supplier44?supplierINN=9602003012&skip=40&limit=20&signedFrom=2024-02-01&priceTo=1000.50&stage=E,ET"), "contracts-9602003012-from_2024-02-01-priceTo_1000.50-E_ET-skip_40-DAY");
  assert.equal(name("/contract/monitor-supplier44?supplierINN=9602003012&skip=0&limit=200", "all"), "contracts-9602003012-all-DAY");
  assert.equal(fileName("/rnp/check-suppliers?supplierINN=9602003012&format=xml&history=1&asOf=2024-03-01"), "rnp-9602003012-2024-03-01");
  assert.equal(name("/rnp/check-suppliers?supplierINN=9602003012,9602003485&history=1"), "rnp-list-DAY");
  assert.equal(name("/contract/monitor-customer44?customerINN=9608197580&skip=0&limit=20&stage=EC&sort=contractPrice"), "customer-contracts-9608197580-EC-DAY");
  assert.equal(name("/purchase/demo44?purchaseNumber=0296200014323000112&format=json"), "purchase-0296200014323000112-DAY");
  assert.equal(name("/find?code=../../Ромашка \"x\""), "find-code_-x-DAY");
});

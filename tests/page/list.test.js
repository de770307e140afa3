// How a list is read and written: `src/web/list.js` and what it is made of, without a browser.

import assert from "node:assert/strict";
import { test } from "node:test";
import { fileName } from "../../src/web/file-name.js";
import { crc32 } from "node:zlib";
import { joinRows, listCsv, readList, tableOf } from "../../src/web/list.js";
import { xlsx } from "../../src/web/sheet.js";

const [A, B, C] = ["9602003485", "9602003527", "9602003012"];

/** What is read of a text, compared with what is expected: rows as `row INN name`, misses as `row why text`. */
function check(text, expected) {
  const { rows, misses, ...rest } = readList(text);
  const told = {
    ...rest,
    rows: rows.map(({ row, inn, name }) => `${row} ${inn} ${name}`.trim()),
    misses: misses.map(({ row, why, text: said, inn }) => `${row} ${why} ${said}${inn && ` = ${inn}`}`),
  };
  assert.deepEqual(told, { rows: [], misses: [], without: [], column: "", isUnclear: false, ...expected }, text);
}

test("a plain list: each row keeps its INNs and the words beside them", () => {
  check(`${A}\n\n${B}\n${A}`, { rows: [`1 ${A}`, `3 ${B}`, `4 ${A}`] });
  check(`${A}, ${B};${C}\t${A}`, { rows: [`1 ${A}`, `1 ${B}`, `1 ${C}`] });
  check(`ООО «Ромашка» ${A}\n${B} — ИП Иванов И. И.`, { rows: [`1 ${A} ООО «Ромашка»`, `2 ${B} ИП Иванов И. И.`] });
  check(`1. ООО Ромашка, ИНН ${A}, КПП 960201001\n2) АО «Завод № 12» (ИНН/КПП ${B}/960201001)`, { rows: [`1 ${A} ООО Ромашка`, `2 ${B} АО «Завод № 12»`] });
  check(`ООО А ${A}; ООО Б ${B}`, { rows: [`1 ${A} ООО А`, `1 ${B} ООО Б`] });
  check(`ООО Телеком ${A}\nРубеж ${B} Тысяча`, { rows: [`1 ${A} ООО Телеком`, `2 ${B} Рубеж Тысяча`] });
});

test("an INN is read in groups, beside its KPP, glued to its label, and with wrong control digits", () => {
  check("96 0200 3527\n9602\u00a0003\u00a0012\n9602-006-662", { rows: [`1 ${B}`, `2 ${C}`, "3 9602006662"] });
  check(`ИНН${A}КПП960201001\n${B}/960201001`, { rows: [`1 ${A}`, `2 ${B}`] });
  check("ООО Опечатка 9602003486", { rows: ["1 9602003486 ООО Опечатка"] });
  check("7707083894 960200142710", { rows: ["1 7707083894", "1 960200142710"] });
});

test("a telephone, an account, a day, an amount, an OGRN, a KPP or a BIK is no supplier and no miss", () => {
  for (const text of [
    "+7 916 123-45-67", "8 (495) 123-45-67", "89161234567", "(495) 123-45-67", "495 123-45-67", "тел. 4951234567", "Тел.: 8 495 123 45 67",
    "40702810900000012345", "р/с 40702 810 9 0000 0012345", "12.03.2024", "2024-03-12", "1 234 567,00", "1234567890,50", "1234567890 руб.",
    "1027700132195", "ОГРНИП 304500116000157", "КПП 960201001", "960201001", "044525225", "СНИЛС 112-233-445 95", "ОКПО 1234567890", "123", "0296200014323000112", "ООО Ромашка",
  ]) check(text, {});
  check(`ООО А ${A} тел. 4951234567, р/с 40702810900000012345, 12.03.2024`, { rows: [`1 ${A} ООО А`] });
  check(`Проверьте ${A}, звонить 4951234567`, { rows: [`1 ${A} Проверьте, звонить`] });
});

test("what looks like an INN and is none is reported with its row, and what is probably meant", () => {
  check("602003527\n98765432101\nООО А 1234567894", { rows: ["3 1234567894 ООО А"], misses: ["1 zero 602003527", "2 zero 98765432101 = 098765432101"] });
  check("98765432102", { misses: ["1 eleven 98765432102"] });
  check("ООО А 602003527\nИНН 602003527 ООО Б", { misses: ["2 zero 602003527"] });
  check("960200З485\nО602003485\nПоставщик: 96О2003485", { misses: ["1 letters 960200З485 = 9602003485", "2 letters О602003485", "3 letters 96О2003485 = 9602003485"] });
  check(`ООО А ${A}, ООО Б 5602003527`, { rows: [`1 ${A} ООО А, ООО Б`], misses: ["1 control 5602003527"] });
});

test("a table is read by its column of INNs; the name is that of the column called so", () => {
  check(`№;Телефон;ИНН поставщика;Наименование\n1;4951234567;${A};ООО А\n2;"a;b";"96 0200 3527";"ООО ""Б"""\n3;;;ООО В\n4;;12;ООО Г\nИтого;;;\n`,
    { rows: [`2 ${A} ООО А`, `3 ${B} ООО "Б"`], without: [4], misses: ["5 other 12"], column: "ИНН поставщика" });
  check(`ИНН заказчика,Наименование заказчика,Поставщик,ИНН поставщика\n${A},Школа,ООО Б,${B}`, { rows: [`2 ${B} ООО Б`], column: "ИНН поставщика", misses: [] });
  check(`supplierINN,supplierName\n${A},"ООО ""А"", 4951234567"`, { rows: [`2 ${A} ООО "А", 4951234567`], column: "supplierINN" });
  check(`Отчёт по ${C}\n\nИмя\tИНН\tНомер\nА\t${A}\t0296200014323000112\nБ\tнет\t1`, { rows: [`4 ${A} А`], misses: [`1 outside ${C}`], without: [5], column: "ИНН" });
  check(`Проверьте, ИНН:\n${A}, ${B}`, { rows: [`2 ${A}`, `2 ${B}`], column: "Проверьте, ИНН:" });
});

test("a table without headings is read by the column of right INNs; where there are several, it is unclear", () => {
  check(`ООО А;${A};+74951234567\nООО ИНН-Сервис;${B};`, { rows: [`1 ${A} ООО А`, `2 ${B} ООО ИНН-Сервис`], column: "2" });
  check(`ООО А;${A};4951234567\nООО Б;${B};4951234568`, { rows: [`1 ${A} ООО А`, `2 ${B} ООО Б`], column: "2" });
  check(`Иванов\t1\tООО А, ИНН ${A}\nПетров\t2\tООО Б, ИНН ${B}`, { rows: [`1 ${A} Иванов`, `2 ${B} Петров`], column: "3" });
  for (const unclear of [`ООО А;${A};${C}\nООО Б;${B};${C}`, `ООО А;нет\nООО Б;${B}`, `ИНН заказчика;ИНН банка\n${A};${B}`]) check(unclear, { isUnclear: true });
});

/** Names that a spreadsheet, or a reader of CSV, may take for something else. */
const NAMES = ["", "ООО Ромашка", 'ООО "А; Б", филиал', "=cmd|' /C calc'!A0", "+7", "'апостроф", "a,-b", 'x,"@y"', "12.03.2024", `ООО 4951234567 и ${C}`, "-", "ИНН"];

test("a saved list is taken again whole, and no cell of it begins a formula", () => {
  const rows = NAMES.flatMap((name, at) => [{ row: 10 + at, inn: A, name }, { row: 10 + at, inn: at % 2 ? B : "7707083894", name }]);
  const csv = listCsv(rows);
  const again = readList(csv);
  const lettered = (name) => (/\p{L}/u.test(name) ? name.replace(/[-,]+$/, "") : "");
  assert.deepEqual(again.rows, rows.map((row) => ({ ...row, name: lettered(row.name) })));
  assert.deepEqual([again.misses, again.without, again.column], [[], [], "supplierINN"]);
  assert.doesNotMatch(csv, /(^|[,;\n])"*[=+@-]/m);
});

test("the lines of an answer stand where their INN stands in the list", () => {
  const rows = [{ row: 2, inn: B, name: "ООО Б" }, { row: 3, inn: A, name: "ООО А" }, { row: 9, inn: B, name: "Б, ещё раз" }];
  const parts = [`\ufeffsupplierINN,reason\r\n${A},"a\r\n${B},no row of its own"\r\n${A},b\r\n`, `\ufeffsupplierINN,reason\r\n${B},c\r\n`];
  assert.equal(joinRows(rows, parts), [
    "\ufeffrow,nameAsGiven,supplierINN,reason", `2,ООО Б,${B},c`, `3,ООО А,${A},"a`, `${B},no row of its own"`, `3,ООО А,${A},b`, `9,"Б, ещё раз",${B},c`, "",
  ].join("\r\n"));
  assert.deepEqual(readList(joinRows(rows, parts)).rows, rows, "each row once, with its number in the first list");
});

test("an answer's CSV is a table again: quotes, line breaks, and texts that would be formulas", () => {
  const csv = "\ufeffrow,a,b\r\n1,\"x, \"\"y\"\"\r\nz\",'=1+1\r\n2,,'+7\r\n";
  assert.deepEqual(tableOf(csv), { headings: ["row", "a", "b"], rows: [["1", 'x, "y"\r\nz', "=1+1"], ["2", "", "+7"]] });
});

/** The files of an archive without compression, read by its directory. */
function unzipped(bytes) {
  const view = new DataView(bytes.buffer);
  const end = bytes.length - 22;
  assert.equal(view.getUint32(end, true), 0x06054b50);
  const files = new Map();
  for (let at = view.getUint32(end + 16, true); at < end;) {
    assert.equal(view.getUint32(at, true), 0x02014b50);
    const [sum, size, length, local] = [view.getUint32(at + 16, true), view.getUint32(at + 24, true), view.getUint16(at + 28, true), view.getUint32(at + 42, true)];
    const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + length));
    const body = bytes.subarray(local + 30 + length, local + 30 + length + size);
    assert.equal(view.getUint32(local, true), 0x04034b50);
    assert.equal(crc32(body), sum, name);
    files.set(name, new TextDecoder().decode(body));
    at += 46 + length;
  }
  assert.equal(files.size, view.getUint16(end + 10, true));
  return files;
}

test("a sheet has text as text, days as days, rows as numbers, and markup of none", () => {
  const files = unzipped(xlsx({ name: "А & Б", title: "О чём", headings: ["Строка", "ИНН"], rows: [[1, "0012345678"], [2, "=1+1 <b> & \u0001\ufffe"], ["2024-02-29", ""]], widths: [8, 16] }));
  assert.deepEqual([...files.keys()].sort(), ["[Content_Types].xml", "_rels/.rels", "xl/_rels/workbook.xml.rels", "xl/styles.xml", "xl/workbook.xml", "xl/worksheets/sheet1.xml"]);
  const sheet = files.get("xl/worksheets/sheet1.xml");
  const text = (words, style = 0) => `<c t="inlineStr" s="${style}"><is><t xml:space="preserve">${words}</t></is></c>`;
  assert.ok(files.get("xl/workbook.xml").includes('<sheet name="А &amp; Б"'));
  assert.ok(sheet.includes('<pane ySplit="2" topLeftCell="A3"'));
  for (const row of [[text("О чём")], [text("Строка", 1), text("ИНН", 1)], ["<c><v>1</v></c>", text("0012345678")], ["<c><v>2</v></c>", text("=1+1 &lt;b&gt; &amp; \ufffd\ufffd")], ['<c s="2"><v>45351</v></c>', "<c/>"]]) {
    assert.ok(sheet.includes(`<row>${row.join("")}</row>`), row.join(""));
  }
});

test("whatever a text is, what is read of it are INNs of its rows, and soon", () => {
  const pieces = [A, B, "7707083894", "602003527", "960200З485", "4951234567", "+7 916 123-45-67", "ООО Ромашка", "ИНН", "КПП 960201001", "12,50", "12.03.2024", "=x", '"', '""', ";", ",", ", ", "\t", "\n", "\r\n", " ", "\u00a0", "-", "№ 1.", "'", "(", "row", "nameAsGiven", "supplierINN", "тел."];
  let seed = 18;
  const random = (below) => (seed = (seed * 48271) % 0x7fffffff) % below;
  for (let round = 0; round < 4000; round += 1) {
    const text = Array.from({ length: 1 + random(40) }, () => pieces[random(pieces.length)]).join(random(2) ? "" : " ");
    const { rows, misses, without } = readList(text);
    const lines = text.split(/\r\n|\n|\r/).length;
    for (const { row, inn, name } of rows) {
      assert.match(inn, /^(\d{10}|\d{12})$/, text);
      assert.ok(text.replace(/\D/g, "").includes(inn), text);
      assert.ok(Number.isInteger(row) && name.length <= 300 && name === name.trim() && !/[\r\n\t]/.test(name), text);
    }
    for (const row of [...misses.map((miss) => miss.row), ...without]) assert.ok(row >= 1 && (row <= lines || text.includes("row")), text);
    const again = readList(listCsv(rows));
    assert.deepEqual(again.rows.map(({ row, inn }) => `${row} ${inn}`), rows.map(({ row, inn }) => `${row} ${inn}`), text);
  }
});

test("the largest file is read in no more than a moment", () => {
  const large = [
    `${A} `.repeat(400_000), `${A};ООО Ромашка;12.03.2024;+7 495 123-45-67\n`.repeat(40_000), "1".repeat(2_000_000), `${"1O".repeat(1_000_000)}x`, "1.".repeat(1_000_000),
    "1 ".repeat(1_000_000), "1,".repeat(1_000_000), "ИНН ".repeat(500_000), `тел ${" ".repeat(2_000_000)}`, "123456789;".repeat(200_000), "960200З48 ".repeat(200_000), '"'.repeat(2_000_000), '"a\n'.repeat(700_000), ",".repeat(2_000_000),
  ];
  for (const text of large) {
    const began = performance.now();
    readList(text);
    const took = performance.now() - began;
    assert.ok(took < 30_000, `${Math.round(took)} ms: ${text.slice(0, 30)}`);
  }
});

test("a saved answer is called by what it is of, its filters and its day", () => {
  const name = (url, ...rest) => fileName(url, ...rest).replace(/\d{4}-\d\d-\d\d$/, "DAY");
  assert.equal(name("/contract/monitor-supplier44?supplierINN=9602003012&format=csv&skip=0&limit=20&stage=EC&signedFrom=2024-01-01&signedTo=2024-12-31&sort=contractPrice"), "contracts-9602003012-2024-EC-DAY");
  assert.equal(name("/contract/monitor-supplier44?supplierINN=9602003012&skip=40&limit=20&signedFrom=2024-02-01&priceTo=1000.50&stage=E,ET"), "contracts-9602003012-from_2024-02-01-priceTo_1000.50-E_ET-skip_40-DAY");
  assert.equal(name("/contract/monitor-supplier44?supplierINN=9602003012&skip=0&limit=200", "all"), "contracts-9602003012-all-DAY");
  assert.equal(fileName("/rnp/check-suppliers?supplierINN=9602003012&format=xml&history=1&asOf=2024-03-01"), "rnp-9602003012-2024-03-01");
  assert.equal(name("/rnp/check-suppliers?supplierINN=9602003012,9602003485&history=1"), "rnp-list-DAY");
  assert.equal(name("/purchase/demo44?purchaseNumber=0296200014323000112&format=json"), "purchase-0296200014323000112-DAY");
  assert.equal(name("/find?q=../../Ромашка \"x\""), "find-q_-x-DAY");
});

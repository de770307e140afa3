// Parsing workbooks without a browser (`src/web/workbook.js`).

import assert from "node:assert/strict";
import { test } from "node:test";
import { readList } from "../../src/web/list.js";
import { sheetsOf, tableText } from "../../src/web/workbook.js";
import { textRows, workbook, zipped } from "./xlsx.js";

const buffer = (bytes) => bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
const sheets = (bytes) => sheetsOf(buffer(bytes));
const rowsOf = async (bytes) => (await (await sheets(bytes))[0].read()).rows;

test("cells of every type are read as the displayed text", async () => {
  const strings = "<si><t>ООО &quot;А&amp;Б&quot;</t></si><si><r><t>ООО </t></r><r><rPr><b/></rPr><t xml:space=\"preserve\">«Жир»</t></r><rPh sb=\"0\"><t>x</t></rPh></si><si><t>a_x000D_&#10;b</t></si>";
  const styles = '<numFmts><numFmt numFmtId="164" formatCode="0000000000"/><numFmt numFmtId="165" formatCode="[$-419]dd\\.mm\\.yyyy"/><numFmt numFmtId="166" formatCode="#,##0.00&quot; руб.&quot;"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="14"/><xf numFmtId="165"/><xf numFmtId="22"/><xf numFmtId="166"/></cellXfs>';
  const cells = [
    '<c r="A1" t="s"><v>0</v></c>', '<c r="B1" t="s"><v>1</v></c>', '<c r="C1" t="s"><v>2</v></c>', '<c r="D1"><v>9602003485</v></c>', '<c r="E1"><v>9.602003485E9</v></c>',
    '<c r="F1" s="1"><v>602003485</v></c>', '<c r="G1"><v>9602003485.0</v></c>', '<c r="H1"><v>9.6020014271E+11</v></c>', '<c r="I1" t="str"><f>A1</f><v>формула</v></c>', '<c r="J1" t="e"><v>#N/A</v></c>',
    '<c r="K1"><v>1250000.5</v></c>', '<c r="L1"/>', '<c r="M1" t="inlineStr"><is><t>  x </t></is></c>',
    '<c r="N1" s="2"><v>46353</v></c>', '<c r="O1" s="3"><v>45351</v></c>', '<c r="P1" s="4"><v>46353.565277777775</v></c>', '<c r="Q1" s="5"><v>1912400</v></c>', '<c r="R1" s="2"><v>99999999</v></c>',
  ];
  assert.deepEqual(await rowsOf(workbook([["Лист", `<row r="1">${cells.join("")}</row>`]], strings, styles)), [[
    'ООО "А&Б"', "ООО «Жир»", "a\r\nb", "9602003485", "9602003485", "0602003485", "9602003485", "960200142710", "формула", "#N/A", "1250000.5", "", "  x ", "2026-11-27", "2024-02-29", "2026-11-27 13:34", "1912400", "99999999",
  ]]);
});

test("rows and cells keep their positions, whatever the parts are named; hidden sheets are skipped", async () => {
  const sparse = '<x:row r="3"><x:c r="C3" t="inlineStr"><x:is><x:t>ИНН</x:t></x:is></x:c></x:row><x:row r="5"><x:c r="A5" t="inlineStr"><x:is><x:t>А, Б</x:t></x:is></x:c><x:c r="C5"><x:v>9602003485</x:v></x:c></x:row>';
  const bytes = workbook([["Скрытый", textRows([["нет"]]), 'state="hidden"'], ["Список &amp; Ко", sparse]]);
  const [only, ...others] = await sheets(bytes);
  assert.deepEqual([only.name, others], ["Список & Ко", []]);
  const { rows } = await only.read();
  assert.deepEqual(rows, [[], [], ["", "", "ИНН"], [], ["А, Б", "", "9602003485"]]);
  assert.deepEqual(readList(tableText(rows)).lines.map(({ row, inn }) => [row, inn]), [[5, "9602003485"]]);
  assert.deepEqual(readList(tableText([["9602003485"], [], ['ООО "А,Б"\nфилиал']])).lines.map(({ row, name, inn }) => [row, name, inn]), [[1, "", "9602003485"], [3, 'ООО "А,Б" филиал', ""]]);
});

test("10,000 rows below the headings are read, and further rows are reported", async () => {
  const many = (count) => workbook([["Л", textRows(Array.from({ length: count }, (_, at) => [String(1_000_000_000 + at)]))]]);
  for (const [count, isCut] of [[10_001, false], [10_002, true]]) {
    const read = await (await sheets(many(count)))[0].read();
    assert.deepEqual([read.rows.length, read.isCut], [10_001, isCut]);
  }
});

test("files that are no workbook, damaged or too large are rejected quickly", async () => {
  const whole = workbook([["Л", textRows([["9602003485"]])]]);
  const huge = workbook([["Л", `<row>${" ".repeat(100_000_001)}</row>`]]);
  const bytesAt = (at) => Buffer.concat([whole.subarray(0, at), Buffer.from([0xff]), whole.subarray(at + 1)]);
  for (const [bytes, kind] of [
    [zipped({ "content.xml": "<x/>" }), "other"], [Buffer.from([0x50, 0x4b, 3, 4]), "damaged"], [whole.subarray(0, whole.length - 30), "damaged"], [huge, "large"],
    [workbook([["Л", "<row><c><v>1</v></c>"]]), "damaged"], [workbook([["Л", "<row ".repeat(200_000)]]), null], [bytesAt(whole.length - 6), "damaged"],
  ]) {
    const problem = await rowsOf(bytes).then(() => null, (error) => error);
    assert.equal(problem && problem.kind, kind, `${bytes.length} bytes: ${problem?.stack}`);
  }
});

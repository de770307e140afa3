import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { direct, launch, open, saved, settled } from "./browser.js";
import { cleanUp, demo, over, synthetic } from "./service.js";

const LIST = ["9602003485", "9602003527", "9602003012", "9602006662", "9602007779", "7707083893", "7707083894"];

let browser, service, large, inns;
before(async () => {
  const lines = synthetic();
  inns = [...new Set([...lines.matchAll(/"supplier":\{"inn":"(\d+)"/g)].map(([, inn]) => inn))];
  [browser, service, large] = await Promise.all([launch(), demo(), over(lines, "--rnp-rate", "0")]);
});
after(async () => {
  await browser.close();
  await service.stop();
  await large.stop();
  cleanUp();
});

const rows = (page) => page.locator(".verdicts tbody tr");

test("a list pasted into the search field becomes a table of verdicts", async () => {
  const { page, close } = await open(browser, service);
  await page.locator("#search").waitFor();
  await page.evaluate((text) => navigator.clipboard.writeText(text), LIST.join("\n"));
  await page.locator("#search").focus();
  await page.keyboard.press("Control+V");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Проверено 7 поставщиков" }).waitFor();
  assert.deepEqual(await rows(page).locator("td.col-verdict").allInnerTexts(), ["в реестре", "был раньше", "не числится", "в реестре", "не числится", "неизвестен", "ошибка в ИНН"]);
  assert.deepEqual((await page.locator(".count strong").allInnerTexts()).map(Number), [2, 1, 2, 1, 1]);
  await page.reload();
  await page.getByRole("heading", { name: "Проверено 7 поставщиков" }).waitFor();
  await close();
});

test("the table is sorted, narrowed to a verdict, and leads to suppliers and back", async () => {
  const { page, close } = await open(browser, service, { hash: `#/batch?inn=${LIST.join(",")}` });
  await page.getByRole("button", { name: "ИНН", exact: true }).click();
  assert.deepEqual(await rows(page).locator("td.col-inn").allInnerTexts(), [...LIST].sort());
  await page.getByRole("button", { name: "ИНН", exact: true }).click();
  assert.deepEqual(await rows(page).locator("td.col-inn").allInnerTexts(), [...LIST].sort().reverse());
  await page.locator(".count.listed").click();
  assert.equal(await rows(page).count(), 2);
  assert.equal(await page.locator(".count.listed").getAttribute("aria-pressed"), "true");
  await page.getByRole("link", { name: "9602003485" }).click();
  await page.getByRole("heading", { level: 1, name: /СТОРОЖЕВОЙ БЕРЕГ/ }).waitFor();
  await settled(page);
  await page.goBack();
  await page.locator(".count.listed").waitFor();
  assert.equal(await rows(page).count(), 2, "as it was left");
  await close();
});

test("a spreadsheet's CSV in the Windows encoding: INNs are found, the rest is reported row by row", async () => {
  const { page, close } = await open(browser, service, { hash: "#/batch" });
  const text = Buffer.concat([Buffer.from([0xcf, 0xee, 0xf1, 0xf2, 0x3b, 0xc8, 0xcd, 0xcd]), Buffer.from(`\r\nx;${LIST[0]}\r\ny;${LIST[0]}\r\nz;"${LIST[1]}"\r\nq;602003527\r\n`, "latin1")]);
  await page.locator("#batch-file").setInputFiles({ name: "list.csv", mimeType: "text/csv", buffer: text });
  await page.getByRole("heading", { name: "Проверено 2 поставщика" }).waitFor();
  await page.getByText("1 повтор пропущен.").waitFor();
  await page.getByText("Взят только столбец «ИНН».").waitFor();
  await page.getByText("Пропущено значений, которые не являются ИНН: 1").waitFor();
  await page.getByText("строка 5: «602003527»").waitFor();
  await page.getByText(/таблица могла отбросить ноль/).waitFor();
  await close();
});

test("INNs in several forms are read, and what has digits and gives none is reported row by row", async () => {
  const { page, close } = await open(browser, service, { hash: "#/batch" });
  await page.locator("#batch-text").fill(`${LIST[0]}\n96 0200 3527\n9602\u00a0003\u00a0012\n9602-006-662\nИНН9602007779КПП960201001\n97100О0003\n12\n1234567890,00`);
  await page.getByRole("button", { name: "Проверить" }).click();
  await page.getByRole("heading", { name: "Проверено 5 поставщиков" }).waitFor();
  assert.deepEqual(await rows(page).locator("td.col-inn").allInnerTexts(), LIST.slice(0, 5));
  await page.getByText("Пропущено значений, которые не являются ИНН: 3").waitFor();
  assert.deepEqual(await page.locator(".note li").allInnerTexts(), ["строка 6: «97100О0003»", "строка 7: «12»", "строка 8: «1234567890,00»"]);
  await close();
});

test("a plain list: separators, repetitions, INNs beside a KPP or called so", async () => {
  const { page, close } = await open(browser, service, { hash: "#/batch" });
  const check = await reader(page);
  await check("9710000001 9710000002\t9710000003, 9710000001; 9710000001/971001001", { inns: ["9710000001", "9710000002", "9710000003"], repeated: 2 });
  await check("9602003485, 123, 9602003527", { inns: ["9602003485", "9602003527"], others: ["1: 123"] });
  await check("9602003485 123 9602003527", { inns: ["9602003485", "9602003527"], others: ["1: 123"] });
  await check("9602003485,9602003527,\n9602003012", { inns: ["9602003485", "9602003527", "9602003012"] });
  await check("Проверьте: ИНН 9602003485, тел. 4951234567", { inns: ["9602003485"], others: ["1: тел. 4951234567"] });
  await check("01.02.2024\n1234567890.00", { others: ["1: 01.02.2024", "2: 1234567890.00"] });
  await check("9710000001ООО Ромашка\nО710000001", { others: ["1: 9710000001ООО Ромашка", "2: О710000001"] });
  await close();
});

test("a table is read by its column of INNs alone: no telephone, sum or registry number is taken", async () => {
  const { page, close } = await open(browser, service, { hash: "#/batch" });
  const check = await reader(page);
  await check('№;Телефон;ИНН поставщика;Сумма\n1;4951234567;9602003485;1234567890\n2;"a;b";"96 0200 3527";5\n3;;;7\n4;;12;7\n',
    { inns: ["9602003485", "9602003527"], others: ["4: 3 7", "5: 12"], column: "ИНН поставщика" });
  await check("ИНН заказчика,ИНН поставщика\n9602003485,9602003527", { inns: ["9602003527"], column: "ИНН поставщика" });
  await check('supplierINN,supplierName\n9602003485,"ООО ""А"", 4951234567"', { inns: ["9602003485"], column: "supplierINN" });
  await check("Отчёт\n\nИмя\tИНН\tНомер\nА\t9602003485\t0296200014323000112\nБ\tнет\t1", { inns: ["9602003485"], others: ["5: нет"], column: "ИНН" });
  await check("Проверьте, ИНН:\n9602003485, 9602003527", { inns: ["9602003485", "9602003527"], column: "Проверьте, ИНН:" });
  await check("ООО А;9602003485;+74951234567\nООО ИНН-Сервис;9602003527;", { inns: ["9602003485", "9602003527"], column: "2" });
  for (const unclear of ["ООО А;9602003485;4951234567\nООО Б;9602003527;4951234568", "9602003485;4951234567\n9602003527;4951234568", "ООО А;нет\nООО Б;9602003527", "ИНН заказчика;ИНН банка\n9602003485;9602003527"]) {
    await check(unclear, { isUnclear: true });
  }
  await page.locator("#batch-text").fill("ООО А;9602003485;4951234567");
  await page.getByRole("button", { name: "Проверить" }).click();
  await page.getByText("Непонятно, в каком столбце ИНН.").waitFor();
  await close();
});

test("the largest file is read in no more than a moment", async () => {
  const { page, close } = await open(browser, service, { hash: "#/batch" });
  const read = await page.evaluate(async () => {
    const { innsIn } = await import(globalThis.asset("list.js"));
    return {
      many: innsIn("9710000001 ".repeat(300_000)).repeated,
      endless: ["1".repeat(2_000_000), `${"1O".repeat(500_000)}x`, "1.".repeat(500_000), "1 ".repeat(500_000)].map((text) => innsIn(text).others.length),
    };
  });
  assert.equal(read.many, 299_999);
  assert.deepEqual(read.endless, [1, 1, 1, 1]);
  await close();
});

/** What `list.js` reads in the page of a text, compared with what is expected; others as `row: text`. */
async function reader(page) {
  await page.evaluate(async () => (globalThis.innsIn = (await import(globalThis.asset("list.js"))).innsIn));
  return async (text, expected) => {
    const read = await page.evaluate((list) => globalThis.innsIn(list), text);
    read.others = read.others.map((other) => `${other.row}: ${other.text}`);
    assert.deepEqual(read, { inns: [], repeated: 0, others: [], column: "", isUnclear: false, ...expected }, text);
  };
}

test("what is no text is told from its first bytes; Excel's Unicode text is read", async () => {
  const { page, close } = await open(browser, service, { hash: "#/batch" });
  const give = (name, buffer) => page.locator("#batch-file").setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(buffer) });
  for (const [name, bytes] of [["a.xlsx", [0x50, 0x4b, 3, 4, 20]], ["b.xls", [0xd0, 0xcf, 0x11, 0xe0, 0xa1]], ["c.png", [0x89, 0x50, 0x4e, 0x47]], ["d.csv", [65, 0, 66]]]) {
    await give(name, bytes);
    await page.getByText(new RegExp(`«${name}» — не текстовый файл.*сохраните как CSV`)).waitFor();
  }
  const text = Buffer.from(`\ufeffИмя\tИНН\r\nА\t${LIST[0]}\r\nБ\t${LIST[1]}\r\n`, "utf16le");
  await give("e.txt", text);
  await page.getByRole("heading", { name: "Проверено 2 поставщика" }).waitFor();
  await give("f.txt", Buffer.from(`\ufeff${LIST[0]}`, "utf16le").swap16());
  await page.getByRole("heading", { name: "Проверен 1 поставщик" }).waitFor();
  await close();
});

test("a day that cannot be is told before a list is asked", async () => {
  const { page, asked, close } = await open(browser, service, { hash: "#/batch" });
  await page.locator("#batch-text").fill(LIST[0]);
  await page.locator("#batch-day").fill("1990-01-01");
  await page.getByRole("button", { name: "Проверить" }).click();
  await page.getByText(/Такой даты нет/).waitFor();
  assert.ok(!asked.some((url) => url.includes("check-suppliers")));
  await close();
});

test("text that is dropped is checked", async () => {
  const { page, close } = await open(browser, service, { hash: "#/batch" });
  await page.locator("#batch-text").waitFor();
  await page.evaluate((inn) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([`inn\n${inn}\n`], "list.txt", { type: "text/plain" }));
    document.querySelector("form.batch").dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
  }, LIST[0]);
  await page.getByRole("heading", { name: "Проверен 1 поставщик" }).waitFor();
  await close();
});

test("nothing to check: plain words, what was typed stays", async () => {
  const { page, close } = await open(browser, service, { hash: "#/batch" });
  await page.locator("#batch-text").fill("ООО Ромашка, 123456789");
  await page.getByRole("button", { name: "Проверить" }).click();
  await page.getByText("Здесь нет ни одного ИНН").waitFor();
  await page.getByLabel("Язык").selectOption("en");
  await page.getByRole("heading", { name: "Check a list against the RNP" }).waitFor();
  assert.equal(await page.locator("#batch-text").inputValue(), "ООО Ромашка, 123456789");
  await close();
});

test("the list's answer is saved to the byte as the service gives it", async () => {
  const { page, close } = await open(browser, service, { hash: `#/batch?inn=${LIST.join(",")}&asOf=2024-03-01` });
  await page.getByRole("heading", { name: /Проверено 7/ }).waitFor();
  for (const format of ["csv", "xml", "json"]) {
    const { bytes } = await saved(page, () => page.getByRole("button", { name: format.toUpperCase(), exact: true }).click());
    assert.ok(bytes.equals(await direct(service, `/rnp/check-suppliers?supplierINN=${LIST.join(",")}&format=${format}&history=1&asOf=2024-03-01`)), format);
  }
  await close();
});

test("more than 200 are asked in parts, and their CSV is one", async () => {
  assert.ok(inns.length > 350, `${inns.length} suppliers`);
  const { page, asked, close } = await open(browser, large, { hash: "#/batch" });
  await page.locator("#batch-text").fill(inns.join(" "));
  await page.getByRole("button", { name: "Проверить" }).click();
  await page.getByRole("heading", { name: new RegExp(`Проверен\\S* ${inns.length} `) }).waitFor();
  assert.equal(asked.filter((url) => url.includes("/rnp/check-suppliers")).length, Math.ceil(inns.length / 200));
  assert.equal(await rows(page).count(), 200);
  await page.getByRole("button", { name: /Показать ещё/ }).click();
  assert.equal(await rows(page).count(), Math.min(inns.length, 400));
  const { bytes } = await saved(page, () => page.getByRole("button", { name: "CSV", exact: true }).click());
  const parts = [];
  for (let at = 0; at < inns.length; at += 200) {
    parts.push((await direct(large, `/rnp/check-suppliers?supplierINN=${inns.slice(at, at + 200).join(",")}&format=csv&history=1`)).toString());
  }
  await page.getByText(/поэтому здесь только CSV/i).waitFor();
  await page.reload();
  await page.getByRole("heading", { name: new RegExp(`Проверен\\S* ${inns.length} `) }).waitFor();
  assert.equal(bytes.toString(), parts.map((part, at) => (at ? part.slice(part.indexOf("\n") + 1) : part)).join(""));
  await close();
});

test("a long run can be stopped and gone on with; past 10,000 it says so", async () => {
  const { page, close } = await open(browser, large, { hash: "#/batch" });
  const many = Array.from({ length: 10_001 }, (_, at) => String(1_000_000_000 + at));
  let release;
  const held = new Promise((resolve) => (release = resolve));
  let answered = 0;
  await page.route("**/rnp/check-suppliers*", async (route) => {
    if ((answered += 1) > 2) await held;
    await route.continue().catch(() => {});
  });
  await page.evaluate((text) => navigator.clipboard.writeText(text), many.join("\n"));
  await page.locator("#batch-text").focus();
  await page.keyboard.press("Control+V");
  await page.getByRole("button", { name: "Проверить" }).click();
  await page.getByText(/Найдено 10.001 ИНН; проверяем первые 10.000/).waitFor();
  await page.getByText(/^Проверено 400 из 10.000$/).waitFor();
  await page.getByRole("button", { name: "Остановить" }).click();
  await page.getByText(/Остановлено: проверено 400 из/).waitFor();
  release();
  await page.getByRole("button", { name: "Продолжить" }).click();
  await page.getByRole("heading", { name: /Проверено 10.000 поставщиков/ }).waitFor();
  await close();
});

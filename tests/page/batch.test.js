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
  await page.getByRole("heading", { name: "Строк 7: проверено 6, не проверено 1" }).waitFor();
  assert.deepEqual(await rows(page).locator("td.col-verdict").allInnerTexts(), ["в реестре", "был в реестре", "не числится", "в реестре", "не числится", "не числится", "ошибка в ИНН"]);
  assert.deepEqual((await page.locator(".count strong").allInnerTexts()).map(Number), [2, 1, 3, 1]);
  await page.reload();
  await page.getByRole("heading", { name: "Строк 7: проверено 6, не проверено 1" }).waitFor();
  await close();
});

test("a list that was edited after its check is there in another language", async () => {
  const { page, close } = await open(browser, service);
  await page.evaluate((hash) => (location.hash = hash), `#/batch?inn=${LIST[0]}`);
  await page.locator("#batch-text").waitFor();
  await page.getByRole("heading", { name: "Строк 1: проверено 1" }).waitFor();
  const edited = `${LIST[0]}\n${LIST[1]}`;
  await page.locator("#batch-text").fill(edited);
  await page.locator("#language").selectOption("en");
  await page.getByRole("button", { name: "Check", exact: true }).waitFor();
  assert.equal(await page.locator("#batch-text").inputValue(), edited);
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
  const text = Buffer.concat([Buffer.from([0xc8, 0xec, 0xff, 0x3b, 0xc8, 0xcd, 0xcd]), Buffer.from(`\r\nx;${LIST[0]}\r\ny;${LIST[0]}\r\nz;"${LIST[1]}"\r\nq;602003527\r\nw;\r\n`, "latin1")]);
  await page.locator("#batch-file").setInputFiles({ name: "list.csv", mimeType: "text/csv", buffer: text });
  await page.getByRole("heading", { name: "Строк 5: проверено 3, не проверено 2" }).waitFor();
  await page.getByText("В списке 1 повтор: ИНН проверен один раз").waitFor();
  await page.getByText("ИНН взяты из столбца «ИНН».").waitFor();
  await page.getByText("Без ИНН — 1 строка: № 6").waitFor();
  await page.getByText("Не проверены — похоже, ошибка в ИНН: 1").waitFor();
  await page.getByText(/^строка 5: «602003527» — не хватает цифры; возможно, таблица отбросила ноль/).waitFor();
  assert.deepEqual(await rows(page).locator("td.col-row").allInnerTexts(), ["2", "3", "4"]);
  await close();
});

test("INNs in several forms are read, and only what looks like one is reported, row by row", async () => {
  const { page, close } = await open(browser, service, { hash: "#/batch" });
  await page.locator("#batch-text").fill(`${LIST[0]}\n96 0200 3527\n9602\u00a0003\u00a0012\n9602-006-662\nИНН9602007779КПП960201001\n97100О0003\n12\n1234567890,00`);
  await page.getByRole("button", { name: "Проверить" }).click();
  await page.getByRole("heading", { name: "Строк 6: проверено 5, не проверено 1" }).waitFor();
  assert.deepEqual(await rows(page).locator("td.col-inn").allInnerTexts(), LIST.slice(0, 5));
  await page.getByText("Не проверены — похоже, ошибка в ИНН: 1").waitFor();
  assert.deepEqual(await page.locator(".note li").allInnerTexts(), ["строка 6: «97100О0003» — буквы вместо цифр"]);
  await close();
});

test("what is no text is told from its first bytes; Excel's Unicode text is read", async () => {
  const { page, close } = await open(browser, service, { hash: "#/batch" });
  const give = (name, buffer) => page.locator("#batch-file").setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(buffer) });
  for (const [name, bytes] of [["a.xlsx", [0x50, 0x4b, 3, 4, 20]], ["b.xls", [0xd0, 0xcf, 0x11, 0xe0, 0xa1]], ["c.png", [0x89, 0x50, 0x4e, 0x47]], ["d.csv", [65, 0, 66]]]) {
    await give(name, bytes);
    await page.getByText(new RegExp(`«${name}» — не текстовый файл.*сохраните как CSV`)).waitFor();
  }
  const text = Buffer.from(`\ufeffИмя\tИНН\r\nА\t${LIST[0]}\r\nБ\t${LIST[1]}\r\n`, "utf16le");
  await give("e.txt", text);
  await page.getByRole("heading", { name: "Строк 2: проверено 2, не проверено 0" }).waitFor();
  await give("f.txt", Buffer.from(`\ufeff${LIST[0]}`, "utf16le").swap16());
  await page.getByRole("heading", { name: "Строк 1: проверено 1, не проверено 0" }).waitFor();
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
  await page.getByRole("heading", { name: "Строк 1: проверено 1, не проверено 0" }).waitFor();
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

test("each row keeps its number and name, in the table and in the CSV; other forms are the service's, to the byte", async () => {
  const { page, close } = await open(browser, service, { hash: "#/batch" });
  await page.locator("#batch-text").fill(`Поставщик;ИНН\nООО «Берег»;${LIST[0]}\n=Окна;${LIST[1]}\nБерег, ещё раз;${LIST[0]}\nНеизвестный;${LIST[5]}`);
  await page.locator("#batch-day").fill("2024-03-01");
  await page.getByRole("button", { name: "Проверить" }).click();
  await page.getByRole("heading", { name: /^Строк 4: проверено 4/ }).waitFor();
  const given = () => rows(page).locator("td.col-given").allInnerTexts();
  assert.deepEqual(await given(), ["ООО «Берег»", "=Окна", "Берег, ещё раз", "Неизвестный"]);
  await page.getByRole("button", { name: "Строка" }).click();
  assert.deepEqual(await rows(page).locator("td.col-row").allInnerTexts(), ["5", "4", "3", "2"]);
  await page.getByRole("button", { name: "В вашем списке" }).click();
  assert.deepEqual((await given())[0], "=Окна");
  const inns = [LIST[0], LIST[1], LIST[5]];
  const path = (format) => `/rnp/check-suppliers?supplierINN=${inns.join(",")}&format=${format}&history=1&asOf=2024-03-01`;
  for (const format of ["xml", "json"]) {
    const { name, bytes } = await saved(page, () => page.getByRole("button", { name: format.toUpperCase(), exact: true }).click());
    assert.equal(name, `rnp-list-2024-03-01.${format}`);
    assert.ok(bytes.equals(await direct(service, path(format))), format);
  }
  const { bytes } = await saved(page, () => page.getByRole("button", { name: "CSV", exact: true }).click());
  const [header, ...lines] = (await direct(service, path("csv"))).toString().replace("\ufeff", "").trim().split("\r\n");
  assert.ok(header.endsWith(",registry44,registry223,registry615,asOf,dataUpdated"));
  const of = (inn, start) => lines.filter((line) => line.startsWith(inn)).map((line) => `${start},${line}`);
  const expected = [...of(LIST[0], "2,ООО «Берег»"), ...of(LIST[1], "3,'=Окна"), ...of(LIST[0], '4,"Берег, ещё раз"'), ...of(LIST[5], "5,Неизвестный")];
  assert.deepEqual(bytes.toString().trim().split("\r\n"), [`\ufeffrow,nameAsGiven,${header}`.trim(), ...expected]);
  await close();
});

test("the list is saved for spreadsheets with its rows, in the reader's words", async () => {
  const { page, close } = await open(browser, service, { hash: "#/batch" });
  await page.locator("#batch-text").fill(`Поставщик;ИНН\nООО «Берег»;${LIST[0]}\nПусто;${LIST[2]}`);
  await page.getByRole("button", { name: "Проверить" }).click();
  await page.getByRole("heading", { name: /^Строк 2: проверено 2/ }).waitFor();
  const { name, bytes } = await saved(page, () => page.getByRole("button", { name: "XLSX", exact: true }).click());
  assert.match(name, /^rnp-list-\d{4}-\d\d-\d\d\.xlsx$/);
  const sheet = bytes.toString();
  const [[title], heading, ...lines] = [...sheet.matchAll(/<row>(.*?)<\/row>/gs)].map(([, row]) => [...row.matchAll(/<c[^>]*?(?:\/>|>(.*?)<\/c>)/gs)].map(([, cell = ""]) => cell.replace(/<[^>]*>/g, "")));
  assert.match(title, /^Проверка списка по РНП: 2 ИНН на (\d\d\.\d\d\.\d{4})\. По данным на \1\. Данные обновлены \d\d\.\d\d\.\d{4}, \d\d:\d\d \(МСК\)\. Демонстрационные данные: все организации вымышлены\./);
  assert.deepEqual(heading.slice(-5), ["РНП по 44-ФЗ", "РНП по 223-ФЗ", "РНП по ПП РФ № 615", "На дату", "Данные от"]);
  assert.ok(lines.every((cells) => /^complete:\d{4}-/.test(cells.at(-5))), "the ground in each row");
  assert.deepEqual(heading.slice(0, 5), ["Строка списка", "Название в списке", "ИНН поставщика", "Поставщик", "Заключение"]);
  assert.deepEqual(lines.map((cells) => cells.slice(0, 6)), [
    ...Array.from({ length: 5 }, () => ["2", "ООО «Берег»", LIST[0], 'ООО ЧОО "СТОРОЖЕВОЙ БЕРЕГ"', "в реестре", "да"]),
    ["3", "Пусто", LIST[2], 'ООО "РЕЧНОЙ САД"', "не числится", "нет"],
  ]);
  await close();
});

test("a short list is in the link that is copied; a long one is sent as a file, which is taken again whole", async () => {
  const { page, close } = await open(browser, service, { hash: "#/batch" });
  await page.locator("#batch-text").fill(`ООО А ${LIST[0]}\n\nООО Б ${LIST[1]}`);
  await page.getByRole("button", { name: "Проверить" }).click();
  await page.getByRole("button", { name: "Скопировать ссылку" }).click();
  await page.getByText("Ссылка скопирована").first().waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  assert.ok(link.endsWith(`#/batch?inn=${LIST[0]},${LIST[1]}`), link);
  const { name, bytes } = await saved(page, () => page.getByRole("button", { name: "Сохранить список" }).click());
  assert.match(name, /^suppliers-list-\d{4}-\d\d-\d\d\.csv$/);
  const other = await open(browser, service, { hash: link.slice(link.indexOf("#")) });
  await other.page.getByRole("heading", { name: "Строк 2: проверено 2, не проверено 0" }).waitFor();
  await other.page.locator("#batch-file").setInputFiles({ name, mimeType: "text/csv", buffer: bytes });
  await other.page.getByText("ИНН взяты из столбца «supplierINN»").waitFor();
  assert.deepEqual(await rows(other.page).locator("td.col-row").allInnerTexts(), ["1", "3"]);
  assert.deepEqual(await rows(other.page).locator("td.col-given").allInnerTexts(), ["ООО А", "ООО Б"]);
  await other.page.reload();
  await other.page.getByRole("heading", { name: "Строк 2: проверено 2, не проверено 0" }).waitFor();
  assert.deepEqual(await rows(other.page).locator("td.col-given").allInnerTexts(), ["ООО А", "ООО Б"], "the tab remembers the list as it was read");
  await other.close();
  const many = Array.from({ length: 190 }, (_, at) => String(100_000_000_000 + at));
  await page.locator("#batch-text").fill(many.join("\n"));
  await page.getByRole("button", { name: "Проверить" }).click();
  await page.getByText(/Список не помещается в ссылку \(она не длиннее 2.000 знаков\)/).waitFor();
  assert.equal(await page.getByRole("button", { name: "Скопировать ссылку" }).count(), 0);
  assert.ok(page.url().endsWith("#/batch?go=1"), page.url());
  await close();
});

test("more than 200 are asked in parts, and their CSV is one", async () => {
  assert.ok(inns.length > 350, `${inns.length} suppliers`);
  const { page, asked, close } = await open(browser, large, { hash: "#/batch" });
  await page.locator("#batch-text").fill(inns.join(" "));
  await page.getByRole("button", { name: "Проверить" }).click();
  await page.getByRole("heading", { name: `Строк ${inns.length}: проверено ${inns.length}, не проверено 0` }).waitFor();
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
  await page.getByRole("heading", { name: `Строк ${inns.length}: проверено ${inns.length}, не проверено 0` }).waitFor();
  const lines = parts.flatMap((part) => part.replace("\ufeff", "").trim().split("\r\n").slice(1));
  const [header, ...said] = bytes.toString().trim().split("\r\n");
  assert.ok(header.startsWith("\ufeffrow,nameAsGiven,supplierINN,") || header.startsWith("row,nameAsGiven,supplierINN,"), header);
  assert.deepEqual(said, lines.map((line) => `1,,${line}`));
  await close();
});

test("where the data changes during a check, it begins again: all verdicts have one ground", async () => {
  const { page, asked, close } = await open(browser, large, { hash: "#/batch" });
  let answered = 0;
  await page.route("**/rnp/check-suppliers*", async (route) => {
    const response = await route.fetch();
    const isLater = (answered += 1) > 1;
    await route.fulfill({ response, headers: { ...response.headers(), ...(isLater && { "x-data-updated": "2030-01-01T00:00:00Z" }) } });
  });
  await page.locator("#batch-text").fill(inns.slice(0, 300).join(" "));
  await page.getByRole("button", { name: "Проверить" }).click();
  await page.getByRole("heading", { name: "Строк 300: проверено 300, не проверено 0" }).waitFor();
  await settled(page);
  assert.equal(asked.filter((url) => url.includes("/rnp/check-suppliers")).length, 3);
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
  await page.getByRole("heading", { name: /^Строк 10.001: проверено/ }).waitFor();
  await close();
});

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { cellsOf, fetchBytes, launch, menu, open, saved, settled } from "./browser.js";
import { serveDemo, serveLines, synthetic } from "./service.js";
import { textRows, workbook } from "./xlsx.js";

const LIST = ["9602003485", "9602003527", "9602003012", "9602006662", "9602007779", "7707083893", "7707083894"];

/** Minimum time between two draws during a check, in milliseconds; see `list-run.js`. */
const DRAW_EVERY = 400;

let browser, service, large, inns;
before(async () => {
  const lines = synthetic();
  inns = [...new Set([...lines.matchAll(/"supplier":\{"inn":"(\d+)"/g)].map(([, inn]) => inn))];
  [browser, service, large] = await Promise.all([launch(), serveDemo(), serveLines(lines, "--rnp-rate", "0")]);
});

/** Locates the table's main rows, without the additional rows for entries and mismatching names. */
const rows = (page) => page.locator(".verdicts tbody tr:not(.more, .warning)");
/** Shows or hides columns of the table. */
async function chooseColumns(page, ...names) {
  await page.locator(".columns-menu > summary").click();
  for (const name of names) await page.getByLabel(name, { exact: true }).click();
  await page.keyboard.press("Escape");
}
const check = async (page, text) => {
  await page.locator("#batch-text").fill(text);
  await page.getByRole("button", { name: "Проверить", exact: true }).click();
};
const give = (page, name, buffer) => page.locator("#batch-file").setInputFiles({ name, mimeType: "application/octet-stream", buffer: Buffer.from(buffer) });
const title = (page, name) => page.getByRole("heading", { level: 1, name }).waitFor();

/**
 * Replaces the service's name search with one that returns `hits` and compares names by `scores`.
 * Returns an array that collects the names in each request.
 */
async function withNames(page, hits, scores = {}) {
  const parts = [];
  await page.route("**/find/names?*", (route) => {
    const { searchParams } = new URL(route.request().url());
    const names = searchParams.get("q").split("\n");
    const inns = searchParams.get("supplierINN")?.split(",");
    if (inns) return route.fulfill({ json: { names: names.map((query, at) => ({ query, hits: [{ supplierINN: inns[at], score: scores[query] ?? 100 }] })) } });
    parts.push(names);
    const hit = ([name, supplierINN, score]) => ({ kind: "supplier", key: supplierINN, name, supplierINN, contracts: 1, verdict: "listed", inRNP: true, score });
    return route.fulfill({ json: { names: names.map((query) => ({ query, hits: (hits[query] ?? []).map(hit) })) } });
  });
  return parts;
}

test("pasting a list into the search field shows a table of verdicts, unchecked rows first, and focuses the count", async () => {
  const { page, close } = await open(browser, service);
  await page.locator("#search").waitFor();
  await page.evaluate((text) => navigator.clipboard.writeText(text), LIST.join("\n"));
  await page.locator("#search").focus();
  await page.keyboard.press("Control+V");
  await page.keyboard.press("Enter");
  await title(page, "Проверено 6 строк из 7");
  assert.deepEqual(await rows(page).locator("td:is(.col-verdict, [colspan]) .tag").allInnerTexts(), ["не проверен", "в РНП", "в РНП", "был в РНП", "нет в РНП", "нет в РНП", "нет в РНП"]);
  assert.deepEqual((await page.locator(".list-tiles button").allInnerTexts()).map((words) => words.replace(/\s+/g, " ")), ["2 в РНП", "1 ранее в РНП", "3 нет в РНП", "1 без проверки"]);
  assert.equal(await page.locator("#batch-text").isVisible(), false);
  await page.getByRole("button", { name: "изменить список" }).click();
  assert.equal(await page.evaluate(() => document.activeElement.id), "batch-text");
  await page.getByRole("button", { name: "Проверить", exact: true }).click();
  assert.equal(await page.evaluate(() => document.activeElement.tagName), "H1");
  await page.reload();
  await title(page, "Проверено 6 строк из 7");
  await close();
});

test("the table can be sorted and filtered by RNP, shows entries, and links to suppliers and back", async () => {
  const { page, close } = await open(browser, service, { hash: `#/batch?inn=${LIST.join(",")}` });
  const inns = () => rows(page).locator("td.col-inn").allInnerTexts();
  await page.getByRole("button", { name: "ИНН", exact: true }).click();
  assert.deepEqual(await inns(), [...LIST].sort());
  await page.getByRole("button", { name: "ИНН", exact: true }).click();
  assert.deepEqual(await inns(), [...LIST].sort().reverse());
  await page.getByRole("button", { name: /^\d+ в РНП/ }).click();
  assert.equal(await rows(page).count(), 2);
  await page.getByRole("button", { name: /3 действуют, 2 прежние 9602003485/ }).click();
  assert.equal(await page.locator("#entries-9602003485 li").count(), 5);
  await page.getByRole("link", { name: "9602003485" }).click();
  await page.getByRole("heading", { level: 1, name: /СТОРОЖЕВОЙ БЕРЕГ/i }).waitFor();
  await settled(page);
  await page.goBack();
  await page.locator("#entries-9602003485 li").first().waitFor();
  assert.equal(await rows(page).count(), 2, "the table is unchanged after going back");
  await close();
});

test("a CSV file in a Windows encoding: all lines are shown; lines of one supplier share a row, unchecked ones have a reason", async () => {
  const { page, close } = await open(browser, service, { hash: "#/batch" });
  await withNames(page, {});
  const text = Buffer.concat([Buffer.from([0xc8, 0xec, 0xff, 0x3b, 0xc8, 0xcd, 0xcd]), Buffer.from(`\r\nx;${LIST[0]}\r\ny;${LIST[0]}\r\nz;"${LIST[1]}"\r\nq;602003527\r\nw;9,602E+09\r\n;+7 916 123-45-67\r\n`, "latin1")]);
  await give(page, "list.csv", text);
  await title(page, "Проверено 3 строки из 6");
  await page.getByText("ИНН взяты из столбца «ИНН».").waitFor();
  assert.equal(await page.locator(".from").innerText().then((words) => words.includes("list.csv")), true);
  assert.deepEqual((await rows(page).locator("td.col-row").allInnerTexts()).map((words) => words.split("\n")[0]), ["5", "6", "7", "2, 3", "4"]);
  assert.deepEqual(await rows(page).locator(".why").allInnerTexts().then((all) => all.map((words) => words.split("\n").at(-1))), [
    "в ИНН не хватает цифры: их 9, а не 10", "Excel округлил ИНН: задайте ячейке формат «Текст»", "это телефон, а не ИНН",
  ]);
  await close();
});

test("a workbook can be dropped or chosen, and its sheet selected; other files are rejected with a message", async () => {
  const { page, asked, close } = await open(browser, service, { hash: "#/batch" });
  await withNames(page, {});
  const book = workbook([["Поставщики", textRows([["Название", "ИНН"], ["ООО А", LIST[0]], ["ООО Б", "960201001"]])], ["Второй", `<row><c><v>${LIST[1]}</v></c></row><row><c><v>${LIST[2]}.0</v></c></row>`]]);
  await give(page, "book.xlsx", book);
  await title(page, "Проверена 1 строка из 2");
  await page.getByText("book.xlsx, лист «Поставщики»").waitFor();
  await page.getByLabel("Лист").selectOption("Второй");
  await title(page, "Проверено 2 строки из 2");
  assert.deepEqual(await rows(page).locator("td.col-inn").allInnerTexts(), [LIST[1], LIST[2]]);
  await page.evaluate((bytes) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([new Uint8Array(bytes)], "dropped.xlsx"));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
  }, [...workbook([["Л", textRows([[LIST[0]]])]])]);
  await title(page, "Проверена 1 строка из 1");
  await page.getByRole("button", { name: "изменить список" }).click();
  for (const [name, bytes, words] of [
    ["a.xlsx", [0x50, 0x4b, 3, 4, 20], /«a.xlsx» не читается: файл повреждён/], ["b.xls", [0xd0, 0xcf, 0x11, 0xe0, 0xa1], /«b.xls» — старый формат Excel/],
    ["c.png", [0x89, 0x50, 0x4e, 0x47], /«c.png» — не таблица и не текст/], ["d.csv", [65, 0, 66], /«d.csv» — не таблица и не текст/],
  ]) {
    await give(page, name, bytes);
    await page.getByText(words).waitFor();
  }
  await give(page, "e.txt", Buffer.from(`\ufeffИмя\tИНН\r\nА\t${LIST[0]}\r\nБ\t${LIST[1]}\r\n`, "utf16le"));
  await title(page, "Проверено 2 строки из 2");
  assert.deepEqual(asked.filter((url) => !/\/web\/|\/\?lang=ru$|\/rnp\/check-suppliers\?|\/find\/names\?/.test(url)), [], "the file is not sent to the server");
  await close();
});

test("lines without an INN are searched by name; the chosen match is kept, also in files and on the record", async () => {
  const { page, close } = await open(browser, service);
  const parts = await withNames(page, { "Чистые окна": [["ООО ЧИСТЫЕ ОКНА ЗАРЕЧЬЯ", LIST[1], 93], ["ООО РЕЧНОЙ САД", LIST[2], 71]], "Речной сад": [["ООО РЕЧНОЙ САД", LIST[2], 100]], "Быстрострой": [["ООО БЫСТРОСТРОЙ", LIST[3], 100]] });
  await page.goto(`${service.url}/?lang=ru#/batch`);
  const lines = ["Название;ИНН", `ООО Берег;${LIST[0]}`, "Чистые окна;", "Чистые окна;", "Речной сад;960201001", "Быстрострой;", "Никто;", ...Array.from({ length: 20 }, (_, at) => `Нет такого ${at};`)];
  await check(page, lines.join("\n"));
  await title(page, "Проверена 1 строка из 26");
  assert.deepEqual(parts.map((names) => names.length), [20, 4]);
  await page.getByRole("button", { name: "Принять 2 точных совпадения названий" }).click();
  await title(page, "Проверено 3 строки из 26");
  await page.getByRole("button", { name: /ООО Чистые окна заречья ИНН 9602003527, совпадение 93/ }).first().click();
  await title(page, "Проверено 5 строк из 26");
  const found = rows(page).filter({ hasText: "найден по названию, 93" });
  assert.match(await found.innerText(), /^4, 5|^3, 4/);
  await page.getByRole("button", { name: /^найдены по названию/ }).click();
  assert.equal(await rows(page).count(), 3);
  await menu(page);
  const { name, bytes } = await saved(page, () => page.getByRole("button", { name: "CSV", exact: true }).click());
  assert.match(name, /^rnp-list-byName-/);
  const [, ...saidLines] = bytes.toString().trim().split("\r\n");
  assert.deepEqual(saidLines.map((line) => line.split(",").slice(0, 9).join(",")), [`Чистые окна,,3,93,,,,${LIST[1]},"ООО ""ЧИСТЫЕ ОКНА ЗАРЕЧЬЯ"""`, `Чистые окна,,4,93,,,,${LIST[1]},"ООО ""ЧИСТЫЕ ОКНА ЗАРЕЧЬЯ"""`, `Речной сад,960201001,5,100,,,,${LIST[2]},"ООО ""РЕЧНОЙ САД"""`, `Быстрострой,,6,100,,,,${LIST[3]},"ООО ""БЫСТРОСТРОЙ-ЗАРЕЧЬЕ"""`]);
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  assert.match(await page.locator(".evidence").innerText(), /найден по названию, 93/);
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  await page.reload();
  await title(page, "Проверено 5 строк из 26");
  await found.getByRole("button", { name: /отменить/ }).click();
  await title(page, "Проверено 3 строки из 26");
  await close();
});

test("short and long names in a list are found", async () => {
  const { page, close } = await open(browser, service, { hash: "#/batch" });
  await check(page, `Речной сад\nЯн\n${"Ромашка ".repeat(60)}`);
  await title(page, "Проверено 0 строк из 3");
  await page.getByRole("button", { name: "ООО «Речной сад» ИНН 9602003012, совпадение 100" }).click();
  await title(page, "Проверена 1 строка из 3");
  assert.equal(await page.getByText("По названию никто не найден.").count(), 2);
  await close();
});

test("a list saved under a name shows changes at the next visit, until it is deleted", async () => {
  const { page, close } = await open(browser, service, { hash: "#/batch", now: null });
  await check(page, LIST.slice(0, 3).join("\n"));
  await title(page, "Проверено 3 строки из 3");
  await page.getByText("Сохранить список в браузере").click();
  await page.getByLabel("Название списка").fill("Ноябрь");
  await page.getByRole("button", { name: "Сохранить", exact: true }).click();
  await page.getByText(/хранится в этом браузере как «Ноябрь»/).waitFor();
  assert.ok(page.url().endsWith("#/batch?list=%D0%9D%D0%BE%D1%8F%D0%B1%D1%80%D1%8C"));
  // Simulate the next visit: another tab of the same browser gets a different response.
  const tab = await page.context().newPage();
  await tab.route("**/rnp/check-suppliers*", async (route) => {
    const response = await route.fetch();
    const answer = await response.json();
    const [, formerly, not] = answer.suppliers;
    Object.assign(not, { verdict: "listed", inRNP: true, entries: [{ ...formerly.previousEntries[0], registrationNumber: "NEW" }] });
    return route.fulfill({ response, json: answer });
  });
  await tab.goto(`${service.url}/?lang=ru#/batch`);
  await tab.getByRole("link", { name: "Ноябрь" }).click();
  await title(tab, "Проверено 3 строки из 3");
  await tab.getByText(/^После проверки .* изменился 1 поставщик\.$/).waitFor();
  await tab.getByRole("button", { name: /^изменились с/ }).click();
  assert.match(await rows(tab).innerText(), /новое: раньше — нет в РНП/);
  await tab.reload();
  await tab.getByText(/^После проверки .* изменился 1 поставщик\.$/).waitFor();
  await tab.getByRole("button", { name: "изменить список" }).click();
  await tab.getByRole("button", { name: "удалить Ноябрь" }).click();
  await tab.reload();
  await tab.getByText("Списка «Ноябрь» в этом браузере нет.").waitFor();
  await close();
});

test("an empty list and invalid lines are reported, and the typed text is kept", async () => {
  const { page, close } = await open(browser, service, { hash: "#/batch" });
  await check(page, " ");
  await page.getByText("Список пуст.").waitFor();
  await check(page, "12\n1027700132195");
  await title(page, "Проверено 0 строк из 2");
  await page.getByLabel("Язык").selectOption("en");
  await title(page, "0 of 2 rows checked");
  await page.getByText("an INN has 10 or 12 digits, this has 2").waitFor();
  await page.getByRole("button", { name: "edit the list" }).click();
  assert.equal(await page.locator("#batch-text").inputValue(), "12\n1027700132195");
  await close();
});

test("CSV and XLSX files have a row per line, all or only those shown; XML and JSON are the service's bytes", async () => {
  const { page, close } = await open(browser, service, { hash: "#/batch" });
  await withNames(page, {});
  await page.locator("#batch-day").fill("2026-11-01");
  await check(page, `Поставщик;ИНН\nООО «Берег»;${LIST[0]}\n=Окна;${LIST[1]}\nБерег, ещё раз;${LIST[0]}\nНеизвестный;${LIST[5]}\nКороткий;9,602E+09`);
  await title(page, "Проверено 4 строки из 5");
  await menu(page);
  const inns = [LIST[0], LIST[1], LIST[5]];
  const path = (format) => `/rnp/check-suppliers?supplierINN=${inns.join(",")}&format=${format}&history=1&asOf=2026-11-01`;
  for (const format of ["xml", "json"]) {
    const { name, bytes } = await saved(page, () => page.getByRole("button", { name: format.toUpperCase(), exact: true }).click());
    assert.equal(name, `rnp-list-2026-11-01.${format}`);
    assert.ok(bytes.equals(await fetchBytes(service, path(format))), format);
  }
  const { bytes } = await saved(page, () => page.getByRole("button", { name: "CSV", exact: true }).click());
  const [header] = (await fetchBytes(service, path("csv"))).toString().replace("\ufeff", "").split("\r\n");
  const [heading, ...lines] = bytes.toString().slice(1).trim().split("\r\n");
  assert.ok(bytes.toString().startsWith("\ufeff"));
  assert.equal(heading, `Поставщик,ИНН,row,foundByName,nameScore,nameDiffers,notChecked,${header}`);
  const starts = [`ООО «Берег»,${LIST[0]},2,,100,,,${LIST[0]},"ООО`, `'=Окна,${LIST[1]},3,,100,,,${LIST[1]},"ООО`, `"Берег, ещё раз",${LIST[0]},4,,100,,,${LIST[0]},`, `Неизвестный,${LIST[5]},5,,,,,${LIST[5]},,`, 'Короткий,"9,602E+09",6,,,,Excel округлил ИНН: задайте ячейке формат «Текст»,,,'];
  assert.deepEqual(lines.map((line, at) => line.slice(0, starts[at]?.length)), starts);
  assert.match(lines[0], /,"РНП\.961318-26; Р2600158; /);
  await page.getByRole("button", { name: /^\d+ в РНП/ }).click();
  await menu(page);
  const book = await saved(page, () => page.getByRole("button", { name: "Excel (XLSX)" }).click());
  assert.equal(book.name, "rnp-list-listed-2026-11-01.xlsx");
  const [[words], names, ...shown] = cellsOf(book.bytes);
  assert.match(words, /^Проверка списка по РНП\. Строк: 2 из 5\. Проверено на 01\.11\.2026 по данным РНП на \d\d\.\d\d\.\d{4}\. .*Демонстрационные данные: все организации вымышлены\./);
  assert.deepEqual(names.slice(0, 11), ["Поставщик", "ИНН", "Строка списка", "Найден по названию, балл", "Совпадение названия, из 100", "Название и ИНН", "Почему не проверен", "ИНН поставщика", "Поставщик", "Заключение", "В РНП"]);
  assert.deepEqual(shown.map((cells) => cells.slice(0, 11)), [["ООО «Берег»", LIST[0], "2", "", "100", "", "", LIST[0], 'ООО ЧОО "СТОРОЖЕВОЙ БЕРЕГ"', "в РНП", "да"], ["Берег, ещё раз", LIST[0], "4", "", "100", "", "", LIST[0], 'ООО ЧОО "СТОРОЖЕВОЙ БЕРЕГ"', "в РНП", "да"]]);
  assert.match(shown[0].join("|"), /05\.10\.2026\n14\.09\.2026\n/);
  // The last columns contain dates: those of the registries, of the check, and of the last import.
  assert.ok(shown[0].slice(-5).every((cell) => /^\d{5}(\.\d+)?$/.test(cell)), shown[0].slice(-5).join("|"));
  await close();
});

test("a short list can be copied as a link; a long one is saved as a file that can be loaded again", async () => {
  const { page, close } = await open(browser, service, { hash: "#/batch" });
  await check(page, `ООО А ${LIST[0]}\n\nООО Б ${LIST[1]}`);
  await page.getByRole("button", { name: "Скопировать ссылку" }).click();
  await page.getByText("Ссылка скопирована").first().waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  assert.ok(link.endsWith(`#/batch?inn=${LIST[0]},${LIST[1]}`), link);
  const { name, bytes } = await saved(page, () => page.getByRole("button", { name: "Сохранить список" }).click());
  assert.match(name, /^suppliers-list-\d{4}-\d\d-\d\d\.csv$/);
  const other = await open(browser, service, { hash: link.slice(link.indexOf("#")) });
  await title(other.page, "Проверено 2 строки из 2");
  await other.page.locator("#batch-file").setInputFiles({ name, mimeType: "text/csv", buffer: bytes });
  await other.page.getByText("ИНН взяты из столбца «supplierINN»").waitFor();
  await chooseColumns(other.page, "Название в списке");
  assert.deepEqual(await rows(other.page).locator("td.col-row").allInnerTexts(), ["1", "3"]);
  assert.deepEqual(await rows(other.page).locator("td.col-given").allInnerTexts(), ["ООО А", "ООО Б"]);
  await other.page.reload();
  await other.page.getByRole("heading", { name: "Проверено 2 строки из 2" }).waitFor();
  assert.deepEqual(await rows(other.page).locator("td.col-given").allInnerTexts(), ["ООО А", "ООО Б"], "the list survives a reload");
  await other.close();
  const many = Array.from({ length: 190 }, (_, at) => String(100_000_000_000 + at));
  await page.getByRole("button", { name: "изменить список" }).click();
  await check(page, many.join("\n"));
  await title(page, / из 190$/);
  await page.getByText(/В ссылку помещаются только ИНН, до 2.000 знаков/).waitFor();
  assert.equal(await page.getByRole("button", { name: "Скопировать ссылку" }).count(), 0);
  assert.ok(page.url().endsWith("#/batch?go=1"), page.url());
  await close();
});

test("more than 200 INNs are checked in several requests, and saved as one CSV file", async () => {
  assert.ok(inns.length > 350, `${inns.length} suppliers`);
  const { page, asked, close } = await open(browser, large, { hash: "#/batch" });
  await check(page, inns.join(" "));
  await title(page, new RegExp(`^Провере.* ${inns.length} строк.* из ${inns.length}$`));
  assert.equal(asked.filter((url) => url.includes("/rnp/check-suppliers")).length, Math.ceil(inns.length / 200));
  assert.equal(await rows(page).count(), 200);
  await page.getByRole("button", { name: /Показать ещё/ }).click();
  assert.equal(await rows(page).count(), Math.min(inns.length, 400));
  await menu(page);
  assert.equal(await page.getByRole("button", { name: "XML", exact: true }).count(), 0, "XML covers one answer of at most 200");
  const { bytes } = await saved(page, () => page.getByRole("button", { name: "CSV", exact: true }).click());
  const [, ...lines] = bytes.toString().trim().split("\r\n");
  assert.deepEqual(lines.map((line) => line.split(",")[7]), inns);
  await close();
});

test("a check starts again if the data changes meanwhile, so that all verdicts are from the same data", async () => {
  const { page, asked, close } = await open(browser, large, { hash: "#/batch" });
  let answered = 0;
  await page.route("**/rnp/check-suppliers*", async (route) => {
    const response = await route.fetch();
    const isLater = (answered += 1) > 1;
    await route.fulfill({ response, headers: { ...response.headers(), ...(isLater && { "x-data-updated": "2030-01-01T00:00:00Z" }) } });
  });
  await check(page, inns.slice(0, 300).join(" "));
  await title(page, "Проверено 300 строк из 300");
  await settled(page);
  assert.equal(asked.filter((url) => url.includes("/rnp/check-suppliers")).length, 3);
  await close();
});

test("a long check can be stopped and resumed; a list of more than 10,000 says so before it is checked", async () => {
  const { page, close } = await open(browser, large, { hash: "#/batch" });
  const many = Array.from({ length: 10_001 }, (_, at) => String(1_000_000_000 + at));
  const releases = [];
  const holds = [0, 2].map((after) => [after, new Promise((resolve) => releases.push(resolve))]);
  let answered = 0;
  await page.route("**/rnp/check-suppliers*", async (route) => {
    await holds.find(([after]) => after === answered)?.[1];
    answered += 1;
    await route.continue().catch(() => {});
  });
  await page.evaluate((text) => navigator.clipboard.writeText(text), many.join("\n"));
  await page.locator("#batch-text").focus();
  await page.keyboard.press("Control+V");
  await page.getByRole("button", { name: "Проверить", exact: true }).click();
  await page.getByText(/^За один раз проверяется не больше 10.000 ИНН: 1 строка не проверена\./).waitFor();
  assert.equal(answered, 0);
  releases[0]();
  await page.getByText(/^Проверено 400 из 10.000$/).waitFor();
  await page.getByRole("button", { name: "Остановить" }).click();
  await page.getByText(/Остановлено: проверено 400 из/).waitFor();
  await page.evaluate(() => {
    globalThis.draws = 0;
    new MutationObserver(() => (globalThis.draws += 1)).observe(document.querySelector(".results"), { childList: true });
  });
  releases[1]();
  const start = Date.now();
  await page.getByRole("button", { name: "Продолжить" }).click();
  await title(page, / из 10.001$/);
  const most = 3 + (Date.now() - start) / DRAW_EVERY;
  const draws = await page.evaluate(() => globalThis.draws);
  assert.ok(draws <= most, `${draws} draws for 48 responses, at most ${most}`);
  await close();
});

test("a name that contradicts its INN causes a warning in the table, in files and on the record", async () => {
  const { page, asked, close } = await open(browser, service, { hash: "#/batch" });
  await check(page, `Наименование;ИНН\nООО Рога и копыта;9602000445\nООО "Фармстрой-35";9602000445\nСторожевой берег, филиал;${LIST[0]}\n;${LIST[2]}`);
  await title(page, "Проверено 4 строки из 4");
  await settled(page);
  const warning = page.locator(".verdicts .warning");
  assert.match((await warning.innerText()).replace(/\s+/g, " "), /^название в списке не совпадает с ИНН: ООО Рога и копыта, совпадение 0 из 100 \(строки 2\)$/);
  assert.deepEqual(await rows(page).locator("td.col-inn").allInnerTexts(), [LIST[0], "9602000445", LIST[2]], "contradictions are sorted after listed suppliers");
  assert.equal(asked.filter((url) => url.includes("/find/names")).length, 1, "obviously equal names cause no request");
  await page.getByRole("button", { name: /^название не совпадает/i }).click();
  assert.equal(await rows(page).count(), 1);
  await menu(page);
  const { bytes } = await saved(page, () => page.getByRole("button", { name: "CSV", exact: true }).click());
  assert.match(bytes.toString(), /^ООО Рога и копыта,9602000445,2,,0,true,,9602000445,/m);
  const book = await saved(page, () => page.getByRole("button", { name: "Excel (XLSX)" }).click());
  assert.deepEqual(cellsOf(book.bytes)[2].slice(4, 6), ["0", "не совпадает"]);
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  assert.match((await page.locator(".of-list .group.misfit").innerText()).replace(/\s+/g, " "), /^название не совпадает: 1.*название не совпадает с ИНН, совпадение 0 из 100/i);
  await close();
});

test("the list's own columns are shown and can be chosen; rows of totals are skipped with a note", async () => {
  const { page, close } = await open(browser, service, { hash: "#/batch" });
  await check(page, `№;Договор;ИНН;Сумма;Дата;Куратор\n1;Д-1;${LIST[0]};1912400,50;2026-11-27;Лапина\n2;Д-2;${LIST[2]};15;;Орлов\nИТОГО;;;1912415,50;;`);
  await title(page, "Проверено 2 строки из 2");
  await page.getByText("Строка итогов (№ 4) пропущена").waitFor();
  const own = () => rows(page).first().locator("td.own").allInnerTexts();
  assert.deepEqual(await own(), ["Д-1", "1912400,50", "27.11.2026"]);
  await chooseColumns(page, "Куратор", "Дата");
  assert.deepEqual(await own(), ["Д-1", "1912400,50", "Лапина"]);
  await page.getByRole("button", { name: "Сумма" }).click();
  assert.deepEqual(await rows(page).locator("td.own.number").allInnerTexts(), ["15", "1912400,50"]);
  await page.reload();
  await title(page, "Проверено 2 строки из 2");
  assert.deepEqual(await own(), ["Д-1", "1912400,50", "Лапина"], "the choice survives a reload");
  await menu(page);
  const book = await saved(page, () => page.getByRole("button", { name: "Excel (XLSX)" }).click());
  const [, names, ...shown] = cellsOf(book.bytes);
  assert.deepEqual([names, ...shown].map((cells) => cells.slice(0, 6)), [["№", "Договор", "ИНН", "Сумма", "Дата", "Куратор"], ["1", "Д-1", LIST[0], "1912400.50", "46353", "Лапина"], ["2", "Д-2", LIST[2], "15", "", "Орлов"]]);
  await close();
});

test("columns for terminations, penalties and overdue contracts are loaded only when chosen", async () => {
  const { page, asked, close } = await open(browser, service, { hash: `#/batch?inn=9602000445,${LIST[0]},${LIST[5]}` });
  await title(page, "Проверено 3 строки из 3");
  await settled(page);
  const summaries = () => asked.filter((url) => url.includes("/contract/summary")).length;
  assert.equal(summaries(), 0);
  await chooseColumns(page, "Расторжения", "Неустойки", "Срок истёк");
  await settled(page);
  assert.equal(summaries(), 3);
  const row = rows(page).filter({ hasText: "9602000445" });
  const { facts } = JSON.parse(await fetchBytes(service, "/contract/summary-supplier44?supplierINN=9602000445&format=json"));
  const many = (start) => String(facts.filter(({ fact }) => fact.startsWith(start)).reduce((sum, { count }) => sum + count, 0));
  assert.deepEqual(await row.locator("td.number").allInnerTexts(), [many("terminated"), many("penalties"), many("overdue")]);
  await menu(page);
  const { bytes } = await saved(page, () => page.getByRole("button", { name: "CSV", exact: true }).click());
  assert.match(bytes.toString(), /,terminated,penalties,overdue\r\n/);
  await close();
});

test("a list can be watched: the menu shows the command and saves the list for it", async () => {
  const { page, close } = await open(browser, service, { hash: `#/batch?inn=${LIST[0]},${LIST[6]}` });
  await title(page, "Проверена 1 строка из 2");
  await page.locator(".watch-menu > summary").click();
  const { name, bytes } = await saved(page, () => page.getByRole("button", { name: "Сохранить список для watch" }).click());
  assert.ok((await page.locator(".watch-menu code").innerText()).includes(`watch --database data.sqlite --list ${name} --since @`));
  assert.equal(bytes.toString(), `\ufeffINN,name\r\n${LIST[0]},"ООО ЧОО ""СТОРОЖЕВОЙ БЕРЕГ"""\r\n`);
  await page.keyboard.press("Escape");
  assert.equal(await page.evaluate(() => document.activeElement.closest(".watch-menu") !== null), true);
  await close();
});

test("the home page shows recent checks, which can be cleared; without local storage there are none", async () => {
  const { page, close } = await open(browser, service, { hash: `#/supplier/${LIST[0]}` });
  await settled(page);
  await page.goto(`${service.url}/?lang=ru#/batch?inn=${LIST.slice(0, 3).join(",")}`);
  await title(page, "Проверено 3 строки из 3");
  await settled(page);
  await page.goto(`${service.url}/?lang=ru#/`);
  const recent = page.locator(".recent li");
  await recent.first().waitFor();
  const said = (await recent.allInnerTexts()).map((words) => words.replace(/\s+/g, " "));
  assert.match(said[0], /^Список 3 строки, в РНП: 1 проверено \d\d\.\d\d\.\d{4}$/);
  assert.match(said[1], /СТОРОЖЕВОЙ БЕРЕГ.* 9602003485 в РНП проверено/);
  await recent.first().getByRole("link").click();
  await title(page, "Проверено 3 строки из 3");
  await page.goto(`${service.url}/?lang=ru#/`);
  await page.getByRole("button", { name: "Очистить" }).click();
  assert.equal(await recent.count(), 0);
  await page.reload();
  await page.locator(".home-cards").waitFor();
  assert.equal(await recent.count(), 0);
  await close();
  const refusing = await open(browser, service, { hash: "" });
  await refusing.page.addInitScript(() => Object.defineProperty(window, "localStorage", { get: () => { throw new DOMException("refused", "SecurityError"); } }));
  // A change of only the fragment would not reload the page.
  await refusing.page.goto("about:blank");
  await refusing.page.goto(`${service.url}/?lang=ru#/supplier/${LIST[0]}`);
  await settled(refusing.page);
  await refusing.page.evaluate(() => (location.hash = "#/"));
  await refusing.page.locator(".home-cards").waitFor();
  assert.equal(await refusing.page.locator(".recent").count(), 0);
  await refusing.close();
});

// Printed records of checks: contents, signatures, and length.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { before, test } from "node:test";
import { fetchBytes, inLine, launch, open, pagesOf, savedBoth, settled } from "./browser.js";
import { serveLines, serveSigned } from "./service.js";

const LISTED = "9602003485";
const MANY = "9602000445";

let browser, service;
before(async () => ([browser, service] = await Promise.all([launch(), serveSigned("--rnp-rate", "0")])));

/** Returns the overlapping words in a PDF, and the page number at the foot of each page. */
function textOf(pdf) {
  const { stdout } = spawnSync("pdftotext", ["-bbox", "-", "-"], { input: pdf, encoding: "utf8", maxBuffer: 1 << 28 });
  const pages = stdout.split("<page ").slice(1).map((page) =>
    [...page.matchAll(/<word xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)" yMax="([\d.]+)">(.*?)<\/word>/g)].map(([, left, top, right, bottom, word]) => ({ left: +left, top: +top, right: +right, bottom: +bottom, word })));
  const common = (one, other, from, to) => Math.min(one[to], other[to]) - Math.max(one[from], other[from]);
  const areOver = (one, other) => common(one, other, "left", "right") > 1 && common(one, other, "top", "bottom") > (one.bottom - one.top) / 2;
  const overlaps = pages.flatMap((words) => words.flatMap((one, at) => words.slice(at + 1).filter((other) => areOver(one, other)).map((other) => `${one.word} over ${other.word}`)));
  const numbers = pages.map((words) => words.sort((one, other) => one.top - other.top || one.left - other.left).slice(-3).map(({ word }) => word).join(" "));
  return { overlaps, numbers };
}

async function onEvidence(inn, query = "", options = {}) {
  const tab = await open(browser, options.service ?? service, { hash: `#/evidence/${inn}${query}`, ...options });
  await tab.page.locator(".evidence").waitFor();
  return tab;
}

test("a record has verdict, entries, basis, contracts, source, and lines for signatures", async () => {
  const { page, close } = await onEvidence(LISTED, "?asOf=2025-01-15&stage=EC&priceFrom=1000");
  const text = inLine(await page.locator(".evidence").innerText());
  for (const part of [
    "Справка о проверке", "СТОРОЖЕВОЙ БЕРЕГ", LISTED, "15.01.2025 был в РНП", "В этот день действовали 2 записи: 44-ФЗ — с ",
    "РНП.960077-24 44-ФЗ 05.02.2024", "Р2400131 223-ФЗ", "По каким данным", "44-ФЗ полностью 15.01.2025", "Контрактов: 1 на сумму", "С учётом фильтров: Состояние: исполнен; Цена от: 1 000,00 ₽",
    "Источник Демонстрационные данные", "Проверил Подпись Дата",
  ]) assert.ok(text.includes(part), `${part} in ${text}`);
  assert.ok(!text.includes("РНП.960501-25"), "an entry of later");
  assert.match(text, /^Справка о проверке \d\d\.\d\d\.\d{4}, \d\d:\d\d \(МСК\)/);
  assert.match(text, /Последняя загрузка данных: \d\d\.\d\d\.\d{4}, \d\d:\d\d \(МСК\)/);
  assert.match(await page.title(), new RegExp(`^Справка о проверке ${LISTED} 15\\.01\\.2025`));
  await close();
});

test("the record of an ordinary supplier fits on one A4 page in at least 10 points, in both languages", async () => {
  for (const lang of ["ru", "en"]) {
    for (const inn of [LISTED, MANY, "7707083893"]) {
      const { page, close } = await onEvidence(inn, "", { lang });
      assert.equal(await pagesOf(page), 1, `${inn}, ${lang}`);
      await page.emulateMedia({ media: "print" });
      for (const hidden of ["#header", "#footer", ".evidence-actions"]) assert.ok(!(await page.locator(hidden).isVisible()), hidden);
      const small = await page.locator(".evidence :not(footer, footer *, .unseen)").evaluateAll((all) =>
        all.filter((one) => [...one.childNodes].some((node) => node.nodeType === 3) && parseFloat(getComputedStyle(one).fontSize) < 13.3).map((one) => one.outerHTML));
      assert.deepEqual(small, []);
      await close();
    }
  }
});

test("the record of a list has every line, also those that were not checked, with the reason", async () => {
  const { page, close } = await open(browser, service, { hash: "#/batch" });
  await page.route("**/find/names?*", (route) => route.fulfill({ json: { names: [] } }));
  const lines = ["Поставщик;ИНН", `ООО Берег;${LISTED}`, "Без нуля;602003012", "Короткий;9,602E+09", "Безномерный;", "Опечатка;7707083894", ...Array.from({ length: 260 }, () => `ООО Фармстрой-35;${MANY}`)];
  await page.locator("#batch-text").fill(lines.join("\n"));
  await page.getByRole("button", { name: "Проверить" }).click();
  await page.getByRole("heading", { name: "Проверена 261 строка из 265" }).waitFor();
  await page.getByRole("button", { name: /^1 в РНП/ }).click();
  await page.evaluate(() => (window.print = () => (document.body.dataset.printed = "1")));
  await page.getByRole("button", { name: "Справка по списку, PDF" }).click();
  await page.waitForFunction(() => document.body.dataset.printed === "1");
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  await page.emulateMedia({ media: "print" });
  const sheet = page.locator(".evidence");
  const text = inLine(await sheet.innerText());
  for (const part of [
    "Справка о проверке списка", "Проверена 261 строка из 265", "в РНП — 1 без проверки — 4 нет в РНП — 260", "44-ФЗ полностью", "Проверил Подпись Дата",
    `в РНП РНП.961318-26 (44-ФЗ): действует по`, "3 Без нуля 602003012 — не проверен в ИНН не хватает цифры", "4 Короткий 9,602E+09 — не проверен Excel округлил ИНН", "5 Безномерный — — не проверен нет ИНН", "6 Опечатка 7707083894 — не проверен Контрольное число ИНН",
    `266 ООО Фармстрой-35 ${MANY}`, "Расторжения: 21; Неустойки: 24; Срок истёк: 12",
  ]) assert.ok(text.includes(part), `${part} in ${text.slice(0, 2000)}`);
  assert.equal(await sheet.locator(".lines tbody tr").count(), 265);
  assert.deepEqual(await sheet.locator(".group h3").allInnerTexts().then((all) => all.map((words) => inLine(words).toLowerCase())), ["в рнп: 1", "без проверки: 4", "нет в рнп: 260"], "listed suppliers come first");
  for (const hidden of ["#header", "form.batch", ".verdicts"]) assert.ok(!(await page.locator(hidden).isVisible()), hidden);
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  assert.equal(await sheet.count(), 0);
  const pages = await pagesOf(page);
  assert.ok(pages > 5 && pages < 20, `${pages} pages, printed by the browser's own menu, too`);
  const { overlaps, numbers } = textOf(await page.pdf({ format: "A4" }));
  assert.deepEqual(overlaps, [], "no overlapping texts");
  assert.deepEqual(numbers, Array.from({ length: pages }, (_, at) => `${at + 1} / ${pages}`));
  await close();
});

test("a supplier's filters are kept on the record; it can be printed, and back leads to the supplier", async () => {
  const { page, close } = await open(browser, service, { hash: `#/supplier/${MANY}?stage=EC&year=2024&asOf=2024-05-05` });
  await settled(page);
  await page.locator(".next > .button", { hasText: "Справка о проверке" }).click();
  await page.locator(".evidence").waitFor();
  assert.match(inLine(await page.locator(".evidence").innerText()), /Состояние: исполнен; Год: 2024/);
  await page.evaluate(() => (window.print = () => (document.body.dataset.printed = "1")));
  await page.getByRole("button", { name: "Напечатать или сохранить в PDF" }).click();
  assert.equal(await page.evaluate(() => document.body.dataset.printed), "1");
  await page.getByRole("link", { name: "К поставщику" }).click();
  await page.waitForURL((url) => url.hash === `#/supplier/${MANY}?stage=EC&year=2024&asOf=2024-05-05`);
  await settled(page);
  await close();
});

test("answer and receipt are saved in files of the same name, which `verify` accepts", async () => {
  const { page, close } = await onEvidence(LISTED);
  assert.match(service.verify(await page.locator(".receipt").textContent()), /^valid: /);
  const files = await savedBoth(page, () => page.getByRole("button", { name: "Сохранить ответ и подпись сервера" }).click());
  const name = `rnp-${LISTED}-DAY`;
  assert.deepEqual([...files.keys()].sort(), [`${name}.json`, `${name}.receipt.txt`]);
  assert.ok(files.get(`${name}.json`).equals(await fetchBytes(service, `/rnp/check-suppliers?supplierINN=${LISTED}&format=json&history=1`)));
  assert.match(service.verify(files.get(`${name}.receipt.txt`), files.get(`${name}.json`)), /, with answer$/m);
  await close();
});

test("a record names the newest document of each entry", async () => {
  const { page, close } = await open(browser, service);
  const document = (version, published) => ({ kind: "unfairSupplier2022", number: "1", version, published, subsystem: "RNP", href: null });
  await page.route("**/documents?*", (route) => {
    const isKnown = route.request().url().includes(encodeURIComponent("РНП.961318-26"));
    return isKnown ? route.fulfill({ json: { number: "1", documents: [document("1", "2026-10-05"), document("2", "2026-10-09T10:00:00Z")] } }) : route.continue();
  });
  await page.goto(`${service.url}/?lang=ru#/evidence/${LISTED}`);
  await page.locator(".evidence").waitFor();
  const text = inLine(await page.locator(".evidence").innerText());
  assert.ok(text.includes("Запись РНП.961318-26: версия документа 2, размещена 09.10.2026. Проверил"), text);
  await close();
});

test("no record is shown if its answers come from different data", async () => {
  const { page, close } = await open(browser, service);
  await page.route("**/contract/**", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, headers: { ...response.headers(), "x-data-updated": "2020-01-01T00:00:00Z" } });
  });
  await page.goto(`${service.url}/?lang=ru#/evidence/${LISTED}`);
  await page.locator(".error.changed").waitFor();
  assert.equal(await page.locator(".evidence").count(), 0);
  await close();
});

test("a missing registry is reported, and the record makes no statement about it", async () => {
  const bare = await serveLines(`{"type":"contract","supplier":{"inn":"${MANY}","name":"ООО"},"contract":{"regNum":"1","signDate":"2025-01-01"}}\n`);
  const { page, close } = await onEvidence(MANY, "", { service: bare });
  const text = inLine(await page.locator(".evidence").innerText());
  assert.match(text, /Неизвестно: РНП не загружен/);
  assert.match(text, /44-ФЗ не загружен — — 0/);
  assert.ok(text.includes(`её документы, загруженные на сервер ${new URL(bare.url).host}.`));
  assert.match(text, /Подписи сервера нет: .*keys signing-key/);
  assert.equal(await page.locator(".receipt, .evidence-actions button:nth-of-type(2)").count(), 0);
  assert.ok(!text.includes("Демонстрационные данные"));
  await close();
  await bare.stop();
});

test("the record of a list is signed: answers and receipts are two files that `verify` accepts", async () => {
  const { page, close } = await open(browser, service, { hash: "#/batch" });
  const inns = [LISTED, ...Array.from({ length: 200 }, (_, at) => String(9_602_100_000 + at))];
  await page.locator("#batch-text").fill(inns.join("\n"));
  await page.getByRole("button", { name: "Проверить", exact: true }).click();
  await page.getByRole("heading", { name: / из 201$/ }).waitFor();
  await settled(page);
  await page.locator(".list-take .menu.answers > summary").click();
  const files = await savedBoth(page, () => page.getByRole("button", { name: "Ответы с подписью сервера" }).click());
  const name = "rnp-list-answers-DAY";
  assert.deepEqual([...files.keys()].sort(), [`${name}.jsonl`, `${name}.receipts.txt`]);
  const [answers, receipts] = [files.get(`${name}.jsonl`), files.get(`${name}.receipts.txt`)];
  assert.match(service.verify(receipts, answers), /^valid: 2 receipts: .*, with answer$/m);
  assert.equal(answers.toString().trim().split("\n").flatMap((line) => JSON.parse(line).suppliers).length, 201);
  assert.throws(() => service.verify(receipts, answers.toString().replace('"listed"', '"not-listed"')), /exit 1/);
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  const footer = await page.locator(".of-list footer").innerText();
  for (const line of receipts.toString().trim().split("\n")) assert.ok(footer.includes(line.split("; ").at(-1)), "each signature is on the record");
  assert.ok(footer.includes(`${service.url}/signing-key.pem`));
  await close();
});

test("a record lists the risk facts of the contracts that it counts", async () => {
  for (const [inn, expected] of [[MANY, /Факты риска: .*по решению суда — 3 \(11 876 995,00 ₽\).*; неустойка — 24 \(/], ["9602003012", /Фактов риска по контрактам нет\./]]) {
    const { page, close } = await onEvidence(inn);
    assert.match(inLine(await page.locator(".evidence").innerText()), expected);
    await close();
  }
});

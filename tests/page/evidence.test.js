// A check as evidence: what the sheet says, that it is one page of paper, and that its receipts hold.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { bytesOf, direct, launch, open, settled } from "./browser.js";
import { cleanUp, over, signing } from "./service.js";

const LISTED = "9602003485";
const MANY = "9602000445";

let browser, service;
before(async () => ([browser, service] = await Promise.all([launch(), signing("--rnp-rate", "0")])));
after(async () => {
  await browser.close();
  await service.stop();
  cleanUp();
});

const plain = (text) => text.replace(/[\u202f\u00a0]/g, " ").replace(/\s+/g, " ");

async function onEvidence(inn, query = "", options = {}) {
  const tab = await open(browser, options.service ?? service, { hash: `#/evidence/${inn}${query}`, ...options });
  await tab.page.locator(".evidence").waitFor();
  return tab;
}

test("the sheet has the question, the verdict, its entries, the contracts, the data and the receipts", async () => {
  const { page, close } = await onEvidence(LISTED, "?asOf=2025-01-15&stage=EC&priceFrom=1000");
  const text = plain(await page.locator(".evidence").innerText());
  const filters = "stage=EC&priceFrom=1000";
  const { totalcount } = JSON.parse(await direct(service, `/contract/summary-supplier44?supplierINN=${LISTED}&format=json&${filters}`));
  assert.equal(totalcount, 1);
  for (const part of [
    "СТОРОЖЕВОЙ БЕРЕГ", LISTED, "Демонстрационные данные", "РНП по состоянию на 15.01.2025", "Состояние: исполнен; Цена от: 1 000,00 ₽",
    "На 15.01.2025: включён в РНП", "44-ФЗ загружен полностью на более позднюю дату 30.06.2026 11", "РНП.960077-24", "Р2400131", service.url,
    "Найден 1 контракт", "procurement-lookup verify",
  ]) assert.ok(text.includes(part), `${part} in ${text}`);
  assert.ok(!text.includes("РНП.960501-25"), "an entry of later");
  assert.match(text, /Время проверки \d\d\.\d\d\.\d{4}, \d\d:\d\d \(МСК\)/);
  assert.match(text, /Данные обновлены \d\d\.\d\d\.\d{4}, \d\d:\d\d \(МСК\), версия [0-9a-f]{16}-\d+/);
  const receipts = await page.locator(".receipt").allTextContents();
  assert.equal(receipts.length, 2);
  for (const receipt of receipts) {
    assert.match(service.verify(receipt), /^valid: /);
  }
  assert.match(await page.title(), new RegExp(`^Подтверждение проверки ${LISTED} `));
  await close();
});

test("an ordinary supplier's sheet is one page of A4, in both languages", async () => {
  for (const lang of ["ru", "en"]) {
    for (const inn of [LISTED, MANY, "7707083893"]) {
      const { page, close } = await onEvidence(inn, "", { lang });
      const pdf = (await page.pdf({ format: "A4" })).toString("latin1");
      assert.equal(pdf.match(/\/Type \/Page\b(?!s)/g).length, 1, `${inn}, ${lang}`);
      await close();
    }
  }
});

test("on paper there is the sheet alone; on the screen a button prints it", async () => {
  const { page, close } = await onEvidence(MANY);
  await page.emulateMedia({ media: "print" });
  for (const hidden of ["#header", "#footer", ".evidence-actions"]) assert.ok(!(await page.locator(hidden).isVisible()), hidden);
  await page.emulateMedia({ media: "screen" });
  await page.evaluate(() => (window.print = () => (document.body.dataset.printed = "1")));
  await page.getByRole("button", { name: "Напечатать или сохранить в PDF" }).click();
  assert.equal(await page.evaluate(() => document.body.dataset.printed), "1");
  await close();
});

test("from the supplier to the sheet with the filters, and back", async () => {
  const { page, close } = await open(browser, service, { hash: `#/supplier/${MANY}?stage=EC&year=2024&asOf=2024-05-05` });
  await settled(page);
  await page.locator(".take > .button", { hasText: "Подтверждение проверки" }).click();
  await page.locator(".evidence").waitFor();
  assert.match(plain(await page.locator(".evidence").innerText()), /Состояние: исполнен; Год: 2024/);
  await page.getByRole("link", { name: "К поставщику" }).click();
  await page.waitForURL((url) => url.hash === `#/supplier/${MANY}?stage=EC&year=2024&asOf=2024-05-05`);
  await settled(page);
  await close();
});

test("each answer is saved beside its receipt, in files of the same name, and the program verifies them", async () => {
  const { page, close } = await onEvidence(LISTED, "?stage=EC");
  for (const [button, name, path] of [
    ["Ответ с подписью сервера: РНП", `rnp-${LISTED}-DAY`, `/rnp/check-suppliers?supplierINN=${LISTED}&format=json&history=1`],
    ["Ответ с подписью сервера: контракты", `summary-${LISTED}-EC-DAY`, `/contract/summary-supplier44?supplierINN=${LISTED}&format=json&stage=EC`],
  ]) {
    const files = new Map();
    const both = new Promise((resolve) => {
      page.on("download", async (download) => {
        files.set(download.suggestedFilename().replace(/\d{4}-\d\d-\d\d/, "DAY"), await bytesOf(download));
        if (files.size === 2) resolve();
      });
    });
    await page.getByRole("button", { name: button }).click();
    await both;
    page.removeAllListeners("download");
    assert.deepEqual([...files.keys()].sort(), [`${name}.json`, `${name}.receipt.txt`]);
    assert.ok(files.get(`${name}.json`).equals(await direct(service, path)));
    assert.match(service.verify(files.get(`${name}.receipt.txt`), files.get(`${name}.json`)), /, with answer$/m);
  }
  await close();
});

test("answers over different data make no sheet, even if they are of the same time", async () => {
  const { page, close } = await open(browser, service);
  await page.route("**/contract/**", async (route) => {
    const response = await route.fetch();
    const headers = response.headers();
    await route.fulfill({ response, headers: { ...headers, "x-receipt": headers["x-receipt"].replace(/data=[^;]+/, "data=0123456789abcdef-1") } });
  });
  await page.goto(`${service.url}/?lang=ru#/evidence/${LISTED}`);
  await page.locator(".trouble.changed").waitFor();
  assert.equal(await page.locator(".evidence").count(), 0);
  await close();
});

test("a registry that is not there is said so, and nothing is claimed", async () => {
  const bare = await over(`{"type":"contract","supplier":{"inn":"${MANY}","name":"ООО"},"contract":{"regNum":"1","signDate":"2025-01-01"}}\n`);
  const { page, close } = await onEvidence(MANY, "", { service: bare });
  const text = plain(await page.locator(".evidence").innerText());
  assert.match(text, /Реестр не загружен\. .*сказать, числится ли в нём поставщик, нельзя/);
  assert.match(text, /44-ФЗ не загружен — 0/);
  assert.match(text, /Сервер не подписывает ответы: .*keys signing-key/);
  assert.equal(await page.locator(".receipt, .evidence-actions button:nth-of-type(2)").count(), 0);
  assert.ok(!text.includes("Демонстрационные данные"));
  await close();
  await bare.stop();
});

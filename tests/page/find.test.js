// The search field: hits while the user types, by keyboard, by touch and for screen readers. Also
// the page of hits.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { understand } from "../../src/web/routes.js";
import { findings, launch, open, settled } from "./browser.js";
import { demoLines, serveDemo, serveLines } from "./service.js";

const LISTED = "9602003485";

let browser, service;
before(async () => ([browser, service] = await Promise.all([launch(), serveDemo("--rnp-rate", "0")])));

const options = (page) => page.getByRole("option");
const activeOption = (page) => page.evaluate(() => {
  const field = document.getElementById("search");
  return document.getElementById(field.getAttribute("aria-activedescendant"))?.querySelector(".name").textContent ?? null;
});

/** Types into the search field and waits for hits. */
async function typed(page, text) {
  await page.waitForSelector("#search[role=combobox]");
  await page.locator("#search").fill("");
  await page.locator("#search").pressSequentially(text);
  await page.getByRole("listbox").waitFor();
}

test("typing part of a name finds suppliers and customers, with number of contracts and RNP marks", async () => {
  const { page, close } = await open(browser, service);
  for (const [words, said, hash, name] of [
    ["сторож", /Сторожевой берег.*Поставщик.*ИНН\s9602003485.*контракт.*в РНП/s, `#/supplier/${LISTED}`, /Сторожевой берег/],
    ["родильный дом № 66", /ГБУЗ «Родильный дом № 66».*Заказчик.*ИНН\s9608197580.*47 контрактов/s, "#/customer/9608197580", "ГБУЗ «Родильный дом № 66»"],
  ]) {
    await typed(page, words);
    const hit = options(page).first();
    assert.match(await hit.innerText(), said);
    await page.locator("#status", { hasText: /Найден/ }).waitFor();
    assert.equal(await page.locator("#search").getAttribute("aria-expanded"), "true");
    await hit.click();
    await page.waitForURL((url) => url.hash === hash);
    await page.getByRole("heading", { level: 1, name }).waitFor();
    assert.equal(await page.getByRole("listbox").count(), 0);
  }
  await close();
});

test("keyboard: arrows move through the hits and back to the field, Enter opens a hit, Escape closes", async () => {
  const { page, close } = await open(browser, service);
  await typed(page, "ООО");
  const names = await options(page).locator(".name").allInnerTexts();
  assert.ok(names.length > 2, names.join(" | "));
  assert.equal(await activeOption(page), null);
  await page.keyboard.press("ArrowDown");
  assert.equal(await activeOption(page), names[0]);
  await page.keyboard.press("ArrowDown");
  assert.equal(await activeOption(page), names[1]);
  assert.equal(await options(page).nth(1).getAttribute("aria-selected"), "true");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  assert.equal(await activeOption(page), null);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Home");
  assert.equal(await activeOption(page), null, "Home moves the caret in the text");
  await page.keyboard.press("Escape");
  assert.equal(await page.getByRole("listbox").count(), 0);
  assert.equal(await page.locator("#search").inputValue(), "ООО");
  await page.keyboard.press("ArrowDown");
  await page.getByRole("listbox").waitFor();
  await page.keyboard.press("ArrowDown");
  const href = await options(page).first().getAttribute("href");
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.hash === href);
  await close();
});

test("a tap opens a hit", async () => {
  const { page, close } = await open(browser, service, { width: 390, hasTouch: true });
  await typed(page, "сторож");
  await options(page).first().tap();
  await page.waitForURL(new RegExp(`#/supplier/${LISTED}$`));
  await close();
});

test("leaving the field closes the hits, and Tab goes to the button", async () => {
  const { page, close } = await open(browser, service);
  await typed(page, "сторож");
  await page.keyboard.press("Tab");
  assert.equal(await page.getByRole("listbox").count(), 0);
  assert.equal(await page.evaluate(() => document.activeElement.title), "Найти");
  await close();
});

test("only hits for the latest text are shown, and errors are ignored", async () => {
  const { page, close } = await open(browser, service, { expected: /status of (500|429)/ });
  const asked = [];
  await page.route("**/find?*", async (route) => {
    const q = new URL(route.request().url()).searchParams.get("q");
    asked.push(q);
    if (q === "сторож") await new Promise((resolve) => setTimeout(resolve, 900));
    if (q === "сломано") return route.fulfill({ status: 500, json: { error: "server error" } });
    if (q === "много") return route.fulfill({ status: 429, headers: { "Retry-After": "60" }, json: { code: 429, error: "Превышен лимит запросов." } });
    return route.continue().catch(() => {});
  });
  await page.waitForSelector("#search[role=combobox]");
  const field = page.locator("#search");
  await field.pressSequentially("ст");
  await field.pressSequentially("орож", { delay: 10 });
  await page.waitForTimeout(400);
  await field.fill("ООО");
  await page.getByRole("listbox").waitFor();
  await page.waitForLoadState("networkidle");
  const shown = await options(page).locator(".name").allInnerTexts();
  await page.waitForTimeout(1000);
  assert.deepEqual(await options(page).locator(".name").allInnerTexts(), shown);
  assert.ok(!asked.includes("ст") && asked.includes("сторож"), asked.join());
  await field.fill("сломано");
  await page.waitForTimeout(500);
  assert.equal(await page.getByRole("listbox").count(), 0);
  assert.equal(await page.locator(".error").count(), 0);
  await field.fill("много");
  await page.waitForTimeout(500);
  const before = asked.length;
  await field.fill("сторожевой");
  await page.waitForTimeout(500);
  assert.equal(asked.length, before, "after a 429, no requests are sent until the limit ends");
  await close();
});

test("Enter on part of a name opens a page of hits, which links to the supplier", async () => {
  const { page, close } = await open(browser, service);
  await page.locator("#search").fill("ООО");
  await page.locator("#search").press("Enter");
  await page.getByRole("heading", { level: 1, name: "Поиск: ООО" }).waitFor();
  await settled(page);
  const hits = page.locator(".found .hit:not(.about-it)");
  const { totalcount } = await page.evaluate(async () => (await fetch("/find?q=ООО&limit=50&format=json", { headers: { "X-API-Key": "demo" } })).json());
  assert.equal(await hits.count(), Math.min(totalcount, 50));
  const name = await hits.first().locator(".name").innerText();
  await hits.first().click();
  await page.getByRole("heading", { level: 1, name }).waitFor();
  await page.goBack();
  await page.getByRole("heading", { level: 1, name: "Поиск: ООО" }).waitFor();
  assert.equal(await page.locator("#search").inputValue(), "ООО");
  await close();
});

test("for names that are too short or not found, the page suggests what to try", async () => {
  const { page, asked, close } = await open(browser, service, { hash: `#/find/${encodeURIComponent("ж")}` });
  await page.locator("main").getByText("Введите хотя бы три знака названия или предмета.").waitFor();
  assert.ok(!asked.some((url) => url.includes("/find?")));
  await page.locator("#search").fill("Нигде такого нет");
  await page.locator("#search").press("Enter");
  await page.getByRole("heading", { name: "Ничего не найдено" }).waitFor();
  await page.getByText("часть названия без ООО и АО").waitFor();
  await close();
});

test("a number opens the purchase, or the supplier of the contract or entry", async () => {
  const { page, close } = await open(browser, service);
  const { contracts } = await page.evaluate(async (inn) => (await fetch(`/contract/monitor-supplier44?supplierINN=${inn}&limit=1&format=json`, { headers: { "X-API-Key": "demo" } })).json(), LISTED);
  for (const [number, hash] of [
    ["0296200014323000112", "#/purchase/0296200014323000112"],
    ["№ 0296-2000-1432-3000-112", "#/purchase/0296200014323000112"],
    ["32413620905", "#/purchase/32413620905"],
    [contracts[0].regNum, `#/supplier/${LISTED}?contract=${contracts[0].regNum}`],
    ["РНП.960501-25", `#/supplier/${LISTED}`],
    // This number is not in the data, and the purchase view says so.
    ["0000000000000000000", "#/purchase/0000000000000000000"],
  ]) {
    await page.locator("#search").fill(number);
    await page.locator("#search").press("Enter");
    await page.waitForURL((url) => decodeURIComponent(url.hash) === hash);
    await settled(page);
  }
  // The page of hits adds no history entry, so Back skips it.
  await page.goBack();
  assert.equal(await page.evaluate(() => location.hash), `#/supplier/${LISTED}`);
  await close();
});

test("queries are classified as numbers, names or invalid", () => {
  const cases = {
    "": "wrong empty", "  ": "wrong empty", "ст": "wrong few", "  стр  ой ": "find стр ой",
    "ООО Ромашка": "find ООО Ромашка", "СУ-155": "find СУ-155", "Трест № 12": "find Трест № 12", "ООО 77 Регион 07083893": "find ООО 77 Регион 07083893",
    "9602003485": "supplier 9602003485", "9602 003 485": "supplier 9602003485", "ИНН 9602003485 КПП 960201001": "supplier 9602003485",
    "ООО Ромашка, ИНН 9602003485": "supplier 9602003485", "ООО Ромашка 9602003485": "supplier 9602003485", "9602003485, 9602003527": "batch 9602003485,9602003527",
    "602003485": "wrong short", "ИНН 602003485": "wrong short", "41234567890": "wrong eleven", "123": "wrong length", "номер 123": "wrong length",
    "0296200014323000112": "find 0296200014323000112", "Закупка № 0296200014323000112": "find 0296200014323000112", "32413620905": "purchase 32413620905", "029620004102400014": "purchase 029620004102400014",
    "9602О00445": "supplier 9602000445", "ООО Ромашка, 96O2ОО0445": "supplier 9602000445", "0296200014З23000112": "find 0296200014323000112",
    "Ромашка1234": "find Ромашка1234", "РНП.960501-25": "find РНП.960501-25", "РНП-615.960009-25": "find РНП-615.960009-25", "Р2400131": "find Р2400131",
    "https://zakupki.gov.ru/epz/order/notice/ea20/view/common-info.html?regNumber=0296200014323000112": "purchase 0296200014323000112",
    "https://zakupki.gov.ru/epz/main": "wrong address", [`${"1".repeat(36)}`]: "wrong ikz", "9602003485, 0296200014323000112": "wrong several",
  };
  for (const [text, expected] of Object.entries(cases)) {
    const { kind, subject, inns, why } = understand(text);
    assert.equal([kind, subject ?? inns?.join() ?? why].join(" "), expected, text);
  }
});

test("hits have no findings by axe and stay within the window, in both languages and on a phone", async () => {
  for (const [lang, width, dark] of [["ru", 1280, false], ["en", 390, true], ["ru", 320, false]]) {
    const { page, close } = await open(browser, service, { lang, width, dark });
    await typed(page, "ООО");
    await page.keyboard.press("ArrowDown");
    assert.deepEqual(await findings(page), []);
    const box = await page.getByRole("listbox").boundingBox();
    assert.ok(box.x >= 0 && box.x + box.width <= width, JSON.stringify(box));
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    await close();
  }
});

test("without a valid key, typing sends no requests", async () => {
  const keyed = await serveLines(demoLines(), "--rnp-rate", "0");
  const { page, asked, close } = await open(browser, keyed, { key: false, expected: /status of 401/ });
  const finds = () => asked.filter((url) => url.includes("/find?")).length;
  await page.waitForSelector("#search[role=combobox]");
  await page.locator("#search").pressSequentially("сторож");
  await page.waitForTimeout(800);
  assert.equal(finds(), 0);
  const lack = page.locator("#form p.said", { hasText: "Нужен ключ" });
  await lack.waitFor();
  await page.locator("#search").pressSequentially("евой");
  assert.ok(await lack.isVisible(), "hits stay while typing continues");
  await page.locator("#search").press("Enter");
  await lack.waitFor({ state: "hidden" });
  await page.getByLabel("Ключ доступа").fill("wrong");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Ключ не подошёл" }).waitFor();
  await page.locator("#search").fill("берег");
  await page.waitForTimeout(800);
  const before = finds();
  await page.locator("#search").pressSequentially(" сторож", { delay: 250 });
  await page.waitForTimeout(800);
  assert.equal(finds(), before, "a refused key is not tried again");
  await close();
  await keyed.stop();
});

// Loading the page: language, theme, first paint, slow connections, and what works before the
// scripts have loaded or without them.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { launch, open } from "./browser.js";
import { demoLines, serveDemo, serveLines } from "./service.js";

const LISTED = "9602003485";
const SLOW = { offline: false, latency: 400, downloadThroughput: 50 * 1024, uploadThroughput: 50 * 1024 };

let browser, service, keyed;
before(async () => ([browser, service, keyed] = await Promise.all([launch(), serveDemo(), serveLines(demoLines(), "--rnp-rate", "0")])));

/** Holds back all scripts except the render-blocking one until `go` is called. */
async function withoutScriptsYet(page) {
  let go;
  const held = new Promise((resolve) => (go = resolve));
  await page.route(/\/web\/[^/]+\/(?!early)[^/]+\.js$/, async (route) => {
    await held;
    await route.continue().catch(() => {});
  });
  return go;
}

test("the chosen theme and language apply before the scripts load, whatever language was requested", async () => {
  const { page, close } = await open(browser, service);
  await page.getByLabel("Оформление").selectOption("dark");
  await page.getByLabel("Язык").selectOption("en");
  await page.getByRole("heading", { level: 1, name: "Check a supplier" }).waitFor();
  const go = await withoutScriptsYet(page);
  await page.goto(`${service.url}/?lang=ru`, { waitUntil: "commit" });
  await page.waitForURL(/lang=en/, { waitUntil: "commit" });
  await page.getByPlaceholder("Name, INN, number or subject").waitFor();
  assert.deepEqual(await page.evaluate(() => [document.documentElement.dataset.theme, document.documentElement.lang]), ["dark", "en"]);
  assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme), "dark");
  go();
  await page.getByRole("heading", { level: 1, name: "Check a supplier" }).waitFor();
  // Other tabs use the chosen language too.
  const other = await page.context().newPage();
  await other.goto(`${service.url}/?lang=ru`);
  await other.getByRole("heading", { level: 1, name: "Check a supplier" }).waitFor();
  assert.equal(await other.evaluate(() => document.documentElement.dataset.theme), "dark");
  await close();
});

test("changing the language keeps typed text and translates the whole header", async () => {
  const { page, close } = await open(browser, service);
  await page.locator("#search").fill("быстро");
  await page.getByLabel("Язык").focus();
  await page.getByLabel("Язык").selectOption("en");
  await page.getByRole("heading", { level: 1, name: "Check a supplier" }).waitFor();
  assert.equal(await page.locator("#search").inputValue(), "быстро");
  const inHeader = await page.locator("#header").innerText();
  assert.doesNotMatch(inHeader.replace("Русский", ""), /\p{Script=Cyrillic}/u);
  assert.equal(await page.evaluate(() => document.activeElement.id), "language");
  await close();
});

test("before the scripts load, the header is shown, and text typed in it is kept", async () => {
  const { page, close } = await open(browser, service);
  const go = await withoutScriptsYet(page);
  await page.reload({ waitUntil: "commit" });
  await page.getByRole("search").waitFor();
  assert.equal(await page.locator("main > *").count(), 0);
  await page.locator("#search").pressSequentially("96020034");
  go();
  await page.getByRole("heading", { level: 1, name: "Проверьте поставщика" }).waitFor();
  assert.deepEqual(await page.evaluate(() => [document.activeElement.id, document.activeElement.value]), ["search", "96020034"]);
  await close();
});

test("on a slow connection, an INN submitted before the scripts load is looked up", async (context) => {
  const { page, close } = await open(browser, service);
  const session = await page.context().newCDPSession(page);
  await page.goto("about:blank");
  await session.send("Network.clearBrowserCache");
  await session.send("Network.emulateNetworkConditions", SLOW);
  const start = Date.now();
  await page.goto(`${service.url}/?lang=ru`, { waitUntil: "commit" });
  await page.locator("#search").fill(LISTED);
  assert.equal(await page.locator("main > *").count(), 0, "scripts have not run");
  await page.locator("#search").press("Enter");
  const typed = Date.now() - start;
  await page.getByRole("heading", { level: 1, name: /Сторожевой берег/ }).waitFor();
  context.diagnostic(`400 ms, 50 KB/s, an empty cache: sent after ${typed} ms, answered after ${Date.now() - start} ms`);
  assert.match(page.url(), new RegExp(`/\\?lang=ru#/supplier/${LISTED}$`));
  await close();
});

test("any query submitted by the form is handled as if typed", async () => {
  const { page, close } = await open(browser, service);
  const at = (text) => page.goto(`${service.url}/?lang=ru&q=${encodeURIComponent(text)}`);
  await at("602003485");
  await page.locator("#search-said", { hasText: "Здесь 9 цифр" }).waitFor();
  assert.equal(await page.locator("#search").inputValue(), "602003485");
  assert.ok(!page.url().includes("q="));
  await at(`${LISTED} 9602003527`);
  await page.waitForURL(/\?lang=ru#\/batch\?inn=9602003485,9602003527$/);
  // This query is longer than the page's own search field allows.
  const many = Array.from({ length: 30 }, (_, at) => String(9602000000 + at)).join(" ");
  await at(many);
  await page.waitForURL((url) => url.hash.endsWith("9602000029"));
  await close();
});

test("without JavaScript, a message in both languages points to the API", async () => {
  const tab = await browser.newContext({ javaScriptEnabled: false });
  const page = await tab.newPage();
  for (const [lang, first, title] of [
    ["ru", /^Без JavaScript[\s\S]*Without JavaScript/, "Справочник API"],
    ["en", /^Without JavaScript[\s\S]*Без JavaScript/, "API reference"],
  ]) {
    await page.goto(`${service.url}/?lang=${lang}`);
    assert.match((await page.locator("body > noscript").innerText()).trim(), first);
    await page.locator("noscript a").first().click();
    await page.getByRole("heading", { level: 1, name: title }).waitFor();
  }
  await tab.close();
});

test("a page loaded before an upgrade says so and reloads", async () => {
  const { page, close } = await open(browser, service, { expected: /status of 404/ });
  const gone = (route) => route.fulfill({ status: 404 });
  await page.route(/\/web\/[^/]+\/supplier\.js$/, gone);
  await page.route(/\/web\/[^/]+\/page\.js$/, (route) => (route.request().method() === "HEAD" ? gone(route) : route.continue()));
  await page.reload();
  await page.waitForLoadState("networkidle");
  await page.evaluate((inn) => (location.hash = `#/supplier/${inn}`), LISTED);
  await page.getByRole("heading", { name: "Сервер обновлён" }).waitFor();
  await page.unrouteAll();
  await page.getByRole("button", { name: "Обновить страницу" }).click();
  await page.getByRole("heading", { level: 1, name: /Сторожевой берег/ }).waitFor();
  await close();
});

test("the header fits the window, and is one line if there is room, with demonstration data and with a key", async () => {
  for (const [of, lang] of [[service, "ru"], [service, "en"], [keyed, "ru"], [keyed, "en"]]) {
    const { page, close } = await open(browser, of, { lang, hash: "#/nowhere" });
    for (const [width, lines] of [[320, 3], [390, 2], [700, 2], [1100, 1], [1280, 1]]) {
      await page.setViewportSize({ width, height: 800 });
      const { wide, tall } = await page.evaluate(() => ({ wide: document.documentElement.scrollWidth, tall: document.querySelector(".top").offsetHeight }));
      assert.ok(wide <= width, `${lang} ${width}: ${wide}`);
      assert.ok(tall <= 96 + (lines - 1) * 52, `${lang} ${width}: ${tall} tall`);
    }
    await close();
  }
});

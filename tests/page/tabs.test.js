// The access key in several tabs: passed on to new tabs, remembered on request, and forgotten in
// all tabs.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { launch, open, settled } from "./browser.js";
import { demoLines, serveLines } from "./service.js";

const LISTED = "9602003485";
const OTHER = "9602000445";

let browser, keyed;
before(async () => ([browser, keyed] = await Promise.all([launch(), serveLines(demoLines(), "--rnp-rate", "0")])));

const asksForKey = (page) => page.getByRole("heading", { name: "Нужен ключ" }).waitFor();
const showsSupplier = (page) => page.locator("h1", { hasText: /Сторожевой берег/ }).waitFor();
const storages = (page) => page.evaluate(() => [sessionStorage.getItem("key"), localStorage.getItem("key")]);

/** Enters the key in a tab that asks for it. */
async function give(page, key, remember = false) {
  await page.getByLabel("Ключ доступа").fill(key);
  await page.getByLabel("Запомнить на этом компьютере").setChecked(remember);
  await page.getByRole("button", { name: "Продолжить" }).click();
}

/** Opens a tab that asks for the key before it shows a supplier. */
async function locked(options) {
  const tab = await open(browser, keyed, { key: false, hash: `#/supplier/${LISTED}`, ...options });
  await asksForKey(tab.page);
  return tab;
}

const REFUSED = { expected: /status of 401/ };

/** Opens another tab in the same browser. */
async function another(page, hash) {
  const other = await page.context().newPage();
  await other.goto(`${keyed.url}/?lang=ru${hash}`);
  return other;
}

test("a link opened in a new tab does not ask for the key again", async () => {
  const { page, asked, close } = await locked({ hash: `#/batch?inn=${LISTED},${OTHER}` });
  await give(page, keyed.key);
  const link = page.locator(`.verdicts a[href*="${LISTED}"]`).first();
  await link.waitFor();
  const [opened] = await Promise.all([page.context().waitForEvent("page"), link.click({ button: "middle" })]);
  await showsSupplier(opened);
  await settled(opened);
  assert.deepEqual(await storages(opened), [keyed.key, null]);
  assert.ok(!asked.some((url) => url.includes(keyed.key)));
  await close();
});

test("the key is forgotten when the last tab is closed, unless it is remembered", async () => {
  const { page, close } = await locked();
  await give(page, keyed.key);
  await showsSupplier(page);
  const blank = await page.context().newPage();
  await page.close();
  const second = await another(blank, `#/supplier/${LISTED}`);
  await asksForKey(second);
  await give(second, keyed.key, true);
  await showsSupplier(second);
  assert.deepEqual(await storages(second), [null, keyed.key]);
  await second.close();
  const third = await another(blank, `#/supplier/${LISTED}`);
  await showsSupplier(third);
  await close();
});

test("forgetting the key clears it, and the shown data, in all open tabs", async () => {
  const { page, close } = await locked();
  await give(page, keyed.key, true);
  await showsSupplier(page);
  const other = await another(page, `#/supplier/${LISTED}`);
  await showsSupplier(other);
  // A copy of the key in the session storage of the other tab is forgotten too.
  await other.evaluate((key) => sessionStorage.setItem("key", key), keyed.key);
  await page.getByRole("button", { name: "Ключ", exact: true }).click();
  assert.equal(await page.getByLabel("Запомнить на этом компьютере").isChecked(), true);
  await page.getByRole("button", { name: "Забыть ключ" }).click();
  for (const tab of [page, other]) {
    await asksForKey(tab);
    assert.equal(await tab.locator("tr.contract").count(), 0);
    assert.deepEqual(await storages(tab), [null, null]);
  }
  await close();
});

/** Reloads a tab with different keys in session storage and local storage. */
async function reopen(page, own, remembered) {
  await page.evaluate(([one, other]) => {
    if (one) sessionStorage.setItem("key", one);
    if (other) localStorage.setItem("key", other);
  }, [own, remembered]);
  await page.reload();
}

test("a tab whose key is refused uses the key of another tab or the remembered one, and drops the refused one", async () => {
  const { page, close } = await locked(REFUSED);
  await give(page, keyed.key);
  await showsSupplier(page);
  const other = await page.context().newPage();
  await other.goto(`${keyed.url}/?lang=ru#/batch`);
  await reopen(other, "replaced", "the remembered key is replaced too");
  await other.goto(`${keyed.url}/?lang=ru#/supplier/${LISTED}`);
  await showsSupplier(other);
  await settled(other);
  assert.deepEqual(await storages(other), [keyed.key, null]);
  await page.close();
  await reopen(other, "replaced", keyed.key);
  await showsSupplier(other);
  await settled(other);
  assert.deepEqual(await storages(other), [null, keyed.key]);
  assert.equal(await other.locator("#key-field").count(), 0);
  await close();
});

test("a refused key can be entered again once the server accepts it", async () => {
  const { page, close } = await locked(REFUSED);
  await page.route(/\/(rnp|contract)\//, (route) => route.fulfill({ status: 401, json: { code: 401, error: "no" } }));
  await give(page, keyed.key);
  await page.getByRole("heading", { name: "Ключ не подошёл" }).waitFor();
  assert.deepEqual(await storages(page), [null, null]);
  await page.unrouteAll();
  await give(page, keyed.key);
  await showsSupplier(page);
  assert.deepEqual(await storages(page), [keyed.key, null]);
  await close();
});

test("a refused key is not passed to other tabs, and a new one replaces it", async () => {
  const { page, close } = await locked(REFUSED);
  await give(page, "refused", true);
  await page.getByRole("heading", { name: "Ключ не подошёл" }).waitFor();
  const other = await another(page, `#/supplier/${LISTED}`);
  await asksForKey(other);
  assert.deepEqual(await storages(other), [null, null]);
  await give(page, keyed.key);
  await showsSupplier(page);
  assert.deepEqual(await storages(page), [keyed.key, null]);
  await close();
});

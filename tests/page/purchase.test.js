import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { direct, launch, open, saved, settled } from "./browser.js";
import { cleanUp, demo, demoLines } from "./service.js";

let browser, service;
before(async () => ([browser, service] = await Promise.all([launch(), demo()])));
after(async () => {
  await browser.close();
  await service.stop();
  cleanUp();
});

const plain = (text) => text.replace(/[\u202f\u00a0]/g, " ").replace(/\s+/g, " ");
const PATHS = { 19: "/purchase/demo44", 11: "/purchase/demo223", 18: "/purchase/demo615" };

async function onPurchase(number, options = {}) {
  const tab = await open(browser, service, { hash: `#/purchase/${number}`, ...options });
  await tab.page.locator(".tiles").waitFor();
  return tab;
}

/** All that a card shows, what opens on a click included. */
async function allText(page) {
  await page.evaluate(() => document.querySelectorAll("details").forEach((details) => (details.open = true)));
  const links = await page.locator("main a").evaluateAll((all) => all.map((one) => one.href));
  return plain(await page.locator("main").innerText()) + links.join(" ");
}

test("a card under 44-FZ: who buys, what, for how much, until when, and who won, lot by lot", async () => {
  const { page, close } = await onPurchase("0296200014323000112");
  const glance = plain(await page.locator(".tiles").innerText());
  for (const part of ["ДОРОЖНАЯ ДИРЕКЦИЯ", "28 365 840,00 ₽", "10.05.2023 10:00", "ДОРОГИ ВЕРХНЕРЕЧЬЯ", "8 801 702,40 ₽"]) assert.ok(glance.includes(part), part);
  assert.equal(await page.locator(".lot").count(), 3);
  assert.equal(await page.locator(".lot").first().locator(".result").count(), 2, "the winner and the contract");
  assert.equal(await page.locator(".lot").nth(1).locator(".result").count(), 0, "a lot without either");
  await page.locator(".lot").first().getByRole("link", { name: "9602003742" }).first().click();
  await page.getByRole("heading", { level: 1, name: /ДОРОГИ ВЕРХНЕРЕЧЬЯ/ }).waitFor();
  await settled(page);
  await close();
});

/** How a value of an answer may be written on the page. */
function written(value) {
  if (value === true || value === "true") return ["да"];
  if (value === false || value === "false") return ["нет"];
  const [whole, part] = String(value).split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, " ");
  return [plain(String(value)), `${grouped}${part ? `,${part}` : ""}`];
}

/** The texts of all the fields of an answer, however deep. */
function values(record, name = "") {
  if (record === null || record === "") return [];
  if (typeof record === "object") return Object.entries(record).flatMap(([key, inner]) => values(inner, Array.isArray(record) ? name : key));
  return [[name, record]];
}

test("no field of any card of the demonstration data is left out", async () => {
  const numbers = [...demoLines().matchAll(/^\{"type":"purchase\d+".*?"purchaseNumber":\s*"(\d+)"/gm)].map(([, number]) => number);
  assert.equal(numbers.length, 42);
  const { page, close } = await open(browser, service);
  for (const number of numbers) {
    await page.goto(`${service.url}/#/purchase/${number}`);
    await page.locator(".view-head .code", { hasText: number }).waitFor();
    await settled(page);
    const text = await allText(page);
    const json = JSON.parse(await direct(service, `${PATHS[number.length]}?purchaseNumber=${number}&format=json`));
    for (const [name, value] of values(json)) {
      assert.ok(written(value).some((one) => text.includes(one)) || name === "currency", `${number} ${name}: ${value}`);
    }
  }
  await close();
});

test("a card under 223-FZ shows its three customers, one under PP-615 its winner and contract", async () => {
  const first = await onPurchase("32413620905");
  assert.equal(await first.page.locator(".customer").count(), 3);
  await first.close();
  const second = await onPurchase("029620004102400014");
  const text = await allText(second.page);
  for (const part of ["4 604 333,57 ₽", "029620004102400514", "30.09.2024", "03.03.2024"]) assert.ok(text.includes(part), part);
  await second.close();
});

test("documents are links to the web alone, that tell nothing of this page", async () => {
  const { page, close } = await onPurchase("0396300010124000017");
  const links = page.locator(".documents a");
  assert.equal(await links.count(), 3);
  for (const link of await links.all()) {
    assert.match(await link.getAttribute("href"), /^https:/);
    assert.equal(await link.getAttribute("rel"), "noopener noreferrer");
  }
  await close();
});

test("a card is saved to the byte as the service gives it", async () => {
  const { page, close } = await onPurchase("32413620905");
  for (const format of ["xml", "json", "csv"]) {
    const { name, bytes } = await saved(page, () => page.getByRole("button", { name: format.toUpperCase(), exact: true }).click());
    assert.match(name, new RegExp(`^purchase-32413620905-\\d{4}-\\d\\d-\\d\\d\\.${format}$`));
    assert.ok(bytes.equals(await direct(service, `/purchase/demo223?purchaseNumber=32413620905&format=${format}`)), format);
  }
  await close();
});

test("a number that no purchase has: plain words, and the number stays in the field", async () => {
  const { page, close } = await open(browser, service, { hash: "#/purchase/0000000000000000000" });
  await page.getByRole("heading", { name: "Закупка не найдена" }).waitFor();
  assert.equal(await page.locator("#search").inputValue(), "0000000000000000000");
  await close();
});

test("on paper all of a card is open", async () => {
  const { page, close } = await onPurchase("0296200014323000112");
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  assert.equal(await page.locator("details:not([open])").count(), 0);
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  assert.ok((await page.locator("details:not([open])").count()) > 0);
  await close();
});

// The registry of unfair suppliers as a list: entries, filters in the address, and files.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { fetchBytes, findings, inLine, launch, menu, open, saved, settled } from "./browser.js";
import { launchFirefox, openFirefox } from "./firefox.js";
import { demoLines, serveDemo, serveLines } from "./service.js";

let browser, service;
before(async () => ([browser, service] = await Promise.all([launch(), serveDemo("--rnp-rate", "0")])));

const rows = (page) => page.locator(".rnp-entries tbody tr");
const hash = (page) => decodeURIComponent(new URL(page.url()).hash);
const entries = async (query) => JSON.parse(await fetchBytes(service, `/rnp/entries?format=json${query}`));

async function onRegistry(query = "", options = {}) {
  const tab = await open(browser, service, { hash: `#/rnp${query}`, ...options });
  await settled(tab.page);
  return tab;
}

const numbers = (page) => rows(page).locator(".of-entry .code").allTextContents();

test("the header links to all entries, newest first, with supplier and customer", async () => {
  const { page, close } = await open(browser, service);
  await page.locator(".top nav a[href='#/rnp']").click();
  await settled(page);
  const all = await entries("&limit=50");
  const inForce = await entries("&limit=0&inForce=true");
  assert.equal(inLine(await page.locator("h1").textContent()), `РНП: ${all.totalcount} записей`);
  assert.match(inLine(await page.locator(".figures-of").textContent()), new RegExp(`действуют ${inForce.totalcount}`));
  assert.deepEqual(await numbers(page), all.entries.map((entry) => entry.registrationNumber));
  const suppliers = await rows(page).locator(".of-supplier a").evaluateAll((links) => links.map((link) => link.hash));
  assert.deepEqual(suppliers, all.entries.map(({ supplierINN }) => `#/supplier/${supplierINN}?tab=entries`));
  const marks = await rows(page).locator(".of-term .tag").allTextContents();
  assert.deepEqual(marks, all.entries.map((entry) => (entry.inForce ? "действует" : "не действует")));
  await rows(page).locator(".of-supplier a").first().click();
  await page.locator(".entry h3", { hasText: all.entries[0].registrationNumber }).waitFor();
  await close();
});

test("each filter has a chip and is in the address, and back removes it", async () => {
  const { page, close } = await onRegistry();
  const chip = (words) => page.locator(".chips .chip", { hasText: words });
  await chip("Состояние").click();
  await page.getByRole("link", { name: "действуют", exact: true }).click();
  await page.waitForURL(/inForce=true/);
  await chip("Закон").click();
  await page.getByRole("link", { name: "44-ФЗ", exact: true }).click();
  await page.waitForURL(/laws=44/);
  await chip("Включён").click();
  await page.locator("[name=registeredFrom]").fill("2025-06-01");
  await page.locator("[name=registeredTo]").fill("2025-12-31");
  await page.locator(".bounds", { has: page.locator("[name=registeredFrom]") }).locator("button").click();
  await page.waitForURL(/registeredTo/);
  await settled(page);
  const query = "&laws=44&inForce=true&registeredFrom=2025-06-01&registeredTo=2025-12-31";
  const expected = await entries(query);
  assert.ok(expected.totalcount > 1 && expected.totalcount < (await entries("&laws=44&inForce=true")).totalcount);
  assert.deepEqual(await numbers(page), expected.entries.map((entry) => entry.registrationNumber));
  assert.equal(await page.locator(".chip.chosen").count(), 3);
  await page.goBack();
  await settled(page);
  assert.equal(hash(page), "#/rnp?inForce=true&laws=44");
  assert.deepEqual(await numbers(page), (await entries("&laws=44&inForce=true")).entries.map((entry) => entry.registrationNumber));
  await page.locator(".reset").click();
  await settled(page);
  assert.equal(hash(page), "#/rnp");
  await close();
});

test("filters by name, customer, region and day", async () => {
  const { page, close } = await onRegistry();
  const type = async (chip, name, value) => {
    await page.locator(".chips .chip.menu", { hasText: chip }).locator("summary").click();
    await page.locator(`.chips [name=${name}]`).fill(value);
    await page.keyboard.press("Enter");
  };
  await type("Поставщик", "q", "ох");
  assert.match(await page.locator("#q-said").textContent(), /три знака/);
  await page.locator(".chips [name=q]").fill("сторожевой берег");
  await page.keyboard.press("Enter");
  await page.waitForURL(/q=/);
  await settled(page);
  const named = await entries(`&q=${encodeURIComponent("сторожевой берег")}`);
  assert.ok(named.totalcount > 0);
  assert.deepEqual(await numbers(page), named.entries.map((entry) => entry.registrationNumber));
  await page.goto(`${service.url}/?lang=ru#/rnp?customerINN=9601001990&asOf=2018-01-01`);
  await settled(page);
  const then = await entries("&customerINN=9601001990&asOf=2018-01-01");
  assert.deepEqual(await numbers(page), then.entries.map((entry) => entry.registrationNumber));
  const words = await rows(page).locator(".of-term .tag").allTextContents();
  assert.deepEqual(new Set(words), new Set(["ещё не действует", "действует"]));
  await page.goto(`${service.url}/?lang=ru#/rnp?region=98`);
  await settled(page);
  assert.deepEqual(await numbers(page), (await entries("&region=98")).entries.map((entry) => entry.registrationNumber));
  await close();
});

test("without matches, the page shows the filters and how to remove each", async () => {
  const { page, close } = await onRegistry("?laws=615&registeredFrom=2026-06-01");
  assert.match(await page.locator(".empty").textContent(), /Записей с такими условиями/);
  await page.locator(".empty a").first().click();
  await settled(page);
  assert.equal(hash(page), "#/rnp?registeredFrom=2026-06-01");
  assert.ok(await rows(page).count() > 0);
  await close();
});

test("files contain all matching entries, not only those shown", async () => {
  const lines = demoLines().trim().split("\n").map((line) => JSON.parse(line));
  const entry = lines.find(({ type }) => type === "rnpEntry");
  const many = Array.from({ length: 120 }, (_, at) => {
    const copy = structuredClone(entry);
    (copy.entry ?? copy).registrationNumber = `РНП.960${100 + at}-26`;
    return copy;
  });
  const large = await serveLines(many.map((line) => JSON.stringify(line)).join("\n"));
  const { page, close } = await open(browser, large, { hash: "#/rnp" });
  await settled(page);
  assert.equal(await rows(page).count(), 50);
  const files = await menu(page.locator(".result-of-filters"));
  const csv = await saved(page, () => files.getByRole("button", { name: /^CSV/ }).click());
  assert.match(csv.name, /^rnp-entries-\d{4}-\d\d-\d\d\.csv$/);
  assert.equal(csv.bytes.toString().trim().split("\r\n").length, 121);
  const xlsx = await saved(page, () => files.getByRole("button", { name: /Excel/ }).click());
  assert.equal(xlsx.bytes.subarray(0, 2).toString(), "PK");
  const json = await saved(page, () => files.getByRole("button", { name: "JSON" }).click());
  assert.equal(JSON.parse(json.bytes).entries.length, 50);
  await page.locator(".pager a", { hasText: "Вперёд" }).click();
  await settled(page);
  assert.equal(hash(page), "#/rnp?page=2");
  assert.match(inLine(await page.locator(".pager .range").textContent()), /51–100 из 120/);
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Записи реестра");
  await close();
});

for (const [lang, dark, width] of [["ru", false, 390], ["en", true, 390], ["en", false, 1280], ["ru", true, 1280]]) {
  test(`axe finds nothing, and nothing is too wide or too small: ${lang}, ${dark ? "dark" : "light"}, ${width} pixels`, async () => {
    for (const query of ["", "?laws=44&inForce=true", "?laws=615&registeredFrom=2026-06-01"]) {
      const { page, close } = await onRegistry(query, { lang, dark, width });
      await page.evaluate(() => document.querySelectorAll("details").forEach((details) => (details.open = true)));
      assert.deepEqual(await findings(page), [], query);
      await page.evaluate(() => document.querySelectorAll("details").forEach((details) => (details.open = false)));
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), query);
      const small = await page.locator("button:visible, select:visible, summary:visible, .top a:visible").evaluateAll((all) =>
        all.filter((one) => one.getBoundingClientRect().height < 43.5).map((one) => one.outerHTML.slice(0, 80)));
      assert.deepEqual(small, [], query);
      await close();
    }
  });
}

test("in Firefox, by keyboard: a filter is added and removed", async () => {
  const firefox = await launchFirefox();
  const { page, close } = await openFirefox(firefox, service, { hash: "#/rnp" });
  await page.waitForSelector(".rnp-entries tbody tr");
  await page.focus(".chips details:nth-of-type(2) > summary");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".chip.chosen");
  assert.match(page.url(), /inForce=true/);
  assert.equal(await page.evaluate(() => document.activeElement.className), "chip chosen", "the chip keeps the focus");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => !document.querySelector(".chip.chosen"));
  await close();
});

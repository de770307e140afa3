// Visits each view in Firefox, and prints.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { pagesOf, shown } from "./browser.js";
import { launchFirefox, openFirefox } from "./firefox.js";
import { serveDemo } from "./service.js";

const MANY = "9602000445";
const LISTED = "9602003485";

let browser, service;
before(async () => ([browser, service] = await Promise.all([launchFirefox(), serveDemo("--rnp-rate", "0")])));

const text = (page, place) => page.$eval(place, (element) => element.textContent);
const hash = (page) => new URL(page.url()).hash;

test("from a name on the home page to a supplier, a customer, and the purchase of a contract", async () => {
  const { page, close } = await openFirefox(browser, service);
  await page.waitForSelector("h1");
  await page.keyboard.press("/");
  await page.keyboard.type("фармстрой");
  await page.waitForSelector("#hits:not([hidden]) .hit");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForSelector("tr.contract");
  await shown(page);
  assert.equal(hash(page), `#/supplier/${MANY}`);
  await page.click("td.customerName a");
  await page.waitForSelector("td.supplierName");
  await shown(page);
  assert.equal(await page.$eval("#search", (field) => field.value), hash(page).split("/").at(-1), "the customer's own INN");
  await close();
});

test("from words to matching contracts, an opened contract, and purchases", async () => {
  const { page, close } = await openFirefox(browser, service);
  await page.waitForSelector("#search[role=combobox]");
  await page.keyboard.press("/");
  await page.keyboard.type("постельное бельё");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".rows .row .subject");
  await shown(page);
  assert.match(await text(page, "h1"), /^«Постельное бельё»: \d+ контракт/);
  await page.click(".rows .row .date");
  await page.waitForSelector(".rows .row .more .details");
  await page.click(".of-search summary");
  await page.type(".of-search [open] input", "13.92");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => location.hash.includes("code=13.92"));
  await page.click(".tabs a:nth-child(2)");
  await page.waitForSelector(".rows.of-purchases");
  await close();
});

test("purchase cards under each law, and a missing one", async () => {
  for (const number of ["0296200014323000112", "32413620905", "029620004102400014"]) {
    const { page, close } = await openFirefox(browser, service, { hash: `#/purchase/${number}` });
    await page.waitForSelector(".tiles");
    await close();
  }
  const { page, close } = await openFirefox(browser, service, { hash: "#/purchase/32413629999" });
  await page.waitForSelector(".error.notFound");
  await close();
});

test("a list is checked, and edits are kept when the language changes", async () => {
  const { page, close } = await openFirefox(browser, service, { hash: "#/batch" });
  await page.waitForSelector("#batch-text");
  await page.type("#batch-text", `${LISTED}\n${MANY}`);
  await page.select("#language", "en");
  await page.waitForFunction(() => document.documentElement.lang === "en");
  assert.equal(await page.$eval("#batch-text", (field) => field.value), `${LISTED}\n${MANY}`);
  await page.click("form.batch button.main");
  await page.waitForSelector(".verdicts tbody tr:nth-child(2)");
  await close();
});

test("the shortcut for the search field works after scrolling down", async () => {
  const { page, close } = await openFirefox(browser, service, { hash: `#/supplier/${MANY}?size=100` });
  await page.waitForSelector("tr.contract:nth-last-child(2)");
  await shown(page);
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await page.keyboard.press("/");
  const seen = () => {
    const { top, bottom } = document.getElementById("search").getBoundingClientRect();
    return document.activeElement.id === "search" && top >= 0 && bottom <= innerHeight;
  };
  await page.waitForFunction(seen);
  await close();
});

test("a record prints on one page", async () => {
  for (const inn of [LISTED, MANY]) {
    const { page, close } = await openFirefox(browser, service, { hash: `#/evidence/${inn}` });
    await page.waitForSelector(".evidence");
    await shown(page);
    assert.equal(await pagesOf(page), 1, inn);
    await close();
  }
});

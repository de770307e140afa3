// The manual in a browser: search in the table of contents, accessibility, and layout.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { findings, launch, open } from "./browser.js";
import { serveDemo } from "./service.js";

const THEMES = ["light", "dark"];
const PAGES = ["/docs/", "/docs/start", "/docs/configuration", "/docs"];

let browser, service;
before(async () => ([browser, service] = await Promise.all([launch(), serveDemo()])));

async function onPage(path, { lang = "ru", ...options } = {}) {
  const tab = await open(browser, service, { lang, ...options });
  await tab.page.goto(`${service.url}${path}?lang=${lang}`);
  return tab;
}

/** Returns the text of each visible link in the table of contents. */
const shownLinks = (page) => page.locator("#contents a:visible").allInnerTexts();

test("search shows only headings that contain all words, under their chapters", async () => {
  const { page, close } = await onPage("/docs/", { lang: "en" });
  const all = await shownLinks(page);
  const field = page.getByRole("searchbox", { name: "Search the headings" });
  await field.fill("json LINES");
  const found = await shownLinks(page);
  assert.ok(found.length < all.length && found.includes("JSON Lines"), found.join(" | "));
  assert.equal(found[0], "Importing");
  assert.match(await page.getByRole("status").innerText(), /^Found: \d+$/);
  await field.fill("nothing is called so");
  assert.deepEqual(await shownLinks(page), []);
  assert.equal(await page.getByRole("status").innerText(), "Nothing found");
  await page.keyboard.press("Escape");
  assert.deepEqual(await shownLinks(page), all);
  await close();
});

test("ё matches е, and the keyboard leads from the field to a section", async () => {
  const { page, close } = await onPage("/docs/");
  const field = page.getByRole("searchbox");
  const counts = [];
  for (const words of ["ПРОВЕРЁННЫЕ", "проверенные", "ещё", "еще"]) {
    await field.fill(words);
    counts.push((await shownLinks(page)).length);
  }
  assert.equal(counts[0], counts[1]);
  assert.equal(counts[2], counts[3]);
  await field.fill("json lines");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  assert.match(await page.evaluate(() => document.activeElement.textContent), /JSON Lines/);
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  assert.equal(await page.evaluate(() => document.activeElement.id), "words");
  await Promise.all([page.waitForURL(/\/docs\/import\?lang=ru#/), page.keyboard.press("Enter")]);
  const heading = page.getByRole("heading", { name: /JSON Lines/ }).first();
  assert.ok(await heading.isVisible());
  await close();
});

test("without JavaScript there is the table of contents, but no search field", async () => {
  const tab = await browser.newContext({ javaScriptEnabled: false });
  const page = await tab.newPage();
  await page.goto(`${service.url}/docs/?lang=en`);
  assert.ok(await page.getByRole("link", { name: "Getting started", exact: true }).isVisible());
  assert.equal(await page.locator("#words").isVisible(), false);
  await tab.close();
});

test("no serious findings by axe in light and dark, and no page wider than a phone", async () => {
  for (const [at, path] of PAGES.entries()) {
    const { page, close } = await onPage(path, { width: 360, height: 740 });
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 360, `${path}: ${width}`);
    // axe takes long on these pages, so CI checks each page in one theme.
    for (const colorScheme of process.env.SHORT ? [THEMES[at % 2]] : THEMES) {
      await page.emulateMedia({ colorScheme });
      assert.deepEqual((await findings(page)).filter((line) => /^(serious|critical)/.test(line)), [], `${path} ${colorScheme}`);
    }
    await close();
  }
});

// How the page starts: when it is painted, in which language and theme, and that nothing of it
// is there before the scripts have run.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, open, shown } from "./browser.js";
import { cleanUp, demo } from "./service.js";

/** How often the page is loaded to tell when it is painted. */
const LOADS = 11;

let browser, service;
before(async () => ([browser, service] = await Promise.all([launch(), demo()])));
after(async () => {
  await browser.close();
  await service.stop();
  cleanUp();
});

test("when the page is painted, as a figure", async (context) => {
  // In one tab, as the browser has work of its own for each new window.
  const { page, close } = await open(browser, service);
  const session = await page.context().newCDPSession(page);
  const paints = [];
  for (let load = 0; load < LOADS; load += 1) {
    await page.goto("about:blank");
    await session.send("Network.clearBrowserCache");
    await page.goto(`${service.url}/?lang=ru&load=${load}`);
    await shown(page);
    await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length);
    paints.push(Math.round(await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0].startTime)));
    await page.waitForLoadState("networkidle");
  }
  await close();
  paints.sort((one, other) => one - other);
  context.diagnostic(`first contentful paint, an empty cache each time: median ${paints[(LOADS - 1) / 2]} ms (${paints.join(", ")})`);
});

test("the theme and the language of the tab are there from the start, whatever the page came in", async () => {
  const { page, close } = await open(browser, service);
  await page.evaluate(() => {
    sessionStorage.setItem("theme", "dark");
    sessionStorage.setItem("language", "en");
  });
  await page.reload();
  await page.getByRole("heading", { level: 1, name: "Check a supplier" }).waitFor();
  assert.deepEqual(await page.evaluate(() => [document.documentElement.dataset.theme, document.documentElement.lang]), ["dark", "en"]);
  await close();
});

test("until the scripts have run, nothing is seen", async () => {
  const { page, close } = await open(browser, service);
  let go;
  const held = new Promise((resolve) => (go = resolve));
  await page.route("**/web/texts-ru.js", async (route) => {
    await held;
    await route.continue();
  });
  await page.reload({ waitUntil: "commit" });
  await page.locator("footer").waitFor({ state: "attached" });
  assert.equal((await page.locator("body").innerText()).trim(), "");
  go();
  await page.getByRole("heading", { level: 1, name: "Проверьте поставщика" }).waitFor();
  await close();
});

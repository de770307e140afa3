// Layout, size, and the screenshots in the README, which `BLESS=1` renews.

import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { launch, open, settled } from "./browser.js";
import { serveDemo } from "./service.js";
import { openView, VIEWS } from "./views.js";

/** The screenshots in the README: view, width, height, and whether the theme is dark. */
const SHOTS = [
  ["home", 1280, 760], ["supplier", 1280, 860], ["purchase44", 1280, 860], ["batch", 1280, 860], ["contracts", 1280, 820, true],
  ["supplier", 768, 1000], ["supplier", 360, 740], ["home", 360, 740], ["purchase44", 768, 1000], ["batch", 360, 740], ["purchase44", 360, 740],
];
const FOLDER = fileURLToPath(new URL("screenshots/", import.meta.url));
const HEAVY = 150_000;
/** Upper bounds on the size of the first view in bytes, as transferred and as decompressed. */
const SENT = 158_000;
const UNPACKED = 150_000;

let browser, service;
before(async () => ([browser, service] = await Promise.all([launch(), serveDemo("--rnp-rate", "0")])));

const onView = (name, options) => openView(browser, service, name, options);

for (const width of [320, 360, 768, 1280]) {
  test(`no view is wider than a screen of ${width} pixels, and controls are large enough`, async () => {
    for (const name of Object.keys(VIEWS)) {
      const { page, close } = await onView(name, { width, height: 740 });
      for (const opener of (await page.locator(".opener:visible").all()).slice(0, 1)) await opener.click();
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${name} at ${width}`);
      const small = await page.evaluate(() =>
        [...document.querySelectorAll("button, select, summary, input:not([type=checkbox]), .pager a, .top a, .examples a, .actions a, .sorter")]
          .filter((one) => one.checkVisibility() && !one.closest(".cards thead, .objects, .rows .what"))
          .filter((one) => one.getBoundingClientRect().height < 43.5)
          .map((one) => `${one.outerHTML.slice(0, 80)} ${one.getBoundingClientRect().height}`));
      assert.deepEqual(small, [], `${name} at ${width}`);
      await close();
    }
  });
}

test("the first view transfers under 158 KB including preloaded views, and decompresses to under 150 KB", async (context) => {
  const tab = await browser.newContext();
  const page = await tab.newPage();
  const session = await tab.newCDPSession(page);
  await session.send("Network.enable");
  let wire = 0;
  session.on("Network.loadingFinished", ({ encodedDataLength }) => (wire += encodedDataLength));
  const response = await page.goto(`${service.url}/?lang=ru`, { waitUntil: "commit" });
  const html = await response.text();
  await page.locator(".home-cards").waitFor();
  // The first view is what the HTML names. Views loaded ahead may have arrived by now, or not.
  const first = await page.evaluate((html) => {
    const entries = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
    const elements = new DOMParser().parseFromString(html, "text/html").querySelectorAll("link[href], script[src]");
    const named = [...elements].map((element) => element.href || element.src);
    const parts = entries.filter(({ entryType, name }) => entryType === "navigation" || named.includes(name));
    return { files: parts.length, size: parts.reduce((sum, part) => sum + part.decodedBodySize, 0) };
  }, html);
  await page.waitForLoadState("networkidle");
  const paint = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime);
  assert.ok(first.files > 15, `${first.files} files`);
  context.diagnostic(`first view: ${first.files} files, ${first.size} bytes unpacked, ${wire} bytes over the wire with the views loaded ahead; painted after ${Math.round(paint)} ms`);
  assert.ok(first.size < UNPACKED, `${first.size} bytes unpacked`);
  assert.ok(wire < SENT, `${wire} bytes over the wire`);
  await tab.close();
});

test("the curl examples in the API reference use the server's own address and work", async () => {
  const { page, close } = await open(browser, service);
  await page.goto(`${service.url}/docs?lang=en`);
  const lines = (await page.locator("pre code").allTextContents()).filter((text) => text.startsWith("curl "));
  assert.equal(lines.length, 19);
  for (const line of lines) {
    const [, key, address] = /^curl -H 'X-API-Key: (\w+)' '([^']+)'$/.exec(line);
    assert.ok(address.startsWith(`${service.url}/`), line);
    // The demonstration data was not imported from documents, so it has no sources to list.
    const expected = address.includes("/documents?") ? 404 : 200;
    assert.equal((await fetch(address, { headers: { "X-API-Key": key } })).status, expected, line);
  }
  await close();
});

test("on a phone, content that loads late hardly shifts the layout", async () => {
  for (const name of ["supplier", "unknown", "customer", "purchase44", "evidence", "find"]) {
    const tab = await browser.newContext({ viewport: { width: 390, height: 844 } });
    const page = await tab.newPage();
    await page.addInitScript(() => {
      globalThis.shift = 0;
      const add = (list) => list.getEntries().forEach((entry) => (globalThis.shift += entry.value));
      new PerformanceObserver(add).observe({ type: "layout-shift", buffered: true });
    });
    await page.goto(`${service.url}/?lang=ru${VIEWS[name]}`);
    await settled(page);
    const shift = await page.evaluate(() => globalThis.shift);
    assert.ok(shift < 0.1, `${name}: ${shift}`);
    await tab.close();
  }
});

test("on the English page, Russian texts are marked as Russian", async () => {
  for (const name of ["home", "supplier", "purchase44", "purchase223", "batch", "find", "evidence"]) {
    const { page, close } = await onView(name, { lang: "en" });
    const unmarked = await page.evaluate(() => {
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      const found = [];
      while (texts.nextNode()) {
        const { nodeValue, parentElement } = texts.currentNode;
        if (/\p{Script=Cyrillic}/u.test(nodeValue) && parentElement.closest("[lang]").lang !== "ru" && !parentElement.closest("noscript")) found.push(nodeValue);
      }
      return found;
    });
    assert.deepEqual(unmarked, [], name);
    await close();
  }
});

test("screenshots of the main views exist and are small files", async () => {
  for (const [name, width, height, dark = false] of SHOTS) {
    const path = `${FOLDER}${name}-${width}${dark ? "-dark" : ""}.png`;
    if (process.env.BLESS === "1") {
      const { page, close } = await onView(name, { width, height, dark });
      await page.evaluate(() => document.activeElement.blur());
      await page.screenshot({ path });
      await close();
    }
    assert.ok(statSync(path).size < HEAVY, path);
  }
});

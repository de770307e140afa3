// Opens pages in Chromium and checks them: a test fails if the console shows anything, if a page
// violates the security policy, or if it sends a request to another origin.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";
import { atEnd } from "./service.js";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const ARGS = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync",
];

export async function launch() {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, headless: true, args: ARGS });
  atEnd(() => browser.close());
  return browser;
}

/**
 * Opens a tab in a new browser context. `expected` is a pattern for console messages to ignore,
 * such as a 401 that the test provokes. `now` sets the browser's clock. `close` fails if there were
 * any faults.
 */
export async function open(browser, service, { hash = "", lang = "ru", width = 1280, height = 800, dark = false, key = true, expected = null, now = null, ...context } = {}) {
  const tab = await browser.newContext({
    viewport: { width, height }, colorScheme: dark ? "dark" : "light", locale: lang === "ru" ? "ru-RU" : "en-GB",
    reducedMotion: "reduce", acceptDownloads: true, permissions: ["clipboard-read", "clipboard-write"], ...context,
  });
  if (service.cookie) {
    const [name, value] = service.cookie.split("=");
    await tab.addCookies([{ name, value, url: service.url }]);
  }
  const page = await tab.newPage();
  if (now) await page.clock.setFixedTime(now);
  const faults = [];
  const asked = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type()) && !expected?.test(message.text())) faults.push(message.text());
  });
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("dialog", (dialog) => (faults.push(`dialog: ${dialog.message()}`), dialog.dismiss()));
  page.on("request", (request) => {
    const url = request.url();
    asked.push(url);
    if (!url.startsWith(`${service.url}/`) && !/^(blob|data):/.test(url)) faults.push(`elsewhere: ${url}`);
    if (service.key !== "demo" && service.key && url.includes(service.key)) faults.push(`a key in an address: ${url}`);
  });
  // Returns the URL of one of the page's files, all of which are in the folder of the style sheet.
  await page.addInitScript(() => (globalThis.asset = (name) => new URL(name, document.querySelector("link[rel=stylesheet]").href).href));
  await page.addInitScript(() => addEventListener("securitypolicyviolation", (event) => console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`)));
  await page.addInitScript(() => {
    // Remove features that Firefox 115, the oldest supported browser, does not have.
    delete AbortSignal.any;
    for (const kind of [Map, Object]) delete kind.groupBy;
    for (const name of ["map", "filter", "some", "every", "find", "forEach", "reduce", "toArray"]) delete Iterator.prototype[name];
    for (const name of ["union", "intersection", "difference", "isSubsetOf"]) delete Set.prototype[name];
    delete Promise.try;
    delete Promise.withResolvers;
  });
  if (key && service.key !== "demo") {
    await page.addInitScript((value) => sessionStorage.getItem("key") ?? sessionStorage.setItem("key", value), service.key);
  }
  await page.goto(`${service.url}/?lang=${lang}${hash}`);
  await viewRendered(page);
  const close = async () => {
    await tab.close();
    assert.deepEqual(faults, [], "console, policy, other origins");
  };
  return { page, asked, faults, close };
}

/** Waits until the scripts have rendered a view. */
export const viewRendered = (page) => page.locator("main > :not(.loading)").first().waitFor({ state: "attached" });

/** Waits until a view has finished loading. */
export const shown = (page) => page.waitForFunction(() => document.querySelector("h1") && !document.querySelector("[aria-busy=true], .loading"));

/** Waits until all requests are answered and the results are shown. */
export async function settled(page) {
  await page.waitForLoadState("networkidle");
  await page.locator("[aria-busy=true], .loading").first().waitFor({ state: "detached" });
}

/** Opens the download menu in `place`, including the part for developers, and returns it. */
export async function menu(place) {
  const files = place.locator(".menu.answers");
  await files.locator("summary").first().click();
  const developers = files.locator(".developers > summary");
  if (await developers.isVisible()) await developers.click();
  return files;
}

/** Returns the name and the bytes of the file that a click downloads. */
export async function saved(page, click) {
  const [download] = await Promise.all([page.waitForEvent("download"), click()]);
  return { name: download.suggestedFilename(), bytes: await bytesOf(download) };
}

/**
 * Returns the two files that a click downloads, as bytes by name. Names have `DAY` instead of the
 * date.
 */
export async function savedBoth(page, click) {
  const files = new Map();
  const both = new Promise((resolve) => {
    page.on("download", async (download) => {
      files.set(download.suggestedFilename().replace(/\d{4}-\d\d-\d\d/, "DAY"), await bytesOf(download));
      if (files.size === 2) resolve(files);
    });
  });
  await click();
  return both;
}

async function bytesOf(download) {
  const chunks = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Returns the rows of a workbook written by the page, as strings. */
export const cellsOf = (bytes) => [...bytes.toString().matchAll(/<row>(.*?)<\/row>/gs)].map(([, row]) => [...row.matchAll(/<c[^>]*?(?:\/>|>(.*?)<\/c>)/gs)].map(([, cell = ""]) => cell.replace(/<[^>]*>/g, "")));

/**
 * Returns the number of A4 pages that a browser prints. `page` may come from Playwright or
 * Puppeteer.
 */
export async function pagesOf(page) {
  const { stdout } = spawnSync("pdfinfo", ["-"], { input: await page.pdf({ format: "A4" }), encoding: "utf8" });
  return Number(/^Pages:\s+(\d+)/m.exec(stdout)?.[1]);
}

/** Returns the accessibility problems that axe finds. Each string begins with the impact. */
export async function findings(page) {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  return violations.map(({ id, impact, nodes }) => `${impact} ${id}: ${nodes.slice(0, 3).map((node) => `${node.html.slice(0, 160)} ${node.failureSummary}`).join(" | ")}`);
}

/** Replaces special spaces with ordinary ones. */
export const plain = (text) => text.replace(/[\u2009\u202f\u00a0]/g, " ");

/** Replaces special spaces and line breaks with ordinary spaces. */
export const inLine = (text) => plain(text).replace(/\s+/g, " ");

/** Requests `path` outside the page and returns the body. */
export async function fetchBytes(service, path) {
  const response = await fetch(service.url + path, { headers: { "X-API-Key": service.key } });
  return Buffer.from(await response.arrayBuffer());
}

// Runs the distribution's Firefox, controlled through WebDriver BiDi. A test fails if the
// console shows an error or a warning.

import assert from "node:assert/strict";
import puppeteer from "puppeteer-core";
import { atEnd } from "./service.js";

/** Timeout for starting Firefox and for loading a page, in milliseconds. A busy machine takes long. */
const TIMEOUT = 120_000;

/** Starts Firefox with reduced motion. */
export async function launchFirefox({ lang = "ru", dark = false } = {}) {
  const browser = await puppeteer.launch({
    browser: "firefox",
    executablePath: process.env.FIREFOX,
    headless: true,
    timeout: TIMEOUT,
    extraPrefsFirefox: {
      "intl.accept_languages": lang === "ru" ? "ru-RU" : "en-GB",
      "layout.css.prefers-color-scheme.content-override": dark ? 0 : 1,
      "ui.prefersReducedMotion": 1,
    },
  });
  atEnd(() => browser.close());
  return browser;
}

/** Opens a tab. `close` fails if the console has shown an error or a warning. */
export async function openFirefox(browser, service, { hash = "", lang = "ru", width = 1280, height = 800 } = {}) {
  const page = await browser.newPage();
  page.setDefaultTimeout(TIMEOUT);
  const faults = [];
  page.on("console", (message) => ["error", "warn"].includes(message.type()) && faults.push(message.text()));
  page.on("pageerror", (error) => faults.push(String(error)));
  await page.setViewport({ width, height });
  await page.goto(`${service.url}/?lang=${lang}${hash}`);
  const close = async () => {
    await page.close();
    assert.deepEqual(faults, [], "console");
  };
  return { page, close };
}

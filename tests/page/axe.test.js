// Accessibility, checked by axe in every view with its details expanded: in both languages and
// themes, on a phone and on a desktop. With `SHORT`, the main views are each checked in one of these
// eight ways.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { findings, launch } from "./browser.js";
import { serveDemo } from "./service.js";
import { openView, viewsToVisit } from "./views.js";

const WIDTHS = [390, 1280];
const HEIGHT = 800;
const LOOKS = WIDTHS.flatMap((width) => [false, true].map((dark) => ({ width, dark })));

let browser, service;
before(async () => ([browser, service] = await Promise.all([launch(), serveDemo("--rnp-rate", "0")])));

/** Returns the looks in which a view is checked in a language. */
function looksOf(view, lang) {
  if (!process.env.SHORT) return LOOKS;
  const at = viewsToVisit().indexOf(view);
  return (lang === "ru") === (at % 2 === 0) ? [LOOKS[(at >> 1) % LOOKS.length]] : [];
}

for (const lang of ["ru", "en"]) {
  test(`axe finds nothing in any view, ${lang}`, async () => {
    for (const name of viewsToVisit()) {
      const looks = looksOf(name, lang);
      if (!looks.length) continue;
      const { page, close } = await openView(browser, service, name, { lang, ...looks[0], height: HEIGHT });
      for (const opener of (await page.locator(".opener:visible").all()).slice(0, 2)) await opener.click();
      await page.evaluate(() => {
        for (const details of document.querySelectorAll("details")) details.open = true;
        Object.assign(document.getElementById("toast"), { textContent: "toast", hidden: false });
      });
      for (const { width, dark } of looks) {
        await page.setViewportSize({ width, height: HEIGHT });
        await page.emulateMedia({ colorScheme: dark ? "dark" : "light" });
        await page.waitForFunction((isDark) => document.documentElement.classList.contains("dark") === isDark, dark);
        assert.deepEqual(await findings(page), [], `${name}, ${width} pixels, ${dark ? "dark" : "light"}`);
      }
      await close();
    }
  });
}

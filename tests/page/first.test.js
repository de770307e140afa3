// What is there before the scripts are: the start, as they will draw it, in the colours that
// were chosen, and nothing of it where something else is asked for.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { launch, open, shown, working } from "./browser.js";
import { cleanUp, demo, over } from "./service.js";

const FOLDER = fileURLToPath(new URL("../../src/web/first/", import.meta.url));
const PARTS = ["skip", "header", "main", "footer"];
const LINE = '{"type":"supplier","supplier":{"inn":"9602000445","name":"ООО"}}\n';

let browser, demonstration, own;
before(async () => ([browser, demonstration, own] = await Promise.all([launch(), demo(), over(LINE)])));
after(async () => {
  await browser.close();
  await Promise.all([demonstration.stop(), own.stop()]);
  cleanUp();
});

/** The parts as they are in `page`, the version and the data's time left open. */
const parts = (page) =>
  page.evaluate((names) => {
    const html = names.map((name) => document.getElementById(name).outerHTML).join("\n");
    return `${html.replace(/(<span>procurement-lookup )\d[^<]*/, "$1{version}").replace(/\d+[. ][^ ]+[. ]\d{4}, \d\d:\d\d/, "{updated}")}\n`;
  }, PARTS);

/** Lets the scripts wait until `go` is called. */
async function held(page) {
  let go;
  const gone = new Promise((resolve) => (go = resolve));
  await page.route("**/web/page.js", async (route) => {
    await gone;
    await route.continue();
  });
  return go;
}

for (const name of ["ru-demo", "en-demo", "ru", "en"]) {
  const [lang, kind] = name.split("-");
  const service = () => (kind ? demonstration : own);

  test(`what the page comes with is what the scripts draw: ${name}`, async () => {
    const path = `${FOLDER}${name}.html`;
    const { page, close } = await open(browser, service(), { lang });
    await shown(page);
    const drawn = await parts(page);
    if (process.env.BLESS === "1") writeFileSync(path, drawn);
    assert.equal(readFileSync(path, "utf8"), drawn, "scripts/try-page --bless saves it anew; then build, and test again");
    await close();
  });

  test(`it is what the page comes with, time and all: ${name}`, async () => {
    const tab = await browser.newContext({ javaScriptEnabled: false });
    const page = await tab.newPage();
    await page.goto(`${service().url}/?lang=${lang}`);
    const came = await page.evaluate((names) => names.map((each) => document.getElementById(each).outerHTML).join("\n"), PARTS);
    assert.ok(!(await page.locator("h1", { hasNotText: "JavaScript" }).isVisible()), "without scripts it is hidden");
    await tab.close();
    const drawn = await open(browser, service(), { lang });
    await shown(drawn.page);
    assert.equal(await drawn.page.evaluate((names) => names.map((each) => document.getElementById(each).outerHTML).join("\n"), PARTS), came);
    await drawn.close();
  });
}

test("the start is there without the scripts, moves nowhere, and keeps what is typed and who types", async () => {
  const { page, close } = await open(browser, demonstration);
  const go = await held(page);
  await page.evaluate(() => sessionStorage.setItem("theme", "dark"));
  await page.reload();
  await page.getByRole("heading", { level: 1, name: "Проверьте поставщика" }).waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
  const boxes = () => page.evaluate(() => ["h1", ".card:last-child", "#footer"].map((one) => document.querySelector(one).getBoundingClientRect().toJSON()));
  const before = await boxes();
  await page.locator("#search").pressSequentially("96020");
  go();
  await working(page);
  assert.deepEqual(await boxes(), before);
  assert.equal(await page.locator("#search").inputValue(), "96020");
  await page.keyboard.type("00445");
  await page.keyboard.press("Enter");
  await page.waitForURL(/#\/supplier\/9602000445$/);
  await close();
});

test("nothing of the start is seen where another view or another language is asked for", async () => {
  const { page, close } = await open(browser, demonstration);
  const go = await held(page);
  for (const [address, language] of [["/?lang=ru&1#/supplier/9602003485", "ru"], ["/?lang=ru&2#/batch", "ru"], ["/?lang=ru&3", "en"]]) {
    await page.evaluate((code) => sessionStorage.setItem("language", code), language);
    await page.goto(demonstration.url + address);
    await page.waitForFunction(() => document.styleSheets.length === 1 && document.querySelector("h1"));
    assert.equal((await page.locator("body").innerText()).trim(), "", address);
  }
  go();
  await working(page);
  await page.getByRole("heading", { level: 1, name: "Check a supplier" }).waitFor();
  await close();
});

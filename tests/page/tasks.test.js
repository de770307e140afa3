// Twelve tasks of people who use the page, each from the start page to its end: four of someone who
// checks suppliers, four of someone who buys, four of someone who analyses. Each is done in Chromium
// by mouse and in Firefox by keyboard, or the other way round, and each time in another language,
// width and theme. `BROWSERS` limits the tests to `chromium` or `firefox`.

import assert from "node:assert/strict";
import { test } from "node:test";
import { launch, open } from "./browser.js";
import { launchFirefox, openFirefox } from "./firefox.js";
import { serveDemo } from "./service.js";

const LISTED = "9602003485";
const MANY = "9602000445";
/** A supplier that signed contracts while it was listed. */
const EVER_LISTED = "9770523221";
const CUSTOMER = "9608197580";
/** Upper bound on presses of Tab to reach an element. */
const MOST_TABS = 250;

/** The valid INN of an organisation that begins with these nine digits. */
const withControl = (digits) => {
  const weights = [2, 4, 10, 3, 5, 9, 4, 6, 8];
  const sum = weights.reduce((total, weight, at) => total + weight * Number(digits[at]), 0);
  return `${digits}${(sum % 11) % 10}`;
};
const LIST = [LISTED, MANY, ...Array.from({ length: 298 }, (_, at) => withControl(String(770000000 + at)))];

const settled = () => document.querySelector("h1") && !document.querySelector("[aria-busy=true], .loading");

/**
 * What a user does on `page`, which is from Playwright or Puppeteer. With `isByKeyboard`, elements are
 * reached with Tab and used with Enter.
 */
function user(page, isByKeyboard) {
  const tabTo = async (selector) => {
    for (let at = 0; at < MOST_TABS; at += 1) {
      if (await page.evaluate((wanted) => document.activeElement === document.querySelector(wanted), selector)) return;
      await page.keyboard.press("Tab");
    }
    assert.fail(`Tab does not reach ${selector}`);
  };
  const sees = async (selector, pattern = /./) => {
    const has = ([wanted, source]) => [...document.querySelectorAll(wanted)].some((one) => one.checkVisibility() && new RegExp(source, "u").test(one.innerText));
    await page.waitForFunction(has, ...forWait(page, [selector, pattern.source]));
  };
  const ready = () => page.waitForFunction(settled);
  const press = async (selector, key = "Enter") => {
    await page.waitForSelector(selector);
    if (isByKeyboard) {
      await tabTo(selector);
      await page.keyboard.press(key);
    } else await page.click(selector);
  };
  const type = async (selector, words) => {
    await page.waitForSelector(selector);
    if (isByKeyboard) await tabTo(selector);
    else await page.click(selector);
    await page.keyboard.type(words);
  };
  /** Types into the search field in the header and presses Enter. */
  const lookUp = async (words) => {
    await page.waitForSelector("#search");
    if (isByKeyboard) {
      // In the field itself, this key would type a slash.
      const isThere = await page.evaluate(() => document.activeElement.id === "search");
      if (!isThere) await page.keyboard.press("/");
    } else {
      await page.click("#search");
      await page.$eval("#search", (field) => field.select());
    }
    await page.keyboard.type(words);
    await page.keyboard.press("Enter");
  };
  const paste = (selector, words) => page.$eval(selector, (field, value) => {
    field.value = value;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }, words);
  const atAddress = (part) => page.waitForFunction((words) => decodeURIComponent(location.hash).includes(words), ...forWait(page, part));
  /** The names of the files that were saved, none of which is written to disk. */
  const savedFiles = () => page.evaluate(() => globalThis.savedFiles ?? []);
  const countOf = (selector) => page.$$eval(selector, (all) => all.length);
  return { page, sees, ready, press, type, lookUp, paste, atAddress, savedFiles, countOf };
}

/** Playwright and Puppeteer take the arguments of `waitForFunction` in different places. */
const forWait = (page, argument) => ("clock" in page ? [argument] : [{}, argument]);

/** Opens the download menu `within` a part of the page and saves its first file. */
async function saveFirst(one, within) {
  await one.press(`${within} .menu.answers > summary`);
  return saveBy(one, `${within} .menu.answers[open] .menu-list button`);
}

/** Presses a button that saves a file, and returns the names of the files that it saves. */
async function saveBy({ page, press, savedFiles }, button) {
  await page.evaluate(() => {
    globalThis.savedFiles = [];
    const click = HTMLAnchorElement.prototype.click;
    HTMLAnchorElement.prototype.click = function () {
      if (this.download) globalThis.savedFiles.push(this.download);
      else click.call(this);
    };
  });
  await press(button);
  await page.waitForFunction(() => globalThis.savedFiles.length > 0);
  return savedFiles();
}

const TASKS = {
  "A1 a list of 300 suppliers becomes one document": async (one) => {
    await one.press(".top nav a[href='#/batch']");
    await one.page.waitForSelector("#batch-text");
    await one.paste("#batch-text", LIST.join("\n"));
    await one.press("#batch-form button.main");
    await one.sees("h1", /300/);
    await one.sees(".list-tiles", /[12]\s/);
    await one.page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    assert.ok((await one.page.$eval(".evidence", (sheet) => sheet.textContent)).includes(LIST.at(-1)), "the last row is in the document");
    await one.page.evaluate(() => dispatchEvent(new Event("afterprint")));
  },
  "A2 one supplier's record for the file": async (one) => {
    await one.lookUp(LISTED);
    await one.press(".verdict .next > a");
    await one.sees(".evidence .outcome h2");
    await one.sees(".evidence", new RegExp(LISTED));
    await one.sees(".evidence-actions button");
  },
  "A3 changes in the registry can be watched": async (one) => {
    await one.press(".top nav a[href='#/batch']");
    await one.page.waitForSelector("#batch-text");
    await one.paste("#batch-text", LIST.slice(0, 3).join("\n"));
    await one.press("#batch-form button.main");
    await one.sees("h1", /3/);
    await one.press(".watch-menu > summary");
    await one.sees(".watch-menu[open] code", /procurement-lookup watch .*--list/);
    await one.sees(".watch-menu[open] a");
    const [file] = await saveBy(one, ".watch-menu[open] button.main");
    assert.ok((await one.page.$eval(".watch-menu code", (code) => code.textContent)).includes(` --list ${file} `));
  },
  "A4 what was known on a day": async (one) => {
    await one.lookUp(LISTED);
    await one.press(".as-of > summary");
    await one.page.waitForSelector("#as-of");
    await one.page.$eval("#as-of", (field) => {
      field.value = "2025-01-15";
      field.dispatchEvent(new Event("change", { bubbles: true }));
    });
    await one.atAddress("asOf=2025-01-15");
    await one.sees(".verdict h2", /15.(01|January).2025/);
    await one.press(".verdict .next > a");
    await one.sees(".evidence .outcome h2", /15.(01|January).2025/);
  },
  "B1 who has bought something in a region in a year": async (one) => {
    await one.lookUp("постельное бельё");
    await one.ready();
    await one.press(".of-search summary[data-stay=menu-days]");
    await one.press(".of-search [open] .options a[href*='from=2024-01-01']");
    await one.atAddress("from=2024-01-01&to=2024-12-31");
    await one.ready();
    await one.press(".of-search summary[data-stay=menu-region]");
    await one.type(".of-search [open] input", "Москва");
    await one.page.keyboard.press("Enter");
    await one.atAddress("region=77");
    await one.ready();
    await one.sees(".rows .row .subject");
    const days = await one.page.$$eval(".rows .row .date", (all) => all.map((each) => each.textContent));
    assert.ok(days.length > 0 && days.every((day) => day.includes("2024")), days.join(", "));
  },
  "B2 a unit price from chosen contracts": async (one) => {
    await one.lookUp("постельное бельё");
    await one.press(".tabs a[href*='tab=prices']");
    await one.page.waitForSelector(".price-items tbody input");
    await one.ready();
    for (const at of [1, 3, 5]) {
      await one.press(`.price-items tbody tr:nth-child(${at}) input`, " ");
      await one.ready();
    }
    await one.press(".take .button");
    await one.sees(".price-sheet", /33/);
    assert.equal(await one.countOf(".of-sources tbody tr"), 3);
  },
  "B3 who wins from a customer, and whom else that supplier serves": async (one) => {
    await one.lookUp(CUSTOMER);
    await one.press(`main a[href='#/customer/${CUSTOMER}']`);
    await one.press(".tabs a[href*='tab=suppliers']");
    await one.press(".parties-table tbody tr:first-child .party a");
    await one.atAddress("#/supplier/");
    await one.press(".tabs a[href*='tab=customers']");
    await one.sees(".parties-table tbody tr .share, .parties-table tbody tr", /%/);
  },
  "B4 how a customer buys": async (one) => {
    await one.lookUp("постельное бельё");
    await one.press(".tabs a[href*='tab=purchases']");
    await one.page.waitForSelector(".rows.of-purchases");
    await one.ready();
    await one.press(".rows.of-purchases a[href^='#/customer/']");
    await one.atAddress("#/customer/");
    await one.press(".tabs a[href*='tab=purchases']");
    await one.sees("#tab-purchases table tbody tr");
    await one.ready();
    // A customer whose purchases are not in the data.
    await one.lookUp(CUSTOMER);
    await one.press(`main a[href='#/customer/${CUSTOMER}']`);
    await one.press(".tabs a[href*='tab=purchases']");
    await one.sees("#tab-purchases .empty", /purchases|Закупок/);
    assert.equal(await one.countOf("#tab-purchases table"), 0);
  },
  "C1 which customers a supplier lives from": async (one) => {
    await one.lookUp(MANY);
    await one.press(".tabs a[href*='tab=customers']");
    await one.sees(".parties-table tbody tr", /%/);
    assert.equal((await saveFirst(one, "#tab-customers")).length, 1);
  },
  "C2 all contracts of a supplier as a file for a pivot table": async (one) => {
    await one.lookUp(MANY);
    await one.ready();
    await one.press(".tabs a[href*='tab=contracts'], .tabs a:first-child");
    await one.page.waitForSelector("tr.contract");
    await one.ready();
    const [name] = await saveFirst(one, ".result-of-filters");
    assert.match(name, /\.(xlsx|csv)$/);
  },
  "C3 contracts signed while the supplier was listed": async (one) => {
    await one.lookUp(EVER_LISTED);
    await one.press(".tabs a[href*='tab=contracts'], .tabs a:first-child");
    await one.press(".overview [data-stay='fact-signedWhileListed']");
    await one.atAddress("fact=signedWhileListed");
    await one.ready();
    await one.sees("tr.contract");
  },
  "C4 the main suppliers of a customer, by a link that others can open": async (one) => {
    await one.lookUp(CUSTOMER);
    await one.press(`main a[href='#/customer/${CUSTOMER}']`);
    await one.press(".tabs a[href*='tab=suppliers']");
    await one.sees(".parties-table tbody tr", /%/);
    const first = await one.page.$eval(".parties-table tbody tr", (row) => row.innerText);
    await one.page.reload();
    await one.sees(".parties-table tbody tr", /%/);
    assert.equal(await one.page.$eval(".parties-table tbody tr", (row) => row.innerText), first);
  },
};

/** Pairs of ways to do a task. Consecutive tasks use alternating pairs. */
const WAYS = [
  [{ browser: "chromium", lang: "ru", width: 1280, dark: false }, { browser: "firefox", lang: "en", width: 390, dark: true, isByKeyboard: true }],
  [{ browser: "chromium", lang: "en", width: 390, dark: true, isByKeyboard: true }, { browser: "firefox", lang: "ru", width: 1280, dark: false }],
];

let service;
const browsers = new Map();

/** Opens the start page in one of the ways. */
async function start({ browser: name, lang, width, dark }) {
  service ??= serveDemo("--rnp-rate", "0");
  const kind = `${name} ${name === "firefox" && lang} ${name === "firefox" && dark}`;
  if (!browsers.has(kind)) browsers.set(kind, name === "firefox" ? launchFirefox({ lang, dark }) : launch());
  const [browser, on] = await Promise.all([browsers.get(kind), service]);
  return name === "firefox" ? openFirefox(browser, on, { lang, width }) : open(browser, on, { lang, width, dark });
}

const BROWSERS = (process.env.BROWSERS ?? "chromium firefox").split(" ");

for (const [at, [name, task]] of Object.entries(TASKS).entries()) {
  for (const way of WAYS[at % 2].filter(({ browser }) => BROWSERS.includes(browser))) {
    const words = [way.browser, way.isByKeyboard ? "keyboard" : "mouse", way.lang, `${way.width} pixels`, way.dark ? "dark" : "light"];
    test(`${name} (${words.join(", ")})`, async () => {
      const { page, close } = await start(way);
      await page.waitForSelector("main > :not(.loading)");
      await task(user(page, way.isByKeyboard));
      const { isDark, wide } = await page.evaluate(() => ({ isDark: document.documentElement.classList.contains("dark"), wide: document.documentElement.scrollWidth - innerWidth }));
      assert.equal(isDark, way.dark);
      assert.ok(wide <= 0, `${wide} pixels too wide`);
      if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name.slice(0, 2)}-${way.browser}.png` });
      await close();
    });
  }
}

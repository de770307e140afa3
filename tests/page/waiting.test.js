// A server that answers late, fails, or closes the connection: each part of each view says that it is
// loading, then what went wrong and what to do. Nothing stays empty.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { launch, open, settled } from "./browser.js";
import { serveDemo } from "./service.js";

const MANY = "9602000445";
const LISTED = "9602003485";
const CUSTOMER = "9608197580";
/** Each view, with the parts that wait for an answer. */
const VIEWS = {
  supplier: [`#/supplier/${LISTED}`, ".verdict-place", "main > .loading"],
  entries: [`#/supplier/${LISTED}?tab=entries`, ".verdict-place", "#tab-entries"],
  sources: [`#/supplier/${LISTED}?tab=sources`, ".verdict-place", "#tab-sources"],
  contracts: [`#/supplier/${MANY}?tab=contracts`, ".verdict-place", "#tab-contracts .overview-place", "#tab-contracts .contracts"],
  won: [`#/supplier/${MANY}?tab=purchases`, ".verdict-place", "#tab-purchases"],
  customers: [`#/supplier/${MANY}?tab=customers`, ".verdict-place", "#tab-customers"],
  customer: [`#/customer/${CUSTOMER}`, "#tab-contracts .overview-place", "#tab-contracts .contracts"],
  ofCustomer: [`#/customer/${CUSTOMER}?tab=purchases`, "#tab-purchases"],
  suppliers: [`#/customer/${CUSTOMER}?tab=suppliers`, "#tab-suppliers"],
  evidence: [`#/evidence/${LISTED}`, "main"],
  purchase44: ["#/purchase/0296200014323000112", "main"],
  purchase223: ["#/purchase/32413620905", "main"],
  purchase615: ["#/purchase/029620004102400014", "main"],
  batch: [`#/batch?inn=${LISTED},${MANY}`, "main"],
  find: ["#/find/ооо", "main"],
  rnp: ["#/rnp", "main"],
  found: ["#/search?q=постельное бельё", "main"],
  foundPurchases: ["#/search?q=ремонт&tab=purchases", "main"],
  prices: ["#/search?q=постельное&tab=prices", "main"],
};
const STATUS = /status of (429|500)|ERR_(CONNECTION_RESET|FAILED)/;
/** Words that say that something is being loaded. */
const LOADING = /Загружаем…|Проверяем список…|Проверено \d+ из \d+/;
const FAILURES = {
  500: { title: "На сервере произошла ошибка", answer: (route) => route.fulfill({ status: 500, json: { code: 500, error: "server error" } }) },
  429: {
    title: "Слишком много запросов",
    answer: (route) => route.fulfill({ status: 429, headers: { "Retry-After": "600" }, json: { code: 429, error: "Превышен лимит запросов." } }),
  },
  closed: { title: "Нет связи с сервером", answer: (route) => route.abort("connectionreset") },
};

let browser, service;
before(async () => ([browser, service] = await Promise.all([launch(), serveDemo("--rnp-rate", "0")])));

/** Whether a URL is a request for data, not for a file of the page. */
const isAnswer = ({ pathname }) => pathname !== "/" && !/^\/(web\/|about\.json$)/.test(pathname);

/** Opens a view, and handles its requests with `answer`. */
async function onView(name, answer) {
  const tab = await open(browser, service, { key: false, expected: STATUS });
  await tab.page.route(isAnswer, answer);
  await tab.page.evaluate((hash) => (location.hash = hash), VIEWS[name][0]);
  return tab;
}

/** Visible elements without content: parts, cells, and paragraphs. */
const emptyParts = (page) => page.evaluate(() => {
  const all = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("main > *, main :is(section, article, .panel, td, dd, p, li, h1, h2, h3, [class*=-place])"));
  const isEmpty = (one) => one.checkVisibility() && one.offsetHeight > 0 && !one.innerText.trim() && !one.querySelector("input, svg, progress, button");
  // The places for remarks below a heading and for a mark beside a name may be empty.
  return [...all].filter((one) => isEmpty(one) && !one.matches(".about, .tag-place, [role=alert]")).map((one) => one.outerHTML.slice(0, 120));
});

/** Checks all views, four at a time. */
async function eachView(check) {
  const names = Object.keys(VIEWS);
  const next = async () => {
    for (let name = names.shift(); name; name = names.shift()) await check(name);
  };
  await Promise.all(Array.from({ length: 4 }, next));
}

test("while the server has not answered, each part of each view says that it is loading", async () => {
  await eachView(async (name) => {
    let release;
    const released = new Promise((resolve) => (release = resolve));
    const { page, close } = await onView(name, async (route) => {
      await released;
      await route.continue().catch(() => {});
    });
    for (const part of VIEWS[name].slice(1)) {
      const words = page.locator(part).filter({ hasText: LOADING, visible: true }).first();
      await words.waitFor().catch(() => assert.fail(`${name}: ${part} does not say that it is loading`));
    }
    assert.deepEqual(await emptyParts(page), [], `${name}, loading`);
    release();
    await settled(page);
    assert.equal(await page.locator(".error").count(), 0, name);
    assert.deepEqual(await emptyParts(page), [], `${name}, loaded`);
    await close();
  });
});

for (const [kind, { title, answer }] of Object.entries(FAILURES)) {
  test(`each view explains a failure (${kind}) and what to do, and recovers from it`, async () => {
    await eachView(async (name) => {
      const { page, close } = await onView(name, answer);
      const errors = page.locator("main .error").filter({ visible: true });
      await errors.first().waitFor();
      await settled(page);
      for (const error of await errors.all()) {
        assert.equal(await error.locator("h2").innerText(), title, name);
        assert.ok((await error.locator("h2 ~ p").first().innerText()).length > 20, `${name} says what to do`);
        assert.equal(await error.getByRole("button", { name: "Повторить" }).count(), 1, name);
      }
      assert.equal(await page.locator(".loading").count(), 0, name);
      assert.deepEqual(await emptyParts(page), [], name);
      await page.unroute(isAnswer);
      // Some parts show their errors together and recover together.
      for (let tries = 0; tries < 3 && await errors.count(); tries += 1) {
        await errors.first().getByRole("button", { name: "Повторить" }).click({ timeout: 3000 }).catch(() => {});
        await settled(page);
      }
      await errors.first().waitFor({ state: "hidden" });
      await settled(page);
      assert.deepEqual(await emptyParts(page), [], `${name}, recovered`);
      await close();
    });
  });
}

test("while the script of a view is late, the page says that it is loading", async () => {
  const { page, close } = await open(browser, service, { key: false });
  let go;
  const held = new Promise((resolve) => (go = resolve));
  await page.route(/\/rnp\.js$/, async (route) => {
    await held;
    await route.continue();
  });
  await page.evaluate(() => (location.hash = "#/rnp"));
  await page.locator("main > .loading", { hasText: "Загружаем…" }).waitFor();
  go();
  await page.getByRole("heading", { level: 1, name: /^РНП: \d+/ }).waitFor();
  await settled(page);
  await close();
});

test("a supplier that could not be checked is marked as unchecked", async () => {
  const { page, close } = await open(browser, service, { key: false, expected: STATUS });
  await page.route("**/rnp/check-suppliers*", FAILURES[500].answer);
  await page.evaluate((hash) => (location.hash = hash), `#/customer/${CUSTOMER}`);
  await page.locator(".contract .verdict-of", { hasText: "РНП не проверен" }).first().waitFor();
  await settled(page);
  assert.equal(await page.locator(".verdict-of:empty").count(), 0);
  await close();
});

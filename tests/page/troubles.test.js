import assert from "node:assert/strict";
import { before, test } from "node:test";
import { launch, open, settled } from "./browser.js";
import { demoLines, loginProxy, markupLines, serveDemo, serveLines } from "./service.js";

const LISTED = "9602003485";
const STATUS = /status of (401|404|429|500|503)|ERR_(CONNECTION_REFUSED|EMPTY_RESPONSE|CONNECTION_RESET|FAILED|TIMED_OUT)/;

let browser, keyed;
before(async () => ([browser, keyed] = await Promise.all([launch(), serveLines(demoLines(), "--rnp-rate", "0")])));

test("the page asks for a key, asks again after a wrong one, and keeps the query", async () => {
  const { page, asked, close } = await open(browser, keyed, { key: false, expected: STATUS });
  await page.locator("#search").fill(LISTED);
  await page.locator("#search").press("Enter");
  await page.getByRole("heading", { name: "Нужен ключ" }).waitFor();
  await page.getByText("procurement-lookup keys issue NAME").waitFor();
  const onKeyField = () => page.evaluate(() => document.activeElement.id === "key-field" && document.querySelectorAll("h1").length);
  assert.equal(await onKeyField(), 1);
  await page.keyboard.type("not the key");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Ключ не подошёл" }).waitFor();
  assert.equal(await onKeyField(), 1);
  assert.equal(await page.locator("#search").inputValue(), LISTED);
  await page.getByLabel("Ключ доступа").fill(` ${keyed.key} `);
  await page.getByRole("button", { name: "Продолжить" }).click();
  await page.getByRole("heading", { level: 1, name: /Сторожевой берег/ }).waitFor();
  await settled(page);
  await page.reload();
  await page.getByRole("heading", { level: 1, name: /Сторожевой берег/ }).waitFor();
  await settled(page);
  assert.ok(!asked.some((url) => url.includes(keyed.key)));
  const stored = await page.evaluate(() => JSON.stringify({ ...localStorage }));
  assert.ok(!stored.includes(keyed.key), stored);
  await close();
});

test("a user authenticated by a proxy needs no key, and an expired login reloads the page", async () => {
  const service = await serveLines(demoLines(), "--trust-proxy", "127.0.0.1", "--user-header", "X-Remote-User");
  const proxy = await loginProxy(service, "session=good");
  const { page, close } = await open(browser, proxy, { key: false, expected: STATUS });
  await page.locator("#search").fill(LISTED);
  await page.locator("#search").press("Enter");
  await page.getByRole("heading", { name: /^В РНП: действу/ }).waitFor();
  await settled(page);
  assert.equal(await page.locator("#key-button").count(), 0);
  proxy.named = false;
  await page.locator("#search").fill("9602003012");
  await page.locator("#search").press("Enter");
  await page.getByRole("heading", { name: "Сеанс завершён" }).first().waitFor();
  await close();
});

test("invalid queries are explained", async () => {
  const { page, close } = await open(browser, keyed);
  const field = page.locator("#search");
  for (const [typed, words] of [
    ["", /Введите название или ИНН/], ["ОО", /хотя бы три/], ["https://zakupki.gov.ru/epz/main", /нет номера закупки/], ["41234567890", /начинается с 3/], ["602003485", /Здесь 9 цифр.*ноль/],
    ["123", /Здесь 3 цифры, а в ИНН/], ["1".repeat(36), /ИКЗ/], [`${LISTED}, 0296200014323000112`, /Введены номера разных видов/],
  ]) {
    await field.fill(typed);
    await field.press("Enter");
    await page.locator("#search-said", { hasText: words }).waitFor();
    assert.equal(await field.inputValue(), typed);
    assert.equal(await field.getAttribute("aria-invalid"), "true");
  }
  for (const nowhere of ["supplier/12", "constructor", "toString", "__proto__"]) {
    await page.goto(`${keyed.url}/#/`);
    await page.locator(".home-cards").waitFor();
    await page.goto(`${keyed.url}/#/${nowhere}`);
    await page.getByRole("heading", { name: "Такой страницы нет" }).waitFor();
  }
  await close();
});

test("after a 429, the page shows how long to wait and retries by itself", async () => {
  const { page, close } = await open(browser, keyed, { expected: STATUS });
  let refused = 0;
  await page.route("**/rnp/check-suppliers*", (route) => {
    refused += 1;
    if (refused > 1) return route.continue();
    return route.fulfill({ status: 429, headers: { "Retry-After": "2" }, json: { code: 429, error: "Превышен лимит запросов." } });
  });
  await page.goto(`${keyed.url}/#/supplier/${LISTED}`);
  await page.getByRole("heading", { name: "Слишком много запросов" }).waitFor();
  await page.getByText(/Следующая попытка через [12] с/).first().waitFor();
  await page.getByRole("heading", { name: /^В РНП: действу/ }).waitFor();
  await settled(page);
  await close();
});

test("server error, server without data, unreachable server: the page explains the cause, what to do, and retries", async () => {
  const gone = await serveDemo();
  const { page, close } = await open(browser, gone, { expected: STATUS });
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.waitForLoadState("networkidle");
  for (const [number, answer, title, words] of [
    ["0296200014323000112", { status: 500, json: { error: "server error" } }, "На сервере произошла ошибка", ""],
    ["0296200011725000191", { status: 503, headers: { "Retry-After": "1" }, json: { code: 503, error: "Сервис временно недоступен." } }, "Сервер временно не может получить данные", "Сервер потерял связь с базой"],
  ]) {
    await page.route("**/purchase/*", (route) => route.fulfill(answer));
    await page.locator("#search").fill(number);
    await page.locator("#search").press("Enter");
    await page.getByRole("heading", { name: title }).waitFor();
    await page.locator(".error", { hasText: words }).waitFor();
    await page.unrouteAll();
    await page.getByRole("button", { name: "Повторить" }).click();
    await page.locator(".lot").first().waitFor();
  }
  await gone.stop();
  await page.locator("#search").fill("029620004102400014");
  await page.locator("#search").press("Enter");
  await page.getByRole("heading", { name: "Нет связи с сервером" }).waitFor();
  assert.equal(await page.locator("#search").inputValue(), "029620004102400014");
  await page.getByRole("button", { name: "Повторить" }).waitFor();
  await close();
});

test("a request without an answer times out", async () => {
  const { page, close } = await open(browser, keyed, { expected: STATUS });
  await page.clock.install();
  await page.evaluate(() => {
    const real = AbortSignal.timeout.bind(AbortSignal);
    AbortSignal.timeout = () => real(50);
  });
  await page.route("**/purchase/*", () => {});
  await page.evaluate(() => (location.hash = "#/purchase/029620004102400014"));
  await page.getByRole("heading", { name: "Сервер не ответил вовремя" }).waitFor();
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await close();
});

test("with an empty database, a message says that there are no contracts", async () => {
  const empty = await serveLines("");
  const { page, close } = await open(browser, empty, { hash: `#/supplier/${LISTED}` });
  await page.getByText("Контрактов по 44-ФЗ нет. Поиск идёт только по данным этого сервера.").first().waitFor();
  await settled(page);
  assert.equal(await page.getByRole("link", { name: LISTED }).count(), 0, "no examples from the demonstration data");
  await close();
  await empty.stop();
});

test("texts of 5,000 letters and amounts of 28 digits do not widen the page", async () => {
  const lines = demoLines().trim().split("\n").map((line) => JSON.parse(line)).filter(({ type, supplier }) => type === "contract" && supplier?.inn === "9602003742");
  assert.ok(lines.length > 1);
  const long = lines.map((line) => JSON.stringify(line).replace(/("purchaseObjectInfo":)"(?:[^"\\]|\\.)*"/, `$1"${"ж".repeat(5000)}"`).replace(/("customerName":)"(?:[^"\\]|\\.)*"/, `$1"${"щ".repeat(5000)}"`).replace(/("contractPrice":)[^,}]+/, "$11234567890123456789012345678"));
  const extreme = await serveLines(long.join("\n"), "--rnp-rate", "0");
  for (const width of [1280, 1000, 360]) {
    const { page, close } = await open(browser, extreme, { hash: "#/supplier/9602003742", width });
    await page.locator("tr.contract").first().waitFor();
    await settled(page);
    assert.equal(await page.locator("td.contractPrice .amount").first().evaluate((one) => one.textContent.replace(/\D/g, "")), "123456789012345678901234567800");
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${width}`);
    assert.ok((await page.locator("tr.contract").first().boundingBox()).height < 500, `${width}`);
    assert.ok((await page.locator(".chart.shares li").first().boundingBox()).height < 200, `${width}`);
    await page.locator(".opener").first().click();
    assert.ok((await page.locator(".details").first().innerText()).includes("ж".repeat(5000)));
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${width}, opened`);
    await close();
  }
  await extreme.stop();
});

test("markup in any field is shown as text", async () => {
  const spoiled = await serveLines(markupLines(), "--rnp-rate", "0");
  const { page, close } = await open(browser, spoiled);
  const views = [
    "#/supplier/9602000445?size=50", `#/supplier/${LISTED}`, "#/supplier/9602003527", "#/supplier/9602003742", "#/purchase/0296200014323000112",
    "#/purchase/0296200011725000191", "#/purchase/32413620905", "#/purchase/029620004102400014", `#/batch?inn=${LISTED},9602003527`,
  ];
  for (const [at, view] of views.entries()) {
    // The query differs each time, so that the browser reloads the page.
    await page.goto(`${spoiled.url}/?${at}${view}`);
    await page.locator("tr.contract, .lot, .view-head .code, .verdicts").first().waitFor();
    await settled(page);
    await page.evaluate(() => document.querySelectorAll("details:not(.menu)").forEach((details) => (details.open = true)));
    for (const opener of await page.locator(".opener:visible").all()) await opener.click();
    const found = await page.evaluate(() => ({
      elements: [...document.querySelectorAll("main img, main script, main b, [onerror]")]
        .filter((one) => one.localName !== "b" || one.textContent === "x").length,
      links: [...document.querySelectorAll("a")].map((link) => link.href).filter((href) => !/^(https?|blob):/.test(href)),
      text: document.querySelector("main").innerText.includes("<img src=x onerror=alert(1)>") || document.querySelector("main").innerText.includes("<script>alert(1)</script>"),
    }));
    assert.deepEqual(found, { elements: 0, links: [], text: true }, view);
  }
  await close();
  await spoiled.stop();
});

test("without web storage, lookups, lists, language and theme still work", async () => {
  const tab = await browser.newContext({ locale: "ru-RU" });
  const page = await tab.newPage();
  const faults = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  await page.addInitScript(() => {
    for (const name of ["sessionStorage", "localStorage"]) {
      Object.defineProperty(window, name, { get: () => { throw new DOMException("refused", "SecurityError"); } });
    }
  });
  await page.goto(`${keyed.url}/?lang=ru`);
  await page.locator("#search").fill(LISTED);
  await page.keyboard.press("Enter");
  await page.getByLabel("Ключ доступа").fill(keyed.key);
  await page.getByRole("button", { name: "Продолжить" }).click();
  await page.getByRole("heading", { level: 1, name: /Сторожевой берег/ }).waitFor();
  await page.getByLabel("Оформление").selectOption("dark");
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
  await page.getByLabel("Язык").selectOption("en");
  await page.getByRole("link", { name: "Check a list", exact: true }).click();
  await page.locator("#batch-text").fill(LISTED);
  await page.getByRole("button", { name: "Check", exact: true }).click();
  await page.getByRole("heading", { name: "1 of 1 rows checked" }).waitFor();
  assert.deepEqual(faults, []);
  await tab.close();
});

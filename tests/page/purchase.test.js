import assert from "node:assert/strict";
import { before, test } from "node:test";
import { fetchBytes, inLine, launch, menu, open, pagesOf, saved, settled, shown } from "./browser.js";
import { demoLines, serveDemo, serveLines } from "./service.js";

let browser, service;
before(async () => ([browser, service] = await Promise.all([launch(), serveDemo()])));

const PATHS = { 19: "/purchase/demo44", 11: "/purchase/demo223", 18: "/purchase/demo615" };

async function onPurchase(number, options = {}) {
  const tab = await open(browser, service, { hash: `#/purchase/${number}`, ...options });
  await tab.page.locator(".tiles").waitFor();
  return tab;
}

/** Returns all text on a card, including those in collapsed parts. */
async function allText(page) {
  await page.evaluate(() => document.querySelectorAll("details").forEach((details) => (details.open = true)));
  const links = await page.locator("main a").evaluateAll((all) => all.map((one) => one.href));
  const codes = await page.locator("main [title]").evaluateAll((all) => all.map((one) => one.title));
  return inLine(await page.locator("main").innerText()) + [...links, ...codes].join(" ");
}

test("a 44-FZ card shows customer, subject, price, deadlines, and the winner of each lot", async () => {
  const { page, close } = await onPurchase("0296200014323000112");
  const glance = inLine(await page.locator(".tiles").innerText());
  for (const part of ["Дорожная дирекция", "28 365 840,00 ₽", "10.05.2023 10:00", "Дороги верхнеречья", "8 801 702,40 ₽"]) assert.ok(glance.includes(part), part);
  assert.equal(await page.locator(".lot").count(), 3);
  assert.deepEqual(await page.locator(".lot-result strong").allTextContents(), ["заключён 1 контракт", "в загруженных данных не указан", "заключён 1 контракт"]);
  assert.equal(await page.locator(".lot").first().locator(".result").count(), 2, "a lot with winner and contract");
  assert.equal(await page.locator(".lot").nth(1).locator(".result").count(), 0, "a lot without winner and contract");
  await page.locator(".tiles .verdict-of .tag", { hasText: "нет в РНП" }).first().waitFor();
  await page.locator(".lot").first().getByRole("link", { name: "9602003742" }).first().click();
  await page.getByRole("heading", { level: 1, name: /Дороги верхнеречья/ }).waitFor();
  await settled(page);
  await close();
});

/** Returns the forms in which the page may show a value. */
function written(value) {
  if (value === true || value === "true") return ["да"];
  if (value === false || value === "false") return ["нет"];
  const [whole, part] = String(value).split(".");
  // In documents, midnight means that the time of day is missing, so only the date is shown.
  const day = /^(\d\d\.\d\d\.\d{4}) 00:00$/.exec(value)?.[1];
  if (day) return [day];
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, " ");
  return [inLine(String(value)), `${grouped}${part ? `,${part}` : ""}`];
}

/** Returns the names and values of all fields in a response, recursively. */
function values(record, name = "") {
  if (record === null || record === "") return [];
  if (typeof record === "object") return Object.entries(record).flatMap(([key, inner]) => values(inner, Array.isArray(record) ? name : key));
  return [[name, record]];
}

test("cards show every field, for all purchases in the demonstration data", async () => {
  const numbers = [...demoLines().matchAll(/^\{"type":"purchase\d+".*?"purchaseNumber":\s*"(\d+)"/gm)].map(([, number]) => number);
  assert.equal(numbers.length, 112);
  const { page, close } = await open(browser, service);
  for (const number of numbers) {
    await page.goto(`${service.url}/#/purchase/${number}`);
    await page.locator(".view-head .code", { hasText: number }).waitFor();
    await shown(page);
    const text = await allText(page);
    const json = JSON.parse(await fetchBytes(service, `${PATHS[number.length]}?purchaseNumber=${number}&format=json`));
    for (const [name, value] of values(json)) {
      assert.ok(written(value).some((one) => text.includes(one)) || name === "currency", `${number} ${name}: ${value}`);
    }
  }
  await close();
});

test("document links lead only to the web and send no referrer", async () => {
  const { page, close } = await onPurchase("0396300010124000017");
  const links = page.locator(".documents a");
  assert.equal(await links.count(), 3);
  for (const link of await links.all()) {
    assert.match(await link.getAttribute("href"), /^https:/);
    assert.equal(await link.getAttribute("rel"), "noopener noreferrer");
  }
  await close();
});

test("a saved card has the service's bytes", async () => {
  const { page, close } = await onPurchase("32413620905");
  await menu(page);
  for (const format of ["xml", "json", "csv"]) {
    const { name, bytes } = await saved(page, () => page.getByRole("button", { name: format.toUpperCase(), exact: true }).click());
    assert.match(name, new RegExp(`^purchase-32413620905-\\d{4}-\\d\\d-\\d\\d\\.${format}$`));
    assert.ok(bytes.equals(await fetchBytes(service, `/purchase/demo223?purchaseNumber=32413620905&format=${format}`)), format);
  }
  await close();
});

test("a purchase that is not in the data: a message with a link to the official site", async () => {
  for (const [number, address] of [
    ["0000000000000000000", "epz/order/notice/printForm/view.html?regNumber=0000000000000000000"],
    ["029620004102400099", "epz/order/notice/ea615/view/common-info.html?regNumber=029620004102400099"],
    ["32413629999", "223/purchase/public/purchase/info/common-info.html?regNumber=32413629999"],
  ]) {
    const { page, close } = await open(browser, service, { hash: `#/purchase/${number}` });
    await page.getByRole("heading", { name: "Извещение не загружено" }).waitFor();
    assert.equal(await page.locator("#search").inputValue(), number);
    assert.equal(await page.getByRole("link", { name: "Официальная страница" }).getAttribute("href"), `https://zakupki.gov.ru/${address}`);
    await close();
  }
});

/** Opens a card of the demonstration data after changing the values at some paths. */
async function onCard(number, change) {
  const lines = demoLines().trim().split("\n").map((line) => JSON.parse(line));
  const line = lines.find(({ purchase }) => purchase?.purchaseNumber === number);
  change(line.purchase);
  const changed = await serveLines(JSON.stringify(line));
  const tab = await open(browser, changed, { hash: `#/purchase/${number}` });
  await tab.page.locator(".tiles").waitFor();
  return { ...tab, close: async () => (await tab.close(), await changed.stop()) };
}

/** Returns the date this many days ago in Moscow, in the format of cards. */
const ago = (days) => new Date(Date.now() + 3 * 3600e3 - days * 86_400_000).toISOString().slice(0, 10).split("-").reverse().join(".");

test("a purchase without an outcome long after its deadline is marked as not loaded", async () => {
  for (const [stage, days, isMissing] of [["Работа комиссии", 31, true], ["Работа комиссии", 30, false], ["Закупка завершена", 400, false], ["Закупка отменена", 400, false]]) {
    const { page, close } = await onCard("0296200014323000112", (card) => {
      card.stage = stage;
      card.procedureInfo.end = `${ago(days)} 10:00`;
      for (const lot of card.lots.lot) {
        lot.winner = null;
        for (const customer of lot.customers.customer) customer.contract = null;
      }
    });
    assert.deepEqual(await page.locator(".view-head .stage").allTextContents(), isMissing ? [stage, "итоги не загружены"] : [stage], `${stage}, ${days} days`);
    await close();
  }
});

test("midnight is shown for the submission deadline, but not for dates without a time", async () => {
  const { page, close } = await onCard("0296200014323000112", (card) => {
    card.procedureInfo.end = "10.05.2023 00:00";
    card.procedureInfo.summarizingDate = "18.05.2023 00:00";
    card.procedureInfo.submissionDate = "12.05.2023 00:00";
  });
  const when = (words) => page.locator(".days li", { hasText: words }).locator(".when").textContent();
  assert.equal(await when("Подведение итогов"), "18.05.2023");
  assert.equal(await when("Подача окончательных предложений"), "12.05.2023");
  assert.equal(await when("Окончание подачи заявок"), "10.05.2023 00:00");
  await page.getByLabel("Язык").selectOption("en");
  await page.getByRole("heading", { name: "Dates" }).waitFor();
  assert.deepEqual((await page.locator(".days .when").allTextContents()).filter((words) => !/^\d{1,2} [A-Z][a-z]+ \d{4}(, \d\d:\d\d)?$/.test(words)), []);
  await page.locator(".tiles").getByText("10 May 2023, 00:00").waitFor();
  await close();
});

test("a card prints completely; a 44-FZ card with one lot takes at most three pages", async () => {
  for (const number of ["0296200011725000008", "0206500002313000001"]) {
    const { page, close } = await onPurchase(number);
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    assert.equal(await page.locator("details:not([open])").count(), 0);
    const pages = await pagesOf(page);
    assert.ok(pages <= 3, `${number}: ${pages}`);
    await page.evaluate(() => dispatchEvent(new Event("afterprint")));
    assert.ok((await page.locator("details:not([open])").count()) > 0);
    await close();
  }
});

test("totals are below sums; unit prices are rounded to kopecks, with all digits in the tooltip", async () => {
  for (const [number, width] of [["0296200014323000112", 1280], ["0296200011725000008", 1280], ["0296200011725000008", 390]]) {
    const { page, close } = await onPurchase(number, { width });
    const table = page.locator("table.objects:has(tfoot)").first();
    if (width === 1280) {
      const [head, total] = await Promise.all([table.locator("thead th").last(), table.locator("tfoot td")].map((one) => one.boundingBox()));
      assert.ok(Math.abs(head.x + head.width - total.x - total.width) < 2, `${number}: ${head.x} ${total.x}`);
    }
    assert.equal(await table.locator("tfoot th").textContent(), "Итого");
    const amounts = await page.locator("table.objects .amount", { hasText: "₽" }).allTextContents();
    assert.ok(amounts.length > 1);
    for (const text of amounts) assert.match(inLine(text), /^[\d ]+,\d\d ₽$|^0,\d+ ₽$/);
    const exact = await page.locator("table.objects .amount[title]").evaluateAll((all) => all.map((one) => one.title));
    for (const one of exact) assert.match(inLine(one), /,\d{3,} ₽$/);
    await close();
  }
});

test("the winner's mark and price do not touch; on a phone, no field name is hyphenated", async () => {
  const { page, close } = await onPurchase("0296200014323000112");
  const winner = page.locator(".tiles .winner").first();
  await winner.locator(".tag").waitFor();
  const [tag, price] = await Promise.all([winner.locator(".tag"), winner.locator(".amount")].map((one) => one.boundingBox()));
  const isApart = price.y >= tag.y + tag.height - 1 || price.x >= tag.x + tag.width + 6;
  assert.ok(isApart, JSON.stringify([tag, price]));
  await close();
  const phone = await onPurchase("0296200011725000008", { width: 390, height: 844 });
  const broken = await phone.page.locator(".objects td[data-label]").evaluateAll((all) => all.filter((cell) => {
    const style = getComputedStyle(cell, "::before");
    const measure = document.createElement("canvas").getContext("2d");
    measure.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    const longest = Math.max(...cell.dataset.label.split(" ").map((word) => measure.measureText(word).width));
    return longest > parseFloat(getComputedStyle(cell).gridTemplateColumns);
  }).map((cell) => cell.dataset.label));
  assert.deepEqual(broken, []);
  await phone.close();
});

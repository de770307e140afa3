// The search by content: which input leads to it, its conditions as chips and in the address,
// results, and the messages if there are none.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { fetchBytes, inLine, launch, open, plain, saved, settled } from "./browser.js";
import { serveDemo } from "./service.js";

let browser, service;
before(async () => ([browser, service] = await Promise.all([launch(), serveDemo("--rnp-rate", "0")])));

const BASE = "format=json";
const api = async (path, params) => JSON.parse(await fetchBytes(service, `${path}?${BASE}&${new URLSearchParams(params)}`));
const rows = (page) => page.locator(".rows .row");
const title = (page) => page.locator("h1").innerText().then(inLine);
const chip = (page, words) => page.locator(".of-search .chosen", { hasText: words });
const params = (page) => new URLSearchParams(new URL(page.url()).hash.split("?")[1]);

async function onSearch(query, options = {}) {
  const tab = await open(browser, service, { hash: `#/search?${new URLSearchParams(query)}`, ...options });
  await settled(tab.page);
  return tab;
}

/** Returns the parameters of the requests to `path`, without paging and format. */
function requests(asked, path) {
  const urls = asked.map((url) => new URL(url)).filter(({ pathname }) => pathname === path);
  return urls.map(({ searchParams }) => Object.fromEntries([...searchParams].filter(([name]) => !["format", "skip", "limit", "top"].includes(name))));
}

test("words that are not a name open matching contracts, and back returns to where they were typed", async () => {
  const { page, close } = await open(browser, service);
  await page.locator("#search").fill("постельное бельё");
  await page.locator("#search").press("Enter");
  await page.waitForURL(/#\/search\?/);
  await settled(page);
  const { totalcount, contracts } = await api("/contract/search", { q: "постельное бельё", limit: "20" });
  assert.ok(totalcount > 20);
  assert.match(await title(page), new RegExp(`^«Постельное бельё»: ${totalcount} контракт\\S* на 19,5 млн ₽$`));
  assert.deepEqual(await rows(page).locator(".subject > :first-child").allTextContents(), contracts.map((one) => one.purchaseObjectInfo));
  const { customersCount, suppliersCount } = await api("/contract/summary", { q: "постельное бельё" });
  assert.match(inLine(await page.locator(".figures-of").innerText()), new RegExp(`^${customersCount} заказчик\\S* ${suppliersCount} поставщик\\S* по данным на \\d\\d`));
  assert.equal(await page.locator("#search").inputValue(), "постельное бельё");
  const purchases = await api("/purchase/search", { q: "постельное бельё", limit: "0" });
  assert.match(inLine(await page.locator(".tabs").innerText()), new RegExp(`Контракты ${totalcount} Закупки ${purchases.totalcount}`));
  await page.goBack();
  await page.getByRole("heading", { level: 1, name: "Проверьте поставщика" }).waitFor();
  await close();
});

test("while typing, names come first, then contracts and purchases that match the words", async () => {
  const { page, close } = await open(browser, service);
  const options = page.getByRole("listbox").getByRole("option");
  await page.waitForSelector("#search[role=combobox]");
  await page.locator("#search").pressSequentially("бумага");
  await options.nth(2).waitFor();
  const [contracts, purchases] = await Promise.all(["contract", "purchase"].map((kind) => api(`/${kind}/search`, { q: "бумага", limit: "0" })));
  const words = await options.allInnerTexts();
  assert.match(words[0], /^ООО «Бумага & Причал»/);
  assert.deepEqual(words.slice(1), [`Контракты по запросу «бумага» (${contracts.totalcount})`, `Закупки по запросу «бумага» (${purchases.totalcount})`]);
  for (let at = 0; at < 3; at += 1) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => decodeURIComponent(url.hash) === "#/search?q=бумага&tab=purchases");
  await settled(page);
  await rows(page).first().waitFor();
  assert.equal(await rows(page).count(), purchases.totalcount);
  // Unless a suggestion is highlighted, Enter opens the page of hits, which ends with the same
  // links.
  await page.goBack();
  await page.locator("#search").fill("бумага");
  await page.locator("#search").press("Enter");
  await page.getByRole("heading", { level: 1, name: "Поиск: бумага" }).waitFor();
  await page.locator("main").getByRole("link", { name: /^Контракты по запросу «бумага»/ }).click();
  await page.waitForURL((url) => decodeURIComponent(url.hash) === "#/search?q=бумага");
  await close();
});

test("every filter in the address is sent to the service and has a chip that removes it", async () => {
  const query = {
    q: "бельё", code: "13.92,21.20.24", region: "97", customer: "9717533908", supplier: "9680265216", from: "2014", to: "2025-12-31",
    priceFrom: "100", priceTo: "9000000", stage: "EC,E", fact: "penalties",
  };
  const { page, asked, close } = await onSearch(query);
  assert.deepEqual(requests(asked, "/contract/search")[0], {
    q: "бельё", code: "13.92,21.20.24", region: "77", customerInn: "9717533908", supplierINN: "9680265216", signedFrom: "2014-01-01",
    signedTo: "2025-12-31", priceFrom: "100", priceTo: "9000000", stage: "E,EC", fact: "penalties",
  });
  const chosen = (await page.locator(".of-search .chosen .words").allInnerTexts()).map(plain);
  assert.deepEqual(chosen, [
    "бельё", "ОКПД2 13.92 Изделия текстильные готовые (кроме одежды)", "ОКПД2 21.20.24 Препараты лекарственные и материалы, применяемые в медицинских целях",
    "Москва", "заказчик ФКУ «Колония-Поселение № 263» УФСИН", "поставщик МУП «Солнышко»", "01.01.2014 – 31.12.2025", "100 ₽ – 9 000 000 ₽", "исполняется", "исполнен", "неустойка",
  ]);
  await chip(page, "исполнен").click();
  await page.waitForURL((url) => url.hash.includes("stage=E&"));
  await chip(page, "13.92").click();
  await page.waitForURL((url) => url.hash.includes("code=21.20.24&"));
  await page.getByRole("link", { name: "Сбросить" }).click();
  await page.getByRole("heading", { name: "Добавьте условие" }).waitFor();
  assert.equal(new URL(page.url()).hash, "#/search");
  await page.goBack();
  await page.waitForURL((url) => url.hash.includes("code=21.20.24&"));
  await close();
});

test("invalid parameters in an address are ignored", async () => {
  const { asked, close } = await onSearch({ q: "бельё", code: "1,13.,abc,13.92", region: "7,077,96", customer: "12", from: "2025-02-30", priceFrom: "-1", stage: "X", fact: "none", sort: "x", page: "-3" });
  assert.deepEqual(requests(asked, "/contract/search")[0], { q: "бельё", code: "13.92", region: "96" });
  await close();
});

test("a code can be chosen by name or typed; a region is chosen by name and includes its old INN prefix", async () => {
  const { page, asked, close } = await onSearch({ q: "бельё" });
  const open = async (words) => {
    await page.locator(".of-search summary", { hasText: words }).click();
    return page.locator(".of-search details[open]");
  };
  let menu = await open("Код ОКПД2");
  assert.ok(await menu.locator("input").evaluate((field) => field === document.activeElement), "the field has the focus");
  await menu.locator("input").fill("готовые текст");
  await menu.getByRole("link", { name: "13.92 Изделия текстильные готовые (кроме одежды)" }).click();
  await page.waitForURL((url) => url.hash.includes("code=13.92"));
  menu = await open("Код ОКПД2");
  await menu.locator("input").fill("13.92.12.110-00000033");
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.hash.includes("code=13.92,13.92.12.110-00000033"));
  await chip(page, "КТРУ 13.92.12.110-00000033").waitFor();
  menu = await open("Регион");
  await menu.locator("input").fill("краснояр");
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.hash.includes("region=24"));
  await chip(page, "Красноярский край").waitFor();
  assert.match(await chip(page, "Красноярский край").getAttribute("title"), /ИНН заказчика начинается с 24, 84, 88/);
  await settled(page);
  assert.equal(requests(asked, "/contract/search").at(-1).region, "24,84,88");
  menu = await open("Регион");
  await menu.locator("input").fill("атлантида");
  await page.keyboard.press("Enter");
  await menu.getByText("Такого региона нет.").waitFor();
  await close();
});

test("Moscow includes INNs that begin with 97, and the chip says so", async () => {
  const { page, close } = await onSearch({ region: "77" });
  const { totalcount } = await api("/contract/search", { region: "97", limit: "0" });
  assert.ok(totalcount > 0);
  assert.match(await title(page), new RegExp(`^${totalcount} контракт`));
  assert.match(await chip(page, "Москва").getAttribute("title"), /начинается с 77, 97/);
  await close();
});

test("risk facts are above the list with their counts, and each is a filter", async () => {
  const { page, close } = await onSearch({ q: "постельное бельё" });
  const { facts } = await api("/contract/summary", { q: "постельное бельё" });
  const links = page.locator(".risk a");
  assert.deepEqual(await links.locator("b").allInnerTexts(), facts.map(({ count }) => String(count)));
  await links.filter({ hasText: "по соглашению сторон" }).click();
  await page.waitForURL((url) => url.hash.includes("fact=terminatedMutually"));
  await settled(page);
  const { totalcount } = await api("/contract/search", { q: "постельное бельё", fact: "terminatedMutually", limit: "0" });
  assert.equal(await rows(page).count(), totalcount);
  assert.equal(await page.locator(".rows .mark", { hasText: "по соглашению сторон" }).count(), totalcount);
  await page.locator(".risk a[aria-current]").click();
  await page.waitForURL((url) => !url.hash.includes("fact"));
  await close();
});

test("RNP marks for all suppliers take one request; contracts signed by listed suppliers are marked", async () => {
  const { page, asked, close } = await onSearch({ supplier: "9770523221", from: "2020", size: "200" });
  assert.equal(requests(asked, "/rnp/check-suppliers").length, 1);
  assert.ok(await page.locator(".rows .tag.listed, .rows .tag.previously-listed").count() > 0);
  assert.equal(await page.locator(".rows .tag.not-listed").count(), 0);
  const { contracts } = await api("/contract/search", { supplierINN: "9770523221", signedFrom: "2020-01-01", fact: "signedWhileListed", limit: "200" });
  assert.ok(contracts.length > 0);
  assert.equal(await page.locator(".rows .mark", { hasText: "заключён с поставщиком из РНП" }).count(), contracts.length);
  await close();
});

test("the list is shown before the RNP request is answered, and if it fails", async () => {
  const { page, close } = await open(browser, service, { expected: /status of 500/ });
  let answer;
  await page.route("**/rnp/check-suppliers?*", async (route) => {
    await new Promise((resolve) => (answer = resolve));
    return route.fulfill({ status: 500, json: { error: "server error" } });
  });
  await page.evaluate(() => (location.hash = "#/search?q=бельё"));
  await rows(page).first().waitFor();
  answer();
  await page.getByText("Проверить поставщиков по РНП не удалось").waitFor();
  await close();
});

test("a row opens by a click anywhere on it and by keyboard, and is still open after going back", async () => {
  const { page, close } = await onSearch({ q: "постельное бельё" });
  const { contracts } = await api("/contract/search", { q: "постельное бельё", limit: "20" });
  await rows(page).nth(1).locator(".date").click();
  await rows(page).nth(1).locator(".more").getByText(contracts[1].regNum).waitFor();
  await rows(page).nth(2).locator(".subject").focus();
  await page.keyboard.press("Enter");
  assert.equal(await rows(page).nth(2).locator(".subject").getAttribute("aria-expanded"), "true");
  await page.keyboard.press("Enter");
  assert.equal(await rows(page).nth(2).locator(".subject").getAttribute("aria-expanded"), "false");
  await rows(page).nth(1).locator(".who a").first().click();
  await page.waitForURL((url) => url.hash === `#/customer/${contracts[1].customerInn}`);
  await settled(page);
  await page.goBack();
  await rows(page).nth(1).locator(".more").getByText(contracts[1].regNum).waitFor();
  await close();
});

test("order, pages and files match the service's answers", async () => {
  const { page, close } = await onSearch({ q: "ремонт", sort: "-contractPrice", page: "2" });
  const query = { q: "ремонт", sort: "-contractPrice" };
  const { totalcount, contracts } = await api("/contract/search", { ...query, skip: "20", limit: "20" });
  assert.deepEqual(await rows(page).locator(".subject > :first-child").allTextContents(), contracts.map((one) => one.purchaseObjectInfo));
  await page.getByText(`21–40 из ${totalcount}`).waitFor();
  await page.locator(".result-of-filters .answers > summary").click();
  const { name, bytes } = await saved(page, () => page.getByRole("button", { name: `CSV, строк: ${totalcount}` }).click());
  assert.match(name, /^contracts-\d{4}-\d\d-\d\d\.csv$/);
  assert.deepEqual(bytes, await fetchBytes(service, `/contract/search?${new URLSearchParams({ q: "ремонт", format: "csv", sort: "-contractPrice" })}`));
  await page.locator(".order > summary").click();
  await page.getByRole("link", { name: "Сначала дешёвые" }).click();
  await page.waitForURL((url) => url.hash.includes("sort=contractPrice") && !url.hash.includes("page"));
  await settled(page);
  await page.getByRole("link", { name: "Вперёд" }).click();
  await page.waitForURL((url) => url.hash.includes("page=2"));
  await close();
});

test("the purchases tab covers all laws and uses only its own filters; the others are kept for their tab", async () => {
  const { page, asked, close } = await onSearch({ q: "ремонт", fact: "overdue", law: "615", open: "false", tab: "purchases", priceFrom: "1000000" });
  assert.deepEqual(requests(asked, "/purchase/search")[0], { q: "ремонт", priceFrom: "1000000", law: "615", open: "false" });
  const { totalcount, purchases } = await api("/purchase/search", { q: "ремонт", law: "615", open: "false", priceFrom: "1000000", limit: "20" });
  assert.match(await title(page), new RegExp(`^«Ремонт»: ${totalcount} закуп`));
  assert.deepEqual(await rows(page).locator(".subject").evaluateAll((links) => links.map(({ hash }) => hash)), purchases.map(({ number }) => `#/purchase/${number}`));
  assert.match(await page.locator(".chip.idle").innerText(), /срок истёк/);
  await page.locator(".tabs a", { hasText: "Контракты" }).click();
  await page.waitForURL((url) => !url.hash.includes("tab="));
  await settled(page);
  assert.deepEqual(requests(asked, "/contract/search").at(-1), { q: "ремонт", priceFrom: "1000000", fact: "overdue" });
  assert.deepEqual((await page.locator(".chip.idle .words").allInnerTexts()).map(plain), ["ПП РФ № 615", "приём заявок окончен"]);
  await close();
});

test("without results, the page shows the filters and how many results there are without each", async () => {
  const query = { q: "постельное бельё бамбук", code: "13.92", region: "77", from: "2025-01-01" };
  const { page, close } = await onSearch(query);
  assert.equal(await title(page), "«Постельное бельё бамбук»: контрактов нет");
  const panel = page.locator(".empty-search");
  await panel.getByText("Искали контракты: в предмете или позициях есть все слова «постельное», «бельё», «бамбук», код 13.92, заказчик из региона Москва, заключены с 01.01.2025.").waitFor();
  const counted = async (changes) => (await api("/contract/search", Object.fromEntries(Object.entries({ q: query.q, code: "13.92", region: "77", signedFrom: "2025-01-01", limit: "0", ...changes }).filter(([, value]) => value)))).totalcount;
  const ways = {
    "без дат": { signedFrom: "" }, "без региона": { region: "" }, "без кода": { code: "" }, "без слова «постельное»": { q: "бельё бамбук" },
    "без слова «бельё»": { q: "постельное бамбук" }, "без слова «бамбук»": { q: "постельное бельё" },
  };
  const expected = [];
  for (const [words, changes] of Object.entries(ways)) {
    const count = await counted(changes);
    if (count) expected.push(`${words} ${count}`);
  }
  assert.ok(expected.length > 0 && expected.length < 6, expected.join());
  assert.deepEqual((await panel.locator(".loosen a").allInnerTexts()).map((text) => inLine(text).replace(/ контракт\S*$/, "")), expected);
  await panel.getByText(/^Не поможет и поиск без /).waitFor();
  await panel.getByRole("link", { name: /без слова «бамбук»/ }).click();
  await page.waitForURL(() => params(page).get("q") === "постельное бельё");
  await rows(page).first().waitFor();
  assert.equal(params(page).get("region"), "77");
  await page.goBack();
  await page.locator(".empty-search").getByRole("link", { name: "Искать организацию" }).click();
  await page.waitForURL(/#\/find\//);
  await close();
});

test("an entry without a day of inclusion marks every contract signed before its end", async () => {
  const { page, close } = await open(browser, service);
  await page.route("**/rnp/check-suppliers*", async (route) => {
    const response = await route.fetch();
    const answer = JSON.parse(await response.text());
    for (const one of answer.suppliers[0].entries) one.registrationDate = null;
    await route.fulfill({ response, json: answer });
  });
  await page.goto(`${service.url}/?lang=ru#/search?supplier=9602003485`);
  const marked = rows(page).filter({ hasText: "заключён с поставщиком из РНП" });
  await marked.first().waitFor();
  await settled(page);
  assert.equal(await marked.count(), await rows(page).count());
  await close();
});

test("errors say what to do: too broad, too many words, too few filters", async () => {
  const { page, close } = await open(browser, service, { expected: /status of 400/ });
  await page.route("**/contract/search?*code=46*", (route) => route.fulfill({ status: 400, json: { code: 400, error: "Слишком общий запрос." } }));
  const go = (query) => page.evaluate((text) => (location.hash = `#/search?${text}`), String(new URLSearchParams(query)));
  await go({ code: "46" });
  await page.getByRole("heading", { name: "Подходит больше миллиона контрактов" }).waitFor();
  await page.getByText("Добавьте условие: слово").waitFor();
  await go({ q: "а б в" });
  await page.getByRole("heading", { name: "Эти слова не подходят для поиска" }).waitFor();
  await go({ q: "один два три четыре пять шесть семь восемь девять десять одиннадцать" });
  await page.getByText("В запросе может быть от 1 до 10 слов").waitFor();
  await go({ fact: "penalties", tab: "purchases" });
  await page.getByRole("heading", { name: "Добавьте условие" }).waitFor();
  await page.getByText("Закупки ищутся по словам, коду ОКПД2, региону или заказчику").waitFor();
  await close();
});

test("new words in the header keep the filters; a number leaves the search", async () => {
  const { page, close } = await onSearch({ q: "бельё", code: "13.92", page: "2" });
  await page.locator("#search").fill("простыни");
  await page.locator("#search").press("Enter");
  await page.waitForURL(() => params(page).get("q") === "простыни" && params(page).get("code") === "13.92" && !params(page).has("page"));
  await page.locator("#search").fill("9602О00445");
  await page.locator("#search").press("Enter");
  await page.waitForURL(/#\/supplier\/9602000445$/);
  await close();
});

test("on a phone, chips are in one scrolling line, and menus stay in the window", async () => {
  const { page, close } = await onSearch({ q: "постельное бельё", code: "13.92" }, { width: 390 });
  const chips = page.locator(".of-search");
  assert.ok(await chips.evaluate((one) => one.scrollWidth > one.clientWidth && one.clientHeight < 60));
  const summary = page.locator(".of-search summary", { hasText: "Факты риска" });
  await summary.scrollIntoViewIfNeeded();
  await summary.click();
  const box = await page.locator(".of-search details[open] .menu-list").boundingBox();
  assert.ok(box.x >= 0 && box.x + box.width <= 390, JSON.stringify(box));
  const isWithin = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
  assert.ok(await isWithin());
  await page.evaluate(() => (location.hash = "#/search?q=постельное бельё&from=2014&priceFrom=5000000&stage=E,EC"));
  await page.locator(".empty-search").waitFor();
  assert.ok(await isWithin(), "chips reach beyond the edge");
  await close();
});

test("rows fit windows between phone and desktop, and dates leave room for prices", async () => {
  for (const [lang, width] of [["ru", 700], ["en", 700], ["en", 800], ["en", 1280]]) {
    const { page, close } = await onSearch({ q: "постельное бельё" }, { lang, width });
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${lang} ${width}`);
    const wide = await page.locator(".rows .date").evaluateAll((dates) =>
      dates.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent));
    assert.deepEqual(wide, [], `${lang} ${width}`);
    await close();
  }
});

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { parseJson } from "../../src/web/json.js";
import { readable } from "../../src/web/names.js";
import { fetchBytes, launch, menu, open, plain, saved, savedBoth, settled, shown } from "./browser.js";
import { serveDemo, serveSigned } from "./service.js";

const MANY = "9602000445";
const LISTED = "9602003485";
const BASE = `supplierINN=${MANY}&format=json`;

let browser, service;
before(async () => ([browser, service] = await Promise.all([launch(), serveDemo()])));

const rows = (page) => page.locator("tr.contract");

/** Expands a collapsed part, such as a filter, the field for another date, or the downloads. */
const unfold = (page, words) => page.locator("summary", { hasText: words }).filter({ visible: true }).first().click();

/** Chooses an option in the menu of a filter. */
async function choose(page, filter, option) {
  await unfold(page, filter);
  await page.locator(".menu[open] .options a", { hasText: option }).first().click();
}

/** Waits until the tally above the list shows this number of contracts. */
const tallied = (page, count) => page.locator(".tally", { hasText: new RegExp(`^\\s*${count}\\sиз\\s224\\s`) }).waitFor();

async function onSupplier(inn, options = {}, query = "") {
  const tab = await open(browser, options.service ?? service, { hash: `#/supplier/${inn}${query}`, ...options });
  await shown(tab.page);
  return tab;
}

test("an INN typed with spaces opens the supplier: name, verdict, totals, newest contracts", async () => {
  const { page, close } = await open(browser, service);
  await page.getByLabel("Название, ИНН, номер закупки или контракта").fill(" 9602 000 445 ");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: /Фармстрой-35/ }).waitFor();
  await settled(page);
  assert.match(page.url(), /#\/supplier\/9602000445$/);
  assert.match(await page.locator(".verdict h2").textContent(), /^Нет в РНП по данным на \d\d\.\d\d\.\d{4}$/);
  assert.match(await page.locator(".range").textContent(), /^1–20 из 224$/);
  assert.equal(await rows(page).count(), 20);
  const { contracts } = JSON.parse(await fetchBytes(service, `/contract/monitor-supplier44?${BASE}&limit=20`));
  assert.deepEqual(await rows(page).locator(".regNum").allTextContents(), contracts.map((contract) => contract.regNum));
  assert.match(plain(await page.locator("#updated").textContent()), /^Контракты и закупки обновлены \d\d\.\d\d\.\d{4}, \d\d:\d\d \(МСК\)$/);
  await close();
});

test("sums are abbreviated and amounts rounded to kopecks, with all digits in the tooltip", async () => {
  const { page, close } = await onSupplier(MANY);
  const text = (await fetchBytes(service, `/contract/summary-supplier44?${BASE}`)).toString();
  const stages = [...text.matchAll(/"contractStage":"(\w+)","count":\d+,"sum":(\d+)\.?(\d*)/g)];
  const kopecks = stages.filter(([, stage]) => stage !== "IN").map(([, , whole, part]) => BigInt(whole + part.padEnd(2, "0")));
  const total = String(kopecks.reduce((one, other) => one + other, 0n));
  const wanted = `${total.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, " ")},${total.slice(-2)} ₽`;
  const sum = page.locator(".figures-of [title]");
  assert.equal(plain(await sum.getAttribute("title")), wanted, "annulled contracts are not counted");
  assert.match(plain(await sum.textContent()), /^\d+(,\d)? млн ₽$/);
  const digits = await page.evaluate(async () => {
    const { briefIn, decimal, larger, readableRoubles, briefRoubles, roubles, shareOf, tenthsIn, thousandths, without } = await import(globalThis.asset("figures.js"));
    return {
      readable: ["128.94502841741", "12881608.33715825863", "0.004567", "0.999999", "0.10", "0.0", "5", "-1.005", "999.995", "keine"].map(readableRoubles),
      parts: [shareOf("1", "3"), shareOf("2", "3"), shareOf("1", "0"), without("10.05", ["3", "7"]), without("10", ["3", "7"])],
      units: [tenthsIn("12000000", 7), briefIn("12000000", 7), briefIn("99940000", 7), briefIn("128449999.99", 7)],
      shown: roubles("123456789012345678901234.567"),
      small: roubles("0.1"), no: decimal("keine"), rough: [briefRoubles("12894502.84"), briefRoubles("999"), briefRoubles("1950000000"), briefRoubles("774938.80"), briefRoubles("999950"), briefRoubles("1500000.00")],
      bar: [thousandths("0.1", "0.3"), thousandths("5", "0"), larger("90071992547409930.01", "90071992547409930.02"), larger("3", "0")],
    };
  });
  const kept = parseJson('{"a":123456789012345678901234.56,"b":"-1.5\\"2","c":[0.1,true,null,-7],"d":{"e":1e2}}');
  assert.equal(kept.a, "123456789012345678901234.56");
  assert.deepEqual(kept.c, ["0.1", true, null, "-7"]);
  assert.equal(plain(digits.shown), "123 456 789 012 345 678 901 234,567 ₽");
  assert.equal(plain(digits.small), "0,10 ₽");
  assert.equal(digits.no, "keine");
  assert.deepEqual(digits.readable.map(plain), [
    "128,95 ₽", "12 881 608,34 ₽", "0,00457 ₽", "1,00 ₽", "0,10 ₽", "0,00 ₽", "5,00 ₽", "\u22121,01 ₽", "1 000,00 ₽", "keine",
  ]);
  assert.deepEqual(digits.parts, ["33.3", "66.7", null, "0.05", null]);
  assert.deepEqual(digits.units, ["12,0", "12", "99,9", "128"]);
  assert.deepEqual(digits.rough.map(plain), ["12,9 млн ₽", "999,00 ₽", "2 млрд ₽", "774,9 тыс. ₽", "1 млн ₽", "1,5 млн ₽"]);
  assert.deepEqual(digits.bar, [333, 0, "90071992547409930.02", "3"]);
  await close();
});

test("paging, page size and last page, with back, forward and reload; a page past the end links back", async () => {
  const { page, close } = await onSupplier(MANY);
  await page.getByRole("link", { name: "Вперёд" }).click();
  await page.getByText("21–40 из 224", { exact: true }).waitFor();
  await page.getByRole("link", { name: "Последняя" }).click();
  await page.getByText("221–224 из 224", { exact: true }).waitFor();
  assert.match(page.url(), /page=12/);
  await page.goBack();
  await page.getByText("21–40 из 224", { exact: true }).waitFor();
  await page.goForward();
  await page.getByText("221–224 из 224", { exact: true }).waitFor();
  await page.reload();
  await page.getByText("221–224 из 224", { exact: true }).waitFor();
  await page.getByLabel("На странице").selectOption("200");
  await page.getByText("1–200 из 224", { exact: true }).waitFor();
  assert.equal(await rows(page).count(), 200);
  await page.goto(`${service.url}/?lang=ru#/supplier/${MANY}?page=999`);
  await page.getByRole("link", { name: "Назад" }).waitFor();
  assert.match(await page.locator(".range").textContent(), /всего контрактов 224/);
  await page.getByRole("link", { name: "Назад" }).click();
  await page.getByText("221–224 из 224", { exact: true }).waitFor();
  await close();
});

test("filters by stage, year and customer show the number of matches and are in the address", async () => {
  const { page, close } = await onSupplier(MANY);
  await choose(page, "Состояние", "исполнение прекращено");
  await page.waitForURL(/stage=ET/);
  await settled(page);
  assert.deepEqual([...new Set(await rows(page).locator(".stage").allTextContents())], ["исполнение прекращено"]);
  assert.equal(await page.evaluate(() => document.activeElement.dataset.stay), "stage-ET", "the chosen chip has the focus");
  await choose(page, "Год", "2019");
  await page.waitForURL(/year=2019/);
  await settled(page);
  const filter = "stage=ET&signedFrom=2019-01-01&signedTo=2019-12-31";
  const sums = JSON.parse(await fetchBytes(service, `/contract/summary-supplier44?${BASE}&${filter}`));
  await tallied(page, sums.totalcount);
  const [customer] = sums.customers;
  await unfold(page, "Заказчик");
  await page.locator(`.menu[open] a[href*="customer=${customer.customerInn}"]`).click();
  await page.waitForURL(/customer=/);
  await settled(page);
  await page.reload();
  await settled(page);
  await tallied(page, customer.count);
  await page.locator(".chip.chosen", { hasText: "2019" }).click();
  await page.waitForURL((url) => !url.hash.includes("year="));
  await settled(page);
  await page.locator(".filters").getByRole("link", { name: "Сбросить" }).click();
  await page.getByText("1–20 из 224", { exact: true }).waitFor();
  await close();
});

test("overdue contracts show their due date, and the filter matches the service's answer", async () => {
  const { page, close } = await onSupplier(MANY);
  await choose(page, "Факты риска", "срок истёк");
  await page.waitForURL(/fact=overdue/);
  await settled(page);
  const { totalcount } = JSON.parse(await fetchBytes(service, `/contract/monitor-supplier44?${BASE}&limit=0&overdue=true`));
  assert.ok(totalcount > 0);
  await tallied(page, totalcount);
  assert.ok(plain(await page.locator(".about").innerText()).includes(`из них у ${totalcount} срок истёк`));
  for (const badge of await rows(page).locator(".stage").allTextContents()) assert.match(badge, /^срок истёк \d\d\.\d\d\.\d{4}$/);
  await page.goto(`${service.url}/?lang=ru#/supplier/${MANY}?overdue=true`);
  await tallied(page, totalcount);
  await close();
});

test("the tab is in the address; for a listed supplier the first tab shows the entries", async () => {
  const { page, close } = await onSupplier(LISTED);
  await page.locator(".entry").first().waitFor();
  assert.ok(!(await rows(page).first().isVisible()));
  await page.getByRole("link", { name: /^Контракты по 44-ФЗ 3$/ }).click();
  await page.waitForURL(/tab=contracts$/);
  await rows(page).first().waitFor();
  await page.reload();
  await rows(page).first().waitFor();
  await page.getByRole("link", { name: "Источники" }).click();
  await page.getByText(/Обновлены \d\d\.\d\d\.\d{4}/).filter({ visible: true }).waitFor();
  assert.equal(await page.locator(".tabs [aria-current=page]").textContent(), "Источники ");
  await settled(page);
  await close();
});

test("a tab lists purchases won, page by page; if it fails to load, the rest still works", async () => {
  const { page, asked, close } = await onSupplier(MANY, { expected: /Failed to load resource/ });
  const tab = page.getByRole("link", { name: /^Закупки по 223-ФЗ и ПП № 615/ });
  assert.equal(await tab.textContent(), "Закупки по 223-ФЗ и ПП № 615 4");
  const last = (path) => asked.findLastIndex((url) => url.includes(path));
  assert.ok(last("/won-by-supplier") > last("/contract/"), "they are loaded last");
  const { purchases } = JSON.parse(await fetchBytes(service, `/purchase/won-by-supplier?${BASE}`));
  const won = page.locator("tr.won");
  assert.deepEqual(await won.locator("a.code").allTextContents(), purchases.map(({ purchaseNumber }) => purchaseNumber));
  await page.route("**/won-by-supplier*", (route) => route.abort());
  await page.goto("about:blank");
  await page.goto(`${service.url}/?lang=ru#/supplier/${MANY}?tab=purchases`);
  await page.locator("#tab-purchases .error").waitFor();
  await page.locator(".verdict h2").waitFor();
  await page.getByText("1–20 из 224", { exact: true }).waitFor({ state: "attached" });
  await page.route("**/won-by-supplier*", (route) => route.continue({ url: route.request().url().replace("limit=50", "limit=3") }));
  await page.locator("#tab-purchases").getByRole("button", { name: "Повторить" }).click();
  await page.getByRole("button", { name: "Показать ещё (осталось 1)" }).press("Enter");
  await won.nth(3).waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.textContent), purchases[3].purchaseNumber);
  assert.equal(await page.getByRole("button", { name: "Показать ещё" }).count(), 0);
  assert.ok(plain(await won.first().innerText()).includes("615"));
  await page.keyboard.press("Enter");
  await page.waitForURL(/#\/purchase\/029620004102200008$/);
  await settled(page);
  await close();
});

test("names are not in capitals, and the tooltip has the original", async () => {
  const { page, close } = await onSupplier(MANY);
  assert.equal(await page.locator("h1").textContent(), "ООО «Фармстрой-35»");
  assert.equal(await page.locator("h1").getAttribute("title"), 'ООО "ФАРМСТРОЙ-35"');
  await close();
  const read = [
    'ООО ЧОО "СТОРОЖЕВОЙ БЕРЕГ"', 'ФЕДЕРАЛЬНОЕ КАЗЁННОЕ УЧРЕЖДЕНИЕ "ИСПРАВИТЕЛЬНАЯ КОЛОНИЯ № 16"', "ФКУ ИК-6 УФСИН РОССИИ ПО ВЕРХНЕРЕЧЕНСКОЙ ОБЛАСТИ",
    "ИНДИВИДУАЛЬНЫЙ ПРЕДПРИНИМАТЕЛЬ ИВАНОВ ИВАН ИВАНОВИЧ", 'ООО "ТОРГОВЫЙ ДОМ "РОМАШКА"', "ПАО Сбербанк", "БИБЛИОТЕКА ИМ. А.С. ПУШКИНА", "<IMG SRC=X>", "",
  ].map(readable);
  assert.deepEqual(read, [
    "ООО ЧОО «Сторожевой берег»", "ФКУ «Исправительная колония № 16»", "ФКУ ИК-6 УФСИН России по Верхнереченской области",
    "ИП Иванов Иван Иванович", "ООО «Торговый дом „Ромашка“»", "ПАО Сбербанк", "Библиотека им. А.С. Пушкина", "<Img SRC=x>", "",
  ]);
});

test("clicking a heading sorts by it; a second click reverses the order", async () => {
  const { page, close } = await onSupplier(MANY);
  for (const [order, sort] of [["descending", "-contractPrice"], ["ascending", "contractPrice"]]) {
    await page.getByRole("columnheader", { name: "Цена" }).getByRole("link").click();
    await page.waitForURL((url) => url.hash.includes(`sort=${sort}`));
    await page.locator(`[aria-sort=${order}]`, { hasText: "Цена" }).waitFor();
    await settled(page);
    const { contracts } = JSON.parse(await fetchBytes(service, `/contract/monitor-supplier44?${BASE}&limit=20&sort=${sort}`));
    assert.deepEqual(await rows(page).locator(".regNum").allTextContents(), contracts.map((contract) => contract.regNum));
  }
  await close();
});

test("an opened contract shows all fields, with grounds of termination and claims in words", async () => {
  const { page, close } = await onSupplier("9602003742", {}, "?size=200");
  const number = "2960100143922000001";
  const row = rows(page).filter({ hasText: number });
  const opener = row.getByRole("button");
  await opener.focus();
  await page.keyboard.press("Enter");
  assert.equal(await opener.getAttribute("aria-expanded"), "true");
  const details = page.locator(`[id="${await opener.getAttribute("aria-controls")}"]`);
  const text = plain(await details.innerText());
  for (const part of ["по решению суда", "12 894 502,84 ₽", "64 472,51 ₽", "600 000,00 ₽", "12 881 608,34 ₽", "30 %", "Бюджет Верхнереченской области", "да", "221960100143996010100100010014211243", "14.10.2022"]) {
    assert.ok(text.includes(part), `${part} in\n${text}`);
  }
  assert.ok((await details.locator("[title]").evaluateAll((all) => all.map((one) => one.title))).map(plain).includes("12 881 608,33715825863 ₽"), "the exact amount");
  await details.getByText("Извещение о закупке не загружено.").waitFor();
  const official = details.getByRole("link", { name: "Официальная страница" });
  assert.match(await official.getAttribute("href"), /^https:\/\/zakupki\.gov\.ru\/epz\/order\/notice\/printForm\/view\.html\?regNumber=\d{19}$/);
  await details.getByRole("link", { name: "Только этот заказчик" }).click();
  await page.waitForURL(/customer=9601001439/);
  await settled(page);
  await close();
});

test("the verdict has a text and entries, and depends on the chosen date", async () => {
  const { page, close } = await onSupplier(LISTED);
  assert.match(await page.locator(".verdict h2").textContent(), /^В РНП: действуют 3 записи по данным на \d\d\.\d\d\.\d{4}$/);
  assert.equal(await page.locator(".entry").count(), 5);
  assert.equal(await page.getByText("Победитель уклонился от заключения контракта", { exact: true }).getAttribute("title"), "WINNER_DEVIATION");
  await unfold(page, "Проверить на другую дату");
  await page.getByLabel("По состоянию на").fill("2024-03-01");
  await page.waitForURL(/asOf=2024-03-01/);
  await page.locator(".entry").nth(1).waitFor({ state: "detached" });
  assert.equal(await page.locator(".entry").count(), 1);
  await page.reload();
  await settled(page);
  assert.equal(await page.locator(".entry").count(), 1);
  await page.getByRole("link", { name: "вернуться к сегодняшнему дню" }).click();
  await page.locator(".entry").nth(2).waitFor();
  await close();
});

test("an invalid date is reported, and the verdict keeps its date", async () => {
  const { page, close } = await onSupplier(LISTED, {}, "?asOf=2024-03-01");
  const field = page.getByLabel("По состоянию на");
  await field.fill("1990-01-01");
  await page.getByText(/Такой даты нет.*Показано заключение на 01\.03\.2024\./).waitFor();
  assert.equal(await field.getAttribute("aria-invalid"), "true");
  assert.match(await page.locator(".verdict h2").textContent(), /^01\.03\.2024 был в РНП/);
  await field.fill("2024-03-01");
  await page.locator("#as-of-said").waitFor({ state: "hidden" });
  await field.focus();
  await page.keyboard.press("Backspace");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.getByText(/Такой даты нет/).waitFor();
  assert.match(page.url(), /asOf=2024-03-01/);
  await close();
});

test("clicking a column or a bar in a chart filters by it, and the focus goes to a sensible place", async () => {
  const { page, close } = await onSupplier(MANY);
  const focus = () => page.evaluate(() => document.activeElement.dataset.stay ?? document.activeElement.id);
  const years = page.locator(".columns a");
  const many = await years.count();
  const year = await years.nth(3).locator(".label").textContent();
  await years.nth(3).press("Enter");
  await page.waitForURL(new RegExp(`year=${year}$`));
  await settled(page);
  assert.equal(await focus(), `year-${year}`);
  assert.equal(await years.count(), many, "the chart keeps the other years");
  await page.locator(".columns [aria-current=true]").click();
  await page.getByText("1–20 из 224", { exact: true }).waitFor();
  await page.locator(".chart.shares li a").first().click();
  await page.waitForURL(/customer=\d+$/);
  await settled(page);
  await page.locator(".filters").getByRole("link", { name: "Сбросить" }).press("Enter");
  await page.getByText("1–20 из 224", { exact: true }).waitFor();
  assert.equal(await focus(), "contracts-title");
  await page.getByRole("link", { name: "Вперёд" }).press("Enter");
  await page.getByText("21–40 из 224", { exact: true }).waitFor();
  await settled(page);
  assert.equal(await focus(), "contracts-title");
  assert.ok(await page.locator("#contracts-title").evaluate((title) => title.getBoundingClientRect().top >= 0 && title.getBoundingClientRect().top < 200), "the top of the table is visible");
  await close();
});

test("a mistyped INN is reported as such", async () => {
  const { page, close } = await onSupplier("7707083894");
  assert.equal(await page.locator(".verdict h2").textContent(), "Похоже, в ИНН опечатка");
  await close();
});

test("saved answers have the service's bytes; tables have all matching contracts, and the button shows their number", async () => {
  const { page, close } = await onSupplier(MANY, {}, "?stage=EC&page=2&sort=contractPrice");
  const bar = await menu(page.locator(".contracts"));
  for (const format of ["xml", "json", "csv"]) {
    const { name, bytes } = await saved(page, () => bar.getByRole("button", { name: format.toUpperCase() }).click());
    const part = format === "csv" ? "" : "&skip=20&limit=20";
    assert.match(name, new RegExp(`^contracts-${MANY}-EC-${part && "skip_20-"}\\d{4}-\\d\\d-\\d\\d\\.${format}$`));
    const path = `/contract/monitor-supplier44?supplierINN=${MANY}&format=${format}${part}&stage=EC&sort=contractPrice`;
    const wanted = await fetchBytes(service, path);
    assert.ok(wanted.length > 1000);
    assert.ok(bytes.equals(wanted), format);
  }
  const excel = bar.getByRole("button", { name: /^Excel/ });
  assert.equal(await excel.textContent(), `Excel (XLSX), строк: ${plain(await page.locator(".tally").textContent()).split(" ")[0]}`);
  assert.match((await saved(page, () => excel.click())).name, new RegExp(`^contracts-${MANY}-EC-\\d{4}-\\d\\d-\\d\\d\\.xlsx$`));
  await page.getByRole("link", { name: /^Записи РНП/ }).click();
  const verdict = await menu(page.locator("#tab-entries"));
  const { bytes } = await saved(page, () => verdict.getByRole("button", { name: "CSV" }).click());
  assert.ok(bytes.equals(await fetchBytes(service, `/rnp/check-suppliers?supplierINN=${MANY}&format=csv&history=1`)));
  await close();
});

test("the curl command has the request without the key; an answer can be copied and opened", async () => {
  const { page, close } = await onSupplier(LISTED);
  const bar = await menu(page.locator("#tab-entries"));
  await bar.getByRole("button", { name: "curl" }).click();
  await page.getByText("Команда curl скопирована").first().waitFor();
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  assert.equal(await clipboard(), `curl -H "X-API-Key: $KEY" '${service.url}/rnp/check-suppliers?supplierINN=${LISTED}&format=json&history=1'`);
  await bar.getByLabel("Что сделать с результатом").selectOption("copy");
  await bar.getByRole("button", { name: "JSON" }).click();
  await page.getByText("Результат скопирован").first().waitFor();
  assert.equal(await clipboard(), (await fetchBytes(service, `/rnp/check-suppliers?supplierINN=${LISTED}&format=json&history=1`)).toString());
  await bar.getByLabel("Что сделать с результатом").selectOption("open");
  const [popup] = await Promise.all([page.context().waitForEvent("page"), bar.getByRole("button", { name: "XML" }).click()]);
  assert.match(popup.url(), /^blob:/);
  await close();
});

test("if the server signs, a receipt is saved with the answer, and `verify` accepts it", async () => {
  const unsigned = await onSupplier(MANY);
  assert.equal(await unsigned.page.getByRole("button", { name: "Ответ с подписью сервера" }).count(), 0);
  await unsigned.close();
  const signer = await serveSigned();
  const { page, close } = await onSupplier(MANY, { service: signer });
  const bar = await menu(page.locator(".contracts"));
  const files = await savedBoth(page, () => bar.getByRole("button", { name: "Ответ с подписью сервера" }).click());
  const answer = files.get(`contracts-${MANY}-DAY.xml`);
  assert.ok(answer.equals(await fetchBytes(service, `/contract/monitor-supplier44?supplierINN=${MANY}&format=xml&skip=0&limit=20`)));
  const receipt = files.get(`contracts-${MANY}-DAY.receipt.txt`).toString().trim();
  assert.match(receipt, /^v2; /);
  assert.match(signer.verify(receipt, answer), /, with answer$/m);
  await close();
  await signer.stop();
});

test("keyboard only: from the home page to an opened contract", async () => {
  const { page, close } = await open(browser, service);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.locator("h1").click();
  await page.keyboard.press("/");
  assert.equal(await page.evaluate(() => document.activeElement.id), "search");
  await page.keyboard.type(MANY);
  await page.keyboard.press("Enter");
  await page.locator("tr.contract").first().waitFor();
  await settled(page);
  assert.equal(await page.evaluate(() => document.activeElement.tagName), "H1", "the heading of the view has the focus");
  const seen = [];
  for (let step = 0; step < 90 && seen.at(-1) !== "opener"; step += 1) {
    await page.keyboard.press("Tab");
    const [name, ring] = await page.evaluate(() => {
      const { activeElement: now } = document;
      const style = getComputedStyle(now);
      return [now.className || now.name || now.tagName, style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2];
    });
    assert.ok(ring, `a focus that shows on ${name}`);
    seen.push(name);
  }
  assert.equal(seen.at(-1), "opener");
  await page.keyboard.press("Space");
  await page.locator(".details").first().waitFor();
  await close();
});

test("a filter without matches shows a message", async () => {
  const { page, close } = await onSupplier("9602003012", {}, "?stage=IN");
  await page.locator(".empty", { hasText: "Под эти фильтры не подходит ни один контракт" }).waitFor();
  await close();
});

test("price and date filters are in the address; invalid input is reported", async () => {
  const { page, close } = await onSupplier(MANY);
  const field = (label) => page.locator(".menu[open] .bounds").getByLabel(label);
  const said = page.locator(".menu[open] .said");
  const apply = () => page.locator(".menu[open]").getByRole("button", { name: "Применить" }).click();
  const tryWrong = async (label, value, words) => {
    await field(label).fill(value);
    await apply();
    await said.filter({ hasText: words }).waitFor();
    assert.equal(await field(label).getAttribute("aria-invalid"), "true");
  };
  await unfold(page, "Цена");
  await tryWrong("Цена от", "много", /Введите сумму/);
  await tryWrong("Цена от", "-5", /Введите сумму/);
  await field("Цена от").fill("100 000,50");
  await tryWrong("Цена до", "100 000,49", /Верхняя граница цены меньше нижней/);
  await field("Цена до").fill("1500000 ₽");
  await apply();
  await page.waitForURL(/priceFrom=100000\.50&priceTo=1500000$/);
  await settled(page);
  assert.equal(plain(await page.locator(".chip.chosen .words").textContent()), "100 000,50 ₽ – 1 500 000 ₽");
  await unfold(page, "Год");
  await tryWrong("Заключён с", "1980-01-01", /Такой даты нет/);
  await field("Заключён с").fill("2020-03-01");
  await tryWrong("Заключён по", "2019-03-01", /Последний день раньше первого/);
  await field("Заключён по").fill("2024-02-29");
  await apply();
  await page.waitForURL(/signedFrom=2020-03-01&signedTo=2024-02-29&priceFrom=100000\.50&priceTo=1500000$/);
  await settled(page);
  const filter = "signedFrom=2020-03-01&signedTo=2024-02-29&priceFrom=100000.50&priceTo=1500000";
  const { totalcount } = JSON.parse(await fetchBytes(service, `/contract/summary-supplier44?${BASE}&${filter}`));
  assert.ok(totalcount > 0 && totalcount < 224);
  await tallied(page, totalcount);
  await page.locator(".filters").getByRole("link", { name: "Сбросить" }).click();
  await page.getByText("1–20 из 224", { exact: true }).waitFor();
  await close();
});

test("going back from a customer restores scroll position and open row; so do forward and reload", async () => {
  const { page, close } = await onSupplier(MANY, {}, "?size=100");
  const opener = page.locator(".opener").nth(60);
  await opener.click();
  const row = page.locator("tr.more:not([hidden])");
  await row.getByRole("link", { name: "Официальная страница" }).waitFor();
  const number = await rows(page).nth(60).locator(".regNum").textContent();
  const customer = rows(page).nth(60).locator("td.customerName a");
  await customer.scrollIntoViewIfNeeded();
  const before = await page.evaluate(() => scrollY);
  assert.ok(before > 2000, `${before}`);
  const returned = async () => {
    await rows(page).nth(99).waitFor();
    await settled(page);
    await page.waitForFunction((y) => Math.abs(scrollY - y) < 4, before);
    assert.equal(await row.count(), 1);
    assert.ok((await row.innerText()).includes(number));
  };
  await customer.click();
  await page.waitForURL(/#\/customer\//);
  await page.getByText("Заказчик", { exact: true }).first().waitFor();
  await page.goBack();
  await returned();
  assert.equal(await page.evaluate(() => document.activeElement.dataset.stay), `row-${number}`);
  await page.goForward();
  await page.waitForURL(/#\/customer\//);
  await page.goBack();
  await returned();
  await page.reload();
  await returned();
  await opener.click();
  await page.reload();
  await rows(page).nth(99).waitFor();
  await settled(page);
  assert.equal(await row.count(), 0, "a closed row stays closed");
  await close();
});

test("an address with a contract number opens its row on the right page", async () => {
  const all = JSON.parse(await fetchBytes(service, `/contract/monitor-supplier44?${BASE}&limit=200&skip=24`)).contracts;
  const { regNum } = all.at(-3);
  const { page, close } = await onSupplier(MANY, {}, `?contract=${regNum}`);
  const row = page.locator("tr.contract", { hasText: regNum });
  await row.waitFor();
  assert.match(page.url(), /page=12/);
  await page.locator("tr.more:not([hidden])", { hasText: regNum }).waitFor();
  assert.ok(await row.evaluate((one) => one.getBoundingClientRect().top >= 0 && one.getBoundingClientRect().bottom <= innerHeight));
  assert.equal(await page.evaluate(() => document.activeElement.dataset.stay), `row-${regNum}`);
  await page.getByRole("link", { name: "Назад", exact: true }).click();
  await page.waitForURL((url) => !url.hash.includes("contract="));
  await settled(page);
  // Report more contracts than the page is willing to search for one number.
  const more = (route) => route.fetch().then(async (response) => route.fulfill({ response, body: (await response.text()).replace(/"totalcount":\d+/, '"totalcount":2001') }));
  await page.route("**/contract/**", more);
  await page.goto("about:blank");
  await page.goto(`${service.url}/?lang=ru#/supplier/${MANY}?contract=1234567890123456780`);
  await page.getByText("Контракт № 1234567890123456780 среди 2 000 самых новых контрактов этого поставщика не найден. Более ранние можно найти по году или заказчику.").waitFor();
  await page.unroute("**/contract/**", more);
  await page.goto("about:blank");
  await page.goto(`${service.url}/?lang=ru#/supplier/${MANY}?contract=1234567890123456789`);
  await page.getByText("Контракт № 1234567890123456789 среди контрактов этого поставщика не найден.").waitFor();
  await close();
});

test("compact mode nearly halves row heights and is remembered; headings stay in view", async () => {
  const { page, close } = await onSupplier(MANY);
  const height = () => page.evaluate(() => document.querySelector(".contract-table tbody").getBoundingClientRect().height);
  const before = await height();
  await page.getByRole("button", { name: "Компактно" }).click();
  assert.ok((await height()) < before * 0.62, `${await height()} of ${before}`);
  const each = await rows(page).evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height));
  assert.ok(Math.max(...each) <= 36, each.join(" "));
  await page.reload();
  await settled(page);
  assert.equal(await page.getByRole("button", { name: "Компактно" }).getAttribute("aria-pressed"), "true");
  assert.ok(Math.max(...(await rows(page).evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height)))) <= 36);
  await page.locator("#tab-contracts .pager").scrollIntoViewIfNeeded();
  const head = await page.locator(".contract-table > thead th").first().boundingBox();
  assert.ok(head.y >= 0 && head.y < 5, `the head at ${head.y}`);
  await page.getByRole("button", { name: "Компактно" }).click();
  assert.equal(await page.evaluate(() => localStorage.getItem("compact")), null);
  await close();
});

test("a click anywhere on a row opens or closes it; links in it still work", async () => {
  const { page, close } = await onSupplier(MANY);
  const [row, opener] = [rows(page).nth(2), rows(page).nth(2).locator(".opener")];
  for (const cell of [".purchaseObjectInfo", ".contractPrice"]) {
    await row.locator(cell).click();
    assert.equal(await opener.getAttribute("aria-expanded"), "true", cell);
    await row.locator(cell).click();
    assert.equal(await opener.getAttribute("aria-expanded"), "false", cell);
  }
  await opener.click();
  assert.equal(await opener.getAttribute("aria-expanded"), "true");
  await row.locator(".customerName a").click();
  await page.waitForURL(/#\/customer\//);
  await settled(page);
  await close();
});

test("an opened contract shows items with names, units and unit prices, or codes and sums if these fail to load", async () => {
  const { page, close } = await onSupplier("9680265216", { expected: /Failed to load resource/ });
  const { items } = JSON.parse(await fetchBytes(service, "/contract/prices?supplierINN=9680265216&code=13&format=json&limit=1"));
  const [item] = items;
  await page.goto(`${service.url}/?lang=ru#/supplier/9680265216?contract=${item.regNum}`);
  const table = page.locator("tr.more:not([hidden]) .items");
  await table.getByText(item.name, { exact: true }).waitFor();
  const text = plain(await table.innerText());
  const [whole, part] = String(item.price).split(".");
  const price = `${whole.replace(/\B(?=(\d{3})+$)/g, " ")},${(part ?? "").padEnd(2, "0")} ₽`;
  for (const part of [item.okeiName, price, item.code]) assert.ok(text.includes(part), `${part} in ${text}`);
  await page.route("**/contract/prices*", async (route) => {
    const response = await route.fetch();
    const answer = JSON.parse(await response.text());
    for (const one of answer.items) Object.assign(one, { okei: "055", okeiName: null });
    await route.fulfill({ response, json: answer });
  });
  await page.goto("about:blank");
  await page.goto(`${service.url}/?lang=ru#/supplier/9680265216?contract=${item.regNum}`);
  await table.getByText("м²").first().waitFor();
  await page.unroute("**/contract/prices*");
  await page.route("**/contract/prices*", (route) => route.abort());
  await page.goto("about:blank");
  await page.goto(`${service.url}/?lang=ru#/supplier/9680265216?contract=${item.regNum}`);
  await page.getByText("Названия и цены позиций загрузить не удалось.").waitFor();
  assert.ok(plain(await table.innerText()).includes(item.code));
  await page.unroute("**/contract/prices*");
  await page.locator("tr.more:not([hidden])").getByRole("button", { name: "Повторить" }).click();
  await table.getByText(item.name, { exact: true }).waitFor();
  await close();
});

test("each part shows a loading message", async () => {
  const { page, close } = await open(browser, service);
  let go;
  const held = new Promise((resolve) => (go = resolve));
  await page.route(/\/(contract|purchase)\//, (route) => held.then(() => route.continue()));
  for (const view of [`supplier/${MANY}`, "customer/9608197580"]) {
    await page.goto(`${service.url}/?lang=ru#/${view}`);
    await page.locator("#tab-contracts .loading", { hasText: "Загружаем…" }).first().waitFor();
    assert.ok(await page.locator("#tab-contracts .loading").first().isVisible(), view);
    for (const tab of await page.locator(".tabs a").all()) {
      await tab.click();
      await page.waitForFunction(() => document.querySelector(".tab:not(.away)")?.textContent.length > 0);
    }
  }
  go();
  await settled(page);
  await close();
});

test("on a phone, all years are visible, tabs are in one line, and the date label does not touch its field", async () => {
  const { page, close } = await onSupplier(MANY, { width: 390, height: 844 }, "?asOf=2026-03-15&tab=contracts");
  const years = page.locator(".columns li");
  const all = JSON.parse(await fetchBytes(service, `/contract/summary-supplier44?${BASE}`)).years.length;
  assert.equal(await years.count(), all);
  for (const box of await Promise.all((await years.all()).map((one) => one.boundingBox()))) assert.ok(box.x >= 0 && box.x + box.width <= 390);
  const tops = await page.locator(".tabs a").evaluateAll((links) => links.map((one) => one.getBoundingClientRect().top));
  assert.equal(new Set(tops).size, 1, tops.join(" "));
  const current = await page.locator(".tabs [aria-current]").boundingBox();
  assert.ok(current.x >= 0 && current.x + current.width <= 390);
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    const [label, field] = await Promise.all([".as-of > label", "#as-of"].map((one) => page.locator(one).boundingBox()));
    assert.ok(field.y - (label.y + label.height) >= 3, `${width}`);
  }
  await close();
});

test("a risk fact on a supplier's card links to its contracts and their record", async () => {
  const { page, close } = await onSupplier("9602003742");
  await page.locator(".risks").getByRole("link", { name: "Требование по гарантии" }).click();
  await page.waitForURL(/fact=guaranteeClaims/);
  await settled(page);
  assert.deepEqual(await rows(page).locator(".regNum").allTextContents(), ["2960100143922000001"]);
  const marks = await rows(page).locator(".mark").allTextContents();
  assert.deepEqual(marks.map(plain), ["по решению суда", "неустойка 64 472,51 ₽", "требование по гарантии"]);
  await page.getByRole("link", { name: "Справка о проверке" }).click();
  await page.locator(".evidence").waitFor();
  assert.match(plain(await page.locator(".evidence").innerText()), /требование по гарантии/);
  await close();
});

test("customers beyond the first ten can be found in the menu", async () => {
  const { customers } = JSON.parse(await fetchBytes(service, `/contract/summary-supplier44?${BASE}&top=10000`));
  assert.ok(customers.length > 10);
  const last = customers.at(-1);
  const { page, close } = await onSupplier(MANY);
  await unfold(page, "Заказчик");
  await page.locator(".menu[open] .options li").nth(customers.length - 1).waitFor();
  await page.locator(".menu[open] input").fill(last.customerInn);
  assert.equal(await page.locator(".menu[open] .options li").count(), 1);
  await page.locator(`.menu[open] .options a[href*="customer=${last.customerInn}"]`).press("Enter");
  await page.waitForURL(new RegExp(`customer=${last.customerInn}$`));
  await settled(page);
  await tallied(page, last.count);
  assert.equal(await page.locator(".chip.chosen .words").textContent(), readable(last.customerName));
  await close();
});

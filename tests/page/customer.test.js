// The customer view: summary and list of contracts, suppliers, purchases.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { fetchBytes, launch, open, plain, saved, settled } from "./browser.js";
import { serveDemo } from "./service.js";

const CUSTOMER = "9608197580";
const BASE = `customerINN=${CUSTOMER}&format=json`;

let browser, service;
before(async () => ([browser, service] = await Promise.all([launch(), serveDemo("--rnp-rate", "0")])));

const rows = (page) => page.locator("tr.contract");

async function onCustomer(query = "") {
  const tab = await open(browser, service, { hash: `#/customer/${CUSTOMER}${query}` });
  await rows(tab.page).first().waitFor();
  await settled(tab.page);
  return tab;
}

test("shows name, figures, and contracts with suppliers, newest first", async () => {
  const { page, close } = await onCustomer();
  const { customerName, totalcount, contracts } = JSON.parse(await fetchBytes(service, `/contract/monitor-customer44?${BASE}&limit=20`));
  assert.ok(totalcount > 20);
  assert.equal(await page.locator("h1").getAttribute("title"), customerName);
  assert.ok((await page.locator(".meta").textContent()).includes(String(totalcount)));
  assert.deepEqual(await rows(page).locator(".regNum").allTextContents(), contracts.map((contract) => contract.regNum));
  const names = await rows(page).locator("td.supplierName a").evaluateAll((all) => all.map((one) => one.title || one.textContent));
  assert.deepEqual(names, contracts.map((contract) => contract.supplierName));
  const links = await rows(page).locator("td.supplierName a").evaluateAll((all) => all.map((one) => one.hash));
  assert.deepEqual(links, contracts.map(({ supplierINN, regNum }) => `#/supplier/${supplierINN}?contract=${regNum}`));
  await close();
});

test("looking up a customer's INN as a supplier links to the customer's contracts", async () => {
  const { page, close } = await open(browser, service, { hash: `#/supplier/${CUSTOMER}` });
  await settled(page);
  const { totalcount } = JSON.parse(await fetchBytes(service, `/contract/monitor-customer44?${BASE}&limit=0`));
  await page.getByRole("link", { name: `Контракты в качестве заказчика: ${totalcount}`, exact: true }).click();
  await rows(page).first().waitFor();
  assert.equal(new URL(page.url()).hash, `#/customer/${CUSTOMER}`);
  await page.goto(`${service.url}/?lang=ru#/supplier/7707083893`);
  await settled(page);
  assert.equal(await page.getByRole("link", { name: /в качестве заказчика/ }).count(), 0);
  await close();
});

test("filters, order and pages match the service's answers", async () => {
  const { page, close } = await onCustomer("?stage=EC&sort=contractPrice");
  const query = `${BASE}&skip=0&limit=20&stage=EC&sort=contractPrice`;
  const { totalcount, contracts } = JSON.parse(await fetchBytes(service, `/contract/monitor-customer44?${query}`));
  assert.deepEqual(await rows(page).locator(".regNum").allTextContents(), contracts.map((contract) => contract.regNum));
  assert.match(await page.locator(".range").textContent(), new RegExp(`из ${totalcount}$`));
  await page.getByRole("link", { name: "Вперёд" }).click();
  await page.waitForURL((url) => url.hash.startsWith(`#/customer/${CUSTOMER}?`) && url.hash.includes("page=2"));
  await page.getByText(new RegExp(`^21–\\d+ из ${totalcount}$`)).waitFor();
  await page.locator(".filters").getByRole("link", { name: "Сбросить" }).click();
  await page.waitForURL((url) => !url.hash.includes("stage"));
  await settled(page);
  await close();
});

test("contracts, purchase cards and registry entries link to the customer", async () => {
  for (const [hash, place] of [
    ["#/supplier/9602000445", "tr.contract td.customerName a"], ["#/purchase/0296200014323000112", ".tiles a"], ["#/supplier/9602003485", ".entry a"],
  ]) {
    const { page, close } = await open(browser, service, { hash });
    await page.locator(place).first().click();
    await page.waitForURL(/#\/customer\/\d+$/);
    await page.getByText("Заказчик", { exact: true }).first().waitFor();
    await settled(page);
    await close();
  }
});

test("an INN of no customer: a message says that there are no contracts", async () => {
  const { page, close } = await open(browser, service, { hash: "#/customer/7707083893" });
  await page.locator(".empty", { hasText: "Контрактов этого заказчика по 44-ФЗ в загруженных данных нет" }).waitFor();
  await close();
});

const summary = async (query = "", top = 10_000) =>
  JSON.parse(await fetchBytes(service, `/contract/summary?customerInn=${CUSTOMER}&format=json&top=${top}${query}`));

test("the summary has sum, contracts, suppliers and years, and suppliers with shares that add up to 100 % and RNP marks", async () => {
  const { page, close } = await onCustomer();
  const { totalcount, suppliers, suppliersCount, years } = await summary();
  const figures = plain(await page.locator(".figures-of").innerText());
  assert.match(figures, new RegExp(`млн ₽\\s+${totalcount} контракт\\S* по 44-ФЗ\\s+${suppliersCount} поставщик\\S*\\s+${years.at(-1).year}–${years[0].year}`));
  const rows = page.locator(".shares li");
  assert.equal(await rows.count(), 6);
  const shares = (await rows.locator(".share").allTextContents()).map((text) => Number(plain(text).replace(" %", "").replace(",", ".")));
  assert.deepEqual(shares.slice(0, 5), suppliers.slice(0, 5).map(({ share }) => share));
  assert.ok(Math.abs(shares.reduce((sum, one) => sum + one, 0) - 100) < 0.4, shares.join(" "));
  assert.equal(suppliersCount, 6);
  assert.equal(plain(await rows.last().locator(".whom").innerText()), `прочие, ${suppliersCount - 5} поставщик`);
  const inns = suppliers.slice(0, 5).map(({ inn }) => inn);
  const verdicts = JSON.parse(await fetchBytes(service, `/rnp/check-suppliers?supplierINN=${inns}&format=json`)).suppliers.map(({ verdict }) => verdict);
  await rows.locator(".mark-of").nth(4).waitFor();
  for (const [at, verdict] of verdicts.entries()) assert.ok((await rows.nth(at).locator(".mark-of").getAttribute("class")).includes(verdict), `${at}`);
  await close();
});

test("risk facts have the service's counts and filter the contracts; rows are marked with their facts", async () => {
  const { facts } = await summary();
  assert.ok(facts.length > 3);
  const { page, close } = await onCustomer();
  const table = page.locator(".risks tbody tr");
  assert.deepEqual((await table.locator("strong").allTextContents()).map(Number), facts.map(({ count }) => count));
  for (const { fact, count } of facts.slice(0, 3)) {
    await page.locator(`.risks [data-stay="fact-${fact}"]`).click();
    await page.waitForURL((url) => url.hash.includes(`fact=${fact}`));
    await settled(page);
    assert.match(plain(await page.locator(".tally").textContent()), new RegExp(`^${count} из `));
    assert.equal(await rows(page).count(), Math.min(count, 20));
    assert.equal(await rows(page).filter({ has: page.locator(".mark") }).count(), Math.min(count, 20), fact);
    assert.equal(await table.count(), facts.length, "the other facts stay");
    await page.locator(`.risks [data-stay="fact-${fact}"]`).click();
    await page.waitForURL((url) => !url.hash.includes("fact="));
    await settled(page);
  }
  await close();
});

test("a supplier can be found in the menu and filters the list; the file contains only those contracts", async () => {
  const { suppliers } = await summary();
  const last = suppliers.at(-1);
  const { page, close } = await onCustomer();
  await page.locator(".chips summary", { hasText: "Поставщик" }).click();
  await page.locator(".menu[open] input").fill(last.inn.slice(0, 9));
  await page.locator(`.menu[open] .options a[href*="supplier=${last.inn}"]`).click();
  await page.waitForURL(new RegExp(`supplier=${last.inn}$`));
  await settled(page);
  assert.match(plain(await page.locator(".tally").textContent()), new RegExp(`^${last.count} из `));
  await page.locator(".result-of-filters .answers summary").first().click();
  const { name, bytes } = await saved(page, () => page.getByRole("button", { name: /^CSV/ }).first().click());
  assert.match(name, new RegExp(`^contracts-${CUSTOMER}-.*\\.csv$`));
  assert.ok(bytes.equals(await fetchBytes(service, `/contract/search?customerInn=${CUSTOMER}&format=csv&supplierINN=${last.inn}`)));
  await close();
});

test("a tab lists all suppliers; it can be searched, with the search in the address, and saved as a file", async () => {
  const { suppliers } = await summary();
  const { page, close } = await onCustomer();
  await page.getByRole("link", { name: /^Все \d+$/ }).click();
  await page.waitForURL(/tab=suppliers/);
  const table = page.locator("#tab-suppliers tbody tr");
  await table.first().waitFor();
  await settled(page);
  assert.equal(await table.count(), Math.min(suppliers.length, 50));
  assert.deepEqual((await table.locator("td:nth-child(3)").allTextContents()).map(Number), suppliers.slice(0, 50).map(({ count }) => count));
  const [first] = suppliers;
  await page.locator("#tab-suppliers input").fill(first.inn);
  await page.waitForFunction(() => document.querySelectorAll("#tab-suppliers tbody tr").length === 1);
  assert.match(new URL(page.url()).hash, new RegExp(`who=${first.inn}`));
  await page.reload();
  await table.first().waitFor();
  await settled(page);
  assert.equal(await table.count(), 1);
  await page.locator("#tab-suppliers .answers summary").first().click();
  const { bytes } = await saved(page, () => page.locator("#tab-suppliers").getByRole("button", { name: "CSV" }).click());
  assert.ok(bytes.equals(await fetchBytes(service, `/contract/summary?customerInn=${CUSTOMER}&format=csv&top=10000`)));
  await table.first().locator("td:nth-child(3) a").click();
  await page.waitForURL(new RegExp(`supplier=${first.inn}`));
  await settled(page);
  assert.ok(await rows(page).first().isVisible());
  await close();
});

test("a tab lists purchases under all laws with their winners, newest first", async () => {
  const buyer = "9640265210";
  const { page, close } = await open(browser, service, { hash: `#/customer/${buyer}?tab=purchases` });
  const { totalcount, purchases } = JSON.parse(await fetchBytes(service, `/purchase/search?customerInn=${buyer}&format=json&limit=50`));
  assert.ok(totalcount > 0);
  const links = page.locator("tr.bought a.code");
  await links.first().waitFor();
  assert.deepEqual(await links.allTextContents(), purchases.map(({ number }) => number));
  await settled(page);
  assert.equal(plain(await page.locator(".tabs [aria-current]").textContent()), `Закупки ${totalcount}`);
  await close();
});

// A customer's contracts: the same table as a supplier's, with the supplier first.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { direct, launch, open, settled } from "./browser.js";
import { demo } from "./service.js";

const CUSTOMER = "9608197580";
const BASE = `customerINN=${CUSTOMER}&format=json`;

let browser, service;
before(async () => ([browser, service] = await Promise.all([launch(), demo("--rnp-rate", "0")])));

const rows = (page) => page.locator("tr.contract");

async function onCustomer(query = "") {
  const tab = await open(browser, service, { hash: `#/customer/${CUSTOMER}${query}` });
  await rows(tab.page).first().waitFor();
  await settled(tab.page);
  return tab;
}

test("name, count and contracts, newest first, each with its supplier first", async () => {
  const { page, close } = await onCustomer();
  const { customerName, totalcount, contracts } = JSON.parse(await direct(service, `/contract/monitor-customer44?${BASE}&limit=20`));
  assert.ok(totalcount > 20);
  assert.equal(await page.locator("h1").getAttribute("title"), customerName);
  assert.ok((await page.locator(".meta").textContent()).includes(String(totalcount)));
  assert.deepEqual(await rows(page).locator(".regNum").allTextContents(), contracts.map((contract) => contract.regNum));
  const names = await rows(page).locator("td:first-child a").evaluateAll((all) => all.map((one) => one.title || one.textContent));
  assert.deepEqual(names, contracts.map((contract) => contract.supplierName));
  const links = await rows(page).locator("td:first-child a").evaluateAll((all) => all.map((one) => one.hash));
  assert.deepEqual(links, contracts.map(({ supplierINN, regNum }) => `#/supplier/${supplierINN}?contract=${regNum}`));
  await close();
});

test("a customer's INN that was looked up as a supplier's leads to the customer's contracts", async () => {
  const { page, close } = await open(browser, service, { hash: `#/supplier/${CUSTOMER}` });
  await settled(page);
  const { totalcount } = JSON.parse(await direct(service, `/contract/monitor-customer44?${BASE}&limit=0`));
  await page.getByRole("link", { name: `Контракты в качестве заказчика: ${totalcount}`, exact: true }).click();
  await rows(page).first().waitFor();
  assert.equal(new URL(page.url()).hash, `#/customer/${CUSTOMER}`);
  await page.goto(`${service.url}/?lang=ru#/supplier/7707083893`);
  await settled(page);
  assert.equal(await page.getByRole("link", { name: /в качестве заказчика/ }).count(), 0);
  await close();
});

test("filters, order and pages are the service's", async () => {
  const { page, close } = await onCustomer("?stage=EC&sort=contractPrice");
  const query = `${BASE}&skip=0&limit=20&stage=EC&sort=contractPrice`;
  const { totalcount, contracts } = JSON.parse(await direct(service, `/contract/monitor-customer44?${query}`));
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

test("a customer is linked from contracts, cards and entries of the registry", async () => {
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

test("an INN that no customer has: no contracts, in plain words", async () => {
  const { page, close } = await open(browser, service, { hash: "#/customer/7707083893" });
  await page.locator(".empty", { hasText: "Контрактов этого заказчика по 44-ФЗ в загруженных данных нет" }).waitFor();
  await close();
});

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { launch, open, settled } from "./browser.js";
import { serveDemo, serveDocuments } from "./service.js";

const PURCHASE = "0396300012425000311";
const CONTRACT = "3960100124525000311";
const SUPPLIER = "9602010010";
const DOCUMENTS = ["contract.xml", "contractProcedure.xml", "epNotificationEF2020.xml", "unfairSupplier2022.xml"];

let browser, documents, demonstration;
before(async () => ([browser, documents, demonstration] = await Promise.all([launch(), serveDocuments(DOCUMENTS), serveDemo()])));

/** Opens the list of sources in `place` and returns its rows as strings. */
async function rows(place) {
  await place.locator(".sources > summary").click();
  await place.locator(".source-list li").first().waitFor();
  return place.locator(".source-list li").allInnerTexts();
}

const ofDocuments = (asked) => asked.filter((url) => url.includes("/documents?"));

test("a contract lists its source documents, which are loaded when they are opened", async () => {
  const { page, asked, close } = await open(browser, documents, { hash: `#/supplier/${SUPPLIER}?contract=${CONTRACT}` });
  const details = page.locator(".details").first();
  await details.locator(".sources").waitFor();
  await settled(page);
  assert.equal(ofDocuments(asked).length, 0, "nothing is loaded before");
  const shown = await rows(details);
  assert.match(shown[0], /epNotificationEF2020.*№.0396300012425000311.*МСК.*PRIZ/s);
  assert.ok(shown.some((row) => /^contract\s.*RGK/s.test(row)), shown.join("\n"));
  const links = await details.locator(".source-list a").evaluateAll((all) => all.map((one) => one.href));
  assert.ok(links.includes(`https://zakupki.gov.ru/epz/order/notice/ea20/view/common-info.html?regNumber=${PURCHASE}`), links.join("\n"));
  assert.ok(links.includes(`https://zakupki.gov.ru/epz/contract/contractCard/common-info.html?reestrNumber=${CONTRACT}`), links.join("\n"));
  await details.locator(".sources > summary").click();
  await details.locator(".sources > summary").click();
  assert.equal(ofDocuments(asked).length, 1, "once");
  await close();
});

test("a purchase card and a registry entry list their source documents, also in English", async () => {
  const card = await open(browser, documents, { hash: `#/purchase/${PURCHASE}`, lang: "en" });
  await card.page.locator(".tiles").waitFor();
  const shown = await rows(card.page.locator("main"));
  assert.match(shown[0], /epNotificationEF2020.*Moscow/s);
  await card.close();
  const found = await (await fetch(`${documents.url}/find?q=${encodeURIComponent("25961140")}&format=json`, { headers: { "X-API-Key": documents.key } })).json();
  const entry = await open(browser, documents, { hash: `#/supplier/${found.hits[0].supplierINN}` });
  await entry.page.locator(".entry").first().waitFor();
  const [row] = await rows(entry.page.locator(".entry").first());
  assert.match(row, /unfairSupplier2022.*25961140.*версия 1.*20\.11\.2025, 15:00/s);
  await entry.close();
});

test("records imported as JSON Lines say so, and invented numbers are not linked to the official site", async () => {
  const { page, close } = await open(browser, demonstration, { hash: "#/purchase/0296200014323000112" });
  await page.locator(".tiles").waitFor();
  const [row] = await rows(page.locator("main"));
  assert.match(row, /Загружено строкой JSON/);
  assert.equal(await page.locator(".source-list a").count(), 0);
  await close();
});

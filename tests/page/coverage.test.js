// The table of imported documents: shown at the foot of the page if the data has any, and beside a
// verdict if a registry is incomplete.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, test } from "node:test";
import { findings, launch, open, plain, settled, shown } from "./browser.js";
import { serveDemo, serveLines } from "./service.js";

const REGIONS = readFileSync(new URL("../../data/regions.tsv", import.meta.url), "utf8").trim().split("\n").slice(1).map((row) => row.split("\t")[0]);
const CLEAN = "9602003012";
const LISTED = "9602003485";
const ALL = REGIONS.length;

const contract = `{"type":"contract","supplier":{"inn":"${CLEAN}","name":"ООО"},"contract":{"regNum":"1","signDate":"2025-01-01"}}\n`;
const entry = `{"type":"rnpEntry","supplier":{"inn":"${LISTED}","name":"АО"},"entry":{"registrationNumber":"1","registrationDate":"2024-01-01","federalLaw":"44"}}\n`;
const complete = (law) => `{"type":"registry","federalLaw":"${law}","completeAsOf":"2026-11-20"}\n`;
const run = (subsystem, documents, region, from, to) => `{"type":"coverage","subsystem":"${subsystem}","documents":"${documents}","region":"${region}","from":"2026-${from}","to":"2026-${to}"}\n`;

/**
 * Contracts in two regions, one of which starts later and lacks a document type for some days;
 * purchases of one type in all regions.
 */
const LINES = [
  contract,
  entry,
  run("RGK", "contract", "77", "11-01", "11-20"),
  run("RGK", "contractCancel", "77", "11-01", "11-03"),
  run("RGK", "contractCancel", "77", "11-08", "11-20"),
  run("RGK", "contract", "50", "11-05", "11-20"),
  run("RGK", "contractCancel", "50", "11-05", "11-20"),
  ...REGIONS.map((region) => run("PRIZ", "epNotificationEF2020", region, "11-20", "11-20")),
  ...REGIONS.slice(0, 8).map((region) => run("RD223", "contract", region, "11-19", "11-20")),
  run("NEXT", "something", "99", "11-19", "11-20"),
  run("RNP", "unfairSupplier2022", "77", "11-01", "11-20"),
  run("RNP", "unfairSupplier2022", "50", "11-01", "11-20"),
].join("");

/**
 * The message if most regions lack documents from the very first day of the period that a complete
 * registry has to cover.
 */
const MISSING = "Чтобы РНП по 44-ФЗ был загружен полностью на 20.11.2026, не хватает документов за 1 131 день. Первый пропуск: 17.10.2023, Республика Адыгея (01), unfairSupplier2022.";

let browser, service;
before(async () => ([browser, service] = await Promise.all([launch(), serveLines(LINES)])));

async function onPage(service, options) {
  const tab = await open(browser, service, options);
  await shown(tab.page);
  await settled(tab.page);
  return tab;
}

/** Returns the rows of the table as strings, with the parts of each cell expanded. */
const rowsOf = (page) =>
  page.locator("#coverage tbody tr").evaluateAll((rows) => rows.map((row) => [...row.cells].map((cell) => {
    cell.querySelectorAll("details").forEach((details) => (details.open = true));
    return cell.innerText.replace(/[\u2009\u202f\u00a0]/g, " ").replace(/\n+/g, " ");
  })));

/** Returns the text beside the verdict on `inn`. */
async function verdictOf({ lang = "ru", inn = CLEAN } = {}) {
  const { page, close } = await onPage(service, { hash: `#/supplier/${inn}`, lang });
  const verdict = page.locator(".verdict");
  const [words, means] = [await verdict.locator("h2").textContent(), plain((await verdict.locator(".words p").allTextContents()).join(" "))];
  await close();
  return { words, means };
}

test("without coverage data, nothing is shown or requested", async () => {
  const { page, asked, close } = await onPage(await serveDemo(), { hash: `#/supplier/${CLEAN}` });
  assert.equal(await page.locator("#footer details").count(), 0);
  assert.deepEqual(asked.filter((url) => /about\.json|regions\.tsv/.test(url)), []);
  await close();
});

test("the table is folded and shows regions, days and gaps of each register", async () => {
  const { page, close } = await onPage(service, {});
  const details = page.locator("#footer > details");
  assert.equal(await details.evaluate((one) => one.open), false);
  const top = () => page.locator("#footer > p").evaluate((one) => one.getBoundingClientRect().top + scrollY);
  const before = await top();
  await page.locator("#footer > details > summary").click();
  await page.locator("#coverage table").waitFor();
  assert.ok((await top()) > before);
  assert.deepEqual(await rowsOf(page), [
    ["Контракты, 44-ФЗ", `2 из ${ALL}: Московская область, Москва`, "01.11.2026 – 20.11.2026", "2 пропуска 01.11.2026 – 04.11.2026: Московская область 04.11.2026 – 07.11.2026: Москва (contractCancel)"],
    ["Закупки, 44-ФЗ", `${ALL} из ${ALL}`, "20.11.2026", "нет"],
    ["Закупки, 223-ФЗ", `8 из ${ALL} Республика Адыгея, Республика Башкортостан, Республика Бурятия, Республика Алтай, Республика Дагестан, Республика Ингушетия, Кабардино-Балкарская Республика, Республика Калмыкия`, "19.11.2026 – 20.11.2026", "нет"],
    ["РНП, 44-ФЗ", `2 из ${ALL}: Московская область, Москва`, "01.11.2026 – 20.11.2026", "нет"],
    ["NEXT", `1 из ${ALL}: Байконур`, "19.11.2026 – 20.11.2026", "нет"],
  ]);
  assert.equal(plain(await page.locator("#coverage > p").last().innerText()), MISSING);
  await page.locator(".settings select").selectOption("en");
  await page.getByText("Contracts, 44-FZ").waitFor();
  assert.equal(await details.evaluate((one) => one.open), true, "the table stays open when the language changes");
  const [first] = await rowsOf(page);
  assert.deepEqual(first, ["Contracts, 44-FZ", `2 of ${ALL}: Moscow Oblast, Moscow`, "1 November 2026 – 20 November 2026", "2 gaps 1 November 2026 – 4 November 2026: Moscow Oblast 4 November 2026 – 7 November 2026: Moscow (contractCancel)"]);
  await close();
});

test("the table is printed, fits narrow screens, and has no serious findings by axe", async () => {
  for (const [width, dark] of [[320, false], [768, true], [1280, false]]) {
    const { page, close } = await onPage(service, { width, dark });
    await page.locator("#footer > details > summary").click();
    for (const details of await page.locator("#coverage details").all()) await details.locator("summary").click();
    const ends = await page.locator("#coverage :is(p, td, td *)").evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right));
    assert.ok(Math.max(...ends) <= width, `${width}: ${Math.max(...ends)}`);
    const heights = await page.locator("#footer summary").evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
    assert.ok(heights.every((height) => height >= 43.5), heights.join(" "));
    assert.deepEqual((await findings(page)).filter((line) => /^(serious|critical)/.test(line)), [], `${width}`);
    await close();
  }
  const { page, close } = await onPage(service, {});
  await page.emulateMedia({ media: "print" });
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  assert.ok(await page.locator("#coverage table").isVisible());
  assert.ok(await page.getByText("Московская область").first().isVisible());
  await close();
});

test("a verdict from an incomplete registry shows which documents are missing", async () => {
  const { words, means } = await verdictOf();
  assert.equal(words, "Неизвестно: РНП загружен не полностью");
  assert.ok(means.endsWith(MISSING), means);
  const english = await verdictOf({ lang: "en" });
  assert.match(english.means, /For a complete RNP under Law 44-FZ as of 20 November 2026, documents for 1,131 days are missing\. First gap: 17 October 2023, Republic of Adygea \(01\), unfairSupplier2022\.$/);
  const listed = await verdictOf({ inn: LISTED });
  assert.doesNotMatch(listed.means, /полного РНП/);
  const { page, close } = await onPage(service, { hash: `#/batch?inn=${CLEAN},${LISTED}` });
  await page.locator(".verdicts").waitFor();
  assert.ok(plain(await page.locator(".results > .aside").first().textContent()).includes(MISSING));
  await close();
});

test("a verdict is shown even if coverage cannot be loaded", async () => {
  const { page, close } = await open(browser, service, { expected: /Failed to load resource/ });
  await page.route("**/about.json", (route) => route.abort());
  await page.reload();
  await page.goto(`${service.url}/?lang=ru#/supplier/${CLEAN}`);
  await shown(page);
  assert.equal(await page.locator(".verdict h2").textContent(), "Неизвестно: РНП загружен не полностью");
  assert.doesNotMatch(await page.locator(".verdict").textContent(), /полного РНП/);
  await page.locator("#footer > details > summary").click();
  await page.getByText("Нет связи с сервером").waitFor();
  await page.unroute("**/about.json");
  await page.locator("#footer > details > summary").click();
  await page.locator("#footer > details > summary").click();
  await page.locator("#coverage table").waitFor();
  await close();
});

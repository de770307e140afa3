// Unit prices: statistics, chart, table, chosen prices, and the price calculation with its
// workbook.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { before, test } from "node:test";
import * as statistics from "../../src/web/statistics.js";
import { fetchBytes, findings, inLine, launch, open, pagesOf, plain, saved, settled } from "./browser.js";
import { launchFirefox, openFirefox } from "./firefox.js";
import { serveDemo, serveLines } from "./service.js";
import { openView } from "./views.js";

const WORDS = "постельное";
const SEARCH = `?q=${encodeURIComponent(WORDS)}&tab=prices`;
/** The keys of four prices in the demonstration data. */
const PICK = "2980129725426000023_1474.13,2980129725426000022_1101.97,2964026521025000066_1801.33,2967856594223000017_1413.93";
const SHEET = `#/price-sheet?q=${encodeURIComponent(WORDS)}&pick=${PICK}&quantity=250`;
const RESULTS = { count: "4", mean: "1447.84", deviation: "286.60", variation: "19.80", price: "361960.00" };

let browser, service;
before(async () => ([browser, service] = await Promise.all([launch(), serveDemo("--rnp-rate", "0")])));

const hash = (page) => decodeURIComponent(new URL(page.url()).hash);
const rows = (page) => page.locator(".price-items tbody tr");
const boxes = (page) => page.locator(".price-items tbody input");
/** Requests the service and returns the response with numbers as strings. */
const answer = async (query) =>
  JSON.parse((await fetchBytes(service, `/contract/prices?format=json&${query}`)).toString().replace(/:(-?\d[\d.]*)/g, ':"$1"'));
const asked = (limit) => `q=${encodeURIComponent(WORDS)}&limit=${limit}`;
const ofUnit = async (okei) => (await answer(asked(200))).items.filter((item) => item.okei === okei);

async function onPrices(query = SEARCH, options = {}) {
  const tab = await open(browser, service, { hash: `#/search${query}`, ...options });
  await tab.page.locator(".units").waitFor();
  await settled(tab.page);
  return tab;
}

test("statistics of random prices equal the service's, to the last digit", async () => {
  for (const words of ["постельное", "бумага", "белье", "перчатки", "шприц"]) {
    const { units, items } = await answer(`q=${encodeURIComponent(words)}&limit=200`);
    assert.ok(units.length > 1, words);
    for (const unit of units) {
      const prices = items.filter(({ okei }) => okei === unit.okei).map(({ price }) => price);
      const found = statistics.statisticsOf(prices);
      const same = (one, other) => assert.equal(statistics.compare(one, other), 0, `${words}, ${unit.okeiName}: ${one}, ${other}`);
      assert.equal(String(found.count), unit.count);
      same(found.mean, unit.mean);
      if (unit.variation === null) assert.equal(found.variation, "");
      else same(found.variation, unit.variation);
    }
  }
});

test("arithmetic is exact where floating point is not", () => {
  const { statisticsOf, times, toKopecks, percentAbove, homogeneity, marksBetween, isOutOfLine } = statistics;
  assert.deepEqual(statisticsOf(["1840", "1912.30", "1798", "1875.4", "1862.5"]), {
    count: 5, sum: "9288.20", mean: "1857.64", squares: "7194.85", deviation: "42.41", variation: "2.28",
  });
  // As a floating-point number, 1.005 is slightly less, and 0.1 + 0.2 is more than 0.3.
  assert.equal(times("1.005", "1"), "1.01");
  assert.equal(statisticsOf(["0.1", "0.2", "0.3"]).mean, "0.20");
  assert.equal(statisticsOf(["99999999999999999.01", "99999999999999999.03"]).mean, "99999999999999999.02");
  assert.equal(toKopecks("59.380761172221"), "59.38");
  assert.equal(toKopecks("0.004"), "0.004", "prices are never rounded to 0");
  assert.equal(percentAbove("1495", "1745.8"), "-14");
  assert.deepEqual(["", "33.00", "33.01"].map(homogeneity), ["single", "homogeneous", "heterogeneous"]);
  assert.deepEqual(marksBetween("0.004", "0.02", 5), ["0", "0.005", "0.01", "0.015", "0.02"]);
  assert.deepEqual(marksBetween("1495.50", "3180", 5), ["1000", "1500", "2000", "2500", "3000", "3500"]);
  assert.equal(isOutOfLine("250", { quartile1: "100", quartile3: "160" }), false);
  assert.equal(isOutOfLine("250.01", { quartile1: "100", quartile3: "160" }), true);
});

test("each unit of measure has statistics; the chosen unit is in the address, and back returns", async () => {
  const { page, close } = await onPrices();
  const { units, totalcount } = await answer(asked(0));
  assert.equal(inLine(await page.locator("h1").textContent()), "«Постельное»: медиана 1 244,56 ₽ за компл.");
  assert.match(inLine(await page.locator(".figures-of").textContent()), new RegExp(`${totalcount} цен из контрактов`));
  const counts = await page.locator(".units td.count").evaluateAll((cells) => cells.map((cell) => cell.firstChild.textContent));
  assert.deepEqual(counts, units.map(({ count }) => count));
  const shown = (await page.locator(".units tbody tr").first().locator("td.number").allTextContents()).map((text) => plain(text).replace(" цен", ""));
  assert.deepEqual(shown, ["18", "647,06", "899,94", "1 244,56", "1 801,33", "2 123,08", "1 318,58", "36,25 %"]);
  assert.deepEqual(await page.locator(".units .word").allTextContents(), ["неоднородны", "неоднородны", "неоднородны", "одна цена"]);
  await page.locator(".units a", { hasText: "упак." }).click();
  await page.waitForURL(/unit=778/);
  await settled(page);
  assert.match(inLine(await page.locator("h1").textContent()), /медиана 5 166,55 ₽ за упак\./);
  assert.equal(await rows(page).count(), 8);
  await page.goBack();
  await settled(page);
  assert.equal(await rows(page).count(), 18);
  await page.goto(`${service.url}/?lang=ru#/search?code=13.92.12.110-00000033&tab=prices`);
  await page.locator("h1", { hasText: /^КТРУ 13\.92\.12\.110-00000033: медиана/ }).waitFor();
  await close();
});

test("points in the chart open their contracts, by mouse and by keyboard", async () => {
  const { page, close } = await onPrices();
  const items = await ofUnit("839");
  const points = page.locator(".plot a");
  assert.equal(await points.count(), items.length);
  const links = await points.evaluateAll((all) => all.map((one) => one.getAttribute("href")));
  const expected = items.map(({ supplierINN, regNum }) => `#/supplier/${supplierINN}?contract=${regNum}&tab=contracts`).reverse();
  assert.deepEqual(links, expected, "from left to right");
  // The higher the price, the higher the point.
  const heights = await points.evaluateAll((all) => all.map((one) => Number(one.querySelector("circle").getAttribute("cy"))));
  const byPrice = items.map(({ price }) => Number(price)).reverse().map((price, at) => [price, heights[at]]).sort(([one], [other]) => one - other);
  assert.deepEqual(byPrice.map(([, height]) => height), heights.toSorted((one, other) => other - one));
  await page.locator(".units a").last().focus();
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute("href")), expected.at(-1), "the newest point");
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.closest(".plot")), null, "one stop");
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowRight");
  assert.match(inLine(await page.locator(".point-words").textContent()), /01\.04\.2026 · 2 123,08 ₽ за компл\. · 28 компл\. · ГБПОУ/);
  await page.keyboard.press("Enter");
  await page.locator("tr.more:not([hidden])").first().waitFor();
  assert.ok(hash(page).startsWith(expected.at(-2)));
  await page.goBack();
  await page.locator(".units").waitFor();
  await settled(page);
  await page.locator(".plot a").first().click();
  await page.locator("tr.more:not([hidden])").first().waitFor();
  assert.ok(hash(page).startsWith(expected[0]));
  await close();
});

test("an extreme price does not squeeze the others in the chart", async () => {
  const { page, close } = await onPrices(`?q=${encodeURIComponent("белье")}&tab=prices`);
  assert.equal(await page.locator(".plot path.dot").count(), 1);
  assert.match(plain(await page.locator(".plot svg").textContent()), /80 670, всего 0,992 кг/);
  const heights = await page.locator(".plot circle.dot").evaluateAll((all) => all.map((one) => Number(one.getAttribute("cy"))));
  assert.ok(Math.max(...heights) - Math.min(...heights) > 80);
  await close();
});

test("selecting prices: statistics, prices still needed, address, and reload", async () => {
  const { page, close } = await onPrices();
  const button = page.locator(".take .button");
  assert.equal(await button.getAttribute("aria-disabled"), "true");
  assert.match(await button.textContent(), /Выберите ещё 3 цены/);
  for (const at of [0, 2, 4, 7]) {
    await boxes(page).nth(at).click();
    await settled(page);
    assert.equal(await page.evaluate(() => document.activeElement.type), "checkbox", "the focus stays");
    if (at === 2) assert.match(await button.textContent(), /Выберите ещё 1 цену/);
  }
  assert.equal(new URLSearchParams(hash(page).split("?")[1]).get("pick"), PICK);
  const said = inLine(await page.locator(".take dl").textContent());
  assert.match(said, /4 из 18.*1 447,84 ₽.*19,80 %.*однородны/);
  assert.equal(await page.locator(".plot a.on").count(), 4);
  await page.locator("#status", { hasText: "Выбрано 4 из 18" }).waitFor({ state: "attached" });
  await page.locator("[name=quantity]").fill("0");
  await page.keyboard.press("Tab");
  assert.match(await page.locator("#quantity-said").textContent(), /больше нуля/);
  await page.locator("[name=quantity]").fill("1 250,5");
  await page.keyboard.press("Tab");
  await page.waitForURL(/quantity=1250.5/);
  await page.locator(".take .button", { hasText: "1\u202f810" }).waitFor();
  assert.equal(inLine(await button.textContent()), "Расчёт цены: 1 810 523,92 ₽");
  await page.reload();
  await page.locator(".take.on").waitFor();
  assert.equal(await page.locator(".price-items tbody input:checked").count(), 4);
  // A click on a row toggles its checkbox without adding a history entry.
  await rows(page).nth(7).locator(".quantity").click();
  await page.waitForFunction(() => document.querySelectorAll(".price-items tbody input:checked").length === 3);
  await page.locator(".tabs a").first().click();
  await page.waitForURL(/#\/search\?q=[^&]*(?!.*tab=)/);
  await settled(page);
  await page.locator(".tabs a").last().click();
  await page.locator(".take.on").waitFor();
  assert.equal(await page.locator(".price-items tbody input:checked").count(), 3, "the selection is restored with the tab");
  await close();
});

test("order, pages, and prices selected on other pages", async () => {
  const { page, close } = await onPrices(`?q=${encodeURIComponent("белье")}&tab=prices`);
  const prices = async () => (await rows(page).locator(".price").allTextContents()).map((text) => Number(plain(text).replace(/ /g, "").replace(",", ".")));
  await page.locator(".price-items thead input").click();
  await settled(page);
  assert.match(inLine(await page.locator(".take dl").textContent()), /20 из 25/);
  await page.locator(".pager a", { hasText: "Вперёд" }).click();
  await page.waitForURL(/page=2/);
  await settled(page);
  assert.equal(await rows(page).count(), 5);
  assert.equal(await page.locator(".price-items thead input").isChecked(), false);
  assert.equal(await page.evaluate(() => document.activeElement.localName), "h2");
  await page.locator(".col-price a").click();
  await page.waitForURL(/sort=-price/);
  await settled(page);
  const dearest = await prices();
  assert.deepEqual(dearest, dearest.toSorted((one, other) => other - one));
  assert.equal(dearest[0], 80670);
  assert.match(inLine(await page.locator(".take dl").textContent()), /20 из 25/);
  await page.goto(`${service.url}/?lang=ru#/search${SEARCH}&pick=1_2,${PICK}`);
  await page.locator(".prices .aside", { hasText: "1 выбранная цена по этим условиям не найдена" }).waitFor();
  assert.match(inLine(await page.locator(".take dl").textContent()), /4 из 18/);
  await close();
});

test("without words or a code, and without matches, the tab says what to do", async () => {
  const { page, close } = await open(browser, service, { hash: "#/search?region=77&tab=prices" });
  await settled(page);
  assert.match(await page.locator(".panel").textContent(), /слова или код/);
  await page.goto(`${service.url}/?lang=ru#/search?q=${encodeURIComponent(`${WORDS} трактор`)}&tab=prices`);
  await page.locator(".loosen a").first().waitFor();
  assert.match(await page.locator(".loosen").textContent(), /38 цен/);
  await close();
});

test("the record states the basis of its calculation and prints on one page", async () => {
  const { page, close } = await open(browser, service, { hash: SHEET });
  await page.locator(".price-sheet").waitFor();
  const sheet = inLine(await page.locator(".price-sheet").textContent());
  for (const words of [
    "250 компл.", "1 447,84 ₽", "286,60 ₽", "19,80 %", "√(246 422,29 / 3)", "250 × 1 447,84 ₽", "361 960,00 ₽", "не больше 33 %",
    "4 из 18 цен за компл.", "«постельное»", "медиана 1 244,56 ₽, вариация 36,25 %", "выбрал составитель расчёта", "исполнен – 3",
  ]) assert.ok(sheet.includes(words), words);
  const numbers = await page.locator(".of-sources .code").allTextContents();
  assert.deepEqual(numbers, PICK.split(",").map((one) => one.split("_")[0]));
  assert.equal(await pagesOf(page), 1);
  await page.locator("[name=object]").fill("Комплект постельного белья");
  await page.keyboard.press("Tab");
  await page.waitForURL(/object=/);
  await page.locator(".about td", { hasText: "Комплект постельного белья" }).waitFor();
  await page.locator(".evidence-actions a").click();
  await page.locator(".take.on").waitFor();
  assert.equal(await page.locator(".price-items tbody input:checked").count(), 4);
  await page.goto(`${service.url}/?lang=ru${SHEET.replace(/,2964.*?&/, "&")}`);
  await page.locator(".panel").waitFor();
  assert.match(await page.locator(".panel").textContent(), /не меньше трёх цен/);
  await close();
});

test("a warning about widely different prices is on the record and in the workbook", async () => {
  const pick = (await ofUnit("839")).filter((_, at) => [1, 3, 11].includes(at)).map(({ regNum, price }) => `${regNum}_${price}`);
  const { page, close } = await open(browser, service, { hash: `#/price-sheet?q=${encodeURIComponent(WORDS)}&pick=${pick}`, lang: "en" });
  await page.locator(".price-sheet").waitFor();
  assert.match(await page.locator(".price-sheet").textContent(), /above 33%: the prices are heterogeneous/);
  await close();
});

/**
 * Returns the cells of a workbook by reference, after LibreOffice has recalculated them. With
 * `strip`, first removes the stored values from the workbook.
 */
function calculated(folder, bytes, strip) {
  const name = strip ? "stripped" : "as-is";
  writeFileSync(join(folder, `${name}.xlsx`), bytes);
  if (strip) {
    const script = "import re,sys,zipfile\nwith zipfile.ZipFile(sys.argv[1]) as z: parts={n:z.read(n) for n in z.namelist()}\nassert b'<f>' in parts['xl/worksheets/sheet1.xml']\nwith zipfile.ZipFile(sys.argv[1],'w') as z:\n for n,b in parts.items(): z.writestr(n,re.sub(rb'(</f>)<v>[^<]*</v>',rb'\\1',b))";
    assert.equal(spawnSync("python3", ["-c", script, join(folder, `${name}.xlsx`)]).status, 0);
  }
  const filter = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,false,false";
  const done = spawnSync("soffice", [`-env:UserInstallation=file://${folder}/profile`, "--headless", "--convert-to", filter, "--outdir", folder, join(folder, `${name}.xlsx`)]);
  assert.equal(done.status, 0, String(done.stderr));
  return readFileSync(join(folder, `${name}.csv`), "utf8");
}

test("formulas in the workbook give the values that are stored next to them", async (context) => {
  const { page, close } = await open(browser, service, { hash: SHEET });
  await page.locator(".price-sheet").waitFor();
  const { name, bytes } = await saved(page, () => page.getByRole("button", { name: "Excel с формулами" }).click());
  assert.match(name, /^price-calculation-\d{4}-\d\d-\d\d\.xlsx$/);
  const xml = bytes.toString();
  const formulas = [...xml.matchAll(/<c r="(\w+)"[^>]*><f>([^<]*)<\/f><v>([^<]*)<\/v>/g)].map(([, place, formula, value]) => [place, formula, value]);
  assert.deepEqual(formulas.filter(([place]) => place.startsWith("C")), [
    ["C14", "COUNT(H9:H12)", RESULTS.count],
    ["C15", "ROUND(AVERAGE(H9:H12),2)", RESULTS.mean],
    ["C16", "ROUND(STDEV(H9:H12),2)", RESULTS.deviation],
    ["C17", "ROUND(STDEV(H9:H12)/AVERAGE(H9:H12)*100,2)", RESULTS.variation],
    ["C18", 'IF(C17&lt;=C6,"однородны","неоднородны")', "однородны"],
    ["C19", "ROUND(C15*C5,2)", RESULTS.price],
  ]);
  assert.deepEqual(formulas.filter(([place]) => place.startsWith("I")).map(([, , value]) => value), ["2", "-24", "24", "-2"]);
  assert.ok(xml.includes('<c r="H9" s="8"><v>1474.13</v></c>'), "prices keep all digits");
  await close();
  if (spawnSync("soffice", ["--version"]).error) {
    assert.ok(!process.env.CI, "LibreOffice is not installed");
    return context.skip("no LibreOffice (soffice) here");
  }
  const folder = mkdtempSync(join(tmpdir(), "page-prices-"));
  try {
    const own = calculated(folder, bytes, false);
    assert.match(own, /361960\b/);
    assert.equal(calculated(folder, bytes, true), own);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return undefined;
});

test("markup in documents is shown as text on the record and in the workbook", async () => {
  const contract = (at) => ({
    type: "contract", supplier: { inn: "9602000445", name: "<b>ООО</b>" },
    contract: {
      regNum: `296020004452600000${at}`, signDate: `2026-0${at}-01`, contractStage: "EC", contractPrice: "1000", customerInn: "9601001245",
      customerName: "=1+1", purchaseObjectInfo: "товар",
      products: [{ code: "13.92.12.110", sum: "100", name: `=HYPERLINK("x") <img src=x> ${at}`, okei: "796", okeiName: "Штука", quantity: "10", price: `10.00${at}` }],
    },
  });
  const own = await serveLines([1, 2, 3].map((at) => JSON.stringify(contract(at))).join("\n"));
  const pick = [1, 2, 3].map((at) => `296020004452600000${at}_10.00${at}`);
  const { page, close } = await open(browser, own, { hash: `#/price-sheet?code=13.92&pick=${pick}` });
  await page.locator(".price-sheet").waitFor();
  assert.equal(await page.locator(".of-sources tbody tr").count(), 3);
  assert.match(await page.locator(".price-sheet").textContent(), /<img src=x>/);
  const { bytes } = await saved(page, () => page.getByRole("button", { name: "Excel с формулами" }).click());
  const formulas = [...bytes.toString().matchAll(/<f>([^<]*)</g)].map(([, formula]) => formula);
  assert.ok(formulas.every((formula) => /^(?:ROUND|COUNT|IF)\(/.test(formula)), formulas.join());
  await close();
});

for (const [lang, dark, width] of [["ru", false, 390], ["en", true, 390], ["en", false, 1280], ["ru", true, 1280]]) {
  test(`axe finds nothing, and nothing is too wide or too small: ${lang}, ${dark ? "dark" : "light"}, ${width} pixels`, async () => {
    for (const [view, place] of [[`#/search${SEARCH}`, ".units"], [`#/search${SEARCH}&pick=${PICK}`, ".take.on .button"], [SHEET, ".price-sheet"]]) {
      const { page, close } = await open(browser, service, { hash: view, lang, dark, width });
      await page.locator(place).waitFor();
      await settled(page);
      assert.deepEqual(await findings(page), [], view);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), view);
      const small = await page.locator("button:visible, select:visible, summary:visible, input:visible:not([type=checkbox])").evaluateAll((all) =>
        all.filter((one) => one.getBoundingClientRect().height < 43.5).map((one) => one.outerHTML.slice(0, 80)));
      assert.deepEqual(small, [], view);
      const unmarked = await page.evaluate(() => {
        const texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
        const found = [];
        while (texts.nextNode()) {
          const { nodeValue, parentElement } = texts.currentNode;
          if (/\p{Script=Cyrillic}/u.test(nodeValue) && parentElement.closest("[lang]").lang !== "ru") found.push(nodeValue);
        }
        return found;
      });
      if (lang === "en") assert.deepEqual(unmarked, [], view);
      await close();
    }
  });
}

test("in Firefox: from the tab to the record, and printing", async () => {
  const firefox = await launchFirefox();
  const { page, close } = await openFirefox(firefox, service, { hash: `#/search${SEARCH}` });
  await page.waitForSelector(".price-items tbody input");
  for (const at of [1, 2, 3]) {
    await page.focus(`.price-items tbody tr:nth-child(${at}) input`);
    await page.keyboard.press(" ");
    await page.waitForFunction((many) => document.querySelectorAll(".plot a.on").length === many, {}, at);
  }
  const seen = () => {
    const { top, bottom } = document.querySelector(".take").getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight + 1;
  };
  await page.evaluate(() => scrollTo(0, 300));
  await page.waitForFunction(seen);
  await page.focus(".take a.button");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".price-sheet");
  assert.equal(await pagesOf(page), 1);
  await close();
});

test("in the price sheet, dates stay on one line, and labels do not overlap values on a phone", async () => {
  for (const width of [1280, 390]) {
    const { page, close } = await openView(browser, service, "priceSheet", { width });
    const days = await page.locator(".of-sources tbody td:nth-child(3)").evaluateAll((all) => all.map((one) => {
      const words = document.createRange();
      words.selectNodeContents(one);
      return words.getClientRects().length === 1 && one.scrollWidth <= one.clientWidth;
    }));
    assert.deepEqual(days, [true, true, true], `${width} pixels`);
    const wraps = await page.locator(".of-sources tbody td").evaluateAll((all) => all.map((one) => getComputedStyle(one, "::before").whiteSpace));
    if (width === 390) assert.deepEqual([...new Set(wraps)], ["normal"]);
    const day = await page.locator(".of-sources thead .of-day").evaluate((one) => one.scrollWidth - one.clientWidth);
    assert.ok(day <= 0, "the heading fits its column");
    await close();
  }
});

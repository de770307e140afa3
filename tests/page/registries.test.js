// "Not in the registry" is green only where a registry says so: complete, and not too old.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, open, saved, settled, shown } from "./browser.js";
import { cleanUp, demo, over } from "./service.js";

const CLEAN = "9602003012";
const LISTED = "9602003485";
const FORMERLY = "9602003527";
const DAY = 86_400_000;

const plain = (text) => text.replace(/[\u202f\u00a0]/g, " ");
const ago = (days) => new Date(Date.now() + 3 * 3600e3 - days * DAY).toISOString().slice(0, 10);
const shortly = (iso) => iso.split("-").reverse().join(".");
const contract = `{"type":"contract","supplier":{"inn":"${CLEAN}","name":"ООО"},"contract":{"regNum":"1","signDate":"2025-01-01"}}\n`;
const entry = (inn, law, until) => `{"type":"rnpEntry","supplier":{"inn":"${inn}","name":"АО"},"entry":{"registrationNumber":"${inn}","registrationDate":"2024-01-01","excludeDate":${until},"federalLaw":"${law}"}}\n`;
const complete = (law, day) => `{"type":"registry","federalLaw":"${law}","completeAsOf":"${day}"}\n`;

let browser;
before(async () => (browser = await launch()));
after(async () => {
  await browser.close();
  cleanUp();
});

/** What is said of `inn`: the verdict's words, what it is said of, and the first and last colour. */
async function verdictOf(service, inn, { lang = "ru", query = "" } = {}) {
  const { page, close } = await open(browser, service, { hash: `#/supplier/${inn}${query}`, lang });
  await shown(page);
  await settled(page);
  const verdict = page.locator(".verdict");
  const said = {
    words: await verdict.locator("h2").textContent(),
    means: plain((await verdict.locator(".words p").allTextContents()).join(" ")),
    colour: await colourOf(verdict),
  };
  await close();
  return said;
}

/** Green, grey, red or amber, by which channel of its background is the strongest. */
const colourOf = async (element) => {
  const [red, green, blue] = (await element.evaluate((one) => getComputedStyle(one).backgroundColor)).match(/\d+/g).map(Number);
  if (Math.max(red, green, blue) - Math.min(red, green, blue) < 4) return "grey";
  if (green > red && green > blue) return "green";
  return green - blue > 8 ? "amber" : "red";
};

test("contracts alone: the registry is not loaded, and nothing is green", async () => {
  const service = await over(contract);
  const { words, means, colour } = await verdictOf(service, CLEAN);
  assert.equal(words, "Реестр не загружен");
  assert.match(means, /сказать, числится ли в нём поставщик, нельзя/);
  assert.equal(colour, "grey");
  const then = await verdictOf(service, CLEAN, { lang: "en", query: "?asOf=2024-03-01" });
  assert.equal(then.words, "On 1 Mar 2024: registry not imported");
  await service.stop();
});

test("entries that nobody declared complete: grey, with the reason", async () => {
  const service = await over(contract + entry(LISTED, "223", null) + entry(FORMERLY, "223", '"2024-02-01"'));
  const { words, means, colour } = await verdictOf(service, CLEAN);
  assert.equal(words, "Записей нет, но реестр может быть неполным");
  assert.match(means, /Полнота реестра не подтверждена: 223-ФЗ\. Реестр не загружен: 44-ФЗ, ПП РФ № 615\./);
  assert.equal(colour, "grey");
  assert.equal((await verdictOf(service, LISTED)).colour, "red");
  const formerly = await verdictOf(service, FORMERLY);
  assert.equal(formerly.colour, "amber");
  assert.match(formerly.means, /не подтверждена/);
  await service.stop();
});

test("a complete registry of these days: green, with the laws and the day; one that is too old: grey", async () => {
  const lines = contract + complete("44", ago(30)) + complete("223", ago(31));
  for (const [args, words, colour, means] of [
    [[], "В реестре не числится", "green", `Реестр загружен полностью: 44-ФЗ (на ${shortly(ago(30))}). Реестр устарел: 223-ФЗ (на ${shortly(ago(31))}). Реестр не загружен: ПП РФ № 615.`],
    [["--max-registry-age", "29days"], "Записей нет, но реестр устарел", "grey", `Реестр устарел: 44-ФЗ (на ${shortly(ago(30))}), 223-ФЗ (на ${shortly(ago(31))}). Реестр не загружен: ПП РФ № 615.`],
  ]) {
    const service = await over(lines, ...args);
    const said = await verdictOf(service, CLEAN);
    assert.equal(said.words, words);
    assert.equal(said.colour, colour);
    assert.ok(said.means.includes(means), said.means);
    await service.stop();
  }
});

test("of a day in the past the registry of a later day tells, of a day long after it does not", async () => {
  const service = await over(contract + complete("44", "2025-03-01"));
  for (const [asOf, colour] of [["2024-01-01", "green"], ["2025-03-31", "green"], ["2025-04-01", "grey"]]) {
    assert.equal((await verdictOf(service, CLEAN, { query: `?asOf=${asOf}` })).colour, colour, asOf);
  }
  await service.stop();
});

test("the demonstration's registry does not grow old: its world stands still", async () => {
  const service = await demo();
  const { words, means, colour } = await verdictOf(service, CLEAN);
  assert.equal(words, "В реестре не числится");
  assert.match(means, /44-ФЗ \(на 30\.06\.2026\), 223-ФЗ \(на 30\.06\.2026\), ПП РФ № 615 \(на 30\.06\.2026\)\. Данные обновлены \d\d\.\d\d\.\d{4}/);
  assert.equal(colour, "green");
  await service.stop();
});

test("a list says so of each supplier, and once for all of them of which registries", async () => {
  for (const [lines, words, colour, from] of [
    [contract, "реестр не загружен", "grey", /^Реестр не загружен: 44-ФЗ, 223-ФЗ, ПП РФ № 615\.$/],
    [contract + entry(LISTED, "44", null), "реестр может быть неполным", "grey", /^Полнота реестра не подтверждена: 44-ФЗ\./],
    [contract + complete("44", ago(400)), "реестр устарел", "grey", /^Реестр устарел: 44-ФЗ/],
    [contract + complete("44", ago(0)), "не числится", "green", /^Реестр загружен полностью: 44-ФЗ/],
  ]) {
    const service = await over(lines);
    const { page, close } = await open(browser, service, { hash: `#/batch?inn=${CLEAN},7707083893` });
    const tags = page.locator(".verdicts .tag");
    await tags.nth(1).waitFor();
    assert.deepEqual(await tags.allInnerTexts(), [words, "неизвестен"]);
    assert.equal(await colourOf(tags.first()), colour);
    assert.match(plain(await page.locator(".results > .aside").first().textContent()), from);
    assert.ok((await page.locator(".count").allInnerTexts()).some((text) => text.includes(words)));
    const { bytes } = await saved(page, () => page.getByRole("button", { name: "XLSX", exact: true }).click());
    const flags = [...bytes.toString().matchAll(/<row>(.*?)<\/row>/gs)].slice(2).map(([, row]) => [...row.matchAll(/<c[^>]*?(?:\/>|>(.*?)<\/c>)/gs)].slice(4, 6).map(([, cell = ""]) => cell.replace(/<[^>]*>/g, "")));
    assert.deepEqual(flags, [[words, colour === "green" ? "нет" : ""], ["неизвестен", ""]], "the workbook claims no more than the page");
    await page.setViewportSize({ width: 320, height: 740 });
    const within = await tags.first().evaluate((tag) => tag.getBoundingClientRect().right <= tag.closest("tr").getBoundingClientRect().right);
    assert.ok(within, words);
    await close();
    await service.stop();
  }
});

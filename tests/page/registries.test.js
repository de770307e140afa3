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

/** What is said of `inn`, in a browser whose clock shows `now`: the verdict's words, what it is said of, and the first and last colour. */
async function verdictOf(service, inn, { lang = "ru", query = "", now = null } = {}) {
  const { page, close } = await open(browser, service, { hash: `#/supplier/${inn}${query}`, lang, now });
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

test("what day it is the server says, not the browser's clock", async () => {
  const service = await over(contract + complete("44", ago(400)));
  const now = new Date(Date.now() - 390 * DAY);
  const { words, means, colour } = await verdictOf(service, CLEAN, { now });
  assert.equal(words, "Записей нет, но реестр устарел");
  assert.equal(colour, "grey");
  assert.ok(means.includes(`По состоянию на ${shortly(ago(0))}. Реестр устарел: 44-ФЗ (на ${shortly(ago(400))})`), means);
  const list = await open(browser, service, { hash: `#/batch?inn=${CLEAN},7707083893`, now });
  assert.equal(await list.page.locator(".verdicts .tag").first().innerText(), "реестр устарел");
  await list.close();
  const sheet = await open(browser, service, { hash: `#/evidence/${CLEAN}`, now });
  const text = plain(await sheet.page.locator(".evidence").innerText());
  for (const part of ["Записей нет, но реестр устарел", `РНП по состоянию на ${shortly(ago(0))}`, "44-ФЗ\tустарел"]) assert.ok(text.includes(part), `${part} in ${text}`);
  await sheet.close();
  await service.stop();
});

test("a registry of a later day does not bear out that nothing was there on a day before, nor one of a day long before", async () => {
  const service = await over(contract + complete("44", "2025-03-01") + entry(LISTED, "44", null) + entry(FORMERLY, "44", '"2024-02-01"'));
  const none = "записей нет, но реестра на ту дату здесь нет";
  for (const [inn, asOf, words, colour] of [
    [CLEAN, "2024-01-01", none, "grey"], [CLEAN, "2025-02-28", none, "grey"],
    [CLEAN, "2025-03-01", "в реестре не числится", "green"], [CLEAN, "2025-03-31", "в реестре не числится", "green"],
    [CLEAN, "2025-04-01", "записей нет, но реестр устарел", "grey"],
    [LISTED, "2025-02-28", "включён в РНП", "red"], [LISTED, "2023-12-31", none, "grey"],
    [FORMERLY, "2025-02-28", "не числится, был в реестре раньше", "amber"],
  ]) {
    const said = await verdictOf(service, inn, { query: `?asOf=${asOf}` });
    assert.equal(said.words, `На ${shortly(asOf)}: ${words}`);
    assert.equal(said.colour, colour, asOf);
    const isPast = said.means.includes("Реестр загружен полностью: 44-ФЗ (на 01.03.2025); записей, исключённых раньше, в нём может не быть.");
    assert.equal(isPast, asOf < "2025-03-01", said.means);
  }
  const list = await open(browser, service, { hash: `#/batch?inn=${CLEAN},7707083893&asOf=2024-01-01` });
  assert.equal(await list.page.locator(".verdicts .tag").first().innerText(), "нет реестра на ту дату");
  await list.close();
  const sheet = await open(browser, service, { hash: `#/evidence/${CLEAN}?asOf=2024-01-01` });
  const text = plain(await sheet.page.locator(".evidence").innerText());
  for (const part of ["На 01.01.2024: записей нет, но реестра на ту дату здесь нет", "44-ФЗ\tзагружен полностью на более позднюю дату", "записей, исключённых раньше, в нём может не быть."]) assert.ok(text.includes(part), `${part} in ${text}`);
  await sheet.close();
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

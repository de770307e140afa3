// The verdict and its basis, for each state of the registries and everywhere that the page shows
// them.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { cellsOf, fetchBytes, launch, menu, open, plain, saved, settled, shown } from "./browser.js";
import { serveImports, serveLines } from "./service.js";

const CLEAN = "9602003012";
const LISTED = "9602003485";
const FORMERLY = "9602003527";
const NOWHERE = "7707083893";
const DAY = 86_400_000;

const ago = (days) => new Date(Date.now() + 3 * 3600e3 - days * DAY).toISOString().slice(0, 10);
/** Converts a date to a spreadsheet's serial number. */
const serial = (iso) => String((Date.parse(iso) - Date.UTC(1899, 11, 30)) / DAY);
const dotted = (iso) => iso.split("-").reverse().join(".");
const contract = `{"type":"contract","supplier":{"inn":"${CLEAN}","name":"ООО Речной сад"},"contract":{"regNum":"1","signDate":"2025-01-01"}}\n`;
const entry = (inn, law, until) => `{"type":"rnpEntry","supplier":{"inn":"${inn}","name":"АО Берег"},"entry":{"registrationNumber":"${inn}","registrationDate":"2024-01-01","excludeDate":${until},"federalLaw":"${law}"}}\n`;
const complete = (law, day) => `{"type":"registry","federalLaw":"${law}","completeAsOf":"${day}"}\n`;
const all = (day) => complete("44", day) + complete("223", day) + complete("615", day);
const entries = contract + entry(LISTED, "44", null) + entry(FORMERLY, "44", '"2024-02-01"');

let browser;
before(async () => (browser = await launch()));

/**
 * Returns the verdict on `inn` with the browser's clock at `now`: the statement with its date, the
 * basis, the highlighted parts of the basis, and the colour.
 */
async function verdictOf(service, inn, { lang = "ru", query = "", now = null } = {}) {
  const { page, close } = await open(browser, service, { hash: `#/supplier/${inn}${query}`, lang, now });
  await shown(page);
  await settled(page);
  const verdict = page.locator(".verdict");
  const said = {
    words: plain(await verdict.locator("h2").textContent()),
    ground: plain((await verdict.locator(".marks").allTextContents()).join("")),
    behind: plain((await verdict.locator(".marks .behind").allTextContents()).join("; ")),
    colour: await colourOf(verdict),
  };
  await close();
  return said;
}

/**
 * Names the colour of an element by the strongest channel of its background, or of its text if it
 * has no background: green, grey (slightly blue), red or amber.
 */
const colourOf = async (element) => {
  const shownIn = await element.evaluate((one) => {
    const { backgroundColor, color } = getComputedStyle(one);
    return backgroundColor === "rgba(0, 0, 0, 0)" ? color : backgroundColor;
  });
  const [red, green, blue] = shownIn.match(/\d+/g).map(Number);
  if (blue >= green && blue >= red) return blue - red < 20 ? "grey" : "blue";
  if (green > red && green > blue) return "green";
  return green - blue > 8 ? "amber" : "red";
};

/** Imports `lines` and checks the verdict on each INN: its first words and its colour. */
async function check(lines, expected, { ground, behind = "" }) {
  const service = await serveLines(lines);
  for (const [inn, words, colour] of expected) {
    const said = await verdictOf(service, inn);
    assert.deepEqual(said, { words, colour, ground, behind }, inn);
  }
  await service.stop();
}

const ALL_LAWS = "44-ФЗ, 223-ФЗ, ПП РФ № 615";
const covered = (day) => `РНП: ${ALL_LAWS} — данные на ${dotted(day)}`;
/** The basis of a verdict if no registry covers the day. All of it is highlighted. */
const without = (words) => ({ ground: `РНП: ${words}`, behind: words });

test("without registries, verdicts are unknown, and none is green", async () => {
  const words = "Неизвестно: РНП не загружен";
  await check(contract, [[CLEAN, words, "grey"], [NOWHERE, words, "grey"]], without(`${ALL_LAWS} — не загружен`));
});

test("incomplete registries: listed suppliers are listed, others unknown", async () => {
  await check(entries, [
    [CLEAN, "Неизвестно: РНП загружен не полностью", "grey"],
    [LISTED, "В РНП: действует 1 запись", "red"],
    [FORMERLY, "Был в РНП; есть ли сейчас — неизвестно: РНП загружен не полностью", "grey"],
  ], { ground: "РНП: 44-ФЗ — загружен не полностью; 223-ФЗ, ПП РФ № 615 — не загружен", behind: "44-ФЗ — загружен не полностью; 223-ФЗ, ПП РФ № 615 — не загружен" });
});

test("one complete law of three is not enough", async () => {
  await check(entries + complete("44", ago(3)), [
    [CLEAN, "Неизвестно: РНП по 223-ФЗ, ПП РФ № 615 не загружен", "grey"],
    [LISTED, `В РНП: действует 1 запись по данным на ${dotted(ago(3))}`, "red"],
    [FORMERLY, "Был в РНП; есть ли сейчас — неизвестно: РНП по 223-ФЗ, ПП РФ № 615 не загружен", "grey"],
  ], { ground: `РНП: 44-ФЗ — данные на ${dotted(ago(3))}; 223-ФЗ, ПП РФ № 615 — не загружен`, behind: "223-ФЗ, ПП РФ № 615 — не загружен" });
});

test("all laws complete: each verdict as of the day of the data; an unknown INN is not listed", async () => {
  const of = ` по данным на ${dotted(ago(3))}`;
  await check(entries + all(ago(3)), [
    [CLEAN, `Нет в РНП${of}`, "green"],
    [NOWHERE, `Нет в РНП${of}`, "green"],
    [LISTED, `В РНП: действует 1 запись${of}`, "red"],
    [FORMERLY, `Был в РНП, сейчас нет${of}`, "amber"],
  ], { ground: covered(ago(3)) });
});

test("the date of the data is the earliest of all laws; laws behind the newest are highlighted", async () => {
  const service = await serveLines(entries + complete("44", ago(3)) + complete("223", ago(5)) + complete("615", ago(4)));
  const clean = await verdictOf(service, CLEAN);
  assert.equal(clean.words, `Нет в РНП по данным на ${dotted(ago(5))}`);
  const older = `223-ФЗ — данные на ${dotted(ago(5))}; ПП РФ № 615 — данные на ${dotted(ago(4))}`;
  assert.deepEqual([clean.ground, clean.behind], [`РНП: 44-ФЗ — данные на ${dotted(ago(3))}; ${older}`, older]);
  assert.equal((await verdictOf(service, LISTED)).words, `В РНП: действует 1 запись по данным на ${dotted(ago(3))}`);
  const english = await verdictOf(service, CLEAN, { lang: "en" });
  assert.match(english.words, /^Not listed in the RNP data as of \d+ \w+ \d{4}$/);
  assert.match(english.ground, /^RNP: Law 44-FZ — data as of \d+ \w{3}/);
  await service.stop();
});

test("an outdated registry supports statements only about the past", async () => {
  const old = "Неизвестно: РНП на эту дату не загружен";
  await check(entries + all(ago(31)), [
    [CLEAN, old, "grey"], [NOWHERE, old, "grey"],
    [LISTED, `В РНП: действует 1 запись по данным на ${dotted(ago(31))}`, "red"],
    [FORMERLY, "Был в РНП; есть ли сейчас — неизвестно: РНП на эту дату не загружен", "grey"],
  ], without(`${ALL_LAWS} — данные только на ${dotted(ago(31))}`));
});

test("as of another date: only within the period that the registries cover", async () => {
  const day = "2025-03-01";
  const none = (asOf) => `Неизвестно, был ли в РНП ${dotted(asOf)}: РНП на эту дату не загружен`;
  const service = await serveLines(entries + all(day));
  for (const [inn, asOf, words, colour] of [
    [CLEAN, "2025-02-28", none("2025-02-28"), "grey"],
    [CLEAN, day, "01.03.2025 не был в РНП", "green"],
    [CLEAN, "2025-03-31", "31.03.2025 не был в РНП по данным на 01.03.2025", "green"],
    [CLEAN, "2025-04-01", none("2025-04-01"), "grey"],
    [LISTED, "2025-02-28", "28.02.2025 был в РНП по данным на 01.03.2025", "red"],
    [FORMERLY, "2025-03-01", "01.03.2025 не был в РНП, но был раньше", "amber"],
    [FORMERLY, "2025-02-28", "Был в РНП; был ли 28.02.2025 — неизвестно: РНП на эту дату не загружен", "grey"],
  ]) {
    const said = await verdictOf(service, inn, { query: `?asOf=${asOf}` });
    assert.deepEqual([said.words, said.colour], [words, colour], `${inn} ${asOf}`);
  }
  await service.stop();
});

test("an entry missing from a later complete registry shows since when", async () => {
  const gone = `{"type":"rnpEntry","supplier":{"inn":"${NOWHERE}","name":"АО Берег"},"entry":{"registrationNumber":"1","registrationDate":"2025-01-10","excludeDate":"2099-01-10","federalLaw":"44"}}\n`;
  const service = await serveImports([[gone + all(ago(9))], [entry(LISTED, "44", null), "--replace-rnp", "--registry-date", ago(2)]]);
  const { page, close } = await open(browser, service, { hash: `#/supplier/${NOWHERE}` });
  await shown(page);
  await settled(page);
  assert.equal(await page.locator(".verdict h2").textContent(), `Был в РНП, сейчас нет по данным на ${dotted(ago(9))}`);
  assert.equal(await page.locator(".entry .span").first().textContent(), `Включён 10.01.2025, исключена: в реестре на ${dotted(ago(2))} её уже нет`);
  await page.goto(`${service.url}/?lang=ru#/supplier/${NOWHERE}?asOf=${ago(9)}`);
  await page.getByText("Включён 10.01.2025, действует по 10.01.2099 включительно").waitFor();
  await close();
  await service.stop();
});

test("the current date is the server's, not the browser's", async () => {
  const service = await serveLines(contract + all(ago(400)));
  const now = new Date(Date.now() - 390 * DAY);
  const said = await verdictOf(service, CLEAN, { now });
  assert.equal(said.words, "Неизвестно: РНП на эту дату не загружен");
  assert.equal(said.colour, "grey");
  await service.stop();
});

test("list, files and search show the same verdict, in the same word and colour", async () => {
  for (const [lines, tags, ground] of [
    [contract, [["неизвестно", "grey"], ["неизвестно", "grey"], ["неизвестно", "grey"]], `РНП: ${ALL_LAWS} — не загружен`],
    [entries + complete("44", ago(0)), [["неизвестно", "grey"], ["в РНП", "red"], ["неизвестно", "grey"]], `РНП: 44-ФЗ — данные на ${dotted(ago(0))}; 223-ФЗ, ПП РФ № 615 — не загружен`],
    [entries + all(ago(400)), [["неизвестно", "grey"], ["в РНП", "red"], ["неизвестно", "grey"]], `РНП: ${ALL_LAWS} — данные только на ${dotted(ago(400))}`],
    [entries + all(ago(0)), [["нет в РНП", "green"], ["в РНП", "red"], ["был в РНП", "amber"]], covered(ago(0))],
  ]) {
    const service = await serveLines(lines);
    const { page, close } = await open(browser, service, { hash: `#/batch?inn=${CLEAN},${LISTED},${FORMERLY}` });
    const shownTags = page.locator(".verdicts .tag");
    await shownTags.nth(2).waitFor();
    await settled(page);
    await page.getByRole("button", { name: "Строка" }).click();
    const said = [];
    for (const tag of await shownTags.all()) said.push([await tag.innerText(), await colourOf(tag)]);
    assert.deepEqual(said, tags);
    assert.equal(plain(await page.locator(".ground-line .marks").textContent()), ground);
    await menu(page);
    const { bytes } = await saved(page, () => page.getByRole("button", { name: "Excel (XLSX)" }).click());
    const cells = cellsOf(bytes).slice(2);
    const flag = { "в РНП": "да", "неизвестно": "" };
    assert.deepEqual(cells.map((row) => row.slice(9, 11)), tags.map(([words]) => [words, flag[words] ?? "нет"]), "the workbook has the same statement as the page");
    const json = JSON.parse(await fetchBytes(service, `/rnp/check-suppliers?supplierINN=${CLEAN}&format=json`));
    for (const [at, { state, completeAsOf, covers }] of json.registries.entries()) {
      const old = completeAsOf && `данные только на ${dotted(completeAsOf)}`;
      const wanted = covers ? serial(completeAsOf) : (old ?? { partial: "загружен не полностью", none: "не загружен" }[state]);
      assert.ok(cells.every((row) => row.at(at - 5) === wanted), `${wanted} in each row, not ${cells[0].at(at - 5)}`);
    }
    await page.setViewportSize({ width: 320, height: 740 });
    assert.ok(await shownTags.first().evaluate((tag) => tag.getBoundingClientRect().right <= tag.closest("tr").getBoundingClientRect().right));
    await page.goto(`${service.url}/?lang=ru#/find/${encodeURIComponent("Речной")}`);
    const hit = page.locator(".found .tag");
    await hit.waitFor();
    assert.deepEqual([await hit.innerText(), await colourOf(hit)], tags[0]);
    await close();
    await service.stop();
  }
});

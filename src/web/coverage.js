// Which official documents have been imported, by region and day. Renders the table in the footer
// and the gaps in the registries of unfair suppliers beside a verdict.

import { dataUpdated } from "./client.js";
import { day } from "./days.js";
import { h } from "./dom.js";
import { count, plural } from "./figures.js";
import { grouped } from "./grouped.js";
import { regionNames } from "./regions.js";
import { textOf } from "./tables.js";
import { forms, lawName, t } from "./texts.js";

const DAY = 86_400_000;

/** The registers, with the EIS subsystems that publish their documents. */
const REGISTERS = {
  contracts44: ["RGK"],
  purchases44: ["PRIZ"],
  purchases223: ["RI223", "RD223", "OD223"],
  purchases615: ["PPRF615", "RD615"],
  rnp44: ["RNP"],
  rnp223: ["RNP223"],
};
/** Up to this many regions, and this many gaps, are listed. Any further ones are only counted. */
const NAMES = 6;
const GAPS = 12;

let last = { of: null, there: null };

/**
 * Fetches `/about.json`, once per import. It contains the runs of days (`coverage`) and the gaps in
 * the registries (`missing`, `unread`). Throws `RequestError`.
 */
function fetchCoverage() {
  if (last.of !== dataUpdated()) {
    const there = textOf("/about.json").then((body) => JSON.parse(body));
    there.catch(() => (last = { of: null, there: null }));
    last = { of: dataUpdated(), there };
  }
  return last.there;
}

const shifted = (iso, days) => new Date(Date.parse(iso) + days * DAY).toISOString().slice(0, 10);
const span = (from, to) => (from === to ? day(from) : `${day(from)}\u2009–\u2009${day(to)}`);
const different = (values) => [...new Set(values)];

const ends = (some) => ({
  from: some.reduce((least, run) => (run.from < least ? run.from : least), some[0].from),
  to: some.reduce((most, run) => (run.to > most ? run.to : most), some[0].to),
});

/** Returns the spans between `from` and `to` that none of the sorted runs covers. */
function missing(some, { from, to }) {
  const gaps = [];
  let next = from;
  for (const run of some) {
    if (run.from > next) gaps.push([next, shifted(run.from, -1)]);
    next = shifted(run.to, 1);
  }
  if (next <= to) gaps.push([next, to]);
  return gaps;
}

/**
 * Returns the days missing from a register, by region and document type. Regions with the same gap
 * are merged.
 */
function gapsOf(some) {
  const range = ends(some);
  const typeOf = ({ subsystem, documents }) => `${subsystem} ${documents}`;
  const types = different(some.map(typeOf));
  const byPair = grouped(some, (run) => `${run.region} ${typeOf(run)}`);
  const spans = different(some.map((run) => run.region)).flatMap((region) => {
    const gaps = types.flatMap((type) => missing(byPair.get(`${region} ${type}`) ?? [], range).map(([from, to]) => ({ from, to, type })));
    return [...grouped(gaps, ({ from, to }) => `${from} ${to}`).values()].map((same) => ({
      from: same[0].from, to: same[0].to, region, types: same.length === types.length ? "" : different(same.map(({ type }) => type.split(" ")[1])).join(", "),
    }));
  });
  const together = [...grouped(spans, ({ from, to, types: lacking }) => `${from} ${to} ${lacking}`).values()];
  return together
    .map((same) => ({ ...same[0], regions: same.map(({ region }) => region) }))
    .sort((one, other) => one.from.localeCompare(other.from) || one.to.localeCompare(other.to));
}

/** Renders the coverage table and the gaps in the registries. Throws `RequestError`. */
export async function coverageTable() {
  const [{ coverage: all, missing: lacks, unread }, names] = await Promise.all([fetchCoverage(), regionNames()]);
  const known = Object.values(REGISTERS).flat();
  const others = different(all.map((run) => run.subsystem)).filter((one) => !known.includes(one));
  const registers = [
    ...Object.entries(REGISTERS).map(([name, parts]) => [t(`coverage.${name}`), parts]),
    ...others.map((one) => [one, [one]]),
  ];
  const rows = registers
    .map(([name, parts]) => [name, all.filter((run) => parts.includes(run.subsystem))])
    .filter(([, some]) => some.length);
  const head = (column) => h("th", { scope: "col" }, t(`coverage.column.${column}`));
  const columns = ["register", "regions", "days", "gaps"];
  return [
    h("p", {}, t("coverage.lead")),
    h("table", { class: "cards" },
      h("caption", { class: "unseen" }, t("coverage.title")),
      h("thead", {}, h("tr", {}, columns.map(head))),
      h("tbody", {}, rows.map((row) => registerRow(row, names)))),
    ...lacks.map((lack) => h("p", {}, missingWords(lack, names))),
    ...unread.map((one) => h("p", {}, unreadWords(one))),
  ];
}

function registerRow(row, names) {
  const [name, some] = row;
  const cell = (column, content) => h("td", { "data-label": t(`coverage.column.${column}`) }, content);
  const { from, to } = ends(some);
  const codes = different(some.map((run) => run.region)).sort();
  return h("tr", {},
    cell("register", h("strong", { class: "whole" }, name)),
    cell("regions", regionList(codes, names)),
    cell("days", h("span", { class: "whole" }, span(from, to))),
    cell("gaps", gapList(gapsOf(some), codes, names)));
}

const named = (codes, names) => codes.map((code) => names.get(code) ?? code).join(", ");

function regionList(codes, names) {
  const words = t("contracts.of", { n: count(codes.length), all: count(names.size) });
  if (codes.length === names.size) return h("span", {}, words);
  if (codes.length <= NAMES) return h("span", {}, words, ": ", named(codes, names));
  return h("details", {}, h("summary", {}, words), h("p", {}, named(codes, names)));
}

function gapList(gaps, codes, names) {
  if (!gaps.length) return h("span", {}, t("coverage.noGaps"));
  const where = (those) => {
    if (those.length === codes.length && those.length > 1) return t("coverage.allOfThem");
    const rest = those.length - NAMES;
    return named(those.slice(0, NAMES), names) + (rest > 0 ? t("coverage.andOthers", { n: count(rest) }) : "");
  };
  const rest = gaps.length - GAPS;
  return h("details", {},
    h("summary", {}, plural(gaps.length, forms("coverage.gaps"))),
    h("ul", {},
      gaps.slice(0, GAPS).map(({ from, to, types, regions: those }) =>
        h("li", {}, h("span", { class: "whole" }, span(from, to)), ": ", where(those), types && [" (", h("span", { class: "code" }, types), ")"])),
      rest > 0 && h("li", {}, t("andMore", { n: count(rest) }))));
}

/**
 * Describes the documents that are missing from the registries of these laws, one sentence each.
 * Returns an empty array if the coverage cannot be fetched.
 */
export async function missingOf(laws) {
  const found = await Promise.all([fetchCoverage(), regionNames()]).catch(() => null);
  if (!found) return [];
  const [{ missing: lacks }, names] = found;
  return lacks.filter(({ federalLaw }) => laws.includes(federalLaw)).map((lack) => missingWords(lack, names));
}

const unreadWords = ({ federalLaw, number, archive, entry }) => t("coverage.unread", {
  law: lawName(federalLaw), number: number || t("coverage.unread.noNumber"), place: [archive, entry].filter(Boolean).join("/"),
});

function missingWords({ federalLaw, asOf, days, first }, names) {
  const { region, documents } = first;
  return t("coverage.missing", {
    law: lawName(federalLaw), asOf: day(asOf), days: plural(days, forms("coverage.ofDays")), day: day(first.day), region: names.get(region) ?? region, code: region, documents,
  });
}

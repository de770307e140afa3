// The checking of a list: the verdicts on its INNs, how well its names fit them, and the suppliers
// found by its names, as the API gives them, part by part; what was chosen of these; and what is to
// be said of each line. What contracts say of a supplier is asked where it is wanted.

import { about, dataUpdated, get, getJson, Trouble } from "./client.js";
import { answeredAt } from "./days.js";
import { withReceipt } from "./downloads.js";
import { count, plural } from "./figures.js";
import { missingDocuments } from "./ground.js";
import { grouped } from "./grouped.js";
import { parseJson } from "./json.js";
import { readList } from "./list.js";
import { areSame } from "./list-names.js";
import { hashOf, requestUrl } from "./routes.js";
import { getItem, setItem } from "./storage.js";
import { forms, t } from "./texts.js";

/**
 * How many INNs and names one request may have, and how long its names are together once they
 * are encoded, in characters.
 */
export const AT_ONCE = 200;
const NAMES_AT_ONCE = 20;
const LONGEST_NAMES = 6000;
/** How much of a name is looked for, in characters: the service takes no more. */
const LONGEST_QUERY = 200;
/** How many INNs of a list are checked. */
export const MOST = 10_000;
/** Of how many suppliers the contracts are asked, a request each, and how many at a time. */
export const MOST_ASKED = 500;
const ASKED_AT_ONCE = 6;
/** How often a check begins again because the data has changed. */
const MOST_ROUNDS = 5;
/** The longest link to a list, in characters: programs for mail and messages cut off longer ones. */
export const LINK = 2000;
/** A score of a name that is the same, legal form aside. */
const SAME = 100;
/** Below this score, of 100, a name of the list contradicts the one behind its INN. */
const FITS = 40;
/** How many rows of totals are named. */
const FEW_ROWS = 5;
/** The order of verdicts, the most important first. */
export const ORDER = ["listed", "previously-listed", "undetermined", "not-listed"];

/** What was chosen for lines without an INN in this tab, by what stands in them. */
const CHOSEN = "batch-chosen";
const chosenKey = ({ name, text }) => `${name}\n${text}`;
const chosenHere = () => new Map(JSON.parse(getItem(CHOSEN) ?? "[]"));

/**
 * The checking of a text, not begun. `source`: where the text is from, in words; `kept`: the
 * list of the browser that it is, or null. Its `lines` are those of `readList`, each also with the
 * `score` of what was found by its name (0: the INN that was meant), undefined where nothing was chosen.
 * `answers`: those with the verdicts, as they were sent, with their receipts; `fits`: how well names
 * fit INNs, by `pairKey`; `facts`: what contracts say, by INN, where `wantsFacts`. `link` is the
 * address that has all of it, null where that is too long.
 */
export function newRun({ text, asOf, source = "", kept = null }) {
  const { lines: read, totals, table, column, isUnclear } = readList(text);
  const chosen = new Map([...(kept?.chosen ?? []), ...chosenHere()]);
  const lines = read.map(({ chosen: saved, ...line }) =>
    line.inn ? line : withChoice(line, chosen.get(chosenKey(line)) ?? saved),
  );
  const run = {
    text,
    asOf,
    source,
    kept,
    lines: lines.map(overMost()),
    totals,
    table,
    column,
    isUnclear,
    found: new Map(),
    answers: [],
    same: new Map(),
    fits: new Map(),
    facts: new Map(),
    wantsFacts: false,
    hits: new Map(),
    registries: [],
    documents: [],
    going: false,
    stopped: false,
    stop: new AbortController(),
    sort: { name: "verdict", down: false },
    only: "",
    open: new Set(),
    draw: () => {},
  };
  const link = hashOf("batch", "", { inn: innsOf(run).join(","), asOf });
  const isShort =
    innsOf(run).length <= AT_ONCE &&
    lines.every(({ inn }) => inn) &&
    `${location.origin}${location.pathname}${link}`.length <= LINK;
  return { ...run, link: isShort ? link : null };
}

const withChoice = (line, choice) => (choice ? { ...line, inn: choice.inn, score: choice.score } : line);

/** Gives lines back, those of INNs beyond the most that are checked without their INN. */
function overMost() {
  const inns = new Set();
  return (line) => {
    if (!line.inn || inns.has(line.inn) || inns.size < MOST) {
      if (line.inn) inns.add(line.inn);
      return line;
    }
    return { ...line, inn: "", why: "over" };
  };
}

/** The INNs that are checked, each once. */
export const innsOf = ({ lines }) => [...new Set(lines.map(({ inn }) => inn).filter(Boolean))];

/** The URLs of the answers about INNs, in parts. */
export const urlsOf = (inns, format, asOf) =>
  Array.from({ length: Math.ceil(inns.length / AT_ONCE) }, (_, part) =>
    requestUrl("/rnp/check-suppliers", {
      supplierINN: inns.slice(part * AT_ONCE, (part + 1) * AT_ONCE).join(","),
      format,
      history: "1",
      asOf,
    }),
  );

/** The names that suppliers are looked for by: those of lines without an INN. */
const namesOf = ({ lines }) => [
  ...new Set(lines.filter(({ inn, name, why }) => !inn && name && why !== "over").map(({ name }) => name)),
];

/** How much is done of how much: INNs, names, and names that are compared. */
export function progressOf(run) {
  const [inns, names, pairs, asked] = [innsOf(run), namesOf(run), pairsOf(run), askedOf(run)];
  const parts = [
    [inns, run.found],
    [names, run.hits],
    [pairs.map(pairKey), run.fits],
    [asked, run.facts],
  ];
  const done = parts.reduce((sum, [some, there]) => sum + some.filter((one) => there.has(one)).length, 0);
  return { done, all: parts.reduce((sum, [some]) => sum + some.length, 0) };
}

/**
 * Requests what is missing, and draws what there is as it comes. Returns the trouble that it
 * stopped at, null where it is done or was stopped.
 */
export async function check(run) {
  if (run.going) return null;
  Object.assign(run, { going: true, stopped: false, stop: new AbortController(), trouble: null });
  run.draw();
  try {
    for (let round = 0; ; round += 1) {
      await checkInns(run);
      await findNames(run);
      await compareNames(run);
      await askFacts(run);
      if (!run.found.size || run.updated === dataUpdated()) break;
      // All of a list has one ground: once an import has changed the data, it begins again.
      if (round === MOST_ROUNDS) throw new Trouble("changed");
      forgetAnswers(run);
    }
  } catch (problem) {
    if (problem.name === "AbortError") run.stopped = true;
    else if (problem instanceof Trouble) run.trouble = problem;
    else throw problem;
  } finally {
    run.going = false;
  }
  run.draw();
  return run.trouble;
}

const forgetAnswers = (run) =>
  Object.assign(run, { found: new Map(), answers: [], same: new Map(), fits: new Map(), facts: new Map() });

async function checkInns(run) {
  const missing = () => innsOf(run).filter((inn) => !run.found.has(inn));
  for (let inns = missing(); inns.length; inns = missing()) {
    const [url] = urlsOf(inns.slice(0, AT_ONCE), "json", run.asOf);
    const response = await get(about.hasReceipts ? withReceipt(url) : url, run.stop.signal);
    // Of what was found before, nothing is known of the data that answers now.
    if (run.found.size > 0 && run.updated !== dataUpdated()) forgetAnswers(run);
    const answer = parseJson(response.text);
    if (!run.found.size)
      Object.assign(run, {
        updated: dataUpdated(),
        registries: answer.registries,
        documents: await missingDocuments(answer.registries),
      });
    run.answers.push({ bytes: response.bytes, receipt: response.receipt });
    for (const supplier of answer.suppliers) run.found.set(supplier.supplierINN, supplier);
    run.date = answeredAt();
    run.draw();
  }
}

async function findNames(run) {
  const missing = () => namesOf(run).filter((name) => !run.hits.has(name));
  for (let names = missing(); names.length; names = missing()) {
    const some = together(names, (name) => name);
    const { names: found } = await getJson(
      requestUrl("/find/names", { q: some.map(queryOf).join("\n"), format: "json" }),
      run.stop.signal,
    );
    some.forEach((name, at) => run.hits.set(name, found[at]?.hits ?? []));
    run.draw();
  }
}

const pairKey = ({ inn, name }) => `${inn}\n${name}`;

/** The names of the list beside the INNs they stand by, each pair once, that are not plainly the same name. */
function pairsOf(run) {
  const { lines, found } = run;
  const pairs = new Map();
  for (const line of lines) {
    // What was found by the name fits it.
    if (!line.inn || !line.name || line.score > 0) continue;
    const known = found.get(line.inn)?.supplierName;
    if (known && !isSame(run, line, known)) pairs.set(pairKey(line), line);
  }
  return [...pairs.values()];
}

/** Is the name of a line plainly the one that is known of its INN? Said once, as each drawing asks. */
function isSame({ same }, line, known) {
  const key = pairKey(line);
  if (!same.has(key)) same.set(key, areSame(line.name, known));
  return same.get(key);
}

async function compareNames(run) {
  const missing = () => pairsOf(run).filter((pair) => !run.fits.has(pairKey(pair)));
  for (let pairs = missing(); pairs.length; pairs = missing()) {
    const some = together(pairs, ({ name }) => name);
    const { names } = await getJson(
      requestUrl("/find/names", {
        q: some.map(({ name }) => queryOf(name)).join("\n"),
        supplierINN: some.map(({ inn }) => inn).join(","),
        format: "json",
      }),
      run.stop.signal,
    );
    // Of a name that is too short to be compared there is no score.
    some.forEach((pair, at) => run.fits.set(pairKey(pair), Number(names[at]?.hits[0]?.score ?? SAME)));
    run.draw();
  }
}

/** How well a line's name fits its INN, from 0 to 100; undefined where they were not compared. */
export const fitOf = (run, line) => {
  const known = line.inn && line.name && !(line.score > 0) && run.found.get(line.inn)?.supplierName;
  if (!known) return undefined;
  return isSame(run, line, known) ? SAME : run.fits.get(pairKey(line));
};

/** Does the name of a line contradict the one behind its INN? */
export const isMisfit = (run, line) => (fitOf(run, line) ?? SAME) < FITS;

/** The suppliers whose contracts are asked about: the first of them, by their verdicts. */
function askedOf(run) {
  if (!run.wantsFacts) return [];
  const misfits = new Set(run.lines.filter((line) => isMisfit(run, line)).map(({ inn }) => inn));
  const weight = ({ verdict, supplierINN: inn }) => 2 * ORDER.indexOf(verdict) + (misfits.has(inn) ? 0 : 1);
  return [...run.found.values()]
    .filter(({ verdict }) => ORDER.includes(verdict))
    .sort((one, other) => weight(one) - weight(other))
    .slice(0, MOST_ASKED)
    .map(({ supplierINN }) => supplierINN);
}

async function askFacts(run) {
  const missing = () => askedOf(run).filter((inn) => !run.facts.has(inn));
  for (let inns = missing(); inns.length; inns = missing()) {
    const some = inns.slice(0, ASKED_AT_ONCE);
    const answers = await Promise.all(
      some.map((inn) =>
        getJson(
          requestUrl("/contract/summary-supplier44", { supplierINN: inn, top: "1", format: "json" }),
          run.stop.signal,
        ),
      ),
    );
    some.forEach((inn, at) => run.facts.set(inn, answers[at].facts ?? []));
    run.draw();
  }
}

/** Has the list more suppliers than are asked about their contracts? */
export const isBeyondAsked = ({ found }) => found.size > MOST_ASKED;

const queryOf = (name) => [...name].slice(0, LONGEST_QUERY).join("").trim();

/** As many of the things whose names go into one request; beside each name there is room for an INN. */
function together(things, nameOf) {
  let length = 0;
  const most = things
    .slice(0, NAMES_AT_ONCE)
    .findIndex((one) => (length += encodeURIComponent(queryOf(nameOf(one))).length + 16) > LONGEST_NAMES);
  return things.slice(0, most < 0 ? NAMES_AT_ONCE : Math.max(most, 1));
}

/**
 * Takes an INN for all lines that say the same as `line`, and checks it; `score` as of a line,
 * `inn` "" takes the choice back.
 */
export function choose(run, line, inn, score) {
  const chosen = chosenHere();
  const key = chosenKey(line);
  if (inn) chosen.set(key, { inn, score });
  else chosen.delete(key);
  setItem(CHOSEN, JSON.stringify([...chosen]));
  for (const one of run.lines)
    if (one.why && chosenKey(one) === key) Object.assign(one, { inn, score: inn ? score : undefined });
  if (run.kept) run.kept = { ...run.kept, chosen: choicesOf(run) };
}

/** The choices of a list, for keeping them. */
export const choicesOf = ({ lines }) => [
  ...new Map(
    lines
      .filter(({ score }) => score !== undefined)
      .map((line) => [chosenKey(line), { inn: line.inn, score: line.score }]),
  ),
];

/** The lines whose name is that of one supplier alone, with that supplier's hit: `[line, hit]`. */
export const sameNames = (run) =>
  run.lines.flatMap((line) => {
    const same = (line.inn ? [] : (run.hits.get(line.name) ?? [])).filter(({ score }) => Number(score) === SAME);
    return same.length === 1 ? [[line, same[0]]] : [];
  });

/** Why a line was not checked, in words; "" where it was. */
export function whyNot(run, line) {
  const supplier = run.found.get(line.inn);
  if (supplier) return supplier.verdict === "invalid" ? t("verdict.invalid.means") : "";
  if (line.inn) return t("batch.unanswered");
  return t(`batch.miss.${line.why}`, { most: count(MOST), digits: line.text.replace(/\D/g, "").length });
}

/**
 * What the table has a row of: suppliers with all their lines, and lines that were not checked:
 * `{inn, lines, supplier, why, misfits}`, the last of them the lines whose name contradicts the INN.
 */
export function rowsOf(run) {
  const [done, rest] = [[], []];
  for (const line of run.lines) {
    // What is still being asked has no row yet.
    if (line.inn && !run.found.has(line.inn)) continue;
    (whyNot(run, line) ? rest : done).push(line);
  }
  const unchecked = rest.map((line) => ({
    inn: line.inn,
    lines: [line],
    supplier: run.found.get(line.inn),
    why: whyNot(run, line),
    misfits: [],
  }));
  const checked = [...grouped(done, ({ inn }) => inn)].map(([inn, lines]) => ({
    inn,
    lines,
    supplier: run.found.get(inn),
    why: "",
    misfits: lines.filter((line) => isMisfit(run, line)),
  }));
  return [...unchecked, ...checked];
}

/** Which rows a filter leaves, by its name: those of a verdict, or one of these. */
const FILTERS = {
  "": () => true,
  unchecked: ({ why }) => why !== "",
  byName: ({ lines }) => lines.some(({ score }) => score !== undefined),
  misfit: ({ misfits }) => misfits.length > 0,
  changed: ({ inn, why }, changes) => !why && changes?.has(inn),
};
export const isShown = (row, only, changes) =>
  (FILTERS[only] ?? (({ why, supplier }) => !why && supplier.verdict === only))(row, changes);

/** How many lines of the list were checked, each that has a verdict, and how many lines it has. */
export function doneWords(run) {
  const done = run.lines.filter((line) => !whyNot(run, line)).length;
  return plural(done, forms("batch.done")).replace("{all}", count(run.lines.length));
}

/** How many rows of totals a list has, and where they stand. */
export const totalWords = (totals) =>
  plural(totals.length, forms("batch.totals")).replace("{rows}", totals.slice(0, FEW_ROWS).map(count).join(", "));

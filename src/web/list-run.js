// Checks a list: the registry's verdicts on its INNs, how well its names match the INNs, and
// suppliers found by name. Requests are sent in batches. Figures about contracts are fetched only
// on demand. This module also keeps the user's choices and explains why a line was not checked.

import { about, dataUpdated, get, getJson, RequestError } from "./client.js";
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
 * Upper bounds for one request: INNs, names, and the total length of the encoded names in
 * characters.
 */
export const AT_ONCE = 200;
const NAMES_AT_ONCE = 20;
const LONGEST_NAMES = 6000;
/** The API accepts names of up to this many characters. */
const LONGEST_QUERY = 200;
/** Upper bound on INNs checked in one list. */
export const MOST = 10_000;
/**
 * Upper bound on suppliers whose contracts are requested (one request each), and the number of
 * parallel requests.
 */
export const MOST_ASKED = 500;
const ASKED_AT_ONCE = 6;
/** Upper bound on restarts of a check because new data was imported. */
const MOST_ROUNDS = 5;
/**
 * Minimum pause between two draws of the results: in milliseconds, and as a multiple of the
 * duration of the last draw. The longer one applies. A draw costs more than a response, and a long
 * list has hundreds of responses.
 */
const DRAW_EVERY = 400;
const DRAW_SHARE = 4;
/**
 * Upper bound on the length of a link to a list, in characters. Mail programs and messengers cut
 * off longer ones.
 */
export const LINK = 2000;
/** Score of a name that differs at most in its legal form. */
const SAME = 100;
/** A name with a score below this, out of 100, counts as a mismatch with the INN. */
const FITS = 40;
/** How many skipped totals rows are listed by number. */
const FEW_ROWS = 5;
/** Verdicts in order of importance. */
export const ORDER = ["listed", "previously-listed", "undetermined", "not-listed"];

/**
 * Session storage key of the INNs that the user chose for lines without one. The content of a line
 * identifies the choice.
 */
const CHOSEN = "batch-chosen";
const chosenKey = ({ name, text }) => `${name}\n${text}`;
const chosenHere = () => new Map(JSON.parse(getItem(CHOSEN) ?? "[]"));

/**
 * Creates a check of the list in `text`; `check` starts it. `source` says where the text comes
 * from, `kept` is the saved list that the text belongs to, or `null`. Properties of the result:
 *
 * - `lines`: the lines from `readList`. If an INN was chosen for a line, it has a `score`: that of
 *   the chosen supplier, or 0 if the INN was corrected
 * - `answers`: the responses with the verdicts, exactly as they were sent, and their receipts
 * - `fits`: scores of names compared with INNs, by `pairKey`
 * - `facts`: figures about contracts by INN, if `wantsFacts`
 * - `link`: an address that contains the whole list, or `null` if the address would be too long
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
    nextDraw: null,
    noDrawBefore: 0,
  };
  const link = hashOf("batch", "", { inn: innsOf(run).join(","), asOf });
  const isShort =
    innsOf(run).length <= AT_ONCE &&
    lines.every(({ inn }) => inn) &&
    `${location.origin}${location.pathname}${link}`.length <= LINK;
  return { ...run, link: isShort ? link : null };
}

const withChoice = (line, choice) => (choice ? { ...line, inn: choice.inn, score: choice.score } : line);

/** Returns a function that removes the INN from a line if the list has too many INNs. */
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

export const innsOf = ({ lines }) => [...new Set(lines.map(({ inn }) => inn).filter(Boolean))];

/** Returns the URLs that check these INNs, one per batch. */
export const urlsOf = (inns, format, asOf) =>
  Array.from({ length: Math.ceil(inns.length / AT_ONCE) }, (_, part) =>
    requestUrl("/rnp/check-suppliers", {
      supplierINN: inns.slice(part * AT_ONCE, (part + 1) * AT_ONCE).join(","),
      format,
      history: "1",
      asOf,
    }),
  );

/** Returns the names to search for, from the lines without an INN. */
const namesOf = ({ lines }) => [
  ...new Set(lines.filter(({ inn, name, why }) => !inn && name && why !== "over").map(({ name }) => name)),
];

/**
 * Counts the finished and the total steps: INNs, names to find, names to compare, suppliers'
 * contracts.
 */
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
 * Sends the outstanding requests and draws the results as they arrive. Returns the error that ended
 * the check, or `null` if the check was completed or stopped.
 */
export async function check(run) {
  if (run.going) return null;
  Object.assign(run, { going: true, stopped: false, stop: new AbortController(), error: null });
  run.draw();
  try {
    for (let round = 0; ; round += 1) {
      await checkInns(run);
      await findNames(run);
      await compareNames(run);
      await askFacts(run);
      if (!run.found.size || run.updated === dataUpdated()) break;
      // All verdicts of a list must be based on the same data, so after an import the check
      // restarts.
      if (round === MOST_ROUNDS) throw new RequestError("changed");
      forgetAnswers(run);
    }
  } catch (problem) {
    if (problem.name === "AbortError") run.stopped = true;
    else if (problem instanceof RequestError) run.error = problem;
    else throw problem;
  } finally {
    run.going = false;
    clearTimeout(run.nextDraw);
    run.nextDraw = null;
  }
  run.draw();
  return run.error;
}

/** Draws the results as soon as the minimum pause since the last draw is over. */
function drawSoon(run) {
  if (run.nextDraw !== null) return;
  const wait = run.noDrawBefore - Date.now();
  if (wait > 0) run.nextDraw = setTimeout(drawNow, wait, run);
  else drawNow(run);
}

function drawNow(run) {
  const start = Date.now();
  run.nextDraw = null;
  run.draw();
  run.noDrawBefore = Date.now() + DRAW_EVERY;
  // Layout and paint follow, and take longer than the script. A hidden tab skips them.
  const painted = () => (run.noDrawBefore = Date.now() + Math.max(DRAW_EVERY, DRAW_SHARE * (Date.now() - start)));
  requestAnimationFrame(() => setTimeout(painted));
}

const forgetAnswers = (run) =>
  Object.assign(run, { found: new Map(), answers: [], same: new Map(), fits: new Map(), facts: new Map() });

async function checkInns(run) {
  const missing = () => innsOf(run).filter((inn) => !run.found.has(inn));
  for (let inns = missing(); inns.length; inns = missing()) {
    const [url] = urlsOf(inns.slice(0, AT_ONCE), "json", run.asOf);
    const response = await get(about.hasReceipts ? withReceipt(url) : url, run.stop.signal);
    // The earlier results come from older data.
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
    drawSoon(run);
  }
}

async function findNames(run) {
  const missing = () => namesOf(run).filter((name) => !run.hits.has(name));
  for (let names = missing(); names.length; names = missing()) {
    const some = nextBatch(names, (name) => name);
    const { names: found } = await getJson(
      requestUrl("/find/names", { q: some.map(queryOf).join("\n"), format: "json" }),
      run.stop.signal,
    );
    some.forEach((name, at) => run.hits.set(name, found[at]?.hits ?? []));
    drawSoon(run);
  }
}

const pairKey = ({ inn, name }) => `${inn}\n${name}`;

/** Returns the pairs of INN and name in the list that have to be compared, without duplicates. */
function pairsOf(run) {
  const { lines, found } = run;
  const pairs = new Map();
  for (const line of lines) {
    // A supplier that was found by its name needs no comparison.
    if (!line.inn || !line.name || line.score > 0) continue;
    const known = found.get(line.inn)?.supplierName;
    if (known && !isSame(run, line, known)) pairs.set(pairKey(line), line);
  }
  return [...pairs.values()];
}

/**
 * Returns whether the name in a line obviously equals the supplier's. Cached, because every redraw
 * calls this.
 */
function isSame({ same }, line, known) {
  const key = pairKey(line);
  if (!same.has(key)) same.set(key, areSame(line.name, known));
  return same.get(key);
}

async function compareNames(run) {
  const missing = () => pairsOf(run).filter((pair) => !run.fits.has(pairKey(pair)));
  for (let pairs = missing(); pairs.length; pairs = missing()) {
    const some = nextBatch(pairs, ({ name }) => name);
    const { names } = await getJson(
      requestUrl("/find/names", {
        q: some.map(({ name }) => queryOf(name)).join("\n"),
        supplierINN: some.map(({ inn }) => inn).join(","),
        format: "json",
      }),
      run.stop.signal,
    );
    // The API gives no score to names that are too short to compare. They count as a match.
    some.forEach((pair, at) => run.fits.set(pairKey(pair), Number(names[at]?.hits[0]?.score ?? SAME)));
    drawSoon(run);
  }
}

/**
 * Returns how well a line's name matches its INN, from 0 to 100, or `undefined` if the two were not
 * compared.
 */
export const fitOf = (run, line) => {
  const known = line.inn && line.name && !(line.score > 0) && run.found.get(line.inn)?.supplierName;
  if (!known) return undefined;
  return isSame(run, line, known) ? SAME : run.fits.get(pairKey(line));
};

export const isMisfit = (run, line) => (fitOf(run, line) ?? SAME) < FITS;

/**
 * Returns the suppliers whose contracts are requested, those with the most important verdicts
 * first.
 */
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
    drawSoon(run);
  }
}

export const isBeyondAsked = ({ found }) => found.size > MOST_ASKED;

const queryOf = (name) => [...name].slice(0, LONGEST_QUERY).join("").trim();

/** Returns as many items as fit into one request. The estimate allows for an INN with each name. */
function nextBatch(things, nameOf) {
  let length = 0;
  const most = things
    .slice(0, NAMES_AT_ONCE)
    .findIndex((one) => (length += encodeURIComponent(queryOf(nameOf(one))).length + 16) > LONGEST_NAMES);
  return things.slice(0, most < 0 ? NAMES_AT_ONCE : Math.max(most, 1));
}

/**
 * Chooses an INN for all lines with the same content as `line`. An empty `inn` undoes the choice.
 * `score`: see `newRun`.
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

/** Returns the choices that the user made in a list, to be saved together with it. */
export const choicesOf = ({ lines }) => [
  ...new Map(
    lines
      .filter(({ score }) => score !== undefined)
      .map((line) => [chosenKey(line), { inn: line.inn, score: line.score }]),
  ),
];

/** Returns the lines whose name exactly matches a single supplier, as `[line, hit]`. */
export const sameNames = (run) =>
  run.lines.flatMap((line) => {
    const same = (line.inn ? [] : (run.hits.get(line.name) ?? [])).filter(({ score }) => Number(score) === SAME);
    return same.length === 1 ? [[line, same[0]]] : [];
  });

/** Returns why a line was not checked, or "" if it was. */
export function whyNot(run, line) {
  const supplier = run.found.get(line.inn);
  if (supplier) return supplier.verdict === "invalid" ? t("verdict.invalid.means") : "";
  if (line.inn) return t("batch.unanswered");
  return t(`batch.miss.${line.why}`, { most: count(MOST), digits: line.text.replace(/\D/g, "").length });
}

/**
 * Returns the rows of the results: suppliers with all their lines, and unchecked lines. A row is
 * `{inn, lines, supplier, why, misfits}`, where `misfits` are the lines whose name does not match
 * the INN.
 */
export function rowsOf(run) {
  const [done, rest] = [[], []];
  for (const line of run.lines) {
    // INNs that are still being checked get no row yet.
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

/**
 * Filters by name. A name that is not listed here is a verdict, and matches the rows with that
 * verdict.
 */
const FILTERS = {
  "": () => true,
  unchecked: ({ why }) => why !== "",
  byName: ({ lines }) => lines.some(({ score }) => score !== undefined),
  misfit: ({ misfits }) => misfits.length > 0,
  changed: ({ inn, why }, changes) => !why && changes?.has(inn),
};
export const isShown = (row, only, changes) =>
  (FILTERS[only] ?? (({ why, supplier }) => !why && supplier.verdict === only))(row, changes);

/** Describes how many lines have a verdict. */
export function doneWords(run) {
  const done = run.lines.filter((line) => !whyNot(run, line)).length;
  return plural(done, forms("batch.done")).replace("{all}", count(run.lines.length));
}

/** Describes how many totals rows were skipped, and lists the first ones. */
export const totalWords = (totals) =>
  plural(totals.length, forms("batch.totals")).replace("{rows}", totals.slice(0, FEW_ROWS).map(count).join(", "));

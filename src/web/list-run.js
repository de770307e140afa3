// The checking of a list: the verdicts on its INNs and the suppliers found by its names, as the
// API gives them, part by part; what was chosen of these; and what is to be said of each line.

import { dataUpdated, getJson, Trouble } from "./client.js";
import { answeredAt } from "./days.js";
import { count, plural } from "./figures.js";
import { missingDocuments } from "./ground.js";
import { grouped } from "./grouped.js";
import { readList } from "./list.js";
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
/** The longest link to a list, in characters: programs for mail and messages cut off longer ones. */
export const LINK = 2000;
/** A score of a name that is the same, legal form aside. */
const SAME = 100;
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
 * `link` is the address that has all of it, null where that is too long.
 */
export function newRun({ text, asOf, source = "", kept = null }) {
  const { lines: read, column, isUnclear } = readList(text);
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
    column,
    isUnclear,
    found: new Map(),
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

/** How much is done of how much: INNs and names. */
export function progressOf(run) {
  const [inns, names] = [innsOf(run), namesOf(run)];
  const done = inns.filter((inn) => run.found.has(inn)).length + names.filter((name) => run.hits.has(name)).length;
  return { done, all: inns.length + names.length };
}

/**
 * Requests the verdicts and hits that are missing, and draws those there are as they come.
 * Returns the trouble that it stopped at, null where it is done or was stopped.
 */
export async function check(run) {
  if (run.going) return null;
  Object.assign(run, { going: true, stopped: false, stop: new AbortController(), trouble: null });
  run.draw();
  try {
    await checkInns(run);
    await findNames(run);
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

async function checkInns(run) {
  const missing = () => innsOf(run).filter((inn) => !run.found.has(inn));
  for (let inns = missing(); inns.length; inns = missing()) {
    const answer = await getJson(urlsOf(inns.slice(0, AT_ONCE), "json", run.asOf)[0], run.stop.signal);
    // All verdicts of a list have one ground: once an import has changed the data, they begin again.
    const isOther = run.found.size > 0 && run.updated !== dataUpdated();
    if (isOther) run.found = new Map();
    else {
      if (!run.found.size)
        Object.assign(run, {
          updated: dataUpdated(),
          registries: answer.registries,
          documents: await missingDocuments(answer.registries),
        });
      for (const supplier of answer.suppliers) run.found.set(supplier.supplierINN, supplier);
      run.date = answeredAt();
    }
    run.draw();
  }
}

async function findNames(run) {
  const missing = () => namesOf(run).filter((name) => !run.hits.has(name));
  for (let names = missing(); names.length; names = missing()) {
    const some = together(names);
    const { names: found } = await getJson(
      requestUrl("/find/names", { q: some.map(queryOf).join("\n"), format: "json" }),
      run.stop.signal,
    );
    some.forEach((name, at) => run.hits.set(name, found[at]?.hits ?? []));
    run.draw();
  }
}

const queryOf = (name) => [...name].slice(0, LONGEST_QUERY).join("").trim();

/** As many of the names as go into one request. */
function together(names) {
  let length = 0;
  const most = names
    .slice(0, NAMES_AT_ONCE)
    .findIndex((name) => (length += encodeURIComponent(queryOf(name)).length + 3) > LONGEST_NAMES);
  return names.slice(0, most < 0 ? NAMES_AT_ONCE : Math.max(most, 1));
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
 * `{inn, lines, supplier, why}`.
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
  }));
  const checked = [...grouped(done, ({ inn }) => inn)].map(([inn, lines]) => ({
    inn,
    lines,
    supplier: run.found.get(inn),
    why: "",
  }));
  return [...unchecked, ...checked];
}

/** Which rows a filter leaves, by its name: those of a verdict, or one of these. */
const FILTERS = {
  "": () => true,
  unchecked: ({ why }) => why !== "",
  byName: ({ lines }) => lines.some(({ score }) => score !== undefined),
  changed: ({ inn, why }, changes) => !why && changes?.has(inn),
};
export const isShown = (row, only, changes) =>
  (FILTERS[only] ?? (({ why, supplier }) => !why && supplier.verdict === only))(row, changes);

/** How many lines of the list were checked, each that has a verdict, and how many lines it has. */
export function doneWords(run) {
  const done = run.lines.filter((line) => !whyNot(run, line)).length;
  return plural(done, forms("batch.done")).replace("{all}", count(run.lines.length));
}

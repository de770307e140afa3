// Lists that are kept in the browser by name, and what the registry said of their suppliers
// when they were last checked. Nothing of them leaves the browser.

import { choicesOf } from "./list-run.js";
import { getItem, lasting, setItem } from "./storage.js";

/** How many lists are kept, and the longest name of one, in characters. */
export const MOST_KEPT = 50;
export const LONGEST_NAME = 80;

const NAMES = "lists";
const placeOf = (name) => `list/${name}`;

const parsed = (text, none) => {
  try {
    return JSON.parse(text) ?? none;
  } catch {
    return none;
  }
};

/** The names of the lists that are kept. */
export const keptNames = () => parsed(lasting.getItem(NAMES), []);

/**
 * The list of that name as it was kept, null for none: `{name, text, asOf, source, lines, chosen,
 * checked, said}`: `lines` their number, `checked` the time of the last check, `said` what
 * the registry then said, by INN.
 */
export const keptList = (name) => parsed(lasting.getItem(placeOf(name)), null);

/**
 * What the registry says of a supplier, to compare: the verdict, the numbers of the entries in
 * force and of the others.
 */
const saying = ({ verdict, entries = [], previousEntries = [] }) => [
  verdict,
  ...[entries, previousEntries].map((some) => some.map(({ registrationNumber }) => registrationNumber).sort()),
];

/** Keeps a list that was checked under `name`; whether the browser has room for it. */
export function keep(run, name) {
  const { text, asOf, source, lines, found, date } = run;
  const kept = {
    name,
    text,
    asOf,
    source,
    lines: lines.length,
    chosen: choicesOf(run),
    checked: date,
    said: Object.fromEntries([...found].map(([inn, supplier]) => [inn, saying(supplier)])),
  };
  const names = keptNames().filter((one) => one !== name);
  if (names.length >= MOST_KEPT || !lasting.setItem(placeOf(name), JSON.stringify(kept))) return false;
  return lasting.setItem(NAMES, JSON.stringify([...names, name].sort((one, other) => one.localeCompare(other, "ru"))));
}

export function forget(name) {
  lasting.removeItem(placeOf(name));
  lasting.setItem(NAMES, JSON.stringify(keptNames().filter((one) => one !== name)));
}

/** What a kept list is compared with: the check before this visit, which is for as long as the tab is open. */
export function baseline({ name, checked, said }) {
  const place = `baseline/${name}`;
  const before = parsed(getItem(place), null);
  if (before) return before;
  setItem(place, JSON.stringify({ checked, said }));
  return { checked, said };
}

/**
 * The suppliers of whom the registry says something else than at an earlier check, by INN:
 * `{verdict, isNew, isGone}`: the verdict that was, where it is another now, and whether entries
 * came into force or ended. The map has the day of that check as `since`.
 */
export function changesSince({ checked, said }, found) {
  const changes = Object.assign(new Map(), { since: checked });
  for (const [inn, supplier] of found) {
    const [verdict, entries] = Object.hasOwn(said, inn) ? said[inn] : [];
    if (verdict === undefined || verdict === "invalid") continue;
    const now = saying(supplier);
    const isNew = now[1].some((number) => !entries.includes(number));
    const isGone = entries.some((number) => !now[1].includes(number));
    if (verdict !== now[0] || isNew || isGone)
      changes.set(inn, { verdict: verdict === now[0] ? "" : verdict, isNew, isGone });
  }
  return changes;
}

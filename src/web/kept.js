// Lists saved in this browser by name, with the registry's verdicts at the last check. Nothing here
// leaves the browser.

import { choicesOf } from "./list-run.js";
import { getItem, localStore, setItem } from "./storage.js";

/** Upper bounds on saved lists and on the length of a name, in characters. */
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

export const keptNames = () => parsed(localStore.getItem(NAMES), []);

/**
 * Returns a saved list as `{name, text, asOf, source, lines, chosen, checked, said}`, or `null`.
 * `lines` is the number of lines, `checked` the time of the last check, `said` the registry's
 * results of that check, by INN.
 */
export const keptList = (name) => parsed(localStore.getItem(placeOf(name)), null);

/**
 * Reduces a check to the parts that are compared: the verdict and the numbers of current and
 * earlier entries.
 */
const comparable = ({ verdict, entries = [], previousEntries = [] }) => [
  verdict,
  ...[entries, previousEntries].map((some) => some.map(({ registrationNumber }) => registrationNumber).sort()),
];

/**
 * Saves a checked list as `name`. Returns `false` if there are already `MOST_KEPT` other lists, or
 * if the storage is full.
 */
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
    said: Object.fromEntries([...found].map(([inn, supplier]) => [inn, comparable(supplier)])),
  };
  const names = keptNames().filter((one) => one !== name);
  if (names.length >= MOST_KEPT || !localStore.setItem(placeOf(name), JSON.stringify(kept))) return false;
  const sorted = [...names, name].sort((one, other) => one.localeCompare(other, "ru"));
  return localStore.setItem(NAMES, JSON.stringify(sorted));
}

export function forget(name) {
  localStore.removeItem(placeOf(name));
  localStore.setItem(NAMES, JSON.stringify(keptNames().filter((one) => one !== name)));
}

/** Returns the earlier check to compare with: the last one made before this tab opened the list. */
export function baseline({ name, checked, said }) {
  const place = `baseline/${name}`;
  const before = parsed(getItem(place), null);
  if (before) return before;
  setItem(place, JSON.stringify({ checked, said }));
  return { checked, said };
}

/**
 * Compares `found` with an earlier check. Returns a map from INN to `{verdict, isNew, isGone}`: the
 * earlier verdict if it has changed, and whether entries have come into force or ended since. The
 * map's property `since` is the time of the earlier check.
 */
export function changesSince({ checked, said }, found) {
  const changes = Object.assign(new Map(), { since: checked });
  for (const [inn, supplier] of found) {
    const [verdict, entries] = Object.hasOwn(said, inn) ? said[inn] : [];
    if (verdict === undefined || verdict === "invalid") continue;
    const now = comparable(supplier);
    const isNew = now[1].some((number) => !entries.includes(number));
    const isGone = entries.some((number) => !now[1].includes(number));
    if (verdict !== now[0] || isNew || isGone)
      changes.set(inn, { verdict: verdict === now[0] ? "" : verdict, isNew, isGone });
  }
  return changes;
}

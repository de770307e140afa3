// The state of the registries behind a verdict, in words. The verdict itself comes from the API;
// nothing here decides it.

import { about } from "./client.js";
import { day } from "./days.js";
import { h } from "./dom.js";
import { count } from "./figures.js";
import { grouped } from "./grouped.js";
import { lawName, t } from "./texts.js";

/** Returns the registries that were checked. The others have no state. */
const asked = (registries) => registries.filter(({ state }) => state);

/**
 * Returns the date of the oldest data among the checked registries, or "" if one of them is
 * incomplete.
 */
export function dataDay(registries) {
  const days = asked(registries).map(({ completeAsOf }) => completeAsOf ?? "").sort();
  return days[0] ?? "";
}

/**
 * How well the data of a registry serves as a basis:
 *
 * - `covers`: complete for the day
 * - `complete`: complete, but not for that day
 * - `unread`: some entries could not be read
 * - `partial`, `none`: incomplete, or no data at all
 * - `notAsked`: not checked
 */
const kindOf = ({ state, covers, unread }) => {
  if (covers) return "covers";
  return state === "complete" && unread > 0 ? "unread" : state || "notAsked";
};

/** Describes a registry for the table of a record. The law and the dates are in other cells. */
export const stateName = (registry) => t(`registry.state.${kindOf(registry)}`);

/** Describes a registry in a phrase that names its law or laws. */
function registryWords(registry, law = lawName(registry.federalLaw)) {
  const { completeSince, completeAsOf } = registry;
  if (kindOf(registry) !== "complete") {
    return t(`registry.${kindOf(registry)}`, { law, day: day(completeAsOf), n: count(Number(registry.unread ?? 0)) });
  }
  return completeSince === completeAsOf
    ? t("registry.oneDay", { law, day: day(completeAsOf) })
    : t("registry.complete", { law, from: day(completeSince), to: day(completeAsOf) });
}

/**
 * Explains briefly why the data does not suffice. Names the laws, unless this applies to all
 * checked registries.
 */
export function lackWords(registries) {
  const lacks = asked(registries).filter(({ covers }) => !covers);
  const isUnread = lacks.length === 0;
  const some = isUnread ? asked(registries).filter(({ unread }) => unread > 0) : lacks;
  const kinds = new Set(some.map(kindOf));
  const kind = isUnread || kinds.has("unread") ? "unread" : kinds.size === 1 ? [...kinds][0] : "partial";
  const of = some.length === asked(registries).length ? "" : t("registry.lack.of", { laws: lawsOf(some) });
  return t(`registry.lack.${kind}`, { of });
}

/** Joins the names of the registries' laws: `44-ФЗ, 223-ФЗ`. */
const lawsOf = (registries) => registries.map(({ federalLaw }) => lawName(federalLaw)).join(", ");

/**
 * States how many entries could not be read in registries that cover the day, because one of them
 * may concern this supplier. Returns "" if there are none.
 */
export const unreadWords = (registries) =>
  asked(registries).filter((one) => one.covers && one.unread > 0).map((one) =>
    `${t("registry.unread", { law: lawName(one.federalLaw), n: count(Number(one.unread)) })}.`).join(" ");

/**
 * States what the registries lack, in one sentence per law or group of laws. Returns "" if they
 * lack nothing.
 */
export function lacking(registries) {
  const alike = grouped(asked(registries).filter(({ covers }) => !covers), (one) => registryWords(one, ""));
  const lacks = [...alike.values()].map((some) => `${registryWords(some[0], lawsOf(some))}.`);
  return [...lacks, unreadWords(registries)].filter(Boolean).join(" ");
}

/**
 * Describes the documents missing from registries that do not cover the day. Returns an empty array
 * if that is unknown.
 */
export async function missingDocuments(registries) {
  const laws = registries.filter(({ covers }) => covers === false).map(({ federalLaw }) => federalLaw);
  if (!about.hasCoverage || !laws.length) return [];
  return import("./coverage.js").then(({ missingOf }) => missingOf(laws), () => []);
}

export const groundList = (registries) =>
  h("ul", { class: "plain" }, asked(registries).map((registry) => h("li", {}, registryWords(registry))));

/**
 * Renders the checked registries on one line, grouping laws with the same date. Highlights data
 * that is older than the newest or does not cover the day.
 */
export function marks(registries) {
  const all = asked(registries);
  const newest = all.filter(({ covers }) => covers).map(({ completeAsOf }) => completeAsOf ?? "").sort().at(-1);
  const groups = [...grouped(all, (one) => registryWords(one, "")).values()];
  return h("p", { class: "marks" }, h("strong", {}, t("registry.marks")), " ", groups.flatMap((some, at) => {
    const [first] = some;
    const isBehind = !first.covers || first.completeAsOf !== newest;
    const words = `${lawsOf(some)} — ${stateOf(first)}`;
    return [at > 0 && "; ", h("span", { class: isBehind ? "behind" : null }, words)];
  }));
}

/** Describes a registry in a phrase that follows the name of its law. */
function stateOf(registry) {
  const { completeSince, completeAsOf, unread } = registry;
  const kind = kindOf(registry);
  const name = kind === "complete" && completeSince === completeAsOf ? "oneDay" : kind;
  const to = day(completeAsOf);
  return t(`registry.mark.${name}`, { from: day(completeSince), to, day: to, n: count(Number(unread ?? 0)) });
}

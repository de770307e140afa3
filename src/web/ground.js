// The state of the registries behind a verdict, in words. The verdict itself comes from the API;
// nothing here decides it.

import { about } from "./client.js";
import { day } from "./days.js";
import { h } from "./dom.js";
import { count } from "./figures.js";
import { grouped } from "./grouped.js";
import { lawName, t } from "./texts.js";

/** The registries that were checked. */
const asked = (registries) => registries.filter(({ state }) => state);

/** Returns the oldest date among the registries' data, "" if one of them is incomplete. */
export function dataDay(registries) {
  const days = asked(registries).map(({ completeAsOf }) => completeAsOf ?? "").sort();
  return days[0] ?? "";
}

/**
 * Classifies the data of a registry: `covers` the day; `complete`, but for other days; `unread` in
 * part; `partial`; `none`; `notAsked`.
 */
const kindOf = ({ state, covers, unread }) => {
  if (covers) return "covers";
  return state === "complete" && unread > 0 ? "unread" : state || "notAsked";
};

/** Describes a registry for the table of a record, which has the law and the dates in separate cells. */
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
 * Says briefly why the data does not suffice. Names the laws unless it applies to all registries
 * that were checked.
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

/** Lists the laws of registries: `44-ФЗ, 223-ФЗ`. */
const lawsOf = (registries) => registries.map(({ federalLaw }) => lawName(federalLaw)).join(", ");

/**
 * Says how many entries could not be read in registries that cover the day: one of them may be
 * about this supplier. "" if there are none.
 */
export const unreadWords = (registries) =>
  asked(registries).filter((one) => one.covers && one.unread > 0).map((one) =>
    `${t("registry.unread", { law: lawName(one.federalLaw), n: count(Number(one.unread)) })}.`).join(" ");

/** Says what the registries lack, one sentence per law or group of laws. "" if they lack nothing. */
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

/** The registries that were checked with their dates, as a list. */
export const groundList = (registries) =>
  h("ul", { class: "plain" }, asked(registries).map((registry) => h("li", {}, registryWords(registry))));

/**
 * The registries that were checked, on one line. Laws with the same date are grouped. Data that is
 * older than the newest or does not cover the day is highlighted.
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

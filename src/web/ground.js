// The ground of a verdict in words: the registry of each law, as the API gives it with the
// verdict. Nothing here decides a verdict.

import { about } from "./client.js";
import { day } from "./days.js";
import { h } from "./dom.js";
import { count } from "./figures.js";
import { grouped } from "./grouped.js";
import { lawName, t } from "./texts.js";

/** The registries of the laws that were asked. */
const asked = (registries) => registries.filter(({ state }) => state);

/** The earliest day of the data of these registries; "" where one is not complete. */
export function dataDay(registries) {
  const days = asked(registries).map(({ completeAsOf }) => completeAsOf ?? "").sort();
  return days[0] ?? "";
}

/**
 * What the data has of a registry: `covers` the day, `complete` on other days, `unread` in part,
 * `partial`, `none`, `notAsked`.
 */
const kindOf = ({ state, covers, unread }) => {
  if (covers) return "covers";
  return state === "complete" && unread > 0 ? "unread" : state || "notAsked";
};

/** What the data has of a registry, in words; the table of the sheet has the law and the days in cells of their own. */
export const stateName = (registry) => t(`registry.state.${kindOf(registry)}`);

/** The same in a phrase that names the law, or several. */
function registryWords(registry, law = lawName(registry.federalLaw)) {
  const { completeSince, completeAsOf } = registry;
  if (kindOf(registry) !== "complete") {
    return t(`registry.${kindOf(registry)}`, { law, day: day(completeAsOf), n: count(Number(registry.unread ?? 0)) });
  }
  return completeSince === completeAsOf
    ? t("registry.oneDay", { law, day: day(completeAsOf) })
    : t("registry.complete", { law, from: day(completeSince), to: day(completeAsOf) });
}

/** Why the data does not answer, in a few words: of all registries that were asked, or of those that lack. */
export function lackWords(registries) {
  const lacks = asked(registries).filter(({ covers }) => !covers);
  const isUnread = lacks.length === 0;
  const some = isUnread ? asked(registries).filter(({ unread }) => unread > 0) : lacks;
  const kinds = new Set(some.map(kindOf));
  const kind = isUnread || kinds.has("unread") ? "unread" : kinds.size === 1 ? [...kinds][0] : "partial";
  const of = some.length === asked(registries).length ? "" : t("registry.lack.of", { laws: lawsOf(some) });
  return t(`registry.lack.${kind}`, { of });
}

/** The laws of registries in a row: `44-ФЗ, 223-ФЗ`. */
const lawsOf = (registries) => registries.map(({ federalLaw }) => lawName(federalLaw)).join(", ");

/**
 * The entries that could not be read in registries that cover the day, in a sentence for each
 * law: one of them may be about the supplier. "" for none.
 */
export const unreadWords = (registries) =>
  asked(registries).filter((one) => one.covers && one.unread > 0).map((one) =>
    `${t("registry.unread", { law: lawName(one.federalLaw), n: count(Number(one.unread)) })}.`).join(" ");

/** What is lacking, in a sentence for each law, or for laws that lack the same; "" where nothing is. */
export function lacking(registries) {
  const alike = grouped(asked(registries).filter(({ covers }) => !covers), (one) => registryWords(one, ""));
  const lacks = [...alike.values()].map((some) => `${registryWords(some[0], lawsOf(some))}.`);
  return [...lacks, unreadWords(registries)].filter(Boolean).join(" ");
}

/** Which documents the registries lack that do not cover the day; none where that cannot be had. */
export async function missingDocuments(registries) {
  const laws = registries.filter(({ covers }) => covers === false).map(({ federalLaw }) => federalLaw);
  if (!about.hasCoverage || !laws.length) return [];
  return import("./coverage.js").then(({ missingOf }) => missingOf(laws), () => []);
}

/** The registries that were asked, each with the days of its data. */
export const groundList = (registries) =>
  h("ul", { class: "plain" }, asked(registries).map((registry) => h("li", {}, registryWords(registry))));

/**
 * The registries that were asked, on one line: laws whose data is of the same day stand together.
 * What is older than the newest of them, or does not cover the day, stands out.
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

/** What the data has of a registry, in a phrase that stands after the name of its law. */
function stateOf(registry) {
  const { completeSince, completeAsOf, unread } = registry;
  const kind = kindOf(registry);
  const name = kind === "complete" && completeSince === completeAsOf ? "oneDay" : kind;
  const to = day(completeAsOf);
  return t(`registry.mark.${name}`, { from: day(completeSince), to, day: to, n: count(Number(unread ?? 0)) });
}

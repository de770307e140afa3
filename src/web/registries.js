// Who is in no registry: that may be said only of a registry that is complete, and not too
// old for the day in question. Each answer says what registries it is from.

import { about } from "./client.js";
import { day, todayInMoscow } from "./days.js";
import { lawName, t } from "./texts.js";

const DAY = 86_400_000;

/** What a registry is good for on the day `asOf` (none: today): `fresh`, `old`, `partial`, `none`. */
export function standing({ state, completeAsOf }, asOf) {
  if (state !== "complete") return state;
  const most = about.maxRegistryAgeDays;
  const age = (Date.parse(asOf || todayInMoscow()) - Date.parse(completeAsOf)) / DAY;
  return most === null || age <= most ? "fresh" : "old";
}

/** The verdict to show: `not-listed` only where a registry says so, else what is wrong with the best one. */
export function shownVerdict(verdict, registries, asOf) {
  if (verdict === "no-registry" && registries.some(({ state }) => state !== "none")) return "partial-registry";
  if (verdict !== "not-listed") return verdict;
  const standings = registries.map((registry) => standing(registry, asOf));
  if (standings.includes("fresh")) return verdict;
  return standings.includes("old") ? "old-registry" : "partial-registry";
}

/** What the registries are good for, in sentences that name each law, and what of them is here. */
export function standingWords(registries, asOf) {
  const named = ({ federalLaw, completeAsOf }) =>
    completeAsOf ? t("registry.law", { law: lawName(federalLaw), day: day(completeAsOf) }) : lawName(federalLaw);
  const sentences = ["fresh", "old", "partial", "none"].map((kind) => {
    const laws = registries.filter((registry) => standing(registry, asOf) === kind).map(named);
    return laws.length > 0 && t(`registry.${kind}`, { laws: laws.join(", ") });
  });
  return [...sentences, ...registries.map(({ obtained }) => obtained)].filter(Boolean).join(" ");
}

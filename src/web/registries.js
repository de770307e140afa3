// Who is in no registry: that may be said only of a registry that is complete, and not too
// old for the day in question. Each answer says what registries it is from.

import { about } from "./client.js";
import { day, todayInMoscow } from "./days.js";
import { lawName, t } from "./texts.js";

const DAY = 86_400_000;

/**
 * What a registry is good for on a day: `fresh`, `old`, `past`, `partial`, `none`. As of a day in
 * the `past` that is before the one it is complete as of, it bears out only the entries that
 * are there: those removed in between may be missing.
 */
export function standing({ state, completeAsOf }, on) {
  if (state !== "complete") return state;
  if (on < completeAsOf && on < todayInMoscow()) return "past";
  const most = about.maxRegistryAgeDays;
  const age = (Date.parse(on) - Date.parse(completeAsOf)) / DAY;
  return most === null || age <= most ? "fresh" : "old";
}

/** The verdict to show: `not-listed` only where a registry says so, else what is wrong with the best one on that day. */
export function shownVerdict(verdict, registries, on) {
  if (verdict === "no-registry" && registries.some(({ state }) => state !== "none")) return "partial-registry";
  if (verdict !== "not-listed") return verdict;
  const standings = registries.map((registry) => standing(registry, on));
  if (standings.includes("fresh")) return verdict;
  return `${["past", "old"].find((one) => standings.includes(one)) ?? "partial"}-registry`;
}

/** What the registries are good for on a day, in sentences that name each law, and what of them is here. */
export function standingWords(registries, on) {
  const named = ({ federalLaw, completeAsOf }) =>
    completeAsOf ? t("registry.law", { law: lawName(federalLaw), day: day(completeAsOf) }) : lawName(federalLaw);
  const sentences = ["fresh", "past", "old", "partial", "none"].map((kind) => {
    const laws = registries.filter((registry) => standing(registry, on) === kind).map(named);
    return laws.length > 0 && t(`registry.${kind}`, { laws: laws.join(", ") });
  });
  return [...sentences, ...registries.map(({ obtained }) => obtained)].filter(Boolean).join(" ");
}

// The ground of a verdict in words: the registry of each law, as the API gives it with the
// verdict. Nothing here decides a verdict.

import { about } from "./client.js";
import { day, shortDay } from "./days.js";
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

/** Why the data does not answer, in a few words for all registries that were asked. */
export function lackWords(registries) {
  const whole = ["none", "complete"].find((state) => asked(registries).every((one) => one.state === state));
  const isUnread = whole === "complete" && asked(registries).some(({ unread }) => unread > 0);
  return t(`registry.lack.${isUnread ? "unread" : whole ?? "partial"}`);
}

/** What is lacking, in a sentence for each law, or for laws that lack the same; "" where nothing is. */
export function lacking(registries) {
  const alike = grouped(asked(registries).filter(({ covers }) => !covers), (one) => registryWords(one, ""));
  const laws = (some) => some.map(({ federalLaw }) => lawName(federalLaw)).join(", ");
  const lacks = [...alike.values()].map((some) => `${registryWords(some[0], laws(some))}.`);
  // Such an entry may be about the supplier though its registry covers the day.
  const unread = asked(registries).filter((one) => one.covers && one.unread > 0).map((one) =>
    `${t("registry.unread", { law: lawName(one.federalLaw), n: count(Number(one.unread)) })}.`);
  return [...lacks, ...unread].join(" ");
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
 * A mark for each law that was asked: a check with the day of its data, where that covers the
 * day, else a question mark.
 */
export const marks = (registries) =>
  h("ul", { class: "marks", "aria-label": t("registry.ground") }, asked(registries).map((registry) => {
    const { federalLaw, covers, completeAsOf } = registry;
    return h("li", { class: covers ? "covers" : null, title: registryWords(registry) },
      h("span", { "aria-hidden": "true" }, lawName(federalLaw), covers ? ` ✓\u00a0${shortDay(completeAsOf)}` : " ?"),
      h("span", { class: "unseen" }, registryWords(registry)));
  }));

// Marks beside suppliers: what the registry of unfair suppliers says of them today. They come after
// the rows they stand in, and stay empty where they cannot be had.

import { getJson, Trouble } from "./client.js";
import { h, icon, toast } from "./dom.js";
import { isInn, requestUrl } from "./routes.js";
import { t } from "./texts.js";

/** On how many suppliers a request asks for the verdict at most. */
const MOST = 200;
/** The verdicts that a list speaks of; of the others it needs no words. */
const UNUSUAL = ["listed", "previously-listed"];

const words = (verdict) => t(`verdict.${verdict}.short`);

/** How a mark looks, by the name that its place has for it. */
const MARKS = {
  /** Every verdict in words. */
  tag: (verdict) => h("span", { class: `tag ${verdict}`, title: t("rnp.title") }, words(verdict)),
  /** Those alone that are in the registry or were. */
  unusual: (verdict) => UNUSUAL.includes(verdict) &&
    h("span", { class: `tag ${verdict}`, title: t("rnp.title") }, icon(verdict), words(verdict)),
  /** An icon for each, with words where it is unusual. */
  icon: (verdict) => h("span", { class: `mark-of ${verdict}`, title: words(verdict) }, icon(verdict),
    h("span", { class: UNUSUAL.includes(verdict) ? null : "unseen" }, words(verdict))),
};

/** A place for the mark of a supplier, empty until `fillMarks`. */
export const markPlace = (inn, look = "tag") =>
  isInn(inn) && h("span", { class: "verdict-of", "data-inn": inn, "data-look": look });

/** Puts the verdicts of today into the places for marks within `place`; a message says where they cannot be had. */
export async function fillMarks(place, signal) {
  const places = [...place.querySelectorAll(".verdict-of:empty")];
  const inns = [...new Set(places.map(({ dataset }) => dataset.inn))];
  for (let at = 0; at < inns.length; at += MOST) {
    const verdicts = await verdictsOf(inns.slice(at, at + MOST), signal);
    for (const one of places) {
      const verdict = verdicts.get(one.dataset.inn);
      const mark = verdict && MARKS[one.dataset.look](verdict);
      if (mark) one.replaceChildren(mark);
    }
  }
}

/** The verdicts by INN; none where they cannot be had. */
async function verdictsOf(inns, signal) {
  const url = requestUrl("/rnp/check-suppliers", { supplierINN: inns.join(","), format: "json" });
  try {
    const { suppliers } = await getJson(url, signal);
    return new Map(suppliers.map(({ supplierINN, verdict }) => [supplierINN, verdict]));
  } catch (trouble) {
    if (trouble.name === "AbortError") return new Map();
    if (!(trouble instanceof Trouble)) throw trouble;
    toast(t("marks.failed"));
    return new Map();
  }
}

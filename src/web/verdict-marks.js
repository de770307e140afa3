// Marks beside suppliers' names that show the current registry verdict. They are filled in after
// the rows appear.

import { getJson, RequestError } from "./client.js";
import { h, icon, toast } from "./dom.js";
import { isInn, requestUrl } from "./routes.js";
import { t } from "./texts.js";

/** Upper bound of the API on suppliers per request. */
const MOST = 200;
/** Verdicts that every style of mark shows in words. */
const UNUSUAL = ["listed", "previously-listed"];

const words = (verdict) => t(`verdict.${verdict}.short`);

/** Renders a mark in the style named by `look`. */
const MARKS = {
  /** Every verdict in words. */
  tag: (verdict) => h("span", { class: `tag ${verdict}`, title: t("rnp.title") }, words(verdict)),
  /** Words, only for suppliers that are or were listed. */
  unusual: (verdict) => UNUSUAL.includes(verdict) &&
    h("span", { class: `tag ${verdict}`, title: t("rnp.title") }, icon(verdict), words(verdict)),
  /** An icon for every verdict, with words if the supplier is or was listed. */
  icon: (verdict) => h("span", { class: `mark-of ${verdict}`, title: words(verdict) }, icon(verdict),
    h("span", { class: UNUSUAL.includes(verdict) ? null : "unseen" }, words(verdict))),
};

/** An empty placeholder for a supplier's mark; see `fillMarks`. */
export const markPlace = (inn, look = "tag") =>
  isInn(inn) && h("span", { class: "verdict-of", "data-inn": inn, "data-look": look });

/** The mark of a supplier whose verdict could not be fetched. */
const failed = () => h("span", { class: "tag undetermined failed", title: t("marks.failed") }, t("marks.unchecked"));

/**
 * Fills the marks in `place` that are empty or failed with the current verdicts. Shows a message if
 * these cannot be fetched.
 */
export async function fillMarks(place, signal) {
  const places = [...place.querySelectorAll(".verdict-of:is(:empty, :has(.failed))")];
  const inns = [...new Set(places.map(({ dataset }) => dataset.inn))];
  for (let at = 0; at < inns.length; at += MOST) {
    const some = inns.slice(at, at + MOST);
    const verdicts = await verdictsOf(some, signal);
    if (signal.aborted) return;
    for (const one of places.filter(({ dataset }) => some.includes(dataset.inn))) {
      const verdict = verdicts?.get(one.dataset.inn);
      const mark = verdicts ? verdict && MARKS[one.dataset.look](verdict) : failed();
      one.replaceChildren(...(mark ? [mark] : []));
    }
  }
}

/** Returns a map from INN to verdict, or `null` if the verdicts cannot be fetched. */
async function verdictsOf(inns, signal) {
  const url = requestUrl("/rnp/check-suppliers", { supplierINN: inns.join(","), format: "json" });
  try {
    const { suppliers } = await getJson(url, signal);
    return new Map(suppliers.map(({ supplierINN, verdict }) => [supplierINN, verdict]));
  } catch (error) {
    if (error.name === "AbortError") return null;
    if (!(error instanceof RequestError)) throw error;
    toast(t("marks.failed"));
    return null;
  }
}

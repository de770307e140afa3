// What the registry of unfair suppliers says of a supplier: the verdict in words, from which
// registries of which day it is, and the entries.

import { dataUpdated } from "./client.js";
import { day, moscow, todayInMoscow } from "./days.js";
import { downloadBar } from "./downloads.js";
import { h, icon } from "./dom.js";
import { count } from "./figures.js";
import { withFilters } from "./filters.js";
import { customerLink, facts, take } from "./record.js";
import { hashOf, readHash, requestUrl } from "./routes.js";
import { sources } from "./sources.js";
import { lawName, reasonWords, t } from "./texts.js";

/** The URL of the verdict on a supplier, with all its entries. */
export const verdictUrl = (inn, asOf, format) => requestUrl("/rnp/check-suppliers", { supplierINN: inn, format, history: "1", asOf });

/** A verdict in words: of the chosen day, or of now. */
export function verdictWords(verdict, asOf) {
  const words = t(`verdict.${verdict}`);
  if (!asOf) return words;
  if (verdict === "previously-listed") return t("verdict.previously-listed.then", { day: day(asOf) });
  return t("verdict.then", { day: day(asOf), words: words[0].toLowerCase() + words.slice(1) });
}

/** What the verdict means, in a sentence. */
export const verdictMeaning = (verdict, asOf) => t(asOf && verdict === "not-listed" ? "verdict.not-listed.meansThen" : `verdict.${verdict}.means`);

/**
 * The verdict in words, from which registries and data, its entries, and the day that it is
 * of. `supplier.from`: what the registries are good for; `urls(format)` those of the answer.
 */
export function verdictCard(whose, supplier, asOf, urls) {
  const { verdict } = supplier;
  const entries = supplier.entries ?? [];
  const earlier = supplier.previousEntries ?? [];
  return [
    h("div", { class: `verdict ${verdict}` },
      icon(verdict, "large"),
      h("div", { class: "words" },
        h("h2", {}, verdictWords(verdict, asOf)),
        h("p", {}, verdictMeaning(verdict, asOf)),
        h("p", { class: "aside" }, t("rnp.said", { day: day(asOf || todayInMoscow()) }), " ", supplier.from, " ", t("data.updated", { time: moscow(dataUpdated()) }), "."),
      ),
      asOfField(whose, asOf),
    ),
    entryList(t("rnp.entries"), entries, true),
    entryList(t("rnp.previous"), earlier, entries.length === 0),
    h("div", { class: "take" },
      h("a", { class: "button", href: evidenceHash(whose) }, t("evidence.open")),
      h("details", {}, h("summary", {}, t("answer.take")), downloadBar({ urls }))),
  ];
}

/** The address of the confirmation of what the address now has: of the same day and filters. */
const evidenceHash = ({ inn }) => hashOf("evidence", inn, Object.fromEntries(readHash(location.hash).params));

/** Brings the link to the confirmation up to date, where the card is in `section`. */
export const refreshEvidence = (section, whose) => section.querySelector(".take > a")?.setAttribute("href", evidenceHash(whose));

/** The day that the verdict is of, and a field for another. */
function asOfField(whose, asOf) {
  const said = h("p", { class: "said", id: "as-of-said", role: "alert", hidden: true });
  // While a year is being typed it is first 0002, then 0020: an error shows only once it is left so.
  const judge = (event) => {
    const { currentTarget: field, type } = event;
    const { valid } = field.validity;
    if (valid || type !== "change" || field.value >= "1000") {
      said.textContent = valid ? "" : t("rnp.badDay", { shown: asOf ? t("rnp.on", { day: day(asOf) }) : t("rnp.isToday") });
      said.hidden = valid;
      if (valid) field.removeAttribute("aria-invalid");
      else field.setAttribute("aria-invalid", "true");
    }
    if (valid && type === "change" && field.value !== asOf) location.hash = withFilters(whose, { asOf: field.value });
  };
  return h("details", { class: asOf ? "as-of" : "as-of today", open: asOf !== "" },
    h("summary", { "data-stay": "another-day" }, t("rnp.anotherDay")),
    h("label", { for: "as-of" }, t("rnp.asOf")),
    h("input", { type: "date", id: "as-of", value: asOf, min: "2000-01-01", max: "2100-12-31", "data-stay": "as-of", "aria-describedby": "as-of-said", on: { change: judge, blur: judge, keydown: (event) => event.key === "Enter" && judge(event) } }),
    said,
    h("p", { class: "aside" }, asOf ? h("a", { "data-stay": "as-of", href: withFilters(whose, { asOf: "" }) }, t("rnp.today")) : t("rnp.isToday")));
}

/** Up to how many entries are shown unfolded. */
const FEW = 6;

function entryList(title, entries, open) {
  if (!entries.length) return null;
  const list = h("ol", {}, entries.map((entry) => h("li", { class: "entry" }, entryCard({ ...entry }), sources(entry.registrationNumber))));
  const words = [title, " ", h("span", { class: "badge" }, count(entries.length))];
  // A few that are in force need no folding.
  if (open && entries.length <= FEW) return h("section", { class: "entries" }, h("h3", {}, words), list);
  return h("details", { class: "entries", open }, h("summary", {}, words), list);
}

/** All that an entry says. */
export function entryCard(entry) {
  const [number, from, until] = ["registrationNumber", "registrationDate", "excludeDate"].map((name) => take(entry, name));
  const reason = take(entry, "reason");
  const law = take(entry, "federalLaw");
  const [name, inn] = [take(entry, "customerName"), take(entry, "customerINN")];
  return [
    h("h3", {}, h("span", { class: "code" }, number), " ", law && h("span", { class: "badge" }, lawName(law))),
    h("p", { class: "span" }, t("rnp.from", { day: day(from) }), " ", until ? t("rnp.until", { day: day(until) }) : t("rnp.noEnd")),
    reason && h("p", { class: "prose" }, reasonWords(reason)),
    (name || inn) && h("p", { class: "aside prose" }, t("rnp.customer"), " ", customerLink(inn, name || inn), inn && [" · ", t("inn"), "\u00a0", h("span", { class: "code" }, inn)]),
    facts(entry, ["contractNumber"]),
  ];
}

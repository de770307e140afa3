// What the registry of unfair suppliers says of a supplier: the verdict of the API in words,
// its ground, and the entries.

import { reasonWords } from "./code-words.js";
import { day } from "./days.js";
import { downloadBar } from "./downloads.js";
import { h, icon } from "./dom.js";
import { count, plural } from "./figures.js";
import { withFilters } from "./filters.js";
import { dataDay, lackWords, marks } from "./ground.js";
import { grouped } from "./grouped.js";
import { readable } from "./names.js";
import { customerLink, facts, link, take } from "./record.js";
import { hashOf, officialRnpUrl, readHash, requestUrl } from "./routes.js";
import { sources } from "./sources.js";
import { forms, lawName, t } from "./texts.js";

/** The URL of the verdict on a supplier, with all its entries. */
export const verdictUrl = (inn, asOf, format) =>
  requestUrl("/rnp/check-suppliers", { supplierINN: inn, format, history: "1", asOf });

/** The check of the one supplier of an answer: its fields, and the `registries` that the verdict rests on. */
export const checkOf = ({ suppliers: [supplier], registries }) => ({ ...supplier, registries });

/** The verdict of a check, as of the chosen day or of now: the fact alone, without the day of the data. */
export function verdictFact({ verdict, entries, previousEntries, registries }, asOf) {
  const then = asOf ? ".then" : "";
  if (verdict === "invalid") return t("verdict.invalid");
  if (verdict === "listed" && !asOf) return plural(entries.length, forms("verdict.listed"));
  const isFormerly = verdict === "undetermined" && previousEntries.length > 0;
  return t(`verdict.${isFormerly ? "formerly" : verdict}${then}`, { day: day(asOf), why: lackWords(registries) });
}

/** The day of the data that a verdict rests on, in words; "" where the verdict names it, or rests on none. */
function dataWords({ verdict, entries, registries }, asOf) {
  if (verdict === "undetermined" || verdict === "invalid") return "";
  const laws = new Set(entries.map(({ federalLaw }) => federalLaw));
  // An entry that is there needs no more than its own registry.
  const from = dataDay(verdict === "listed" ? registries.filter(({ federalLaw }) => laws.has(federalLaw)) : registries);
  return from && from !== asOf ? t("verdict.dataOf", { day: day(from) }) : "";
}

/** The verdict of a check in one line: the fact, then the day of the data. */
export function verdictWords(check, asOf) {
  const of = dataWords(check, asOf);
  return of ? `${verdictFact(check, asOf)} (${of})` : verdictFact(check, asOf);
}

/** How many entries have their days named in the verdict. */
const MOST_NAMED = 3;

/** What the verdict means, in a sentence: the laws and days of entries, where they are few. */
export function verdictMeaning({ verdict, entries, previousEntries, registries }, asOf) {
  if (verdict === "previously-listed" && previousEntries.length === 1) {
    const [entry] = previousEntries;
    return t("verdict.previous", { law: lawName(entry.federalLaw), until: untilWords(entry, true) });
  }
  if (verdict !== "listed") return t(`verdict.${verdict}.means`);
  const byLaw = grouped(entries, ({ federalLaw }) => federalLaw);
  const laws = registries.map(({ federalLaw }) => federalLaw).filter((law) => byLaw.has(law));
  const spans = (law) => byLaw.get(law).map(spanWords).join(t("verdict.and"));
  const ofLaws = entries.length > MOST_NAMED
    ? laws.map(lawName).join(", ")
    : laws.map((law) => `${lawName(law)} — ${spans(law)}`).join("; ");
  const begins = asOf ? `${plural(entries.length, forms("verdict.listed.means.then"))}: ` : "";
  const before = previousEntries.length ? ` ${plural(previousEntries.length, forms("verdict.previousMany"))}` : "";
  return `${begins}${ofLaws}.${before}`;
}

/** From when until when an entry is in force. */
const spanWords = ({ registrationDate, excludeDate }) =>
  t(excludeDate ? "verdict.span" : "verdict.span.open", { from: day(registrationDate), until: day(excludeDate) });

/**
 * The verdict in words, its ground, and what to do next; `documents`: which are here of the
 * registries that are not complete.
 */
export function verdictCard(whose, check, documents, asOf) {
  const { verdict, registries } = check;
  const of = dataWords(check, asOf);
  return h("div", { class: `verdict ${verdict}` },
    icon(verdict, "large"),
    h("div", { class: "words" },
      h("h2", {}, verdictFact(check, asOf), of && [" ", h("small", {}, of)]),
      h("p", {}, verdictMeaning(check, asOf)),
      verdict !== "invalid" && marks(registries),
      verdict !== "listed" && documents.length > 0 && h("p", { class: "aside" }, documents.join(" "))),
    h("div", { class: "next" },
      h("a", { class: "button main", href: evidenceHash(whose) }, t("evidence.open")),
      asOfField(whose, asOf)));
}

/** The entries of a check, those in force first; `urls(format)` are those of the answer. */
export function entriesPart({ verdict, supplierINN, entries, previousEntries }, urls) {
  return [
    h("div", { class: "part-head" },
      verdict !== "invalid" && h("p", {}, link(officialRnpUrl(supplierINN), t("rnp.official"))),
      downloadBar({ urls })),
    entries.length + previousEntries.length === 0 && h("p", { class: "panel empty" }, t("rnp.noEntries")),
    entryList(t("rnp.entries"), entries, true),
    entryList(t("rnp.previous"), previousEntries, entries.length === 0, true),
  ];
}

/** Why an entry was made, and for which customer, in one line. */
export function groundOf({ reason, customerName, customerINN }) {
  const customer = [readable(customerName), customerINN && `${t("inn")}\u00a0${customerINN}`];
  return [reasonWords(reason), customer.filter(Boolean).join(", ")].filter(Boolean).join(". ");
}

/** The address of the sheet of what the address now has: of the same day and filters. */
const evidenceHash = ({ inn }) =>
  hashOf("evidence", inn, Object.fromEntries(readHash(location.hash).params));

/** Brings the link to the sheet up to date, where the card is in `section`. */
export const refreshEvidence = (section, whose) =>
  section.querySelector(".next > a")?.setAttribute("href", evidenceHash(whose));

/** The day that the verdict is of, and a field for another. */
function asOfField(whose, asOf) {
  const said = h("p", { class: "said", id: "as-of-said", role: "alert", hidden: true });
  // While a year is being typed it is first 0002, then 0020: an error shows only once it is left so.
  const judge = (event) => {
    const { currentTarget: field, type } = event;
    const { valid } = field.validity;
    if (valid || type !== "change" || field.value >= "1000") {
      const shown = asOf ? t("rnp.on", { day: day(asOf) }) : t("rnp.isToday");
      said.textContent = valid ? "" : t("rnp.badDay", { shown });
      said.hidden = valid;
      if (valid) field.removeAttribute("aria-invalid");
      else field.setAttribute("aria-invalid", "true");
    }
    if (valid && type === "change" && field.value !== asOf) location.hash = withFilters(whose, { asOf: field.value });
  };
  const on = { change: judge, blur: judge, keydown: (event) => event.key === "Enter" && judge(event) };
  const today = asOf
    ? h("a", { "data-stay": "as-of", href: withFilters(whose, { asOf: "" }) }, t("rnp.today"))
    : t("rnp.isToday");
  return h("details", { class: asOf ? "as-of" : "as-of today", open: asOf !== "" },
    h("summary", { class: "button", "data-stay": "another-day" }, t("rnp.anotherDay")),
    h("label", { for: "as-of" }, t("rnp.asOf")),
    h("input", {
      type: "date", id: "as-of", value: asOf, min: "2000-01-01", max: "2100-12-31", "data-stay": "as-of",
      "aria-describedby": "as-of-said", on,
    }),
    said,
    h("p", { class: "aside" }, today));
}

/** Up to how many entries are shown unfolded. */
const FEW = 6;

function entryList(title, entries, open, areOver = false) {
  if (!entries.length) return null;
  const list = h("ol", {}, entries.map((entry) =>
    h("li", { class: "entry" }, entryCard({ ...entry }, areOver), sources(entry.registrationNumber))));
  const words = [title, " ", h("span", { class: "badge" }, count(entries.length))];
  // A few that are in force need no folding.
  if (open && entries.length <= FEW) return h("section", { class: "entries" }, h("h3", {}, words), list);
  return h("details", { class: "entries", open }, h("summary", {}, words), list);
}

/** Until when an entry is in force, or was: the day that it states, or that of the registry that no longer has it. */
export function untilWords({ excludeDate, removedBy }, isOver) {
  if (removedBy) return t("rnp.removed", { day: day(removedBy) });
  if (!excludeDate) return t("rnp.noEnd");
  return t(isOver ? "rnp.wasUntil" : "rnp.until", { day: day(excludeDate) });
}

/** All that an entry says. */
function entryCard(entry, isOver) {
  const until = untilWords(entry, isOver);
  const [number, from] = ["registrationNumber", "registrationDate", "excludeDate", "removedBy"]
    .map((name) => take(entry, name));
  const reason = take(entry, "reason");
  const law = take(entry, "federalLaw");
  const [name, inn] = [take(entry, "customerName"), take(entry, "customerINN")];
  return [
    h("h3", {}, h("span", { class: "code" }, number), " ", law && h("span", { class: "badge" }, lawName(law))),
    h("p", { class: "span" }, t("rnp.from", { day: day(from) }), " ", until),
    reason && h("p", { class: "prose", title: reason }, reasonWords(reason)),
    (name || inn) && h("p", { class: "aside prose" }, t("purchase.customer"), " ", customerLink(inn, name || inn),
      inn && [" · ", t("inn"), "\u00a0", h("span", { class: "code" }, inn)]),
    facts(entry, ["contractNumber"]),
  ];
}

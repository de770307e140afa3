// The registry check of a supplier: the API's verdict in words, its basis, and the entries.

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

export const verdictUrl = (inn, asOf, format) =>
  requestUrl("/rnp/check-suppliers", { supplierINN: inn, format, history: "1", asOf });

/**
 * Returns the check of the only supplier in a response, together with the `registries` it is based
 * on.
 */
export const checkOf = ({ suppliers: [supplier], registries }) => ({ ...supplier, registries });

/** States the verdict as of a day or of now, without the date of the data. */
export function verdictFact({ verdict, entries, previousEntries, registries }, asOf) {
  const then = asOf ? ".then" : "";
  if (verdict === "invalid") return t("verdict.invalid");
  if (verdict === "listed" && !asOf) return plural(entries.length, forms("verdict.listed"));
  const isFormerly = verdict === "undetermined" && previousEntries.length > 0;
  return t(`verdict.${isFormerly ? "formerly" : verdict}${then}`, { day: day(asOf), why: lackWords(registries) });
}

/**
 * States the date of the data behind a verdict. Returns "" if the verdict already names that date
 * or does not depend on data.
 */
function dataWords({ verdict, entries, registries }, asOf) {
  if (verdict === "undetermined" || verdict === "invalid") return "";
  const laws = new Set(entries.map(({ federalLaw }) => federalLaw));
  // An entry in force is proof by itself, so the date of its own registry is enough.
  const from = dataDay(verdict === "listed" ? registries.filter(({ federalLaw }) => laws.has(federalLaw)) : registries);
  return from && from !== asOf ? t("verdict.dataOf", { day: day(from) }) : "";
}

/** The verdict with the date of the data, in one line. */
export function verdictWords(check, asOf) {
  const of = dataWords(check, asOf);
  return of ? `${verdictFact(check, asOf)} (${of})` : verdictFact(check, asOf);
}

/** Upper bound on entries whose dates are named in the verdict. */
const MOST_NAMED = 3;

/** Explains the verdict in a sentence, including laws and dates if there are only a few entries. */
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

const spanWords = ({ registrationDate, excludeDate }) =>
  t(excludeDate ? "verdict.span" : "verdict.span.open", { from: day(registrationDate), until: day(excludeDate) });

/**
 * The card with the verdict, the state of the registries, and the next steps. `documents` are
 * remarks on incomplete registries.
 */
export function verdictCard(owner, check, documents, asOf) {
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
      h("a", { class: "button main", href: evidenceHash(owner) }, t("evidence.open")),
      asOfField(owner, asOf)));
}

/** Renders the entries, those in force first. `urls(format)` returns the URLs for the downloads. */
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

/** The reason of an entry and the customer, on one line. */
export function groundOf({ reason, customerName, customerINN }) {
  const customer = [readable(customerName), customerINN && `${t("inn")}\u00a0${customerINN}`];
  return [reasonWords(reason), customer.filter(Boolean).join(", ")].filter(Boolean).join(". ");
}

/** The address of the record for the current date and filters. */
const evidenceHash = ({ inn }) =>
  hashOf("evidence", inn, Object.fromEntries(readHash(location.hash).params));

/**
 * Makes the evidence link of the verdict card in `section` match the current date and filters. Does
 * nothing if there is no card yet.
 */
export const refreshEvidence = (section, owner) =>
  section.querySelector(".next > a")?.setAttribute("href", evidenceHash(owner));

/** The date of the verdict, and a field to change it. */
function asOfField(owner, asOf) {
  const message = h("p", { class: "said", id: "as-of-said", role: "alert", hidden: true });
  // While the user types a year, the field's value passes through 0002, 0020 and so on. An invalid
  // date with such a year is therefore reported only when the user leaves the field or presses
  // Enter.
  const judge = (event) => {
    const { currentTarget: field, type } = event;
    const { valid } = field.validity;
    if (valid || type !== "change" || field.value >= "1000") {
      const shown = asOf ? t("rnp.on", { day: day(asOf) }) : t("rnp.isToday");
      message.textContent = valid ? "" : t("rnp.badDay", { shown });
      message.hidden = valid;
      if (valid) field.removeAttribute("aria-invalid");
      else field.setAttribute("aria-invalid", "true");
    }
    if (valid && type === "change" && field.value !== asOf) location.hash = withFilters(owner, { asOf: field.value });
  };
  const on = { change: judge, blur: judge, keydown: (event) => event.key === "Enter" && judge(event) };
  const today = asOf
    ? h("a", { "data-stay": "as-of", href: withFilters(owner, { asOf: "" }) }, t("rnp.today"))
    : t("rnp.isToday");
  return h("details", { class: asOf ? "as-of" : "as-of today", open: asOf !== "" },
    h("summary", { class: "button", "data-stay": "another-day" }, t("rnp.anotherDay")),
    h("label", { for: "as-of" }, t("rnp.asOf")),
    h("input", {
      type: "date", id: "as-of", value: asOf, min: "2000-01-01", max: "2100-12-31", "data-stay": "as-of",
      "aria-describedby": "as-of-said", on,
    }),
    message,
    h("p", { class: "aside" }, today));
}

/** A list that is open at first can be collapsed only if it has more entries than this. */
const FEW = 6;

function entryList(title, entries, open, areOver = false) {
  if (!entries.length) return null;
  const list = h("ol", {}, entries.map((entry) =>
    h("li", { class: "entry" }, entryCard({ ...entry }, areOver), sources(entry.registrationNumber))));
  const words = [title, " ", h("span", { class: "badge" }, count(entries.length))];
  if (open && entries.length <= FEW) return h("section", { class: "entries" }, h("h3", {}, words), list);
  return h("details", { class: "entries", open }, h("summary", {}, words), list);
}

/**
 * Describes when an entry ends or ended: the date that the entry states, or the date of the
 * registry data that no longer contains it.
 */
export function untilWords({ excludeDate, removedBy }, isOver) {
  if (removedBy) return t("rnp.removed", { day: day(removedBy) });
  if (!excludeDate) return t("rnp.noEnd");
  return t(isOver ? "rnp.wasUntil" : "rnp.until", { day: day(excludeDate) });
}

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

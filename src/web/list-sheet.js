// The printed record of a list check. It contains every line: listed suppliers first, then name
// mismatches, unchecked lines, and the other verdicts.

import { day } from "./days.js";
import { h, icon } from "./dom.js";
import { groundTable, sheetHead, signLines, sourcePart } from "./evidence.js";
import { count } from "./figures.js";
import { dataDay } from "./ground.js";
import { COUNTED, factCount } from "./list-columns.js";
import { isSigned, signedNames } from "./list-downloads.js";
import { doneWords, fitOf, isBeyondAsked, isMisfit, MOST_ASKED, ORDER, totalWords, whyNot } from "./list-run.js";
import { readable } from "./names.js";
import { isLong } from "./record.js";
import { lawName, t } from "./texts.js";
import { untilWords } from "./verdict.js";

const LISTED = ORDER[0];

export function listSheet(run) {
  const { asOf, registries, documents, lines, totals, updated, source } = run;
  const groups = groupsOf(run);
  const of = [
    source,
    asOf && t("rnp.onDay", { day: day(asOf) }),
    dataDay(registries) && t("rnp.dataOf", { day: day(dataDay(registries)) }),
    totals.length > 0 && totalWords(totals),
  ].filter(Boolean);
  return h(
    "article",
    { class: "evidence of-list" },
    sheetHead(h("h1", {}, t("batch.evidence")), run.date),
    h(
      "section",
      {},
      h("h2", {}, doneWords(run)),
      of.length > 0 && h("p", {}, of.join(". "), "."),
      h(
        "p",
        { class: "sums" },
        groups.map(([kind, some]) =>
          h("span", { class: `weight ${kind}` }, kindWords(kind), " — ", count(some.length)),
        ),
      ),
    ),
    groundTable(registries, documents),
    groups.map(([kind, some]) => groupPart(run, kind, some, lines)),
    run.wantsFacts && h("p", { class: "aside" }, factsNote(run)),
    sourcePart(updated),
    signLines(),
    h("footer", {}, signature(run)),
  );
}

/** Groups the lines as `[kind, lines]`, in order of importance, without empty groups. */
function groupsOf(run) {
  const kindOf = (line) => {
    if (whyNot(run, line)) return "unchecked";
    const { verdict } = run.found.get(line.inn);
    return verdict !== LISTED && isMisfit(run, line) ? "misfit" : verdict;
  };
  const lines = [...run.lines].sort((left, right) => left.row - right.row);
  const kinds = [LISTED, "misfit", "unchecked", ...ORDER.slice(1)];
  return kinds.map((kind) => [kind, lines.filter((line) => kindOf(line) === kind)]).filter(([, some]) => some.length);
}

const kindWords = (kind) => {
  if (kind === "unchecked") return t("batch.unchecked.many");
  return kind === "misfit" ? t("batch.misfit.many") : t(`batch.many.${kind}`);
};

function groupPart(run, kind, some, lines) {
  const columns = ["row", lines.some(({ name }) => name) && "given", "inn", "name", "verdict"].filter(Boolean);
  return h(
    "section",
    { class: `group ${kind}` },
    h(
      "h3",
      {},
      ORDER.includes(kind) && icon(kind),
      h("span", { class: "words" }, kindWords(kind)),
      ": ",
      count(some.length),
    ),
    h(
      "table",
      { class: "small lines" },
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          columns.map((column) => h("th", { scope: "col", class: `of-${column}` }, t(`batch.column.${column}`))),
        ),
      ),
      h(
        "tbody",
        {},
        some.map((line) => {
          const cells = cellsOf(run, line);
          return h(
            "tr",
            {},
            columns.map((column) => h("td", { class: `of-${column}` }, cells[column])),
          );
        }),
      ),
    ),
  );
}

const inLine = (words, kind = "") => h("span", { class: `line ${kind}` }, words);

function cellsOf(run, line) {
  const supplier = run.found.get(line.inn);
  const why = whyNot(run, line);
  const wordsOf = (areOver) => (entry) =>
    `${entry.registrationNumber} (${lawName(entry.federalLaw)}): ${untilWords(entry, areOver)}`;
  const { entries = [], previousEntries = [] } = supplier ?? {};
  const outcome = why ? [why] : [...entries.map(wordsOf(false)), ...previousEntries.map(wordsOf(true))];
  const inn = line.inn || line.text || "—";
  const verdict = why ? "unchecked" : supplier.verdict;
  return {
    row: count(line.row),
    given: readable(line.name) || "—",
    inn: [
      h("span", { class: isLong(inn) ? "long" : null }, inn),
      line.score !== undefined &&
        inLine(line.score ? t("batch.byName", { score: line.score }) : t("batch.byDigits", { text: line.text })),
    ],
    name: readable(supplier?.supplierName) || (why ? "—" : t("batch.noName")),
    verdict: [
      h("strong", { class: `weight ${verdict}` }, why ? t("batch.unchecked") : t(`verdict.${verdict}.short`)),
      !why &&
        isMisfit(run, line) &&
        inLine([t("batch.misfit.short"), ", ", t("batch.fit", { score: fitOf(run, line) })], "misfit"),
      outcome.map((words) => inLine(words)),
      inLine(factWords(run.facts.get(line.inn))),
    ],
  };
}

/** Figures about a supplier's contracts in one line; "" if there are none. */
function factWords(facts) {
  const parts = Object.keys(COUNTED)
    .map((name) => [name, factCount(facts, name)])
    .filter(([, many]) => many > 0);
  return parts.map(([name, many]) => `${t(`batch.column.${name}`)}: ${count(many)}`).join("; ");
}

const factsNote = (run) =>
  [t("batch.facts.means"), isBeyondAsked(run) && t("batch.facts.first", { most: count(MOST_ASKED) })]
    .filter(Boolean)
    .join(" ");

function signature(run) {
  if (!isSigned(run)) return h("p", {}, t("evidence.unsigned"));
  const { receipts, answers } = signedNames(run);
  const lines = run.answers.map(({ receipt }) => {
    const [, hash = "", sign = ""] = /; sha256=(\w+); sig=(\S+)$/.exec(receipt) ?? [];
    return h("p", { class: "code receipt" }, `sha256=${hash}; sig=${sign}`);
  });
  return [
    h(
      "p",
      {},
      t("batch.signedBy", { server: location.host, url: `${location.origin}/signing-key.pem`, n: count(lines.length) }),
      " ",
      h("code", {}, `procurement-lookup verify ${receipts} ${answers} --public-key signing-key.pem`),
    ),
    lines,
  ];
}

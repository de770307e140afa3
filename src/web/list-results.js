// What a list came to: figures, filters, and a table of a row for each supplier, with what
// could not be checked first. The verdicts are the API's.

import { day } from "./days.js";
import { h, icon } from "./dom.js";
import { count, plural } from "./figures.js";
import { isShown, ORDER, sameNames } from "./list-run.js";
import { nameElement } from "./names.js";
import { hashOf } from "./routes.js";
import { forms, lawName, t } from "./texts.js";
import { groundOf, untilWords } from "./verdict.js";

/** The lowest score, of 100, of a supplier that is offered for a name. */
const LOWEST = 20;

/** How many rows are shown at first, and how many more at a time. */
const SHOWN = 200;
/** How many row numbers and names of one supplier are named. */
const FEW = 4;
/** The longest text of a list that is shown whole, in characters. */
const SHORT = 60;

const linesOf = (rows) => rows.reduce((sum, { lines }) => sum + lines.length, 0);
const tagOf = (verdict, words = t(`verdict.${verdict}.short`)) =>
  h("span", { class: `tag ${verdict}` }, icon(verdict), words);
const shortened = (text) => (text.length > SHORT ? `${text.slice(0, SHORT - 1)}…` : text);

/** How many suppliers have each verdict, and in how many lines; and how many lines were not checked. */
export function tiles(rows) {
  const figure = (kind, many, words, lines) =>
    h(
      "div",
      { class: `tile ${kind}` },
      h("dt", {}, words),
      h("dd", {}, h("strong", {}, count(many)), lines && h("span", { class: "aside" }, lines)),
    );
  const figures = ORDER.map((verdict) => {
    const some = rows.filter(({ why, supplier }) => !why && supplier.verdict === verdict);
    return (
      some.length > 0 &&
      figure(verdict, some.length, t(`batch.many.${verdict}`), plural(linesOf(some), forms("batch.lines")))
    );
  });
  const rest = rows.filter(({ why }) => why);
  return h(
    "dl",
    { class: "list-tiles" },
    figures,
    rest.length > 0 && figure("unchecked", rest.length, t("batch.unchecked.many"), t("batch.unchecked.means")),
  );
}

/** The filters as chips, each with its number of lines. */
export function chips(run, rows, changes) {
  const names = [
    ["", t("batch.all")],
    ["unchecked", t("batch.unchecked.many")],
    ["listed", t("batch.onlyListed")],
    ["changed", t("batch.changedSince", { day: day(changes?.since) })],
    ["byName", t("batch.byName.many")],
    ...ORDER.slice(1).map((verdict) => [verdict, t(`batch.many.${verdict}`)]),
  ];
  const chip = ([only, words]) => {
    const many = linesOf(rows.filter((row) => isShown(row, only, changes)));
    const isChosen = run.only === only;
    const choose = () => (Object.assign(run, { only: isChosen ? "" : only, shown: SHOWN }), run.draw());
    const isThere = many > 0 || only === "" || isChosen || (only === "changed" && changes);
    return (
      isThere &&
      h(
        "button",
        {
          type: "button",
          class: "list-chip",
          "aria-pressed": String(isChosen),
          "data-stay": `only-${only}`,
          on: { click: choose },
        },
        h("span", { class: "words" }, words),
        " ",
        h("span", { class: "many" }, count(many)),
      )
    );
  };
  return h("div", { class: "list-chips", role: "group", "aria-label": t("batch.only") }, names.map(chip));
}

/** What each column sorts by: texts, or numbers. */
const SORTED = {
  row: ({ lines }) => lines[0].row,
  given: ({ lines }) => lines[0].name || "\uffff",
  inn: ({ inn, lines }) => inn || lines[0].text || "\uffff",
  name: ({ supplier }) => supplier?.supplierName ?? "\uffff",
  verdict: ({ why, supplier }) => (why ? -1 : ORDER.indexOf(supplier.verdict)),
  entries: ({ supplier }) => (supplier?.entries?.length ?? 0) * 1000 + (supplier?.previousEntries?.length ?? 0),
};

/** The table of the rows that the filter leaves; `act.choose` takes choices, each a line, an INN and a score. */
export function verdictTable(run, all, changes, act) {
  const { name, down } = run.sort;
  const by = (left, right) => {
    const [first, second] = [SORTED[name](left), SORTED[name](right)];
    const least = typeof first === "string" ? first.localeCompare(second, "ru") : first - second;
    return (down ? -least : least) || left.lines[0].row - right.lines[0].row;
  };
  const rows = all.filter((row) => isShown(row, run.only, changes)).sort(by);
  const hasNames = run.lines.some((line) => line.name);
  const columns = ["row", hasNames && "given", "inn", "name", "verdict", "entries"].filter(Boolean);
  const head = (column) => {
    const now = name === column;
    const sort = () => (
      Object.assign(run, { sort: { name: column, down: now ? !down : column === "entries" } }),
      run.draw()
    );
    return h(
      "th",
      {
        scope: "col",
        class: `col-${column}`,
        "aria-sort": now ? (down ? "descending" : "ascending") : "none",
      },
      h(
        "button",
        { type: "button", class: "sorter", "data-stay": `sort-${column}`, on: { click: sort } },
        t(`batch.column.${column}`),
        h("span", { class: "arrow", "aria-hidden": "true" }, now ? (down ? "▼" : "▲") : "↕"),
      ),
    );
  };
  const shown = run.shown ?? SHOWN;
  const rest = rows.length - shown;
  const more = () => ((run.shown = shown + SHOWN), run.draw());
  return [
    acceptAll(run, act),
    h(
      "table",
      { class: "cards verdicts" },
      h("caption", { class: "unseen" }, t("batch.caption")),
      h("thead", {}, h("tr", {}, columns.map(head))),
      h(
        "tbody",
        {},
        rows
          .slice(0, shown)
          .map((row) =>
            row.why ? uncheckedRow(run, row, columns, act) : supplierRows(run, row, columns, changes, act),
          ),
      ),
    ),
    rows.length === 0 && h("p", { class: "aside" }, t("batch.noneShown")),
    rest > 0 &&
      h(
        "button",
        { type: "button", class: "quiet", "data-stay": "more", on: { click: more } },
        t("batch.more", { n: count(rest) }),
      ),
  ];
}

/** A button that takes all names which are those of one supplier alone. */
function acceptAll(run, { choose }) {
  const same = sameNames(run);
  if (same.length < 2) return null;
  const accept = () => choose(same.map(([line, hit]) => [line, hit.supplierINN, Number(hit.score)]));
  return h(
    "p",
    { class: "accept" },
    h(
      "button",
      { type: "button", class: "quiet", "data-stay": "accept-all", on: { click: accept } },
      plural(same.length, forms("batch.acceptAll")),
    ),
  );
}

const cell = (column, content, props = {}) =>
  h("td", { class: `col-${column}`, "data-label": t(`batch.column.${column}`), ...props }, content);

/** The numbers of a supplier's lines, as "8, 34". */
function rowNumbers(lines) {
  const numbers = lines.map(({ row }) => row);
  const rest = numbers.length - FEW;
  return [
    numbers.slice(0, FEW).map(count).join(", "),
    rest > 0 && h("span", { class: "below" }, t("andMore", { n: count(rest) })),
  ];
}

/** The names that a supplier has in the list, each once. */
function givenNames(lines) {
  const names = [...new Set(lines.map(({ name }) => name).filter(Boolean))];
  return [
    names.length ? names.slice(0, FEW).map((name) => nameElement(name, { class: "prose name" })) : "—",
    names.length > FEW && "…",
  ];
}

/** A line that was not checked: what stands in it, why, and the suppliers that may be meant. */
function uncheckedRow(run, { inn, lines: [line], why }, columns, act) {
  const words = h("div", { class: "why" }, tagOf("unchecked", t("batch.unchecked")), h("span", {}, why));
  const cells = {
    row: () => cell("row", count(line.row)),
    given: () => cell("given", nameElement(line.name || "—", { class: "prose name" })),
    inn: () => cell("inn", h("span", { class: "code" }, inn || shortened(line.text) || "—")),
    name: () =>
      cell("name", [words, offers(run, line, act), line.score !== undefined && undoing(line, act)], {
        colspan: 3,
        "data-label": t("batch.column.verdict"),
      }),
  };
  return h(
    "tr",
    { class: "unchecked" },
    columns.filter((column) => cells[column]).map((column) => cells[column]()),
  );
}

/** The INN that is meant by what stands there, and the best suppliers of the name, each a button that takes it. */
function offers(run, line, { choose }) {
  if (line.inn || line.why === "over") return null;
  const hits = run.hits.get(line.name)?.filter(({ score }) => Number(score) >= LOWEST);
  const button = (inn, score, words) =>
    h(
      "button",
      {
        type: "button",
        class: "offer",
        "data-stay": `take-${line.row}-${inn}`,
        on: { click: () => choose([[line, inn, score]]) },
      },
      words,
    );
  return [
    line.meant && h("div", { class: "offers" }, button(line.meant, 0, t("batch.checkMeant", { inn: line.meant }))),
    hits?.length > 0 &&
      h(
        "div",
        { class: "offers" },
        h("span", { class: "aside" }, t("batch.alike")),
        hits.map(({ name, supplierINN, score }) =>
          button(supplierINN, Number(score), [
            nameElement(name),
            h("span", { class: "below" }, t("batch.hit", { inn: supplierINN, score })),
          ]),
        ),
      ),
    hits?.length === 0 && h("p", { class: "aside" }, t("batch.noHits")),
  ];
}

/** That an INN was chosen, how, and a button that takes it back. */
function undoing(line, { choose }) {
  const words = line.score
    ? t("batch.byName", { score: line.score })
    : t("batch.byDigits", { text: shortened(line.text) });
  return h(
    "span",
    { class: "below" },
    words,
    " ",
    h(
      "button",
      { type: "button", class: "undo", "data-stay": `undo-${line.row}`, on: { click: () => choose([[line, "", 0]]) } },
      t("batch.undo"),
      h("span", { class: "unseen" }, ` (${t("batch.column.row")} ${count(line.row)})`),
    ),
  );
}

/** A supplier with all its lines, and a row below it with its entries, which opens. */
function supplierRows(run, { inn, lines, supplier }, columns, changes, act) {
  const { entries = [], previousEntries = [] } = supplier;
  const id = `entries-${inn}`;
  const below = h("tr", { class: "more", id, hidden: true });
  const opener = h(
    "button",
    {
      type: "button",
      class: "opener",
      "aria-expanded": "false",
      "aria-controls": id,
      "data-stay": `open-${inn}`,
      on: { click: () => toggle(!run.open.has(inn)) },
    },
    icon("open"),
    h("span", {}, entryCount(supplier)),
    h("span", { class: "unseen" }, ` ${inn}`),
  );
  const toggle = (isOpen) => {
    if (isOpen && !below.firstChild)
      below.append(h("td", { colspan: columns.length }, entryList(supplier)));
    run.open[isOpen ? "add" : "delete"](inn);
    below.hidden = !isOpen;
    opener.setAttribute("aria-expanded", String(isOpen));
  };
  if (run.open.has(inn)) toggle(true);
  const chosen = lines.find(({ score }) => score !== undefined);
  const laws = [...new Set((entries.length ? entries : previousEntries).map(({ federalLaw }) => federalLaw))];
  const cells = {
    row: () => [
      rowNumbers(lines),
      lines.length > 1 && h("span", { class: "below" }, plural(lines.length, forms("batch.lines"))),
    ],
    given: () => givenNames(lines),
    inn: () => [
      h("a", { class: "code", href: hashOf("supplier", inn, { asOf: run.asOf }) }, inn),
      chosen && undoing(chosen, act),
    ],
    name: () =>
      supplier.supplierName ? nameElement(supplier.supplierName, { class: "prose name" }) : t("batch.noName"),
    verdict: () => [
      tagOf(supplier.verdict),
      h("span", { class: "below" }, termWords(supplier)),
      changes?.has(inn) && h("span", { class: "below changed" }, changeWords(changes.get(inn))),
    ],
    entries: () =>
      entries.length + previousEntries.length
        ? [opener, h("span", { class: "below" }, laws.map(lawName).join(", "))]
        : "—",
  };
  return [
    h(
      "tr",
      { class: supplier.verdict },
      columns.map((column) => cell(column, cells[column]())),
    ),
    below,
  ];
}

/** The entries in force, and then the earlier ones: number, law, term, reason, customer. */
function entryList({ entries = [], previousEntries = [] }) {
  const item = (areOver) => (entry) => {
    const { registrationNumber, federalLaw, registrationDate } = entry;
    return h(
      "li",
      {},
      h(
        "p",
        {},
        h("span", { class: "code" }, registrationNumber),
        " ",
        h("span", { class: "badge" }, lawName(federalLaw)),
      ),
      h("p", {}, t("rnp.from", { day: day(registrationDate) }), " ", untilWords(entry, areOver)),
      h("p", { class: "aside" }, groundOf(entry)),
    );
  };
  return h("ol", { class: "list-entries" }, entries.map(item(false)), previousEntries.map(item(true)));
}

/** Until when the last of the entries in force is, or the last of the earlier ones was. */
function termWords({ entries = [], previousEntries = [] }) {
  const some = entries.length ? entries : previousEntries;
  const end = ({ excludeDate, removedBy }) => removedBy ?? excludeDate ?? "\uffff";
  const last = [...some].sort((one, other) => (end(one) < end(other) ? 1 : -1))[0];
  return last ? untilWords(last, !entries.length) : "";
}

/** What has changed, in words. */
function changeWords({ verdict, isNew, isGone }) {
  if (verdict) return t("batch.changed.verdict", { was: t(`verdict.${verdict}.short`) });
  return [isNew && t("batch.changed.new"), isGone && t("batch.changed.gone")].filter(Boolean).join(", ");
}

function entryCount({ entries = [], previousEntries = [] }) {
  return [
    entries.length && plural(entries.length, forms("batch.now")),
    previousEntries.length && plural(previousEntries.length, forms("batch.before")),
  ]
    .filter(Boolean)
    .join(", ");
}

// The results of a list check: tiles, filters, and a table with a row per supplier, unchecked rows
// first. The verdicts come from the API.

import { day } from "./days.js";
import { h, icon } from "./dom.js";
import { count, plural } from "./figures.js";
import { grouped } from "./grouped.js";
import { numberIn } from "./list.js";
import { factCount, COUNTED, optionalColumns, ownText } from "./list-columns.js";
import { fitOf, isShown, ORDER, sameNames } from "./list-run.js";
import { nameElement } from "./names.js";
import { factName } from "./risk.js";
import { hashOf } from "./routes.js";
import { forms, lawName, t } from "./texts.js";
import { groundOf, untilWords } from "./verdict.js";

/** Lowest score, out of 100, at which a supplier is suggested for a name. */
const LOWEST = 20;

/** How many rows are shown at first, and how many each click adds. */
const SHOWN = 200;
/** How many row numbers or names are listed per supplier. */
const FEW = 4;
/** Upper bound on the length of text that is shown in full, in characters. */
const SHORT = 60;
/** A table with more columns than this scrolls sideways. */
const WIDE = 10;

const linesOf = (rows) => rows.reduce((sum, { lines }) => sum + lines.length, 0);
const tagOf = (verdict, words = t(`verdict.${verdict}.short`)) =>
  h("span", { class: `tag ${verdict}` }, icon(verdict), words);
const shortened = (text) => (text.length > SHORT ? `${text.slice(0, SHORT - 1)}…` : text);

/** The tiles: how many rows have each verdict or were not checked. Each filters the table. */
export function tiles(run, rows) {
  const kinds = [
    ...ORDER.map((verdict) => [verdict, t(`batch.many.${verdict}`)]),
    ["unchecked", t("batch.unchecked.many")],
  ];
  const tile = ([only, words]) => {
    const some = rows.filter((row) => isShown(row, only));
    const lines = linesOf(some);
    const suppliers = only !== "unchecked" && some.length < lines && plural(some.length, forms("batch.suppliers"));
    return (
      lines > 0 &&
      h(
        "button",
        { class: `tile ${only}`, ...filterProps(run, only) },
        h("strong", {}, count(lines)),
        h("span", {}, h("b", {}, words), suppliers && h("small", {}, suppliers)),
      )
    );
  };
  return h("div", { class: "list-tiles", role: "group", "aria-label": t("batch.only") }, kinds.map(tile));
}

/** The attributes of a filter button. Pressing the chosen button again shows all rows. */
function filterProps(run, only) {
  const isChosen = run.only === only;
  const choose = () => (Object.assign(run, { only: isChosen ? "" : only, shown: SHOWN }), run.draw());
  return { type: "button", "aria-pressed": String(isChosen), "data-stay": `only-${only}`, on: { click: choose } };
}

/** The filters other than the tiles, as chips with their numbers of lines. */
export function chips(run, rows, changes) {
  const names = [
    ["", t("batch.all")],
    ["misfit", t("batch.misfit.many")],
    ["changed", t("batch.changedSince", { day: day(changes?.since) })],
    ["byName", t("batch.byName.many")],
  ];
  const chip = ([only, words]) => {
    const many = linesOf(rows.filter((row) => isShown(row, only, changes)));
    const isThere = many > 0 || only === "" || run.only === only || (only === "changed" && changes);
    return (
      isThere &&
      h(
        "button",
        { class: `list-chip ${only}`, ...filterProps(run, only) },
        only === "misfit" && icon("misfit"),
        h("span", { class: "words" }, words),
        " ",
        h("span", { class: "many" }, count(many)),
      )
    );
  };
  return h("div", { class: "list-chips", role: "group", "aria-label": t("batch.only") }, names.map(chip));
}

/** Sort key of a row: unchecked, listed, name mismatch, then the other verdicts. */
const weightOf = ({ why, supplier, misfits }) => {
  if (why) return -1;
  const place = ORDER.indexOf(supplier.verdict);
  return place > 0 && misfits.length ? 0.5 : place;
};

/** The sort key of each fixed column, as a string or a number. */
const SORTED = {
  row: ({ lines }) => lines[0].row,
  given: ({ lines }) => lines[0].name || "\uffff",
  inn: ({ inn, lines }) => inn || lines[0].text || "\uffff",
  name: ({ supplier, lines }) => supplier?.supplierName ?? (lines[0].name || "\uffff"),
  verdict: weightOf,
  entries: ({ supplier }) => (supplier?.entries?.length ?? 0) * 1000 + (supplier?.previousEntries?.length ?? 0),
};

/** Returns the function that computes the sort key of a column. */
function sortedBy(run, { name, own }) {
  if (SORTED[name]) return SORTED[name];
  if (!own) return ({ inn }) => factCount(run.facts.get(inn), name) ?? -1;
  const text = ({ lines }) => lines[0].cells[own.at] ?? "";
  return own.isNumber ? (row) => Number(numberIn(text(row)) ?? -Infinity) : (row) => text(row) || "\uffff";
}

/** The columns in order: fixed, optional, then those of the user's table. */
function columnsOf(run) {
  const optional = optionalColumns(run).filter(({ isChosen }) => isChosen);
  const fixed = ["row", "inn", "name", "verdict", "entries"].map((name) => ({
    name,
    label: t(`batch.column.${name}`),
    own: null,
  }));
  return [...fixed, ...optional.filter(({ own }) => !own), ...optional.filter(({ own }) => own)];
}

/**
 * Renders the rows that match the filter. `act.choose` receives the user's choices as `[line, inn,
 * score]`.
 */
export function verdictTable(run, all, changes, act) {
  const columns = columnsOf(run);
  const sort = columns.find(({ name }) => name === run.sort.name) ?? columns[3];
  const valueOf = sortedBy(run, sort);
  const by = (left, right) => {
    const [first, second] = [valueOf(left), valueOf(right)];
    const least = typeof first === "string" ? first.localeCompare(second, "ru") : first - second;
    return (run.sort.down ? -least : least) || left.lines[0].row - right.lines[0].row;
  };
  const rows = all.filter((row) => isShown(row, run.only, changes)).sort(by);
  const shown = run.shown ?? SHOWN;
  const rest = rows.length - shown;
  const more = () => ((run.shown = shown + SHOWN), run.draw());
  const rowOf = (row) =>
    row.why ? uncheckedRow(run, row, columns, act) : supplierRows(run, row, columns, changes, act);
  return [
    acceptAll(run, act),
    h(
      "div",
      { class: columns.length > WIDE ? "verdict-table wide" : "verdict-table" },
      h(
        "table",
        { class: "cards verdicts" },
        h("caption", { class: "unseen" }, t("batch.caption")),
        tableHead(run, columns),
        h("tbody", {}, rows.slice(0, shown).map(rowOf)),
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

/**
 * The column headings, which sort the table. The user's columns have a common heading above them.
 */
function tableHead(run, columns) {
  const head = ({ name, label, own }, at) => {
    const now = run.sort.name === name;
    const down = now ? !run.sort.down : name === "entries" || isFact(name);
    const sort = () => (Object.assign(run, { sort: { name, down } }), run.draw());
    return h(
      "th",
      {
        scope: "col",
        class: classOf(columns, at),
        "aria-sort": now ? (run.sort.down ? "descending" : "ascending") : "none",
      },
      h(
        "button",
        {
          type: "button",
          class: "sorter",
          "data-stay": `sort-${name}`,
          title: own ? label : null,
          on: { click: sort },
        },
        h("span", { class: "one" }, label),
        h("span", { class: "arrow", "aria-hidden": "true" }, now ? (run.sort.down ? "▼" : "▲") : "↕"),
      ),
    );
  };
  const many = columns.filter(({ own }) => own).length;
  return h(
    "thead",
    {},
    many > 0 &&
      h(
        "tr",
        { class: "groups" },
        h("td", { colspan: columns.length - many }),
        h("th", { scope: "colgroup", class: "own first", colspan: many }, t("batch.columns.own")),
      ),
    h("tr", {}, columns.map(head)),
  );
}

const isFact = (name) => Object.hasOwn(COUNTED, name);

function classOf(columns, at) {
  const { name, own } = columns[at];
  const isNumber = own ? own.isNumber : isFact(name);
  const parts = own ? ["own", !columns[at - 1].own && "first"] : [`col-${name}`];
  return [...parts, isNumber && "number"].filter(Boolean).join(" ");
}

/**
 * A button that accepts the match of every name that exactly matches a single supplier, or `null`
 * if there are fewer than two such names.
 */
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

const cellOf = (columns, at, content, props = {}) =>
  h("td", { class: classOf(columns, at), "data-label": columns[at].label, ...props }, content);

function rowNumbers(lines) {
  const numbers = lines.map(({ row }) => row);
  const rest = numbers.length - FEW;
  return [
    numbers.slice(0, FEW).map(count).join(", "),
    rest > 0 && h("span", { class: "below" }, t("andMore", { n: count(rest) })),
  ];
}

function givenNames(lines) {
  const names = [...new Set(lines.map(({ name }) => name).filter(Boolean))];
  return [
    names.length ? names.slice(0, FEW).map((name) => nameElement(name, { class: "prose name" })) : "—",
    names.length > FEW && "…",
  ];
}

/** The values of a user's column in the first lines of a row. */
function ownCells(lines, { at }) {
  const texts = lines.map(({ cells }) => ownText(cells[at] ?? "")).slice(0, FEW);
  if (!texts.some(Boolean)) return "—";
  return [
    texts.map((text) =>
      h("span", { class: "one", lang: "ru", title: text.length > SHORT / 3 ? text : null }, text || "—"),
    ),
    lines.length > FEW && "…",
  ];
}

/** A line that was not checked: its content, the reason, and suggested suppliers. */
function uncheckedRow(run, { inn, lines: [line], why }, columns, act) {
  const words = h("div", { class: "why" }, tagOf("unchecked", t("batch.unchecked")), h("span", {}, why));
  const cells = {
    row: () => count(line.row),
    inn: () => h("span", { class: "code" }, inn || shortened(line.text) || "—"),
    name: () => nameElement(line.name || "—", { class: "prose name" }),
    verdict: () => [words, offers(run, line, act), line.score !== undefined && undoing(line, act)],
    given: () => nameElement(line.name || "—", { class: "prose name" }),
  };
  const content = ({ name, own }) => (own ? ownCells([line], own) : (cells[name]?.() ?? "—"));
  return h(
    "tr",
    { class: "unchecked" },
    columns.map((column, at) =>
      column.name === "entries"
        ? null
        : cellOf(columns, at, content(column), column.name === "verdict" ? { colspan: 2 } : {}),
    ),
  );
}

/** Buttons that choose the INN that is probably meant, or one of the best matches for the name. */
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

/** Describes how an INN was chosen, and offers a button that undoes the choice. */
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

/**
 * The row of a supplier with all its lines. Expandable rows for name mismatches and for registry
 * entries follow.
 */
function supplierRows(run, row, columns, changes, act) {
  const { inn, lines, supplier, misfits } = row;
  const { entries = [], previousEntries = [] } = supplier;
  const { below, opener } = entriesBelow(run, inn, supplier, columns.length);
  const own = columns.filter((column) => column.own).length;
  const chosen = lines.find(({ score }) => score !== undefined);
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
      supplier.supplierName
        ? nameElement(supplier.supplierName, { class: "prose name" })
        : h("span", { class: "aside" }, t("batch.noName")),
    verdict: () => [
      tagOf(supplier.verdict),
      h("span", { class: "term" }, termWords(supplier)),
      changes?.has(inn) && h("span", { class: "below changed" }, changeWords(changes.get(inn))),
    ],
    entries: () => (entries.length + previousEntries.length ? opener : "—"),
  };
  const content = ({ name, own }) => {
    if (own) return ownCells(lines, own);
    return isFact(name) ? factCell(run, inn, name) : cells[name]();
  };
  return [
    h(
      "tr",
      { class: [supplier.verdict, misfits.length && "misfit"].filter(Boolean).join(" ") },
      columns.map((column, at) => cellOf(columns, at, content(column))),
    ),
    misfits.length > 0 &&
      h(
        "tr",
        { class: `warning misfit ${supplier.verdict}` },
        h("td", { colspan: columns.length - own }, misfitWords(run, row)),
        own > 0 && h("td", { class: "own first", colspan: own }),
      ),
    below,
  ];
}

/** The names that do not match the INN, each once with its score. */
function misfitWords(run, { lines, misfits }) {
  const byName = grouped(misfits, ({ name }) => name);
  return [...byName].slice(0, FEW).map(([name, some]) =>
    h(
      "p",
      { class: "warn-line" },
      icon("misfit"),
      h(
        "span",
        {},
        t("batch.misfit"),
        " ",
        h("b", { lang: "ru" }, name),
        `, ${t("batch.fit", { score: fitOf(run, some[0]) })}`,
        lines.length > 1 &&
          ` (${t("batch.inRows", {
            rows: some
              .slice(0, FEW)
              .map(({ row }) => count(row))
              .join(", "),
          })})`,
      ),
    ),
  );
}

/** The cell of a column that counts contracts: the number, as a link to the supplier. */
function factCell(run, inn, name) {
  const facts = run.facts.get(inn);
  const many = factCount(facts, name);
  if (many === null) return h("span", { class: "aside" }, run.going ? "…" : t("batch.notAsked"));
  if (many === 0) return "—";
  const words = facts.filter(({ fact, count: n }) => COUNTED[name].includes(fact) && Number(n) > 0);
  const title = words.map(({ fact, count: n }) => `${factName(fact)}: ${count(n)}`).join("; ");
  return h("a", { href: hashOf("supplier", inn), title: name === "terminated" ? title : null }, count(many));
}

/** The row with a supplier's registry entries, and the button that expands the row. */
function entriesBelow(run, inn, supplier, width) {
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
    if (isOpen && !below.firstChild) below.append(h("td", { colspan: width }, entryList(supplier)));
    run.open[isOpen ? "add" : "delete"](inn);
    below.hidden = !isOpen;
    opener.setAttribute("aria-expanded", String(isOpen));
  };
  if (run.open.has(inn)) toggle(true);
  return { below, opener };
}

/** The entries in force, then the earlier ones. */
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

/** Describes when the last entry in force ends, or when the last earlier one ended. */
function termWords({ entries = [], previousEntries = [] }) {
  const some = entries.length ? entries : previousEntries;
  const end = ({ excludeDate, removedBy }) => removedBy ?? excludeDate ?? "\uffff";
  const last = [...some].sort((one, other) => (end(one) < end(other) ? 1 : -1))[0];
  if (!last) return "";
  if (!last.excludeDate || last.removedBy) return untilWords(last, !entries.length);
  return t("batch.until", { day: day(last.excludeDate) });
}

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

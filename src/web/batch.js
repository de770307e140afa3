// Many suppliers at once: a list pasted, dropped or chosen, and a table of verdicts.

import { getJson, Trouble } from "./client.js";
import { withObtained } from "./coverage.js";
import { day } from "./days.js";
import { announce, h, icon, swap } from "./dom.js";
import { downloadBar } from "./downloads.js";
import { count, plural } from "./figures.js";
import { innsIn, isCut, textOf } from "./list.js";
import { shownVerdict, standingWords } from "./registries.js";
import { hashOf, requestUrl } from "./routes.js";
import { getItem, setItem } from "./storage.js";
import { forms, t } from "./texts.js";
import { troublePanel } from "./trouble.js";

/** How many INNs one request may have, how many are taken in all, and how many rows are shown. */
const AT_ONCE = 200;
const MOST = 10_000;
const SHOWN = 200;
/** The largest file that is read, bytes. */
const FILE = 5_000_000;
/** From how many characters on a pasted text goes in on one line. */
const LONG = 4000;
const ORDER = ["listed", "previously-listed", "no-registry", "partial-registry", "old-registry", "not-listed", "unknown", "invalid"];
/** Up to how many rows without an INN are listed at once. */
const FEW = 10;
const STORED = "batch";

/** What was found, remembered while the page is open: for another language, and for coming back. */
let run = null;

/** Puts the view of a list into `main`. */
export function batchView(main, { params }, shell) {
  const wanted = params.get("inn") ?? "";
  const asOf = /^\d{4}-\d\d-\d\d$/.test(params.get("asOf") ?? "") ? params.get("asOf") : "";
  const heading = h("h1", { tabindex: "-1" }, t("batch.title"));
  const results = h("section", { class: "results", "aria-label": t("batch.results") });
  // What was read of a long paste. Only its INNs go into the field, on one line: a browser
  // takes minutes to lay out a column of ten thousand.
  let pasted = null;
  const paste = (event) => {
    const content = event.clipboardData.getData("text/plain");
    if (content.length < LONG) return undefined;
    event.preventDefault();
    pasted = innsIn(content);
    text.setRangeText(pasted.inns.join(", "), text.selectionStart, text.selectionEnd, "end");
    setItem(STORED, text.value);
    return pasted.inns.length ? undefined : start(pasted);
  };
  const text = h("textarea", {
    id: "batch-text", rows: "6", spellcheck: "false", autocomplete: "off", "aria-describedby": "batch-help",
    value: wanted ? wanted.split(",").join("\n") : getItem(STORED) ?? "", placeholder: t("batch.placeholder"),
    on: { input: () => ((pasted = null), setItem(STORED, text.value)), paste },
  });
  const date = h("input", { type: "date", id: "batch-day", value: asOf, min: "2000-01-01", max: "2100-12-31" });
  const file = h("input", { type: "file", id: "batch-file", accept: ".csv,.txt,text/csv,text/plain", on: { change: () => read(file.files[0]) } });
  const form = h("form", { class: "panel batch", novalidate: true, on: { submit: (event) => (event.preventDefault(), start()) } },
    h("label", { for: "batch-text" }, t("batch.label")), text,
    h("p", { id: "batch-help", class: "aside" }, t("batch.help")),
    h("div", { class: "row" },
      h("label", { class: "field" }, h("span", {}, t("batch.file")), file),
      h("label", { class: "field" }, h("span", {}, t("rnp.asOf")), date),
      h("button", { class: "main" }, t("batch.check"))),
  );
  const read = async (chosen) => {
    if (!chosen) return;
    if (chosen.size > FILE) return void swap(results, note(t("batch.tooLarge")));
    const content = textOf(await chosen.arrayBuffer());
    if (content === null) return void swap(results, note(t("batch.notText", { file: chosen.name })));
    begin(innsIn(content));
  };
  form.addEventListener("dragover", (event) => (event.preventDefault(), form.classList.add("over")));
  form.addEventListener("dragleave", () => form.classList.remove("over"));
  form.addEventListener("drop", (event) => {
    event.preventDefault();
    form.classList.remove("over");
    const dropped = event.dataTransfer.files[0];
    if (dropped) return read(dropped);
    return begin(innsIn(event.dataTransfer.getData("text/plain")));
  });
  /** Checks what was found in a file: its INNs take the place of what was typed. */
  const begin = (read) => {
    text.value = read.inns.slice(0, MOST).join(", ");
    setItem(STORED, text.value);
    return start(read);
  };
  const start = (read = { ...innsIn(text.value), ...(pasted && { ...pasted, inns: innsIn(text.value).inns }) }) => {
    const { inns, repeated, others, column, isUnclear } = read;
    if (!inns.length) {
      text.focus();
      return swap(results, note(t(isUnclear ? "batch.unclear" : "batch.empty")), others.length ? note(othersList(others)) : null);
    }
    if (!date.validity.valid) {
      date.focus();
      return swap(results, note(t("batch.badDay")));
    }
    const short = inns.length <= AT_ONCE;
    const hash = hashOf("batch", "", { inn: short ? inns.join(",") : "", go: short ? "" : "1", asOf: date.value });
    run?.stop.abort();
    run = newRun(inns.slice(0, MOST), date.value, [
      inns.length > MOST && t("batch.tooMany", { n: count(inns.length), most: count(MOST) }),
      column && t("batch.column", { column: short40(column) }),
      repeated > 0 && plural(repeated, forms("batch.repeated")),
      others.length > 0 && othersList(others),
    ].filter(Boolean));
    if (location.hash !== hash) history.pushState(null, "", hash);
    return go(run, results, shell);
  };
  main.replaceChildren(h("header", { class: "view-head" }, h("p", { class: "eyebrow" }, t("batch.eyebrow")), heading), form, results);
  const present = innsIn(text.value).inns.slice(0, MOST);
  if (run && run.asOf === asOf && run.inns.join() === present.join()) go(run, results, shell);
  else if (wanted || (params.has("go") && text.value)) start();
  return { heading, stop: () => {} };
}

const newRun = (inns, asOf, notes) => ({
  inns, asOf, notes, found: [], from: "", stop: new AbortController(), sort: { name: "order", down: false }, only: "", shown: SHOWN,
});

const note = (content) => h("div", { class: "panel note", role: "status" }, content);

/** Text as an example of itself. */
const short40 = (text) => (text.length > 40 ? `${text.slice(0, 39)}…` : text);

/** What is no INN, row by row: at once where it is little, else on a click. */
const othersList = (others) =>
  h("details", { open: others.length <= FEW },
    h("summary", {}, t("batch.others", { n: count(others.length) })),
    others.some(isCut) && h("p", {}, t("batch.zero")),
    h("ul", { class: "plain" },
      others.slice(0, SHOWN).map(({ row, text }) => h("li", {}, t("batch.other", { row: count(row), text: short40(text) }))),
      others.length > SHOWN && h("li", {}, "…")));

const url = (one, format, from = 0) =>
  requestUrl("/rnp/check-suppliers", { supplierINN: one.inns.slice(from, from + AT_ONCE).join(","), format, history: "1", asOf: one.asOf });

/** Requests the verdicts that are missing, and shows those there are as they come. */
async function go(one, section, shell) {
  const draw = (trouble) => swap(section, ...resultsOf(one, trouble, () => go(one, section, shell)));
  if (one.going) {
    one.draw = draw;
    return draw();
  }
  one.draw = draw;
  one.going = true;
  one.stopped = false;
  one.stop = new AbortController();
  let trouble = null;
  one.draw();
  try {
    while (one.found.length < one.inns.length) {
      const answer = await getJson(url(one, "json", one.found.length), one.stop.signal);
      const registries = await withObtained(answer.registries);
      const verdict = (supplier) => shownVerdict(supplier.verdict, registries, one.asOf);
      one.found.push(...answer.suppliers.map((supplier, at) => ({ ...supplier, verdict: verdict(supplier), order: one.found.length + at })));
      one.from = standingWords(registries, one.asOf);
      one.draw();
    }
  } catch (problem) {
    if (problem.name === "AbortError") one.stopped = true;
    else if (problem instanceof Trouble) trouble = problem;
    else throw problem;
  }
  one.going = false;
  one.draw(trouble);
  if (!trouble) announce(plural(one.found.length, forms("batch.done")));
  return undefined;
}

function resultsOf(one, trouble, again) {
  const redraw = () => one.draw();
  const part = one.found.length < one.inns.length;
  const parts = Math.ceil(one.inns.length / AT_ONCE);
  return [
    ...one.notes.map(note),
    part && h("div", { class: "progress" },
      h("label", { for: "batch-progress" }, t(one.going ? "batch.going" : "batch.stoppedAt", { done: count(one.found.length), all: count(one.inns.length) })),
      h("progress", { id: "batch-progress", max: one.inns.length, value: one.found.length }),
      one.going && h("button", { type: "button", class: "quiet", "data-stay": "stop", on: { click: () => one.stop.abort() } }, t("batch.stop")),
      !one.going && !trouble && h("button", { type: "button", class: "quiet", "data-stay": "stop", on: { click: again } }, t("batch.goOn"))),
    trouble && troublePanel(trouble, again),
    one.found.length > 0 && [
      h("h2", {}, plural(one.found.length, forms("batch.done")), one.asOf && h("span", { class: "badge" }, t("rnp.on", { day: day(one.asOf) }))),
      h("p", { class: "aside" }, one.from),
      counts(one, redraw),
      verdictTable(one, redraw),
      downloadBar({
        name: `rnp-check${one.asOf ? `-${one.asOf}` : ""}`,
        urls: (format) => Array.from({ length: parts }, (_, at) => url(one, format, at * AT_ONCE)),
      }),
      parts > 1 && h("p", { class: "aside" }, t("batch.joined")),
    ],
  ];
}

/** How many of each verdict; each is a switch that shows these alone. */
function counts(one, redraw) {
  const number = (verdict) => one.found.filter((supplier) => supplier.verdict === verdict).length;
  const choose = (verdict) => {
    one.only = one.only === verdict ? "" : verdict;
    one.shown = SHOWN;
    redraw();
  };
  return h("div", { class: "counts", role: "group", "aria-label": t("batch.only") },
    ORDER.map((verdict) => [verdict, number(verdict)]).filter(([, many]) => many).map(([verdict, many]) =>
      h("button", { type: "button", class: `count ${verdict}`, "aria-pressed": String(one.only === verdict), "data-stay": `only-${verdict}`, on: { click: () => choose(verdict) } },
        icon(verdict), h("strong", {}, count(many)), h("span", {}, t(`verdict.${verdict}.short`)))));
}

/** What each column sorts by. */
const SORTED = {
  inn: (supplier) => supplier.supplierINN,
  name: (supplier) => supplier.supplierName ?? "\uffff",
  verdict: (supplier) => ORDER.indexOf(supplier.verdict),
  since: (supplier) => latest(supplier)?.registrationDate ?? "",
  entries: (supplier) => (supplier.entries?.length ?? 0) * 1000 + (supplier.previousEntries?.length ?? 0),
  order: (supplier) => supplier.order,
};

const latest = (supplier) => supplier.entries?.[0] ?? supplier.previousEntries?.[0];

function verdictTable(one, redraw) {
  const { name, down } = one.sort;
  const by = (left, right) => {
    const [first, second] = [SORTED[name](left), SORTED[name](right)];
    const least = typeof first === "string" ? first.localeCompare(second, "ru") : first - second;
    return (down ? -least : least) || left.order - right.order;
  };
  const rows = one.found.filter((supplier) => !one.only || supplier.verdict === one.only).sort(by);
  const head = (column) => {
    const now = name === column;
    const sort = () => {
      one.sort = { name: column, down: now ? !down : column === "since" || column === "entries" };
      redraw();
    };
    return h("th", { role: "columnheader", scope: "col", "aria-sort": now ? (down ? "descending" : "ascending") : "none" },
      h("button", { type: "button", class: "sorter", "data-stay": `sort-${column}`, on: { click: sort } },
        t(`batch.column.${column}`), h("span", { class: "arrow", "aria-hidden": "true" }, now ? (down ? "▼" : "▲") : "↕")));
  };
  const cell = (column, content) => h("td", { role: "cell", class: `col-${column}`, "data-label": t(`batch.column.${column}`) }, content);
  const rest = rows.length - one.shown;
  return [
    h("table", { class: "cards verdicts", role: "table" },
      h("caption", { class: "unseen" }, t("batch.caption")),
      h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, ["inn", "name", "verdict", "entries", "since"].map(head))),
      h("tbody", { role: "rowgroup" }, rows.slice(0, one.shown).map((supplier) => h("tr", { role: "row" },
        cell("inn", h("a", { class: "code", href: hashOf("supplier", supplier.supplierINN, { asOf: one.asOf }) }, supplier.supplierINN)),
        cell("name", h("span", { class: "prose name" }, supplier.supplierName || "—")),
        cell("verdict", h("span", { class: `tag ${supplier.verdict}` }, icon(supplier.verdict), t(`verdict.${supplier.verdict}.short`))),
        cell("entries", entryCount(supplier)),
        cell("since", day(latest(supplier)?.registrationDate) || "—"))))),
    rest > 0 && h("button", { type: "button", class: "quiet", "data-stay": "more", on: { click: () => ((one.shown += SHOWN), redraw()) } }, t("batch.more", { n: count(rest) })),
  ];
}

function entryCount({ entries = [], previousEntries = [] }) {
  const words = [entries.length && plural(entries.length, forms("batch.now")), previousEntries.length && plural(previousEntries.length, forms("batch.before"))];
  return words.filter(Boolean).join(", ") || "—";
}

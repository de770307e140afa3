// Many suppliers at once: a list pasted, dropped or chosen, and a table of verdicts, row by row.

import { about, dataUpdated, getJson, Trouble } from "./client.js";
import { missingDocuments } from "./coverage.js";
import { answeredAt, day, moscow } from "./days.js";
import { announce, h, icon, swap } from "./dom.js";
import { copy, downloadBar, save } from "./downloads.js";
import { groundTable, sheetHead, signLines, sourcePart } from "./evidence.js";
import { count, plural } from "./figures.js";
import { fileName } from "./file-name.js";
import { dataDay, lacking, marks } from "./ground.js";
import { tidy } from "./inns.js";
import { joinRows, listCsv, readList, tableOf, textOf } from "./list.js";
import { isLong } from "./record.js";
import { hashOf, requestUrl } from "./routes.js";
import { MOST_ROWS, xlsx } from "./sheet.js";
import { getItem, setItem } from "./storage.js";
import { fieldName, forms, lawName, reasonWords, t } from "./texts.js";
import { troublePanel } from "./trouble.js";
import { untilWords } from "./verdict.js";

/** How many INNs one request may have, how many are taken in all, and how many rows are shown. */
const AT_ONCE = 200;
const MOST = 10_000;
const SHOWN = 200;
/** The largest file that is read, bytes. */
const FILE = 5_000_000;
/** The longest link to a list, in characters: programs for mail and messages cut off longer ones. */
const LINK = 2000;
/** From how many characters on a pasted text is put in by the script: a browser takes minutes. */
const LONG = 4000;
const ORDER = ["listed", "previously-listed", "undetermined", "not-listed", "invalid"];
/** Up to how many near misses are listed at once. */
const FEW = 10;
const STORED = "batch";

/** What was found, remembered while the page is open: for another language, and for coming back. */
let run = null;
/** A file that was dropped elsewhere, to be checked when the view is shown. */
let dropped = null;

/** Has the list in `file` checked by the view that is shown next. */
export const takeList = (file) => (dropped = file);

/** Puts the view of a list into `main`. */
export function batchView(main, { params }, shell) {
  const asOf = /^\d{4}-\d\d-\d\d$/.test(params.get("asOf") ?? "") ? params.get("asOf") : "";
  const heading = h("h1", { tabindex: "-1" }, t("batch.title"));
  const results = h("section", { class: "results", "aria-label": t("batch.results") });
  const keep = () => setItem(STORED, text.value);
  const paste = (event) => {
    const content = event.clipboardData.getData("text/plain");
    if (content.length < LONG) return;
    event.preventDefault();
    text.setRangeText(content, text.selectionStart, text.selectionEnd, "end");
    keep();
  };
  const text = h("textarea", {
    id: "batch-text", rows: "6", spellcheck: "false", autocomplete: "off", "aria-describedby": "batch-help",
    value: listAt(params.get("inn") ?? ""), placeholder: t("batch.placeholder"), on: { input: keep, paste },
  });
  const date = h("input", { type: "date", id: "batch-day", value: asOf, min: "2000-01-01", max: "2100-12-31" });
  const file = h("input", { type: "file", id: "batch-file", accept: ".csv,.txt,text/csv,text/plain", on: { change: () => file.files.length && shell.take([...file.files]) } });
  const form = h("form", { class: "panel batch", novalidate: true, on: { submit: (event) => (event.preventDefault(), start()) } },
    h("label", { for: "batch-text" }, t("batch.label")), text,
    h("p", { id: "batch-help", class: "aside" }, t("batch.help")),
    h("div", { class: "row" },
      h("label", { class: "field" }, h("span", {}, t("batch.file")), file),
      h("label", { class: "field" }, h("span", {}, t("rnp.asOf")), date),
      h("button", { class: "main" }, t("batch.check"))),
  );
  form.addEventListener("dragover", (event) => (event.preventDefault(), form.classList.add("over")));
  form.addEventListener("dragleave", () => form.classList.remove("over"));
  form.addEventListener("drop", (event) => {
    form.classList.remove("over");
    // Files are the page's to take.
    if (event.dataTransfer.files.length) return;
    event.preventDefault();
    begin(event.dataTransfer.getData("text/plain"));
  });
  const read = async (chosen) => {
    if (chosen.size > FILE) return swap(results, note(t("batch.tooLarge")));
    const content = textOf(await chosen.arrayBuffer());
    return content === null ? swap(results, note(t("batch.notText", { file: chosen.name }))) : begin(content);
  };
  /** Checks a list that takes the place of what was typed. */
  const begin = (content) => {
    text.value = content;
    keep();
    return start();
  };
  const start = () => {
    const list = readList(text.value);
    if (!list.rows.length) {
      text.focus();
      return swap(results, note(t(list.isUnclear ? "batch.unclear" : "batch.empty")), list.misses.length ? note(missList(list.misses)) : null);
    }
    if (!date.validity.valid) {
      date.focus();
      return swap(results, note(t("batch.badDay")));
    }
    run?.stop.abort();
    run = newRun(text.value, list, date.value);
    const hash = run.link ?? hashOf("batch", "", { go: "1", asOf: date.value });
    if (location.hash !== hash) history.pushState(null, "", hash);
    return go(run, results, shell);
  };
  main.replaceChildren(h("header", { class: "view-head" }, h("p", { class: "eyebrow" }, t("batch.eyebrow")), heading), form, results);
  const [taken] = [dropped, (dropped = null)];
  if (taken) read(taken);
  else if (run && run.asOf === asOf && run.text === text.value) go(run, results, shell);
  else if (params.get("inn") || (params.has("go") && text.value)) start();
  const paper = () => {
    if (!run?.answered) return;
    const sheet = sheetOf(run);
    main.append(sheet);
    const root = document.documentElement;
    root.classList.add("with-sheet");
    const clear = () => (sheet.remove(), root.classList.remove("with-sheet"));
    addEventListener("afterprint", clear, { once: true });
  };
  addEventListener("beforeprint", paper);
  return { heading, stop: () => removeEventListener("beforeprint", paper) };
}

const innsOf = ({ rows }) => [...new Set(rows.map(({ inn }) => inn))];

/** The list that an address names: as it was typed or read where that has the same INNs. */
function listAt(inns) {
  const stored = getItem(STORED) ?? "";
  if (!inns || innsOf(readList(stored)).join() === inns) return stored;
  return inns.split(",").join("\n");
}

/** The checking of a list; `link` is the address that has all of it, null where that is too long. */
function newRun(text, list, asOf) {
  const all = innsOf(list);
  const inns = all.slice(0, MOST);
  const checked = new Set(inns);
  const rows = all.length > MOST ? list.rows.filter(({ inn }) => checked.has(inn)) : list.rows;
  const link = hashOf("batch", "", { inn: inns.join(","), asOf });
  const isShort = inns.length <= AT_ONCE && `${location.origin}${location.pathname}${link}`.length <= LINK;
  const { column, without, misses } = list;
  return {
    text, rows, inns, asOf, link: isShort ? link : null, hasNames: rows.some(({ name }) => name), answered: 0, found: new Map(), registries: [], documents: [],
    unread: unreadRows(text, list, checked),
    stop: new AbortController(), sort: { name: "row", down: false }, only: "", shown: SHOWN,
    notes: [
      all.length > MOST && t("batch.tooMany", { n: count(all.length), most: count(MOST) }),
      column && t("batch.column", { column: short40(column) }),
      rows.length > inns.length && plural(rows.length - inns.length, forms("batch.again")),
      without.length > 0 && plural(without.length, forms("batch.without")).replace("{rows}", without.slice(0, FEW).map(count).join(", ") + (without.length > FEW ? "…" : "")),
      misses.length > 0 && missList(misses),
    ].filter(Boolean),
  };
}

/** The lines of a list that name no INN to be checked, each with why: `{row, name, text, why}`. */
function unreadRows(text, { rows, without, misses }, checked) {
  const lines = text.split(/\r\n|\n|\r/);
  const nameIn = (row, but) => tidy((lines[row - 1] ?? "").replace(but, ""));
  const read = new Set(rows.map(({ row }) => row));
  const over = rows.filter(({ inn }) => !checked.has(inn)).map(({ row, inn, name }) => ({ row, name, text: inn, why: t("batch.miss.over", { most: count(MOST) }) }));
  const unlike = misses.filter(({ row }) => !read.has(row)).map(({ row, text, why, inn }) => ({ row, name: nameIn(row, text), text, why: missWords(why, inn) }));
  return [...over, ...unlike, ...without.map((row) => ({ row, name: nameIn(row, ""), text: "", why: t("batch.miss.none") }))];
}

const missWords = (why, inn) => t(`batch.miss.${why}`) + (inn && t("batch.miss.meant", { inn }));

const note = (content) => h("div", { class: "panel note", role: "status" }, content);

/** Text as an example of itself. */
const short40 = (text) => (text.length > 40 ? `${text.slice(0, 39)}…` : text);

/** What only looks like an INN, row by row: at once where it is little, else on a click. */
const missList = (misses) =>
  h("details", { open: misses.length <= FEW },
    h("summary", {}, t("batch.misses", { n: count(misses.length) })),
    h("ul", { class: "plain" },
      misses.slice(0, SHOWN).map(({ row, text, why, inn }) => h("li", {}, t("batch.miss", { row: count(row), text: short40(text), why: missWords(why, inn) }))),
      misses.length > SHOWN && h("li", {}, "…")));

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
    while (one.answered < one.inns.length) {
      const answer = await getJson(url(one, "json", one.answered), one.stop.signal);
      // All verdicts of a list have one ground: once an import has changed the data, they begin again.
      const isOther = one.answered > 0 && one.updated !== dataUpdated();
      if (isOther) Object.assign(one, { answered: 0, found: new Map() });
      else {
        if (one.answered === 0) Object.assign(one, { updated: dataUpdated(), registries: answer.registries, documents: await missingDocuments(answer.registries) });
        for (const supplier of answer.suppliers) one.found.set(supplier.supplierINN, supplier);
        one.answered = Math.min(one.answered + AT_ONCE, one.inns.length);
        one.date = answeredAt();
      }
      one.draw();
    }
  } catch (problem) {
    if (problem.name === "AbortError") one.stopped = true;
    else if (problem instanceof Trouble) trouble = problem;
    else throw problem;
  }
  one.going = false;
  one.draw(trouble);
  if (!trouble) announce(doneWords(one));
  return undefined;
}

function resultsOf(one, trouble, again) {
  const redraw = () => one.draw();
  const part = one.answered < one.inns.length;
  const parts = Math.ceil(one.inns.length / AT_ONCE);
  const rows = checkedRows(one);
  return [
    one.notes.length > 0 && note(one.notes.map((words) => (typeof words === "string" ? h("p", {}, words) : words))),
    part && h("div", { class: "progress" },
      h("label", { for: "batch-progress" }, t(one.going ? "batch.going" : "batch.stoppedAt", { done: count(one.answered), all: count(one.inns.length) })),
      h("progress", { id: "batch-progress", max: one.inns.length, value: one.answered }),
      one.going && h("button", { type: "button", class: "quiet", "data-stay": "stop", on: { click: () => one.stop.abort() } }, t("batch.stop")),
      !one.going && !trouble && h("button", { type: "button", class: "quiet", "data-stay": "stop", on: { click: again } }, t("batch.goOn"))),
    trouble && troublePanel(trouble, again),
    one.answered > 0 && [
      h("h2", {}, doneWords(one), one.asOf && h("span", { class: "badge" }, t("rnp.on", { day: day(one.asOf) }))),
      groundLine(one),
      counts(one, rows, redraw),
      verdictTable(one, rows, redraw),
      downloadBar({
        urls: (format) => Array.from({ length: parts }, (_, at) => url(one, format, at * AT_ONCE)),
        join: (texts) => joinRows(one.rows, texts),
        sheet: (csv) => verdictSheet(one, csv),
      }),
      h("p", { class: "aside" }, t("batch.inRows"), parts > 1 && ` ${t("batch.joined")}`),
      sharing(one),
    ],
  ];
}

/** How many lines the list has, and how many of them were checked: each whose INN is one. */
function doneWords(one) {
  const done = checkedRows(one).filter(({ verdict }) => verdict !== "invalid").length;
  const all = one.rows.length + one.unread.length;
  return t("batch.done", { n: count(all), done: count(done), rest: count(all - done) });
}

/** The day of the data, the registries, and what is lacking of them. */
function groundLine({ registries, documents }) {
  const [from, lack] = [dataDay(registries), lacking(registries)];
  return [
    h("div", { class: "ground-line" }, from && h("p", {}, t("rnp.dataOf", { day: day(from) })), marks(registries),
      h("button", { type: "button", class: "button", on: { click: () => print() } }, t("batch.evidence.print"))),
    lack && h("p", { class: "aside" }, [lack, ...documents].join(" ")),
  ];
}

/** The sheet of a list, for paper: every line of it, also those that were not checked, and why. */
function sheetOf(one) {
  const { asOf, registries, documents, rows, found, unread } = one;
  const all = [...rows.map((row) => ({ ...row, text: row.inn, ...found.get(row.inn), name: row.name })), ...unread].sort((left, right) => left.row - right.row);
  const columns = ["row", all.some(({ name }) => name) && "given", "inn", "name", "verdict"].filter(Boolean);
  const entryWords = (areOver) => (entry) => `${entry.registrationNumber} (${lawName(entry.federalLaw)}): ${untilWords(entry, areOver)}`;
  const outcome = ({ verdict, why, entries = [], previousEntries = [] }) => [
    h("strong", {}, t(verdict ? `verdict.${verdict}.short` : "batch.unchecked")),
    [why, !verdict && !why && t("batch.unanswered"), verdict === "invalid" && t("verdict.invalid.means"), ...entries.map(entryWords(false)), ...previousEntries.map(entryWords(true))]
      .filter(Boolean).map((words) => h("span", { class: "line" }, words)),
  ];
  const cells = (line) => ({ row: count(line.row), given: line.name || "—", inn: line.text || "—", name: line.supplierName || "—", verdict: outcome(line) });
  const of = [asOf && t("rnp.onDay", { day: day(asOf) }), dataDay(registries) && t("rnp.dataOf", { day: day(dataDay(registries)) })].filter(Boolean).join(". ");
  const sum = ORDER.map((verdict) => [verdict, all.filter((line) => line.verdict === verdict).length]).filter(([, many]) => many);
  return h("article", { class: "evidence" },
    sheetHead(h("h1", {}, t("batch.evidence")), one.date),
    h("section", {},
      h("h2", {}, doneWords(one)),
      of && h("p", {}, of, "."),
      h("p", {}, t("batch.results"), ": ", sum.map(([verdict, many]) => `${t(`verdict.${verdict}.short`)} – ${count(many)}`).join(", "), ".")),
    groundTable(registries, documents),
    h("section", {}, h("h3", {}, t("batch.caption")),
      h("table", { class: "small lines" },
        h("thead", {}, h("tr", {}, columns.map((column) => h("th", { scope: "col" }, t(`batch.column.${column}`))))),
        h("tbody", {}, all.map(cells).map((line) => h("tr", {}, columns.map((column) => h("td", { class: column === "inn" && isLong(line[column]) ? "long" : null }, line[column]))))))),
    sourcePart(one.updated),
    signLines());
}

/** The joined CSV as a file for spreadsheets: what it is of, headings, verdicts, yes and no in words, rows as numbers. */
function verdictSheet(one, csv) {
  const { headings, rows } = tableOf(csv);
  if (rows.length + 2 > MOST_ROWS) throw new Trouble("large");
  const shown = {
    row: Number,
    verdict: (code) => code && t(`verdict.${code}.short`),
    inRNP: (flag) => flag && t(flag === "true" ? "yes" : "no"),
    previous: (flag) => flag && t(flag === "true" ? "yes" : "no"),
    reason: (code) => code && reasonWords(code),
  };
  const words = (cells) => cells.map((cell, at) => shown[headings[at]]?.(cell) ?? cell);
  const width = (name) => ({ row: 8, nameAsGiven: 36, supplierName: 44, customerName: 44, reason: 36, registry44: 20, registry223: 20, registry615: 20, dataUpdated: 22 })[name] ?? 16;
  const first = (name) => rows[0]?.[headings.indexOf(name)] ?? "";
  const from = dataDay(one.registries);
  const title = t("batch.sheet", {
    title: t("batch.title"), n: count(one.inns.length), day: day(first("asOf")), time: moscow(first("dataUpdated")),
    of: from && `${t("rnp.dataOf", { day: day(from) })}. `,
    from: [about.demo && `${t("data.demo")}.`, lacking(one.registries)].filter(Boolean).join(" "),
  });
  return xlsx({ name: t("batch.eyebrow"), title, headings: headings.map((name) => fieldName(`sheet.${name}`)), rows: rows.map(words), widths: headings.map(width) });
}

/** What sends the list to somebody: a link with its INNs, where it is short enough, and a file with all of it. */
function sharing({ link, rows, inns, asOf }) {
  const address = `${location.origin}${location.pathname}${link}`;
  const name = fileName(requestUrl("/suppliers", { supplierINN: inns.length > 1 ? inns.join(",") : inns[0], asOf }));
  const button = (label, click) => h("button", { type: "button", class: "quiet", on: { click } }, label);
  return h("div", { class: "answers", role: "group", "aria-label": t("batch.share") },
    h("span", { class: "label" }, t("batch.share")),
    link && button(t("batch.link"), () => copy(address, t("batch.linkCopied"))),
    button(t("batch.saveList"), () => save(listCsv(rows), `${name}.csv`, "text/csv")),
    h("p", { class: "aside" }, t(link ? "batch.linkHas" : "batch.linkLong", { most: count(LINK) })));
}

/** How many of each verdict; each is a switch that shows these alone. */
function counts(one, rows, redraw) {
  const number = (verdict) => rows.filter((supplier) => supplier.verdict === verdict).length;
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

/** The rows of the list that have a verdict, each with what was found. */
const checkedRows = ({ rows, found }) => rows.filter(({ inn }) => found.has(inn)).map((row) => ({ ...found.get(row.inn), ...row }));

/** What each column sorts by. */
const SORTED = {
  row: (supplier) => supplier.row,
  given: (supplier) => supplier.name || "\uffff",
  inn: (supplier) => supplier.inn,
  name: (supplier) => supplier.supplierName ?? "\uffff",
  verdict: (supplier) => ORDER.indexOf(supplier.verdict),
  since: (supplier) => latest(supplier)?.registrationDate ?? "",
  entries: (supplier) => (supplier.entries?.length ?? 0) * 1000 + (supplier.previousEntries?.length ?? 0),
};

const latest = (supplier) => supplier.entries?.[0] ?? supplier.previousEntries?.[0];

function verdictTable(one, all, redraw) {
  const { name, down } = one.sort;
  const by = (left, right) => {
    const [first, second] = [SORTED[name](left), SORTED[name](right)];
    const least = typeof first === "string" ? first.localeCompare(second, "ru") : first - second;
    return (down ? -least : least) || left.row - right.row;
  };
  const rows = all.filter((supplier) => !one.only || supplier.verdict === one.only).sort(by);
  const columns = ["row", "inn", one.hasNames && "given", "name", "verdict", "entries", "since"].filter(Boolean);
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
      h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, columns.map(head))),
      h("tbody", { role: "rowgroup" }, rows.slice(0, one.shown).map((supplier) => h("tr", { role: "row" },
        cell("row", count(supplier.row)),
        cell("inn", h("a", { class: "code", href: hashOf("supplier", supplier.inn, { asOf: one.asOf }) }, supplier.inn)),
        one.hasNames && cell("given", h("span", { class: "prose name" }, supplier.name || "—")),
        cell("name", h("span", { class: "prose name" }, supplier.supplierName || t("batch.noName"))),
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

// The list check view: paste, drop or choose a list of suppliers and check it. After the check, the
// form collapses and the results move to the top.

import { day } from "./days.js";
import { announce, h, swap } from "./dom.js";
import { errorPanel } from "./error-panel.js";
import { count, plural } from "./figures.js";
import { marks, unreadWords } from "./ground.js";
import { baseline, changesSince, forget, keep, keptList, keptNames, LONGEST_NAME, MOST_KEPT } from "./kept.js";
import { readList, textOf } from "./list.js";
import { listMenu, sharing } from "./list-downloads.js";
import { areFactsChosen, columnsMenu } from "./list-columns.js";
import { chips, tiles, verdictTable } from "./list-results.js";
import {
  check,
  choose,
  doneWords,
  innsOf,
  isBeyondAsked,
  MOST,
  MOST_ASKED,
  newRun,
  progressOf,
  rowsOf,
  totalWords,
} from "./list-run.js";
import { listSheet } from "./list-sheet.js";
import { watchMenu } from "./list-watch.js";
import { noteList } from "./recent.js";
import { hashOf } from "./routes.js";
import { getItem, setItem } from "./storage.js";
import { loadStyles } from "./styles.js";
import { forms, loadTexts, t } from "./texts.js";
import { isArchive, LARGEST_WORKBOOK, MOST_ROWS_READ, sheetsOf, tableText, UnreadableWorkbook } from "./workbook.js";

/** Size limit of a text file, in bytes. */
const LARGEST_TEXT = 5_000_000;
/**
 * A pasted text of at least this many characters is inserted by the script, because the browser
 * itself would take minutes.
 */
const LONG = 4000;
/** Session storage keys: the text of the list and its source. */
const [STORED, SOURCE] = ["batch", "batch-source"];
const ACCEPTED =
  ".xlsx,.csv,.txt,text/csv,text/plain,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/**
 * The current check. It outlives the view, so that Back or a change of language does not restart
 * it.
 */
let run = null;
let isEdited = false;
/**
 * The workbook the list comes from: `{file, sheets, at, isCut, text}`, where `at` is the index of
 * the sheet in use.
 */
let book = null;
/** A file that was dropped on another view and is opened by the next list check view. */
let dropped = null;

/** Hands a file to the next list check view. */
export const openList = (file) => (dropped = file);

await Promise.all([loadStyles("list.css"), loadTexts("list")]);

export function batchView(main, { params }, shell) {
  const kept = params.get("list") ? keptList(params.get("list")) : null;
  const asOf = kept?.asOf ?? (/^\d{4}-\d\d-\d\d$/.test(params.get("asOf") ?? "") ? params.get("asOf") : "");
  const heading = h("h1", { tabindex: "-1" }, t("batch.title"));
  const eyebrow = h("div", { class: "eyebrow from" });
  const results = h("section", { class: "results", "aria-label": t("batch.results") });
  const form = formOf({
    value: kept?.text ?? listAt(params.get("inn") ?? ""),
    asOf,
    submit: () => start(),
    typed: () => setItem(SOURCE, ""),
    dropText: (text) => begin(text),
    chosen: shell.take,
  });
  const { text, date } = form;
  const edit = (isOpen) => {
    isEdited = isOpen;
    form.element.hidden = !isOpen;
    const sheets = run && book?.text === run.text ? sheetChoice((at) => readSheet(at)) : null;
    eyebrow.replaceChildren(
      ...[
        h("span", {}, t("batch.eyebrow.full")),
        run?.source && h("span", { lang: "ru" }, run.source),
        sheets,
        run &&
          h(
            "button",
            {
              type: "button",
              class: "undo",
              "aria-expanded": String(isOpen),
              "aria-controls": "batch-form",
              on: { click: () => (edit(!isEdited), isEdited ? text.focus() : heading.focus()) },
            },
            t(isOpen ? "batch.fold" : "batch.edit"),
          ),
      ].filter(Boolean),
    );
  };
  const say = (words) => swap(results, h("div", { class: "panel note", role: "status" }, words));
  const read = async (file) => {
    book = null;
    try {
      const content = file.size > LARGEST_WORKBOOK ? null : await file.arrayBuffer();
      if (!content) return say(t("batch.tooLarge.workbook"));
      if (isArchive(content)) {
        book = { file: file.name, sheets: await sheetsOf(content) };
        return readSheet(0);
      }
      if (file.size > LARGEST_TEXT) return say(t("batch.tooLarge"));
      const words = textOf(content);
      return words === null
        ? say(t(/\.xls$/i.test(file.name) ? "batch.oldWorkbook" : "batch.notText", { file: file.name }))
        : begin(words, file.name);
    } catch (problem) {
      if (!(problem instanceof UnreadableWorkbook)) throw problem;
      return say(t(`batch.workbook.${problem.kind}`, { file: file.name }));
    }
  };
  const readSheet = async (at) => {
    const { file, sheets } = book;
    const { rows, isCut } = await sheets[at].read();
    Object.assign(book, { at, isCut, text: tableText(rows) });
    return begin(book.text, t("batch.from.sheet", { file, sheet: sheets[at].name }));
  };
  const begin = (content, source = "") => {
    form.put(content);
    setItem(SOURCE, source);
    return start();
  };
  const start = () => {
    const refused = form.refusal();
    if (refused) return say(refused);
    const list = readList(text.value);
    if (list.isUnclear || !(list.lines.length || list.totals.length)) {
      edit(true);
      text.focus();
      return say(t(list.isUnclear ? "batch.unclear" : "batch.empty"));
    }
    run?.stop.abort();
    const same = kept?.text === text.value && kept.asOf === date.value ? kept : null;
    run = newRun({
      text: text.value,
      asOf: date.value,
      source: same ? same.source : (getItem(SOURCE) ?? ""),
      kept: same,
    });
    const hash = run.kept
      ? hashOf("batch", "", { list: run.kept.name })
      : (run.link ?? hashOf("batch", "", { go: "1", asOf: date.value }));
    if (location.hash !== hash) history.pushState(null, "", hash);
    edit(false);
    heading.focus({ preventScroll: true });
    return go();
  };
  /**
   * Shows the check, and continues it if it is incomplete. Then updates the saved and the recent
   * lists.
   */
  const go = async () => {
    run.draw = () => draw(run);
    run.wantsFacts ||= areFactsChosen(run);
    if (run.going) return run.draw();
    const { done, all } = progressOf(run);
    if (done === all) return run.draw();
    const error = await check(run);
    if (error || run.stopped) return undefined;
    if (run.kept) keep(run, run.kept.name);
    noteList(run);
    return announce(doneWords(run));
  };
  /**
   * Prints the record of the list check. The record includes figures about the suppliers'
   * contracts, so the page fetches these first.
   */
  const printRecord = async () => {
    run.wantsFacts = true;
    await go();
    if (!run.error && !run.stopped) print();
  };
  const draw = (one) => {
    if (one !== run || !results.isConnected) return;
    const isWithin = results.contains(document.activeElement);
    const isOffer = isWithin && document.activeElement.closest(".offers");
    heading.textContent = one.going ? t("batch.checking") : doneWords(one);
    swap(
      results,
      ...resultsOf(one, {
        go,
        printRecord,
        keepAs: (name) => keepAs(name),
        choose: (choices) => (choices.forEach((choice) => choose(one, ...choice)), go()),
      }),
    );
    if (!isWithin || results.contains(document.activeElement)) return;
    const next = isOffer && results.querySelector(".offers button");
    (next || heading).focus({ preventScroll: !next });
  };
  const keepAs = (name) => {
    const isRoom = keep(run, name);
    announce(t(isRoom ? "batch.kept" : "batch.notKept", { name, most: MOST_KEPT }));
    if (!isRoom) return false;
    run.kept = keptList(name);
    history.replaceState(null, "", hashOf("batch", "", { list: name }));
    run.draw();
    return true;
  };
  main.replaceChildren(h("header", { class: "view-head" }, eyebrow, heading), form.element, results);
  const [taken] = [dropped, (dropped = null)];
  const isRun = run && run.asOf === asOf && run.text === text.value;
  edit(!isRun || isEdited);
  if (taken) read(taken);
  else if (isRun) go();
  else if (kept || params.get("inn") || (params.has("go") && text.value)) start();
  else if (params.get("list")) say(t("batch.noSuchList", { name: params.get("list") }));
  const paper = () => printed(main, run);
  addEventListener("beforeprint", paper);
  return { heading, stop: () => removeEventListener("beforeprint", paper) };
}

/**
 * Returns the list for the INNs in an address. The stored text takes precedence if it has the same
 * INNs, because it also has names and row numbers.
 */
function listAt(inns) {
  const stored = getItem(STORED) ?? "";
  if (!inns || innsOf(readList(stored)).join() === inns) return stored;
  return inns.split(",").join("\n");
}

/**
 * Returns the form as `{element, text, date, put, refusal}`. `put` replaces the text. `refusal`
 * returns why the form cannot be submitted, or "" if it can.
 */
function formOf({ value, asOf, submit, typed, dropText, chosen }) {
  const keepText = () => setItem(STORED, text.value);
  const put = (content) => ((text.value = content), keepText());
  const input = () => (keepText(), typed());
  const paste = (event) => {
    const content = event.clipboardData.getData("text/plain");
    if (content.length < LONG) return;
    event.preventDefault();
    text.setRangeText(content, text.selectionStart, text.selectionEnd, "end");
    input();
  };
  const text = h("textarea", {
    id: "batch-text",
    rows: "6",
    spellcheck: "false",
    autocomplete: "off",
    "aria-describedby": "batch-help",
    value,
    placeholder: t("batch.placeholder"),
    on: { input, paste },
  });
  const date = h("input", { type: "date", id: "batch-day", value: asOf, min: "2000-01-01", max: "2100-12-31" });
  const file = h("input", {
    type: "file",
    id: "batch-file",
    accept: ACCEPTED,
    on: { change: () => file.files.length && chosen([...file.files]) },
  });
  const element = h(
    "div",
    { id: "batch-form", class: "batch-form" },
    h(
      "form",
      { class: "panel batch", novalidate: true, on: { submit: (event) => (event.preventDefault(), submit()) } },
      h("label", { for: "batch-text" }, t("batch.label")),
      text,
      h("p", { id: "batch-help", class: "aside" }, t("batch.help")),
      h(
        "div",
        { class: "row" },
        h("label", { class: "field" }, h("span", {}, t("batch.file")), file),
        h("label", { class: "field" }, h("span", {}, t("rnp.asOf")), date),
        h("button", { type: "submit", class: "main" }, t("batch.check")),
      ),
    ),
    keptPart(),
  );
  const form = element.firstChild;
  form.addEventListener("dragover", (event) => (event.preventDefault(), form.classList.add("over")));
  form.addEventListener("dragleave", () => form.classList.remove("over"));
  form.addEventListener("drop", (event) => {
    form.classList.remove("over");
    // Dropped files are handled for the whole page (`onDrop` in `page.js`).
    if (event.dataTransfer.files.length) return;
    event.preventDefault();
    dropText(event.dataTransfer.getData("text/plain"));
  });
  const refusal = () => {
    if (date.validity.valid) return "";
    date.focus();
    return t("batch.badDay");
  };
  return { element, text, date, put, refusal };
}

/** Returns a menu of the workbook's sheets, or `null` if there is only one sheet. */
function sheetChoice(readSheet) {
  const { sheets, at } = book;
  if (sheets.length < 2) return null;
  return h(
    "label",
    { class: "sheet-choice" },
    h("span", {}, t("batch.otherSheet")),
    h(
      "select",
      { id: "batch-sheet", on: { change: (event) => readSheet(Number(event.currentTarget.value)) } },
      sheets.map(({ name }, place) => h("option", { value: String(place), selected: place === at }, name)),
    ),
  );
}

/** Returns the section with the lists saved in this browser, or `null` if there are none. */
function keptPart() {
  const lists = keptNames().map(keptList).filter(Boolean);
  if (!lists.length) return null;
  const part = h(
    "section",
    { class: "kept", "aria-labelledby": "kept-title" },
    h("h2", { id: "kept-title" }, t("batch.keptLists")),
    h(
      "ul",
      {},
      lists.map(({ name, lines, checked }) => {
        const remove = () => {
          const next = item.nextElementSibling ?? item.previousElementSibling;
          forget(name);
          (next?.querySelector("a") ?? document.getElementById("batch-text")).focus();
          (next ? item : part).remove();
          announce(t("batch.forgotten", { name }));
        };
        const item = h(
          "li",
          {},
          h("a", { href: hashOf("batch", "", { list: name }) }, name),
          h(
            "span",
            { class: "aside" },
            plural(lines, forms("batch.lines")),
            ", ",
            t("batch.checkedOn", { day: day(checked) }),
          ),
          h(
            "button",
            { type: "button", class: "undo", on: { click: remove } },
            t("batch.forget"),
            h("span", { class: "unseen" }, ` ${name}`),
          ),
        );
        return item;
      }),
    ),
    h("p", { class: "aside" }, t("batch.keptHere")),
  );
  return part;
}

function resultsOf(one, act) {
  const { done, all } = progressOf(one);
  const rows = rowsOf(one);
  const changes = one.kept && one.found.size ? changesSince(baseline(one.kept), one.found) : null;
  const over = one.lines.filter(({ why }) => why === "over").length;
  return [
    over > 0 &&
      h("p", { class: "panel note over" }, plural(over, forms("batch.tooMany")).replace("{most}", count(MOST))),
    done < all &&
      h(
        "div",
        { class: "progress" },
        h(
          "label",
          { for: "batch-progress" },
          t(one.going ? "batch.going" : "batch.stoppedAt", { done: count(done), all: count(all) }),
        ),
        h("progress", { id: "batch-progress", max: all, value: done }),
        one.going &&
          h(
            "button",
            { type: "button", class: "quiet", "data-stay": "stop", on: { click: () => one.stop.abort() } },
            t("batch.stop"),
          ),
        !one.going &&
          !one.error &&
          h("button", { type: "button", class: "quiet", "data-stay": "stop", on: { click: act.go } }, t("batch.goOn")),
      ),
    one.error && !one.going && errorPanel(one.error, act.go),
    rows.length > 0 && [
      groundLine(one),
      tiles(one, rows),
      changes &&
        h(
          "p",
          { class: "aside" },
          changes.size
            ? plural(changes.size, forms("batch.changes")).replace("{day}", day(changes.since))
            : t("batch.noChanges", { day: day(changes.since) }),
        ),
      h(
        "div",
        { class: "list-bar" },
        chips(one, rows, changes),
        !one.going &&
          h(
            "div",
            { class: "list-take" },
            columnsMenu(one, act.go),
            watchMenu(one),
            h(
              "button",
              { type: "button", class: "button", "data-stay": "record", on: { click: act.printRecord } },
              t("batch.evidence.print"),
            ),
            listMenu(one, rows, changes),
          ),
      ),
      verdictTable(one, rows, changes, act),
      notesOf(one),
      !one.going && keeping(one, act),
      !one.going && sharing(one),
    ],
  ];
}

/**
 * Describes the data behind the check: the state of each registry, missing documents, and the
 * totals rows that were skipped.
 */
function groundLine({ registries, documents, asOf, totals }) {
  const more = [unreadWords(registries), ...documents].filter(Boolean);
  return [
    h(
      "div",
      { class: "ground-line" },
      asOf && h("p", {}, t("rnp.onDay", { day: day(asOf) })),
      registries.length > 0 && marks(registries),
      totals.length > 0 && h("p", {}, totalWords(totals)),
    ),
    more.length > 0 && h("p", { class: "aside" }, more.join(" ")),
  ];
}

/** Remarks on how the list was parsed, where that is not obvious. */
function notesOf(one) {
  const { lines, column, text } = one;
  const perRow = new Map();
  for (const { row } of lines) perRow.set(row, (perRow.get(row) ?? 0) + 1);
  const several = [...perRow.values()].filter((many) => many > 1).length;
  const words = [
    column && t("batch.column", { column: column.length > 40 ? `${column.slice(0, 39)}…` : column }),
    several > 0 && plural(several, forms("batch.several")),
    book?.text === text && book.isCut && t("batch.cut", { most: count(MOST_ROWS_READ - 1) }),
    one.wantsFacts && t("batch.facts.means"),
    one.wantsFacts && isBeyondAsked(one) && t("batch.facts.first", { most: count(MOST_ASKED) }),
  ].filter(Boolean);
  return words.length > 0 && h("p", { class: "aside" }, words.join(" "));
}

function keeping(one, { keepAs }) {
  if (one.kept) return h("p", { class: "aside" }, t("batch.keptAs", { name: one.kept.name }));
  const field = h("input", {
    id: "keep-name",
    type: "text",
    maxlength: String(LONGEST_NAME),
    required: true,
    autocomplete: "off",
    value: one.source.replace(/\.(xlsx|csv|txt)\b/i, "").slice(0, LONGEST_NAME),
  });
  const message = h("p", { class: "said", role: "alert", hidden: true });
  const submit = (event) => {
    event.preventDefault();
    const name = field.value.trim();
    if (!name) return field.focus();
    message.hidden = keepAs(name);
    message.textContent = t("batch.notKept", { most: MOST_KEPT });
    return undefined;
  };
  return h(
    "details",
    { class: "keeping" },
    h("summary", { "data-stay": "keeping" }, t("batch.keep")),
    h(
      "form",
      { on: { submit } },
      h("label", { for: "keep-name" }, t("batch.keepAs")),
      h("div", { class: "joined" }, field, h("button", { type: "submit", class: "main" }, t("batch.keepGo"))),
      message,
      h("p", { class: "aside" }, t("batch.keptHere")),
    ),
  );
}

/** Adds the record, which is printed instead of the view, and removes it after printing. */
function printed(main, one) {
  if (!one || one.going || !main.querySelector(".results > *")) return;
  const sheet = listSheet(one);
  main.append(sheet);
  const root = document.documentElement;
  root.classList.add("with-sheet");
  addEventListener("afterprint", () => (sheet.remove(), root.classList.remove("with-sheet")), { once: true });
}

// Parts shared by the search tabs: title, bar, expandable rows of two lines, pages.

import { searchUrl, withConditions } from "./conditions.js";
import { focusHeading, h } from "./dom.js";
import { downloadBar } from "./downloads.js";
import { fileName } from "./file-name.js";
import { count } from "./figures.js";
import { menu } from "./menu.js";
import { pager } from "./pager.js";
import { keepOpen } from "./place.js";
import { t } from "./texts.js";

const MOST = 100_000;
const FILES = ["csv", "xlsx"];

/** Puts the query in front of the result: `«Постельное бельё»: 38 контрактов`. */
export function wordsOf({ q }, answer) {
  return q ? t("search.answer", { q: capitalized(q), answer }) : capitalized(answer);
}

const capitalized = (text) => text[0].toUpperCase() + text.slice(1);

/**
 * The bar above the rows: `left`, the sort menu (the first of `sorts` is the default) and the
 * downloads.
 */
export function resultBar(tab, conditions, { total, sorts, left = null }) {
  const { page, size, sort } = conditions;
  const sorted = (one) => (one === sorts[0] ? "" : one);
  const urls = (format) => [searchUrl(tab, conditions, format, FILES.includes(format)
    ? { sort: sorted(sort) }
    : { skip: String((page - 1) * size), limit: String(size), sort: sorted(sort) })];
  const name = fileName(urls("csv")[0], total > MOST ? `${MOST}_of_${total}` : "");
  const rows = total > MOST ? t("contracts.of", { n: count(MOST), all: count(total) }) : count(total);
  return h("div", { class: "bar" }, left,
    h("div", { class: "result-of-filters" },
      menu(t(`search.sort.${sort}`), { stay: "sort", button: "button main", kind: "order" },
        h("ul", { class: "options", tabindex: "-1" }, sorts.map((one) =>
          h("li", {}, h("a", { href: withConditions({ sort: sorted(one) }), "aria-current": one === sort && "true" },
            h("span", {}, t(`search.sort.${one}`))))))),
      downloadBar({ urls, rows, name })));
}

/** The rows below their headings, and the pager. */
export function rowsWithHead(tab, rows, { conditions, total }) {
  const { page, size } = conditions;
  const skip = (page - 1) * size;
  const range = rows.length
    ? t("contracts.range", { from: count(skip + 1), to: count(skip + rows.length), all: count(total) })
    : t("search.past", { all: count(total) });
  return [
    rows.length > 0 && h("div", { class: `rows of-${tab}` },
      h("div", { class: "heads", "aria-hidden": "true" },
        ["what", "state", "date", "price"].map((name) => h("span", { class: name }, t(`search.head.${name}.${tab}`)))),
      h("ol", {}, rows)),
    pager({ page, size, pages: Math.ceil(total / size), range }, withConditions),
  ];
}

/**
 * Renders a row of two lines: subject and parties, status, date and price. A click expands the row
 * with what `details` returns; with `href`, the subject is a link instead. `key` identifies the
 * row.
 */
export function subjectRow({ key, subject, who, state, date, price, place, opens = "", details = null, href = null }) {
  const words = subject || "—";
  const line = (link) => h("li", { class: "row" },
    h("div", { class: "what" }, link, h("p", { class: "who" }, who)),
    h("div", { class: "state" }, state),
    h("span", { class: "date" }, date),
    h("span", { class: "price" }, price));
  if (href) return line(h("a", { class: "subject", href, title: words, lang: "ru" }, words));
  const id = `more-${key}`;
  const opener = h("button", {
    type: "button", class: "subject", title: words, "aria-expanded": "false", "aria-controls": id,
    "data-stay": `row-${key}`,
  }, h("span", { lang: "ru" }, words), h("span", { class: "unseen" }, `, ${opens}`));
  const more = h("div", { class: "more", id, hidden: true });
  const toggle = () => {
    if (!more.firstChild) more.append(details());
    more.hidden = !more.hidden;
    opener.setAttribute("aria-expanded", String(!more.hidden));
    return !more.hidden;
  };
  const row = line(opener);
  row.append(more);
  row.addEventListener("click", ({ target }) => {
    const isOwn = target.closest(".subject") || !target.closest("a, button, summary, input, .more");
    if (isOwn && !String(document.getSelection())) keepOpen(key, toggle());
  });
  if (place.open.includes(key)) toggle();
  return row;
}

/** Calls `show`. After a click in the pager, also scrolls to the start of the list. */
export function turned(section, show) {
  /** @type {any} */
  const active = document.activeElement;
  const isTurned = section.querySelector(".pager")?.contains(active) && active.matches("a, [role=link]");
  show();
  if (!isTurned) return;
  focusHeading(section);
  section.scrollIntoView();
}

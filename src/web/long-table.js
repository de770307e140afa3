// A table that loads its rows page by page with a "Show more" button.

import { RequestError } from "./client.js";
import { h, swap, toast } from "./dom.js";
import { downloadBar } from "./downloads.js";
import { count } from "./figures.js";
import { fieldName, t, errorWords } from "./texts.js";

export const AT_ONCE = 50;

const NUMBERS = ["price", "winnerPrice", "count", "sum", "share"];
const kindOf = (name) => (NUMBERS.includes(name) ? "number" : null);

/**
 * Fills `section` with the table and returns the total number of rows. `ask(skip)` fetches a page
 * as `{total, rows}`, and `cells(row)` returns the content of the cells by column. `lead` is shown
 * above the table, `none` instead of an empty one. `urls` are for the downloads; `kind` is the CSS
 * class of the rows. `done(section)` is called whenever rows have been added.
 */
export async function longTable(section, { title, lead, none, columns, kind, ask, cells, urls, done = null }) {
  const first = await ask(0);
  const heading = h("h2", { class: "unseen" }, title);
  if (first.total === 0) {
    swap(section, heading, none);
    return 0;
  }
  const body = h("tbody", {});
  const below = h("div");
  const add = (some) => {
    const rows = some.map((one) => rowOf(columns, kind, cells(one)));
    body.append(...rows);
    // An empty page means that the data has fewer rows by now.
    const rest = rows.length && first.total - body.children.length;
    swap(below, rest > 0 && moreButton(kind, rest, more));
    done?.(section);
    return rows;
  };
  const more = async (button) => {
    button.disabled = true;
    try {
      const [next] = add((await ask(body.children.length)).rows);
      next?.querySelector("a")?.focus();
    } catch (error) {
      if (error.name === "AbortError") return;
      if (!(error instanceof RequestError)) throw error;
      button.disabled = false;
      toast(errorWords(error));
    }
  };
  swap(section,
    heading,
    h("div", { class: "part-head" }, lead, downloadBar({ urls })),
    h("table", { class: "cards long-table" },
      h("caption", { class: "unseen" }, title),
      h("thead", {}, h("tr", {}, columns.map((name) =>
        h("th", { scope: "col", class: `col-${name} ${kindOf(name) ?? ""}` }, fieldName(`column.${name}`))))),
      body),
    below);
  add(first.rows);
  return first.total;
}

const rowOf = (columns, kind, content) =>
  h("tr", { class: kind }, columns.map((name) =>
    h("td", { class: kindOf(name), "data-label": fieldName(`column.${name}`) }, h("div", {}, content[name]))));

const moreButton = (kind, rest, more) =>
  h("button", { type: "button", "data-stay": `more-${kind}`, on: { click: (event) => more(event.currentTarget) } },
    t("batch.more", { n: count(rest) }));

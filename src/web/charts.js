// Charts, each with one question and one scale: what a column or bar shows stands beside it in
// digits, and a click on it filters by what it is of.

import { h, s } from "./dom.js";
import { inUnit, larger, plural, roubles, thousandths, unitName, unitOf } from "./figures.js";
import { forms, t } from "./texts.js";

/** How high the highest column is, and how high what is more than nothing, pixels. */
const HIGH = 104;
const LOW = 3;

/**
 * What both are made of. `rows`: `{label, name, count, sum, href, stay, current}`; `href` filters
 * by what the row is of, `stay` names it from one drawing to the next.
 */
function chart(kind, title, rows, drawn) {
  // Firefox stops at what scrolls, unless it is told not to.
  const list = h("ol", { tabindex: "-1" }, rows.map((row) => {
    const props = { title: t(row.current ? "chart.all" : "chart.only"), href: row.href, "data-stay": row.stay };
    const content = [
      drawn(row),
      h("span", { class: "unseen" }, ` ${roubles(row.sum)}, ${plural(row.count, forms("find.contracts"))}`),
    ];
    return h("li", {}, row.href ? h("a", { ...props, "aria-current": row.current && "true" }, content) : content);
  }));
  return h("figure", { class: `chart ${kind}` }, h("figcaption", {}, title), list);
}

const most = (rows) => rows.map((row) => row.sum).reduce(larger, "0");

const block = (width, height) =>
  s("svg", { width, height, "aria-hidden": "true", focusable: "false" },
    s("rect", { width: "100%", height: "100%", rx: "4" }));

/** Sums as columns, the earliest first; `title` is followed by the unit. */
export function columns(title, rows) {
  const greatest = most(rows);
  const unit = unitOf(greatest);
  const drawn = chart("columns", `${title}, ${unitName(unit)}`, rows, ({ label, sum }) => {
    const part = thousandths(sum, greatest);
    return [
      h("span", { class: "value", "aria-hidden": "true" }, inUnit(sum, unit)),
      block("100%", part && Math.max((part * HIGH) / 1000, LOW)),
      h("span", { class: "label" }, label),
    ];
  });
  // Where they do not all fit, the latest are seen.
  const list = drawn.querySelector("ol");
  requestAnimationFrame(() => (list.scrollLeft = list.scrollWidth));
  return drawn;
}

/** Sums as bars, each below its name. */
export function bars(title, rows) {
  const greatest = most(rows);
  const unit = unitOf(greatest);
  return chart("bars", `${title}, ${unitName(unit)}`, rows, ({ label, sum }) => [
    label,
    h("span", { class: "value", "aria-hidden": "true" }, inUnit(sum, unit)),
    block(`${Math.max(thousandths(sum, greatest) / 10, 0.5)}%`, 5),
  ]);
}

/** A figure with its unit or noun, large. */
export const figure = (value, words, props = {}) =>
  h("p", { class: "big", ...props }, h("strong", {}, value), " ", h("span", {}, words));


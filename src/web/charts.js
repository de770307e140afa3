// A bar chart of sums by year. Each bar has its value next to it, and is a link that filters by
// that year. On phones, each year is a row.

import { h, s } from "./dom.js";
import { briefIn, larger, plural, roubles, thousandths, unitName, unitOf } from "./figures.js";
import { forms, t } from "./texts.js";

/** Height of the tallest column and minimum height of a column above zero, in pixels. */
const HIGH = 184;
const LOW = 3;
/** Height of a horizontal bar, in pixels. */
const BAR = 12;

const block = (kind, width, height) =>
  s("svg", { class: kind, width, height, "aria-hidden": "true", focusable: "false" },
    s("rect", { width: "100%", height: "100%", rx: "4" }));

/**
 * Draws sums as columns, in the order of `rows`. The unit is appended to `title`.
 *
 * A row is `{label, count, sum, href, stay, current}`: `href` sets the filter, `stay` identifies
 * the row across redraws (see `swap`).
 */
export function columns(title, rows) {
  const greatest = rows.map((row) => row.sum).reduce(larger, "0");
  const unit = unitOf(greatest);
  const column = ({ label, sum, count, href, stay, current }) => {
    const part = thousandths(sum, greatest);
    const content = [
      h("span", { class: "value", "aria-hidden": "true" }, briefIn(sum, unit)),
      block("upright", "100%", part && Math.max((part * HIGH) / 1000, LOW)),
      block("lying", `${part && Math.max(part / 10, 1)}%`, BAR),
      h("span", { class: "label" }, label),
      h("span", { class: "unseen" }, ` ${roubles(sum)}, ${plural(count, forms("find.contracts"))}`),
    ];
    const props = { title: t(current ? "chart.all" : "chart.only"), href, "data-stay": stay };
    return h("li", {}, href ? h("a", { ...props, "aria-current": current && "true" }, content) : h("div", {}, content));
  };
  return h("figure", { class: "chart columns" },
    h("figcaption", {}, `${title}, ${unitName(unit)}`),
    // Firefox puts scrollable elements into the tab order unless they have a tabindex.
    h("ol", { tabindex: "-1" }, rows.map(column)));
}

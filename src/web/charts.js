// A chart of sums by year: one question and one scale. What a column shows stands beside it in
// digits, and a click on it filters by what it is of. On a phone each year is a line.

import { h, s } from "./dom.js";
import { brieflyIn, larger, plural, roubles, thousandths, unitName, unitOf } from "./figures.js";
import { forms, t } from "./texts.js";

/** How high the highest column is, and how high what is more than nothing, pixels. */
const HIGH = 184;
const LOW = 3;
/** How high a bar is, pixels. */
const BAR = 12;

const block = (kind, width, height) =>
  s("svg", { class: kind, width, height, "aria-hidden": "true", focusable: "false" },
    s("rect", { width: "100%", height: "100%", rx: "4" }));

/**
 * Sums as columns, the earliest first; `title` is followed by the unit. `rows`: `{label, count, sum,
 * href, stay, current}`; `href` filters by what the row is of, `stay` names it from one drawing to
 * the next.
 */
export function columns(title, rows) {
  const greatest = rows.map((row) => row.sum).reduce(larger, "0");
  const unit = unitOf(greatest);
  const column = ({ label, sum, count, href, stay, current }) => {
    const part = thousandths(sum, greatest);
    const content = [
      h("span", { class: "value", "aria-hidden": "true" }, brieflyIn(sum, unit)),
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
    // Firefox stops at what scrolls, unless it is told not to.
    h("ol", { tabindex: "-1" }, rows.map(column)));
}

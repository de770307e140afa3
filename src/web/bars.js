// Charts that are tables: a bar for the sum (full) and one for the count (hatched) stand in
// a cell beside the same figures in digits, so that they read the same in black and white,
// aloud and on paper.

import { h, s } from "./dom.js";
import { count, larger, roubles, roughly, thousandths } from "./figures.js";
import { t } from "./texts.js";

/**
 * A chart. `rows`: `{label, count, sum, href, stay, current}`, the bars as long as these are of
 * the greatest; `href` filters by what the row is of, `stay` names it from one drawing to the next.
 */
export function bars({ title, head, rows, wide = false }) {
  if (!rows.length) return null;
  if (!document.getElementById("hatch")) document.body.append(hatching());
  const most = { sum: rows.map((row) => row.sum).reduce(larger), count: rows.map((row) => row.count).reduce(larger) };
  return h(
    "figure",
    { class: wide ? "chart wide" : "chart" },
    h("table", {},
      h("caption", {}, title),
      h("thead", {}, h("tr", {},
        h("th", { scope: "col" }, head),
        h("td", { class: "bar" }),
        h("th", { scope: "col", class: "number" }, key("sum"), t("chart.sum")),
        h("th", { scope: "col", class: "number" }, key("count"), t("chart.count")),
      )),
      h("tbody", {}, rows.map((row) => line(row, most))),
    ),
  );
}

function line(row, most) {
  const words = h("span", { class: "name" }, row.label);
  const label = row.href
    ? h("a", { href: row.href, "aria-current": row.current && "true", "data-stay": row.stay, title: t(row.current ? "chart.all" : "chart.only") }, words)
    : words;
  return h("tr", { class: row.current && "current" },
    h("th", { scope: "row" }, label, row.note && h("span", { class: "aside code" }, row.note)),
    h("td", { class: "bar" }, drawing(thousandths(row.sum, most.sum), thousandths(row.count, most.count))),
    h("td", { class: "number", title: roubles(row.sum) }, h("span", { class: "exact" }, roubles(row.sum)), h("span", { class: "rough", "aria-hidden": "true" }, roughly(row.sum))),
    h("td", { class: "number" }, count(row.count)),
  );
}

/** Both bars of a row; what is more than nothing shows. */
function drawing(sum, number) {
  const width = (part) => `${part ? Math.max(part / 10, 0.8) : 0}%`;
  return s("svg", { class: "bars", width: "100%", height: "22", "aria-hidden": "true", focusable: "false" },
    s("rect", { class: "track", width: "100%", height: "22", rx: "3" }),
    s("rect", { class: "sum", y: "2", width: width(sum), height: "11", rx: "1.5" }),
    s("rect", { class: "count", y: "14.5", width: width(number), height: "5.5" }),
  );
}

/** What a column's bar looks like. */
const key = (kind) => s("svg", { class: "legend", width: "16", height: "10", "aria-hidden": "true" }, s("rect", { class: kind, width: "16", height: "10" }));

/** The hatching that all charts use. */
const hatching = () =>
  s("svg", { class: "unseen", width: "0", height: "0", "aria-hidden": "true" },
    s("pattern", { id: "hatch", width: "4", height: "4", patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
      s("rect", { class: "hatch-ground", width: "4", height: "4" }),
      s("rect", { class: "hatch-line", width: "2", height: "4" }),
    ),
  );

// A scatter chart of unit prices by signing date. Each point links to its contract. The Tab key
// reaches the chart as a whole, arrow keys move between points, and Enter follows the link.

import { day } from "./days.js";
import { h, s } from "./dom.js";
import { decimal, roubles } from "./figures.js";
import { readable } from "./names.js";
import { perUnit, unitName } from "./price-units.js";
import { compare, isOutOfLine, marksBetween, position, times, toKopecks } from "./statistics.js";
import { locale, t } from "./texts.js";

/** Upper bound on points. If there are more prices, the newest are drawn. */
export const MOST_POINTS = 1_000;
/** Margins around the plot area and heights of the chart, in pixels. */
const EDGE = { left: 64, right: 16, top: 16, bottom: 28 };
const HEIGHT = { wide: 300, narrow: 280 };
const NARROW = 560;
/**
 * Minimum distances between axis marks, in pixels: for prices, for years (short labels), and for
 * other dates.
 */
const MARKS = { price: 44, year: 52, day: 84 };
const DAY = 86_400_000;
/** Upper bound on the end of the price axis, as a multiple of the upper quartile. */
const TALLEST = "4";

/**
 * Draws the items that have a signing date. `of` has the statistics of the unit of measure, and
 * `chosen` the `pick` keys of the chosen items. `hrefOf(item)` returns the link of a point; `width`
 * is the available width in pixels.
 */
export function priceChart(items, { of, chosen, hrefOf, width }) {
  const drawn = items
    .filter(({ signDate }) => signDate)
    .slice(0, MOST_POINTS)
    .reverse();
  // A section has no width if another view has replaced it while the prices were loading.
  if (!drawn.length || width <= EDGE.left + EDGE.right) return null;
  const words = h("p", { class: "point-words", "aria-hidden": "true" }, t("prices.chart.hint"));
  const svg = drawing(drawn, { of, chosen, hrefOf, width, words });
  const key = (kind, text) => h("span", {}, h("i", { class: kind }), text);
  return h(
    "figure",
    { class: "card plot" },
    h(
      "figcaption",
      {},
      h("span", {}, t("prices.chart", { per: perUnit(of) })),
      h(
        "span",
        { class: "legend", "aria-hidden": "true" },
        key("", t("prices.chart.one")),
        chosen.size > 0 && key("on", t("prices.chart.chosen")),
        key("band", t("prices.chart.half")),
      ),
    ),
    svg,
    words,
  );
}

function drawing(items, { of, chosen, hrefOf, width, words }) {
  const scales = scalesOf(items, of, width);
  const says = t("prices.chart.says", {
    per: perUnit(of),
    n: decimal(of.count),
    median: roubles(toKopecks(of.median)),
    low: roubles(toKopecks(of.quartile1)),
    high: roubles(toKopecks(of.quartile3)),
  });
  return s(
    "svg",
    { viewBox: `0 0 ${width} ${scales.height}`, role: "group", "aria-label": says },
    ground(of, scales),
    points(items, { chosen, hrefOf, words, of, scales }),
    labels(items, of, scales),
  );
}

/** Returns the functions that map prices and dates to coordinates, and the edges of the plot area. */
function scalesOf(items, of, width) {
  const height = width < NARROW ? HEIGHT.narrow : HEIGHT.wide;
  const across = width - EDGE.left - EDGE.right;
  const down = height - EDGE.top - EDGE.bottom;
  const axis = priceAxis(items, of, Math.floor(down / MARKS.price));
  const span = daySpan(items);
  const xOf = (time) => EDGE.left + (across * (time - span.from)) / (span.to - span.from);
  return {
    height,
    axis,
    span,
    left: EDGE.left,
    right: EDGE.left + across,
    top: EDGE.top,
    bottom: EDGE.top + down,
    xOf,
    x: (day) => xOf(Date.parse(day)),
    y: (price) => EDGE.top + down * (1 - Math.min(1, position(price, axis.low, axis.high))),
  };
}

/** Draws the background: the interquartile band, the axes, the median. */
function ground(of, { height, axis, span, left, right, top, bottom, xOf, y }) {
  const [low, high] = [y(of.quartile1), y(of.quartile3)];
  const line = (kind, x1, x2, y1, y2) => s("line", { class: kind, x1, x2, y1, y2 });
  return s(
    "g",
    { "aria-hidden": "true" },
    s("rect", { class: "band", x: left, width: right - left, y: high, height: Math.max(1, low - high) }),
    axis.marks.map((mark) => [
      line("grid", left, right, y(mark), y(mark)),
      s("text", { x: left - 8, y: y(mark) + 4, "text-anchor": "end" }, decimal(mark)),
    ]),
    dayMarks(span, right - left).map(({ time, label }) => [
      line("tick", xOf(time), xOf(time), top, bottom + 4),
      s("text", { x: xOf(time) + 4, y: height - 8 }, label),
    ]),
    line("median", left, right, y(of.median), y(of.median)),
  );
}

/** Labels inside the plot: the median, and the highest price if it is an outlier. */
function labels(items, of, scales) {
  const median = t("prices.chart.median", { price: roubles(toKopecks(of.median)) });
  const place = { class: "of-median", x: scales.left + 6, y: scales.y(of.median) - 6 };
  return s("g", { "aria-hidden": "true" }, s("text", place, median), outlierLabel(items, of, scales));
}

/** The description of a point: date, price, quantity and customer. */
const pointWords = (item, of) =>
  [
    day(item.signDate),
    `${roubles(toKopecks(item.price))} ${perUnit(of)}`,
    item.quantity && `${decimal(item.quantity)} ${unitName(of)}`,
    readable(item.customerName) || item.customerInn,
  ]
    .filter(Boolean)
    .join(" · ");

/** Draws the points as links. Only one of them is in the tab order. */
function points(items, { chosen, hrefOf, words, of, scales }) {
  const links = items.map((item) => {
    const [cx, cy] = [scales.x(item.signDate), scales.y(item.price)];
    const isAbove = compare(item.price, scales.axis.high) > 0;
    const isChosen = chosen.has(item.pick);
    const mark = isAbove
      ? s("path", { class: "dot", d: `M${cx - 6} ${cy + 8}L${cx} ${cy - 3}L${cx + 6} ${cy + 8}Z` })
      : s("circle", { class: "dot", cx, cy, r: isChosen ? 6 : 5 });
    const text = pointWords(item, of);
    return s(
      "a",
      {
        href: hrefOf(item),
        tabindex: "-1",
        class: isChosen ? "on" : null,
        "aria-label": isChosen ? `${text} · ${t("prices.chart.chosen")}` : text,
        on: { focus: () => (words.textContent = text), mouseenter: () => (words.textContent = text) },
      },
      s("circle", { class: "reach", cx, cy, r: 12 }),
      mark,
    );
  });
  links.at(-1).setAttribute("tabindex", "0");
  const go = (event) => {
    const at = links.indexOf(event.target.closest("a"));
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: links.length - 1 }[event.key];
    if (at < 0 || to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const next = links[Math.max(0, Math.min(links.length - 1, to))];
    links[at].setAttribute("tabindex", "-1");
    next.setAttribute("tabindex", "0");
    next.focus();
  };
  return s("g", { on: { keydown: go } }, links);
}

/**
 * Returns the price axis as `{low, high, marks}`. If a few prices are far above the others, the
 * axis ends below them to keep the others distinguishable.
 */
function priceAxis(items, { min, quartile3, max }, steps) {
  const tallest = times(quartile3, TALLEST);
  const highest = compare(max, tallest) > 0 ? tallest : max;
  // If the prices are close together, the axis does not start at zero.
  const isWide = compare(times(min, "2"), highest) < 0;
  const low = isWide ? "0" : min;
  const high = compare(low, highest) === 0 ? times(highest, "1.1") : highest;
  const marks = marksBetween(low, high, Math.max(2, steps));
  return { low: marks[0], high: marks.at(-1), marks };
}

/** Returns the range of dates, with a margin on both sides. */
function daySpan(items) {
  const [from, to] = [items[0], items.at(-1)].map(({ signDate }) => Date.parse(signDate));
  const margin = Math.max(15 * DAY, (to - from) * 0.03);
  return { from: from - margin, to: to + margin };
}

/** Possible distances between date marks, in months. */
const MONTHS = [1, 3, 6, 12, 24, 60, 120];
const QUARTERS = ["I", "II", "III", "IV"];

/** Returns the date marks for an axis of this length, as `{time, label}`. */
function dayMarks({ from, to }, width) {
  const month = (time) => new Date(time).getUTCFullYear() * 12 + new Date(time).getUTCMonth();
  const first = month(from) + 1;
  const apart = (every) => (every >= 12 ? MARKS.year : MARKS.day);
  const every = MONTHS.find((one) => ((month(to) - first) / one) * apart(one) < width) ?? MONTHS.at(-1);
  const marks = [];
  for (let at = Math.ceil(first / every) * every; at <= month(to); at += every) {
    marks.push({ time: Date.UTC(Math.floor(at / 12), at % 12), label: monthLabel(at, every, !marks.length) });
  }
  return marks;
}

/** Labels a month, given as months since year 0. January and the first mark show the year. */
function monthLabel(at, every, isFirst) {
  const [year, month] = [Math.floor(at / 12), at % 12];
  if (every >= 12) return String(year);
  if (every === 3) {
    const quarter = QUARTERS[month / 3];
    return isFirst || month === 0 ? t("prices.chart.quarter", { quarter, year }) : quarter;
  }
  if (month === 0) return String(year);
  const name = new Intl.DateTimeFormat(locale(), { month: "short", timeZone: "UTC" }).format(Date.UTC(year, month));
  return isFirst ? `${name} ${year}` : name;
}

/** Labels the highest price if it is an outlier. */
function outlierLabel(items, of, { axis, x, y, right }) {
  const highest = items.reduce((one, other) => (compare(other.price, one.price) > 0 ? other : one));
  if (!isOutOfLine(highest.price, of)) return null;
  const isAbove = compare(highest.price, axis.high) > 0;
  const at = x(highest.signDate);
  const isLeft = at > right - 180;
  const quantity = highest.quantity && t("prices.chart.quantity", { n: decimal(highest.quantity), unit: unitName(of) });
  return s(
    "text",
    {
      x: isLeft ? at - 10 : at + 10,
      y: y(highest.price) + (isAbove ? 8 : 4),
      "text-anchor": isLeft ? "end" : "start",
    },
    [decimal(toKopecks(highest.price)), quantity].filter(Boolean).join(", "),
  );
}

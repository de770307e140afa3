// The prices tab: statistics by unit of measure, a chart and a list of the prices in one unit, and
// a choice of prices for a calculation. It is for the user to decide which contracts are
// comparable; nothing here recommends any.

import { isKtru } from "./classes.js";
import { searchUrl, withConditions } from "./conditions.js";
import { announce, focusHeading, h, swap, toast } from "./dom.js";
import { count, plural, roubles } from "./figures.js";
import { wordsOf } from "./found.js";
import { pager } from "./pager.js";
import { MOST_POINTS, priceChart } from "./price-chart.js";
import { choiceBox } from "./price-choice.js";
import { chosenOf, inOrder, MOST_CHOSEN, readPrices, sortOf, unitOf } from "./price-data.js";
import { contractHash, itemTable, listHead, unitTable } from "./price-tables.js";
import { perUnit } from "./price-units.js";
import { readHash } from "./routes.js";
import { toKopecks } from "./statistics.js";
import { loadStyles } from "./styles.js";
import { forms, loadTexts, t } from "./texts.js";

await Promise.all([loadStyles("prices.css"), loadTexts("prices")]);

/**
 * The drawing on display: its elements, its title, and the width in pixels that it was drawn for.
 * A change of width draws it again.
 */
let shown = null;
addEventListener("resize", () => {
  const width = shown?.section.isConnected && shown.place.isConnected && shown.section.clientWidth;
  if (width && width !== shown.width) shown.draw();
});

/** Shows the prices in `section`; see `SHOWN_BY` in `search.js`. */
export async function showPrices(section, conditions, { signal }) {
  const found = await readPrices((format, limit) => searchUrl("prices", conditions, format, { limit }), signal);
  const { params } = readHash(location.hash);
  const unit = unitOf(found, params);
  if (!unit) return { total: 0, title: wordsOf(conditions, t("prices.none")) };
  const words = t("prices.median", { price: roubles(toKopecks(unit.median)), per: perUnit(unit) });
  const ofUnit = found.items.filter((item) => item.unit === unit.unit);
  const choice = chosenOf(ofUnit, params);
  // After the user ticks a price, screen readers announce only the number of chosen prices.
  const isTick = shown?.section === section && shown.words === words;
  announce(isTick ? t("prices.chosen.says", { n: choice.chosen.length, all: count(unit.count) }) : words);
  const place = h("div", { class: "prices" });
  const draw = () => {
    shown = { section, place, draw, words, width: section.clientWidth };
    swap(place, ...parts({ conditions, params, found, unit, ofUnit, choice, width: shown.width }));
  };
  draw();
  const isTurned = section.querySelector(".pager")?.contains(document.activeElement);
  swap(section, place);
  if (isTurned) {
    focusHeading(section);
    document.activeElement.scrollIntoView();
  }
  return { total: found.total, title: titleOf(conditions, words), about: [plural(found.total, forms("prices.found"))] };
}

/** The title: the query or the code, followed by the median. */
function titleOf(conditions, median) {
  const [code, ...others] = conditions.code;
  if (conditions.q || !code || others.length) return wordsOf(conditions, median);
  return `${t(isKtru(code) ? "search.ktru" : "search.okpd2")} ${code}: ${median}`;
}

function parts({ conditions, params, found, unit, ofUnit, choice: { chosen, missing }, width }) {
  const picks = new Set(chosen.map(({ pick }) => pick));
  const choose = (changed, isChosen) => {
    const others = [...picks].filter((pick) => !changed.includes(pick));
    const now = isChosen ? [...others, ...changed] : others;
    if (now.length > MOST_CHOSEN) toast(t("prices.most", { n: MOST_CHOSEN }));
    replace({ pick: now.slice(0, MOST_CHOSEN).join(",") }, params);
  };
  const sorted = inOrder(ofUnit, sortOf(params));
  const { size } = conditions;
  const pages = Math.max(1, Math.ceil(sorted.length / size));
  const page = Math.min(pages, conditions.page);
  const skip = (page - 1) * size;
  const onPage = sorted.slice(skip, skip + size);
  const [from, to] = [skip + 1, skip + onPage.length].map(count);
  const range = t("contracts.range", { from, to, all: count(sorted.length) });
  return [
    unitTable(found.units, unit),
    priceChart(ofUnit, { of: unit, chosen: picks, hrefOf: contractHash, width }),
    notes(found, unit, ofUnit),
    listHead(conditions, params, found.total),
    itemTable(onPage, { unit, picks, choose, sort: sortOf(params) }),
    pager({ page, pages, size, range }, withConditions),
    missing > 0 &&
      h("p", { class: "aside" }, plural(missing, forms("prices.missing")), " ",
        h("a", { href: withConditions({ pick: [...picks].join(",") }) }, t("prices.missing.drop"))),
    choiceBox(unit, chosen, params, (changes) => replace(changes, params)),
  ];
}

/**
 * Changes the choice in the address without adding a history entry. The table stays on the same
 * page.
 */
const replace = (changes, params) => location.replace(withConditions({ page: params.get("page") ?? "", ...changes }));

/** Explains what the chart or the table leaves out. */
function notes(found, unit, ofUnit) {
  const undated = ofUnit.filter(({ signDate }) => !signDate).length;
  const sentences = [
    ofUnit.length < Number(unit.count) &&
      t("prices.cut", { n: count(ofUnit.length), all: count(unit.count), read: count(found.items.length) }),
    ofUnit.length - undated > MOST_POINTS && t("prices.chart.cut", { n: count(MOST_POINTS) }),
    undated > 0 && plural(undated, forms("prices.undated")),
  ].filter(Boolean);
  return sentences.length > 0 && h("p", { class: "aside" }, sentences.join(" "));
}

// The price calculation ("Расчёт цены") from chosen contracts: an A4 page to print or save as PDF,
// and a workbook with formulas.

import { RequestError } from "./client.js";
import { conditionsOf, searchUrl } from "./conditions.js";
import { day, todayInMoscow } from "./days.js";
import { announce, h, refill, swap } from "./dom.js";
import { save, XLSX } from "./downloads.js";
import { errorPanel } from "./error-panel.js";
import { signLines } from "./evidence.js";
import { count, decimal, plural, roubles } from "./figures.js";
import { original, readable } from "./names.js";
import { soughtWords } from "./nothing-found.js";
import { chosenOf, LEAST_CHOSEN, quantityIn, readPrices, unitOf } from "./price-data.js";
import { codeLabel, sourceWords } from "./price-sheet-words.js";
import { perUnit, unitName } from "./price-units.js";
import { priceWorkbook } from "./price-workbook.js";
import { regionNames } from "./regions.js";
import { hashOf } from "./routes.js";
import { homogeneity, statisticsOf, times } from "./statistics.js";
import { loadStyles } from "./styles.js";
import { forms, loadTexts, t } from "./texts.js";
import { signals } from "./updates.js";

await Promise.all([loadStyles("prices.css"), loadTexts("prices"), loadTexts("search")]);

/** Upper bound on the name of the purchase, in characters. */
const LONGEST_OBJECT = 300;

/** Shows the price calculation for the address in `main`. `update` receives new parameters. */
export function priceSheetView(main, { params }, shell) {
  const heading = h("h1", { tabindex: "-1" }, t("sheet.title"));
  main.replaceChildren(h("header", { class: "view-head" }, heading), h("p", { class: "loading" }, t("loading")));
  const { next, stop } = signals();
  const update = async (now) => {
    const signal = next();
    try {
      const calculation = await calculationOf(now, signal);
      if (signal.aborted) return;
      if (calculation.chosen.length < LEAST_CHOSEN) {
        refill(main, () => tooFew(heading, now, calculation.chosen.length));
        return;
      }
      swap(main, actions(calculation, now), sheet(calculation, heading));
      shell.title(`${t("sheet.short")} ${calculation.object}`);
      announce(t("sheet.short"));
    } catch (error) {
      if (error.name === "AbortError") return;
      if (!(error instanceof RequestError)) throw error;
      refill(main, () => [h("header", { class: "view-head" }, heading), errorPanel(error, () => shell.again())]);
    }
  };
  update(params);
  return { heading, update, stop };
}

const backLink = (params) =>
  h(
    "a",
    { "data-stay": "back", href: hashOf("search", "", { ...Object.fromEntries(params), tab: "prices" }) },
    t("sheet.back"),
  );

const tooFew = (heading, params, n) => [
  h("header", { class: "view-head" }, heading),
  h(
    "section",
    { class: "panel" },
    h("p", {}, t("sheet.few", { n: count(n) })),
    h("p", {}, t("sheet.few.do")),
    h("p", {}, backLink(params)),
  ),
];

/**
 * Collects everything that the page and the workbook show. If there are too few prices, returns
 * only `chosen`.
 */
async function calculationOf(params, signal) {
  const conditions = { ...conditionsOf(params), tab: "prices" };
  const urlOf = (format, limit) => searchUrl("prices", conditions, format, { limit });
  const [found, regions] = await Promise.all([
    readPrices(urlOf, signal),
    conditions.region.length ? regionNames() : new Map(),
  ]);
  const unit = unitOf(found, params);
  const ofUnit = found.items.filter((item) => item.unit === unit?.unit);
  const { chosen, missing } = chosenOf(ofUnit, params);
  if (chosen.length < LEAST_CHOSEN) return { chosen };
  const figures = statisticsOf(chosen.map(({ price }) => price));
  const quantity = quantityIn(params);
  return {
    object: (params.get("object") ?? "").slice(0, LONGEST_OBJECT) || objectOf(chosen, params),
    codes: [...new Set(chosen.map(({ code }) => code).filter(Boolean))],
    unit,
    chosen,
    missing,
    words: soughtWords(conditions, regions),
    figures,
    quantity,
    price: times(figures.mean, quantity),
    updated: found.updated,
    today: todayInMoscow(),
  };
}

/** Returns the default name of the purchase: the name that all items share, otherwise the query. */
function objectOf(chosen, params) {
  const names = new Set(chosen.map(({ name }) => name));
  const words = names.size === 1 ? chosen[0].name : params.get("q") || chosen[0].name;
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Buttons, and the field for the name of the purchase. Neither is printed. */
function actions(calculation, params) {
  const file = `price-calculation-${calculation.today}.xlsx`;
  const rename = ({ currentTarget: { value } }) =>
    location.replace(hashOf("price-sheet", "", { ...Object.fromEntries(params), object: value.trim() }));
  return h(
    "div",
    { class: "evidence-actions" },
    h(
      "button",
      { type: "button", class: "main", "data-stay": "print", on: { click: () => print() } },
      t("evidence.print"),
    ),
    h(
      "button",
      { type: "button", "data-stay": "excel", on: { click: () => save(priceWorkbook(calculation), file, XLSX) } },
      t("sheet.excel"),
    ),
    backLink(params),
    h(
      "label",
      { class: "field object" },
      h("span", {}, t("sheet.object")),
      h("input", {
        name: "object",
        value: calculation.object,
        maxlength: String(LONGEST_OBJECT),
        "data-stay": "object",
        on: { change: rename },
      }),
    ),
    calculation.missing > 0 &&
      h("p", { class: "aside", role: "status" }, plural(calculation.missing, forms("sheet.missing"))),
  );
}

function sheet(calculation, heading) {
  const { object, codes, unit, quantity, today } = calculation;
  const row = (name, content, props = {}) => h("tr", {}, h("th", { scope: "row" }, name), h("td", props, content));
  return h(
    "article",
    { class: "evidence price-sheet" },
    h("header", { class: "sheet-head" }, heading, h("p", {}, day(today))),
    h(
      "table",
      { class: "about" },
      h(
        "tbody",
        {},
        row(t("sheet.object"), object, { lang: "ru" }),
        codes.length > 0 && row(codeLabel(codes), codes.join(", "), { class: "code" }),
        row(t("sheet.quantity"), `${decimal(quantity)} ${unitName(unit)}`),
      ),
    ),
    sources(calculation),
    calculationPart(calculation),
    h(
      "section",
      { class: "outcome" },
      h(
        "p",
        {},
        t("sheet.result", {
          quantity: decimal(quantity),
          unit: unitName(unit),
          mean: roubles(calculation.figures.mean),
        }),
      ),
      h("p", { class: "price" }, roubles(calculation.price)),
    ),
    sourcePart(calculation),
    signLines(t("sheet.sign.who")),
  );
}

function sources({ chosen, unit }) {
  const columns = ["number", "regNum", "day", "customer", "many", "price"];
  const isNumber = (name) => ["number", "many", "price"].includes(name);
  const label = (name) => t(`sheet.${name}`, { unit: unitName(unit), per: perUnit(unit) });
  const isOneName = new Set(chosen.map(({ name }) => name)).size === 1;
  const cells = (item, at) => ({
    number: count(at + 1),
    regNum: h("span", { class: "code" }, item.regNum),
    day: day(item.signDate) || "—",
    customer: [
      h("span", original(item.customerName), readable(item.customerName) || "—"),
      item.customerInn && h("span", { class: "line own-inn" }, `${t("inn")}\u00a0${item.customerInn}`),
      !isOneName && item.name && h("span", { class: "line" }, t("sheet.item", { name: item.name })),
    ],
    many: item.quantity ? decimal(item.quantity) : "—",
    price: decimal(item.price, 2),
  });
  return h(
    "section",
    {},
    h("h2", {}, t("sheet.sources")),
    h(
      "table",
      { class: "of-sources" },
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          columns.map((name) =>
            h("th", { scope: "col", class: isNumber(name) ? `number of-${name}` : `of-${name}` }, label(name)),
          ),
        ),
      ),
      h(
        "tbody",
        {},
        chosen.map((item, at) => {
          const of = cells(item, at);
          return h(
            "tr",
            {},
            columns.map((name) =>
              h("td", { class: isNumber(name) ? "number" : null, "data-label": label(name) }, of[name]),
            ),
          );
        }),
      ),
    ),
  );
}

/**
 * Renders the calculation. Each figure has its formula, and the formula with the numbers filled in.
 */
function calculationPart({ unit, figures }) {
  const { sum, mean, squares, deviation, variation } = figures;
  const n = count(figures.count);
  const p = t("sheet.symbol");
  const rows = [
    [t("sheet.count"), "n", n],
    [t("sheet.mean", { per: perUnit(unit) }), `<${p}> = Σ${p} / n = ${decimal(sum, 2)} / ${n}`, roubles(mean)],
    [
      t("sheet.deviation"),
      `σ = √(Σ(${p} − <${p}>)² / (n − 1)) = √(${decimal(squares)} / ${count(figures.count - 1)})`,
      roubles(deviation),
    ],
    [t("sheet.variation"), `V = σ / <${p}> × 100\u202f%`, `${decimal(variation)}\u202f%`],
  ];
  return h(
    "section",
    {},
    h("h2", {}, t("sheet.calculation")),
    h(
      "table",
      { class: "calculation" },
      h(
        "tbody",
        {},
        rows.map(([name, formula, value]) =>
          h(
            "tr",
            {},
            h("th", { scope: "row" }, name),
            h("td", { class: "formula" }, formula),
            h("td", { class: "number" }, value),
          ),
        ),
      ),
    ),
    h("p", {}, t(`sheet.${homogeneity(variation)}`)),
  );
}

const sourcePart = (calculation) =>
  h(
    "section",
    {},
    h("h2", {}, t("sheet.source")),
    sourceWords(calculation).map((words) => h("p", {}, words.join(" "))),
  );

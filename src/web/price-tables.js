// Tables of unit prices: statistics by unit of measure, and the individual prices in one unit.

import { searchUrl, withConditions } from "./conditions.js";
import { day } from "./days.js";
import { h } from "./dom.js";
import { downloadBar } from "./downloads.js";
import { count, decimal, plural } from "./figures.js";
import { menu } from "./menu.js";
import { nameElement } from "./names.js";
import { SORTS, sortOf } from "./price-data.js";
import { perUnit, unitName } from "./price-units.js";
import { homogeneityWord } from "./price-words.js";
import { hashOf, isInn } from "./routes.js";
import { percentAbove, toKopecks } from "./statistics.js";
import { fieldName, forms, t } from "./texts.js";

/**
 * Returns the address of an item's contract in the list of its supplier, or of its customer if the
 * supplier has no page.
 */
export function contractHash({ regNum, supplierINN, customerInn }) {
  if (isInn(supplierINN)) return hashOf("supplier", supplierINN, { contract: regNum, tab: "contracts" });
  return isInn(customerInn) ? hashOf("customer", customerInn) : null;
}

/** A price rounded to two decimal places; the tooltip has all of them. */
function priceCell(price) {
  const short = toKopecks(price);
  return short === price ? decimal(price, 2) : h("span", { title: decimal(price, 2) }, decimal(short, 2));
}

const FIGURES = ["min", "quartile1", "median", "quartile3", "max", "mean"];

/** Statistics by unit of measure. Clicking a unit selects it. */
export function unitTable(units, current) {
  const label = (name) => t(`prices.column.${name}`);
  const head = (name, kind) => h("th", { scope: "col", class: kind }, label(name));
  const row = (unit) => {
    const isCurrent = unit === current;
    const href = withConditions({ unit: unit === units[0] ? "" : unit.unit, pick: "" });
    return h(
      "tr",
      { class: isCurrent ? "current" : null },
      h(
        "th",
        { scope: "row" },
        h(
          "a",
          {
            href,
            "aria-current": isCurrent ? "true" : null,
            "data-stay": `unit-${unit.unit}`,
            title: unit.okeiName || null,
          },
          unitName(unit),
        ),
      ),
      h(
        "td",
        { class: "number count" },
        count(unit.count),
        h("span", { class: "phone" }, ` ${plural(unit.count, forms("prices.pricesOnly"))}`),
      ),
      FIGURES.map((name) =>
        h("td", { class: `number ${name}`, "data-label": t(`prices.short.${name}`) }, priceCell(unit[name])),
      ),
      h("td", { class: "number variation" }, unit.variation ? `${decimal(unit.variation, 2)}\u202f%` : "—"),
      h("td", { class: "word-of" }, homogeneityWord(unit.variation)),
    );
  };
  return h(
    "table",
    { class: "units" },
    h("caption", { class: "unseen" }, t("prices.units")),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        head("unit"),
        head("count", "number"),
        FIGURES.map((name) => head(name, "number")),
        head("variation", "number"),
        head("threshold"),
      ),
    ),
    h("tbody", {}, units.map(row)),
  );
}

/** The heading of the price list: sort menu and downloads. */
export function listHead(conditions, params, total) {
  const sort = sortOf(params);
  const to = (one) => withConditions({ sort: one === SORTS[0] ? "" : one });
  return h(
    "div",
    { class: "part-head" },
    h("h2", { tabindex: "-1" }, t("prices.choose")),
    h(
      "div",
      { class: "prices-take" },
      menu(
        t(`prices.sort.${sort}`),
        { stay: "sort", button: "button" },
        h(
          "ul",
          { class: "options", tabindex: "-1" },
          SORTS.map((one) =>
            h(
              "li",
              {},
              h(
                "a",
                { href: to(one), "data-stay": "sort", "aria-current": one === sort ? "true" : null },
                t(`prices.sort.${one}`),
              ),
            ),
          ),
        ),
      ),
      downloadBar({
        urls: (format) => [searchUrl("prices", conditions, format)],
        rows: count(total),
      }),
    ),
  );
}

/**
 * The current page of prices in the order `sort`. `choose(picks, isChosen)` adds prices to the
 * choice, or removes them.
 */
export function itemTable(items, { unit, picks, choose, sort }) {
  const sorter = (name) => {
    const [down, up] = [sort === `-${name}`, sort === name];
    const to = down ? name : `-${name}`;
    return {
      props: { "aria-sort": down ? "descending" : up ? "ascending" : "none" },
      link: (label) =>
        h(
          "a",
          {
            class: "sorter",
            href: withConditions({ sort: to === SORTS[0] ? "" : to }),
            "data-stay": `by-${name}`,
            title: t("contracts.sortBy"),
          },
          label,
          h("span", { class: "arrow", "aria-hidden": "true" }, down ? "↓" : up ? "↑" : "↕"),
        ),
    };
  };
  const [byDay, byPrice] = [sorter("signDate"), sorter("price")];
  const head = (label, kind, props = {}) => h("th", { scope: "col", class: kind, ...props }, label);
  const labels = {
    name: t("prices.column.name"),
    customer: fieldName("customerName"),
    supplier: fieldName("supplierName"),
    quantity: t("prices.column.quantity"),
    toMedian: t("prices.column.toMedian"),
  };
  return h(
    "table",
    { class: "price-items" },
    h("caption", { class: "unseen" }, t("prices.caption", { per: perUnit(unit) })),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        head(everyBox(items, picks, choose), "col-pick"),
        head(byDay.link(fieldName("column.signDate")), "col-day", byDay.props),
        head(labels.name, "col-name"),
        head(labels.customer, "col-customer"),
        head(labels.supplier, "col-supplier"),
        head(labels.quantity, "number col-quantity"),
        head(byPrice.link(t("prices.column.price", { per: perUnit(unit) })), "number col-price", byPrice.props),
        head(labels.toMedian, "number col-median"),
      ),
    ),
    h(
      "tbody",
      {},
      items.map((item) => itemRow(item, { unit, isChosen: picks.has(item.pick), choose })),
    ),
  );
}

/** The checkbox that chooses all prices on the page. */
function everyBox(items, picks, choose) {
  const all = items.map(({ pick }) => pick);
  const chosen = all.filter((pick) => picks.has(pick)).length;
  /** @type {any} */
  const box = h("input", {
    type: "checkbox",
    "aria-label": t("prices.chooseAll"),
    title: t("prices.chooseAll"),
    "data-stay": "pick-all",
    checked: chosen === all.length,
    on: { change: ({ currentTarget }) => choose(all, currentTarget.checked) },
  });
  box.indeterminate = chosen > 0 && chosen < all.length;
  return box;
}

function itemRow(item, { unit, isChosen, choose }) {
  const { regNum, signDate, name, supplierName, supplierINN, customerName, customerInn, quantity, price, pick } = item;
  const box = h("input", {
    type: "checkbox",
    checked: isChosen,
    "data-stay": `pick-${pick}`,
    "aria-label": t("prices.chooseOne", {
      day: day(signDate) || t("noDate"),
      price: decimal(toKopecks(price), 2),
      n: regNum,
    }),
    on: { change: ({ currentTarget }) => choose([pick], currentTarget.checked) },
  });
  // A click on the row toggles its checkbox, unless it hits a link.
  const click = ({ target }) => target.closest("a, input") || document.getSelection().toString() || box.click();
  const party = (named, inn, view) =>
    nameElement(named || inn || "—", { class: "one", href: isInn(inn) && hashOf(view, inn) });
  const above = percentAbove(price, unit.median);
  return h(
    "tr",
    { class: isChosen ? "on" : null, on: { click } },
    h("td", { class: "pick" }, box),
    h(
      "td",
      { class: "day" },
      h("a", { href: contractHash(item), title: t("prices.toContract", { n: regNum }) }, day(signDate) || t("noDate")),
    ),
    h("td", { class: "what" }, h("span", { class: "one", lang: "ru", title: name }, name || "—")),
    h("td", { class: "of-customer" }, party(customerName, customerInn, "customer")),
    h("td", { class: "of-supplier" }, party(supplierName, supplierINN, "supplier")),
    h("td", { class: "number quantity" }, quantity ? decimal(quantity) : "—"),
    h("td", { class: "number price" }, priceCell(price)),
    h("td", { class: "number above" }, `${/^[1-9]/.test(above) ? "+" : ""}${decimal(above)}\u202f%`),
  );
}

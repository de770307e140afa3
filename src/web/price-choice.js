// The box with the chosen prices: their number, mean and variation, the quantity to buy, and the
// link to the price calculation.

import { h } from "./dom.js";
import { count, decimal, plural, roubles } from "./figures.js";
import { LEAST_CHOSEN, MOST_CHOSEN, quantityIn, quantityOf } from "./price-data.js";
import { unitName } from "./price-units.js";
import { homogeneityWord } from "./price-words.js";
import { hashOf } from "./routes.js";
import { statisticsOf, times } from "./statistics.js";
import { forms, language, t } from "./texts.js";

/** Parameters of the prices tab that the price calculation does not need. */
const OF_TABLE = ["tab", "page", "size", "sort"];

/** Returns the address of the price calculation. */
const sheetHash = (params) =>
  hashOf("price-sheet", "", Object.fromEntries([...params].filter(([name]) => !OF_TABLE.includes(name))));

/**
 * Renders the box. Once a price is chosen, the box sticks to the edge of the window.
 * `replace(changes)` changes the address.
 */
export function choiceBox(unit, chosen, params, replace) {
  const figures = chosen.length > 0 ? statisticsOf(chosen.map(({ price }) => price)) : null;
  const quantity = quantityIn(params);
  const variation = figures?.variation && `${decimal(figures.variation)}\u202f%`;
  const term = (name, ...content) => h("div", { class: name }, h("dt", {}, t(`prices.${name}`)), h("dd", {}, content));
  return h(
    "section",
    { class: figures ? "take on" : "take", "aria-label": t("prices.taken") },
    quantityField(unit, quantity, replace),
    h(
      "div",
      { class: "take-bar" },
      h(
        "dl",
        {},
        term("chosen", t("contracts.of", { n: count(chosen.length), all: count(unit.count) })),
        term("mean", figures ? roubles(figures.mean) : "—"),
        term("variation", variation, figures ? homogeneityWord(figures.variation) : "—"),
      ),
      toSheet(params, figures, quantity),
    ),
    h("p", { class: "note" }, t("prices.yours", { most: count(MOST_CHOSEN) })),
  );
}

/** The link to the price calculation, or how many prices are still needed. */
function toSheet(params, figures, quantity) {
  const missing = LEAST_CHOSEN - (figures?.count ?? 0);
  if (missing > 0) {
    return h(
      "span",
      { class: "button main off", role: "link", "aria-disabled": "true" },
      plural(missing, forms("prices.more")),
    );
  }
  return h(
    "a",
    { class: "button main", href: sheetHash(params), "data-stay": "sheet" },
    t("prices.sheetOf", { sum: roubles(times(figures.mean, quantity)) }),
  );
}

function quantityField(unit, quantity, replace) {
  const shown = language() === "ru" ? quantity.replace(".", ",") : quantity;
  const message = h("p", { class: "said", id: "quantity-said", role: "alert", hidden: true }, t("prices.badQuantity"));
  const change = ({ currentTarget: field }) => {
    const value = field.value.trim() === "" ? "1" : quantityOf(field.value);
    message.hidden = value !== null;
    if (value === null) return field.setAttribute("aria-invalid", "true");
    return replace({ quantity: value === "1" ? "" : value });
  };
  return h(
    "div",
    { class: "quantity" },
    h(
      "label",
      { class: "field" },
      h("span", {}, t("prices.quantity", { unit: unitName(unit) })),
      h("input", {
        name: "quantity",
        value: shown,
        inputmode: "decimal",
        autocomplete: "off",
        maxlength: "24",
        size: "8",
        "data-stay": "quantity",
        "aria-describedby": "quantity-said",
        on: { change },
      }),
    ),
    message,
  );
}

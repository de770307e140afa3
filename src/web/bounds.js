// Filters with a lower and an upper bound (price, dates): a description in words, and the form.

import { h } from "./dom.js";
import { isMore } from "./figures.js";
import { amountOf } from "./filters.js";
import { language, t } from "./texts.js";

/** Describes a range in words. Either bound may be empty. */
export function range(from, to, words) {
  if (from && to) return `${words(from)} – ${words(to)}`;
  return from ? t("filter.from", { value: words(from) }) : t("filter.to", { value: words(to) });
}

/** How to read and validate a price range. */
export const PRICES = {
  stay: "price",
  names: ["priceFrom", "priceTo"],
  props: { inputmode: "decimal", placeholder: "₽", size: "14", maxlength: "40" },
  shown: (value) => (language() === "ru" ? value.replace(".", ",") : value),
  read: ({ value }) => amountOf(value),
  bad: "filter.badPrice",
  isAbove: isMore,
  order: "filter.priceOrder",
};

/** How to read and validate a range of signing dates. */
export const DAYS = {
  stay: "year",
  names: ["signedFrom", "signedTo"],
  props: { type: "date", min: "1990-01-01", max: "2100-12-31" },
  shown: (value) => value,
  read: ({ value, validity }) => (validity.valid ? value : null),
  bad: "filter.badDay",
  isAbove: (one, other) => one > other,
  order: "filter.dayOrder",
};

/**
 * Returns a form for the two bounds of a filter. Submitting it calls `go` with both values, unless
 * one is invalid or they are in the wrong order.
 */
export function bounds(filters, { stay, names, labels = names, props, shown, read, bad, isAbove, order }, go) {
  const messageId = `${names[0]}-said`;
  const message = h("p", { class: "said", id: messageId, role: "alert", hidden: true });
  const field = (name, at) =>
    h("label", { class: "field" }, h("span", {}, t(`filter.${labels[at]}`)),
      h("input", { name, value: shown(filters[name]), "aria-describedby": messageId, autocomplete: "off", ...props }));
  /** @type {any} */
  const form = h("form", { class: "bounds", novalidate: true }, names.map(field),
    h("button", { type: "submit", "data-stay": stay }, t("filter.apply")), message);
  const wrong = (name, text) => {
    message.textContent = t(text);
    message.hidden = false;
    form.elements[name].setAttribute("aria-invalid", "true");
    form.elements[name].focus();
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    for (const one of form.querySelectorAll("input")) one.removeAttribute("aria-invalid");
    message.hidden = true;
    const values = Object.fromEntries(names.map((name) => [name, read(form.elements[name])]));
    const [from, to] = names;
    const missed = names.find((name) => values[name] === null);
    if (missed) return wrong(missed, bad);
    if (values[from] && values[to] && isAbove(values[from], values[to])) return wrong(to, order);
    return go(values);
  });
  return form;
}

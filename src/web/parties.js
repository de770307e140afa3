// The other parties to contracts: a supplier's customers or a customer's suppliers. Renders the
// card with their shares, and the menu that filters by a party.

import { getJson, RequestError } from "./client.js";
import { h, s } from "./dom.js";
import { count, larger, percent, plural, roubles, shareOf, tenthsIn, unitName, unitOf, without } from "./figures.js";
import { isCustomer, isSupplier, sumsUrl, withFilters } from "./filters.js";
import { menu } from "./menu.js";
import { original, readable } from "./names.js";
import { forms, t } from "./texts.js";
import { markPlace } from "./verdict-marks.js";

/**
 * How many parties the card shows, how many a response has at most, and how many a menu shows at
 * once.
 */
const FEW = 5;
export const MOST = 10_000;
const IN_MENU = 100;

/** The key of the other parties in responses, which is also the name of their tab. */
export const partiesName = ({ view }) => (view === "supplier" ? "customers" : "suppliers");

/** The name of the filter by the other party. */
export const filterOf = ({ view }) => (view === "supplier" ? "customer" : "supplier");

/** Returns whether the filter accepts this INN. */
const takes = (filter, inn) => (filter === "customer" ? isCustomer(inn) : isSupplier(inn));

/** Returns the other parties from the sums, largest first, as `{inn, name, count, sum, share}`. */
export const partiesOf = (owner, sums) => (sums[partiesName(owner)] ?? []).map((row) =>
  ({ ...row, inn: row.inn ?? row.customerInn, name: row.name ?? row.customerName }));

export const partiesCount = (owner, sums) => Number(sums[`${partiesName(owner)}Count`] ?? 0);

/**
 * Returns the address that filters by this INN, or that removes the filter if it is already set.
 * Returns `null` if the filter does not accept the INN.
 */
export function hrefOf(owner, filters, inn, changes = {}) {
  const name = filterOf(owner);
  const then = { page: "", ...changes, [name]: filters[name] === inn ? "" : inn };
  return takes(name, inn) ? withFilters(owner, then) : null;
}

/**
 * The card with the largest parties and their shares. All others are added up in one row, so that
 * the rows make up the whole sum.
 */
export function sharesCard(owner, filters, sums) {
  const few = partiesOf(owner, sums).slice(0, FEW);
  const number = partiesCount(owner, sums);
  const rest = number > few.length ? without(sums.totalSum, few.map(({ sum }) => sum)) : null;
  const unit = unitOf([rest ?? "0", ...few.map(({ sum }) => sum)].reduce(larger));
  const name = partiesName(owner);
  const filter = filterOf(owner);
  const rows = few.map((party) => {
    const isChosen = party.inn && filters[filter] === party.inn;
    const href = hrefOf(owner, filters, party.inn, { tab: "" });
    const content = [
      h("span", { class: "whom" }, owner.view === "customer" && markPlace(party.inn, "icon"),
        h("span", { class: "name", ...original(party.name) }, readable(party.name) || t("noName"))),
      figuresOf(party.sum, party.share, unit),
    ];
    const props = { href, "aria-current": isChosen && "true", "data-stay": `party-${party.inn}` };
    return h("li", {}, h(href ? "a" : "div", { ...props, title: t(isChosen ? "chart.all" : "chart.only") }, content));
  });
  const others = rest && h("li", { class: "rest" }, h("div", {},
    h("span", { class: "whom" }, t("shares.rest", { who: plural(number - few.length, forms(`shares.${name}`)) })),
    figuresOf(rest, shareOf(rest, sums.totalSum), unit)));
  return h("section", { class: `chart shares of-${name}`, "aria-labelledby": "shares-title" },
    h("h2", { id: "shares-title" }, h("span", {}, t(`shares.title.${name}`, { unit: unitName(unit) })),
      number > few.length && h("a", { href: withFilters(owner, { tab: name, page: "" }), "data-stay": "all-parties" },
        t("shares.all", { n: count(number) }))),
    h("ol", {}, rows, others));
}

/** A sum with its share as a percentage and as a bar. */
const figuresOf = (sum, share, unit) => [
  h("span", { class: "number", title: roubles(sum) }, tenthsIn(sum, unit)),
  h("span", { class: "number share" }, share === null ? "—" : percent(share)),
  s("svg", { class: "track", width: "100%", height: "6", "aria-hidden": "true", focusable: "false" },
    s("rect", { class: "whole", width: "100%", height: "6", rx: "3" }),
    s("rect", { width: `${Math.min(Math.max(Number(share ?? 0), 0.5), 100)}%`, height: "6", rx: "3" })),
];

const plain = (text) => (text ?? "").toLowerCase().replaceAll("ё", "е").replace(/["«»„“'’]/g, "");

/** Returns the parties whose name or INN contains all typed words. */
export function partiesLike(parties, typed) {
  const words = plain(typed).split(/\s+/).filter(Boolean);
  if (!words.length) return parties;
  return parties.filter(({ inn, name }) => {
    const text = `${plain(name)} ${plain(readable(name))} ${inn ?? ""}`;
    return words.every((word) => text.includes(word));
  });
}

/**
 * The menu that filters by a party. `sums` has only the largest parties; the others are fetched
 * when the menu is first opened.
 */
export function partyMenu(owner, filters, sums) {
  const filter = filterOf(owner);
  const number = partiesCount(owner, sums);
  let parties = partiesOf(owner, sums);
  const label = t(`filter.${filter}`);
  const status = h("p", { class: "aside", role: "status" });
  const list = h("ul", { class: "options", tabindex: "-1" });
  const field = h("input", {
    type: "search", autocomplete: "off", spellcheck: "false", "aria-label": t("parties.find"),
    placeholder: t("parties.find"), on: { input: () => fill() },
  });
  const fill = () => {
    const found = partiesLike(parties, field.value);
    list.replaceChildren(...found.slice(0, IN_MENU).map(({ inn, name, count: many }) =>
      h("li", {}, h("a", { href: hrefOf(owner, filters, inn), "data-stay": filter },
        h("span", {}, readable(name) || inn), h("span", { class: "aside" }, count(many))))));
    const isCut = found.length > IN_MENU || (parties.length < number && parties.length >= MOST);
    const first = t("parties.first", { n: count(Math.min(found.length, IN_MENU)) });
    status.textContent = !found.length ? t("parties.none") : isCut ? first : "";
  };
  const load = async () => {
    if (parties.length >= number || parties.length >= MOST) return;
    status.textContent = t("loading");
    try {
      parties = partiesOf(owner, await getJson(sumsUrl(owner, { ...filters, [filter]: "" }, "json", String(MOST))));
      fill();
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      status.textContent = t(`error.${error.kind}`);
    }
  };
  fill();
  const element = menu(label, { kind: "chip parties", stay: filter },
    number > FEW && h("div", { class: "find-in" }, field), status, list);
  element.addEventListener("toggle", () => element.open && load());
  return element;
}

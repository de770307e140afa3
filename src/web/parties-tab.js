// The tab with all customers of a supplier, or all suppliers of a customer, and their shares. It
// can be searched and downloaded.

import { getJson } from "./client.js";
import { announce, h, swap } from "./dom.js";
import { downloadBar } from "./downloads.js";
import { count, percent, plural } from "./figures.js";
import { isFiltered, NONE, sumsUrl, withFilters } from "./filters.js";
import { nameElement } from "./names.js";
import { filterOf, hrefOf, MOST, partiesCount, partiesLike, partiesName, partiesOf } from "./parties.js";
import { amount } from "./record.js";
import { hashOf, isInn } from "./routes.js";
import { fieldName, forms, t } from "./texts.js";
import { signals } from "./updates.js";
import { fillMarks, markPlace } from "./verdict-marks.js";

/** How many rows are shown at first, and how many each click adds. */
const AT_ONCE = 50;

/**
 * Creates the tab for the contracts of `owner`. `show` fills the tab for the given filters, except
 * the filter by party, unless the tab already shows them.
 */
export function partiesTab({ owner, parts, showError }) {
  const name = partiesName(owner);
  const section = parts.sections[name];
  const { next, stop } = signals();
  let shown = "";
  const show = async (filters) => {
    const some = { ...filters, [filterOf(owner)]: "" };
    const url = sumsUrl(owner, some, "json", String(MOST));
    const wanted = `${url} ${filters.who}`;
    if (wanted === shown) return;
    shown = wanted;
    const signal = next();
    section.setAttribute("aria-busy", "true");
    if (!section.firstChild) section.append(h("p", { class: "loading" }, t("loading")));
    try {
      const sums = await getJson(url, signal);
      draw(section, owner, some, sums, signal);
      section.removeAttribute("aria-busy");
    } catch (error) {
      if (error.name !== "AbortError") shown = "";
      showError(section, error, () => show(filters));
    }
  };
  return { show, stop };
}

function draw(section, owner, filters, sums, signal) {
  const name = partiesName(owner);
  const all = partiesOf(owner, sums).map((party, at) => ({ ...party, at: at + 1 }));
  const number = partiesCount(owner, sums);
  const heading = h("h2", { class: "unseen" }, t(`tab.${name}`));
  if (!all.length) return swap(section, heading, h("p", { class: "panel empty" }, t(`parties.noneOf.${name}`)));
  const status = h("p", { class: "range", role: "status" });
  const body = h("tbody", {});
  const below = h("div");
  let many = AT_ONCE;
  const fill = (typed) => {
    const found = partiesLike(all, typed);
    const rows = found.slice(0, many).map((party) => partyRow(owner, filters, party));
    swap(body, ...rows);
    status.textContent = typed.trim()
      ? t("contracts.of", { n: count(found.length), all: count(number) })
      : plural(number, forms(`identity.${name}`));
    const rest = found.length - rows.length;
    swap(below, rest > 0 && h("button", { type: "button", "data-stay": "more-parties", on: { click: () => more() } },
      t("batch.more", { n: count(rest) })));
    fillMarks(body, signal);
  };
  const more = () => {
    const from = body.children.length;
    many += AT_ONCE;
    fill(field.value);
    body.children[from]?.querySelector("a")?.focus();
  };
  const type = () => {
    many = AT_ONCE;
    history.replaceState(history.state, "", withFilters(owner, { who: field.value.trim() }));
    fill(field.value);
    announce(status.textContent);
  };
  const field = h("input", {
    type: "search", value: filters.who, autocomplete: "off", spellcheck: "false", placeholder: t("parties.find"),
    "aria-label": t("parties.find"), "data-stay": "find-party", on: { input: type },
  });
  swap(section,
    heading,
    h("div", { class: "part-head" },
      h("div", { class: "find-in" }, field, status),
      isFiltered(filters) && h("p", { class: "aside" }, t("parties.filtered"), " ",
        h("a", { href: withFilters(owner, { ...NONE, page: "" }) }, t("filter.reset"))),
      downloadBar({ urls: (format) => [sumsUrl(owner, filters, format, String(MOST))] })),
    number > all.length && h("p", { class: "aside" }, t("parties.cut", { n: count(all.length), all: count(number) })),
    h("table", { class: "cards long-table parties-table" },
      h("caption", { class: "unseen" }, t(`tab.${name}`)),
      h("thead", {}, h("tr", {}, ["place", "party", "count", "sum", "share"].map((column) =>
        h("th", { scope: "col", class: column === "party" ? null : "number" }, columnName(owner, column))))),
      body),
    below);
  return fill(filters.who);
}

/** The field with the name of the other party. */
const PARTY = { supplier: "customerName", customer: "supplierName" };

const columnName = ({ view }, column) =>
  (column === "party" ? fieldName(PARTY[view]) : t(`parties.column.${column}`));

/**
 * Renders a row with the other party's contracts, value and share. The number of contracts is a
 * link to them.
 */
function partyRow(owner, filters, { at, inn, name, count: many, sum, share }) {
  const other = owner.view === "supplier" ? "customer" : "supplier";
  const contracts = hrefOf(owner, filters, inn, { tab: "contracts", who: "" });
  const cells = {
    place: count(at),
    party: [
      h("span", { class: "party" },
        nameElement(name || inn || "—", { class: "name", href: isInn(inn) && hashOf(other, inn) }),
        owner.view === "customer" && markPlace(inn, "tag")),
      inn && h("span", { class: "aside inn" }, `${t("inn")} ${inn}`),
    ],
    count: contracts ? h("a", { href: contracts, title: t("chart.only") }, count(many)) : count(many),
    sum: amount(sum),
    share: share === null ? "—" : percent(share),
  };
  return h("tr", {}, Object.entries(cells).map(([column, content]) =>
    h("td", { class: column === "party" ? null : "number", "data-label": columnName(owner, column) },
      h("div", {}, content))));
}

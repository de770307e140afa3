// The items of a contract. The list of contracts only has their codes and sums, so their names,
// units and unit prices are fetched when the user opens a contract.

import { getJson, RequestError } from "./client.js";
import { h, swap } from "./dom.js";
import { decimal } from "./figures.js";
import { unitName } from "./price-units.js";
import { amount, hasValue, items, part } from "./record.js";
import { hashOf, isInn, requestUrl } from "./routes.js";
import { fieldName, t } from "./texts.js";

/**
 * Page size and upper bound for fetching items. A request returns the items of all contracts signed
 * that day, not just of this one.
 */
const AT_ONCE = 200;
const MOST = 1000;
/** Upper bound of the API on codes in one request. */
const CODES = 10;

/**
 * Returns the items of a contract as a part of its details, or `null` if it has none. For `owner`,
 * see `filters.js`.
 */
export function itemsPart(owner, { products: list, ...contract }) {
  const products = items({ list }, "list");
  if (!products.length) return null;
  const body = h("div", { class: "items-of", "aria-busy": "true" });
  const status = h("p", { class: "loading", role: "status" }, t("items.loading"));
  const fill = (rows, below) => swap(body, itemTable(rows), below);
  const read = async () => {
    fill(products, status);
    try {
      fill(matched(products, await itemsOf(owner, contract, products)), null);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      fill(products, h("p", { class: "aside" }, t("items.failed"), " ",
        h("button", { type: "button", on: { click: read } }, t("again"))));
    }
    body.removeAttribute("aria-busy");
  };
  read();
  return part(t("contracts.products"), body, { class: "part wide" });
}

/**
 * Fetches names and prices for the items of this contract. The API does not have them for every
 * item.
 */
async function itemsOf({ view, inn }, contract, products) {
  const { regNum, signDate, customerInn, supplierINN = view === "supplier" ? inn : "" } = contract;
  const classes = [...new Set(products.map(({ code }) => /^\d\d/.exec(code ?? "")?.[0]).filter(Boolean))];
  if (!signDate || !(isInn(supplierINN) || customerInn)) return [];
  const found = [];
  for (let from = 0; from < classes.length; from += CODES) {
    for (let skip = 0; skip < MOST; skip += AT_ONCE) {
      const page = await getJson(requestUrl("/contract/prices", {
        supplierINN: isInn(supplierINN) ? supplierINN : "", customerInn, signedFrom: signDate, signedTo: signDate,
        code: classes.slice(from, from + CODES).join(","), format: "json", skip: String(skip), limit: String(AT_ONCE),
      }));
      found.push(...items(page, "items").filter((item) => item.regNum === regNum));
      if (skip + AT_ONCE >= Number(page.totalcount)) break;
    }
  }
  return found;
}

/** Merges the fetched items into the contract's products. Items match products by code and sum. */
function matched(products, found) {
  const left = [...found];
  return products.map((product) => {
    const at = left.findIndex(({ code, sum }) => code === product.code && sum === product.sum);
    return at < 0 ? product : { ...product, ...left.splice(at, 1)[0] };
  });
}

/** The columns of the items table. Those in `ALWAYS` are shown even if they are empty. */
const COLUMNS = ["name", "quantity", "price", "sum"];
const ALWAYS = ["name", "sum"];
const NUMBERS = ["quantity", "price", "sum"];

function itemTable(rows) {
  const isThere = (name) => ALWAYS.includes(name) || rows.some((row) => hasValue(row[name]));
  const columns = COLUMNS.filter(isThere);
  const kind = (name) => (NUMBERS.includes(name) ? "number" : null);
  // Documents of 2023 and later give only the code of the unit.
  const unit = (row) => hasValue(row.okei ?? row.okeiName) &&
    h("span", { class: "aside line", title: row.okei }, hasValue(row.okeiName) ? row.okeiName : unitName(row));
  const cells = {
    name: (row) => [
      hasValue(row.name) && h("span", { class: "prose line", lang: "ru" }, row.name),
      hasValue(row.code) ? codeLink(row.code) : !hasValue(row.name) && "—",
    ],
    quantity: (row) => (hasValue(row.quantity) ? [decimal(row.quantity), unit(row)] : unit(row) || "—"),
    price: (row) => (hasValue(row.price) ? amount(row.price) : "—"),
    sum: (row) => (hasValue(row.sum) ? amount(row.sum) : "—"),
  };
  const label = (name) => t(`items.column.${name}`);
  return h("table", { class: "small items", "aria-label": t("contracts.products") },
    h("thead", {}, h("tr", {}, columns.map((name) => h("th", { scope: "col", class: kind(name) }, label(name))))),
    h("tbody", {}, rows.map((row) => h("tr", {}, columns.map((name) =>
      h("td", { class: kind(name), "data-label": label(name) }, h("div", {}, cells[name](row))))))));
}

/**
 * Renders an item's code. A code that looks like OKPD2 or KTRU links to the prices of items with
 * that code.
 */
const codeLink = (code) => {
  const isCode = /^\d\d\.\d/.test(code);
  const href = isCode ? hashOf("search", "", { tab: "prices", code }) : null;
  return h("span", { class: "aside" }, `${fieldName(/-\d/.test(code) ? "KTRU" : "OKPD2")} `,
    h(href ? "a" : "span", { class: "code", href, title: href && t("items.prices") }, code));
};

// The purchases under 223-FZ and PP-615 that a supplier won, as their cards tell it.

import { getJson, Trouble } from "./client.js";
import { day } from "./days.js";
import { h, swap, toast } from "./dom.js";
import { downloadBar } from "./downloads.js";
import { count } from "./figures.js";
import { nameElement } from "./names.js";
import { amount } from "./record.js";
import { hashOf, isInn, lawOf, requestUrl } from "./routes.js";
import { fieldName, lawName, t, troubleWords } from "./texts.js";

/** How many purchases are asked for at once. */
const AT_ONCE = 50;
const COLUMNS = ["regNum", "date", "purchaseObjectInfo", "customerName", "price"];

const wonUrl = (inn, format, part = {}) =>
  requestUrl("/purchase/won-by-supplier", { supplierINN: inn, format, ...part });

/**
 * Fills `section` with the newest of the purchases that a supplier won, and a button for more;
 * gives how many there are.
 */
export async function showWon(section, inn, signal) {
  const ask = (skip) => getJson(wonUrl(inn, "json", { skip: String(skip), limit: String(AT_ONCE) }), signal);
  const page = await ask(0);
  const total = Number(page.totalcount);
  const heading = h("h2", { class: "unseen" }, t("tab.purchases"));
  if (total === 0) {
    swap(section, heading, h("p", { class: "panel empty" }, t("won.none")));
    return total;
  }
  const body = h("tbody", {});
  const below = h("div");
  const add = (purchases) => {
    const rows = purchases.map(purchaseRow);
    body.append(...rows);
    // A page without rows is past the end: the data has fewer purchases by now.
    const rest = rows.length && total - body.children.length;
    swap(below, rest > 0 && moreButton(rest, more));
    return rows;
  };
  const more = async (button) => {
    button.disabled = true;
    try {
      const [first] = add((await ask(body.children.length)).purchases);
      first?.querySelector("a").focus();
    } catch (trouble) {
      if (trouble.name === "AbortError") return;
      if (!(trouble instanceof Trouble)) throw trouble;
      button.disabled = false;
      toast(troubleWords(trouble));
    }
  };
  swap(section,
    heading,
    h("div", { class: "part-head" },
      h("p", { class: "aside" }, t("won.lead")),
      downloadBar({ urls: (format) => [wonUrl(inn, format)] })),
    h("table", { class: "cards" },
      h("caption", { class: "unseen" }, t("tab.purchases")),
      h("thead", {}, h("tr", {}, COLUMNS.map(headCell))),
      body),
    below);
  add(page.purchases);
  return total;
}

const kind = (name) => (name === "price" ? "number" : null);

const headCell = (name) =>
  h("th", { scope: "col", class: kind(name) }, fieldName(`column.${name}`));

function purchaseRow({ purchaseNumber, subject, date, price, customerInn, customerName }) {
  const law = lawOf(purchaseNumber);
  const cells = {
    regNum: [
      h("a", { class: "code", href: hashOf("purchase", purchaseNumber) }, purchaseNumber),
      h("span", { class: "regNum" }, lawName(law)),
    ],
    date: day(date) || t("noDate"),
    purchaseObjectInfo: h("span", { class: "name", lang: "ru" }, subject || "—"),
    customerName: [
      nameElement(customerName || customerInn || "—", {
        class: "name", href: isInn(customerInn) && hashOf("customer", customerInn),
      }),
      customerInn && h("span", { class: "aside inn" }, `${t("inn")} ${customerInn}`),
    ],
    price: price === null ? "—" : amount(price),
  };
  return h("tr", { class: "won" }, COLUMNS.map((name) =>
    h("td", { class: kind(name), "data-label": fieldName(`column.${name}`) },
      h("div", {}, cells[name]))));
}

const moreButton = (rest, more) =>
  h("button", { type: "button", "data-stay": "more-won", on: { click: (event) => more(event.currentTarget) } },
    t("batch.more", { n: count(rest) }));

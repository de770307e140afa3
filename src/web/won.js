// Purchases under 223-FZ and Decree 615 that name the supplier as a winner.

import { getJson } from "./client.js";
import { day } from "./days.js";
import { h } from "./dom.js";
import { AT_ONCE, longTable } from "./long-table.js";
import { nameElement } from "./names.js";
import { amount } from "./record.js";
import { hashOf, isInn, lawOf, requestUrl } from "./routes.js";
import { lawName, t } from "./texts.js";

const COLUMNS = ["regNum", "date", "purchaseObjectInfo", "customerName", "price"];

const wonUrl = (inn, format, part = {}) =>
  requestUrl("/purchase/won-by-supplier", { supplierINN: inn, format, ...part });

/**
 * Fills `section` with the newest purchases that a supplier won and a button that loads more.
 * Returns the total number of purchases.
 */
export const showWon = (section, inn, signal) =>
  longTable(section, {
    title: t("tab.purchases"),
    lead: h("p", { class: "aside" }, t("won.lead")),
    none: h("p", { class: "panel empty" }, t("won.none")),
    columns: COLUMNS,
    kind: "won",
    ask: async (skip) => {
      const url = wonUrl(inn, "json", { skip: String(skip), limit: String(AT_ONCE) });
      const { totalcount, purchases } = await getJson(url, signal);
      return { total: Number(totalcount), rows: purchases };
    },
    cells: purchaseCells,
    urls: (format) => [wonUrl(inn, format)],
  });

export const purchaseLink = (number) => [
  h("a", { class: "code", href: hashOf("purchase", number) }, number),
  h("span", { class: "regNum" }, lawName(lawOf(number))),
];

const purchaseCells = ({ purchaseNumber, subject, date, price, customerInn, customerName }) => ({
  regNum: purchaseLink(purchaseNumber),
  date: day(date) || t("noDate"),
  purchaseObjectInfo: h("span", { class: "name", lang: "ru" }, subject || "—"),
  customerName: [
    nameElement(customerName || customerInn || "—", {
      class: "name", href: isInn(customerInn) && hashOf("customer", customerInn),
    }),
    customerInn && h("span", { class: "aside inn" }, `${t("inn")} ${customerInn}`),
  ],
  price: price === null ? "—" : amount(price),
});

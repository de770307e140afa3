// A customer's purchases under all three laws, with their winners.

import { getJson } from "./client.js";
import { day } from "./days.js";
import { h } from "./dom.js";
import { AT_ONCE, longTable } from "./long-table.js";
import { nameElement } from "./names.js";
import { amount } from "./record.js";
import { hashOf, isInn, requestUrl } from "./routes.js";
import { t, word } from "./texts.js";
import { fillMarks, markPlace } from "./verdict-marks.js";
import { purchaseLink } from "./won.js";

const COLUMNS = ["regNum", "published", "purchaseObjectInfo", "stage", "price", "winnerName", "winnerPrice"];

const purchasesUrl = (inn, format, part = {}) =>
  requestUrl("/purchase/search", { customerInn: inn, format, ...part });

/**
 * Fills `section` with a customer's newest purchases and a button that loads more. Returns the
 * total number of purchases.
 */
export const showPurchases = (section, inn, signal) =>
  longTable(section, {
    title: t("tab.purchases.ofCustomer"),
    lead: h("p", { class: "aside" }, t("customer.purchases.lead"), " ",
      h("a", { href: hashOf("search", "", { tab: "purchases", customer: inn }) }, t("customer.purchases.search"))),
    none: h("p", { class: "panel empty" }, t("customer.purchases.none")),
    columns: COLUMNS,
    kind: "bought",
    ask: async (skip) => {
      const url = purchasesUrl(inn, "json", { skip: String(skip), limit: String(AT_ONCE) });
      const { totalcount, purchases } = await getJson(url, signal);
      return { total: Number(totalcount), rows: purchases };
    },
    cells: purchaseCells,
    urls: (format) => [purchasesUrl(inn, format)],
    done: (place) => fillMarks(place, signal),
  });

const purchaseCells = ({ number, published, subject, stage, price, winnerINN, winnerName, winnerPrice }) => ({
  regNum: purchaseLink(number),
  published: day(published) || t("noDate"),
  purchaseObjectInfo: h("span", { class: "name", lang: "ru" }, subject || "—"),
  stage: stage ? word("stage", stage) ?? stage : "—",
  price: price === null ? "—" : amount(price),
  winnerName: winnerName || winnerINN
    ? [nameElement(winnerName || winnerINN, { class: "name", href: isInn(winnerINN) && hashOf("supplier", winnerINN) }),
      markPlace(winnerINN, "unusual")]
    : "—",
  winnerPrice: winnerPrice === null ? "—" : amount(winnerPrice),
});

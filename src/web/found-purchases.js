// The purchases tab of the search, under all three laws: rows of two lines that link to the
// purchase.

import { getJson } from "./client.js";
import { PURCHASE_SORTS, searchUrl } from "./conditions.js";
import { day, dottedDay, todayInMoscow } from "./days.js";
import { announce, h, swap } from "./dom.js";
import { resultBar, rowsWithHead, subjectRow, turned, wordsOf } from "./found.js";
import { plural, roubles } from "./figures.js";
import { nameElement } from "./names.js";
import { hashOf, isInn, lawOf } from "./routes.js";
import { forms, lawName, t } from "./texts.js";

/** Shows the purchases in `section`; see `SHOWN_BY` in `search.js`. */
export async function showPurchases(section, conditions, { signal, place }) {
  const { page, size, sort } = conditions;
  const paging = { skip: String((page - 1) * size), limit: String(size), sort: sort === PURCHASE_SORTS[0] ? "" : sort };
  const found = await getJson(searchUrl("purchases", conditions, "json", paging), signal);
  signal.throwIfAborted();
  const total = Number(found.totalcount);
  const number = total > 0 ? plural(total, forms("search.purchases")) : t("search.none.purchases");
  const answer = { total, title: wordsOf(conditions, number) };
  if (total === 0) return answer;
  announce(answer.title);
  turned(section, () => swap(section,
    h("h2", { class: "unseen", tabindex: "-1" }, t("search.tab.purchases")),
    resultBar("purchases", conditions, { total, sorts: PURCHASE_SORTS }),
    rowsWithHead("purchases", found.purchases.map((one) => purchaseRow(one, place)), { conditions, total }),
  ));
  return answer;
}

function purchaseRow(purchase, place) {
  const { number, subject, customerINN, customerName, winnerINN, winnerName, price, placingWay } = purchase;
  const party = (name, inn, view) =>
    nameElement(name || inn || "—", { class: "quiet", href: isInn(inn) ? hashOf(view, inn) : null });
  const law = lawOf(number);
  // Procedure names under Decree 615 already contain the law.
  const way = [placingWay?.includes(law) ? "" : lawName(law), placingWay].filter(Boolean).join(", ");
  return subjectRow({
    key: number, subject, place, href: hashOf("purchase", number),
    who: [
      party(customerName, customerINN, "customer"),
      (winnerName || winnerINN) && [h("span", { class: "to" }, " → "), party(winnerName, winnerINN, "supplier")],
    ],
    state: [submission(purchase), h("span", { class: "aside way", title: way }, way)],
    date: day(purchase.published) || t("noDate"),
    price: price === null ? "—" : roubles(price),
  });
}

/** Describes the deadline: until when bids are accepted, or when submission closed. */
function submission({ closes, stage }) {
  const [, date, month, year] = /^(\d\d)\.(\d\d)\.(\d{4})/.exec(closes ?? "") ?? [];
  if (!year) return stage ? h("span", { class: "stage" }, stage) : null;
  const isOpen = `${year}-${month}-${date}` >= todayInMoscow();
  const words = t(isOpen ? "search.closes" : "search.closed", { day: dottedDay(closes) });
  return h("span", { class: isOpen ? "stage E" : "stage" }, words);
}

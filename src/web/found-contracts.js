// The contracts tab of the search: rows of two lines, with risk facts as filters. The suppliers'
// registry verdicts are fetched once the rows are shown.

import { getJson, RequestError } from "./client.js";
import { searchUrl, summaryUrl, withConditions } from "./conditions.js";
import { contractDetails } from "./contract-details.js";
import { stateBadge } from "./contract-table.js";
import { day } from "./days.js";
import { announce, h, icon, swap } from "./dom.js";
import { resultBar, rowsWithHead, subjectRow, turned, wordsOf } from "./found.js";
import { count, plural, roubles, briefRoubles } from "./figures.js";
import { lacking } from "./ground.js";
import { nameElement } from "./names.js";
import { factMark, factsName, factsOf } from "./risk.js";
import { hashOf, isInn, requestUrl } from "./routes.js";
import { forms, t } from "./texts.js";

/** Verdicts that get a mark in the list. */
const MARKED = ["listed", "previously-listed"];
const SORTS = ["-signDate", "signDate", "-contractPrice", "contractPrice"];

/** Shows the contracts in `section`; see `SHOWN_BY` in `search.js`. */
export async function showContracts(section, conditions, { signal, place }) {
  const { page, size, sort } = conditions;
  const paging = { skip: String((page - 1) * size), limit: String(size), sort: sort === SORTS[0] ? "" : sort };
  const [found, sums] = await Promise.all([
    getJson(searchUrl("contracts", conditions, "json", paging), signal),
    getJson(summaryUrl(conditions, "json", 1), signal),
  ]);
  // A cached response is returned even if the request was aborted.
  signal.throwIfAborted();
  const total = Number(found.totalcount);
  const answer = { total, ...answerWords(conditions, total, sums) };
  if (total === 0) return answer;
  announce(answer.title);
  const rows = found.contracts.map((contract) => contractRow(contract, place));
  turned(section, () => swap(section,
    h("h2", { class: "unseen", tabindex: "-1" }, t("search.tab.contracts")),
    resultBar("contracts", conditions, { total, sorts: SORTS, left: factFilters(conditions, sums) }),
    rowsWithHead("contracts", rows.map(({ element }) => element), { conditions, total }),
  ));
  markSuppliers(section, found.contracts, rows, signal);
  return answer;
}

/**
 * Describes the result: the number and total value of contracts, then how many customers and
 * suppliers.
 */
function answerWords(conditions, total, sums) {
  if (total === 0) return { title: wordsOf(conditions, t("search.none.contracts")), about: [] };
  const number = plural(Number(sums.totalcount), forms("find.contracts"));
  const { annulledCount, annulledSum } = sums;
  return {
    title: wordsOf(conditions, t("search.for", { number, sum: briefRoubles(sums.totalSum) })),
    about: [
      plural(Number(sums.customersCount), forms("supplier.customers")),
      plural(Number(sums.suppliersCount), forms("search.suppliers")),
      Number(annulledCount) > 0 &&
        plural(Number(annulledCount), forms("overview.annulled")).replace("{sum}", briefRoubles(annulledSum)),
      // A contract with several suppliers has one row per supplier, but is counted once in the
      // totals.
      total > Number(sums.totalcount) && t("search.rows", { n: count(total) }),
    ].filter(Boolean),
  };
}

/**
 * The risk facts with their counts. Each is a link that adds the fact as a filter, or removes it if
 * it is set.
 */
function factFilters({ fact: chosen }, { facts }) {
  if (facts.length === 0) return null;
  return h("p", { class: "risk" }, h("span", {}, `${t("facts.title")}:`), facts.map(({ fact, count: number, sum }) => {
    const isChosen = chosen.includes(fact);
    const then = isChosen ? chosen.filter((one) => one !== fact) : [...chosen, fact];
    return h("a", {
      href: withConditions({ fact: then }), "data-stay": `fact-${fact}`, title: roubles(sum),
      "aria-current": isChosen && "true",
    }, factsName(fact), " ", h("b", {}, count(number)));
  }));
}

/**
 * Renders a contract as `{element, setCheck}`. `setCheck` receives the supplier's registry check and marks
 * the row.
 */
function contractRow(contract, place) {
  const { regNum, supplierINN, supplierName, customerInn, customerName } = contract;
  const supplier = h("span", { class: "tag-place" });
  const marks = h("span", { class: "marks" });
  const setCheck = (check) => {
    const { verdict } = check ?? {};
    supplier.replaceChildren(...(MARKED.includes(verdict)
      ? [h("span", { class: `tag ${verdict}` }, icon(verdict), t(`verdict.${verdict}.short`))]
      : []));
    marks.replaceChildren(...factsOf(contract, check).map(([fact, words]) => factMark(fact, words)));
  };
  setCheck(null);
  const party = (name, inn, view) =>
    nameElement(name || inn || "—", { class: "quiet", href: isInn(inn) ? hashOf(view, inn) : null });
  const element = subjectRow({
    key: `${regNum}-${supplierINN}`, subject: contract.purchaseObjectInfo, place,
    opens: t("contracts.open", { n: regNum }),
    who: [
      party(customerName, customerInn, "customer"), h("span", { class: "to" }, " → "),
      party(supplierName, supplierINN, "supplier"), " ", supplier,
    ],
    state: [stateBadge(contract, false), marks],
    date: day(contract.signDate) || t("noDate"),
    price: contract.contractPrice === null ? "—" : roubles(contract.contractPrice),
    details: () => contractDetails({ view: "search", inn: "" }, structuredClone(contract)),
  });
  return { element, setCheck };
}

/** Checks the suppliers on the page against the registry in one request and marks their rows. */
async function markSuppliers(section, contracts, rows, signal) {
  const inns = [...new Set(contracts.map(({ supplierINN }) => supplierINN).filter(isInn))];
  if (inns.length === 0) return;
  try {
    const url = requestUrl("/rnp/check-suppliers", { supplierINN: inns.join(","), format: "json", history: "1" });
    const { suppliers, registries } = await getJson(url, signal);
    signal.throwIfAborted();
    const checks = new Map(suppliers.map((check) => [check.supplierINN, check]));
    contracts.forEach(({ supplierINN }, at) => rows[at].setCheck(checks.get(supplierINN)));
    const lack = suppliers.some(({ verdict }) => verdict === "undetermined") && lacking(registries);
    if (lack) section.append(h("p", { class: "aside" }, t("search.marks.lack", { lack })));
  } catch (error) {
    if (error.name === "AbortError") return;
    if (!(error instanceof RequestError)) throw error;
    section.append(h("p", { class: "aside" }, t("search.marks.failed")));
  }
}

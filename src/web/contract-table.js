// The table of contracts. A click on a row opens the contract's details.

import { stageName } from "./code-words.js";
import { contractDetails } from "./contract-details.js";
import { day, todayInMoscow } from "./days.js";
import { h, icon } from "./dom.js";
import { SORTS, STAGES, withFilters } from "./filters.js";
import { isCompact } from "./density.js";
import { nameElement } from "./names.js";
import { keepOpen } from "./place.js";
import { amount, hasValue, isLong } from "./record.js";
import { factMark, factName, factsOf } from "./risk.js";
import { hashOf, isInn } from "./routes.js";
import { fieldName, t } from "./texts.js";
import { markPlace } from "./verdict-marks.js";

/** The columns of the table. `party` stands for the field in `PARTY`. */
const COLUMNS = ["signDate", "purchaseObjectInfo", "party", "contractPrice", "paid", "contractStage"];
const PARTY = { supplier: "customerName", customer: "supplierName" };
const NUMBERS = ["contractPrice", "paid"];

const columnsOf = ({ view }) => COLUMNS.map((name) => (name === "party" ? PARTY[view] : name));
/** Number of columns in a row. Compact rows leave out the paid amount. */
const spanOf = (isLow) => String(COLUMNS.length - (isLow ? 1 : 0));

/**
 * Renders the table. `open` has the numbers of contracts whose details are open, `listed` those of
 * contracts signed while the supplier was listed.
 */
export function contractTable(owner, filters, contracts, { caption, open, listed }) {
  const head = (name) => {
    const label = fieldName(`column.${name}`);
    const kind = NUMBERS.includes(name) ? "number" : "";
    const props = { scope: "col", class: `col-${name} ${kind}` };
    if (!SORTS.includes(name)) return h("th", props, label);
    const down = filters.sort === `-${name}`;
    const up = filters.sort === name;
    const href = withFilters(owner, { sort: down ? name : `-${name}`, page: "" });
    return h("th", { ...props, "aria-sort": down ? "descending" : up ? "ascending" : "none" },
      h("a", { class: "sorter", "data-stay": `sort-${name}`, href, title: t("contracts.sortBy") },
        label, h("span", { class: "arrow", "aria-hidden": "true" }, down ? "↓" : up ? "↑" : "↕")));
  };
  return h("table", { class: `cards contract-table ${isCompact() ? "compact" : ""}` },
    h("caption", { class: "unseen" }, caption),
    h("thead", {}, h("tr", {}, columnsOf(owner).map(head))),
    h("tbody", {}, contracts.flatMap((contract, at) =>
      contractRows(owner, filters, contract, { at, open, isListed: listed.has(contract.regNum) }))));
}

/** Switches a table between compact and normal rows. */
export function setDensity(table, isLow) {
  table.classList.toggle("compact", isLow);
  for (const cell of table.querySelectorAll(".more > td")) cell.colSpan = Number(spanOf(isLow));
}

/**
 * Renders a contract's status; while the contract is in execution, with its end date, which may be
 * overdue.
 */
export function stateBadge({ contractStage: stage, endDate }, isOverdue) {
  const isLate = isOverdue || (stage === "E" && endDate && endDate < todayInMoscow());
  const dated = stage === "E" && endDate && t(isLate ? "stage.overdue" : "stage.until", { day: day(endDate) });
  const words = dated || (isLate ? factName("overdue") : stageName(stage));
  return h("span", { class: `stage ${isLate ? "late" : STAGES.includes(stage) ? stage : ""}` }, words);
}

function contractRows(owner, filters, contract, { at, open, isListed }) {
  const { regNum } = contract;
  const id = `contract-${at}`;
  const more = h("tr", { class: "more", id, hidden: true });
  const opener = h("button", {
    type: "button", class: "opener", "aria-expanded": "false", "aria-controls": id, "data-stay": `row-${regNum}`,
  }, icon("open"), h("span", {}, day(contract.signDate) || t("noDate")),
  h("span", { class: "unseen" }, ` ${t("contracts.open", { n: regNum })}`));
  const toggle = () => {
    if (!more.firstChild) {
      const details = contractDetails(owner, structuredClone(contract));
      more.append(h("td", { colspan: spanOf(isCompact()) }, details));
    }
    more.hidden = !more.hidden;
    opener.setAttribute("aria-expanded", String(!more.hidden));
    return !more.hidden;
  };
  if (open.includes(regNum)) toggle();
  // Selecting text in a row must not open the row.
  const press = ({ target }) => {
    const isOther = target.closest("a, button, input, label") && !target.closest(".opener");
    if (!isOther && document.getSelection().isCollapsed) keepOpen(regNum, toggle());
  };
  const cells = cellsOf(owner, filters, contract, { opener, isListed });
  return [
    h("tr", { class: "contract", on: { click: press } }, columnsOf(owner).map((name) =>
      h("td", { class: `${name} ${NUMBERS.includes(name) ? "number" : ""}`, "data-label": fieldName(`column.${name}`) },
        cells[name]()))),
    more,
  ];
}

/** Returns functions that render the cells of a contract, by column. */
function cellsOf(owner, filters, contract, { opener, isListed }) {
  const { regNum, supplierName, supplierINN, customerName, customerInn, purchaseObjectInfo } = contract;
  const party = (name, inn, href, mark) => {
    const named = nameElement(name || inn || "—", { class: "name", href });
    // Compact rows may truncate the name, so the tooltip has all of it.
    named.title ||= named.textContent;
    return [h("span", { class: "party" }, named, mark), inn && h("span", { class: "aside inn" }, `${t("inn")} ${inn}`)];
  };
  const isOverdue = filters.fact === "overdue";
  return {
    signDate: () => [opener, h("span", { class: `regNum ${isLong(regNum) ? "" : "whole"}` }, regNum)],
    purchaseObjectInfo: () =>
      h("span", { class: "name", lang: "ru", title: purchaseObjectInfo || null }, purchaseObjectInfo || "—"),
    supplierName: () => party(supplierName, supplierINN,
      isInn(supplierINN) && hashOf("supplier", supplierINN, { contract: regNum }), markPlace(supplierINN, "unusual")),
    customerName: () => party(customerName, customerInn, isInn(customerInn) && hashOf("customer", customerInn)),
    contractPrice: () => (contract.contractPrice === null ? "—" : amount(contract.contractPrice)),
    paid: () => (hasValue(contract.paid) ? amount(contract.paid.total) : "—"),
    contractStage: () => [
      stateBadge(contract, isOverdue),
      isListed && factMark("signedWhileListed", factName("signedWhileListed")),
      factsOf(contract).map(([fact, words]) => factMark(fact, words)),
    ],
  };
}


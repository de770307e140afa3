// Contracts as a table, a supplier's or a customer's: filtered, sorted and paged by the
// service, opened row by row to all that an answer says of a contract.

import { chips } from "./chips.js";
import { getJson } from "./client.js";
import { stageName } from "./code-words.js";
import { contractDetails } from "./contract-details.js";
import { day, dayAfter, todayInMoscow } from "./days.js";
import { announce, focusHeading, h, icon, swap } from "./dom.js";
import { downloadBar } from "./downloads.js";
import { fileName } from "./file-name.js";
import { count, plural, roughly } from "./figures.js";
import { filtersOf, isFiltered, pageUrl, SORTS, STAGES, withFilters } from "./filters.js";
import { nameElement } from "./names.js";
import { pager } from "./pager.js";
import { keepOpen } from "./place.js";
import { amount, hasValue, isLong, items } from "./record.js";
import { hashOf, isInn } from "./routes.js";
import { fieldName, forms, t } from "./texts.js";

/** How many rows a file has at most, and the formats of such files: all that was found, not a page of it. */
const MOST = 100_000;
const FILES = ["csv", "xlsx"];
const AT_ONCE = 200;
/** Among how many contracts, the newest, the one that an address names is looked for. */
export const LOOKED = 2000;
const COLUMNS = {
  supplier: ["signDate", "purchaseObjectInfo", "customerName", "contractPrice", "paid", "contractStage"],
  customer: ["supplierName", "signDate", "purchaseObjectInfo", "contractPrice", "paid", "contractStage"],
};
const NUMBERS = ["contractPrice", "paid"];

/**
 * Fills `section` with the contracts of `whose`, as often as `show` is called: with what there
 * is to choose from (see `chips`); `open`: the numbers of the contracts whose rows are open;
 * `sums`: `{found, all}`, how many contracts there are and their sum, where that is known. Gives
 * the page of contracts.
 */
export function contractsSection(section, whose) {
  const bar = h("div", { class: "filters" });
  const body = h("div", { class: "page-of-contracts" });
  const show = async (filters, { choices, open, sums = null, signal }) => {
    if (!bar.isConnected || !body.isConnected) {
      const heading = h("h2", { id: "contracts-title", class: "unseen", tabindex: "-1" }, t("contracts.title"));
      section.replaceChildren(heading, bar, body);
    }
    const skip = (filters.page - 1) * filters.size;
    const page = await getJson(pageUrl(whose, filters, "json", skip, filters.size), signal);
    if (choices) {
      swap(bar, h("div", { class: "chips" }, chips(whose, filters, choices)), result(whose, filters, page, sums));
    } else bar.replaceChildren();
    /** @type {any} */
    const active = document.activeElement;
    const turned = body.querySelector(".pager")?.contains(active) && active.matches("a, [role=link]");
    swap(body, ...pageOf(whose, filters, page, skip, open));
    if (turned) {
      focusHeading(section);
      section.scrollIntoView();
    }
    return page;
  };
  return { show };
}

/**
 * How many of a supplier's contracts stand before the one with this number, newest first; null
 * where it was not found. It is looked for among the contracts with the customer whose INN
 * stands in the number (after its first digit), and then among the newest of all.
 */
export async function standsAt(inn, regNum, signal) {
  const ask = (filters, skip, limit = AT_ONCE) =>
    getJson(pageUrl({ view: "supplier", inn }, filtersOf(new URLSearchParams(filters)), "json", skip, limit), signal);
  const look = async (filters) => {
    for (let skip = 0; skip < LOOKED; skip += AT_ONCE) {
      const page = await ask(filters, skip);
      const contracts = items(page, "contracts");
      const at = contracts.findIndex((contract) => contract.regNum === regNum);
      if (at >= 0) return { at: skip + at, signDate: contracts[at].signDate };
      if (skip + AT_ONCE >= Number(page.totalcount)) return null;
    }
    return null;
  };
  const customer = /^\d(\d{10})\d{8}$/.exec(regNum)?.[1];
  const found = customer && (await look({ customer }));
  if (found?.signDate) {
    const [later, sameDay] = await Promise.all([
      ask({ signedFrom: dayAfter(found.signDate) }, 0, 0),
      ask({ signedFrom: found.signDate, signedTo: found.signDate }, 0),
    ]);
    const at = items(sameDay, "contracts").findIndex((contract) => contract.regNum === regNum);
    if (at >= 0) return Number(later.totalcount) + at;
  }
  return (await look({}))?.at ?? null;
}

/** How many contracts were found, their sum, and all of that to take along. */
function result(whose, filters, page, sums) {
  const found = Number(page.totalcount);
  const skip = (filters.page - 1) * filters.size;
  const isPart = sums && isFiltered(filters);
  const many = isPart
    ? t("contracts.of", { n: count(found), all: count(sums.all.count) })
    : plural(found, forms("find.contracts"));
  const sum = sums && found > 0 ? ` · ${roughly(sums.found.sum)}` : "";
  const files = (format) => pageUrl(whose, filters, format, "", "");
  const rows = found > MOST ? t("contracts.of", { n: count(MOST), all: count(found) }) : count(found);
  return h("div", { class: "result-of-filters" },
    h("p", { class: "tally" }, many, sum),
    found > 0 && downloadBar({
      urls: (format) => [FILES.includes(format) ? files(format) : pageUrl(whose, filters, format, skip, filters.size)],
      rows,
      name: fileName(files("csv"), found > MOST ? `${MOST}_of_${found}` : ""),
    }));
}

/** The end of a text's name where it is another for a customer. */
const ofCustomer = ({ view }) => (view === "customer" ? ".ofCustomer" : "");

function pageOf(whose, filters, page, skip, open) {
  const total = Number(page.totalcount);
  if (total === 0) {
    const none = t(isFiltered(filters) ? "contracts.noneFiltered" : `contracts.none${ofCustomer(whose)}`);
    announce(none);
    return [h("p", { class: "panel empty" }, none)];
  }
  const contracts = items(page, "contracts");
  const range = contracts.length
    ? t("contracts.range", { from: count(skip + 1), to: count(skip + contracts.length), all: count(total) })
    : t("contracts.past", { all: count(total) });
  announce(`${plural(total, forms("contracts.found"))}. ${range}`);
  const command = `procurement-lookup export --supplier ${whose.inn} --format csv --database FILE`;
  return [
    table(whose, filters, contracts, range, open),
    pager({ ...filters, pages: Math.ceil(total / filters.size), range }, (changes) => withFilters(whose, changes)),
    total > MOST && whose.view === "supplier" &&
      h("p", { class: "aside" }, t("contracts.export"), " ", h("code", {}, command)),
  ];
}

function table(whose, filters, contracts, range, open) {
  const head = (name) => {
    const label = fieldName(`column.${name}`);
    const kind = NUMBERS.includes(name) ? "number" : "";
    const props = { scope: "col", class: `col-${name} ${kind}` };
    if (!SORTS.includes(name)) return h("th", props, label);
    const down = filters.sort === `-${name}`;
    const up = filters.sort === name;
    const href = withFilters(whose, { sort: down ? name : `-${name}`, page: "" });
    return h("th", { ...props, "aria-sort": down ? "descending" : up ? "ascending" : "none" },
      h("a", { class: "sorter", "data-stay": `sort-${name}`, href, title: t("contracts.sortBy") },
        label, h("span", { class: "arrow", "aria-hidden": "true" }, down ? "↓" : up ? "↑" : "↕")));
  };
  return h("table", { class: "cards contract-table" },
    h("caption", { class: "unseen" }, t(`contracts.caption${ofCustomer(whose)}`), " ", range),
    h("thead", {}, h("tr", {}, COLUMNS[whose.view].map(head))),
    h("tbody", {},
      contracts.flatMap((contract, at) => contractRows(whose, filters, contract, at, open))),
  );
}

/** A contract's state with its day. */
export function stateBadge({ contractStage: stage, endDate }, isOverdue) {
  const isLate = isOverdue || (stage === "E" && endDate && endDate < todayInMoscow());
  const dated = stage === "E" && endDate && t(isLate ? "stage.overdue" : "stage.until", { day: day(endDate) });
  const words = dated || (isLate ? t("filter.overdue").toLowerCase() : stageName(stage));
  return h("span", { class: `stage ${isLate ? "late" : STAGES.includes(stage) ? stage : ""}` }, words);
}

function contractRows(whose, filters, contract, at, open) {
  const { regNum } = contract;
  const id = `contract-${at}`;
  const more = h("tr", { class: "more", id, hidden: true });
  const opener = h("button", {
    type: "button", class: "opener", "aria-expanded": "false", "aria-controls": id, "data-stay": `row-${regNum}`,
    on: { click: () => keepOpen(regNum, toggle()) },
  }, icon("open"), h("span", {}, day(contract.signDate) || t("noDate")),
    h("span", { class: "unseen" }, ` ${t("contracts.open", { n: regNum })}`));
  const toggle = () => {
    if (!more.firstChild) {
      const details = contractDetails(whose, structuredClone(contract));
      more.append(h("td", { colspan: COLUMNS[whose.view].length }, details));
    }
    more.hidden = !more.hidden;
    opener.setAttribute("aria-expanded", String(!more.hidden));
    return !more.hidden;
  };
  if (open.includes(regNum)) toggle();
  const party = (name, inn, href) => [
    nameElement(name || inn || "—", { class: "name", href }),
    inn && h("span", { class: "aside inn" }, `${t("inn")} ${inn}`),
  ];
  const { supplierName, supplierINN, customerName, customerInn } = contract;
  const cells = {
    supplierName: () =>
      party(supplierName, supplierINN, isInn(supplierINN) && hashOf("supplier", supplierINN, { contract: regNum })),
    signDate: () => [opener, h("span", { class: `regNum ${isLong(regNum) ? "" : "whole"}` }, regNum)],
    purchaseObjectInfo: () => h("span", { class: "name", lang: "ru" }, contract.purchaseObjectInfo || "—"),
    customerName: () => party(customerName, customerInn, isInn(customerInn) && hashOf("customer", customerInn)),
    contractPrice: () => (contract.contractPrice === null ? "—" : amount(contract.contractPrice)),
    contractStage: () => stateBadge(contract, filters.overdue),
    paid: () => (hasValue(contract.paid) ? amount(contract.paid.total) : "—"),
  };
  const cell = (name) =>
    h("td", {
      class: `${name} ${NUMBERS.includes(name) ? "number" : ""}`,
      "data-label": fieldName(`column.${name}`),
    }, cells[name]());
  return [h("tr", { class: "contract" }, COLUMNS[whose.view].map(cell)), more];
}

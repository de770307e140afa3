// Contracts as a table, a supplier's or a customer's: filtered, sorted and paged by the
// service, opened row by row to all that an answer says of a contract.

import { downloadBar } from "./downloads.js";
import { getJson, Trouble } from "./client.js";
import { day, dayAfter } from "./days.js";
import { announce, focusHeading, h, icon, swap } from "./dom.js";
import { count, isMore, plural } from "./figures.js";
import { amountOf, filtersOf, isCustomer, isFiltered, NONE, pageUrl, SIZES, SORTS, STAGES, withFilters } from "./filters.js";
import { keepOpen } from "./place.js";
import { amount, facts, hasValue, isLong, items, link, part, shown, take } from "./record.js";
import { hashOf, isInn, lawOf, officialUrl, purchaseUrl } from "./routes.js";
import { sources } from "./sources.js";
import { fieldName, forms, stageName, t } from "./texts.js";

/** How many contracts are fetched to be saved together. */
const MOST = 10_000;
const AT_ONCE = 200;
/** Among how many contracts, the newest, the one that an address names is looked for. */
export const LOOKED = 2000;
/** The columns, and which of them stand below another one's value. */
const COLUMNS = {
  supplier: ["signDate", "purchaseObjectInfo", "customerName", "contractPrice", "contractStage", "paid"],
  customer: ["supplierName", "signDate", "purchaseObjectInfo", "contractPrice", "contractStage", "paid"],
};
const BELOW = { signDate: "regNum", contractStage: "endDate" };
const NUMBERS = ["contractPrice", "paid"];
const FLAGS = { terminationBoth: "both", terminationSupplier: "supplier", terminationCostomer: "customer", terminationJudge: "judge", terminationCourt: "unknown" };

/**
 * Fills `section` with the contracts of `whose`, as often as `show` is called. `choices`: the
 * `years` and, for a supplier, the `customers` that there are to choose from, as `[value, words]`;
 * `open`: the numbers of the contracts whose rows are open. Gives the page of contracts.
 */
export function contractsSection(section, whose) {
  const form = h("div", { class: "filters" });
  const body = h("div", { class: "page-of-contracts" });
  const show = async (filters, choices, open, signal) => {
    if (!form.isConnected || !body.isConnected) {
      section.replaceChildren(h("h2", { id: "contracts-title", tabindex: "-1" }, t("contracts.title")), form, body);
    }
    if (choices) swap(form, ...filterFields(whose, filters, choices));
    else form.replaceChildren();
    const skip = (filters.page - 1) * filters.size;
    const page = await getJson(pageUrl(whose, filters, "json", skip, filters.size), signal);
    const turned = body.querySelector(".pager")?.contains(document.activeElement) && document.activeElement.matches("a, [role=link]");
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

function filterFields(whose, filters, { years, customers }) {
  const go = (changes) => (location.hash = withFilters(whose, { page: "", ...changes }));
  const select = (name, label, options, value, change) =>
    h("label", { class: "field" }, h("span", {}, label),
      h("select", { "data-stay": name, name, on: { change: (event) => change(event.currentTarget.value) } },
        options.map(([key, words]) => h("option", { value: key, selected: key === value }, words))));
  const stages = new Set(filters.stage.split(",").filter(Boolean));
  const stageBox = (stage) =>
    h("label", { class: stages.has(stage) ? "chip chosen" : "chip" },
      h("input", {
        type: "checkbox", value: stage, name: "stage", "data-stay": `stage-${stage}`, checked: stages.has(stage),
        on: { change: (event) => {
          if (event.currentTarget.checked) stages.add(stage);
          else stages.delete(stage);
          go({ stage: STAGES.filter((one) => stages.has(one)).join(",") });
        } },
      }),
      h("span", {}, stageName(stage)));
  const days = filters.signedFrom || filters.signedTo;
  return [
    h("fieldset", {}, h("legend", {}, t("filter.stage")), STAGES.map(stageBox)),
    select("year", t("filter.year"), [["", t(days ? "filter.days" : "filter.anyYear")], ...years], days ? "" : filters.year, (year) => go({ year, signedFrom: "", signedTo: "" })),
    customers && select("customer", t("filter.customer"), [["", t("filter.anyCustomer")], ...customers], filters.customer, (customer) => go({ customer })),
    select("sort", t("filter.sort"), SORTS.map((sort) => [sort, t(`sort.${sort}`)]), filters.sort, (sort) => go({ sort })),
    boundFields(filters, go),
    isFiltered(filters) && h("a", { class: "reset", "data-stay": "reset", href: withFilters(whose, { ...NONE, page: "" }) }, t("filter.reset")),
  ];
}

/** What the price and the day of signing lie between: open where any bound is set. */
function boundFields(filters, go) {
  const said = h("p", { class: "said", id: "bounds-said", role: "alert", hidden: true });
  const field = (name, props) =>
    h("label", { class: "field" }, h("span", {}, t(`filter.${name}`)),
      h("input", { name, value: filters[name].replace(".", ","), "data-stay": name, "aria-describedby": "bounds-said", autocomplete: "off", ...props }));
  const price = (name) => field(name, { inputmode: "decimal", placeholder: "₽", size: "14", maxlength: "40" });
  const date = (name) => field(name, { type: "date", value: filters[name], min: "1990-01-01", max: "2100-12-31" });
  const form = h("form", { class: "bounds", novalidate: true }, price("priceFrom"), price("priceTo"), date("signedFrom"), date("signedTo"), h("button", {}, t("filter.apply")), said);
  const wrong = (name, text) => {
    said.textContent = text;
    said.hidden = false;
    form.elements[name].setAttribute("aria-invalid", "true");
    form.elements[name].focus();
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    for (const one of form.querySelectorAll("input")) one.removeAttribute("aria-invalid");
    said.hidden = true;
    const values = {};
    for (const name of ["priceFrom", "priceTo"]) {
      values[name] = amountOf(form.elements[name].value);
      if (values[name] === null) return wrong(name, t("filter.badPrice"));
    }
    for (const name of ["signedFrom", "signedTo"]) {
      values[name] = form.elements[name].value;
      if (!form.elements[name].validity.valid) return wrong(name, t("filter.badDay"));
    }
    if (values.priceFrom && values.priceTo && isMore(values.priceFrom, values.priceTo)) return wrong("priceTo", t("filter.priceOrder"));
    if (values.signedFrom && values.signedTo && values.signedFrom > values.signedTo) return wrong("signedTo", t("filter.dayOrder"));
    return go({ ...values, ...((values.signedFrom || values.signedTo) && { year: "" }) });
  });
  const isSet = ["priceFrom", "priceTo", "signedFrom", "signedTo"].some((name) => filters[name]);
  return h("details", { class: "more-filters", open: isSet }, h("summary", { "data-stay": "bounds" }, t("filter.bounds")), form);
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
  const pages = Math.ceil(total / filters.size);
  const range = contracts.length
    ? t("contracts.range", { from: count(skip + 1), to: count(skip + contracts.length), all: count(total) })
    : t("contracts.past", { all: count(total) });
  announce(`${plural(total, forms("contracts.found"))}. ${range}`);
  const urls = (format) => [pageUrl(whose, filters, format, skip, filters.size)];
  const whole = total > contracts.length && total <= MOST && {
    label: t("contracts.whole", { n: count(total) }),
    urls: () => Array.from({ length: Math.ceil(total / AT_ONCE) }, (_, at) => pageUrl(whose, filters, "csv", at * AT_ONCE, AT_ONCE)),
  };
  return [
    h("p", { class: "range" }, range),
    table(whose, filters, contracts, range, open),
    pager(whose, filters, pages),
    downloadBar({ urls, whole }),
    total > MOST && whose.view === "supplier" && h("p", { class: "aside" }, t("contracts.export"), " ", h("code", {}, `procurement-lookup export --supplier ${whose.inn} --format csv --database FILE`)),
  ];
}

function table(whose, filters, contracts, range, open) {
  const head = (name) => {
    const label = fieldName(`column.${name}`);
    const below = BELOW[name] && h("span", { class: "below" }, fieldName(`column.${BELOW[name]}`));
    const props = { role: "columnheader", scope: "col", class: `col-${name} ${NUMBERS.includes(name) ? "number" : ""} ${below ? "two" : ""}` };
    if (!SORTS.includes(name)) return h("th", props, label, below);
    const down = filters.sort === `-${name}`;
    const up = filters.sort === name;
    return h("th", { ...props, "aria-sort": down ? "descending" : up ? "ascending" : "none" },
      h("a", { class: "sorter", "data-stay": `sort-${name}`, href: withFilters(whose, { sort: down ? name : `-${name}`, page: "" }), title: t("contracts.sortBy") },
        label, h("span", { class: "arrow", "aria-hidden": "true" }, down ? "▼" : up ? "▲" : "↕")), below);
  };
  return h("table", { class: "cards contract-table", role: "table" },
    h("caption", { class: "unseen" }, t(`contracts.caption${ofCustomer(whose)}`), " ", range),
    h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, COLUMNS[whose.view].map(head))),
    h("tbody", { role: "rowgroup" }, contracts.flatMap((contract, at) => contractRows(whose, contract, at, open))),
  );
}

function contractRows(whose, contract, at, open) {
  const { regNum } = contract;
  const id = `contract-${at}`;
  const more = h("tr", { role: "row", class: "more", id, hidden: true });
  const opener = h("button", { type: "button", class: "opener", "aria-expanded": "false", "aria-controls": id, "data-stay": `row-${regNum}`, on: { click: () => keepOpen(regNum, toggle()) } },
    icon("open"), h("span", {}, day(contract.signDate) || t("noDate")), h("span", { class: "unseen" }, ` ${t("contracts.open", { n: regNum })}`));
  const toggle = () => {
    if (!more.firstChild) more.append(h("td", { role: "cell", colspan: COLUMNS[whose.view].length }, details(whose, structuredClone(contract))));
    more.hidden = !more.hidden;
    opener.setAttribute("aria-expanded", String(!more.hidden));
    return !more.hidden;
  };
  if (open.includes(regNum)) toggle();
  const stage = contract.contractStage;
  const party = (name, inn, address) => [
    address ? h("a", { class: "name", lang: "ru", href: address }, name || inn) : h("span", { class: "name", lang: "ru" }, name),
    inn && h("span", { class: "aside code" }, `${t("inn")} ${inn}`),
  ];
  const cells = {
    supplierName: () => party(contract.supplierName, contract.supplierINN, isInn(contract.supplierINN) && hashOf("supplier", contract.supplierINN, { contract: regNum })),
    signDate: () => [opener, h("span", { class: `regNum code ${isLong(regNum) ? "" : "whole"}` }, regNum)],
    purchaseObjectInfo: () => h("span", { class: "name", lang: "ru" }, contract.purchaseObjectInfo || "—"),
    customerName: () => party(contract.customerName, contract.customerInn, isInn(contract.customerInn) && hashOf("customer", contract.customerInn)),
    contractPrice: () => (contract.contractPrice === null ? "—" : amount(contract.contractPrice)),
    contractStage: () => [
      h("span", { class: `stage ${STAGES.includes(stage) ? stage : ""}` }, stageName(stage)),
      contract.endDate && h("span", { class: "aside below" }, t("contracts.until", { day: day(contract.endDate) })),
    ],
    paid: () => (hasValue(contract.paid) ? amount(contract.paid.total) : "—"),
  };
  return [
    h("tr", { role: "row", class: "contract" }, COLUMNS[whose.view].map((name) =>
      h("td", { role: "cell", class: `${name} ${NUMBERS.includes(name) ? "number" : ""}`, "data-label": fieldName(`column.${name}`) }, cells[name]()))),
    more,
  ];
}

/** The place of a purchase's notice: a link to its view if it is there, else to the official page. */
function noticeLink(number) {
  const place = h("span", { class: "notice-link", role: "status" }, t("loading"));
  const there = () => place.replaceChildren(h("a", { href: hashOf("purchase", number) }, t("contracts.purchase")));
  getJson(purchaseUrl(number, "json")).then(there, (trouble) => {
    if (!(trouble instanceof Trouble) || trouble.kind !== "notFound") return there();
    return place.replaceChildren(t("contracts.noNotice"), " ", link(officialUrl(number), t("purchase.official")));
  });
  return place;
}

/** All of a contract. */
function details(whose, contract) {
  const { regNum, purchaseNumber, customerInn } = contract;
  const grounds = Object.entries(FLAGS).filter(([name]) => take(contract, name) === true).map(([, words]) => t(`ground.${words}`));
  const products = items(contract, "products");
  const claims = items(contract, "bankGuaranteePayments");
  delete contract.products;
  delete contract.bankGuaranteePayments;
  return h("div", { class: "details" },
    h("p", { class: "actions" },
      lawOf(purchaseNumber ?? "") && noticeLink(purchaseNumber),
      whose.view === "supplier" && isCustomer(customerInn) && h("a", { href: withFilters(whose, { customer: customerInn, page: "" }) }, t("contracts.onlyCustomer"))),
    h("p", { class: grounds.length ? "ground" : "aside" }, grounds.length ? `${t("contracts.terminated")} ${grounds.join("; ")}` : t("contracts.notTerminated")),
    part(t("contracts.about"), facts(contract, ["supplierName", "supplierINN", "regNum", "contractStage", "purchaseObjectInfo", "purchaseNumber", "purchaseCode", "customerName", "customerInn"], { only: true })),
    part(t("contracts.money"), facts(contract, [
      "contractPrice", "notificationPrice", "fulfilmentSum", "paid", "advanceInPercents", "penaltiesTotal", "penaltiesPayments",
      "purchaseContractGuarantee", "contractGuarantee", "budgetName"], { only: true })),
    part(t("contracts.time"), facts(contract, ["signDate", "endDate", "deliveryTerm", "updateDate", "ContractStages"], { only: true })),
    part(t("contracts.more"), facts(contract)),
    part(t("contracts.products"), products.length && listing(t("contracts.products"), ["code", "sum"], products)),
    part(t("contracts.claims"), claims.length && listing(t("contracts.claims"), ["paymentAmountRUR", "requirementsDate", "publishDate", "improperExecInfo"], claims)),
    sources(regNum),
  );
}

/** Things of one kind as a small table. */
export function listing(caption, names, things) {
  const number = (name) => /^(sum|price|quantity|paymentAmountRUR|value)$/.test(name) && "number";
  return h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": caption },
    h("table", { class: "small" },
      h("caption", { class: "unseen" }, caption),
      h("thead", {}, h("tr", {}, names.map((name) => h("th", { scope: "col", class: number(name) }, fieldName(name))))),
      h("tbody", {}, things.map((thing) => h("tr", {}, names.map((name) =>
        h("td", { class: number(name) }, hasValue(thing[name]) ? shown(name, thing[name]) : "—"))))),
    ));
}

function pager(whose, filters, pages) {
  const { page } = filters;
  const to = (number, label, rel) =>
    number >= 1 && number <= pages && number !== page
      ? h("a", { href: withFilters(whose, { page: String(number) }), "data-stay": `page-${rel}`, rel: rel === "next" || rel === "prev" ? rel : null }, label)
      : h("span", { role: "link", "aria-disabled": "true", "data-stay": `page-${rel}`, tabindex: "-1" }, label);
  return h("nav", { class: "pager", "aria-label": t("pager.title") },
    to(1, t("pager.first"), "first"), to(Math.min(page - 1, pages), t("pager.prev"), "prev"),
    h("span", { class: "now" }, t("pager.now", { page: count(page), pages: count(pages) })),
    to(page + 1, t("pager.next"), "next"), to(pages, t("pager.last"), "last"),
    h("label", { class: "field" }, h("span", {}, t("pager.size")),
      h("select", { name: "size", "data-stay": "size", on: { change: (event) => (location.hash = withFilters(whose, { size: event.currentTarget.value, page: "" })) } },
        SIZES.map((size) => h("option", { value: size, selected: Number(size) === filters.size }, size)))),
  );
}

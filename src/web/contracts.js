// A supplier's contracts as a table: filtered, sorted and paged by the service, opened row
// by row to all that an answer says of a contract.

import { downloadBar } from "./downloads.js";
import { getJson } from "./client.js";
import { day } from "./days.js";
import { announce, focusHeading, h, icon, swap } from "./dom.js";
import { count, plural } from "./figures.js";
import { isCustomer, pageUrl, SIZES, SORTS, STAGES, withFilters } from "./filters.js";
import { amount, facts, hasValue, isLong, items, part, shown, take } from "./record.js";
import { hashOf, lawOf } from "./routes.js";
import { fieldName, forms, stageName, t } from "./texts.js";

/** How many contracts are fetched to be saved together. */
const MOST = 10_000;
const AT_ONCE = 200;
const COLUMNS = ["signDate", "regNum", "purchaseObjectInfo", "customerName", "contractPrice", "contractStage", "endDate", "paid"];
const NUMBERS = ["contractPrice", "paid"];
const FLAGS = { terminationBoth: "both", terminationSupplier: "supplier", terminationCostomer: "customer", terminationJudge: "judge", terminationCourt: "unknown" };

/** Fills `section` with the contracts of a supplier, as often as `show` is called. */
export function contractsSection(section, inn, { named, fail }) {
  const form = h("div", { class: "filters" });
  const body = h("div", { class: "page-of-contracts" });
  const show = async (filters, { found, all }, signal) => {
    if (!form.isConnected || !body.isConnected) {
      section.replaceChildren(h("h2", { id: "contracts-title", tabindex: "-1" }, t("contracts.title")), form, body);
    }
    swap(form, ...filterFields(inn, filters, found, all));
    try {
      const skip = (filters.page - 1) * filters.size;
      const page = await getJson(pageUrl(inn, filters, "json", skip, filters.size), signal);
      named(page.supplierIName);
      const turned = body.querySelector(".pager")?.contains(document.activeElement) && document.activeElement.matches("a, [role=link]");
      swap(body, ...pageOf(inn, filters, page, skip));
      if (turned) {
        focusHeading(section);
        section.scrollIntoView();
      }
    } catch (trouble) {
      fail(trouble);
    }
  };
  return { show };
}

function filterFields(inn, filters, found, all) {
  if (!Number(all.totalcount)) return [];
  const go = (changes) => (location.hash = withFilters(inn, { page: "", ...changes }));
  const select = (name, label, options, value, change) => [
    h("label", { class: "field" }, h("span", {}, label),
      h("select", { "data-stay": name, name, on: { change: (event) => change(event.currentTarget.value) } },
        options.map(([key, words]) => h("option", { value: key, selected: key === value }, words)))),
  ];
  const stages = new Set(filters.stage.split(",").filter(Boolean));
  const stageBox = (stage) =>
    h("label", { class: "chip" },
      h("input", {
        type: "checkbox", value: stage, name: "stage", "data-stay": `stage-${stage}`, checked: stages.has(stage),
        on: { change: (event) => {
          if (event.currentTarget.checked) stages.add(stage);
          else stages.delete(stage);
          go({ stage: STAGES.filter((one) => stages.has(one)).join(",") });
        } },
      }),
      h("span", {}, stageName(stage)));
  const years = [["", t("filter.anyYear")], ...(all.years ?? []).filter((row) => row.year).map((row) => [row.year, row.year])];
  const customers = (all.customers ?? []).filter((row) => isCustomer(row.customerInn)).map((row) => [row.customerInn, row.customerName || row.customerInn]);
  if (filters.customer && !customers.some(([key]) => key === filters.customer)) {
    customers.push([filters.customer, found.customers?.[0]?.customerName || filters.customer]);
  }
  const filtered = filters.stage || filters.year || filters.customer;
  return [
    h("fieldset", {}, h("legend", {}, t("filter.stage")), STAGES.map(stageBox)),
    select("year", t("filter.year"), years, filters.year, (year) => go({ year })),
    select("customer", t("filter.customer"), [["", t("filter.anyCustomer")], ...customers], filters.customer, (customer) => go({ customer })),
    select("sort", t("filter.sort"), SORTS.map((sort) => [sort, t(`sort.${sort}`)]), filters.sort, (sort) => go({ sort })),
    filtered && h("a", { class: "reset", "data-stay": "reset", href: withFilters(inn, { stage: "", year: "", customer: "", page: "" }) }, t("filter.reset")),
  ];
}

function pageOf(inn, filters, page, skip) {
  const total = Number(page.totalcount);
  const filtered = filters.stage || filters.year || filters.customer;
  if (total === 0) {
    announce(t("contracts.none"));
    return [h("p", { class: "panel empty" }, t(filtered ? "contracts.noneFiltered" : "contracts.none"))];
  }
  const contracts = items(page, "contracts");
  const pages = Math.ceil(total / filters.size);
  const range = contracts.length
    ? t("contracts.range", { from: count(skip + 1), to: count(skip + contracts.length), all: count(total) })
    : t("contracts.past", { all: count(total) });
  announce(`${plural(total, forms("contracts.found"))}. ${range}`);
  const urls = (format) => [pageUrl(inn, filters, format, skip, filters.size)];
  const whole = total > contracts.length && total <= MOST && {
    label: t("contracts.whole", { n: count(total) }),
    urls: () => Array.from({ length: Math.ceil(total / AT_ONCE) }, (_, at) => pageUrl(inn, filters, "csv", at * AT_ONCE, AT_ONCE)),
  };
  return [
    h("p", { class: "range" }, range),
    table(inn, filters, contracts, range),
    pager(inn, filters, pages),
    downloadBar({ name: `contracts-${inn}${skip ? `-${skip + 1}` : ""}`, urls, whole }),
    total > MOST && h("p", { class: "aside" }, t("contracts.export"), " ", h("code", {}, `procurement-lookup export --supplier ${inn} --format csv --database FILE`)),
  ];
}

function table(inn, filters, contracts, range) {
  const head = (name) => {
    const label = fieldName(`column.${name}`);
    const number = NUMBERS.includes(name) && "number";
    if (!SORTS.includes(name)) return h("th", { role: "columnheader", scope: "col", class: number }, label);
    const down = filters.sort === `-${name}`;
    const up = filters.sort === name;
    return h("th", { role: "columnheader", scope: "col", class: number, "aria-sort": down ? "descending" : up ? "ascending" : "none" },
      h("a", { class: "sorter", "data-stay": `sort-${name}`, href: withFilters(inn, { sort: down ? name : `-${name}`, page: "" }), title: t("contracts.sortBy") },
        label, h("span", { class: "arrow", "aria-hidden": "true" }, down ? "▼" : up ? "▲" : "↕")));
  };
  return h("table", { class: "cards", role: "table" },
    h("caption", { class: "unseen" }, t("contracts.caption"), " ", range),
    h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, COLUMNS.map(head))),
    h("tbody", { role: "rowgroup" }, contracts.flatMap((contract, at) => contractRows(inn, contract, at))),
  );
}

function contractRows(inn, contract, at) {
  const id = `contract-${at}`;
  const more = h("tr", { role: "row", class: "more", id, hidden: true });
  const toggle = (event) => {
    const open = more.hidden;
    if (open && !more.firstChild) more.append(h("td", { role: "cell", colspan: COLUMNS.length }, details(inn, structuredClone(contract))));
    more.hidden = !open;
    event.currentTarget.setAttribute("aria-expanded", String(open));
  };
  const cell = (name, content) =>
    h("td", { role: "cell", class: `${name} ${NUMBERS.includes(name) ? "number" : ""}`, "data-label": fieldName(`column.${name}`) }, content);
  const stage = contract.contractStage;
  return [
    h("tr", { role: "row", class: "contract" },
      cell("signDate", h("button", { type: "button", class: "opener", "aria-expanded": "false", "aria-controls": id, on: { click: toggle } },
        icon("open"), h("span", {}, day(contract.signDate) || t("noDate")), h("span", { class: "unseen" }, ` ${t("contracts.open", { n: contract.regNum })}`))),
      cell("regNum", h("span", { class: isLong(contract.regNum) ? "code" : "code whole" }, contract.regNum)),
      cell("purchaseObjectInfo", h("span", { class: "prose name" }, contract.purchaseObjectInfo)),
      cell("customerName", [h("span", { class: "prose name" }, contract.customerName), contract.customerInn && h("span", { class: "aside code" }, `${t("inn")} ${contract.customerInn}`)]),
      cell("contractPrice", contract.contractPrice === null ? "—" : amount(contract.contractPrice)),
      cell("contractStage", h("span", { class: `stage ${STAGES.includes(stage) ? stage : ""}` }, stageName(stage))),
      cell("endDate", day(contract.endDate) || "—"),
      cell("paid", hasValue(contract.paid) ? amount(contract.paid.total) : "—"),
    ),
    more,
  ];
}

/** All of a contract. */
function details(inn, contract) {
  const { purchaseNumber, customerInn } = contract;
  const grounds = Object.entries(FLAGS).filter(([name]) => take(contract, name) === true).map(([, words]) => t(`ground.${words}`));
  const products = items(contract, "products");
  const claims = items(contract, "bankGuaranteePayments");
  delete contract.products;
  delete contract.bankGuaranteePayments;
  return h("div", { class: "details" },
    h("p", { class: "actions" },
      lawOf(purchaseNumber ?? "") && h("a", { href: hashOf("purchase", purchaseNumber) }, t("contracts.purchase")),
      isCustomer(customerInn) && h("a", { href: withFilters(inn, { customer: customerInn, page: "" }) }, t("contracts.onlyCustomer"))),
    h("p", { class: grounds.length ? "ground" : "aside" }, grounds.length ? `${t("contracts.terminated")} ${grounds.join("; ")}` : t("contracts.notTerminated")),
    part(t("contracts.about"), facts(contract, ["regNum", "contractStage", "purchaseObjectInfo", "purchaseNumber", "purchaseCode", "customerName", "customerInn"], { only: true })),
    part(t("contracts.money"), facts(contract, [
      "contractPrice", "notificationPrice", "fulfilmentSum", "paid", "advanceInPercents", "penaltiesTotal", "penaltiesPayments",
      "purchaseContractGuarantee", "contractGuarantee", "budgetName"], { only: true })),
    part(t("contracts.time"), facts(contract, ["signDate", "endDate", "deliveryTerm", "updateDate", "ContractStages"], { only: true })),
    part(t("contracts.more"), facts(contract)),
    part(t("contracts.products"), products.length && listing(t("contracts.products"), ["code", "sum"], products)),
    part(t("contracts.claims"), claims.length && listing(t("contracts.claims"), ["paymentAmountRUR", "requirementsDate", "publishDate", "improperExecInfo"], claims)),
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

function pager(inn, filters, pages) {
  const { page } = filters;
  const to = (number, label, rel) =>
    number >= 1 && number <= pages && number !== page
      ? h("a", { href: withFilters(inn, { page: String(number) }), "data-stay": `page-${rel}`, rel: rel === "next" || rel === "prev" ? rel : null }, label)
      : h("span", { role: "link", "aria-disabled": "true", "data-stay": `page-${rel}`, tabindex: "-1" }, label);
  return h("nav", { class: "pager", "aria-label": t("pager.title") },
    to(1, t("pager.first"), "first"), to(Math.min(page - 1, pages), t("pager.prev"), "prev"),
    h("span", { class: "now" }, t("pager.now", { page: count(page), pages: count(pages) })),
    to(page + 1, t("pager.next"), "next"), to(pages, t("pager.last"), "last"),
    h("label", { class: "field" }, h("span", {}, t("pager.size")),
      h("select", { name: "size", "data-stay": "size", on: { change: (event) => (location.hash = withFilters(inn, { size: event.currentTarget.value, page: "" })) } },
        SIZES.map((size) => h("option", { value: size, selected: Number(size) === filters.size }, size)))),
  );
}

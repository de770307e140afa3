// The details of a contract: every field of the response, shown below its row in the table.

import { getJson, RequestError } from "./client.js";
import { itemsPart } from "./contract-items.js";
import { h } from "./dom.js";
import { isCustomer, withFilters } from "./filters.js";
import { facts, hasValue, items, link, part, shown, take } from "./record.js";
import { hashOf, lawOf, officialUrl, purchaseUrl } from "./routes.js";
import { sources } from "./sources.js";
import { fieldName, t } from "./texts.js";

/** The fields that state why a contract was terminated, and the keys of their texts. */
const FLAGS = {
  terminationBoth: "both", terminationSupplier: "supplier", terminationCostomer: "customer",
  terminationJudge: "judge", terminationCourt: "unknown",
};

const PARTS = {
  about: "supplierName supplierINN regNum contractStage purchaseObjectInfo purchaseNumber purchaseCode customerName " +
    "customerInn",
  money: "contractPrice notificationPrice fulfilmentSum paid advanceInPercents penaltiesTotal penaltiesPayments " +
    "purchaseContractGuarantee contractGuarantee budgetName",
  time: "signDate endDate deliveryTerm updateDate ContractStages",
};

/** Attributes of a part that spans all columns of the details. */
const WIDE = { class: "part wide" };

/**
 * Returns a link to a purchase. If the purchase is not in the data, the link leads to the official
 * site instead.
 */
function noticeLink(number) {
  const place = h("span", { class: "notice-link", role: "status" }, t("loading"));
  const there = () => place.replaceChildren(h("a", { href: hashOf("purchase", number) }, t("contracts.purchase")));
  getJson(purchaseUrl(number, "json")).then(there, (error) => {
    if (!(error instanceof RequestError) || error.kind !== "notFound") return there();
    return place.replaceChildren(t("contracts.noNotice"), " ", link(officialUrl(number), t("purchase.official")));
  });
  return place;
}

/** Renders the details of a contract. Removes the fields it shows from `contract`. */
export function contractDetails(owner, contract) {
  const { regNum, purchaseNumber, customerInn } = contract;
  const grounds = Object.entries(FLAGS)
    .filter(([name]) => take(contract, name) === true)
    .map(([, words]) => t(`ground.${words}`));
  const named = itemsPart(owner, contract);
  const claims = items(contract, "bankGuaranteePayments");
  delete contract.products;
  delete contract.bankGuaranteePayments;
  const some = (name) => part(t(`contracts.${name}`), facts(contract, PARTS[name].split(" "), { only: true }));
  const table = (name, columns, things) =>
    part(t(`contracts.${name}`), things.length && listing(t(`contracts.${name}`), columns, things), WIDE);
  return h("div", { class: "details" },
    h("p", { class: "actions" },
      lawOf(purchaseNumber ?? "") && noticeLink(purchaseNumber),
      owner.view === "supplier" && isCustomer(customerInn) &&
        h("a", { href: withFilters(owner, { customer: customerInn, page: "" }) }, t("contracts.onlyCustomer"))),
    h("p", { class: grounds.length ? "ground" : "aside" },
      grounds.length ? `${t("contracts.terminated")} ${grounds.join("; ")}` : t("contracts.notTerminated")),
    named,
    some("money"), some("time"), some("about"),
    part(t("contracts.more"), facts(contract)),
    table("claims", ["paymentAmountRUR", "requirementsDate", "publishDate", "improperExecInfo"], claims),
    sources(regNum),
  );
}

/** Renders records of one kind as a small table, with `total` below the sums. */
export function listing(caption, names, things, total = null) {
  const number = (name) => /^(sum|price|quantity|paymentAmountRUR|value)$/.test(name) && "number";
  return h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": caption },
    h("table", { class: "small" },
      h("caption", { class: "unseen" }, caption),
      h("thead", {}, h("tr", {}, names.map((name) =>
        h("th", { scope: "col", class: number(name) }, fieldName(name))))),
      h("tbody", {}, things.map((thing) => h("tr", {}, names.map((name) =>
        h("td", { class: number(name) }, hasValue(thing[name]) ? shown(name, thing[name]) : "—"))))),
      hasValue(total) && h("tfoot", {}, h("tr", {}, names.map((name, at) => {
        if (name === "sum") return h("td", { class: "number" }, shown("totalSum", total));
        return at === 0 ? h("th", { scope: "row" }, fieldName("totalSum")) : h("td", {});
      }))),
    ));
}

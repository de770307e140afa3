// Risk facts about a contract: their codes in the API, their names, and which ones a contract
// shows. Facts are never added up or turned into a score.

import { h, icon } from "./dom.js";
import { isMore, roubles } from "./figures.js";
import { items } from "./record.js";
import { t } from "./texts.js";

/** The codes of the facts, in the order in which responses list them. */
export const FACTS = [
  "signedWhileListed", "terminatedBySupplier", "terminatedByCustomer", "terminatedByCourt", "terminatedMutually",
  "penalties", "guaranteeClaims", "overdue",
];
/** Facts shown in red; the others are amber. */
const GRAVE = ["signedWhileListed", "terminatedByCustomer", "terminatedByCourt"];
/** The field of a contract that states each kind of termination. */
const ENDED = {
  terminatedBySupplier: "terminationSupplier",
  terminatedByCustomer: "terminationCostomer",
  terminatedByCourt: "terminationJudge",
  terminatedMutually: "terminationBoth",
};

export const factName = (fact) => t(`fact.${fact}`);

/** The name of a fact about several contracts. */
export const factsName = (fact) => t(fact === "signedWhileListed" ? "fact.signedWhileListed.many" : `fact.${fact}`);

/**
 * Returns whether the dates of a registry entry include a day; any of them may be missing.
 * `removedBy` is the first day on which the entry was no longer in force. Suspensions are not in the
 * answer, so they do not count here.
 */
const isInForce = ({ registrationDate, excludeDate, removedBy }, day) =>
  (registrationDate ?? "") <= day && !(excludeDate && excludeDate < day) && !(removedBy && removedBy <= day);

/**
 * Returns the facts that a contract shows, as `[code, words]`. An annulled contract shows no facts.
 * `supplier` is the supplier's result of `check-suppliers` with `history=1`, if known. `overdue` is
 * left out, because the status of the contract already says so.
 */
export function factsOf(contract, supplier = null) {
  if (contract.contractStage === "IN") return [];
  const entries = supplier ? [...supplier.entries, ...(supplier.previousEntries ?? [])] : [];
  const { signDate, penaltiesTotal } = contract;
  const named = (fact) => [fact, factName(fact)];
  return [
    signDate && entries.some((entry) => isInForce(entry, signDate)) && named("signedWhileListed"),
    ...Object.entries(ENDED).map(([fact, field]) => contract[field] === true && named(fact)),
    isMore(penaltiesTotal ?? "0", "0") && ["penalties", `${factName("penalties")} ${roubles(penaltiesTotal)}`],
    items(contract, "bankGuaranteePayments").length > 0 && named("guaranteeClaims"),
  ].filter(Boolean);
}

/** Renders a fact with a flag, as a link if there is an `href`. */
export function factMark(fact, words, { href = null } = {}) {
  const kind = GRAVE.includes(fact) ? "mark grave" : "mark";
  return h(href ? "a" : "span", { class: kind, href }, icon("flag"), words);
}

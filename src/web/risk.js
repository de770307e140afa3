// Facts of risk about a contract, by the codes that answers have for them: their words, and which
// of them a contract shows. They are never added up, and nothing is scored.

import { h, icon } from "./dom.js";
import { isMore, roubles } from "./figures.js";
import { items } from "./record.js";
import { t } from "./texts.js";

/** The codes of facts, in the order of answers. */
export const FACTS = [
  "signedWhileListed", "terminatedBySupplier", "terminatedByCustomer", "terminatedByCourt", "terminatedMutually",
  "penalties", "guaranteeClaims", "overdue",
];
/** Facts shown in red rather than in amber. */
const GRAVE = ["signedWhileListed", "terminatedByCustomer", "terminatedByCourt"];
/** The fields of a contract that say who ended it. */
const ENDED = {
  terminatedBySupplier: "terminationSupplier",
  terminatedByCustomer: "terminationCostomer",
  terminatedByCourt: "terminationJudge",
  terminatedMutually: "terminationBoth",
};

/** A fact in words, of one contract. */
export const factName = (fact) => t(`fact.${fact}`);

/** A fact in words, of several contracts. */
export const factsName = (fact) => t(fact === "signedWhileListed" ? "fact.signedWhileListed.many" : `fact.${fact}`);

/** Was an entry of the registry in force on that day? `removedBy` is the first day on which it no longer was. */
const isInForce = ({ registrationDate, excludeDate, removedBy }, day) =>
  registrationDate <= day && !(excludeDate && excludeDate < day) && !(removedBy && removedBy <= day);

/**
 * The facts that a contract shows, as `[code, words]`. `supplier`: what `check-suppliers` says of its
 * supplier with `history=1`, where it is known. The state of a contract says by itself that its end
 * has passed.
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

/** A fact as a mark: a flag and `words`; a link where there is an `href`. */
export function factMark(fact, words, { href = null } = {}) {
  const kind = GRAVE.includes(fact) ? "mark grave" : "mark";
  return h(href ? "a" : "span", { class: kind, href }, icon("flag"), words);
}

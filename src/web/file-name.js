// What a saved answer is called: what it is, of whom, by which filters, and of which day; in
// the manner of the names that the service gives, which only CSV and XLSX have.

import { todayInMoscow } from "./days.js";

const KINDS = {
  "/contract/monitor-supplier44": "contracts",
  "/contract/monitor-customer44": "customer-contracts",
  "/contract/summary-supplier44": "summary",
  "/contract/search": "contracts",
  "/contract/summary": "summary",
  "/purchase/search": "purchases",
  "/purchase/won-by-supplier": "purchases-won",
  "/contract/prices": "prices",
  "/rnp/entries": "rnp-entries",
  "/rnp/check-supplier": "rnp",
  "/rnp/check-suppliers": "rnp",
};
/** What is of the form or the paging of an answer, and no part of what it says. */
const PASSED_OVER = new Set(
  ("format lang history receipt errors limit top sort skip q signedFrom signedTo publishedFrom publishedTo " +
    "asOf").split(" "),
);
/** The first and the last day, of contracts or of purchases. */
const DAYS = [["signedFrom", "publishedFrom"], ["signedTo", "publishedTo"]];
/** What an answer may be of: the first of these in its address. */
const SUBJECTS = ["supplierINN", "customerINN", "customerInn", "purchaseNumber"];
/** File systems take 255 bytes; the ending, and a number that a browser adds, need some of them. */
const LONGEST = 160;

/** The name, without an ending, of the answer from `url`; `part`: which part of more it is. */
export function fileName(url, part = "") {
  const [path, query = ""] = url.split("?");
  const params = new URLSearchParams(query);
  const [ofWhat, subject] = [...params].find(([name, value]) => SUBJECTS.includes(name) && value) ?? ["", ""];
  const filters = [...params].filter(([name]) => !PASSED_OVER.has(name) && name !== ofWhat)
    .map(([name, value]) => (name === "stage" ? value : `${name}_${value}`).replaceAll(",", "_"));
  const skipped = Number(params.get("skip")) ? `skip_${params.get("skip")}` : "";
  const kind = KINDS[path] ?? path.split("/")[1];
  const days = span(...DAYS.map((names) => names.map((name) => params.get(name)).find(Boolean)));
  const words = [kind, subject.includes(",") ? "list" : subject, days, ...filters, part || skipped];
  const plain = words.filter(Boolean).join("-").replace(/[^\w.]+|[.]{2,}/g, "-").replace(/-{2,}/g, "-");
  const name = plain.slice(0, LONGEST).replace(/[-.]+$/, "");
  return `${name}-${params.get("asOf") || todayInMoscow()}`;
}

/** A range of days; a whole year is one. */
function span(from, to) {
  const year = from?.slice(0, 4);
  if (from === `${year}-01-01` && to === `${year}-12-31`) return year;
  if (from && to) return `${from}_${to}`;
  return (from && `from_${from}`) || (to && `to_${to}`);
}

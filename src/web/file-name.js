// Names of downloaded files: content, organisation, filters and date. They follow the style of the
// API, which suggests names only for CSV and XLSX files.

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
/**
 * Parameters that a file name does not list as filters: they affect only format or paging, or are
 * handled separately.
 */
const IGNORED = new Set(
  ("format lang history receipt errors limit top sort skip q signedFrom signedTo publishedFrom publishedTo " +
    "asOf").split(" "),
);
/**
 * Parameters that give the first day of a period (of signing or publication), then those that give
 * the last day.
 */
const DAYS = [["signedFrom", "publishedFrom"], ["signedTo", "publishedTo"]];
/** Parameters that identify the organisation or purchase of a response. */
const SUBJECTS = ["supplierINN", "customerINN", "customerInn", "purchaseNumber"];
/**
 * Upper bound on the length of a name, in characters. File systems allow 255 bytes, which also have
 * to fit the extension and a number that the browser may add.
 */
const LONGEST = 160;

/**
 * Returns the file name, without extension, for the response from `url`. `part` says which part of
 * the result is in the file.
 */
export function fileName(url, part = "") {
  const [path, query = ""] = url.split("?");
  const params = new URLSearchParams(query);
  const [ofWhat, subject] = [...params].find(([name, value]) => SUBJECTS.includes(name) && value) ?? ["", ""];
  const filters = [...params].filter(([name]) => !IGNORED.has(name) && name !== ofWhat)
    .map(([name, value]) => (name === "stage" ? value : `${name}_${value}`).replaceAll(",", "_"));
  const skipped = Number(params.get("skip")) ? `skip_${params.get("skip")}` : "";
  const kind = KINDS[path] ?? path.split("/")[1];
  const days = span(...DAYS.map((names) => names.map((name) => params.get(name)).find(Boolean)));
  const words = [kind, subject.includes(",") ? "list" : subject, days, ...filters, part || skipped];
  const plain = words.filter(Boolean).join("-").replace(/[^\w.]+|[.]{2,}/g, "-").replace(/-{2,}/g, "-");
  const name = plain.slice(0, LONGEST).replace(/[-.]+$/, "");
  return `${name}-${params.get("asOf") || todayInMoscow()}`;
}

/** Names a range of days; a calendar year is shortened to the year. */
function span(from, to) {
  const year = from?.slice(0, 4);
  if (from === `${year}-01-01` && to === `${year}-12-31`) return year;
  if (from && to) return `${from}_${to}`;
  return (from && `from_${from}`) || (to && `to_${to}`);
}

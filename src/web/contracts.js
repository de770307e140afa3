// The list of a supplier's or a customer's contracts. The API filters, sorts and pages it.

import { chips } from "./chips.js";
import { getJson } from "./client.js";
import { contractTable, setDensity } from "./contract-table.js";
import { dayAfter } from "./days.js";
import { densityButton } from "./density.js";
import { announce, focusHeading, h, swap } from "./dom.js";
import { downloadBar } from "./downloads.js";
import { fileName } from "./file-name.js";
import { count, plural, briefRoubles } from "./figures.js";
import { filtersOf, isFiltered, pageUrl, withFilters } from "./filters.js";
import { pager } from "./pager.js";
import { items } from "./record.js";
import { forms, t } from "./texts.js";

/**
 * A file has up to this many rows. In the formats `FILES`, it has all matching contracts and not
 * just one page.
 */
const MOST = 100_000;
const FILES = ["csv", "xlsx"];
const AT_ONCE = 200;
/** How many of the newest contracts are searched for the contract in an address. */
export const MOST_SEARCHED = 2000;

/**
 * Creates the list of contracts of `owner` in `section`. `show` fills it and returns the page of
 * contracts. Its options: `choices` for the chips (see `chips.js`); `open`, the numbers of expanded
 * contracts; `listed(rows)`, which returns the contracts signed while the supplier was listed;
 * `sums`, the totals of all contracts and of the matching ones.
 */
export function contractsSection(section, owner) {
  const bar = h("div", { class: "filters" });
  const body = h("div", { class: "page-of-contracts" });
  const show = async (filters, { choices, open, listed, sums, signal }) => {
    if (!bar.isConnected || !body.isConnected) {
      const heading = h("h2", { id: "contracts-title", class: "unseen", tabindex: "-1" }, t("contracts.title"));
      section.replaceChildren(heading, bar, body);
    }
    const skip = (filters.page - 1) * filters.size;
    const page = await getJson(pageUrl(owner, filters, "json", skip, filters.size), signal);
    const marked = await listed(items(page, "contracts"));
    if (choices) {
      swap(bar, h("div", { class: "chips" }, chips(owner, filters, choices)), result(owner, filters, page, sums, body));
    } else bar.replaceChildren();
    /** @type {any} */
    const active = document.activeElement;
    const turned = body.querySelector(".pager")?.contains(active) && active.matches("a, [role=link]");
    swap(body, ...pageOf(owner, filters, page, { skip, open, listed: marked }));
    if (turned) {
      focusHeading(section);
      section.scrollIntoView();
    }
    return page;
  };
  return { show };
}

/**
 * Returns how many of a supplier's contracts precede this one when sorted newest first, or `null`
 * if it was not found. A contract number has the customer's INN after the first digit, so this
 * searches the contracts with that customer first, then the newest contracts with all customers.
 */
export async function positionOf(inn, regNum, signal) {
  const ask = (filters, skip, limit = AT_ONCE) =>
    getJson(pageUrl({ view: "supplier", inn }, filtersOf(new URLSearchParams(filters)), "json", skip, limit), signal);
  const look = async (filters) => {
    for (let skip = 0; skip < MOST_SEARCHED; skip += AT_ONCE) {
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

/** The bar above the list: count and sum, density switch, downloads. */
function result(owner, filters, page, sums, body) {
  const found = Number(page.totalcount);
  const skip = (filters.page - 1) * filters.size;
  const many = isFiltered(filters)
    ? t("contracts.of", { n: count(found), all: count(sums.all.count) })
    : plural(found, forms("find.contracts"));
  const sum = found > 0 ? ` · ${briefRoubles(sums.found.sum)}` : "";
  const files = (format) => pageUrl(owner, filters, format, "", "");
  const rows = found > MOST ? t("contracts.of", { n: count(MOST), all: count(found) }) : count(found);
  return h("div", { class: "result-of-filters" },
    h("p", { class: "tally" }, many, sum),
    found > 0 && densityButton((isLow) => {
      const table = body.querySelector("table");
      if (table) setDensity(table, isLow);
    }),
    found > 0 && downloadBar({
      urls: (format) => [FILES.includes(format) ? files(format) : pageUrl(owner, filters, format, skip, filters.size)],
      rows,
      name: fileName(files("csv"), found > MOST ? `${MOST}_of_${found}` : ""),
    }));
}

/** Some texts have a variant for customers, under a key with this suffix. */
const ofCustomer = ({ view }) => (view === "customer" ? ".ofCustomer" : "");

function pageOf(owner, filters, page, { skip, open, listed }) {
  const total = Number(page.totalcount);
  if (total === 0) {
    const none = t(isFiltered(filters) ? "contracts.noneFiltered" : `contracts.none${ofCustomer(owner)}`);
    announce(none);
    return [h("p", { class: "panel empty" }, none)];
  }
  const contracts = items(page, "contracts");
  const range = contracts.length
    ? t("contracts.range", { from: count(skip + 1), to: count(skip + contracts.length), all: count(total) })
    : t("contracts.past", { all: count(total) });
  announce(`${plural(total, forms("contracts.found"))}. ${range}`);
  const command = `procurement-lookup export --supplier ${owner.inn} --format csv --database FILE`;
  const caption = `${t(`contracts.caption${ofCustomer(owner)}`)} ${range}`;
  return [
    contractTable(owner, filters, contracts, { caption, open, listed }),
    pager({ ...filters, pages: Math.ceil(total / filters.size), range }, (changes) => withFilters(owner, changes)),
    total > MOST && owner.view === "supplier" &&
      h("p", { class: "aside" }, t("contracts.export"), " ", h("code", {}, command)),
  ];
}

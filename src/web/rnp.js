// The registry of unfair suppliers as a list: entries, newest first, filtered by the conditions in
// the address. Each entry has a link to its supplier.

import { getJson, RequestError } from "./client.js";
import { reasonWords } from "./code-words.js";
import { day, todayInMoscow } from "./days.js";
import { announce, focusHeading, h, swap } from "./dom.js";
import { downloadBar } from "./downloads.js";
import { errorPanel } from "./error-panel.js";
import { count, plural } from "./figures.js";
import { marks } from "./ground.js";
import { nameElement } from "./names.js";
import { pager } from "./pager.js";
import { isLong, items } from "./record.js";
import { regionNames } from "./regions.js";
import { chips } from "./rnp-chips.js";
import { conditionsIn, conditionsOf, entriesUrl, pageUrl, rnpHash, skipOf } from "./rnp-conditions.js";
import { hashOf, isInn } from "./routes.js";
import { loadStyles } from "./styles.js";
import { forms, lawName, loadTexts, t } from "./texts.js";
import { updates } from "./updates.js";

await Promise.all([loadStyles("rnp.css"), loadTexts("rnp")]);

/** Upper bound on entries in a file. */
const MOST_IN_FILE = 100_000;
const FILES = ["csv", "xlsx"];

/** Shows the registry in `main`. `update` receives new parameters. */
export function rnpView(main, { params }, shell) {
  const heading = h("h1", { tabindex: "-1" }, t("rnpList.title"));
  const figures = h("div", { class: "figures-of" });
  const bar = h("div", { class: "filters" });
  const body = h(
    "section",
    { class: "rnp-list", "aria-labelledby": "rnp-list-title", "aria-busy": "true" },
    h("p", { class: "loading" }, t("loading")),
  );
  main.replaceChildren(
    h("header", { class: "view-head" }, h("p", { class: "eyebrow" }, t("rnp.title")), heading, figures),
    bar,
    body,
  );
  shell.title(t("rnpList.title"));
  const { start, stop } = updates(body, conditionsOf);
  const update = async (now) => {
    const { place, conditions, signal } = start(now);
    try {
      const [page, inForce, names] = await answers(conditions, signal);
      if (signal.aborted) return;
      const words = plural(page.totalcount, forms("rnpList.entries"));
      heading.textContent = `${t("rnpList.short")}: ${words}`;
      swap(figures, figuresOf(conditions, page, inForce));
      swap(bar, h("div", { class: "chips" }, chips(conditions, names)), files(conditions, page));
      const turned = body.querySelector(".pager")?.contains(document.activeElement);
      swap(body, ...list(conditions, page));
      if (turned) focusHeading(body);
      if (turned) body.scrollIntoView();
      announce(words);
      place.goBack();
    } catch (error) {
      if (error.name === "AbortError") return;
      if (!(error instanceof RequestError)) throw error;
      const panel = errorPanel(error, () => shell.again());
      if (error.kind === "key") main.replaceChildren(panel);
      else swap(body, panel);
    } finally {
      if (!signal.aborted) body.removeAttribute("aria-busy");
    }
  };
  update(params);
  return { heading, update, stop };
}

/**
 * Fetches the page of entries, the number of matching entries that are in force, and the names of
 * the regions.
 */
function answers(conditions, signal) {
  const inForce = conditions.inForce
    ? null
    : getJson(entriesUrl({ ...conditions, inForce: "true" }, "json", { limit: "0" }), signal);
  return Promise.all([getJson(pageUrl(conditions, "json"), signal), inForce, regionNames()]);
}

/** The figures below the heading: entries in force, date, state of the registry data. */
const figuresOf = ({ asOf }, page, inForce) =>
  [
    inForce && h("span", {}, plural(inForce.totalcount, forms("rnpList.areInForce"))),
    asOf && h("span", {}, t("rnp.onDay", { day: day(asOf) })),
    marks(page.registries),
  ].filter(Boolean);

/** The downloads. CSV and XLSX contain all matching entries, other formats the current page. */
function files(conditions, page) {
  const found = Number(page.totalcount);
  return h(
    "div",
    { class: "result-of-filters" },
    found > 0 &&
      downloadBar({
        urls: (format) => [(FILES.includes(format) ? entriesUrl : pageUrl)(conditions, format)],
        rows: found > MOST_IN_FILE ? t("contracts.of", { n: count(MOST_IN_FILE), all: count(found) }) : count(found),
      }),
  );
}

function list(conditions, page) {
  const heading = h("h2", { id: "rnp-list-title", class: "unseen", tabindex: "-1" }, t("rnpList.list"));
  const total = Number(page.totalcount);
  if (total === 0) return [heading, nothing(conditions)];
  const entries = items(page, "entries");
  const skip = skipOf(conditions);
  const to = (changes) => rnpHash(conditions, changes);
  const shown = entries.length
    ? t("contracts.range", { from: count(skip + 1), to: count(skip + entries.length), all: count(total) })
    : t("rnpList.past", { all: count(total) });
  const asOf = conditions.asOf || todayInMoscow();
  return [
    heading,
    entries.length > 0 &&
      h(
        "table",
        { class: "cards rnp-entries" },
        h("caption", { class: "unseen" }, t("rnpList.list"), " ", shown),
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            COLUMNS.map((name) => h("th", { scope: "col", class: `col-${name}` }, t(`rnpList.column.${name}`))),
          ),
        ),
        h(
          "tbody",
          {},
          entries.map((entry) => row(entry, asOf)),
        ),
      ),
    pager({ ...conditions, pages: Math.ceil(total / conditions.size), range: shown }, to),
  ];
}

/**
 * The message that nothing was found. If there are several conditions, each has a link that removes
 * it.
 */
function nothing(conditions) {
  const names = conditionsIn(conditions);
  return h(
    "div",
    { class: "panel empty" },
    h("p", {}, t(names.length ? "rnpList.none" : "rnpList.empty")),
    names.length > 1 &&
      h(
        "p",
        {},
        t("rnpList.loosen"),
        " ",
        names.map((name, at) => [
          at > 0 && ", ",
          h("a", { href: rnpHash(conditions, { [name]: "" }) }, t(`rnpList.without.${name}`)),
        ]),
      ),
  );
}

const COLUMNS = ["day", "supplier", "entry", "reason", "customer", "term"];

function row(entry, asOf) {
  const { supplierINN, supplierName, registrationNumber: number, registrationDate, federalLaw, reason } = entry;
  const { customerName, customerINN } = entry;
  const supplier = isInn(supplierINN) && hashOf("supplier", supplierINN, { tab: "entries" });
  const inn = (text) => text && h("span", { class: "aside inn" }, `${t("inn")}\u00a0${text}`);
  const cells = {
    day: day(registrationDate) || "—",
    supplier: [nameElement(supplierName || supplierINN || "—", { class: "name", href: supplier }), inn(supplierINN)],
    entry: [
      h("span", { class: isLong(number) ? "code" : "code whole" }, number || "—"),
      federalLaw && h("span", { class: "aside inn" }, lawName(federalLaw)),
    ],
    reason: h("span", { class: "prose" }, reason ? reasonWords(reason) : "—"),
    customer: [
      customerName || customerINN
        ? nameElement(customerName || customerINN, {
            class: "name",
            href: isInn(customerINN) && hashOf("customer", customerINN),
          })
        : "—",
      inn(customerINN),
    ],
    term: term(entry, asOf),
  };
  return h(
    "tr",
    {},
    COLUMNS.map((name) => h("td", { class: `of-${name}`, "data-label": t(`rnpList.column.${name}`) }, cells[name])),
  );
}

/** Describes whether the entry is in force, and until when. */
function term({ inForce, registrationDate, excludeDate }, asOf) {
  const isInForce = inForce === true || inForce === "true";
  const kind = isInForce ? "inForce" : registrationDate > asOf ? "notYet" : excludeDate >= asOf ? "removed" : "over";
  return [
    h("span", { class: `tag ${isInForce ? "listed" : "undetermined"}` }, t(`rnpList.term.${kind}`)),
    excludeDate && h("span", { class: "aside inn" }, t(`rnpList.until.${kind}`, { day: day(excludeDate) })),
  ];
}

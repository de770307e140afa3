// The last checks of this browser: suppliers and lists, with the verdict and the day of the check.
// Nothing of them leaves the browser, and where it refuses to keep anything, there are none.

import { answeredAt, day } from "./days.js";
import { h, icon } from "./dom.js";
import { plural } from "./figures.js";
import { hashOf } from "./routes.js";
import { lasting, RECENT } from "./storage.js";
import { forms, t } from "./texts.js";

/** How many checks are kept, and the longest name of one, in characters. */
const MOST = 10;
const LONGEST_NAME = 120;

/** The checks, the newest first, each with the address of its view, null where that has not all of it. */
function checks() {
  try {
    const kept = JSON.parse(lasting.getItem(RECENT) ?? "[]");
    return Array.isArray(kept) ? kept.filter((one) => typeof one?.at === "string").slice(0, MOST) : [];
  } catch {
    return [];
  }
}

/** Puts a check first; one of the same subject goes. */
function note(check) {
  const others = checks().filter(({ subject }) => subject !== check.subject);
  const isKept = lasting.setItem(RECENT, JSON.stringify([check, ...others].slice(0, MOST)));
  if (!isKept) lasting.removeItem(RECENT);
}

/** Notes the check of a supplier, as of a day or of now. */
export function noteSupplier({ supplierINN: inn, supplierName, verdict }, asOf) {
  const name = (supplierName ?? "").slice(0, LONGEST_NAME);
  note({
    kind: "supplier",
    subject: inn,
    name,
    verdict,
    asOf,
    at: answeredAt(),
    href: hashOf("supplier", inn, { asOf }),
  });
}

/** Notes the check of a list: how many lines it has, and how many suppliers of it are listed. */
export function noteList({ source, lines, found, asOf, link, kept }) {
  const listed = [...found.values()].filter(({ verdict }) => verdict === "listed").length;
  const href = kept ? hashOf("batch", "", { list: kept.name }) : link;
  const name = (kept?.name ?? source).slice(0, LONGEST_NAME);
  note({
    kind: "batch",
    subject: href ?? `${name} ${lines.length}`,
    name,
    lines: lines.length,
    listed,
    asOf,
    at: answeredAt(),
    href,
  });
}

/** The checks under a heading, with a button that removes them; null where there are none. */
export function recentPart() {
  const all = checks();
  if (!all.length) return null;
  const part = h(
    "section",
    { class: "recent", "aria-labelledby": "recent-title" },
    h(
      "div",
      { class: "part-head" },
      h("h2", { id: "recent-title" }, t("recent.title")),
      h("button", { type: "button", class: "quiet", on: { click: () => clear(part) } }, t("recent.clear")),
    ),
    h("ul", {}, all.map(recentItem)),
    h("p", { class: "aside" }, t("recent.here")),
  );
  return part;
}

function clear(part) {
  lasting.removeItem(RECENT);
  part.remove();
  document.getElementById("search")?.focus();
}

function recentItem({ kind, subject, name, verdict, lines, listed, asOf, at, href }) {
  const words = kind === "supplier" ? name || t("supplier.title", { inn: subject }) : name || t("recent.list");
  return h(
    "li",
    {},
    icon(kind),
    h(
      "span",
      { class: "of" },
      href ? h("a", { href }, words) : h("span", {}, words),
      kind === "supplier" && name && h("span", { class: "aside code" }, subject),
    ),
    kind === "supplier"
      ? h("span", { class: `tag ${verdict}` }, icon(verdict), t(`verdict.${verdict}.short`))
      : h(
          "span",
          { class: "aside" },
          plural(lines, forms("recent.lines")),
          listed > 0 && `, ${t("recent.listed")} ${listed}`,
        ),
    h(
      "span",
      { class: "aside" },
      t("recent.on", { day: day(at) }),
      asOf && asOf !== at.slice(0, 10) && ` (${t("rnp.on", { day: day(asOf) })})`,
    ),
  );
}

// The recent checks of suppliers and lists in this browser. Nothing here leaves the browser. There
// are none if the browser blocks storage.

import { answeredAt, day } from "./days.js";
import { h, icon } from "./dom.js";
import { plural } from "./figures.js";
import { hashOf } from "./routes.js";
import { localStore, RECENT } from "./storage.js";
import { forms, t } from "./texts.js";

/** Upper bounds on checks and on the length of a name, in characters. */
const MOST = 10;
const LONGEST_NAME = 120;

/** Returns the checks, newest first. `href` is `null` if no address can reproduce the check. */
function checks() {
  try {
    const kept = JSON.parse(localStore.getItem(RECENT) ?? "[]");
    return Array.isArray(kept) ? kept.filter((one) => typeof one?.at === "string").slice(0, MOST) : [];
  } catch {
    return [];
  }
}

/** Adds a check, replacing an earlier one of the same subject. */
function note(check) {
  const others = checks().filter(({ subject }) => subject !== check.subject);
  const isKept = localStore.setItem(RECENT, JSON.stringify([check, ...others].slice(0, MOST)));
  if (!isKept) localStore.removeItem(RECENT);
}

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

/**
 * Returns the section with the recent checks and a button that clears them, or `null` if there are
 * none.
 */
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
  localStore.removeItem(RECENT);
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

// The search field: suggestions while the user types, and the page of hits for a submitted text.

import { getJson, key, RequestError } from "./client.js";
import { announce, h } from "./dom.js";
import { errorPanel } from "./error-panel.js";
import { count, plural } from "./figures.js";
import { original, readable } from "./names.js";
import { hashOf, lawOf, requestUrl, understand } from "./routes.js";
import { aboutHash, aboutLink, tabsAbout } from "./subjects.js";
import { forms, t } from "./texts.js";

/** The API returns up to `MOST` hits; the search field suggests `FEW`. */
const MOST = 50;
const FEW = 8;
/** Requests are sent this many milliseconds after the last keystroke. */
const PAUSE = 200;

const findUrl = (text, limit) => requestUrl("/find", { q: text, format: "json", limit: String(limit) });

/** Returns the address of a hit, or `null` if it has no page. */
function hitHash({ kind, key: number, supplierINN }) {
  if (kind.startsWith("purchase")) return hashOf("purchase", number);
  if (kind === "customer") return hashOf("customer", number);
  // The supplier has no INN and therefore no page.
  if (!supplierINN) return null;
  return hashOf("supplier", supplierINN, kind === "contract" ? { contract: number } : {});
}

/** Renders a hit as a link: the name, and whatever else is known. */
function hitLink(hit, props = {}) {
  const { kind, key: number, name, supplierINN, contracts, verdict } = hit;
  const numbered = (words, digits) => h("span", {}, words, "\u00a0", h("span", { class: "code" }, digits));
  const isOrganisation = kind === "supplier" || kind === "customer";
  return h("a", { class: "hit", href: hitHash(hit), ...props },
    h("span", { class: "name", ...original(name ?? "") }, readable(name) || number),
    h("span", { class: "about" },
      h("span", {}, t(`find.${kind}`)),
      !isOrganisation && name && numbered(t("numero"), number),
      (supplierINN || isOrganisation) && numbered(t("inn"), supplierINN ?? number),
      isOrganisation && contracts !== null && h("span", {}, plural(contracts, forms("find.contracts"))),
      verdict && h("span", { class: `tag ${verdict}` }, t(`verdict.${verdict}.short`))));
}

/**
 * Shows the hits in `main`. Redirects to the only hit if the text is its number. If there are no
 * hits, redirects to the purchase if the text has the form of a purchase number, or else to the
 * contracts or purchases whose content matches.
 */
export function findView(main, { subject: text }, shell) {
  const heading = h("h1", { tabindex: "-1" }, t("find.title", { text }));
  const results = h("section", { class: "results", "aria-busy": "true" }, h("p", { class: "loading" }, t("loading")));
  const stop = new AbortController();
  shell.title(t("find.title", { text }));
  main.replaceChildren(h("header", { class: "view-head" }, heading), results);
  if (understand(text).why === "few") {
    results.replaceChildren(h("p", { class: "panel note", role: "alert" }, t("search.few")));
    results.removeAttribute("aria-busy");
    return { heading, stop: () => {} };
  }
  const fill = async () => {
    try {
      const [{ hits, totalcount }, about] =
        await Promise.all([getJson(findUrl(text, MOST), stop.signal), tabsAbout(text, stop.signal)]);
      const [first, second] = hits;
      if (!first && lawOf(text)) return location.replace(hashOf("purchase", text));
      if (first?.key === text && !second && hitHash(first)) return location.replace(hitHash(first));
      if (!first && about.length) return location.replace(aboutHash(text, about[0].tab));
      results.replaceChildren(...(first ? found(hits, totalcount) : nothing()), ...aboutLinks(text, about));
    } catch (error) {
      if (error.name === "AbortError") return undefined;
      if (!(error instanceof RequestError)) throw error;
      results.replaceChildren(errorPanel(error, shell.again));
    }
    return results.removeAttribute("aria-busy");
  };
  fill();
  return { heading, stop: () => stop.abort() };
}

/** States the number of hits. They are called organisations if all of them are. */
function foundWords(hits, total) {
  const areOrganisations = hits.every(({ kind }) => kind === "supplier" || kind === "customer");
  return areOrganisations ? plural(total, forms("find.found")) : t("find.foundAny", { n: count(total) });
}

function found(hits, total) {
  const words = foundWords(hits, total);
  announce(words);
  return [
    h("p", { class: "range" }, words),
    h("ol", { class: "found" }, hits.map((hit) => h("li", {}, hitLink(hit)))),
    Number(total) > hits.length && h("p", { class: "aside" }, t("find.first", { n: count(hits.length) })),
  ].filter(Boolean);
}

/** Links to the contracts and purchases whose content matches the text. */
const aboutLinks = (text, about) =>
  about.length ? [h("ul", { class: "found" }, about.map((one) => h("li", {}, aboutLink(text, one))))] : [];

function nothing() {
  announce(t("error.notFound"));
  const words = [h("h2", {}, t("error.notFound")), h("p", {}, t("find.none.do")), h("p", {}, t("find.none.data"))];
  return [h("div", { class: "panel" }, words)];
}

/** Adds suggestions to the search field: a list box whose options are links. */
export function suggest(field) {
  const list = h("div", { id: "hits", class: "hits", role: "listbox", hidden: true });
  /** Explains that there are no suggestions because a key is missing. */
  const lack = h("p", { class: "said quietly", hidden: true });
  let asked = null;
  let timer = 0;
  /** Index of the highlighted option, or -1 if no option is highlighted. */
  let active = -1;
  /** The key that the server refused, and the time until which the rate limit blocks requests. */
  let refused = null;
  let until = 0;

  const activate = (at) => {
    list.children[active]?.setAttribute("aria-selected", "false");
    active = at;
    const option = list.children[at];
    if (!option) return field.removeAttribute("aria-activedescendant");
    option.setAttribute("aria-selected", "true");
    option.scrollIntoView({ block: "nearest" });
    return field.setAttribute("aria-activedescendant", option.id);
  };
  const close = () => {
    clearTimeout(timer);
    asked?.abort();
    activate(-1);
    list.hidden = true;
    field.setAttribute("aria-expanded", "false");
  };
  const option = (at) => ({ role: "option", id: `hit-${at}`, tabindex: "-1", "aria-selected": "false" });
  const unfold = (...words) => {
    list.hidden = false;
    field.setAttribute("aria-expanded", "true");
    announce(words.join(". "));
  };
  const show = ({ hits, totalcount }, text) => {
    const toAll = { class: "hit all", href: hashOf("find", text), ...option(hits.length) };
    const all = Number(totalcount) > hits.length && h("a", toAll, t("find.all", { n: count(totalcount) }));
    list.setAttribute("aria-label", t("find.hits"));
    activate(-1);
    list.replaceChildren(...hits.map((hit, at) => hitLink(hit, option(at))), ...(all ? [all] : []));
    if (hits.length) unfold(foundWords(hits, totalcount));
  };
  /**
   * Appends the matching contracts and purchases below the names. The highlighted option stays
   * highlighted.
   */
  const addAbout = (about, { hits, totalcount }, text) => {
    const links = about.map((one, at) => aboutLink(text, one, option(list.children.length + at)));
    list.append(...links);
    unfold(...(hits.length ? [foundWords(hits, totalcount)] : []), ...links.map((link) => link.textContent));
  };
  const ask = async () => {
    const { kind, subject } = understand(field.value);
    lack.hidden = key() !== refused;
    if (!["find", "supplier", "purchase"].includes(kind) || key() === refused || Date.now() < until) return close();
    asked?.abort();
    asked = new AbortController();
    const { signal } = asked;
    try {
      const counted = tabsAbout(subject, signal);
      counted.catch(() => {});
      const isGone = () => signal.aborted || document.activeElement !== field;
      const answer = await getJson(findUrl(subject, FEW), signal);
      if (isGone()) return undefined;
      show(answer, subject);
      const about = await counted;
      if (isGone()) return undefined;
      if (about.length) return addAbout(about, answer, subject);
      return answer.hits.length ? undefined : close();
    } catch (error) {
      if (error.name === "AbortError") return undefined;
      // Other errors are not shown here: submitting the search shows them.
      if (error.kind === "key") lacking();
      if (error.kind === "limit") until = Date.now() + error.wait * 1000;
      return close();
    }
  };
  /**
   * Announces once that a key is needed. The message stays until there is a key or the search is
   * submitted.
   */
  const lacking = () => {
    refused = key();
    lack.textContent = t(refused ? "error.key" : "key.title");
    lack.hidden = false;
    announce(lack.textContent);
  };
  const type = () => {
    clearTimeout(timer);
    asked?.abort();
    activate(-1);
    timer = setTimeout(ask, PAUSE);
  };
  const press = (event) => {
    const { length } = list.children;
    if (event.key === "ArrowDown" && list.hidden) ask();
    else if (event.key === "ArrowDown") activate(active + 1 < length ? active + 1 : -1);
    else if (event.key === "ArrowUp" && !list.hidden) activate(active < 0 ? length - 1 : active - 1);
    else if (event.key === "Enter" && active >= 0) list.children[active].click();
    else if (event.key === "Escape" && !list.hidden) close();
    else {
      if (["Home", "End", "ArrowLeft", "ArrowRight"].includes(event.key)) activate(-1);
      return;
    }
    event.preventDefault();
  };
  const roles = { role: "combobox", "aria-autocomplete": "list", "aria-controls": "hits", "aria-expanded": "false" };
  for (const [name, value] of Object.entries(roles)) field.setAttribute(name, value);
  // A click on an option must not take the focus from the field.
  list.addEventListener("mousedown", (event) => event.preventDefault());
  list.addEventListener("click", close);
  field.addEventListener("input", type);
  field.addEventListener("keydown", press);
  field.addEventListener("blur", close);
  field.form.addEventListener("submit", () => (close(), (lack.hidden = true)));
  field.after(list);
  document.getElementById("search-said").after(lack);
  if (document.activeElement === field && field.value !== field.defaultValue) type();
}

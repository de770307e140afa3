// The search by content: contracts, purchases and prices under the same conditions. The conditions
// are shown as chips above the tabs and stored in the address. The heading states the result.

import { dataUpdated, getJson, RequestError } from "./client.js";
import { conditionsOf, isEnough, searchUrl, TABS, withConditions } from "./conditions.js";
import { moscowDay } from "./days.js";
import { h, refill, swap } from "./dom.js";
import { errorPanel } from "./error-panel.js";
import { count } from "./figures.js";
import { nothingFound } from "./nothing-found.js";
import { searchChips } from "./search-chips.js";
import { loadStyles } from "./styles.js";
import { loadTexts, t } from "./texts.js";
import { updates } from "./updates.js";

/**
 * Loads the function that shows a tab. `show(section, conditions, {signal, place})` fills `section`
 * and returns `{total, title, about}`: the number of results, the heading, and further figures. If
 * `total` is 0, this module fills the section instead.
 */
const SHOWN_BY = {
  contracts: async () => (await import("./found-contracts.js")).showContracts,
  purchases: async () => (await import("./found-purchases.js")).showPurchases,
  prices: async () => (await import("./prices.js")).showPrices,
};
const SHOWN = TABS.filter((name) => name in SHOWN_BY);
/** The API's error message if more results match than it allows. */
const TOO_BROAD = "Слишком общий запрос.";

await Promise.all([loadStyles("search.css"), loadTexts("search")]);

/** Shows the search in `main`. Returns the same as `supplierView`. */
export function searchView(main, { params }, shell) {
  const heading = h("h1", { tabindex: "-1" }, t("search.title"));
  const figures = h("p", { class: "figures-of" });
  const head = h("header", { class: "view-head" }, h("p", { class: "eyebrow" }, t("search.title")), heading, figures);
  const chips = h("div", { class: "chips of-search", role: "group", "aria-label": t("search.conditions") });
  const parts = tabBar();
  const section = h("section", { class: "found-by-content", "aria-label": t("search.found"), tabindex: "-1" });
  main.replaceChildren(head, chips, parts.nav, section);
  const { start, stop } = updates(section, conditionsOf);
  const say = (words, about = []) => {
    heading.replaceChildren(h("span", {}, words));
    figures.replaceChildren(...about.map((one) => h("span", {}, one)));
    shell.title(words);
  };
  const fail = (conditions, error) => {
    section.removeAttribute("aria-busy");
    if (error.kind === "key") return refill(main, () => [head, errorPanel(error, () => shell.again())]);
    say(t("search.title"));
    return swap(section, wrongPanel(conditions, error) ?? errorPanel(error, () => shell.again()));
  };
  const update = async (now) => {
    const { place, conditions, signal } = start(now);
    if (!section.firstChild) section.append(h("p", { class: "loading" }, t("loading")));
    parts.choose(conditions);
    const drawn = searchChips(chips, conditions, signal);
    parts.countResults(conditions, signal);
    if (!isEnough(conditions)) {
      section.removeAttribute("aria-busy");
      say(t("search.title"));
      return swap(section, lackingPanel(conditions));
    }
    try {
      const show = await SHOWN_BY[conditions.tab]();
      const answer = await show(section, conditions, { signal, place });
      if (signal.aborted) return undefined;
      await drawn;
      say(answer.title, [...(answer.about ?? []), t("search.asOf", { day: moscowDay(dataUpdated()) })]);
      if (answer.total === 0) await nothingFound(section, conditions, signal);
      section.removeAttribute("aria-busy");
      return place.goBack();
    } catch (error) {
      if (error.name === "AbortError") return undefined;
      if (!(error instanceof RequestError)) throw error;
      return fail(conditions, error);
    }
  };
  update(params);
  return { heading, update, stop };
}

/**
 * The tabs as links with their numbers of results. `choose` marks the current tab, `countResults`
 * fetches the numbers.
 */
function tabBar() {
  const counts = Object.fromEntries(SHOWN.map((name) => [name, h("span", { class: "count-of" })]));
  const links = Object.fromEntries(SHOWN.map((name) =>
    [name, h("a", { "data-stay": `tab-${name}` }, h("span", {}, t(`search.tab.${name}`)), " ", counts[name])]));
  const choose = ({ tab }) => {
    for (const name of SHOWN) {
      links[name].href = withConditions({ tab: name });
      if (name === tab) links[name].setAttribute("aria-current", "page");
      else links[name].removeAttribute("aria-current");
    }
  };
  const countOne = async (name, conditions, signal) => {
    try {
      const answer = isEnough(conditions, name) &&
        await getJson(searchUrl(name, conditions, "json", { limit: "0" }), signal);
      counts[name].textContent = answer ? count(answer.totalcount) : "";
    } catch (error) {
      if (error.name === "AbortError") return;
      if (!(error instanceof RequestError)) throw error;
      // The current tab already shows the error.
      counts[name].textContent = "";
    }
  };
  const countResults = (conditions, signal) => SHOWN.forEach((name) => countOne(name, conditions, signal));
  const nav = h("nav", { class: "tabs", "aria-label": t("search.tabs") }, Object.values(links));
  return { nav, choose, countResults };
}

/** Explains which conditions are missing for a request. */
function lackingPanel({ tab }) {
  return h("div", { class: "panel note" }, h("h2", {}, t("search.lacking")), h("p", {}, t(`search.lacking.${tab}`)));
}

/** Explains why the request was invalid. Returns `null` for other errors. */
function wrongPanel({ tab }, { kind, text }) {
  const why = text === TOO_BROAD ? `broad.${tab}` : / q\.$/.test(text) ? "words" : null;
  if (kind !== "wrong" || !why) return null;
  return h("section", { class: "panel error", role: "alert" },
    h("h2", {}, t(`search.${why}`)), h("p", {}, t(`search.${why}.do`)));
}

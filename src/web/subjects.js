// How many contracts and purchases a text is about, beside the names that it finds.

import { getJson, Trouble } from "./client.js";
import { h } from "./dom.js";
import { count } from "./figures.js";
import { hashOf, isSubject, requestUrl } from "./routes.js";
import { t } from "./texts.js";

const PATHS = { contracts: "/contract/search", purchases: "/purchase/search" };

/**
 * The tabs of the search that have something about `text`, as `{tab, total}`; none where it is no
 * subject, or that cannot be told.
 */
export async function tabsAbout(text, signal) {
  if (!isSubject(text)) return [];
  const totals = await Promise.all(Object.entries(PATHS).map(async ([tab, path]) => {
    try {
      const { totalcount } = await getJson(requestUrl(path, { q: text, format: "json", limit: "0" }), signal);
      return { tab, total: Number(totalcount) };
    } catch (trouble) {
      // Names are shown without it, and whoever opens the search is told.
      if (trouble instanceof Trouble) return { tab, total: 0 };
      throw trouble;
    }
  }));
  return totals.filter(({ total }) => total > 0);
}

/** The address of a tab of the search for `text`. */
export const aboutHash = (text, tab) => hashOf("search", "", { q: text, tab: tab === "contracts" ? "" : tab });

/** A tab of the search for `text` as a link. */
export const aboutLink = (text, { tab, total }, props = {}) =>
  h("a", { class: "hit about-it", href: aboutHash(text, tab), ...props },
    h("span", { class: "name" }, t(`find.about.${tab}`, { text, n: count(total) })));

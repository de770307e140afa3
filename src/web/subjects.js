// Counts the contracts and purchases whose subject matches the typed text, for the suggestions of
// the search field.

import { getJson, RequestError } from "./client.js";
import { h } from "./dom.js";
import { count } from "./figures.js";
import { hashOf, isSubject, requestUrl } from "./routes.js";
import { t } from "./texts.js";

const PATHS = { contracts: "/contract/search", purchases: "/purchase/search" };

/**
 * Returns the tabs of the search that have results for `text`, as `{tab, total}`. Returns an empty
 * array if the text cannot be a subject or the counts cannot be fetched.
 */
export async function tabsAbout(text, signal) {
  if (!isSubject(text)) return [];
  const totals = await Promise.all(Object.entries(PATHS).map(async ([tab, path]) => {
    try {
      const { totalcount } = await getJson(requestUrl(path, { q: text, format: "json", limit: "0" }), signal);
      return { tab, total: Number(totalcount) };
    } catch (error) {
      // The suggestions work without counts, and submitting the search reports the error.
      if (error instanceof RequestError) return { tab, total: 0 };
      throw error;
    }
  }));
  return totals.filter(({ total }) => total > 0);
}

export const aboutHash = (text, tab) => hashOf("search", "", { q: text, tab: tab === "contracts" ? "" : tab });

export const aboutLink = (text, { tab, total }, props = {}) =>
  h("a", { class: "hit about-it", href: aboutHash(text, tab), ...props },
    h("span", { class: "name" }, t(`find.about.${tab}`, { text, n: count(total) })));

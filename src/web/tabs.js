// The parts of a view, one shown at a time; its address keeps which.

import { h } from "./dom.js";
import { count } from "./figures.js";
import { TABS, withFilters } from "./filters.js";
import { t } from "./texts.js";

/**
 * Links to the parts of the view of `whose`, and a section for each: `{nav, sections, choose,
 * tell}`. `choose` shows one, `tell` says how many things a part has.
 */
export function tabs(whose) {
  const counts = Object.fromEntries(TABS.map((name) => [name, h("span", { class: "count-of" })]));
  const links = Object.fromEntries(TABS.map((name) => [
    name,
    h("a", { href: withFilters(whose, { tab: name }), "data-stay": `tab-${name}` },
      h("span", {}, t(`tab.${name}`)), " ", counts[name]),
  ]));
  const sections = Object.fromEntries(TABS.map((name) => [
    name, h("section", { id: `tab-${name}`, class: "tab away", "aria-label": t(`tab.${name}`) }),
  ]));
  const nav = h("nav", { class: "tabs", "aria-label": t("tab.title") }, Object.values(links));
  const choose = (chosen) => {
    for (const name of TABS) {
      sections[name].classList.toggle("away", name !== chosen);
      links[name].href = withFilters(whose, { tab: name });
      if (name === chosen) links[name].setAttribute("aria-current", "page");
      else links[name].removeAttribute("aria-current");
    }
  };
  const tell = (name, number) => (counts[name].textContent = count(number));
  return { nav, sections, choose, tell };
}

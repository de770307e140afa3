// The parts of a view, one shown at a time; its address keeps which.

import { h } from "./dom.js";
import { count } from "./figures.js";
import { TABS, withFilters } from "./filters.js";
import { t } from "./texts.js";

/** How much of the tab before is seen where the tabs scroll, pixels. */
const EDGE = 40;

/** What a part is called: some are of another kind in another view. */
const tabName = ({ view }, name) =>
  t(view === "customer" && name === "purchases" ? "tab.purchases.ofCustomer" : `tab.${name}`);

/**
 * Links to the parts of the view of `whose`, and a section for each: `{nav, sections, choose,
 * tell}`. `choose` shows one, `tell` says how many things a part has.
 */
export function tabs(whose) {
  const names = TABS[whose.view];
  const counts = Object.fromEntries(names.map((name) => [name, h("span", { class: "count-of" })]));
  const links = Object.fromEntries(names.map((name) => [
    name,
    h("a", { href: withFilters(whose, { tab: name }), "data-stay": `tab-${name}` },
      h("span", {}, tabName(whose, name)), " ", counts[name]),
  ]));
  const sections = Object.fromEntries(names.map((name) => [
    name, h("section", { id: `tab-${name}`, class: "tab away", "aria-label": tabName(whose, name) }),
  ]));
  const nav = h("nav", { class: "tabs", "aria-label": t(`tab.title.${whose.view}`) }, Object.values(links));
  const choose = (wanted) => {
    const chosen = names.includes(wanted) ? wanted : names[0];
    for (const name of names) {
      sections[name].classList.toggle("away", name !== chosen);
      links[name].href = withFilters(whose, { tab: name });
      if (name === chosen) links[name].setAttribute("aria-current", "page");
      else links[name].removeAttribute("aria-current");
    }
    // On a phone the tabs are one line that scrolls.
    const { offsetLeft, offsetWidth } = links[chosen];
    if (offsetLeft + offsetWidth > nav.scrollLeft + nav.clientWidth || offsetLeft < nav.scrollLeft) {
      nav.scrollLeft = offsetLeft - EDGE;
    }
  };
  const tell = (name, number) => (counts[name].textContent = count(number));
  return { nav, sections, choose, tell };
}

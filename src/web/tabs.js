// The tabs of a view. The address names the current one.

import { h } from "./dom.js";
import { count } from "./figures.js";
import { TABS, withFilters } from "./filters.js";
import { t } from "./texts.js";

/** How much of the previous tab stays visible when the tab bar scrolls, in pixels. */
const EDGE = 40;

/** The label of a tab. Suppliers and customers have different labels for some tabs. */
const tabName = ({ view }, name) =>
  t(view === "customer" && name === "purchases" ? "tab.purchases.ofCustomer" : `tab.${name}`);

/**
 * Creates the tabs of the owner's view: `{nav, sections, choose, setCount}`. `choose` opens a tab,
 * `setCount` sets the number in its label.
 */
export function tabs(owner) {
  const names = TABS[owner.view];
  const counts = Object.fromEntries(names.map((name) => [name, h("span", { class: "count-of" })]));
  const links = Object.fromEntries(names.map((name) => [
    name,
    h("a", { href: withFilters(owner, { tab: name }), "data-stay": `tab-${name}` },
      h("span", {}, tabName(owner, name)), " ", counts[name]),
  ]));
  const sections = Object.fromEntries(names.map((name) => [
    name, h("section", { id: `tab-${name}`, class: "tab away", "aria-label": tabName(owner, name) }),
  ]));
  const nav = h("nav", { class: "tabs", "aria-label": t(`tab.title.${owner.view}`) }, Object.values(links));
  const choose = (wanted) => {
    const chosen = names.includes(wanted) ? wanted : names[0];
    for (const name of names) {
      sections[name].classList.toggle("away", name !== chosen);
      links[name].href = withFilters(owner, { tab: name });
      if (name === chosen) links[name].setAttribute("aria-current", "page");
      else links[name].removeAttribute("aria-current");
    }
    // On phones the tab bar is a single line that scrolls.
    const { offsetLeft, offsetWidth } = links[chosen];
    if (offsetLeft + offsetWidth > nav.scrollLeft + nav.clientWidth || offsetLeft < nav.scrollLeft) {
      nav.scrollLeft = offsetLeft - EDGE;
    }
  };
  const setCount = (name, number) => (counts[name].textContent = count(number));
  return { nav, sections, choose, setCount };
}

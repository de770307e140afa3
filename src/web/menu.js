// A menu below a button. It closes on Escape, on a click elsewhere, and when the keyboard focus
// moves away.

import { h } from "./dom.js";

/**
 * Returns a button with `words` that opens `content` below. `stay`: see `swap`; `kind`: CSS
 * classes; `label`: the accessible name if `words` is not a plain text.
 * @param {any} words
 * @param {{stay: string, kind?: string, button?: string, label?: string}} how
 * @param {...any} content
 */
export function menu(words, { stay, kind = "", button = "", label = words }, ...content) {
  const arrow = h("span", { "aria-hidden": "true" }, " ▾");
  const summary = h("summary", { class: button || null, "data-stay": stay }, words, arrow);
  const list = h("div", { class: "menu-list", role: "group", "aria-label": label }, content);
  const element = h("details", { class: `menu ${kind}` }, summary, list);
  const close = () => (element.open = false);
  const escape = ({ key }) => key === "Escape" && element.open && (close(), summary.focus());
  // Do not close the menu on pointer down: the page could become shorter before the button is
  // released, and the click would miss its target.
  const leave = ({ type, target }) =>
    !element.contains(target) && (type === "click" || target.matches(":focus-visible")) && close();
  element.addEventListener("keydown", escape);
  element.addEventListener("toggle", () => {
    list.classList.remove("at-end");
    // Align the list with the right edge of the button if it would overflow the window.
    list.classList.toggle("at-end", list.getBoundingClientRect().right > document.documentElement.clientWidth);
    for (const event of ["click", "focusin"]) (element.open ? addEventListener : removeEventListener)(event, leave);
  });
  return element;
}

// What opens below a button: closed by Escape, by a click elsewhere, and where the keyboard leaves it.

import { h } from "./dom.js";

/**
 * A button with these words, whose `content` opens below it. `stay`: see `swap`; `kind`: its classes;
 * `label`: its name, where the words are more than a text.
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
  // A page that grew shorter under a mouse button that is pressed would miss the click.
  const leave = ({ type, target }) =>
    !element.contains(target) && (type === "click" || target.matches(":focus-visible")) && close();
  element.addEventListener("keydown", escape);
  element.addEventListener("toggle", () => {
    list.classList.remove("at-end");
    // A list that would reach past the window ends where its button does.
    list.classList.toggle("at-end", list.getBoundingClientRect().right > document.documentElement.clientWidth);
    for (const event of ["click", "focusin"]) (element.open ? addEventListener : removeEventListener)(event, leave);
  });
  return element;
}

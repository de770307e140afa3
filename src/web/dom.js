// Creating and updating elements. Content is always inserted as text, so nothing in the data can
// become markup.

/** @param {string} id @returns {any} The element, of whichever type the caller expects. */
export const byId = (id) => document.getElementById(id);

const SVG = "http://www.w3.org/2000/svg";

/**
 * Creates an element. `props` holds its attributes, and event listeners under `on`. Props that are
 * `null` or `false` are skipped.
 */
export function h(tag, props = {}, ...children) {
  return filled(document.createElement(tag), props, children);
}

/** Creates an SVG element; see `h`. */
export function s(tag, props = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), props, children);
}

function filled(element, props, children) {
  for (const [name, value] of Object.entries(props)) {
    if (name === "on") {
      for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    } else if (name === "value" || name === "checked" || name === "hidden") {
      element[name] = value;
    } else if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(name, value === true ? "" : value);
    }
  }
  const some = children.flat(9).filter((child) => child !== null && child !== undefined && child !== false);
  if (isEnglish() && some.length && some.every(isRussian)) element.setAttribute("lang", "ru");
  const marked = element.getAttribute("lang") === "ru" ? some : some.flatMap(inRussian);
  element.append(...(PLAIN.has(element.localName) ? some : marked.flatMap(unbroken)));
  return element;
}

/** Elements that may contain only text. */
const PLAIN = new Set(["option", "textarea", "title", "text"]);
/** Text that must stay on one line, including its punctuation: `44-ФЗ`, `№ 44-ФЗ`, `(№ 615)`. */
const WHOLE = /(\(?(?:(?:№ )?\d+-(?:ФЗ|FZ)|№ \d{1,4}(?!\d))[),.;:»“]*)/u;

const CYRILLIC = /\p{Script=Cyrillic}/u;
/** Russian text up to the next Latin letter. */
const RUSSIAN = /(\p{Script=Cyrillic}[^A-Za-z]*)/u;
const isRussian = (child) => typeof child === "string" && CYRILLIC.test(child) && !/[A-Za-z]/.test(child);

const isEnglish = () => document.documentElement.lang === "en";

/** Splits text on the English page, so that the Russian parts can be marked with `lang`. */
function inRussian(child) {
  if (typeof child !== "string" || !isEnglish() || !CYRILLIC.test(child)) return [child];
  return child.split(RUSSIAN).map((text, at) => {
    if (at % 2 === 0) return text;
    const russian = document.createElement("span");
    russian.lang = "ru";
    russian.textContent = text;
    return russian;
  });
}

/** Splits text, so that each part that must not wrap becomes a separate element. */
function unbroken(child) {
  if (typeof child !== "string" || !WHOLE.test(child)) return [child];
  return child.split(WHOLE).map((text, at) => {
    if (at % 2 === 0) return text;
    const whole = document.createElement("span");
    whole.className = "unbroken";
    whole.textContent = text;
    return whole;
  });
}

/**
 * Icons as SVG paths in a 24 by 24 box. `icons.js` registers them; the server generates it from
 * `icons.json`.
 */
const ICONS = {};
export const addIcons = (icons) => Object.assign(ICONS, icons);

/** Returns an icon. It always accompanies text with the same meaning, so screen readers skip it. */
export function icon(name, className = "") {
  return s(
    "svg",
    { viewBox: "0 0 24 24", class: `icon ${className}`, "aria-hidden": "true", focusable: "false" },
    (ICONS[name] ?? ICONS.undetermined).map((d) => s("path", { d })),
  );
}

/**
 * Replaces the content of `container` and keeps the keyboard focus: if the focused element has a
 * `data-stay`, focus moves to the new element with the same value, otherwise to the section's
 * heading.
 */
export function swap(container, ...content) {
  /** @type {any} */
  const active = document.activeElement;
  const within = container.contains(active) && active;
  const held = within && within.dataset.stay;
  container.replaceChildren(...content.flat(9).filter(Boolean));
  if (!within || within.isConnected) return;
  const successor = held && container.querySelector(`[data-stay="${CSS.escape(held)}"]`);
  if (successor) successor.focus({ preventScroll: true });
  else focusHeading(container.closest("section"));
}

/**
 * Replaces the content of `main` with what `make` returns. If the focus was inside `main`, it moves
 * to the key field or to the heading.
 */
export function refill(main, make) {
  const hadFocus = main.contains(document.activeElement);
  main.replaceChildren(...make().flat(9).filter(Boolean));
  const field = main.querySelector("#key-field");
  if (field && document.activeElement === document.body) field.focus();
  else if (hadFocus && !main.contains(document.activeElement)) main.querySelector("h1")?.focus({ preventScroll: true });
}

export function focusHeading(section) {
  const heading = section?.querySelector("h2");
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

/** Announces a message to screen readers. */
export function announce(words) {
  const element = document.getElementById("status");
  element.textContent = "";
  setTimeout(() => (element.textContent = words), 50);
}

let toastTimer;

/** Shows a message for a few seconds and announces it. */
export function toast(words) {
  const element = document.getElementById("toast");
  element.textContent = words;
  element.hidden = false;
  announce(words);
  clearTimeout(toastTimer);
  const hide = () => (element.hidden = true);
  toastTimer = setTimeout(hide, 6000);
  // Hide the message when another view opens, because it belongs to the view that showed it.
  addEventListener("hashchange", hide, { once: true });
}

// Elements, made one by one: text goes in as text, so that nothing a record says can
// become markup.

/** @param {string} id @returns {any} The element of that name: an input or not, the caller knows. */
export const byId = (id) => document.getElementById(id);

const SVG = "http://www.w3.org/2000/svg";

/** An element. `props`: attributes, and `on` with listeners; null and false are left out. */
export function h(tag, props = {}, ...children) {
  return filled(document.createElement(tag), props, children);
}

/** The same within an SVG. */
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

/** Elements that have text alone. */
const PLAIN = new Set(["option", "textarea", "title", "text"]);
/** What stands in one line, with its punctuation: `44-ФЗ`, `№ 44-ФЗ`, `(№ 615)`. */
const WHOLE = /(\(?(?:(?:№ )?\d+-(?:ФЗ|FZ)|№ \d{1,4}(?!\d))[),.;:»“]*)/u;

const CYRILLIC = /\p{Script=Cyrillic}/u;
/** Russian words, up to those in Latin letters. */
const RUSSIAN = /(\p{Script=Cyrillic}[^A-Za-z]*)/u;
const isRussian = (child) => typeof child === "string" && CYRILLIC.test(child) && !/[A-Za-z]/.test(child);

const isEnglish = () => document.documentElement.lang === "en";

/** A text on the English page whose Russian parts say their language; other things as they are. */
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

/** A text whose parts that must not be broken are elements of their own; other things as they are. */
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

/** Icons as SVG paths in a 24 by 24 box: `icons.js`, which the server makes from `icons.json`, adds them. */
const ICONS = {};
export const addIcons = (icons) => Object.assign(ICONS, icons);

/** A drawing beside words that say the same, hidden from those who listen. */
export function icon(name, className = "") {
  return s(
    "svg",
    { viewBox: "0 0 24 24", class: `icon ${className}`, "aria-hidden": "true", focusable: "false" },
    (ICONS[name] ?? ICONS.undetermined).map((d) => s("path", { d })),
  );
}

/**
 * Puts other content into `container`; a focus on an element with a `data-stay` goes to its
 * successor, and where there is none, on the heading of the section.
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

/** Puts what `make` makes into `main`; a focus that had been in it goes to the field for a key, or to the heading. */
export function refill(main, make) {
  const hadFocus = main.contains(document.activeElement);
  main.replaceChildren(...make().flat(9).filter(Boolean));
  const field = main.querySelector("#key-field");
  if (field && document.activeElement === document.body) field.focus();
  else if (hadFocus && !main.contains(document.activeElement)) main.querySelector("h1")?.focus({ preventScroll: true });
}

/** Puts the focus on a section's heading. */
export function focusHeading(section) {
  const heading = section?.querySelector("h2");
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

/** Says something to those who listen to the page. */
export function announce(words) {
  const element = document.getElementById("status");
  element.textContent = "";
  setTimeout(() => (element.textContent = words), 50);
}

let toastTimer;

/** Shows a short message for a while, and says it. */
export function toast(words) {
  const element = document.getElementById("toast");
  element.textContent = words;
  element.hidden = false;
  announce(words);
  clearTimeout(toastTimer);
  const hide = () => (element.hidden = true);
  toastTimer = setTimeout(hide, 6000);
  // It is of the view that it was said in.
  addEventListener("hashchange", hide, { once: true });
}

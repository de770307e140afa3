// The entry point: attaches the header's event handlers, draws the footer, and shows the view named
// in the address after `#`. Also handles language, theme and key.

import { about, CREDENTIALS, dataUpdated, onUpdated, RequestError } from "./client.js";
import { announce, byId, h, swap } from "./dom.js";
import { day, moscow } from "./days.js";
import { errorPanel, keyPanel } from "./error-panel.js";
import { plural } from "./figures.js";
import { homeView } from "./home.js";
import { hashOf, isInn, isSubject, lawOf, readHash, understand } from "./routes.js";
import { localStore, setItem } from "./storage.js";
import { forms, language, setLanguage, t } from "./texts.js";

/**
 * The views other than the home page, loaded on first use. `takes` validates the subject in the
 * address. `title` is the title of the browser tab until the view sets one. Views with `isLater`
 * are not prefetched, because most users never open them.
 */
const VIEWS = {
  supplier: { takes: isInn, load: async () => (await import("./supplier.js")).supplierView },
  purchase: { takes: (number) => lawOf(number) !== null, load: async () => (await import("./purchase.js")).purchaseView },
  customer: { takes: isInn, isLater: true, load: async () => (await import("./customer.js")).customerView },
  evidence: { takes: isInn, isLater: true, load: async () => (await import("./evidence.js")).evidenceView },
  batch: { takes: () => true, isLater: true, title: "batch.title", load: async () => (await import("./batch.js")).batchView },
  "price-sheet": { takes: (subject) => subject === "", isLater: true, title: "title.priceSheet", load: async () => (await import("./price-sheet.js")).priceSheetView },
  search: { takes: (subject) => subject === "", isLater: true, title: "search.title", load: async () => (await import("./search.js")).searchView },
  rnp: { takes: (subject) => subject === "", isLater: true, title: "nav.rnp", load: async () => (await import("./rnp.js")).rnpView },
  find: { takes: (text) => text !== "", load: async () => (await import("./find.js")).findView },
};
/** How long the script of a view may load before the page says so, in milliseconds. */
const SCRIPT_WAIT = 200;
const THEMES = ["auto", "light", "dark"];
/**
 * Attributes of the header that are translated, by the `data-` attribute with the key of the
 * translation.
 */
const TRANSLATED = { title: "title", label: "aria-label", placeholder: "placeholder" };
const main = byId("main");
const footer = byId("footer");
const field = byId("search");
const wrong = byId("search-said");

/** The current view, and a string with its name and subject. */
let view = null;
let shown = "";

const shell = {
  /** Redraws the current view. */
  again: () => show({ anew: true }),
  /** Sets the title of the browser tab. */
  title: (words) => (document.title = `${words} · procurement-lookup`),
  /** Returns the error to show when a script has failed to load. */
  loadError: async () => new RequestError(await isOutdated() ? "outdated" : "offline"),
  /** Opens the first file as a list check. */
  take: async (files) => {
    (await import("./batch.js")).openList(files[0]);
    const hash = hashOf("batch");
    if (location.hash === hash) return show({ anew: true });
    return (location.hash = hash);
  },
};

/**
 * Shows the view in the address. If the view is already shown, only passes the new parameters to
 * it.
 */
async function show({ anew = false, quietly = false } = {}) {
  const route = readHash(location.hash);
  const name = `${route.view}/${route.subject}`;
  document.documentElement.dataset.view = route.view || "home";
  if (!anew && name === shown && view?.update) {
    if (route.view === "search") fillSearch(route, false);
    return view.update(route.params);
  }
  const first = shown === "";
  shown = name;
  view?.stop();
  view = null;
  if (!(first && field.value)) fillSearch(route, quietly);
  const sayLoading = () => shown === name && main.replaceChildren(h("p", { class: "loading" }, t("loading")));
  const late = setTimeout(sayLoading, SCRIPT_WAIT);
  const made = await viewOf(route);
  clearTimeout(late);
  if (shown !== name) return undefined;
  view = made(main, route, shell);
  if (first && name === "/" && matchMedia("(pointer: fine)").matches) field.focus();
  if (first || quietly) return undefined;
  scrollTo(0, 0);
  return view.heading.focus({ preventScroll: true });
}

/** Returns the function that shows the view of `route` in `main`. */
async function viewOf({ view: kind, subject }) {
  if (kind === "") {
    shell.title(t("title.home"));
    return homeView;
  }
  const entry = Object.hasOwn(VIEWS, kind) ? VIEWS[kind] : null;
  if (!entry?.takes(subject)) {
    shell.title(t("nowhere"));
    return notFoundView;
  }
  shell.title(entry.title ? t(entry.title) : subject);
  try {
    return await entry.load();
  } catch {
    const error = await shell.loadError();
    return () => errorView(error);
  }
}

/** Returns whether the server has been upgraded. It then answers 404 for the URL of this script. */
async function isOutdated() {
  try {
    return (await fetch(import.meta.url, { method: "HEAD", cache: "no-store" })).status === 404;
  } catch {
    return false;
  }
}

function notFoundView() {
  const heading = h("h1", { tabindex: "-1" }, t("nowhere"));
  main.replaceChildren(h("header", { class: "view-head" }, heading, h("p", {}, t("nowhere.do"))));
  return { heading, stop: () => {} };
}

function errorView(error) {
  const panel = errorPanel(error, () => location.reload());
  panel.tabIndex = -1;
  main.replaceChildren(panel);
  return { heading: panel, stop: () => {} };
}

/** Shows an error below the search field; "" removes it. */
function showFieldError(text) {
  wrong.textContent = text;
  wrong.hidden = !text;
  if (text) field.setAttribute("aria-invalid", "true");
  else field.removeAttribute("aria-invalid");
}

/** Explains why the text in the search field leads nowhere. */
function errorText({ why = "", digits = 0 }) {
  const words = forms(`search.${why}`);
  return typeof words === "string" ? words : plural(digits, words);
}

/**
 * Returns the address for the text in the search field. If the text leads nowhere, shows why and
 * returns `null`.
 */
function addressOf(text) {
  const search = understand(text);
  if (search.kind === "wrong") {
    showFieldError(errorText(search));
    return null;
  }
  const { view: shownKind, params: conditions } = readHash(location.hash);
  if (shownKind === "search" && search.kind === "find" && isSubject(search.subject)) {
    // On the search page, new words keep the conditions but not the chosen prices, because these
    // belong to the old words.
    return hashOf("search", "", { ...Object.fromEntries(conditions), q: search.subject, page: "", unit: "", pick: "" });
  }
  const many = search.inns?.length > 200;
  if (many) setItem("batch", search.inns.join(", "));
  const params = search.kind === "batch" && (many ? { go: "1" } : { inn: search.inns.join(",") });
  return hashOf(search.kind, search.subject, params || {});
}

function submit(event) {
  event.preventDefault();
  const hash = addressOf(field.value);
  if (hash === null) return field.focus();
  if (location.hash === hash) return show({ anew: true });
  return (location.hash = hash);
}

/** Turns a pasted table column into a single line. */
function paste(event) {
  const text = event.clipboardData.getData("text/plain").trim();
  if (!/[\r\n\t]/.test(text)) return;
  event.preventDefault();
  field.value = text.split(/\s+/).join(" ");
}

/** Handles a search that was submitted before the scripts had loaded. */
function takeQuery() {
  const address = new URL(location.href);
  const text = address.searchParams.get("q");
  if (text === null) return;
  address.searchParams.delete("q");
  if (field.value === field.defaultValue) field.value = text;
  address.hash = addressOf(text) ?? "";
  history.replaceState(null, "", address);
}

function startHeader() {
  field.form.addEventListener("submit", submit);
  field.addEventListener("input", () => showFieldError(""));
  field.addEventListener("paste", paste);
  byId("key-button")?.addEventListener("click", showKeyPanel);
  byId("language").addEventListener("change", (event) => chooseLanguage(event.currentTarget.value));
  byId("skip").addEventListener("click", (event) => (event.preventDefault(), main.focus()));
}

/** @param {string} selector @returns {any[]} */
const every = (selector) => [...document.querySelectorAll(selector)];

/** Translates the header, which the server rendered. */
function translateHeader() {
  for (const element of every("[data-text]")) element.textContent = t(element.dataset.text);
  for (const [name, attribute] of Object.entries(TRANSLATED)) {
    for (const element of every(`[data-${name}]`)) element.setAttribute(attribute, t(element.dataset[name]));
  }
  byId("language").value = language();
  showFieldError("");
}

function drawFooter() {
  const filled = h("div", { id: "coverage" }, h("p", { class: "loading" }, t("loading")));
  const again = ({ currentTarget: { open } }) => open && !filled.querySelector("table") && fillCoverage();
  footer.replaceChildren(
    ...(about.hasCoverage ? [h("details", { class: "coverage", on: { toggle: again } }, h("summary", {}, t("coverage.title")), filled)] : []),
    h("p", {}, h("span", {}, t("foot.version", { version: about.version })), h("a", { href: `/docs?lang=${language()}` }, t("foot.docs")), h("a", { href: `/docs/?lang=${language()}` }, t("foot.manual")), h("a", { href: "/openapi.json" }, "OpenAPI"), h("span", {}, t("foot.local")),
      h("select", { "aria-label": t("nav.theme"), title: t("nav.theme"), on: { change: (event) => setTheme(event.currentTarget.value) } },
        THEMES.map((one) => h("option", { value: one, selected: one === theme() }, t(`theme.${one}`))))),
  );
}

/** Fills the footer's coverage table, if there is one. */
async function fillCoverage() {
  const place = byId("coverage");
  if (!place) return;
  try {
    const { coverageTable } = await import("./coverage.js");
    swap(place, ...(await coverageTable()));
  } catch {
    swap(place, h("p", {}, `${t("error.offline")}. ${t("error.offline.do")}`));
  }
}

function fillSearch({ view: kind, subject, params }, quietly) {
  // A change of language keeps what was typed.
  if (!quietly) field.value = kind === "batch" ? "" : kind === "search" ? params.get("q") ?? "" : subject;
  showFieldError("");
}

/** Redraws everything after a change of language, keeping what was typed. */
async function redraw() {
  translateHeader();
  const isOpen = every("#footer details")[0]?.open;
  drawFooter();
  if (isOpen !== undefined) {
    every("#footer details")[0].open = isOpen;
    fillCoverage();
  }
  drawUpdated();
  const text = byId("batch-text")?.value;
  await show({ anew: true, quietly: true });
  const list = byId("batch-text");
  if (list && text !== undefined) list.value = text;
}

async function chooseLanguage(code) {
  try {
    await setLanguage(code, { chosen: true });
  } catch {
    announce(t("error.offline"));
  }
  await redraw();
}

/** Opens the panel to change or forget the key, above the view. */
function showKeyPanel() {
  const there = byId("key-field");
  if (there) return there.focus();
  main.prepend(keyPanel(shell.again));
  return byId("key-field").focus();
}

function theme() {
  const chosen = localStore.getItem("theme");
  return THEMES.includes(chosen) ? chosen : "auto";
}

function setTheme(chosen) {
  localStore.setItem("theme", chosen);
  document.documentElement.dataset.theme = chosen;
  dispatchEvent(new Event("theme"));
}

/**
 * Shows the dates of the contracts and of the registries. An import may update only one of them.
 */
async function drawUpdated() {
  if (about.dataUpdated !== dataUpdated()) {
    try {
      Object.assign(about, await (await fetch("/about.json", { credentials: CREDENTIALS })).json());
    } catch {
      return;
    }
  }
  const { contractsUpdated, registriesAsOf } = about;
  byId("updated").textContent = [
    contractsUpdated ? t("data.contracts", { time: moscow(contractsUpdated) }) : t("data.updated", { time: moscow(dataUpdated()) }),
    registriesAsOf && t("data.registries", { day: day(registriesAsOf) }),
  ].filter(Boolean).join(" · ");
}

/** `/` focuses the search field unless the user is typing elsewhere. */
function onKey(event) {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select")) return;
  event.preventDefault();
  // `select` alone does not scroll to the field.
  field.focus();
  field.select();
}

/** Opens dropped files as a list, because the browser would display them instead of the page. */
function onDrop(event) {
  const files = [...event.dataTransfer.files];
  if (!files.length) return;
  event.preventDefault();
  shell.take(files);
}

/** Expands all collapsed parts, so that they are printed too. */
function beforePrint() {
  for (const details of every("details:not([open])")) {
    details.open = true;
    addEventListener("afterprint", () => (details.open = false), { once: true });
  }
}

function broken() {
  if (!document.querySelector(".error")) main.prepend(errorPanel(new RequestError("broken"), () => location.reload()));
}

async function start() {
  await setLanguage(language());
  onUpdated(() => (drawUpdated(), fillCoverage()));
  addEventListener("hashchange", () => show());
  addEventListener("keydown", onKey);
  addEventListener("dragover", (event) => event.dataTransfer.types.includes("Files") && event.preventDefault());
  addEventListener("drop", onDrop);
  addEventListener("beforeprint", beforePrint);
  addEventListener("error", broken);
  addEventListener("unhandledrejection", broken);
  startHeader();
  drawFooter();
  drawUpdated();
  takeQuery();
  await show();
  // Prefetch the remaining views after the first paint, so as not to delay it.
  requestAnimationFrame(() => setTimeout(() => {
    Object.values(VIEWS).forEach(({ isLater, load }) => isLater || load().catch(() => {}));
    import("./find.js").then(({ suggest }) => suggest(field)).catch(() => {});
    fillCoverage();
  }));
}

start();

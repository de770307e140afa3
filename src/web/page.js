// Where the page starts: what the server made of its header is given its work; the footer; the
// view that the address names after `#`; the language, the theme, the key.

import { about, CREDENTIALS, dataUpdated, onUpdated, Trouble } from "./client.js";
import { announce, byId, h, swap } from "./dom.js";
import { day, moscow } from "./days.js";
import { plural } from "./figures.js";
import { homeView } from "./home.js";
import { hashOf, isInn, isSubject, lawOf, readHash, understand } from "./routes.js";
import { lasting, setItem } from "./storage.js";
import { forms, language, speak, t } from "./texts.js";
import { keyPanel, troublePanel } from "./trouble.js";

/** The views but the first, each loaded when it is first shown: what it may be of, and how its tab is called until it knows better; `isLater`: not loaded ahead, as most never go there. */
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
const THEMES = ["auto", "light", "dark"];
/** The attributes of the header that are texts, by the data that name them. */
const WORDED = { title: "title", label: "aria-label", placeholder: "placeholder" };
const main = byId("main");
const footer = byId("footer");
const field = byId("search");
const wrong = byId("search-said");

/** The view that is shown, and what it is of. */
let view = null;
let shown = "";

const shell = {
  /** Shows the same view anew. */
  again: () => show({ anew: true }),
  /** Names the tab. */
  title: (words) => (document.title = `${words} · procurement-lookup`),
  /** Why a script could not be loaded. */
  unloaded: async () => new Trouble(await isOutdated() ? "outdated" : "offline"),
  /** Takes files: the first is a list to be checked. */
  take: async (files) => {
    (await import("./batch.js")).takeList(files[0]);
    const hash = hashOf("batch");
    if (location.hash === hash) return show({ anew: true });
    return (location.hash = hash);
  },
};

/** Shows the view that the address names; one that is shown already is only given its new parameters. */
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
  const made = await viewOf(route);
  if (shown !== name) return undefined;
  view = made(main, route, shell);
  if (first && name === "/" && matchMedia("(pointer: fine)").matches) field.focus();
  if (first || quietly) return undefined;
  scrollTo(0, 0);
  return view.heading.focus({ preventScroll: true });
}

/** The function that puts the view of `route` into `main`. */
async function viewOf({ view: kind, subject }) {
  if (kind === "") {
    shell.title(t("title.home"));
    return homeView;
  }
  const entry = Object.hasOwn(VIEWS, kind) ? VIEWS[kind] : null;
  if (!entry?.takes(subject)) {
    shell.title(t("nowhere"));
    return nowhere;
  }
  shell.title(entry.title ? t(entry.title) : subject);
  try {
    return await entry.load();
  } catch {
    const trouble = await shell.unloaded();
    return () => unreachable(trouble);
  }
}

/** Does the server have another version of the page by now? Then it no longer knows the address of this script. */
async function isOutdated() {
  try {
    return (await fetch(import.meta.url, { method: "HEAD", cache: "no-store" })).status === 404;
  } catch {
    return false;
  }
}

function nowhere() {
  const heading = h("h1", { tabindex: "-1" }, t("nowhere"));
  main.replaceChildren(h("header", { class: "view-head" }, heading, h("p", {}, t("nowhere.do"))));
  return { heading, stop: () => {} };
}

function unreachable(trouble) {
  const panel = troublePanel(trouble, () => location.reload());
  panel.tabIndex = -1;
  main.replaceChildren(panel);
  return { heading: panel, stop: () => {} };
}

/** What the search field has that leads nowhere, in words; none where all is well. */
function say(text) {
  wrong.textContent = text;
  wrong.hidden = !text;
  if (text) field.setAttribute("aria-invalid", "true");
  else field.removeAttribute("aria-invalid");
}

/** Why what was typed leads nowhere. */
function wrongWords({ why = "", digits = 0 }) {
  const words = forms(`search.${why}`);
  return typeof words === "string" ? words : plural(digits, words);
}

/** The address of what was typed; null, and said why, where it leads nowhere. */
function addressOf(text) {
  const search = understand(text);
  if (search.kind === "wrong") {
    say(wrongWords(search));
    return null;
  }
  const { view: shownKind, params: conditions } = readHash(location.hash);
  if (shownKind === "search" && search.kind === "find" && isSubject(search.subject)) {
    // Other words under the conditions that are chosen; the prices that were chosen are of the old words.
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

/** A column of a table goes into the field on one line. */
function paste(event) {
  const text = event.clipboardData.getData("text/plain").trim();
  if (!/[\r\n\t]/.test(text)) return;
  event.preventDefault();
  field.value = text.split(/\s+/).join(" ");
}

/** What was sent by the form before this script was there has the address that it would have got. */
function takeQuery() {
  const address = new URL(location.href);
  const text = address.searchParams.get("q");
  if (text === null) return;
  address.searchParams.delete("q");
  if (field.value === field.defaultValue) field.value = text;
  address.hash = addressOf(text) ?? "";
  history.replaceState(null, "", address);
}

/** Gives the header, as the server made it, its work. */
function startHeader() {
  field.form.addEventListener("submit", submit);
  field.addEventListener("input", () => say(""));
  field.addEventListener("paste", paste);
  byId("key-button")?.addEventListener("click", showKeyPanel);
  byId("language").addEventListener("change", (event) => chooseLanguage(event.currentTarget.value));
  byId("skip").addEventListener("click", (event) => (event.preventDefault(), main.focus()));
}

/** @param {string} selector @returns {any[]} */
const every = (selector) => [...document.querySelectorAll(selector)];

/** Says the header in another language. */
function wordHeader() {
  for (const element of every("[data-text]")) element.textContent = t(element.dataset.text);
  for (const [name, attribute] of Object.entries(WORDED)) {
    for (const element of every(`[data-${name}]`)) element.setAttribute(attribute, t(element.dataset[name]));
  }
  byId("language").value = language();
  say("");
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

/** Puts the table of which documents there are into its place, where anything is known of that. */
async function fillCoverage() {
  const place = byId("coverage");
  if (!place) return;
  try {
    const { coverageTable } = await import("./coverage.js");
    swap(place, ...(await coverageTable()));
  } catch {
    swap(place, h("p", {}, `${t("trouble.offline")}. ${t("trouble.offline.do")}`));
  }
}

function fillSearch({ view: kind, subject, params }, quietly) {
  // Another language leaves what was typed.
  if (!quietly) field.value = kind === "batch" ? "" : kind === "search" ? params.get("q") ?? "" : subject;
  say("");
}

/** Everything again after another language was chosen; what was typed stays. */
async function redraw() {
  wordHeader();
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
    await speak(code, { chosen: true });
  } catch {
    announce(t("trouble.offline"));
  }
  await redraw();
}

/** The panel to give another key or forget the one given, above the view. */
function showKeyPanel() {
  const there = byId("key-field");
  if (there) return there.focus();
  main.prepend(keyPanel(shell.again));
  return byId("key-field").focus();
}

function theme() {
  const chosen = lasting.getItem("theme");
  return THEMES.includes(chosen) ? chosen : "auto";
}

function setTheme(chosen) {
  lasting.setItem("theme", chosen);
  document.documentElement.dataset.theme = chosen;
  dispatchEvent(new Event("theme"));
}

/** Says how new contracts and purchases are, and the registries: an import may have renewed only one of them. */
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

/** `/` goes to the search field, unless something is being typed. */
function onKey(event) {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select")) return;
  event.preventDefault();
  // Choosing the text alone does not scroll to the field.
  field.focus();
  field.select();
}

/** Files that are dropped on the page are its own to take, not the browser's to open. */
function onDrop(event) {
  const files = [...event.dataTransfer.files];
  if (!files.length) return;
  event.preventDefault();
  shell.take(files);
}

/** What opens on a click is open on paper. */
function beforePrint() {
  for (const details of every("details:not([open])")) {
    details.open = true;
    addEventListener("afterprint", () => (details.open = false), { once: true });
  }
}

function broken() {
  if (!document.querySelector(".trouble")) main.prepend(troublePanel(new Trouble("broken"), () => location.reload()));
}

async function start() {
  await speak(language());
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
  // The rest is fetched after the first paint, which it would hold up.
  requestAnimationFrame(() => setTimeout(() => {
    Object.values(VIEWS).forEach(({ isLater, load }) => isLater || load().catch(() => {}));
    import("./find.js").then(({ suggest }) => suggest(field)).catch(() => {});
    fillCoverage();
  }));
}

start();

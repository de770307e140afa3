// Where the page starts: header and footer, the view that the address names after `#`,
// the language, the theme, the key.

import { about, dataUpdated, isKeyGiven, onUpdated, Trouble } from "./client.js";
import { announce, h, icon, swap } from "./dom.js";
import { moscow } from "./days.js";
import { homeView } from "./home.js";
import { hashOf, isInn, lawOf, readHash, understand } from "./routes.js";
import { getItem, setItem } from "./storage.js";
import { language, LANGUAGES, speak, t } from "./texts.js";
import { keyPanel, troublePanel } from "./trouble.js";

/** The views but the first, loaded when the first is shown. */
const VIEWS = {
  supplier: async () => (await import("./supplier.js")).supplierView,
  purchase: async () => (await import("./purchase.js")).purchaseView,
  customer: async () => (await import("./customer.js")).customerView,
  evidence: async () => (await import("./evidence.js")).evidenceView,
  batch: async () => (await import("./batch.js")).batchView,
};
const THEMES = ["auto", "light", "dark"];
const main = document.getElementById("main");
const header = document.getElementById("header");
const footer = document.getElementById("footer");
const updated = h("span", { id: "updated" });

/** The view that is shown, and what it is of. */
let view = null;
let shown = "";

const shell = {
  /** Shows the same view anew. */
  again: () => show({ anew: true }),
  /** Names the tab. */
  title: (words) => (document.title = `${words} · procurement-lookup`),
};

/** Shows the view that the address names; one that is shown already is only given its new parameters. */
async function show({ anew = false, quietly = false } = {}) {
  const route = readHash(location.hash);
  const name = `${route.view}/${route.subject}`;
  document.documentElement.dataset.view = route.view || "home";
  if (!anew && name === shown && view?.update) return view.update(route.params);
  const first = shown === "";
  shown = name;
  view?.stop();
  view = null;
  fillSearch(route, quietly);
  const made = await viewOf(route);
  if (shown !== name) return undefined;
  view = made(main, route, shell);
  if (first && name === "/" && matchMedia("(pointer: fine)").matches) document.getElementById("search").focus();
  if (first || quietly) return undefined;
  scrollTo(0, 0);
  return view.heading.focus({ preventScroll: true });
}

/** The function that puts the view of `route` into `main`. */
async function viewOf({ view: kind, subject }) {
  const right = new Map([["supplier", isInn(subject)], ["customer", isInn(subject)], ["evidence", isInn(subject)], ["purchase", lawOf(subject) !== null], ["batch", true], ["", true]]).get(kind);
  shell.title(right ? { "": t("title.home"), batch: t("batch.title"), supplier: subject, customer: subject, evidence: subject, purchase: subject }[kind] : t("nowhere"));
  if (!right) return nowhere;
  if (kind === "") return homeView;
  try {
    return await VIEWS[kind]();
  } catch {
    return unreachable;
  }
}

function nowhere() {
  const heading = h("h1", { tabindex: "-1" }, t("nowhere"));
  main.replaceChildren(h("header", { class: "view-head" }, heading, h("p", {}, t("nowhere.do"))));
  return { heading, stop: () => {} };
}

function unreachable() {
  const panel = troublePanel(new Trouble("offline"), () => location.reload());
  panel.tabIndex = -1;
  main.replaceChildren(panel);
  return { heading: panel, stop: () => {} };
}

/** A list to choose from, under a label that is heard, not seen. */
const choice = (label, options, value, change) =>
  h("select", { "aria-label": label, title: label, on: { change: (event) => change(event.currentTarget.value) } },
    options.map(([key, text]) => h("option", { value: key, selected: key === value, lang: key in LANGUAGES && key }, text)));

/** The header; what was typed in it before stays, and so does who types. */
function drawHeader() {
  const before = document.getElementById("search");
  const typed = before?.value ?? "";
  const isTyping = before !== null && before === document.activeElement;
  const field = h("input", {
    id: "search", type: "search", inputmode: "numeric", enterkeyhint: "search", autocomplete: "off", spellcheck: "false", value: typed,
    placeholder: t("search.placeholder"), "aria-describedby": "search-said", on: { input: () => said("") },
  });
  const words = h("p", { id: "search-said", class: "said", role: "alert", hidden: true });
  const said = (text) => {
    words.textContent = text;
    words.hidden = !text;
    if (text) field.setAttribute("aria-invalid", "true");
    else field.removeAttribute("aria-invalid");
  };
  const submit = (event) => {
    event.preventDefault();
    const search = understand(field.value);
    if (search.kind === "wrong") {
      said(t(`search.${search.why}`, { n: search.digits }));
      return field.focus();
    }
    const many = search.inns?.length > 200;
    if (many) setItem("batch", search.inns.join(", "));
    const [name, subject, params] = {
      supplier: ["supplier", search.inn], purchase: ["purchase", search.number], batch: ["batch", "", many ? { go: "1" } : { inn: search.inns?.join(",") }],
    }[search.kind];
    const hash = hashOf(name, subject, params);
    if (location.hash === hash) return show({ anew: true });
    return (location.hash = hash);
  };
  field.addEventListener("paste", (event) => {
    const text = event.clipboardData.getData("text/plain");
    if (!/[\r\n\t]/.test(text.trim())) return;
    event.preventDefault();
    field.value = text.trim().split(/\s+/).join(" ");
  });
  header.replaceChildren(
    h("div", { class: "top" },
      h("a", { class: "brand", href: "#/", title: t("brand.title") }, h("img", { src: "/web/icon.svg", alt: "", width: "28", height: "28" }), h("span", {}, t("brand"))),
      h("form", { role: "search", class: "search", on: { submit } },
        h("label", { for: "search" }, t("search.label")),
        h("div", { class: "joined" }, field, h("button", { class: "main", title: t("search.go") }, icon("search"), h("span", {}, t("search.go")))),
        words),
      h("nav", { "aria-label": t("nav.batch") }, h("a", { class: "quiet", href: hashOf("batch") }, icon("batch"), h("span", {}, t("nav.batch")))),
      h("div", { class: "settings" },
        !about.demo && h("button", { type: "button", class: "quiet", on: { click: showKeyPanel } }, icon("key"), h("span", {}, t("nav.key"))),
        choice(t("nav.language"), Object.entries(LANGUAGES), language(), chooseLanguage)),
    ),
    h("p", { class: "data" }, updated, about.demo && h("span", { class: "demo" }, t("data.demo"))),
  );
  if (isTyping) field.focus();
}

function drawFooter() {
  const filled = h("div", { id: "coverage" }, h("p", { class: "loading" }, t("loading")));
  const again = ({ currentTarget: { open } }) => open && !filled.querySelector("table") && fillCoverage();
  footer.replaceChildren(
    ...(about.hasCoverage ? [h("details", { class: "coverage", on: { toggle: again } }, h("summary", {}, t("coverage.title")), filled)] : []),
    h("p", {}, h("span", {}, t("foot.version", { version: about.version })), h("a", { href: `/docs?lang=${language()}` }, t("foot.docs")), h("a", { href: `/docs/?lang=${language()}` }, t("foot.manual")), h("a", { href: "/openapi.json" }, "OpenAPI"), h("span", {}, t("foot.local")),
      choice(t("nav.theme"), THEMES.map((theme) => [theme, t(`theme.${theme}`)]), theme(), setTheme)),
  );
}

/** Puts the table of which documents there are into its place, where anything is known of that. */
async function fillCoverage() {
  const place = document.getElementById("coverage");
  if (!place) return;
  try {
    const { coverageTable } = await import("./coverage.js");
    swap(place, ...(await coverageTable()));
  } catch {
    swap(place, h("p", {}, `${t("trouble.offline")}. ${t("trouble.offline.do")}`));
  }
}

function fillSearch({ view: kind, subject }, quietly) {
  const field = document.getElementById("search");
  if ((kind === "supplier" || kind === "purchase") && subject) field.value = subject;
  else if (kind === "batch" && !quietly) field.value = "";
  field.dispatchEvent(new Event("input"));
}

/** Everything again, as after another language was chosen; what was typed stays. */
function redraw() {
  const onLanguage = document.activeElement?.closest(".settings select");
  document.getElementById("skip").textContent = t("skip");
  drawHeader();
  const isOpen = document.querySelector("#footer details")?.open;
  drawFooter();
  if (isOpen !== undefined) {
    document.querySelector("#footer details").open = isOpen;
    fillCoverage();
  }
  drawUpdated();
  const text = document.getElementById("batch-text")?.value;
  if (shown) show({ anew: true, quietly: true });
  const field = document.getElementById("batch-text");
  if (field && text !== undefined) field.value = text;
  if (onLanguage) document.querySelector(".settings select").focus();
}

async function chooseLanguage(code) {
  try {
    await speak(code, { chosen: true });
  } catch {
    announce(t("trouble.offline"));
  }
  redraw();
}

/** The panel to give another key or forget the one given, above the view. */
function showKeyPanel() {
  const there = document.getElementById("key-field");
  if (there) return there.focus();
  main.prepend(keyPanel(() => {
    show({ anew: true });
    if (!isKeyGiven()) announce(t("key.forgotten"));
  }));
  return document.getElementById("key-field").focus();
}

function theme() {
  const chosen = getItem("theme");
  return THEMES.includes(chosen) ? chosen : "auto";
}

function setTheme(chosen) {
  setItem("theme", chosen);
  document.documentElement.dataset.theme = chosen;
}

function drawUpdated() {
  updated.textContent = t("data.updated", { time: moscow(dataUpdated()) });
}

/** `/` goes to the search field, unless something is being typed. */
function onKey(event) {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select")) return;
  event.preventDefault();
  document.getElementById("search").select();
}

/** What opens on a click is open on paper. */
function beforePrint() {
  for (const details of document.querySelectorAll("details:not([open])")) {
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
  addEventListener("beforeprint", beforePrint);
  addEventListener("error", broken);
  addEventListener("unhandledrejection", broken);
  document.getElementById("skip").addEventListener("click", (event) => (event.preventDefault(), main.focus()));
  redraw();
  await show();
  // The rest is fetched after the first paint, which it would hold up.
  requestAnimationFrame(() => setTimeout(() => {
    Object.values(VIEWS).forEach((load) => load().catch(() => {}));
    fillCoverage();
  }));
}

setTheme(theme());
start();

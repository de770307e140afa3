// A receipt that was kept with an answer: the server compares it with its data, and the page
// the answer's file with the receipt. Nothing is asked but of this server.

import { get, getJson, Trouble } from "./client.js";
import { day, moscow } from "./days.js";
import { announce, h, icon, swap } from "./dom.js";
import { hashOf, isInn, lawOf, requestUrl } from "./routes.js";
import { t } from "./texts.js";
import { troublePanel } from "./trouble.js";

/** The longest receipt, in characters: the server takes no longer one. */
const LONGEST = 8 << 10;
/** How much of a file may be a receipt among other headers, and how large an answer may be, bytes. */
const LONGEST_FILE = 4 * LONGEST;
const LARGEST_ANSWER = 50_000_000;
const LINE = /^[ \t]*(?:X-Receipt:[ \t]*)?(v1;.*)$/im;

/** What was given, and what was found: remembered for another language, and for coming back. */
let given = null;

/** Is a receipt among these files? Then the view that is shown next verifies it, with the others as its answer. */
export async function takeReceipt(files) {
  const texts = await Promise.all(files.map((file) => (file.size <= LONGEST_FILE ? file.text() : "")));
  const isReceipt = (at) => LINE.test(texts[at]) || /\.receipt\.txt$/i.test(files[at].name);
  const at = files.findIndex((_, one) => isReceipt(one));
  if (at < 0) return false;
  given = { text: texts[at], isLarge: files[at].size > LONGEST_FILE, others: files.filter((_, one) => one !== at) };
  return true;
}

/** Puts the view of a receipt into `main`. */
export function receiptView(main, route, shell) {
  const heading = h("h1", { tabindex: "-1" }, t("receipt.title"));
  const results = h("section", { class: "results", "aria-label": t("receipt.result") });
  const stop = new AbortController();
  const text = h("textarea", { id: "receipt-text", rows: "4", spellcheck: "false", autocomplete: "off", "aria-describedby": "receipt-help", value: given?.text.trim() ?? "", placeholder: "v1; data=…; updated=…; day=…; sha256=…; ask=…" });
  const file = h("input", { type: "file", id: "receipt-file", multiple: true, on: { change: () => file.files.length && take([...file.files]) } });
  const take = async (files) => ((await takeReceipt(files)) ? shell.again() : say(t("receipt.none")));
  const say = (words) => swap(results, h("div", { class: "panel note", role: "alert" }, words));
  const submit = (event) => {
    event.preventDefault();
    if (given?.text.trim() !== text.value.trim()) given = { text: text.value, isLarge: false, others: [] };
    verify();
  };
  const verify = async () => {
    const receipt = LINE.exec(given.text)?.[1].trim() ?? "";
    if (given.isLarge || receipt.length > LONGEST) return say(t("receipt.tooLarge"));
    if (!receipt) return say(t(given.text.trim() ? "receipt.none" : "receipt.empty"));
    if (!isHere(receipt.split("ask=").slice(1).join("ask=").trim())) return say(t("receipt.notOurs"));
    results.setAttribute("aria-busy", "true");
    try {
      const found = await getJson(requestUrl("/receipt/verify", { receipt, format: "json" }), stop.signal);
      const files = await Promise.all(given.others.map(async (one) => ({ name: one.name, ...(await compared(one, found, stop.signal)) })));
      if (stop.signal.aborted) return undefined;
      const isWrong = files.some(({ is }) => is === "no" || is === "format");
      swap(results, isWrong && wrongFile(), ...files.map(fileWords), outcome(found, isWrong ? "h3" : "h2"));
      announce(t(isWrong ? "receipt.wrongFile" : `receipt.${found.outcome}`));
    } catch (trouble) {
      if (trouble.name === "AbortError") return undefined;
      if (!(trouble instanceof Trouble)) throw trouble;
      if (trouble.kind === "wrong") say(t("receipt.notOurs"));
      else swap(results, troublePanel(trouble, verify));
    }
    return results.removeAttribute("aria-busy");
  };
  main.replaceChildren(
    h("header", { class: "view-head" }, heading, h("p", {}, t("receipt.lead"))),
    h("form", { class: "panel batch", novalidate: true, on: { submit } },
      h("label", { for: "receipt-text" }, t("receipt.label")), text,
      h("p", { id: "receipt-help", class: "aside" }, t("receipt.help")),
      h("div", { class: "row" },
        h("label", { class: "field" }, h("span", {}, t("receipt.file")), file),
        h("button", { class: "main" }, t("receipt.verify")))),
    results);
  if (given) verify();
  return { heading, stop: () => stop.abort() };
}

/** How files begin that answers are saved as, by format; CSV begins with anything. */
const BEGINNINGS = { xlsx: /^PK/, xml: /^<\?xml/, json: /^\{/ };

/** The format that a file has by its first bytes, else by its ending; "" for another one. */
async function formatOf(file) {
  const start = await file.slice(0, 5).text();
  const begun = Object.keys(BEGINNINGS).find((format) => BEGINNINGS[format].test(start));
  return begun ?? /\.(csv|xlsx|json|xml)$/i.exec(file.name)?.[1].toLowerCase() ?? "";
}

/** Is a file the answer? `is` as `sameBytes` has it, or `format`: it `has` another one than the answer `wanted`. */
async function compared(file, found, signal) {
  const is = await sameBytes(file, found, signal);
  const wanted = (new URLSearchParams(found.ask.split("?")[1]).get("format") || "xml").toLowerCase();
  const has = await formatOf(file);
  return { is: is === "no" && has && has !== wanted ? "format" : is, has: has.toUpperCase(), wanted: wanted.toUpperCase() };
}

/**
 * Are the bytes of a file those of the answer? `yes`, `no`, or `unknown` where this browser
 * cannot say: on an address without TLS it computes no SHA-256, and then the answer is asked
 * again, if it is known to be the same.
 */
async function sameBytes(file, { outcome: said, ask, day: on, sha256 }, signal) {
  if (file.size > LARGEST_ANSWER) return "no";
  const bytes = await file.arrayBuffer();
  if (globalThis.crypto?.subtle) {
    const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
    return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("") === sha256 ? "yes" : "no";
  }
  if (!said.startsWith("same")) return "unknown";
  const [path, query = ""] = ask.split("?");
  const params = new URLSearchParams(query);
  // The day counts for the registry alone: the receipt's, where none was asked for.
  if (path.startsWith("/rnp/") && !params.has("asOf")) params.set("asOf", on);
  const again = new Uint8Array((await get(requestUrl(path, Object.fromEntries(params)), signal)).bytes);
  const its = new Uint8Array(bytes);
  return its.length === again.length && its.every((byte, at) => byte === again[at]) ? "yes" : "no";
}

/** Is what a receipt is of a path on this server, and nothing that a browser takes for another one's address? */
const isHere = (ask) => /^\/[a-z]/.test(ask) && new URL(ask, location.origin).origin === location.origin;

const FILES = { yes: "same", no: "mismatch", format: "mismatch", unknown: "changed" };

const fileWords = ({ name, is, has, wanted }) =>
  h("div", { class: `verified ${FILES[is]}` }, icon(FILES[is]), h("p", {}, h("strong", { class: "code" }, name), " — ", t(`receipt.file.${is}`, { has, wanted })));

/** What stands over all else where a file is not the answer, whatever the receipt is. */
const wrongFile = () => h("div", { class: "verified mismatch" }, icon("mismatch", "large"), h("h2", {}, t("receipt.wrongFile")));

/** What the server said, and of what; `heading`: how high its heading is. */
function outcome(found, heading) {
  const row = (label, ...value) => h("div", {}, h("dt", {}, label), h("dd", {}, value));
  const data = (version, updated) => [t("receipt.dataOf", { time: moscow(updated) }), " ", h("span", { class: "code" }, version)];
  return h("div", { class: `verified ${found.outcome}` },
    icon(found.outcome === "same-answer" ? "same" : found.outcome, heading === "h2" ? "large" : ""),
    h("div", { class: "words" },
      h(heading, {}, t(`receipt.${found.outcome}`)),
      h("p", {}, t(`receipt.${found.outcome}.means`)),
      h("dl", { class: "facts" },
        row(t("receipt.asked"), questionWords(found.ask)),
        row(t("rnp.asOf"), day(found.day)),
        row(t("receipt.data"), data(found.data, found.dataUpdated)),
        found.data === found.dataNow ? null : row(t("receipt.dataNow"), data(found.dataNow, found.dataUpdatedNow)),
        row(t("receipt.request"), h("span", { class: "code" }, found.ask)),
        row("SHA-256", h("span", { class: "code" }, found.sha256)))));
}

/** What was asked, with links to what the page has on it. */
function questionWords(ask) {
  const [path, query = ""] = ask.split("?");
  const params = new URLSearchParams(query);
  const of = (name) => params.get(name) ?? "";
  const kind = ["rnp", "contract", "purchase", "find", "changes"].find((one) => path.startsWith(`/${one}`));
  const words = kind ? t(`receipt.ask.${kind}`) : path;
  const inns = of("supplierINN").split(",").filter(isInn);
  if (inns.length > 1) return [words, ": ", h("a", { href: hashOf("batch", "", { inn: inns.join(","), asOf: of("asOf") }) }, t("receipt.inns", { n: inns.length }))];
  if (inns.length) return [words, ": ", h("a", { class: "code", href: hashOf("supplier", inns[0], { asOf: of("asOf") }) }, inns[0])];
  if (lawOf(of("purchaseNumber"))) return [words, ": ", h("a", { class: "code", href: hashOf("purchase", of("purchaseNumber")) }, of("purchaseNumber"))];
  const other = of("customerINN") || of("q");
  return other ? [words, ": ", other] : words;
}

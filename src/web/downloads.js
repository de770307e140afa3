// A response in another form: saved, opened or copied; as a line for curl; with a receipt.

import { about, get, Trouble } from "./client.js";
import { h, toast } from "./dom.js";
import { fileName } from "./file-name.js";
import { language, t, troubleWords } from "./texts.js";

const FORMATS = ["csv", "xlsx", "json", "xml"];
const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
const HOW = ["save", "open", "copy"];
/** What is done with a response that is text, until another way is chosen. */
let how = "save";

/**
 * The row of buttons under what is shown. `urls(format)` are those of the responses it is
 * made of: one, or several, which have only CSV; `join(texts)` makes one CSV of theirs, and is
 * what CSV is where it is given, and `sheet(csv)` an XLSX file of that; `whole`, where there is more than is shown: `{label, urls}`
 * for all of it as CSV.
 */
export function downloadBar({ urls, join = null, sheet = null, whole = null }) {
  const several = urls("csv").length > 1;
  const name = fileName(urls("csv")[0]);
  const act = async (button, work) => {
    button.disabled = true;
    try {
      await work();
    } catch (trouble) {
      if (!(trouble instanceof Trouble)) throw trouble;
      toast(troubleWords(trouble));
    } finally {
      button.disabled = false;
      button.focus({ preventScroll: true });
    }
  };
  const button = (label, title, work) =>
    h("button", { type: "button", class: "quiet", title, on: { click: (event) => act(event.currentTarget, work) } }, label);
  const fetched = async (format) => {
    if (format === "csv" && (several || join)) return fetchJoined(urls(format), join);
    if (format === "xlsx" && sheet) return { bytes: sheet((await fetchJoined(urls("csv"), join)).text), type: XLSX };
    return get(format === "xlsx" ? `${urls(format)[0]}&lang=${language()}` : urls(format)[0]);
  };
  const formats = FORMATS.filter((format) => !several || format === "csv" || (format === "xlsx" && sheet)).map((format) =>
    button(format.toUpperCase(), t(format === "xlsx" ? "how.save" : `how.${how}`), async () => deliver(await fetched(format), `${name}.${format}`)),
  );
  const choice = h(
    "select",
    { "aria-label": t("answer.how"), on: { change: (event) => choose(event.currentTarget.value) } },
    HOW.map((one) => h("option", { value: one, selected: one === how }, t(`how.${one}`))),
  );
  return h(
    "div",
    { class: "answers", role: "group", "aria-label": t("answer.same") },
    h("span", { class: "label" }, t("answer.same")),
    choice,
    formats,
    whole && button(whole.label, t("answer.wholeTitle"), async () => deliver(await fetchJoined(whole.urls()), `${fileName(whole.urls()[0], "all")}.csv`)),
    button(t("answer.curl"), t("answer.curlTitle"), () => copy(urls(several ? "csv" : "json").map(curl).join("\n"), t("copied.curl"))),
    !several && about.hasReceipts && button(t("answer.receipt"), t("answer.receiptTitle"), async () => saveWithReceipt(urls("xml")[0], await get(withReceipt(urls("xml")[0])))),
  );
}

function choose(value) {
  how = value;
  /** @type {NodeListOf<HTMLSelectElement>} */
  const choices = document.querySelectorAll(".answers select");
  for (const choice of choices) choice.value = value;
}

/** The line for the same request; the key is taken from the shell's `$KEY`. */
const curl = (url) => `curl -H "X-API-Key: $KEY" '${location.origin}${url}'`;

/** The CSV from all of `urls`, one after the other, as one file. */
async function fetchJoined(urls, join = joinCsv) {
  const responses = [];
  for (const url of urls) {
    if (responses.length) toast(t("answer.progress", { done: responses.length, all: urls.length }));
    responses.push(await get(url));
    if (responses.at(-1).updated !== responses[0].updated) throw new Trouble("changed");
  }
  const text = join(responses.map((response) => response.text));
  return { ...responses[0], text, bytes: new TextEncoder().encode(text) };
}

/** CSV of the same columns as one: the first whole, of the others what follows the header. */
const joinCsv = (texts) => `\ufeff${texts.map((text, at) => (at ? text.slice(text.indexOf("\n") + 1) : text)).join("")}`;

async function deliver(response, file) {
  const isText = !file.endsWith(".xlsx");
  if (isText && how === "copy") return copy(new TextDecoder().decode(response.bytes), t("copied.answer"));
  if (isText && how === "open") {
    const blobUrl = URL.createObjectURL(new Blob([response.bytes], { type: "text/plain; charset=utf-8" }));
    window.open(blobUrl, "_blank", "noopener");
    setTimeout(() => URL.revokeObjectURL(blobUrl), 60_000);
    return undefined;
  }
  return save(response.bytes, file, response.type);
}

/** The URL of the same response with a receipt. */
export const withReceipt = (url) => `${url}&receipt=1`;

/** Saves the response that `url` has, and beside it its receipt, which `verify` takes. */
export function saveWithReceipt(url, { bytes, type, receipt }) {
  const name = fileName(url);
  save(bytes, `${name}.${new URLSearchParams(url.split("?")[1]).get("format")}`, type);
  save(`${receipt}\n`, `${name}.receipt.txt`, "text/plain");
}

/** Saves bytes or text as a file. */
export function save(bytes, file, type) {
  const blobUrl = URL.createObjectURL(new Blob([bytes], { type }));
  h("a", { href: blobUrl, download: file }).click();
  setTimeout(() => URL.revokeObjectURL(blobUrl), 60_000);
  toast(t("saved", { file }));
}

/** Puts text on the clipboard, also where the browser allows it only the old way (HTTP on a network). */
export async function copy(text, words) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = h("textarea", { class: "unseen", value: text, "aria-hidden": "true" });
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    if (!done) return toast(text);
  }
  return toast(words);
}

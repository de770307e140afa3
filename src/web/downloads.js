// A response in another form: a menu of files, Excel first; for developers XML and JSON, saved,
// opened or copied, a line for curl, and a receipt.

import { about, get, Trouble } from "./client.js";
import { h, toast } from "./dom.js";
import { fileName } from "./file-name.js";
import { menu } from "./menu.js";
import { language, t, troubleWords } from "./texts.js";

export const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
const HOW = ["save", "open", "copy"];
/** What is done with a response for developers, until another way is chosen. */
let how = "save";

/**
 * The menu of files under what is shown. `urls(format)` are those of the responses that it is
 * made of; where they are several, `own` makes the files by their format, as `{bytes, type}`,
 * called `name`. `rows`: how many rows the files have, in words, where that is not what is shown;
 * `more`: what else can be saved.
 * @param {{
 *   urls: (format: string) => string[], own?: Record<string, () => Promise<{bytes: BlobPart, type: string}>>,
 *   rows?: string, name?: string, more?: any,
 * }} files
 */
export function downloadBar({ urls, own = {}, rows = "", name = fileName(urls("csv")[0]), more = null }) {
  const several = urls("csv").length > 1;
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
    h("button", { type: "button", title, on: { click: (event) => act(event.currentTarget, work) } }, label);
  const file = (format, label) =>
    button(rows ? t("answer.rows", { format: label, n: rows }) : label, null, async () => {
      const response = await (own[format]?.() ?? fetched(format));
      save(response.bytes, `${name}.${format}`, response.type);
    });
  const fetched = (format) => {
    const [url] = urls(format);
    // In a workbook an error would be saved as a file.
    const errors = url.startsWith("/contract/") ? "&errors=http" : "";
    return get(format === "xlsx" ? `${url}${errors}&lang=${language()}` : url);
  };
  const raw = (format) =>
    button(format.toUpperCase(), null, async () => {
      const [url] = urls(format);
      return deliver(await get(url), `${fileName(url)}.${format}`);
    });
  const isOne = urls("csv").length === 1;
  const choice = h(
    "select",
    { "aria-label": t("answer.how"), on: { change: (event) => choose(event.currentTarget.value) } },
    HOW.map((one) => h("option", { value: one, selected: one === how }, t(`how.${one}`))),
  );
  return menu(
    t("answer.take"),
    { stay: "take", kind: "answers", button: "button main" },
    (!several || own.xlsx) && file("xlsx", t("answer.xlsx")),
    file("csv", "CSV"),
    more,
    urls("csv").length > 0 &&
      h(
        "details",
        { class: "developers" },
        h("summary", {}, t("answer.developers")),
        isOne && [choice, raw("json"), raw("xml")],
        button(t("answer.curl"), t("answer.curlTitle"), () =>
          copy(
            urls(several ? "csv" : "json")
              .map(curl)
              .join("\n"),
            t("copied.curl"),
          ),
        ),
        isOne &&
          about.hasReceipts &&
          button(t("answer.receipt"), t("answer.receiptTitle"), async () =>
            saveWithReceipt(urls("xml")[0], await get(withReceipt(urls("xml")[0]))),
          ),
      ),
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

async function deliver(response, file) {
  if (how === "copy") return copy(new TextDecoder().decode(response.bytes), t("copied.answer"));
  if (how === "open") {
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

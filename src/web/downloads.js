// The download menu: Excel and CSV files, and for developers XML and JSON (saved, opened or
// copied), a curl command and a signed response.

import { about, get, RequestError } from "./client.js";
import { h, toast } from "./dom.js";
import { fileName } from "./file-name.js";
import { menu } from "./menu.js";
import { language, t, errorWords } from "./texts.js";

export const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
const HOW = ["save", "open", "copy"];
/** What the user chose to do with a response for developers: one of `HOW`. */
let how = "save";

/**
 * Returns the download menu. `urls(format)` lists the URLs the data comes from. If there are
 * several, `own` has a function per format that returns the file as `{bytes, type}`. `name` is the
 * file name without extension, `rows` the number of rows in words if it differs from what is shown,
 * `more` further buttons.
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
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      toast(errorWords(error));
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
    // Ask for HTTP statuses of errors: with status 200, an error would be saved as a workbook.
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

/** Returns a curl command that requests `url`, with the key from the shell variable `KEY`. */
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

/** Returns the URL of the same response with a receipt. */
export const withReceipt = (url) => `${url}&receipt=1`;

/** Saves a response, and its receipt as a second file, for `procurement-lookup verify`. */
export function saveWithReceipt(url, { bytes, type, receipt }) {
  const name = fileName(url);
  save(bytes, `${name}.${new URLSearchParams(url.split("?")[1]).get("format")}`, type);
  save(`${receipt}\n`, `${name}.receipt.txt`, "text/plain");
}

export function save(bytes, file, type) {
  const blobUrl = URL.createObjectURL(new Blob([bytes], { type }));
  h("a", { href: blobUrl, download: file }).click();
  setTimeout(() => URL.revokeObjectURL(blobUrl), 60_000);
  toast(t("saved", { file }));
}

/**
 * Copies text to the clipboard. Falls back to the older API where the newer one is unavailable, for
 * example over plain HTTP.
 */
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

// Requests to the API. The key is sent in a header, never in a URL.

import { setAnswered } from "./days.js";
import { parseJson } from "./json.js";
import { askOtherTabs, givenKey, keepKey, refuseKey } from "./key.js";

/** Timeout of a request, in milliseconds. */
const TIMEOUT = 30_000;
/** Timeout of a file download, in milliseconds. A file may have 100,000 rows. */
const FILE_TIMEOUT = 600_000;
/** Upper bound on the size of an error response, in bytes. */
const LONGEST_ERROR = 10_000;
/**
 * Number of cached responses, and their lifetime in milliseconds. The cache makes Back and a change
 * of language immediate.
 */
const CACHE_SIZE = 60;
const CACHE_TIME = 60_000;

/** A key with any other character cannot be sent in a header, and cannot be valid. */
const SENDABLE = /^[\x21-\x7e]+$/;

/**
 * The description of the service that the server put into the page: `demo`, `version`,
 * `dataUpdated`, `contractsUpdated`, `registriesAsOf`, `hasCoverage`, `hasReceipts`, `hasUser`.
 * With `hasUser`, a proxy has signed the user in and no key is needed.
 */
export const about = JSON.parse(document.querySelector("meta[name=about]").getAttribute("content"));

/** Cookies and HTTP authentication are sent only if a proxy signs users in. */
export const CREDENTIALS = about.hasUser ? "same-origin" : "omit";

const cache = new Map();
let updated = about.dataUpdated;
let onUpdate = () => {};

/** Time of the last import according to the latest response. */
export const dataUpdated = () => updated;

/** Calls `listener` whenever a response reports a new import. */
export const onUpdated = (listener) => (onUpdate = listener);

/**
 * A failed request. `kind` is one of key, signedOut, limit, notFound, wrong, unavailable, server,
 * offline, timeout, outdated, changed, large, broken; `text` is the server's message; `wait` is the
 * number of seconds to wait before a retry.
 */
export class RequestError extends Error {
  constructor(kind, { text = "", wait = 0 } = {}) {
    super(text || kind);
    this.kind = kind;
    this.text = text;
    this.wait = wait;
  }
}

/** Returns the key to send, or "" if there is none. The demonstration has a fixed key. */
export const key = () => (about.demo ? "demo" : givenKey() ?? "");

/** Uses this key for all further requests. Stores it for the browser, or for this tab only. */
export function useKey(value, isForBrowser) {
  keepKey(value, isForBrowser);
  cache.clear();
}

/**
 * Returns the JSON response from `url`, with numbers as strings. `url` must ask for JSON. Throws
 * `RequestError`, or an `AbortError` if `signal` aborts.
 */
export async function getJson(url, signal) {
  const cached = cache.get(url);
  if (cached && Date.now() - cached.at < CACHE_TIME) return cached.value;
  const { text } = await get(url, signal);
  const value = parseJson(text);
  cache.delete(url);
  cache.set(url, { at: Date.now(), value });
  if (cache.size > CACHE_SIZE) cache.delete(cache.keys().next().value);
  return value;
}

/**
 * Returns the response from `url` unparsed: `{text, bytes, type, date, updated, receipt}`. Throws
 * like `getJson`.
 */
export async function get(url, signal) {
  if (!about.hasUser && !(await hasKey())) throw new RequestError("key");
  const sent = key();
  const headers = about.hasUser ? {} : { "X-API-Key": SENDABLE.test(sent) ? sent : "-" };
  const response = await send(url, signal, headers);
  const reported = response.bytes.byteLength < LONGEST_ERROR ? errorIn(response.text, response.type) : null;
  const error = reported ?? (response.ok ? null : { code: response.status });
  if (error) {
    const failure = requestError(error, response);
    if (failure.kind !== "key") throw failure;
    if (about.hasUser) throw new RequestError("signedOut");
    refuseKey(sent);
    // The key of this tab may be outdated while the browser or another tab has a valid one.
    if (!about.demo && (await hasKey())) return get(url, signal);
    throw failure;
  }
  if (response.updated && response.updated !== updated) {
    updated = response.updated;
    // The cached responses come from the previous import.
    cache.clear();
    onUpdate();
  }
  return response;
}

/** Returns whether there is a key. Asks other tabs if this one has none. */
async function hasKey() {
  if (!key()) await askOtherTabs();
  return key() !== "";
}

async function send(url, signal, headers) {
  const timeout = AbortSignal.timeout(/[?&]format=(?:csv|xlsx)/.test(url) ? FILE_TIMEOUT : TIMEOUT);
  // Firefox 115 has no `AbortSignal.any`, so the two reasons to abort are combined by hand.
  const until = new AbortController();
  const abort = () => until.abort();
  if (signal?.aborted) abort();
  signal?.addEventListener("abort", abort, { once: true });
  timeout.addEventListener("abort", abort, { once: true });
  try {
    const response = await fetch(url, { headers, signal: until.signal, credentials: CREDENTIALS });
    const bytes = await response.arrayBuffer();
    const header = (name) => response.headers.get(name) ?? "";
    setAnswered(header("Date"));
    return {
      ok: response.ok,
      status: response.status,
      bytes,
      get text() {
        return new TextDecoder().decode(bytes);
      },
      type: header("Content-Type"),
      date: header("Date"),
      updated: header("X-Data-Updated"),
      receipt: header("X-Receipt"),
      wait: Number(header("Retry-After")) || 0,
    };
  } catch (problem) {
    if (signal?.aborted) throw problem;
    throw new RequestError(timeout.aborted ? "timeout" : "offline");
  } finally {
    signal?.removeEventListener("abort", abort);
  }
}

/**
 * Returns the error that a body in any format contains, as `{code, error}`, or `null` if the body
 * is data.
 */
function errorIn(text, type) {
  if (type.includes("json")) {
    const start = /^\{(?:"code":(\d+),)?"error":"((?:[^"\\]|\\.)*)"\}$/.exec(text);
    return start && { code: start[1], error: start[2] };
  }
  if (type.includes("csv")) {
    const start = /^\uFEFF?code,error\r?\n(\d*),(.*)/.exec(text);
    return start && { code: start[1], error: start[2] };
  }
  const start = /^<\?xml[^>]*\?><\w+>(?:<code>(\d+)<\/code>)?<error>([^<]*)<\/error>/.exec(text);
  return start && { code: start[1], error: start[2] };
}

function requestError({ code, error = "" }, { status, wait }) {
  // A 503 without an error text means that the server has no free connection.
  const kinds = { 401: "key", 404: "notFound", 429: "limit", 400: "wrong", 503: error ? "unavailable" : "server" };
  const kind = kinds[code ?? status] ?? (error === "purchase not found" ? "notFound" : "server");
  return new RequestError(kind, { text: error, wait: Math.min(wait || 1, 3600) });
}

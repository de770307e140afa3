// Requests to the service. The key goes along in a header, never in a URL.

import { setAnswered } from "./days.js";
import { parseJson } from "./json.js";
import { askOtherTabs, givenKey, keepKey, refuseKey } from "./key.js";

/** How long a response may take, milliseconds. */
const TIMEOUT = 30_000;
/** The same of a file, which may have 100,000 rows. */
const FILE_TIMEOUT = 600_000;
/** How many bytes an error has at most. */
const LONGEST_ERROR = 10_000;
/** How many responses are cached, and how long, milliseconds: for going back, and for another language. */
const CACHE_SIZE = 60;
const CACHE_TIME = 60_000;

/** What may stand in a header; no key is anything else. */
const SENDABLE = /^[\x21-\x7e]+$/;

/**
 * What the service is, as the page came with it: `demo`, `version`, `dataUpdated`, `contractsUpdated`,
 * `registriesAsOf`, `hasCoverage`, `hasReceipts`;
 * `hasUser`: a proxy has logged the user in, who then needs no key.
 */
export const about = JSON.parse(document.querySelector("meta[name=about]").getAttribute("content"));

/** What a proxy knows its users by goes along only where there is such a proxy. */
export const CREDENTIALS = about.hasUser ? "same-origin" : "omit";

const cache = new Map();
let updated = about.dataUpdated;
let onUpdate = () => {};

/** When the data was last updated, as the newest response has it. */
export const dataUpdated = () => updated;

/** Calls `listener` whenever a response has another time. */
export const onUpdated = (listener) => (onUpdate = listener);

/**
 * Why there is no response: `kind` is one of key, signedOut, limit, notFound, wrong, unavailable, server,
 * offline, timeout, outdated.
 */
export class Trouble extends Error {
  constructor(kind, { text = "", wait = 0 } = {}) {
    super(text || kind);
    this.kind = kind;
    this.text = text;
    this.wait = wait;
  }
}

/** The key to send: the demonstration's own, else the one given, else none. */
export const key = () => (about.demo ? "demo" : givenKey() ?? "");

/** Sends this key from now on; remembered for the browser, or for this tab alone. */
export function useKey(value, isForBrowser) {
  keepKey(value, isForBrowser);
  cache.clear();
}

/**
 * The JSON response from `url` (which names the format itself), its numbers as text.
 * Throws `Trouble`; an `AbortError` if `signal` says that it is not needed any more.
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

/** The response from `url` as it was sent: `{text, bytes, type, date, updated, receipt}`. Throws as `getJson`. */
export async function get(url, signal) {
  if (!about.hasUser && !(await hasKey())) throw new Trouble("key");
  const sent = key();
  const headers = about.hasUser ? {} : { "X-API-Key": SENDABLE.test(sent) ? sent : "-" };
  const response = await send(url, signal, headers);
  const said = response.bytes.byteLength < LONGEST_ERROR ? errorIn(response.text, response.type) : null;
  const error = said ?? (response.ok ? null : { code: response.status });
  if (error) {
    const trouble = troubleOf(error, response);
    if (trouble.kind !== "key") throw trouble;
    if (about.hasUser) throw new Trouble("signedOut");
    refuseKey(sent);
    // The tab has had an old key: the browser or another tab may have one that is good.
    if (!about.demo && (await hasKey())) return get(url, signal);
    throw trouble;
  }
  if (response.updated && response.updated !== updated) {
    updated = response.updated;
    // What is cached is of older data.
    cache.clear();
    onUpdate();
  }
  return response;
}

/** Is there a key, be it another tab's? */
async function hasKey() {
  if (!key()) await askOtherTabs();
  return key() !== "";
}

async function send(url, signal, headers) {
  const timeout = AbortSignal.timeout(/[?&]format=(?:csv|xlsx)/.test(url) ? FILE_TIMEOUT : TIMEOUT);
  // Firefox 115 has no AbortSignal.any.
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
    throw new Trouble(timeout.aborted ? "timeout" : "offline");
  } finally {
    signal?.removeEventListener("abort", abort);
  }
}

/** The error that a body says, in any of the forms: `{code, error}`; null where it is data. */
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

function troubleOf({ code, error = "" }, { status, wait }) {
  // A 503 without the service's own words is of a connection that it has no room for.
  const kinds = { 401: "key", 404: "notFound", 429: "limit", 400: "wrong", 503: error ? "unavailable" : "server" };
  const kind = kinds[code ?? status] ?? (error === "purchase not found" ? "notFound" : "server");
  return new Trouble(kind, { text: error, wait: Math.min(wait || 1, 3600) });
}

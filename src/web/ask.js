// Questions to the service. The key goes along in a header, never in an address, and is
// kept for as long as the tab is open.

import { parseJson } from "./json.js";

const KEY = "key";
/** How long an answer may take, milliseconds. */
const PATIENCE = 30_000;
/** How many answers are kept, and how long, milliseconds: for going back, and for another language. */
const KEPT = 60;
const KEPT_FOR = 60_000;

/** What may stand in a header; no key is anything else. */
const SENDABLE = /^[\x21-\x7e]+$/;

/** What the service said of itself: `demo`, `version`, `dataUpdated`, `maxRegistryAgeDays` (null: any age). */
export const about = { demo: false, version: "", dataUpdated: "", maxRegistryAgeDays: null };

const listeners = [];
const answers = new Map();

/** Calls `listener` with the data's time whenever an answer tells another one. */
export const onUpdated = (listener) => listeners.push(listener);

/** Why there is no answer: `kind` is one of key, limit, notFound, wrong, server, offline, timeout. */
export class Trouble extends Error {
  constructor(kind, { text = "", wait = 0 } = {}) {
    super(text || kind);
    Object.assign(this, { kind, text, wait });
  }
}

/** The key to ask with: the one given, else the demonstration's own, else none. */
export const key = () => sessionStorage.getItem(KEY) ?? (about.demo ? "demo" : "");
export const isKeyGiven = () => sessionStorage.getItem(KEY) !== null;

/** From now on asks with this key; with none given, forgets it. */
export function useKey(value) {
  if (value) sessionStorage.setItem(KEY, value);
  else sessionStorage.removeItem(KEY);
  answers.clear();
}

/** Reads what the service is, once, before anything else: as the page came with it, else asked. */
export async function readAbout() {
  const { content } = document.querySelector("meta[name=about]");
  const text = content || (await fetched("/about.json", undefined)).text;
  Object.assign(about, JSON.parse(text));
  told(about.dataUpdated);
}

/**
 * The JSON answer to `address` (which tells the format itself), its numbers as text.
 * Throws `Trouble`; an `AbortError` if `signal` says that nobody waits any more.
 */
export async function askJson(address, signal) {
  const known = answers.get(address);
  if (known && Date.now() - known.at < KEPT_FOR) return known.value;
  const { text } = await ask(address, signal);
  const value = parseJson(text);
  answers.delete(address);
  answers.set(address, { at: Date.now(), value });
  if (answers.size > KEPT) answers.delete(answers.keys().next().value);
  return value;
}

/** The answer to `address` as it was sent: `{text, bytes, type, receipt}`. Throws as `askJson`. */
export async function ask(address, signal) {
  if (!key()) throw new Trouble("key");
  const answer = await fetched(address, signal, { "X-API-Key": SENDABLE.test(key()) ? key() : "-" });
  const error = errorIn(answer.text, answer.type) ?? (answer.ok ? null : { code: answer.status });
  if (error) throw troubleOf(error, answer);
  told(answer.updated);
  return answer;
}

async function fetched(address, signal, headers = {}) {
  const patience = AbortSignal.timeout(PATIENCE);
  const until = signal ? AbortSignal.any([signal, patience]) : patience;
  try {
    const response = await fetch(address, { headers, signal: until, credentials: "omit" });
    const bytes = await response.arrayBuffer();
    const header = (name) => response.headers.get(name) ?? "";
    return {
      ok: response.ok,
      status: response.status,
      bytes,
      text: new TextDecoder().decode(bytes),
      type: header("Content-Type"),
      updated: header("X-Data-Updated"),
      receipt: header("X-Receipt"),
      wait: Number(header("Retry-After")) || 0,
    };
  } catch (problem) {
    if (signal?.aborted) throw problem;
    throw new Trouble(patience.aborted ? "timeout" : "offline");
  }
}

/** The error that a body says, in any of the forms: `{code, error}`; null where it is data. */
export function errorIn(text, type) {
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
  const kinds = { 401: "key", 404: "notFound", 429: "limit", 400: "wrong" };
  const kind = kinds[code ?? status] ?? (error === "purchase not found" ? "notFound" : "server");
  return new Trouble(kind, { text: error, wait: Math.min(wait || 1, 3600) });
}

function told(updated) {
  if (!updated || updated === told.last) return;
  told.last = updated;
  for (const listener of listeners) listener(updated);
}

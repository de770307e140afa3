// The key that was given: where it is remembered, and how it comes to other tabs.
//
// It is in the session storage of its tab, and in the browser's local storage only if one
// ticked that. A new tab asks the others over a `BroadcastChannel`, which reaches no page of
// another origin, browser or profile. What the server refused is forgotten at once, and neither
// handed on nor taken again: the tab goes on with the remembered one, or asks the others anew.
// To forget it empties all open tabs; one that was closed, and is brought back by the browser, has its own.
//
// Why no cookie: the browser would send it with whatever leads here from other sites, and to
// every port of the host, so from 127.0.0.1 to any program that listens there. To be out of
// the scripts' reach, it had to be set by a response to a request with the key, and a GET has
// that in its address. A foreign script in the page could ask with such a cookie all the same;
// what keeps it out is the security policy, and that no text is ever made markup.
//
// Pages of others on this very origin could read all of it: the service wants an origin (a
// host and port) of its own.

import { getItem, lasting, RECENT, removeItem, setItem } from "./storage.js";

const KEY = "key";
/** How long the other tabs have to answer, milliseconds. */
const WAIT = 250;

/** What the server did not take, since the page was opened. */
const refused = new Set();
/** Called when another tab has handed on its key, while that is waited for. */
let received = null;
let asking = null;

const channel = openChannel();

function openChannel() {
  try {
    const channel = new BroadcastChannel(KEY);
    channel.addEventListener("message", ({ data }) => receive(data ?? {}));
    return channel;
  } catch {
    return null;
  }
}

function receive({ wanted, key, forgotten }) {
  if (wanted && givenKey()) channel.postMessage({ key: givenKey() });
  if (key && received && !refused.has(key)) {
    if (!givenKey()) setItem(KEY, key);
    received();
  }
  if (forgotten) {
    drop();
    location.reload();
  }
}

/** The key; null for none. */
export const givenKey = () => getItem(KEY) ?? lasting.getItem(KEY);

/** Is it remembered for the browser, not for this tab alone? */
export const isRemembered = () => lasting.getItem(KEY) !== null;

/** Waits until another tab has handed on its key, or none did. */
export function askOtherTabs() {
  if (!channel) return undefined;
  asking ??= new Promise((resolve) => {
    received = resolve;
    setTimeout(resolve, WAIT);
    channel.postMessage({ wanted: true });
  }).then(() => (received = asking = null));
  return asking;
}

/** Remembers a key for this tab, or for the browser; one that was there before is gone. */
export function keepKey(key, isForBrowser) {
  drop();
  refused.delete(key);
  if (isForBrowser) lasting.setItem(KEY, key);
  else setItem(KEY, key);
}

/** Forgets a key that the server did not take. */
export function refuseKey(key) {
  refused.add(key);
  if (getItem(KEY) === key) removeItem(KEY);
  if (lasting.getItem(KEY) === key) lasting.removeItem(KEY);
}

/** Was the last key that there was not taken? */
export const wasRefused = () => refused.size > 0 && givenKey() === null;

/** Forgets the key in all tabs, with all that they show, and the last checks. */
export function forgetKey() {
  drop();
  lasting.removeItem(RECENT);
  channel?.postMessage({ forgotten: true });
  location.reload();
}

function drop() {
  removeItem(KEY);
  lasting.removeItem(KEY);
}

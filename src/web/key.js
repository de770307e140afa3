// Storage of the access key and its exchange between tabs.
//
// The key is kept in the tab's session storage, and in local storage only if the user ticked
// "remember". A new tab asks the others over a `BroadcastChannel`, which does not reach other
// origins, browsers or profiles. A key that the server refuses is deleted, and neither passed on
// nor accepted again; the tab then uses the remembered key or asks the other tabs. "Forget the key"
// clears all open tabs. If the browser restores a closed tab, the tab still has its own key.
//
// Why not a cookie: the browser would send it with requests that other sites trigger, and to every
// port of the host, which on 127.0.0.1 means to any local program. To hide the cookie from scripts,
// the server would have to set it in response to a request that contains the key, and a GET request
// has the key in its address. Besides, an injected script could make requests with such a cookie
// anyway. The defence against injected scripts is the content security policy, and the rule that
// text never becomes markup.
//
// Other pages on the same origin could read all of this, so the service needs an origin (host and
// port) of its own.

import { getItem, localStore, RECENT, removeItem, setItem } from "./storage.js";

const KEY = "key";
/** How long to wait for other tabs, in milliseconds. */
const WAIT = 250;

/** Keys that the server has refused since the page was opened. */
const refused = new Set();
/** Resolves the promise of the pending request to other tabs; `null` if no request is pending. */
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

export const givenKey = () => getItem(KEY) ?? localStore.getItem(KEY);

/** Returns whether the key is stored for the browser rather than only for this tab. */
export const isRemembered = () => localStore.getItem(KEY) !== null;

/** Asks other tabs for their key. Resolves when one has answered or the time is up. */
export function askOtherTabs() {
  if (!channel) return undefined;
  asking ??= new Promise((resolve) => {
    received = resolve;
    setTimeout(resolve, WAIT);
    channel.postMessage({ wanted: true });
  }).then(() => (received = asking = null));
  return asking;
}

/** Stores a key for the browser or for this tab, replacing any earlier one. */
export function keepKey(key, isForBrowser) {
  drop();
  refused.delete(key);
  if (isForBrowser) localStore.setItem(KEY, key);
  else setItem(KEY, key);
}

/** Deletes a key that the server refused. */
export function refuseKey(key) {
  refused.add(key);
  if (getItem(KEY) === key) removeItem(KEY);
  if (localStore.getItem(KEY) === key) localStore.removeItem(KEY);
}

/** Returns whether the last key was refused and there is no other. */
export const wasRefused = () => refused.size > 0 && givenKey() === null;

/** Deletes the key and the data on display in all tabs, and the list of recent checks. */
export function forgetKey() {
  drop();
  localStore.removeItem(RECENT);
  channel?.postMessage({ forgotten: true });
  location.reload();
}

function drop() {
  removeItem(KEY);
  localStore.removeItem(KEY);
}

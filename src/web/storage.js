// What a tab remembers: in the browser's session storage, or, where the browser refuses that
// (site data is blocked, there is no room), in memory until the page is left.

const memory = new Map();

/** What `use` gives of the session storage; undefined where the browser refuses it. */
function attempt(use) {
  try {
    return use(window.sessionStorage);
  } catch {
    return undefined;
  }
}

/** The value of that name; null for none. */
export const getItem = (name) => attempt((storage) => storage.getItem(name)) ?? memory.get(name) ?? null;

export function setItem(name, value) {
  // Were there no room for the new value, the old one would stand in its way.
  removeItem(name);
  attempt((storage) => (storage.setItem(name, value), true)) || memory.set(name, value);
}

export function removeItem(name) {
  memory.delete(name);
  attempt((storage) => storage.removeItem(name));
}

// What is remembered: for a tab in the browser's session storage, for all tabs in its local
// storage, or, where the browser refuses them (site data is blocked, there is no room), in
// memory until the page is left.

function storageOf(name) {
  const memory = new Map();
  /** What `use` gives of the browser's storage; undefined where the browser refuses it. */
  const attempt = (use) => {
    try {
      return use(window[name]);
    } catch {
      return undefined;
    }
  };
  /** The value of that name; null for none. */
  const getItem = (key) => attempt((storage) => storage.getItem(key)) ?? memory.get(key) ?? null;
  const removeItem = (key) => {
    memory.delete(key);
    attempt((storage) => storage.removeItem(key));
  };
  /** Whether the browser took it: otherwise it is only in memory. */
  const setItem = (key, value) => {
    // Were there no room for the new value, the old one would stand in its way.
    removeItem(key);
    const isTaken = attempt((storage) => (storage.setItem(key, value), true)) === true;
    if (!isTaken) memory.set(key, value);
    return isTaken;
  };
  return { getItem, setItem, removeItem };
}

/** For as long as the tab is open. */
export const { getItem, setItem, removeItem } = storageOf("sessionStorage");

/** For all tabs, until it is removed. */
export const lasting = storageOf("localStorage");

/** Where the last checks are kept, which go with a key that is forgotten. */
export const RECENT = "recent";

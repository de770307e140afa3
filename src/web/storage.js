// Session and local storage. If the browser blocks storage or it is full, values are kept in memory
// until the page is left.

function storageOf(name) {
  const memory = new Map();
  /** Calls `use` with the storage. Returns undefined if the browser blocks it. */
  const attempt = (use) => {
    try {
      return use(window[name]);
    } catch {
      return undefined;
    }
  };
  const getItem = (key) => attempt((storage) => storage.getItem(key)) ?? memory.get(key) ?? null;
  const removeItem = (key) => {
    memory.delete(key);
    attempt((storage) => storage.removeItem(key));
  };
  /** Returns whether the browser stored the value. If not, it is only in memory. */
  const setItem = (key, value) => {
    // If the new value does not fit, the old one must not remain.
    removeItem(key);
    const isTaken = attempt((storage) => (storage.setItem(key, value), true)) === true;
    if (!isTaken) memory.set(key, value);
    return isTaken;
  };
  return { getItem, setItem, removeItem };
}

/** Kept while the tab is open. */
export const { getItem, setItem, removeItem } = storageOf("sessionStorage");

/** Shared by all tabs and kept until removed. */
export const localStore = storageOf("localStorage");

/** Key of the recent checks. Forgetting the access key removes them. */
export const RECENT = "recent";

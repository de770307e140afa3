// Session and local storage. If the browser blocks storage or the storage is full, values are kept
// in memory until the user leaves the page.

function storageOf(name) {
  const memory = new Map();
  /**
   * Calls `use` with the storage. Returns `undefined` if the browser blocks storage or it is full.
   */
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
  /** Returns whether the browser has stored the value. If not, the value stays in memory only. */
  const setItem = (key, value) => {
    // If the new value does not fit, the old one must not stay.
    removeItem(key);
    const isTaken = attempt((storage) => (storage.setItem(key, value), true)) === true;
    if (!isTaken) memory.set(key, value);
    return isTaken;
  };
  return { getItem, setItem, removeItem };
}

/** Values are kept until the tab is closed. */
export const { getItem, setItem, removeItem } = storageOf("sessionStorage");

/** Values are shared by all tabs and kept until they are removed. */
export const localStore = storageOf("localStorage");

/** Key of the recent checks. Forgetting the access key deletes them. */
export const RECENT = "recent";

// Styles that only one view has, which it loads with its scripts.

import { h } from "./dom.js";

/** Adds the styles in the file of this name to the page; resolves once they have loaded. */
export function styled(name) {
  const { href } = new URL(name, import.meta.url);
  return new Promise((resolve) =>
    document.head.append(h("link", { rel: "stylesheet", href, on: { load: resolve, error: resolve } })),
  );
}

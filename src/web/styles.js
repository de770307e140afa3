// Styles that only some views need. They are loaded together with the view's scripts.

import { h } from "./dom.js";

/** Adds a style sheet to the page. Resolves once it has loaded or failed. */
export function loadStyles(name) {
  const { href } = new URL(name, import.meta.url);
  return new Promise((resolve) =>
    document.head.append(h("link", { rel: "stylesheet", href, on: { load: resolve, error: resolve } })),
  );
}

// What the views of suppliers and customers share: the heading and the handling of errors.

import { RequestError } from "./client.js";
import { refill, swap } from "./dom.js";
import { errorPanel } from "./error-panel.js";
import { original, readable } from "./names.js";

/**
 * Returns a function that puts the name of the organisation into `heading` and into the title of
 * the tab. It ignores an empty name.
 */
export function nameSetter(heading, inn, shell) {
  return (name) => {
    if (!name || heading.title === name) return;
    // The number stays with its sign: `Школа № 5`.
    heading.textContent = readable(name).replace(/№ (?=\d)/g, "№\u00a0");
    heading.title = original(name).title ?? "";
    shell.title(`${readable(name)} · ${inn}`);
  };
}

/**
 * Returns a function that shows a failed request in a section. If the key was refused, the error
 * replaces everything in `main` below `head` instead. The function ignores aborted requests and
 * rethrows other errors.
 */
export function errorDisplay(main, head, shell) {
  return (section, error, again = () => shell.again()) => {
    if (error.name === "AbortError") return;
    if (!(error instanceof RequestError)) throw error;
    if (error.kind === "key") refill(main, () => [head, errorPanel(error, () => shell.again())]);
    else swap(section, errorPanel(error, again));
    for (const one of [section, section.closest(".tab")]) one?.removeAttribute("aria-busy");
  };
}

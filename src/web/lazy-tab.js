// A tab that is loaded when it is opened, or in the background after everything else.

import { h, swap } from "./dom.js";
import { t } from "./texts.js";

/**
 * Creates the tab `name`. Its `show` imports the script with `load` and calls `fill(script,
 * section, signal)` to fill the section. This happens only once, but after an error `show` may be
 * called again. `fill` returns the number for the tab's label.
 */
export function lazyTab({ parts, showError, shell }, name, load, fill) {
  const section = parts.sections[name];
  const stop = new AbortController();
  let isAsked = false;
  const show = async () => {
    if (isAsked || !section.isConnected) return;
    isAsked = true;
    section.setAttribute("aria-busy", "true");
    swap(section, h("p", { class: "loading" }, t("loading")));
    try {
      const script = await load().catch(async () => {
        throw await shell.loadError();
      });
      parts.setCount(name, await fill(script, section, stop.signal));
      section.removeAttribute("aria-busy");
    } catch (error) {
      isAsked = false;
      showError(section, error, () => (error.kind === "outdated" ? location.reload() : show()));
    }
  };
  return { show, stop: () => stop.abort() };
}

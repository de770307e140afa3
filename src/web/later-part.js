// A part of a view that is asked for after all else, or when it is opened.

import { h, swap } from "./dom.js";
import { t } from "./texts.js";

/**
 * The part `name`: `show` has `fill(script, section, signal)` fill it once, and again after a failure;
 * `load` gives the script that it needs, and `fill` how many things the part has.
 */
export function laterPart({ parts, fail, shell }, name, load, fill) {
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
        throw await shell.unloaded();
      });
      parts.tell(name, await fill(script, section, stop.signal));
      section.removeAttribute("aria-busy");
    } catch (trouble) {
      isAsked = false;
      fail(section, trouble, () => (trouble.kind === "outdated" ? location.reload() : show()));
    }
  };
  return { show, stop: () => stop.abort() };
}

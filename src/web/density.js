// Row density of tables: a toggle button whose state the browser remembers.

import { h, icon } from "./dom.js";
import { localStore } from "./storage.js";
import { t } from "./texts.js";

const NAME = "compact";

export const isCompact = () => localStore.getItem(NAME) === "1";

/** Returns the toggle button. `apply(isCompact)` redraws the rows. */
export function densityButton(apply) {
  const press = ({ currentTarget: button }) => {
    const compact = !isCompact();
    if (compact) localStore.setItem(NAME, "1");
    else localStore.removeItem(NAME);
    button.setAttribute("aria-pressed", String(compact));
    apply(compact);
  };
  return h("button", {
    type: "button", class: "density", "aria-pressed": String(isCompact()), "data-stay": "density",
    title: t("density.means"), on: { click: press },
  }, icon("rows"), t("density"));
}

// How close the rows of tables stand: chosen by a button, remembered in the browser.

import { h, icon } from "./dom.js";
import { lasting } from "./storage.js";
import { t } from "./texts.js";

const NAME = "compact";

/** Are rows to be as low as they can be? */
export const isCompact = () => lasting.getItem(NAME) === "1";

/** The button that makes rows lower or higher; `apply` draws them so. */
export function densityButton(apply) {
  const press = ({ currentTarget: button }) => {
    const compact = !isCompact();
    if (compact) lasting.setItem(NAME, "1");
    else lasting.removeItem(NAME);
    button.setAttribute("aria-pressed", String(compact));
    apply(compact);
  };
  return h("button", {
    type: "button", class: "density", "aria-pressed": String(isCompact()), "data-stay": "density",
    title: t("density.means"), on: { click: press },
  }, icon("rows"), t("density"));
}

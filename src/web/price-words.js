import { addIcons, h, icon } from "./dom.js";
import { homogeneity } from "./statistics.js";
import { t } from "./texts.js";

addIcons({
  homogeneous: ["m5 12.5 4.5 4.5L19 7.5"],
  heterogeneous: ["M5 9h14M5 15h14", "m16 5-8 14"],
});

/**
 * Renders an icon and words for whether prices with this coefficient of variation are homogeneous.
 */
export function homogeneityWord(variation) {
  const kind = homogeneity(variation);
  return h("span", { class: `word ${kind}` }, kind !== "single" && icon(kind), t(`prices.${kind}`));
}

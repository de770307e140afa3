// Names of units of measure: short names for common OKEI codes, otherwise the name in the document.

import { t, word } from "./texts.js";

/**
 * Cuts off the explanation that documents add to the name of a unit: `Тонна;^метрическая тонна
 * (1000 кг)`.
 */
const bare = (name) => (name ?? "").split(/[;^(]/u)[0].trim().toLowerCase();

/** Returns the name of a unit: `компл.`. */
export const unitName = ({ okei, okeiName }) => word("okei", okei) ?? (bare(okeiName) || okei || t("prices.noUnit"));

/** Returns the unit with a preposition, to follow a price: `за компл.`. */
export const perUnit = ({ okei, okeiName }) =>
  word("per", okei) ?? (okei || okeiName ? t("prices.per", { unit: bare(okeiName) || okei }) : t("prices.perNone"));

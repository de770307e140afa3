// Units of measure in words: short names of the common ones by their code in OKEI, else what a
// document calls them.

import { t, word } from "./texts.js";

/** What a document calls a unit, without what it adds: `Тонна;^метрическая тонна (1000 кг)`. */
const bare = (name) => (name ?? "").split(/[;^(]/u)[0].trim().toLowerCase();

/** A unit by itself: `компл.`. */
export const unitName = ({ okei, okeiName }) => word("okei", okei) ?? (bare(okeiName) || okei || t("prices.noUnit"));

/** What a price is of: `за компл.`. */
export const perUnit = ({ okei, okeiName }) =>
  word("per", okei) ?? (okei || okeiName ? t("prices.per", { unit: bare(okeiName) || okei }) : t("prices.perNone"));

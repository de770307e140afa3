// Wording shared by the printed price calculation and its workbook.

import { about } from "./client.js";
import { stageName } from "./code-words.js";
import { moscow } from "./days.js";
import { count, decimal, roubles } from "./figures.js";
import { grouped } from "./grouped.js";
import { perUnit } from "./price-units.js";
import { toKopecks } from "./statistics.js";
import { t } from "./texts.js";

/** Returns the label for these codes: OKPD2, KTRU (codes with a hyphen) or both. */
export function codeLabel(codes) {
  if (codes.length > 0 && codes.every((code) => code.includes("-"))) return t("sheet.ktru");
  return t(codes.some((code) => code.includes("-")) ? "sheet.code" : "sheet.okpd2");
}

/**
 * Returns the remarks on the calculation as paragraphs, each an array of sentences: where the
 * prices come from and which adjustments were not made, who chose the prices, the formulas.
 */
export function sourceWords({ chosen, unit, words, updated }) {
  const stages = [...grouped(chosen, ({ stage }) => stage)]
    .map(([stage, some]) => `${stageName(stage)} – ${count(some.length)}`)
    .join(", ");
  const all = {
    all: count(unit.count),
    median: roubles(toKopecks(unit.median)),
    variation: unit.variation ? `${decimal(unit.variation, 2)}\u202f%` : "—",
  };
  const from = about.demo ? `${t("data.demo")}.` : t("sheet.source.means", { server: location.host });
  return [
    [
      `${from} ${t("data.updated", { time: moscow(updated) })}.`,
      t("sheet.source.prices"),
      t("sheet.stages", { stages }),
    ],
    [t("sheet.chosen", { n: count(chosen.length), ...all, per: perUnit(unit), words }), t("sheet.all", all)],
    [t("sheet.formulas")],
  ];
}

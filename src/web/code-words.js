// Translates codes of contracts, purchases and registry entries into words.

import { CODES } from "./codes.js";
import { language, t, word } from "./texts.js";

const coded = (kind, code) => word(kind, code, CODES[language()]);

/** Returns the name of a contract stage. Unknown stages are returned unchanged. */
export const stageName = (stage) => (stage ? coded("contractStage", stage) ?? stage : t("noStage"));
/** Returns the reason of a registry entry. Reasons that are not codes are returned unchanged. */
export const reasonWords = (reason) => coded("reason", reason) ?? reason;
/** Returns the name of a type, role or unit of measure. Unknown codes are returned unchanged. */
export const kindName = (field, code) => coded(field, code) ?? word(field, code) ?? code;

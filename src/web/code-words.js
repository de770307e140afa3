// The codes of contracts, cards and entries in words.

import { CODES } from "./codes.js";
import { language, t, word } from "./texts.js";

const coded = (kind, code) => word(kind, code, CODES[language()]);

/** A contract's stage in words; one that is not known stays as it is. */
export const stageName = (stage) => (stage ? coded("contractStage", stage) ?? stage : t("noStage"));
/** Why an entry was made: a code's words; a text stays as it is. */
export const reasonWords = (reason) => coded("reason", reason) ?? reason;
/** A kind of thing, a role or a unit in words. */
export const kindName = (field, code) => coded(field, code) ?? word(field, code) ?? code;

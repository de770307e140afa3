// Compares names in the browser, so that obviously equal ones need no request.

/** Legal forms, spelled out and abbreviated, which are ignored when names are compared. */
const FORMS = new RegExp(
  [
    "общество с ограниченной ответственностью",
    "(?:публичное |непубличное |закрытое |открытое )?акционерное общество",
    "индивидуальный предприниматель",
    "ооо|оао|зао|пао|нао|ао|ип",
  ]
    .map((form) => `(?<![\\p{L}\\d])(?:${form})(?![\\p{L}\\d])`)
    .join("|"),
  "gu",
);

/** Reduces a name to its letters and digits, without the legal form. */
const bare = (name) =>
  name
    .toLowerCase()
    .replaceAll("ё", "е")
    .replace(/[^\p{L}\d]+/gu, " ")
    .replace(FORMS, "")
    .replaceAll(" ", "");

/** Returns whether two names are equal apart from legal form, punctuation and case. */
export const areSame = (one, other) => bare(one) !== "" && bare(one) === bare(other);

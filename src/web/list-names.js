// Whether two names are plainly one, so that nobody has to be asked how well they fit.

/** Legal forms, in full and in short, that may be lacking in one of two names. */
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

/** The letters and digits of a name, without its legal form. */
const bare = (name) =>
  name
    .toLowerCase()
    .replaceAll("ё", "е")
    .replace(/[^\p{L}\d]+/gu, " ")
    .replace(FORMS, "")
    .replaceAll(" ", "");

/** Have two names the same letters and digits, legal forms aside? */
export const areSame = (one, other) => bare(one) !== "" && bare(one) === bare(other);

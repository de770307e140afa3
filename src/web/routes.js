// Addresses of views (after `#`), URLs of requests, and the interpretation of what the user types
// into the search field.

/** A number of all zeros is not an INN: lists fill in zeros where the INN is missing. */
const INN = /^(?!0+$)(?:\d{10}|\d{12})$/;
/** An INN after its label, with other characters in between. */
const NAMED = /(?:ИНН|INN)[^\d]{0,40}(\d{12}|\d{10})(?!\d)/iu;

/** Labels before a number; they are not part of a name. */
const LABELS =
  /ИНН|INN|КПП|KPP|закупк\p{L}*|контракт\p{L}*|извещени\p{L}*|реестров\p{L}*|номер\p{L}*|purchase|contract|number/giu;
const LETTER = /\p{L}/u;
/** Letters that are often typed instead of a digit. */
export const LIKE = { О: "0", O: "0", З: "3", Б: "6", В: "8", B: "8", I: "1", L: "1", S: "5" };
/**
 * Words as long as an INN or a purchase number, and how many of their characters may be letters
 * typed instead of digits.
 */
const LONG_WORD = /(?<![\p{L}\d])[\p{L}\d]{10,19}(?![\p{L}\d])/gu;
const MOST_LETTERS = 3;
const ADDRESS = /:\/\/|www\.|[?&]\w+=/;
/** Lower and upper bound on the length of a part of a name, in characters. */
const LEAST = 3;
const MOST = 200;

/**
 * Returns the law under which a purchase number is valid: `44`, `223` or `615`; `null` if it is not
 * a purchase number.
 */
export function lawOf(number) {
  if (/^\d{19}$/.test(number)) return "44";
  if (/^\d{18}$/.test(number)) return "615";
  return /^3\d{10}$/.test(number) ? "223" : null;
}

const PURCHASES = { 44: "/purchase/demo44", 223: "/purchase/demo223", 615: "/purchase/demo615" };

export const purchaseUrl = (number, format) => requestUrl(PURCHASES[lawOf(number)], { purchaseNumber: number, format });

/**
 * Returns the address of a notice on the official site. Under 44-FZ this is the print form, because
 * its address does not depend on the procedure.
 */
export const officialUrl = (number) => "https://zakupki.gov.ru/" + {
  44: "epz/order/notice/printForm/view.html?regNumber=",
  223: "223/purchase/public/purchase/info/common-info.html?regNumber=",
  615: "epz/order/notice/ea615/view/common-info.html?regNumber=",
}[lawOf(number)] + number;

/** Returns the address of the official registry search for this INN. */
export const officialRnpUrl = (inn) =>
  `https://zakupki.gov.ru/epz/dishonestsupplier/search/results.html?searchString=${inn}`;

export const isInn = (text) => INN.test(text);

/**
 * Interprets the text in the search field. Returns `{kind, subject}` of a view, `{kind: "batch",
 * inns}`, or `{kind: "wrong", why, digits}`.
 *
 * Ignores white space, dashes and labels around a number. Anything else is part of a name or a
 * registry number with letters. A number of 19 digits may belong to a contract or a purchase, so
 * the search looks for both.
 */
export function understand(typed) {
  const text = typed.replace(LONG_WORD, withoutLetters);
  const runs = text.match(/\d+/g) ?? [];
  if (runs.length > 1 && runs.every((run) => INN.test(run))) {
    const inns = [...new Set(runs)];
    return inns.length === 1 ? { kind: "supplier", subject: inns[0] } : { kind: "batch", inns };
  }
  const number = linkedPurchase(text, runs);
  if (number) return { kind: "purchase", subject: number };
  const inn = innNextToKpp(text, runs);
  if (inn) return { kind: "supplier", subject: inn };
  const isWorded = LETTER.test(text.replace(LABELS, ""));
  const whole = runs.filter((run) => INN.test(run) || lawOf(run));
  const digits = isWorded ? (whole.length === 1 ? whole[0] : "") : runs.join("");
  if (INN.test(digits)) return { kind: "supplier", subject: digits };
  if (lawOf(digits) === "44") return { kind: "find", subject: digits };
  if (lawOf(digits)) return { kind: "purchase", subject: digits };
  if (isWorded || runs.length === 0) return named(text.trim());
  const ofLength = /^0+$/.test(digits) ? "zeros" : ({ 9: "short", 11: "eleven", 36: "ikz" }[digits.length] ?? "length");
  const why = whole.length > 1 ? "several" : ofLength;
  return { kind: "wrong", why, digits: digits.length };
}

/**
 * Replaces look-alike letters with digits if the result is a valid number. Any other word stays
 * unchanged.
 */
function withoutLetters(word) {
  const number = word.toUpperCase().replace(/\D/g, (letter) => LIKE[letter] ?? letter);
  const isNumber = INN.test(number) || lawOf(number) !== null;
  return isNumber && word.replace(/\d/g, "").length <= MOST_LETTERS ? number : word;
}

/**
 * Returns whether the text may come from the subject of a contract or purchase: it has two adjacent
 * letters, and no five digits in a row.
 */
export const isSubject = (text) => /\p{L}{2}/u.test(text) && !/\d{5}/.test(text);

/** Interprets a string as part of a name. */
function named(text) {
  const why = text === "" ? "empty" : ADDRESS.test(text) ? "address" : text.length < LEAST ? "few" : null;
  return why ? { kind: "wrong", why, digits: 0 } : { kind: "find", subject: text.replace(/\s+/g, " ").slice(0, MOST) };
}

/**
 * Returns the purchase number in a pasted web address: the one in `regNumber` or `purchaseNumber`,
 * otherwise the only number that may be one.
 */
function linkedPurchase(text, runs) {
  if (!ADDRESS.test(text)) return null;
  const named = /[?&](?:regNumber|purchaseNumber)=(\d+)/i.exec(text)?.[1] ?? "";
  if (lawOf(named)) return named;
  const numbers = [...new Set(runs.filter(lawOf))];
  return numbers.length === 1 ? numbers[0] : null;
}

/**
 * Returns the INN in strings such as `9602000445/960201001` or `ИНН 9602000445 КПП 960201001`,
 * whose 19 digits in total are not a purchase number.
 */
function innNextToKpp(text, runs) {
  if (runs.some(lawOf)) return null;
  const named = NAMED.exec(text)?.[1];
  if (named && isInn(named)) return named;
  const inns = runs.filter((run) => INN.test(run));
  const kpp = runs.length === 2 && runs.some((run) => run.length === 9);
  return inns.length === 1 && kpp && /[/\\\p{L}]/u.test(text) ? inns[0] : null;
}

/** Parses `#/supplier/7707083893?page=2` into `{view, subject, params}`. */
export function readHash(hash) {
  const [path, query = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  const [view = "", subject = ""] = path.split("/");
  return { view, subject: decoded(subject), params: new URLSearchParams(query) };
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns the address of a view. Empty parameters are left out. */
export function hashOf(view, subject = "", params = {}) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) if (value) query.set(name, value);
  const tail = query.size ? `?${query.toString().replaceAll("%2C", ",")}` : "";
  return `#/${view}${subject ? `/${encodeURIComponent(subject)}` : ""}${tail}`;
}

/** Returns the URL of a request with the parameters in this order. Empty parameters are left out. */
export function requestUrl(path, params) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value !== "" && value !== null && value !== undefined) query.set(name, value);
  }
  return `${path}?${query.toString().replaceAll("%2C", ",")}`;
}

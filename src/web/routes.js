// What a person searches for, where the page's address leads (after `#`), and the URLs of requests.

/** Lists that have no INN somewhere fill in zeros. */
const INN = /^(?!0+$)(?:\d{10}|\d{12})$/;
/** An INN that is called so, whatever stands between. */
const NAMED = /(?:ИНН|INN)[^\d]{0,40}(\d{12}|\d{10})(?!\d)/iu;

/** Words that stand beside a number, and are no part of a name. */
const LABELS =
  /ИНН|INN|КПП|KPP|закупк\p{L}*|контракт\p{L}*|извещени\p{L}*|реестров\p{L}*|номер\p{L}*|purchase|contract|number/giu;
const LETTER = /\p{L}/u;
/** Letters that are typed for digits, and look like them. */
export const LIKE = { О: "0", O: "0", З: "3", Б: "6", В: "8", B: "8", I: "1", L: "1", S: "5" };
/** Words that are as long as a number may be, and how many of their letters may stand for digits. */
const LONG_WORD = /(?<![\p{L}\d])[\p{L}\d]{10,19}(?![\p{L}\d])/gu;
const MOST_LETTERS = 3;
const ADDRESS = /:\/\/|www\.|[?&]\w+=/;
/** How long a part of a name is at least, and how much of it is looked up. */
const LEAST = 3;
const MOST = 200;

/** Which law a purchase number is of, by its length: `44`, `223`, `615`; null for none. */
export function lawOf(number) {
  if (/^\d{19}$/.test(number)) return "44";
  if (/^\d{18}$/.test(number)) return "615";
  return /^3\d{10}$/.test(number) ? "223" : null;
}

/** The paths that purchases are asked for at, by law. */
const PURCHASES = { 44: "/purchase/demo44", 223: "/purchase/demo223", 615: "/purchase/demo615" };

/** The URL of a purchase's card. */
export const purchaseUrl = (number, format) => requestUrl(PURCHASES[lawOf(number)], { purchaseNumber: number, format });

/**
 * The notice's page on the official site; under 44-FZ its printed form, whose address is the
 * same for all procedures.
 */
export const officialUrl = (number) => "https://zakupki.gov.ru/" + {
  44: "epz/order/notice/printForm/view.html?regNumber=",
  223: "223/purchase/public/purchase/info/common-info.html?regNumber=",
  615: "epz/order/notice/ea615/view/common-info.html?regNumber=",
}[lawOf(number)] + number;

/** The search for a supplier in the registry of unfair suppliers on the official site. */
export const officialRnpUrl = (inn) =>
  `https://zakupki.gov.ru/epz/dishonestsupplier/search/results.html?searchString=${inn}`;

export const isInn = (text) => INN.test(text);

/**
 * What was typed into the search field: `{kind, subject}` of a view, `{kind: "batch", inns}`,
 * or `{kind: "wrong", why, digits}`. White space, dashes and words around the digits of a
 * number do not matter. What is no number is part of a name, or a registry number with
 * letters; a contract has 19 digits as a purchase does, so that these are looked up too.
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
  const inn = innBeside(text, runs);
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

/** A number in which letters stand for digits, with these; any other word as it is. */
function withoutLetters(word) {
  const number = word.toUpperCase().replace(/\D/g, (letter) => LIKE[letter] ?? letter);
  const isNumber = INN.test(number) || lawOf(number) !== null;
  return isNumber && word.replace(/\d/g, "").length <= MOST_LETTERS ? number : word;
}

/** Are these words that a contract or a purchase may be about? A number is none. */
export const isSubject = (text) => /\p{L}{2}/u.test(text) && !/\d{5}/.test(text);

/** What is looked up as part of a name. */
function named(text) {
  const why = text === "" ? "empty" : ADDRESS.test(text) ? "address" : text.length < LEAST ? "few" : null;
  return why ? { kind: "wrong", why, digits: 0 } : { kind: "find", subject: text.replace(/\s+/g, " ").slice(0, MOST) };
}

/** The purchase that a pasted address is of: its `regNumber`, or else the one number in it that can be one. */
function linkedPurchase(text, runs) {
  if (!ADDRESS.test(text)) return null;
  const named = /[?&](?:regNumber|purchaseNumber)=(\d+)/i.exec(text)?.[1] ?? "";
  if (lawOf(named)) return named;
  const numbers = [...new Set(runs.filter(lawOf))];
  return numbers.length === 1 ? numbers[0] : null;
}

/** The INN in `9602000445/960201001` or `ИНН 9602000445 КПП 960201001`, which are no 19 digits of a purchase. */
function innBeside(text, runs) {
  if (runs.some(lawOf)) return null;
  const named = NAMED.exec(text)?.[1];
  if (named && isInn(named)) return named;
  const inns = runs.filter((run) => INN.test(run));
  const kpp = runs.length === 2 && runs.some((run) => run.length === 9);
  return inns.length === 1 && kpp && /[/\\\p{L}]/u.test(text) ? inns[0] : null;
}

/** `#/supplier/7707083893?page=2` as `{view, subject, params}`. */
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

/** The address of a view; parameters without a value are left out. */
export function hashOf(view, subject = "", params = {}) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) if (value) query.set(name, value);
  const tail = query.size ? `?${query.toString().replaceAll("%2C", ",")}` : "";
  return `#/${view}${subject ? `/${encodeURIComponent(subject)}` : ""}${tail}`;
}

/** The URL of a request: a path and parameters, in this order, without a key. */
export function requestUrl(path, params) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value !== "" && value !== null && value !== undefined) query.set(name, value);
  }
  return `${path}?${query.toString().replaceAll("%2C", ",")}`;
}

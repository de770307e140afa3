// What a person types, and what stands in the address after `#`: the same questions.

const INN = /^(\d{10}|\d{12})$/;

/** Which law a purchase number is of, by its length: `44`, `223`, `615`; null for none. */
export function lawOf(number) {
  if (/^\d{19}$/.test(number)) return "44";
  if (/^\d{18}$/.test(number)) return "615";
  return /^3\d{10}$/.test(number) ? "223" : null;
}

export const isInn = (text) => INN.test(text);

/**
 * What the search field asks: `{kind: "supplier", inn}`, `{kind: "purchase", number}`,
 * `{kind: "batch", inns}`, or `{kind: "wrong", why, digits}`. White space, dashes and words
 * around the digits do not matter.
 */
export function understand(text) {
  const runs = text.match(/\d+/g) ?? [];
  if (runs.length === 0) return { kind: "wrong", why: text.trim() ? "noDigits" : "empty", digits: 0 };
  if (runs.length > 1 && runs.every((run) => INN.test(run))) {
    const inns = [...new Set(runs)];
    return inns.length === 1 ? { kind: "supplier", inn: inns[0] } : { kind: "batch", inns };
  }
  const digits = runs.join("");
  if (INN.test(digits)) return { kind: "supplier", inn: digits };
  if (lawOf(digits)) return { kind: "purchase", number: digits };
  const several = runs.filter((run) => INN.test(run) || lawOf(run)).length > 1;
  const why = several ? "several" : { 9: "short", 11: "eleven", 36: "ikz" }[digits.length] ?? "length";
  return { kind: "wrong", why, digits: digits.length };
}

/** The INNs in a text or a CSV file, each once, and the numbers that are none. */
export function innsIn(text) {
  const runs = text.match(/(?<![\p{L}\d])\d+(?![\p{L}\d])/gu) ?? [];
  const found = runs.filter((run) => INN.test(run));
  const inns = [...new Set(found)];
  const others = [...new Set(runs.filter((run) => !INN.test(run) && run.length > 4))];
  return { inns, repeated: found.length - inns.length, others };
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

/** The address that answers a question: a path and parameters, in this order, without a key. */
export function address(path, params) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) if (value !== "" && value !== null && value !== undefined) query.set(name, value);
  return `${path}?${query.toString().replaceAll("%2C", ",")}`;
}

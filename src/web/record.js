// Renders records as labelled fields. The fields that the caller names come first and all others
// follow, so that no field of a response is hidden.

import { kindName, stageName } from "./code-words.js";
import { day, dottedDay } from "./days.js";
import { h } from "./dom.js";
import { decimal, readableRoubles, roubles } from "./figures.js";
import { nameElement } from "./names.js";
import { hashOf, isInn } from "./routes.js";
import { fieldName, t } from "./texts.js";

const AMOUNTS = new Set(
  ("notificationPrice contractPrice fulfilmentSum total penaltiesTotal penaltiesPayments subContractorsSum " +
    "purchaseContractGuarantee contractGuarantee paymentAmountRUR fullNMCK maxPrice price sum totalSum customerMaxPrice " +
    "applicationGuaranteeAmount contractGuaranteeAmount contractProvisionWarrantyAmount").split(" "),
);
const PERCENTS = new Set(
  "advanceInPercents advanceSumPercents applicationGuaranteePart contractGuaranteePart contractProvisionWarrantyPart value".split(" "),
);
const CODES = new Set(
  "regNum organisationNumber purchaseNumber purchaseCode ikz inn kpp ogrn customerInn code md5 contractNumber registrationNumber tenderPlanPositionNumber".split(" "),
);

/** Returns the elements of a collection in any form: `{lot: [..]}`, `{lot: {..}}`, `""`, `null`. */
export function items(collection, name) {
  const inner = collection?.[name];
  return inner === undefined || inner === null || inner === "" ? [] : [inner].flat();
}

/** Returns whether a value has content to show. */
export function hasValue(value) {
  if (Array.isArray(value)) return value.some(hasValue);
  if (value !== null && typeof value === "object") return Object.values(value).some(hasValue);
  return value !== null && value !== undefined && value !== "";
}

/** Returns a field and removes it from the record, so that it is not listed again. */
export function take(record, name) {
  const value = record?.[name];
  if (record) delete record[name];
  return value ?? null;
}

/** Renders a web address as a link, and any other string as text. */
export function link(address, words = address) {
  if (!/^https?:\/\/\S+$/i.test(address)) return words === address ? address : `${words} (${address})`;
  return h("a", { href: address, rel: "noopener noreferrer", target: "_blank" }, words, h("span", { class: "aside" }, ` ↗\u{fe0e}`));
}

export const supplierLink = (inn) =>
  isInn(inn) ? h("a", { href: hashOf("supplier", inn), class: "code" }, inn) : inn;

/** Renders a link to a customer, or plain text if the INN is invalid. */
export const customerLink = (inn, words = inn) =>
  words === inn && !isInn(inn) ? words : nameElement(words, { href: isInn(inn) && hashOf("customer", inn) });

/** Returns whether a string is too long for one line. No number in the registries is that long. */
export const isLong = (text) => (text ?? "").length > 24;

/**
 * Renders an amount rounded for reading, with all digits in the tooltip. It wraps only if it would
 * be wider than a column.
 */
export function amount(text) {
  const [words, exact] = [readableRoubles(text), roubles(text)];
  return h("span", { class: isLong(words) ? "amount long" : "amount", title: words === exact ? null : exact }, words);
}

/** Formats a value according to its field. */
export function shown(name, value) {
  if (typeof value === "boolean") return t(value ? "yes" : "no");
  const text = String(value);
  if (text === "true" || text === "false") return t(text === "true" ? "yes" : "no");
  if (AMOUNTS.has(name)) return amount(text);
  if (PERCENTS.has(name)) return /^[\d.]+$/.test(text) ? `${decimal(text)}\u202f%` : text;
  if (name === "quantity") return h("span", { class: isLong(text) ? "amount long" : "amount" }, decimal(text));
  if (/Date$|^deliveryTerm$|^executionPeriod$/.test(name) && /^\d{4}-\d\d-\d\d/.test(text)) return text.split(/\.\./).map(day).join(" – ");
  if (name === "href" || name === "url") return link(text);
  if (name === "contractStage") return stageName(text);
  if (name === "type" || name === "role" || name === "okei") return h("span", { title: text }, kindName(name, text));
  if (name === "supplierINN") return supplierLink(text);
  if (name === "customerInn") return customerLink(text);
  if (CODES.has(name)) return h("span", { class: "code" }, text);
  return h("span", { class: "prose" }, dottedDay(text));
}

const pair = (label, content) => h("div", {}, h("dt", {}, label), h("dd", {}, content));

const inOneLine = (person) => ["lastName", "firstName", "middleName"].map((name) => take(person, name)).filter(Boolean).join(" ");

/** Renders fields as rows. Objects and collections become nested lists. */
function rows(record, names) {
  return names.flatMap((name) => {
    const value = take(record, name);
    if (!hasValue(value) || (name === "quantityUndefined" && String(value) === "false")) return [];
    if (typeof value !== "object") return [pair(fieldName(name), shown(name, value))];
    if ("lastName" in value) return [pair(fieldName(name), inOneLine(value)), ...rows(value, Object.keys(value))];
    const list = Array.isArray(value) ? value : null;
    if (list) return list.filter(hasValue).map((item) => pair(fieldName(name), typeof item === "object" ? facts(item) : shown(name, item)));
    const keys = Object.keys(value).filter((key) => hasValue(value[key]));
    if (keys.length === 1 && typeof value[keys[0]] !== "object") return [pair(fieldName(name), shown(keys[0], value[keys[0]]))];
    return [pair(fieldName(name), facts(value))];
  });
}

/**
 * Renders a record as a list of labels and values: the fields `first` in their order and, unless
 * `only` is set, then all others. Returns `null` if there is nothing to show.
 */
export function facts(record, first = [], { only = false } = {}) {
  if (!record || typeof record !== "object") return null;
  const begin = rows(record, first);
  const all = only ? begin : [...begin, ...rows(record, Object.keys(record))];
  return all.length ? h("dl", { class: "facts" }, all) : null;
}

/** A part with a heading, or `null` if the part is empty. */
export function part(title, content, props = {}) {
  const filled = [content].flat().filter(Boolean);
  return filled.length ? h("section", { class: "part", ...props }, h("h3", {}, title), filled) : null;
}

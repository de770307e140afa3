// The purchase view: customer, subject, price and deadlines, then the lots. The same code renders
// all three record formats; fields that it does not name are listed at the end of their part.

import { downloadBar } from "./downloads.js";
import { get, getJson, RequestError } from "./client.js";
import { listing } from "./contract-details.js";
import { dottedDay, todayInMoscow } from "./days.js";
import { announce, h, icon, refill } from "./dom.js";
import { errorPanel } from "./error-panel.js";
import { decimal, plural } from "./figures.js";
import { nameElement } from "./names.js";
import { placeNow } from "./place.js";
import { amount, customerLink, facts, hasValue, items, link, part, shown, supplierLink, take } from "./record.js";
import { hashOf, isInn, lawOf, officialUrl, purchaseUrl } from "./routes.js";
import { sources } from "./sources.js";
import { fieldName, forms, lawName, t, word } from "./texts.js";
import { fillMarks, markPlace } from "./verdict-marks.js";

/** The dates of a procedure in chronological order. */
const DAYS = (
  "docPublishDate firstPublishDate start end submissionCloseDateTime collectingEndDate opening envelopeOpeningTime scoring firstPartsDate " +
  "examinationDateTime applExamPeriodTime prequalification submissionDate bidding auctionTime secondPartsDate finalOpening " +
  "quotationExaminationTime selecting summarizingDate summingupTime"
).split(" ");

/**
 * Deadlines for bids. For these, 00:00 means midnight; for all other fields it means that the time
 * is not stated.
 */
const ENDS = new Set(["end", "submissionCloseDateTime", "collectingEndDate"]);

const dayWords = (name, value) => dottedDay(ENDS.has(name) ? value : value.replace(/ 00:00$/, ""));

/**
 * Number of days after the deadline for bids. If a purchase has no result by then, its result is
 * missing from the data.
 */
const LONG_PAST = 30;
const OVER = /заверш|отмен|не состоя/i;

export function purchaseView(main, { subject: number }, shell) {
  const law = lawOf(number);
  const heading = h("h1", { tabindex: "-1" }, t("purchase.title", { number }));
  main.replaceChildren(h("header", { class: "view-head" }, heading), h("p", { class: "loading" }, t("loading")));
  const stop = new AbortController();
  const url = (format) => purchaseUrl(number, format);
  const place = placeNow();
  const read = async () => {
    try {
      const json = await getJson(url("json"), stop.signal);
      const record = structuredClone(law === "44" ? json : Object.values(json)[0]);
      if (law === "44") mergeXml(record, treeOf((await get(url("xml"), stop.signal)).text));
      shell.title(`${record.purchaseObjectInfo || number} · ${number}`);
      const bar = downloadBar({ urls: (format) => [url(format)] });
      refill(main, () => [card(record, law, number, heading), bar]);
      announce(t("purchase.shown", { number }));
      place.goBack();
      await fillMarks(main, stop.signal);
    } catch (error) {
      if (error.name === "AbortError") return;
      if (!(error instanceof RequestError)) throw error;
      const panel = error.kind === "notFound" ? notLoaded(number) : errorPanel(error, () => shell.again());
      refill(main, () => [h("header", { class: "view-head" }, heading), panel]);
    }
  };
  read();
  return { heading, stop: () => stop.abort() };
}

/** The message that a purchase is not in the data, with a link to the official site. */
const notLoaded = (number) =>
  h("section", { class: "panel error notFound", role: "alert" },
    h("h2", {}, icon("undetermined"), t("purchase.notLoaded")),
    h("p", {}, t("purchase.notLoaded.do", { number })),
    h("p", {}, link(officialUrl(number), t("purchase.official"))),
    lawOf(number) === "44" && h("p", { class: "aside" }, t("purchase.notLoaded.contract")));

/**
 * Converts XML to objects and strings like those of the JSON response. Returns `null` if the XML is
 * malformed.
 */
function treeOf(text) {
  const read = new DOMParser().parseFromString(text, "application/xml");
  const tree = (element) => {
    if (!element.firstElementChild) return element.textContent;
    const value = {};
    for (const child of element.children) {
      const inner = tree(child);
      value[child.tagName] = child.tagName in value ? [value[child.tagName], inner].flat() : inner;
    }
    return value;
  };
  return read.querySelector("parsererror") ? null : tree(read.documentElement);
}

/** Adds what only the XML response contains: winners, contracts, terms. */
function mergeXml(json, xml) {
  if (xml === null || typeof xml !== "object") return;
  for (const [name, more] of Object.entries(xml)) {
    const here = json[name];
    if (here === undefined) json[name] = more;
    else if (Array.isArray(here)) here.forEach((item, at) => item && typeof item === "object" && mergeXml(item, [more].flat()[at]));
    else if (here && typeof here === "object") mergeXml(here, more);
  }
}

function card(record, law, number, heading) {
  const lots = items(take(record, "lots"), "lot");
  const organisation = take(record, "responsibleOrg");
  const main = take(record, "mainCustomer");
  const title = take(record, "purchaseObjectInfo");
  heading.textContent = title || t("purchase.title", { number });
  if (title) heading.lang = "ru";
  delete record.purchaseNumber;
  const isOpenEnded = !hasResult(record, lots) && isLongPast(record);
  const glance = keyFacts(record, lots, { organisation, main });
  const results = new Map(lots.map((lot) => [lot, lotResult(lot, record)]));
  const [stage, href, way] = ["stage", "href", "placingWay"].map((name) => take(record, name));
  return [
    h("header", { class: "view-head" },
      h("p", { class: "eyebrow" }, t("purchase.eyebrow", { law: lawName(law) }), " ", h("span", { class: "code" }, `№ ${number}`)),
      heading,
      h("p", { class: "meta" }, stage && h("span", { class: "stage" }, word("stage", stage) ?? stage), isOpenEnded && h("span", { class: "stage missing" }, t("purchase.noResults")), way && h("span", {}, way), href && h("span", {}, link(href, t("purchase.official")))),
    ),
    glance,
    daysOf(record),
    lots.length ? null : result615(record),
    lots.length > 0 && h("section", { class: "lots" }, h("h2", {}, plural(lots.length, forms("purchase.lots"))), lots.map((lot) => lotCard(lot, results.get(lot), lots.length === 1))),
    block(t("purchase.organisation"), organisation),
    block(t("purchase.mainCustomer"), main),
    documents(items(take(record, "attachments"), "attachment")),
    rest(record),
    sources(number),
  ].flat().filter(Boolean);
}

const contractsOf = (lot) => items(lot.customers, "customer").map((customer) => customer.contract).filter(hasValue);

/** Returns whether the record has a result or says that the purchase is over. */
const hasResult = (record, lots) =>
  OVER.test(record.stage ?? "") || [record.canceld, record.winner, record.contract, ...lots.flatMap((lot) => [lot.winner, ...contractsOf(lot)])].some(hasValue);

/** Returns the deadline for bids as the record states it. */
const endOf = (record) => record.procedureInfo?.end || record.submissionCloseDateTime || record.collectingEndDate;

/** Returns whether the results must have been published by now. */
function isLongPast(record) {
  const [, date, month, year] = /^(\d\d)\.(\d\d)\.(\d{4})/.exec(endOf(record) ?? "") ?? [];
  return Boolean(year) && Date.parse(todayInMoscow()) - Date.parse(`${year}-${month}-${date}`) > LONG_PAST * 86_400_000;
}

function lotResult(lot, record) {
  const contracts = contractsOf(lot);
  if (contracts.length) return plural(contracts.length, forms("purchase.lotContracts"));
  if (hasValue(lot.winner)) return t("purchase.lotWinner");
  if (hasValue(record.canceld) || /отмен/i.test(record.stage ?? "")) return t("purchase.lotCancelled");
  return t(/не состоя/i.test(record.stage ?? "") ? "purchase.lotFailed" : "purchase.lotUnknown");
}

/**
 * The key facts: customer, price, deadline, winner. Fields that also appear elsewhere are not
 * removed from the record.
 */
function keyFacts(record, lots, { organisation, main }) {
  const customers = lots.flatMap((lot) => items(lot.customers, "customer"));
  const named = (customers.length ? customers : [main, organisation]).filter((one) => one?.fullName);
  const who = [...new Map(named.map((one) => [one.fullName, one])).values()];
  const end = endOf(record);
  const winners = [record.winner, ...lots.map((lot) => lot.winner)].filter(hasValue);
  const price = take(record, "fullNMCK");
  const fact = (label, value, note) => h("div", {}, h("dt", {}, label), h("dd", {}, value, note));
  const small = (words) => h("span", { class: "aside" }, words);
  return h("dl", { class: "tiles wordy" },
    fact(t("purchase.who"), h("span", { class: "prose", lang: "ru" }, who.length ? customerLink(who[0].inn, who[0].fullName) : "—"), who.length > 1 && small(t("andMore", { n: who.length - 1 }))),
    fact(t("purchase.price"), h("span", { class: "figure" }, price === null ? "—" : amount(price))),
    fact(t("purchase.until"), h("span", { class: "figure" }, end ? dottedDay(end) : "—")),
    fact(t("purchase.winner"), winners.length
      ? winners.slice(0, 3).map(winnerLine)
      : h("span", { class: "aside" }, t("purchase.noWinner")), winners.length > 3 && small(t("andMore", { n: winners.length - 3 }))),
  );
}

/** A winner with its registry verdict and price. */
const winnerLine = ({ name, inn, price }) =>
  h("span", { class: "winner" },
    nameElement(name || inn || t("noName"), { href: isInn(inn) && hashOf("supplier", inn) }), markPlace(inn),
    price && h("span", { class: "aside" }, amount(price)));

/** The dates of the procedure as a list. */
function daysOf(record) {
  const procedure = take(record, "procedureInfo") ?? {};
  const cancelled = take(record, "canceld");
  const line = (place, name, prefix = "") => {
    const value = take(place, name);
    return hasValue(value) && typeof value !== "object" ? h("li", {}, h("span", { class: "when" }, dayWords(name, String(value))), h("span", {}, prefix, fieldName(`day.${name}`))) : null;
  };
  const steps = DAYS.flatMap((name) => [line(record, name), line(procedure, name)]);
  for (const stage of ["stage1", "stage2"]) {
    const inner = take(procedure, stage);
    if (inner && typeof inner === "object") steps.push(...DAYS.map((name) => line(inner, name, `${fieldName(stage)}: `)));
  }
  const listed = steps.filter(Boolean);
  return h("section", { class: "part" }, h("h2", {}, t("purchase.days")),
    hasValue(cancelled) && h("p", { class: "ground" }, fieldName("canceld"), ": ", shown("canceld", cancelled)),
    listed.length ? h("ol", { class: "days" }, listed) : h("p", { class: "aside" }, t("purchase.noDays")),
    facts(procedure));
}

/** The result of a purchase without lots: winner and contract. */
function result615(record) {
  const [winner, contract] = [take(record, "winner"), take(record, "contract")];
  const content = [winnerCard(winner), contractCard(contract)].filter(Boolean);
  return h("section", { class: "part" }, h("h2", {}, t("purchase.result")), content.length ? content : h("p", { class: "aside" }, t("purchase.lotUnknown")));
}

function organisation(who) {
  const [name, inn] = [take(who, "name"), take(who, "inn")];
  const href = isInn(inn) && hashOf("supplier", inn);
  return [
    h("strong", { class: "prose" }, nameElement(name || t("noName"), { href })),
    inn && h("span", {}, t("inn"), " ", supplierLink(inn)), markPlace(inn),
  ];
}

function winnerCard(winner) {
  if (!hasValue(winner)) return null;
  return h("div", { class: "panel result" }, h("h3", {}, t("purchase.winner")), h("p", { class: "who" }, organisation(winner)), facts(winner, ["price", "kpp"]));
}

function contractCard(contract) {
  if (!hasValue(contract)) return null;
  const suppliers = items(take(contract, "suppliers"), "supplier").filter(hasValue);
  return h("div", { class: "panel result" }, h("h3", {}, t("find.contract")),
    facts(contract, ["regNum", "price", "executionPeriod"]),
    suppliers.map((supplier) => [h("p", { class: "who" }, organisation(supplier)), facts(supplier)]));
}

function lotCard(lot, result, only) {
  const [number, name, info, price, currency] = ["lotNumber", "lotName", "lotObjectInfo", "maxPrice", "currency"].map((field) => take(lot, field));
  const customers = items(take(lot, "customers"), "customer");
  const objects = take(lot, "purchaseObjects");
  const winner = winnerCard(take(lot, "winner"));
  const inRoubles = !currency || currency === "RUB";
  const worth = hasValue(price) && (inRoubles ? amount(price) : `${decimal(price, 2)} ${currency}`);
  const rules = ["requirements", "addRequirements", "preferenses", "restrictions", "restrictionsSt14"].map((field) => ruleList(field, take(lot, field)));
  return h("article", { class: "lot" },
    h("h3", {}, t("purchase.lot", { n: number ?? "" }), (name || info) && h("span", { class: "prose" }, ` ${[name, info].filter(Boolean).join(" — ")}`)),
    worth && h("p", { class: "lot-price" }, t("purchase.lotPrice"), " ", h("strong", { class: "amount" }, worth)),
    h("p", { class: "lot-result" }, t("purchase.lotResult"), " ", h("strong", {}, result)),
    winner,
    objects && objectList(objects),
    customers.map((customer) => customerCard(customer, only && customers.length === 1)),
    rules.some(Boolean) && h("div", { class: "rules" }, rules),
    part(t("purchase.terms"), facts(lot)),
  );
}

/** The table of items with the total in the last row. */
function objectList(objects) {
  const list = items(objects, "purchaseObject").filter(hasValue);
  delete objects.purchaseObject;
  if (!list.length) return facts(objects, ["totalSum"]);
  const short = list.every((object) => !("name" in object));
  const names = short ? Object.keys(list[0]) : [];
  const total = !short || names.includes("sum") ? take(objects, "totalSum") : null;
  const foot = facts(objects, ["totalSum"]);
  if (short) return [listing(t("purchase.items"), names, list, total), foot];
  const number = (object, field) => h("td", { class: "number", "data-label": fieldName(field) }, hasValue(object[field]) ? shown(field, take(object, field)) : "—");
  const row = (object, at) => {
    const [name, unit, unitName] = ["name", "OKEI", "OKEIName"].map((field) => take(object, field));
    const codes = ["KTRU", "OKPD2", "OKPD"].filter((field) => hasValue(object[field])).map((field) => {
      const [code, words] = [take(object, field), take(object, `${field}Name`)];
      return h("span", { class: "line" }, h("span", { class: "aside" }, `${fieldName(field)} `), h("span", { class: "code" }, code), words && h("span", { class: "aside" }, ` ${words}`));
    });
    const [price, quantity, sum] = ["price", "quantity", "sum"].map((field) => number(object, field));
    if (unit || unitName) quantity.append(h("span", { class: "aside line", title: unitName && unit }, unitName || unit));
    const more = facts(object);
    return h("tr", {},
      h("td", { class: "order", "data-label": "№" }, at + 1),
      h("td", { "data-label": fieldName("name") }, h("span", { class: "prose" }, name), more && h("details", {}, h("summary", {}, t("more")), more)),
      h("td", { "data-label": t("purchase.code") }, codes.length ? codes : "—"),
      quantity, price, sum);
  };
  const head = ["№", fieldName("name"), t("purchase.code"), fieldName("quantity"), fieldName("price"), fieldName("sum")];
  return [
    h("table", { class: "cards objects" },
      h("caption", {}, t("purchase.items"), " ", h("span", { class: "badge" }, list.length)),
      h("thead", {}, h("tr", {}, head.map((words, at) => h("th", { scope: "col", class: at > 2 && "number" }, words)))),
      h("tbody", {}, list.map(row)),
      hasValue(total) && h("tfoot", {}, h("tr", {},
        h("th", { scope: "row", colspan: head.length - 1 }, fieldName("totalSum")),
        h("td", { class: "number" }, shown("totalSum", total))))),
    foot,
  ];
}

function customerCard(customer, open) {
  const name = take(customer, "fullName");
  const inn = customer.inn;
  const contract = contractCard(take(customer, "contract"));
  const objects = take(customer, "purchaseObjects");
  const places = items(take(customer, "deliveryPlaces"), "deliveriPlace").filter(hasValue);
  return h("details", { class: "customer", open },
    h("summary", {}, t("purchase.customer"), " ", h("strong", { class: "prose" }, nameElement(name || t("noName"), {})),
      inn && h("span", { class: "aside" }, ` · ${t("inn")} ${inn}`)),
    isInn(inn) && h("p", {}, customerLink(inn, t("purchase.customerContracts"))),
    contract,
    hasValue(objects) && objectList(objects),
    facts(customer, ["inn", "kpp", "ogrn", "ikz", "customerMaxPrice", "factualAddress", "postalAddress", "contactPerson", "phone", "fax", "email", "executionTerms", "enforcement"]),
    part(t("purchase.places"), places.length && h("ul", { class: "plain" }, places.map((place) => h("li", {}, facts(place, ["GARAddress", "deliveryPlace"]))))),
  );
}

/** Requirements, preferences or restrictions with their details. */
function ruleList(field, collection) {
  const rules = Object.values(collection ?? {}).flat().filter(hasValue);
  if (!rules.length) return null;
  return part(fieldName(field), h("ul", { class: "plain" }, rules.map((rule) => {
    const [name, code] = [take(rule, "name"), take(rule, "code")];
    const words = h("span", { class: "prose", title: name && code }, name || code);
    return h("li", {}, words, facts(rule, ["shortName", "content", "value"]));
  })));
}

function block(title, record) {
  if (!hasValue(record)) return null;
  if (hasValue(record.regNum)) record.organisationNumber = take(record, "regNum");
  const contracts = isInn(record.inn) && h("p", {}, customerLink(record.inn, t("purchase.customerContracts")));
  return h("section", { class: "part" }, h("h2", {}, title), facts(record, ["fullName", "inn", "kpp", "ogrn"]), contracts);
}

function documents(list) {
  if (!list.length) return null;
  return h("section", { class: "part" }, h("h2", {}, t("purchase.documents"), " ", h("span", { class: "badge" }, list.length)),
    h("ul", { class: "documents" }, list.map((file) => {
      const [name, url, size, date, kind, code] = ["fileName", "url", "fileSize", "docDate", "docKindName", "docKindCode"].map((field) => take(file, field));
      if (file.docDescription === kind || file.docDescription === name) delete file.docDescription;
      return h("li", {}, h("span", { class: "prose" }, url ? link(url, name || url) : name), h("span", { class: "aside", title: kind && code }, [kind || code, date && dayWords("docDate", date), size].filter(Boolean).join(" · ")), facts(file, ["docDescription"]));
    })));
}

function rest(record) {
  const restrictions = items(take(record, "restrictions"), "restriction").filter(hasValue);
  return [
    restrictions.length > 0 && h("section", { class: "part" }, h("h2", {}, fieldName("restrictions")), h("ul", { class: "plain" }, restrictions.map((one) => h("li", {}, facts(one))))),
    hasValue(record) && h("section", { class: "part" }, h("h2", {}, t("purchase.rest")), facts(record, ["ETP", "region"])),
  ];
}

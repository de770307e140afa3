// A purchase as people read it: who buys, what, for how much, until when; then lot by lot.
// One way for all three shapes; what it does not name is listed at the end of its part.

import { downloadBar } from "./downloads.js";
import { get, getJson, Trouble } from "./client.js";
import { listing } from "./contracts.js";
import { announce, h } from "./dom.js";
import { decimal, plural, roubles } from "./figures.js";
import { facts, hasValue, items, link, part, shown, supplierLink, take } from "./record.js";
import { lawOf, requestUrl } from "./routes.js";
import { fieldName, forms, lawName, t } from "./texts.js";
import { troublePanel } from "./trouble.js";

const PATHS = { 44: "/purchase/demo44", 223: "/purchase/demo223", 615: "/purchase/demo615" };
/** The days of a procedure, in the order in which they come. */
const DAYS = (
  "docPublishDate firstPublishDate start end submissionCloseDateTime collectingEndDate opening envelopeOpeningTime scoring firstPartsDate " +
  "examinationDateTime applExamPeriodTime prequalification submissionDate bidding auctionTime secondPartsDate finalOpening " +
  "quotationExaminationTime selecting summarizingDate summingupTime"
).split(" ");

/** Puts the view of a purchase into `main`. */
export function purchaseView(main, { subject: number }, shell) {
  const law = lawOf(number);
  const heading = h("h1", { tabindex: "-1" }, t("purchase.title", { number }));
  main.replaceChildren(h("header", { class: "view-head" }, heading), h("p", { class: "loading" }, t("loading")));
  const stop = new AbortController();
  const url = (format) => requestUrl(PATHS[law], { purchaseNumber: number, format });
  const read = async () => {
    try {
      const json = await getJson(url("json"), stop.signal);
      const record = structuredClone(law === "44" ? json : Object.values(json)[0]);
      if (law === "44") addWhatXmlHas(record, treeOf((await get(url("xml"), stop.signal)).text));
      shell.title(`${record.purchaseObjectInfo || number} · ${number}`);
      const bar = downloadBar({ name: `purchase-${number}`, urls: (format) => [url(format)] });
      main.replaceChildren(...card(record, law, number, heading), bar);
      announce(t("purchase.shown", { number }));
    } catch (trouble) {
      if (trouble.name === "AbortError") return;
      if (!(trouble instanceof Trouble)) throw trouble;
      const kind = trouble.kind === "notFound" ? Object.assign(trouble, { kind: "noPurchase" }) : trouble;
      main.replaceChildren(h("header", { class: "view-head" }, heading), troublePanel(kind, () => shell.again()));
    }
  };
  read();
  return { heading, stop: () => stop.abort() };
}

/** An XML answer as objects and texts, as JSON would have it; null if it cannot be read. */
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

/** Adds to a card from JSON what the XML of the same card has beyond it: winners, contracts, terms. */
function addWhatXmlHas(json, xml) {
  if (xml === null || typeof xml !== "object") return;
  for (const [name, more] of Object.entries(xml)) {
    const here = json[name];
    if (here === undefined) json[name] = more;
    else if (Array.isArray(here)) here.forEach((item, at) => item && typeof item === "object" && addWhatXmlHas(item, [more].flat()[at]));
    else if (here && typeof here === "object") addWhatXmlHas(here, more);
  }
}

function card(record, law, number, heading) {
  const lots = items(take(record, "lots"), "lot");
  const organisation = take(record, "responsibleOrg");
  const main = take(record, "mainCustomer");
  const title = take(record, "purchaseObjectInfo");
  heading.textContent = title || t("purchase.title", { number });
  delete record.purchaseNumber;
  const glance = keyFacts(record, lots, { organisation, main });
  const [stage, href, way] = ["stage", "href", "placingWay"].map((name) => take(record, name));
  return [
    h("header", { class: "view-head" },
      h("p", { class: "eyebrow" }, t("purchase.eyebrow", { law: lawName(law) }), " ", h("span", { class: "code" }, `№ ${number}`)),
      heading,
      h("p", { class: "meta" }, stage && h("span", { class: "stage" }, stage), way && h("span", {}, way), href && h("span", {}, link(href, t("purchase.official")))),
    ),
    glance,
    daysOf(record),
    result615(record),
    lots.length > 0 && h("section", { class: "lots" }, h("h2", {}, plural(lots.length, forms("purchase.lots"))), lots.map((lot) => lotCard(lot, lots.length === 1))),
    block(t("purchase.organisation"), organisation),
    block(t("purchase.mainCustomer"), main),
    documents(items(take(record, "attachments"), "attachment")),
    rest(record),
  ].flat().filter(Boolean);
}

/** Who, how much, until when, with what result: at one glance. The record keeps what is shown here. */
function keyFacts(record, lots, { organisation, main }) {
  const customers = lots.flatMap((lot) => items(lot.customers, "customer")).map((customer) => customer.fullName);
  const who = [...new Set([...customers, ...(customers.length ? [] : [main?.fullName, organisation?.fullName])])].filter(Boolean);
  const end = record.procedureInfo?.end || record.submissionCloseDateTime || record.collectingEndDate;
  const winners = [record.winner, ...lots.map((lot) => lot.winner)].filter(hasValue);
  const price = take(record, "fullNMCK");
  const fact = (label, value, note) => h("div", {}, h("dt", {}, label), h("dd", {}, value, note));
  const small = (words) => h("span", { class: "aside" }, words);
  return h("dl", { class: "tiles wordy" },
    fact(t("purchase.who"), h("span", { class: "prose" }, who[0] ?? "—"), who.length > 1 && small(t("purchase.andMore", { n: who.length - 1 }))),
    fact(t("purchase.price"), h("span", { class: "figure" }, price === null ? "—" : roubles(price))),
    fact(t("purchase.until"), h("span", { class: "figure" }, end || "—")),
    fact(t("purchase.winner"), winners.length
      ? winners.slice(0, 3).map((winner) => h("span", { class: "line" }, winner.name || winner.inn, winner.price && small(` ${roubles(winner.price)}`)))
      : h("span", { class: "aside" }, t("purchase.noWinner")), winners.length > 3 && small(t("purchase.andMore", { n: winners.length - 3 }))),
  );
}

/** The days of the procedure, one after the other. */
function daysOf(record) {
  const procedure = take(record, "procedureInfo") ?? {};
  const cancelled = take(record, "canceld");
  const line = (place, name, prefix = "") => {
    const value = take(place, name);
    return hasValue(value) && typeof value !== "object" ? h("li", {}, h("span", { class: "when" }, value), h("span", {}, prefix, fieldName(`day.${name}`))) : null;
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

/** The winner and the contract of a card without lots. */
function result615(record) {
  const [winner, contract] = [take(record, "winner"), take(record, "contract")];
  const content = [winnerCard(winner), contractCard(contract)].filter(Boolean);
  return content.length ? h("section", { class: "part" }, h("h2", {}, t("purchase.result")), content) : null;
}

function organisation(who) {
  const [name, inn] = [take(who, "name"), take(who, "inn")];
  return [h("strong", { class: "prose" }, name || t("noName")), inn && h("span", {}, t("inn"), " ", supplierLink(inn))];
}

function winnerCard(winner) {
  if (!hasValue(winner)) return null;
  return h("div", { class: "panel result" }, h("h3", {}, t("purchase.winner")), h("p", { class: "who" }, organisation(winner)), facts(winner, ["price", "kpp"]));
}

function contractCard(contract) {
  if (!hasValue(contract)) return null;
  const suppliers = items(take(contract, "suppliers"), "supplier").filter(hasValue);
  return h("div", { class: "panel result" }, h("h3", {}, t("purchase.contract")),
    facts(contract, ["regNum", "price", "executionPeriod"]),
    suppliers.map((supplier) => [h("p", { class: "who" }, organisation(supplier)), facts(supplier)]));
}

function lotCard(lot, only) {
  const [number, name, info, price, currency] = ["lotNumber", "lotName", "lotObjectInfo", "maxPrice", "currency"].map((field) => take(lot, field));
  const customers = items(take(lot, "customers"), "customer");
  const objects = take(lot, "purchaseObjects");
  const winner = winnerCard(take(lot, "winner"));
  const amount = hasValue(price) && (!currency || currency === "RUB" ? roubles(price) : `${decimal(price, 2)} ${currency}`);
  const rules = ["requirements", "addRequirements", "preferenses", "restrictions", "restrictionsSt14"].map((field) => ruleList(field, take(lot, field)));
  return h("article", { class: "lot" },
    h("h3", {}, t("purchase.lot", { n: number ?? "" }), (name || info) && h("span", { class: "prose" }, ` ${[name, info].filter(Boolean).join(" — ")}`)),
    amount && h("p", { class: "lot-price" }, t("purchase.lotPrice"), " ", h("strong", { class: "amount" }, amount)),
    winner,
    objects && objectList(objects),
    customers.map((customer) => customerCard(customer, only && customers.length === 1)),
    rules.some(Boolean) && h("div", { class: "rules" }, rules),
    part(t("purchase.terms"), facts(lot)),
  );
}

/** What is bought, as a table; the total stands under it. */
function objectList(objects) {
  const list = items(objects, "purchaseObject").filter(hasValue);
  delete objects.purchaseObject;
  const foot = facts(objects, ["totalSum"]);
  if (!list.length) return foot;
  const short = list.every((object) => !("name" in object));
  if (short) return [listing(t("purchase.items"), Object.keys(list[0]), list), foot];
  const number = (object, field) => h("td", { class: "number", role: "cell", "data-label": fieldName(field) }, hasValue(object[field]) ? shown(field, take(object, field)) : "—");
  const row = (object, at) => {
    const [name, unit, unitName] = ["name", "OKEI", "OKEIName"].map((field) => take(object, field));
    const codes = ["KTRU", "OKPD2", "OKPD"].filter((field) => hasValue(object[field])).map((field) => {
      const [code, words] = [take(object, field), take(object, `${field}Name`)];
      return h("span", { class: "line" }, h("span", { class: "aside" }, `${fieldName(field)} `), h("span", { class: "code" }, code), words && h("span", { class: "aside" }, ` ${words}`));
    });
    const [price, quantity, sum] = ["price", "quantity", "sum"].map((field) => number(object, field));
    if (unit || unitName) quantity.append(h("span", { class: "aside line" }, [unitName, unit && `(${unit})`].filter(Boolean).join(" ")));
    const more = facts(object);
    return h("tr", { role: "row" },
      h("td", { role: "cell", class: "order", "data-label": "№" }, at + 1),
      h("td", { role: "cell", "data-label": fieldName("name") }, h("span", { class: "prose" }, name), more && h("details", {}, h("summary", {}, t("more")), more)),
      h("td", { role: "cell", "data-label": t("purchase.code") }, codes.length ? codes : "—"),
      quantity, price, sum);
  };
  const head = ["№", fieldName("name"), t("purchase.code"), fieldName("quantity"), fieldName("price"), fieldName("sum")];
  return [
    h("table", { class: "cards objects", role: "table" },
      h("caption", {}, t("purchase.items"), " ", h("span", { class: "badge" }, list.length)),
      h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, head.map((words, at) => h("th", { role: "columnheader", scope: "col", class: at > 2 && "number" }, words)))),
      h("tbody", { role: "rowgroup" }, list.map(row))),
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
    h("summary", {}, t("purchase.customer"), " ", h("strong", { class: "prose" }, name), inn && h("span", { class: "aside" }, ` · ${t("inn")} ${inn}`)),
    contract,
    hasValue(objects) && objectList(objects),
    facts(customer, ["inn", "kpp", "ogrn", "ikz", "customerMaxPrice", "factualAddress", "postalAddress", "contactPerson", "phone", "fax", "email", "executionTerms", "enforcement"]),
    part(t("purchase.places"), places.length && h("ul", { class: "plain" }, places.map((place) => h("li", {}, facts(place, ["GARAddress", "deliveryPlace"]))))),
  );
}

/** Requirements, preferences or restrictions: the name, and what belongs to it. */
function ruleList(field, collection) {
  const rules = Object.values(collection ?? {}).flat().filter(hasValue);
  if (!rules.length) return null;
  return part(fieldName(field), h("ul", { class: "plain" }, rules.map((rule) => {
    const [name, code] = [take(rule, "name"), take(rule, "code")];
    return h("li", {}, h("span", { class: "prose" }, name), code && h("span", { class: "aside code" }, ` ${code}`), facts(rule, ["shortName", "content", "value"]));
  })));
}

function block(title, record) {
  return hasValue(record) ? h("section", { class: "part" }, h("h2", {}, title), facts(record, ["fullName", "inn", "kpp", "ogrn"])) : null;
}

function documents(list) {
  if (!list.length) return null;
  return h("section", { class: "part" }, h("h2", {}, t("purchase.documents"), " ", h("span", { class: "badge" }, list.length)),
    h("ul", { class: "documents" }, list.map((file) => {
      const [name, url, size, date, kind, code] = ["fileName", "url", "fileSize", "docDate", "docKindName", "docKindCode"].map((field) => take(file, field));
      if (file.docDescription === kind || file.docDescription === name) delete file.docDescription;
      return h("li", {}, h("span", { class: "prose" }, url ? link(url, name || url) : name), h("span", { class: "aside" }, [kind, code, date, size].filter(Boolean).join(" · ")), facts(file, ["docDescription"]));
    })));
}

function rest(record) {
  const restrictions = items(take(record, "restrictions"), "restriction").filter(hasValue);
  return [
    restrictions.length > 0 && h("section", { class: "part" }, h("h2", {}, fieldName("restrictions")), h("ul", { class: "plain" }, restrictions.map((one) => h("li", {}, facts(one))))),
    hasValue(record) && h("section", { class: "part" }, h("h2", {}, t("purchase.rest")), facts(record, ["ETP", "region"])),
  ];
}

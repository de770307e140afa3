// Names of organisations as people read them: those that come in capitals get small letters,
// common legal forms their abbreviations, quotation marks their printed shape. The original
// stands in the tooltip, in files and on the sheet.

import { h } from "./dom.js";

/** Legal forms in full, the longer ones first, and their abbreviations. */
const FORMS = Object.entries({
  "ФЕДЕРАЛЬНОЕ ГОСУДАРСТВЕННОЕ БЮДЖЕТНОЕ ОБРАЗОВАТЕЛЬНОЕ УЧРЕЖДЕНИЕ ВЫСШЕГО ОБРАЗОВАНИЯ": "ФГБОУ ВО",
  "ФЕДЕРАЛЬНОЕ ГОСУДАРСТВЕННОЕ АВТОНОМНОЕ ОБРАЗОВАТЕЛЬНОЕ УЧРЕЖДЕНИЕ ВЫСШЕГО ОБРАЗОВАНИЯ": "ФГАОУ ВО",
  "ГОСУДАРСТВЕННОЕ БЮДЖЕТНОЕ ПРОФЕССИОНАЛЬНОЕ ОБРАЗОВАТЕЛЬНОЕ УЧРЕЖДЕНИЕ": "ГБПОУ",
  "ГОСУДАРСТВЕННОЕ АВТОНОМНОЕ ПРОФЕССИОНАЛЬНОЕ ОБРАЗОВАТЕЛЬНОЕ УЧРЕЖДЕНИЕ": "ГАПОУ",
  "МУНИЦИПАЛЬНОЕ БЮДЖЕТНОЕ ДОШКОЛЬНОЕ ОБРАЗОВАТЕЛЬНОЕ УЧРЕЖДЕНИЕ": "МБДОУ",
  "МУНИЦИПАЛЬНОЕ БЮДЖЕТНОЕ ОБЩЕОБРАЗОВАТЕЛЬНОЕ УЧРЕЖДЕНИЕ": "МБОУ",
  "МУНИЦИПАЛЬНОЕ БЮДЖЕТНОЕ ОБРАЗОВАТЕЛЬНОЕ УЧРЕЖДЕНИЕ": "МБОУ",
  "ГОСУДАРСТВЕННОЕ БЮДЖЕТНОЕ УЧРЕЖДЕНИЕ ЗДРАВООХРАНЕНИЯ": "ГБУЗ",
  "ГОСУДАРСТВЕННОЕ АВТОНОМНОЕ УЧРЕЖДЕНИЕ ЗДРАВООХРАНЕНИЯ": "ГАУЗ",
  "ГОСУДАРСТВЕННОЕ КАЗЕННОЕ УЧРЕЖДЕНИЕ ЗДРАВООХРАНЕНИЯ": "ГКУЗ",
  "ФЕДЕРАЛЬНОЕ ГОСУДАРСТВЕННОЕ УНИТАРНОЕ ПРЕДПРИЯТИЕ": "ФГУП",
  "ФЕДЕРАЛЬНОЕ ГОСУДАРСТВЕННОЕ БЮДЖЕТНОЕ УЧРЕЖДЕНИЕ": "ФГБУ",
  "ФЕДЕРАЛЬНОЕ ГОСУДАРСТВЕННОЕ КАЗЕННОЕ УЧРЕЖДЕНИЕ": "ФГКУ",
  "ОБЩЕСТВО С ОГРАНИЧЕННОЙ ОТВЕТСТВЕННОСТЬЮ": "ООО",
  "ГОСУДАРСТВЕННОЕ БЮДЖЕТНОЕ УЧРЕЖДЕНИЕ": "ГБУ",
  "ГОСУДАРСТВЕННОЕ АВТОНОМНОЕ УЧРЕЖДЕНИЕ": "ГАУ",
  "ГОСУДАРСТВЕННОЕ КАЗЕННОЕ УЧРЕЖДЕНИЕ": "ГКУ",
  "ГОСУДАРСТВЕННОЕ УНИТАРНОЕ ПРЕДПРИЯТИЕ": "ГУП",
  "МУНИЦИПАЛЬНОЕ УНИТАРНОЕ ПРЕДПРИЯТИЕ": "МУП",
  "МУНИЦИПАЛЬНОЕ БЮДЖЕТНОЕ УЧРЕЖДЕНИЕ": "МБУ",
  "МУНИЦИПАЛЬНОЕ АВТОНОМНОЕ УЧРЕЖДЕНИЕ": "МАУ",
  "МУНИЦИПАЛЬНОЕ КАЗЕННОЕ УЧРЕЖДЕНИЕ": "МКУ",
  "ПУБЛИЧНОЕ АКЦИОНЕРНОЕ ОБЩЕСТВО": "ПАО",
  "ЗАКРЫТОЕ АКЦИОНЕРНОЕ ОБЩЕСТВО": "ЗАО",
  "ОТКРЫТОЕ АКЦИОНЕРНОЕ ОБЩЕСТВО": "ОАО",
  "ИНДИВИДУАЛЬНЫЙ ПРЕДПРИНИМАТЕЛЬ": "ИП",
  "ФЕДЕРАЛЬНОЕ КАЗЕННОЕ УЧРЕЖДЕНИЕ": "ФКУ",
  "ГОСУДАРСТВЕННОЕ УЧРЕЖДЕНИЕ": "ГУ",
  "АКЦИОНЕРНОЕ ОБЩЕСТВО": "АО",
  "БЮДЖЕТНОЕ УЧРЕЖДЕНИЕ": "БУ",
  "КАЗЕННОЕ УЧРЕЖДЕНИЕ": "КУ",
});

/** Abbreviations that have vowels; a word without any is one in any case. */
const ABBREVIATIONS = new Set([
  ...FORMS.flatMap(([, short]) => short.split(" ")),
  ...(
    "ОБУ ОКУ ОАУ ГУ ГУЗ МУ МУЗ МОУ СОШ ФГУ АНО НКО НАО ТОО СПАО КФХ ТСЖ ТСН СНТ ЖСК УК ЧОО ЧОП ОП ЧУ ДОУ ЦРБ " +
    "ЦОД СРО ФОК УФСИН ФСИН УФССП МЧС МВД УМВД УФК ФНС ИФНС УФНС ФСБ РФ РАН АЭС ГРЭС ТЭЦ ГЭС АТС АЗС ЖКХ ЖЭУ " +
    "ДЭУ ДРСУ ПМК СМУ ИТ ИК"
  ).split(" "),
]);

const VOWEL = /[АЕЁИОУЫЭЮЯAEIOUY]/u;
const WORD = /[\p{L}\d]+/gu;
/** A name that comes in capitals: it has letters, and none is small. */
const isShouted = (text) => /\p{Lu}{2}/u.test(text) && !/\p{Ll}/u.test(text);
/** What makes the adjective before it a name of its own: `Верхнереченской области`. */
const PLACE = /^(?:ОБЛАСТ|КРА[ЙЯЮЕ]|РАЙОН|ОКРУГ|РЕСПУБЛИК|ГОРОД|МУНИЦИПАЛЬН|АВТОНОМН|СЕЛЬСК)/u;
/** What makes the words after it a name of their own. */
const OF_NAMES = /^(?:ИП|Г|ГОР|ГОРОД[АЕ]?|РЕСПУБЛИК[АИЕ]|С|СЕЛ[АО]|ПОС|ПОС[ЕЁ]Л(?:ОК|КА)|ИМ|ИМЕНИ)$/u;
/** Forms that the name of a company follows. */
const COMPANY = /^(?:ООО|[ЗОПН]?АО|ТОО|АНО|ЧО[ОП])$/u;
const ADJECTIVE = /СК(?:ИЙ|АЯ|ОЕ|ОЙ|ОГО|ОМУ|ОМ|УЮ|ИЕ|ИХ)$/u;

/** Names of their own wherever they stand. */
const NAMES = /^(?:РОССИ[ИЯЮ]|РОССИЙСК(?:АЯ|ОЙ|УЮ)|МОСКВ[АЕУЫ]|САНКТ|ПЕТЕРБУРГ[АЕУ]?)$/u;

const capitalized = (word) => word[0] + word.slice(1).toLowerCase();

/** Straight quotation marks as in print: outer ones «», inner ones „“; one mark at the end closes both. */
function quoted(text) {
  let depth = 0;
  const printed = text.replace(/["“”„«»]/gu, (mark, at) => {
    const opens = mark === "«" || (mark !== "»" && /^$|[\s(«„-]/u.test(text[at - 1] ?? ""));
    if (opens) return ++depth > 1 ? "„" : "«";
    if (depth === 0) return mark;
    return depth-- > 1 ? "“" : "»";
  });
  return depth === 1 && printed.endsWith("“") ? `${printed}»` : printed;
}

/** The form in full at the start of a name as its abbreviation. */
function abbreviated(text) {
  const plain = text.toUpperCase().replaceAll("Ё", "Е");
  const [full, short] = FORMS.find(([form]) => plain.startsWith(`${form} `)) ?? [];
  return full ? short + text.slice(full.length) : text;
}

/** Is this the first of a double name, as `Быстрострой-Заречье`? The first of `научно-производственный` is not. */
const isWhole = (word) => !/[ОЕ]$/u.test(word);

/** A name in capitals with small letters where people write them. */
function spoken(text) {
  const words = [...text.matchAll(WORD)];
  /** How many words from here on are names of their own. */
  let names = 0;
  /** Whether the last word has a capital letter. */
  let isCapital = false;
  return text.replace(WORD, (word, at) => {
    const index = words.findIndex((one) => one.index === at);
    const next = words[index + 1]?.[0] ?? "";
    const before = text.slice(0, at).trimEnd().at(-1) ?? "";
    if (/[,«»"()]/u.test(before)) names = 0;
    if (!/\p{L}/u.test(word)) return word;
    if (before === "-" && word === "НА") return "на";
    const isName = names > 0;
    if (names > 0 && before !== "-") names -= 1;
    if (OF_NAMES.test(word)) names = word === "ИП" ? 3 : 2;
    const isInitial = word.length === 1 && text[at + 1] === "." && !OF_NAMES.test(word);
    if (isInitial || ABBREVIATIONS.has(word) || (word.length > 1 && !VOWEL.test(word))) {
      isCapital = true;
      return word;
    }
    const isPlace = NAMES.test(word) || (ADJECTIVE.test(word) && PLACE.test(next));
    const begins = index === 0 || /[«„&]/u.test(before) || COMPANY.test(words[index - 1][0]);
    isCapital = begins || isName || isPlace || (isCapital && before === "-" && isWhole(words[index - 1]?.[0] ?? ""));
    return isCapital ? capitalized(word) : word.toLowerCase();
  });
}

/** A name as people read it; one that has small letters keeps all its letters. */
export function readable(name) {
  const text = quoted(abbreviated(name ?? ""));
  return isShouted(text) ? spoken(text) : text;
}

/** The props of an element with this name, which has the original in the tooltip where that differs. */
export const original = (name) => ({ lang: "ru", title: readable(name) === name ? null : name });

/** An element with a name: a link where there is an `href`. */
export const nameElement = (name, { href = null, class: kind = null } = {}) =>
  h(href ? "a" : "span", { ...original(name), href: href || null, class: kind }, readable(name));

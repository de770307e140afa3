// Makes organisation names readable: capitals become lower case, common legal forms are
// abbreviated, straight quotation marks become typographic. The original name remains in the
// tooltip, in files and in the record.

import { h } from "./dom.js";

/** Legal forms and their abbreviations. Longer forms come first, because the first match wins. */
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

/** Abbreviations that contain vowels. Words without vowels are always treated as abbreviations. */
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
const isAllCaps = (text) => /\p{Lu}{2}/u.test(text) && !/\p{Ll}/u.test(text);
/** The adjective before one of these words is capitalised: `Верхнереченской области`. */
const PLACE = /^(?:ОБЛАСТ|КРА[ЙЯЮЕ]|РАЙОН|ОКРУГ|РЕСПУБЛИК|ГОРОД|МУНИЦИПАЛЬН|АВТОНОМН|СЕЛЬСК)/u;
/** The words that follow one of these are capitalised. */
const OF_NAMES = /^(?:ИП|Г|ГОР|ГОРОД[АЕ]?|РЕСПУБЛИК[АИЕ]|С|СЕЛ[АО]|ПОС|ПОС[ЕЁ]Л(?:ОК|КА)|ИМ|ИМЕНИ)$/u;
/** Legal forms that precede a company's name. */
const COMPANY = /^(?:ООО|[ЗОПН]?АО|ТОО|АНО|ЧО[ОП])$/u;
const ADJECTIVE = /СК(?:ИЙ|АЯ|ОЕ|ОЙ|ОГО|ОМУ|ОМ|УЮ|ИЕ|ИХ)$/u;

/** Words that are always capitalised. */
const NAMES = /^(?:РОССИ[ИЯЮ]|РОССИЙСК(?:АЯ|ОЙ|УЮ)|МОСКВ[АЕУЫ]|САНКТ|ПЕТЕРБУРГ[АЕУ]?)$/u;

const capitalized = (word) => word[0] + word.slice(1).toLowerCase();

/**
 * Replaces straight quotation marks: the outer ones with «», the inner ones with „“. A single mark
 * at the end may close both levels.
 */
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

/** Abbreviates the legal form at the start of a name. */
function abbreviated(text) {
  const plain = text.toUpperCase().replaceAll("Ё", "Е");
  const [full, short] = FORMS.find(([form]) => plain.startsWith(`${form} `)) ?? [];
  return full ? short + text.slice(full.length) : text;
}

/**
 * Returns whether the part before a hyphen is a name in itself and is capitalised: it is in
 * `Быстрострой-Заречье`, but not in `научно-производственный`.
 */
const isWhole = (word) => !/[ОЕ]$/u.test(word);

/** Converts a name from capitals to normal case. */
function lowerCased(text) {
  const words = [...text.matchAll(WORD)];
  /** How many of the next words are still to be capitalised. */
  let names = 0;
  /** Whether the previous word begins with a capital letter. */
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

/** Returns the readable form of a name. A name that contains lower case letters keeps its case. */
export function readable(name) {
  const text = quoted(abbreviated(name ?? ""));
  return isAllCaps(text) ? lowerCased(text) : text;
}

/** Attributes of an element that shows this name. The tooltip has the original if it differs. */
export const original = (name) => ({ lang: "ru", title: readable(name) === name ? null : name });

/** Renders a name, as a link if there is an `href`. */
export const nameElement = (name, { href = null, class: kind = null } = {}) =>
  h(href ? "a" : "span", { ...original(name), href: href || null, class: kind }, readable(name));

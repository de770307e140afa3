//! The table of parameters, one row each. Checks, canonical spelling, the OpenAPI document, the
//! reference and the options of `lookup` are generated from it.

use super::super::error::ErrorKind;
use super::parameter::{InFileName, ParameterRow, Values};
use crate::model::{ContractStage, Regime, RiskFact, Words};
use crate::render::Format;
use crate::web;

/// Upper bound on suppliers in one check (manual, "API", "Verdicts").
pub const MAX_SUPPLIERS: usize = 200;

/// Maximum length of a search text, in characters.
pub const MAX_SEARCH_TEXT: usize = web::MAX_QUERY;

/// Matches 1 to [`MAX_SEARCH_TEXT`] characters.
const QUERY_PATTERN: &str = "^.{1,200}$";

/// Maximum length of a contract's registry number, in characters.
pub const MAX_REG_NUM: usize = 50;

/// Upper bound on names in one search (manual, "API", "Finding").
pub const MAX_NAMES: usize = 20;

/// Matches up to [`MAX_NAMES`] lines of 1 to [`MAX_SEARCH_TEXT`] characters each.
const NAMES_PATTERN: &str = "^.{1,200}(\\n.{1,200}){0,19}$";

/// Upper bound on the hits that a search returns.
pub const MAX_HITS: u64 = 50;

const HIT_LIMITS: Values = Values::Whole(Some(MAX_HITS), 20);

/// Matches 1 to [`crate::model::MAX_CUSTOMER_INN`] digits.
const CUSTOMER_INN_PATTERN: &str = "^[0-9]{1,20}$";

/// Upper bound on regions in one request.
pub const MAX_REGIONS: usize = 10;

/// Matches up to [`MAX_REGIONS`] regions.
const REGIONS_PATTERN: &str = "^[0-9]{2}(,[0-9]{2}){0,9}$";

/// Matches an amount without an exponent, with at most [`MAX_WHOLE_DIGITS`] digits before the
/// decimal point and [`MAX_DECIMALS`] after it.
pub const AMOUNT_PATTERN: &str = "^-?[0-9]{1,20}(\\.[0-9]{1,8})?$";

/// The value of `after` that stands for the newest change.
pub(super) const NOW: &str = "now";

/// Matches `now`, or a cursor of up to [`crate::model::MAX_CURSOR`] characters.
const CURSOR_PATTERN: &str = "^(now|[A-Za-z0-9_-]{1,120})$";

/// Upper bound on digits before the decimal point.
pub const MAX_WHOLE_DIGITS: usize = 20;

/// Upper bound on digits after the decimal point.
pub const MAX_DECIMALS: usize = 8;

/// Name of the enumeration for `format` in the OpenAPI document.
pub const FORMAT_VALUES: &str = "Format";

/// Upper bound on changes per page (manual, "API", "What changed").
pub const MAX_CHANGES_ON_A_PAGE: u64 = 10_000;

const CHANGE_LIMITS: Values = Values::Whole(Some(MAX_CHANGES_ON_A_PAGE), 1_000);

/// Name of the enumeration for `lang` in the OpenAPI document.
pub const LANGUAGE_VALUES: &str = "Language";

/// Values of `lang`, the default first.
const LANGUAGES: &[&str] = &["ru", "en"];

/// Sort orders of contracts, the default first. A minus means descending.
const ORDERS: &[&str] = &[
    "-signDate",
    "signDate",
    "-contractPrice",
    "contractPrice",
    "-updateDate",
    "updateDate",
];

/// Sort orders of purchases, the default first. A minus means descending.
const PURCHASE_ORDERS: &[&str] = &["-published", "published", "-price", "price", "closes"];

pub const FORMAT: ParameterRow = ParameterRow::optional(
    "format",
    Values::OneOf(FORMAT_VALUES, &Format::NAMES),
    Words(
        "Формат ответа; регистр букв не важен. Если параметра нет, формат определяется заголовком Accept: JSON, CSV или XLSX, если указан только его тип, иначе XML.",
        "Format of the answer, in upper or lower case. If it is missing, the answer is JSON, CSV \
         or XLSX if the header Accept has only that type, otherwise XML.",
    ),
    "json",
).in_file_name(InFileName::Omitted);

pub const SUPPLIER_INN: ParameterRow = ParameterRow {
    alias: Some("supplierInn"),
    is_required: true,
    error: ErrorKind::BadInn,
    ..ParameterRow::optional(
        "supplierINN",
        Values::Pattern("^([0-9]{10}|[0-9]{12})$", "10 or 12 digits"),
        Words(
            "ИНН поставщика: 10 или 12 цифр. ИНН с неверными контрольными цифрами тоже принимаются.",
            "INN of the supplier: 10 or 12 digits. Wrong control digits are accepted.",
        ),
        "9602000445",
    )
    .in_file_name(InFileName::Value)
};

/// The customer whose contracts are listed. The optional filter by customer is [`CUSTOMER_INN`].
pub const CUSTOMER: ParameterRow = ParameterRow {
    alias: Some("customerInn"),
    is_required: true,
    ..ParameterRow::optional(
        "customerINN",
        Values::Pattern(CUSTOMER_INN_PATTERN, "up to 20 digits"),
        Words(
            "ИНН заказчика, как он указан в контрактах.",
            "INN of the customer, as stated in the contracts.",
        ),
        "9601001012",
    )
    .in_file_name(InFileName::Value)
};

pub const SUPPLIER_INNS: ParameterRow = ParameterRow {
    // An item may not contain white space.
    values: Values::List("[^,\\s]+", MAX_SUPPLIERS),
    meaning: Words(
        "ИНН поставщиков через запятую, до 200. Если значение не является ИНН, о нём возвращается invalid.",
        "Suppliers' INNs separated by commas, up to 200. Anything that is not an INN gets the verdict invalid.",
    ),
    example: "9602000445,9602006662,7707083893",
    in_file_name: InFileName::Count,
    ..SUPPLIER_INN
};

pub const PURCHASE_NUMBER_44: ParameterRow = ParameterRow {
    is_required: true,
    error: ErrorKind::BadPurchaseNumber,
    ..ParameterRow::optional(
        "purchaseNumber",
        Values::Pattern("^[0-9]{19}$", "19 digits"),
        Words(
            "Номер закупки: 19 цифр.",
            "Number of the purchase: 19 digits.",
        ),
        "0296200019924000003",
    )
    .in_file_name(InFileName::Value)
};

pub const PURCHASE_NUMBER_223: ParameterRow = ParameterRow {
    values: Values::Pattern(
        "^(3[0-9]{10}|[0-9]{18})$",
        "11 digits starting with 3, or 18 digits",
    ),
    meaning: Words(
        "Номер закупки: 11 цифр, первая 3 (ответ Purchase223), или 18 цифр (ответ Purchase615).",
        "Number of the purchase: 11 digits starting with 3 (answer Purchase223), or 18 digits \
         (answer Purchase615).",
    ),
    example: "32515902214",
    ..PURCHASE_NUMBER_44
};

pub const PURCHASE_NUMBER_615: ParameterRow = ParameterRow {
    values: Values::Pattern("^[0-9]{18}$", "18 digits"),
    meaning: Words(
        "Номер закупки: 18 цифр.",
        "Number of the purchase: 18 digits.",
    ),
    example: "029620004102400014",
    ..PURCHASE_NUMBER_44
};

pub const SKIP: ParameterRow = ParameterRow::optional(
    "skip",
    Values::Whole(None, 0),
    Words(
        "Сколько результатов пропустить. Если пропустить все, страница пуста.",
        "Number of results to skip. If there are fewer results, the page is empty.",
    ),
    "0",
);

pub const LIMIT: ParameterRow = ParameterRow::optional(
    "limit",
    Values::Rows,
    Words(
        "Сколько результатов показать на странице; 0 — только их число. В CSV и XLSX можно указать до 100 000; если limit не указан, в файл попадает столько же.",
        "Number of results per page; 0 returns only the count. In CSV and XLSX, the maximum and \
         the default are 100,000.",
    ),
    "2",
);

pub const Q: ParameterRow = ParameterRow {
    is_required: true,
    ..ParameterRow::optional(
        "q",
        Values::Pattern(QUERY_PATTERN, "1 to 200 characters"),
        Words(
            "Слова из наименования поставщика или заказчика (не меньше 3 букв и цифр) или номер целиком: ИНН, номер контракта, закупки, записи РНП.",
            "Words of the name of a supplier or customer (at least 3 letters and digits), or a \
             complete number: an INN, or the number of a contract, a purchase or an RNP entry.",
        ),
        "фармстрой",
    ).in_file_name(InFileName::Omitted)
};

pub const NAMES: ParameterRow = ParameterRow {
    values: Values::Lines(
        NAMES_PATTERN,
        "1 to 20 names of up to 200 characters, one per line",
    ),
    meaning: Words(
        "Наименования поставщиков, до 20, каждое на своей строке (разделитель — перевод строки, %0A). Пустые строки пропускаются.",
        "Up to 20 names of suppliers, one per line. Lines are separated by line feeds (%0A); \
         empty lines are ignored.",
    ),
    example: "фармстрой\nООО Ромашка",
    ..Q
};

/// INNs of suppliers. Each searched name is compared with the name of the supplier at the same
/// position.
pub const COMPARED_INNS: ParameterRow = ParameterRow {
    alias: SUPPLIER_INN.alias,
    ..ParameterRow::optional(
        "supplierINN",
        Values::List("[0-9]+", MAX_NAMES),
        Words(
            "ИНН поставщиков через запятую, по одному на каждое наименование. Тогда вместо поиска каждое наименование сравнивается с наименованием поставщика с этим ИНН.",
            "Suppliers' INNs, separated by commas, one for each name. There is then no search: \
             each name is compared with the name of the supplier with that INN.",
        ),
        "9602000445,9602003012",
    ).in_file_name(InFileName::Omitted)
};

/// The number whose documents are requested.
pub const NUMBER: ParameterRow = ParameterRow {
    is_required: true,
    ..ParameterRow::optional(
        "number",
        Values::Pattern(QUERY_PATTERN, "1 to 200 characters"),
        Words(
            "Номер целиком: реестровый номер контракта, номер закупки или записи РНП.",
            "A complete number: the registry number of a contract, or the number of a purchase or \
             an RNP entry.",
        ),
        "2010203040525000007",
    )
    .in_file_name(InFileName::Value)
};

pub const REG_NUM: ParameterRow = ParameterRow {
    is_required: true,
    ..ParameterRow::optional(
        "regNum",
        Values::Pattern("^.{1,50}$", "1 to 50 characters"),
        Words(
            "Реестровый номер контракта.",
            "Registry number of the contract.",
        ),
        "2983157756225000018",
    )
    .in_file_name(InFileName::Value)
};

pub const HITS: ParameterRow = ParameterRow {
    values: HIT_LIMITS,
    meaning: Words(
        "Сколько результатов показать; 0 — только их число.",
        "Number of hits to show; 0 returns only the count.",
    ),
    example: "5",
    ..LIMIT
};

/// Upper bound on the customers and suppliers listed in a summary.
pub const MAX_TOP: u64 = 10_000;

pub const TOP: ParameterRow = ParameterRow::optional(
    "top",
    Values::Whole(Some(MAX_TOP), 10),
    Words(
        "Сколько заказчиков (и поставщиков, если их несколько) показать, начиная с наибольшей суммы.",
        "How many customers to list, starting with the largest total. A summary of several \
         suppliers lists the same number of suppliers.",
    ),
    "100",
);

pub const AFTER: ParameterRow = ParameterRow::optional(
    "after",
    Values::Pattern(
        CURSOR_PATTERN,
        "a cursor from an answer of this data, or now",
    ),
    Words(
        "Отметка, после которой нужны изменения: next из прошлого ответа. Со значением now ответ содержит только текущую отметку, без изменений. Если параметра нет, перечисляются все хранимые изменения, начиная с самых ранних.",
        "List the changes after this cursor, the value of 'next' in the previous answer. With \
         'now', the answer has no changes, only the current cursor. Without a cursor, the list \
         starts with the oldest change that is kept.",
    ),
    "now",
);

pub const CHANGE_LIMIT: ParameterRow = ParameterRow {
    values: CHANGE_LIMITS,
    meaning: Words(
        "Сколько изменений на странице.",
        "Number of changes per page.",
    ),
    example: "100",
    ..LIMIT
};

pub const STAGE: ParameterRow = ParameterRow::optional(
    "stage",
    Values::SomeOf(&ContractStage::CODES),
    Words(
        "Только контракты в этих состояниях, через запятую; регистр букв важен.",
        "Only contracts with these statuses, in capitals, separated by commas.",
    ),
    "E,EC",
)
.in_file_name(InFileName::Value);

pub const SIGNED_FROM: ParameterRow = ParameterRow::optional(
    "signedFrom",
    Values::Day,
    Words(
        "Только контракты, заключённые не раньше этого дня.",
        "Only contracts signed on that day or later.",
    ),
    "2024-01-01",
)
.in_file_name(InFileName::FirstDay);

pub const SIGNED_TO: ParameterRow = ParameterRow {
    name: "signedTo",
    meaning: Words(
        "Только контракты, заключённые не позже этого дня.",
        "Only contracts signed on that day or earlier.",
    ),
    example: "2024-12-31",
    in_file_name: InFileName::LastDay,
    ..SIGNED_FROM
};

pub const UPDATED_FROM: ParameterRow = ParameterRow {
    name: "updatedFrom",
    meaning: Words(
        "Только контракты, изменённые не раньше этого дня.",
        "Only contracts changed on that day or later.",
    ),
    in_file_name: InFileName::Named,
    ..SIGNED_FROM
};

pub const CUSTOMER_INN: ParameterRow = ParameterRow {
    alias: Some("customerINN"),
    ..ParameterRow::optional(
        "customerInn",
        Values::Pattern(CUSTOMER_INN_PATTERN, "up to 20 digits"),
        Words(
            "Только контракты с заказчиком, у которого в контракте указан этот ИНН.",
            "Only contracts of the customer with this INN, as stated in the contract.",
        ),
        "9601001012",
    )
};

pub const PRICE_FROM: ParameterRow = ParameterRow::optional(
    "priceFrom",
    Values::Amount,
    Words(
        "Только контракты с ценой не ниже указанной, в рублях.",
        "Only contracts with this price or a higher one, in roubles.",
    ),
    "100000",
);

pub const PRICE_TO: ParameterRow = ParameterRow {
    name: "priceTo",
    meaning: Words(
        "Только контракты с ценой не выше указанной, в рублях.",
        "Only contracts with this price or a lower one.",
    ),
    example: "2500000.50",
    ..PRICE_FROM
};

pub const HAS_SUBCONTRACTORS: ParameterRow = ParameterRow::optional(
    "hasSubcontractors",
    Values::Pattern("^(true|false)$", "true or false"),
    Words(
        "true: только контракты с субподрядчиками (subContractors); false: только без них.",
        "true: only contracts with subcontractors (subContractors); false: only contracts without.",
    ),
    "true",
);

pub const OVERDUE: ParameterRow = ParameterRow {
    name: "overdue",
    meaning: Words(
        "true: только просроченные контракты, то есть те, что исполняются, хотя на сегодня (по московскому времени) срок истёк; false: только не просроченные.",
        "true: only contracts overdue today (Moscow time), that is, in execution past the end of \
         their term; false: only contracts that are not overdue.",
    ),
    ..HAS_SUBCONTRACTORS
};

/// Upper bound on words in a search by content.
pub const MAX_WORDS: usize = 10;

pub const WORDS: ParameterRow = ParameterRow {
    instead: &["code", "region", "customerInn", "supplierINN", "fact"],
    ..ParameterRow::optional(
        "q",
        Values::Pattern(
            QUERY_PATTERN,
            "1 to 10 words of 2 or more letters and digits, at most 200 characters",
        ),
        Words(
            "До 10 слов в любом порядке и любой форме. Все они должны быть в предмете контракта или наименованиях его позиций. Нужен хотя бы один из параметров q, code, region, customerInn, supplierINN, fact.",
            "Up to 10 words, in any order and grammatical form. All of them must occur in the \
             subject of the contract or the names of its items. At least one of q, code, region, \
             customerInn, supplierINN, fact is required.",
        ),
        "постельное белье",
    )
    .in_file_name(InFileName::Omitted)
};

pub const WORDS_OF_ITEM: ParameterRow = ParameterRow {
    instead: &["code"],
    meaning: Words(
        "До 10 слов в любом порядке и любой форме. Все они должны быть в наименовании позиции. Нужен q или code.",
        "Up to 10 words, in any order and grammatical form. All of them must occur in the name of \
         an item. Either q or code is required.",
    ),
    ..WORDS
};

/// Upper bound on codes in one request.
pub const MAX_CODES: usize = 10;

/// Matches up to [`MAX_CODES`] codes.
const CODES_PATTERN: &str = "^[0-9][0-9.-]*[0-9](,[0-9][0-9.-]*[0-9]){0,9}$";

pub const CODE: ParameterRow = ParameterRow::optional(
    "code",
    Values::Pattern(
        CODES_PATTERN,
        "1 to 10 codes, separated by commas, each of digits, full stops and hyphens, starting and \
         ending with a digit",
    ),
    Words(
        "До 10 кодов ОКПД2 или КТРУ через запятую. У позиции должен быть один из них или код, который продолжает его после точки или дефиса.",
        "Up to 10 OKPD2 or KTRU codes, separated by commas. An item must have one of them, or a \
         more detailed code that continues it after a full stop or a hyphen.",
    ),
    "13.92.12,17.23",
);

pub const FACT: ParameterRow = ParameterRow::optional(
    "fact",
    Values::SomeOf(&RiskFact::CODES),
    Words(
        "Только контракты с одним из этих фактов риска, через запятую.",
        "Only contracts with at least one of these risk facts, separated by commas.",
    ),
    "signedWhileListed,terminatedByCustomer",
);

/// The supplier as a filter, in searches over all suppliers.
pub const SUPPLIER: ParameterRow = ParameterRow {
    is_required: false,
    meaning: Words(
        "Только контракты поставщика с этим ИНН: 10 или 12 цифр.",
        "Only contracts of the supplier with this INN: 10 or 12 digits.",
    ),
    ..SUPPLIER_INN
};

pub const REGION: ParameterRow = ParameterRow::optional(
    "region",
    Values::Pattern(
        REGIONS_PATTERN,
        "1 to 10 regions of two digits, separated by commas",
    ),
    Words(
        "Только с заказчиками из этих регионов, через запятую, до 10. Регион — первые две цифры ИНН заказчика; код 97 приравнен к 77 (Москва).",
        "Only records whose customer is in one of these regions, up to 10, separated by commas. \
         The region is the first two digits of the customer's INN; 97 counts as 77, Moscow.",
    ),
    "77,50",
);

pub const IN_FORCE: ParameterRow = ParameterRow {
    name: "inForce",
    meaning: Words(
        "true: только записи, которые действуют в день asOf; false: только остальные, в том числе те, что ещё не начали действовать.",
        "true: only entries in force on the day asOf; false: only other entries, including future \
         ones.",
    ),
    ..HAS_SUBCONTRACTORS
};

pub const REGISTERED_FROM: ParameterRow = ParameterRow {
    name: "registeredFrom",
    meaning: Words(
        "Только записи, включённые в реестр не раньше этого дня.",
        "Only entries included on that day or later.",
    ),
    ..SIGNED_FROM
};

pub const REGISTERED_TO: ParameterRow = ParameterRow {
    name: "registeredTo",
    meaning: Words(
        "Только записи, включённые в реестр не позже этого дня.",
        "Only entries included on that day or earlier.",
    ),
    ..SIGNED_TO
};

pub const PURCHASE_WORDS: ParameterRow = ParameterRow {
    instead: &["code", "region", "customerInn"],
    meaning: Words(
        "До 10 слов в любом порядке и любой форме. Все они должны быть в предмете закупки или наименованиях её лотов и позиций. Нужен хотя бы один из параметров q, code, region, customerInn.",
        "Up to 10 words, in any order and grammatical form. All of them must occur in the subject \
         of the purchase or the names of its lots and items. At least one of q, code, region, \
         customerInn is required.",
    ),
    example: "капитальный ремонт",
    ..WORDS
};

pub const PURCHASE_CUSTOMER: ParameterRow = ParameterRow {
    meaning: Words(
        "Только закупки заказчика с этим ИНН. По 44-ФЗ заказчиком считается первый заказчик лота, у которого есть ИНН, по 223-ФЗ — основной заказчик; если их нет, организация, которая размещает закупку.",
        "Only purchases of the customer with this INN. Under 44-FZ, this is the first customer \
         with an INN in any lot; under 223-FZ, the main customer; otherwise, the responsible \
         organisation.",
    ),
    ..CUSTOMER_INN
};

pub const LAW: ParameterRow = ParameterRow {
    name: "law",
    meaning: Words(
        "Только закупки по этим законам, через запятую.",
        "Only purchases under these laws, separated by commas.",
    ),
    ..LAWS
};

pub const PUBLISHED_FROM: ParameterRow = ParameterRow {
    name: "publishedFrom",
    meaning: Words(
        "Только закупки, размещённые не раньше этого дня.",
        "Only purchases published on that day or later.",
    ),
    ..SIGNED_FROM
};

pub const PUBLISHED_TO: ParameterRow = ParameterRow {
    name: "publishedTo",
    meaning: Words(
        "Только закупки, размещённые не позже этого дня.",
        "Only purchases published on that day or earlier.",
    ),
    ..SIGNED_TO
};

pub const INITIAL_PRICE_FROM: ParameterRow = ParameterRow {
    meaning: Words(
        "Только закупки с начальной ценой не ниже указанной, в рублях.",
        "Only purchases with this initial price or a higher one, in roubles.",
    ),
    ..PRICE_FROM
};

pub const INITIAL_PRICE_TO: ParameterRow = ParameterRow {
    meaning: Words(
        "Только закупки с начальной ценой не выше указанной, в рублях.",
        "Only purchases with this initial price or a lower one.",
    ),
    ..PRICE_TO
};

pub const OPEN: ParameterRow = ParameterRow {
    name: "open",
    meaning: Words(
        "true: только закупки, на которые ещё можно подать заявку (по московскому времени); false: только те, где подача заявок закончилась. Закупка без срока подачи не подходит ни под одно из значений.",
        "true: only purchases that still accept applications (Moscow time); false: only purchases \
         that no longer do. Purchases without a deadline match neither.",
    ),
    ..HAS_SUBCONTRACTORS
};

pub const PURCHASE_SORT: ParameterRow = ParameterRow {
    values: Values::OneOf("PurchaseSort", PURCHASE_ORDERS),
    meaning: Words(
        "Порядок: по дате размещения, начальной цене или окончанию подачи заявок; минус означает «по убыванию». Закупки без значения стоят последними.",
        "Order of the purchases: by date of publication, initial price or end of submission; a \
         minus means descending. Purchases without the value come last.",
    ),
    example: "closes",
    ..SORT
};

pub const ENTRY_CUSTOMER: ParameterRow = ParameterRow {
    meaning: Words(
        "Только записи заказчика с этим ИНН, как он указан в записи.",
        "Only entries of the customer with this INN, as written in the entry.",
    ),
    ..CUSTOMER_INN
};

pub const ENTRY_SUPPLIER: ParameterRow = ParameterRow {
    is_required: false,
    values: Values::Pattern(
        QUERY_PATTERN,
        "at least 3 letters and digits, at most 200 characters",
    ),
    meaning: Words(
        "Только записи о поставщиках, в наименовании которых есть все эти слова. Слова сравниваются как в /find, но опечатки не исправляются; нужно не меньше 3 букв и цифр.",
        "Only entries about suppliers whose name has all these words, as in /find but without \
         typing errors. The words must have at least 3 letters and digits.",
    ),
    example: "стройсервис",
    ..Q
};

pub const SORT: ParameterRow = ParameterRow::optional(
    "sort",
    Values::OneOf("Sort", ORDERS),
    Words(
        "Порядок; минус означает «по убыванию». Контракты без значения стоят последними.",
        "Order of the contracts; a minus means descending. Contracts without the value come last.",
    ),
    "-contractPrice",
);

pub const AS_OF: ParameterRow = ParameterRow::optional(
    "asOf",
    Values::Day,
    Words(
        "День, на который нужен ответ; по умолчанию сегодня по Москве.",
        "Day of the check; today (Moscow time) by default.",
    ),
    "2025-06-01",
)
.in_file_name(InFileName::Omitted);

pub const LAWS: ParameterRow = ParameterRow {
    ..ParameterRow::optional(
        "laws",
        Values::SomeOf(Regime::CODES),
        Words(
            "По каким законам учитывать реестры, через запятую. По умолчанию по всем трём, если на сервере не задано иное.",
            "Laws whose registries to check, separated by commas; all three by default, unless \
             configured otherwise on the server.",
        ),
        "44,223",
    )
};

pub const STRICT: ParameterRow = ParameterRow {
    ..ParameterRow::optional(
        "strict",
        Values::Switch,
        Words(
            "1: неизвестный параметр — ошибка 400, а проверка, для которой данных реестра недостаточно, — ошибка 503.",
            "1: answer with error 400 if a parameter is unknown, and with error 503 if the \
             registry data is not sufficient for a check.",
        ),
        "1",
    )
};

pub const HISTORY: ParameterRow = ParameterRow::optional(
    "history",
    Values::Switch,
    Words(
        "1: показать и записи, которые к этому дню уже не действуют (previousEntries).",
        "1: also show entries that had expired by the day of the check (previousEntries).",
    ),
    "1",
);

pub const RECEIPT: ParameterRow = ParameterRow::optional(
    "receipt",
    Values::Switch,
    Words(
        "1: добавить к ответу заголовок X-Receipt с подписью сервера под запросом, временем, версией данных и SHA-256 ответа. Нужен ключ подписи на сервере.",
        "1: add the header X-Receipt, the server's signature over the request, the time, the \
         version of the data and the SHA-256 of the answer. The server needs a signing key for \
         this.",
    ),
    "1",
);

pub const LANG: ParameterRow = ParameterRow::optional(
    "lang",
    Values::OneOf(LANGUAGE_VALUES, LANGUAGES),
    Words(
        "Язык заголовков в XLSX; по умолчанию русский, если в Accept-Language не предпочтён английский.",
        "Language of XLSX files: Russian by default; over HTTP, English if Accept-Language prefers it.",
    ),
    "en",
).in_file_name(InFileName::Omitted);

pub const ERRORS: ParameterRow = ParameterRow::optional(
    "errors",
    Values::Pattern("^http$", "http"),
    Words(
        "http: ошибка приходит со своим статусом HTTP: 400, 401 или 404. Без этого параметра статус — 200.",
        "http: errors in the request have the HTTP status 400, 401 or 404. Without this \
         parameter, their status is 200.",
    ),
    "http",
);

/// Name and alias of the parameter with the API key, which every endpoint accepts. Responses do not
/// depend on the key, so it has no [`ParameterRow`].
pub const KEY: (&str, Option<&str>) = ("apikey", Some("api_key"));

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::MAX_CUSTOMER_INN;

    #[test]
    fn lengths_of_texts_are_as_described() {
        assert!(CUSTOMER_INN_PATTERN.contains(&format!(",{MAX_CUSTOMER_INN}}}")));
        assert!(QUERY_PATTERN.contains(&format!(",{MAX_SEARCH_TEXT}}}")));
        assert!(CODES_PATTERN.contains(&format!(",{}}}", MAX_CODES - 1)));
        assert!(REGIONS_PATTERN.contains(&format!(",{}}}", MAX_REGIONS - 1)));
        let longest = crate::model::MAX_CURSOR;
        assert!(CURSOR_PATTERN.contains(&format!(",{longest}}}")));
    }
}

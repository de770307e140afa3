//! Meanings of codes in Russian and English, for workbooks, the manual and the lookup page. A test
//! generates `web/codes.js` from this table.

use crate::model::{Language, Words};

#[derive(Debug)]
pub struct Codes {
    pub field: &'static str,
    pub codes: &'static [Code],
}

#[derive(Debug)]
pub struct Code {
    pub code: &'static str,
    pub words: Words,
}

/// Returns the meaning of a code in a response field, or `None` if the table does not contain the
/// code.
pub fn code_words(field: &str, code: &str, language: Language) -> Option<&'static str> {
    let codes = ALL.iter().find(|codes| codes.field == field)?.codes;
    let found = codes.iter().find(|one| one.code == code)?;
    Some(found.words.to(language))
}

const fn code(code: &'static str, russian: &'static str, english: &'static str) -> Code {
    let words = Words(russian, english);
    Code { code, words }
}

#[rustfmt::skip]
const STAGES: &[Code] = &[
    code("E", "исполняется", "in execution"),
    code("EC", "исполнен", "completed"),
    code("ET", "исполнение прекращено", "terminated"),
    code("IN", "запись аннулирована", "record annulled"),
];

/// All fields that contain codes. The codes of stages and verdicts are defined by this program, so
/// their lists are complete. Roles (`responsibleRole`), kinds of items and reasons come from the
/// official schemas, which may introduce more.
#[rustfmt::skip]
pub const ALL: &[Codes] = &[
    Codes { field: "contractStage", codes: STAGES },
    // In a summary's table, a row about a stage has the stage's code in column `key`.
    Codes { field: "key", codes: STAGES },
    Codes { field: "verdict", codes: &[
        code("listed", "в РНП", "listed in the RNP"),
        code("undetermined", "неизвестно: данных реестра недостаточно", "unknown: registry data insufficient"),
        code("previously-listed", "был в РНП, сейчас нет", "listed before, not now"),
        code("not-listed", "нет в РНП", "not listed in the RNP"),
        code("invalid", "ошибка в ИНН", "invalid INN"),
    ] },
    Codes { field: "kind", codes: &[
        code("supplier", "поставщик", "supplier"),
        code("customer", "заказчик", "customer"),
        code("contract", "контракт", "contract"),
        code("purchase44", "закупка по 44-ФЗ", "purchase under 44-FZ"),
        code("purchase223", "закупка по 223-ФЗ", "purchase under 223-FZ"),
        code("purchase615", "закупка по ПП РФ № 615", "purchase under PP-615"),
        code("rnpEntry", "запись РНП", "RNP entry"),
        code("registry", "реестр", "registry"),
    ] },
    Codes { field: "what", codes: &[
        code("contracts", "контракты", "contracts"),
        code("rnp", "проверка по РНП", "RNP check"),
        code("card", "карточка закупки", "purchase card"),
        code("name", "наименование", "name"),
        code("state", "состояние реестра", "state of the registry"),
    ] },
    Codes { field: "group", codes: &[
        code("all", "всего без аннулированных", "total without annulled records"),
        code("priceless", "без цены", "without a price"),
        code("annulled", "аннулированные записи", "annulled records"),
        code("year", "год заключения", "year of signing"),
        code("stage", "состояние", "status"),
        code("customer", "заказчик", "customer"),
        code("customers", "заказчиков", "customers"),
    ] },
    Codes { field: "reason", codes: &[
        code("WINNER_DEVIATION", "Победитель уклонился от заключения контракта", "The winner avoided signing the contract"),
        code("ONE_WINNER_DEVIATION", "Единственный участник уклонился от заключения контракта", "The only participant avoided signing the contract"),
        code("PARTICIPANT_DEVIATION_IF_WINNER_DEVIATION", "Второй участник уклонился от заключения контракта вслед за победителем", "The second participant avoided signing the contract after the winner did"),
        code("CANCEL_CONTRACT", "Контракт расторгнут из-за нарушения его условий", "The contract was terminated for breach"),
        code("CANCEL_CONTRACT_COURT_ORDER", "Контракт расторгнут по решению суда из-за существенного нарушения его условий", "A court terminated the contract for material breach"),
        code("CANCEL_CONTRACT_CUSTOMER", "Заказчик в одностороннем порядке отказался от контракта из-за существенного нарушения его условий", "The customer terminated the contract for material breach"),
        code("PARTICIPANT_SECOND_APPLICATION_DEVIATION", "Участник, чьей заявке присвоен второй номер, уклонился от заключения договора", "The participant with the second bid avoided signing the contract"),
        code("COURT_DECISION_CANCEL_CONTRACT", "Договор расторгнут по решению суда", "The contract was terminated by a court"),
        code("RESPONSIBLE_DECISION_CANCEL_CONTRACT", "Заказчик в одностороннем порядке отказался от договора из-за нарушения его условий", "The customer terminated the contract for breach"),
        code("WD", "Победитель уклонился от заключения договора", "The winner avoided signing the contract"),
        code("AWD", "Другой участник уклонился от заключения договора", "Another participant avoided signing the contract"),
        code("OPD", "Единственный участник уклонился от заключения договора", "The only participant avoided signing the contract"),
        code("SCD", "Заказчик в одностороннем порядке отказался от договора", "The customer terminated the contract unilaterally"),
        code("CD", "Договор расторгнут из-за нарушения его условий", "The contract was terminated for breach"),
    ] },
    Codes { field: "type", codes: &[
        code("PRODUCT", "товар", "goods"),
        code("SERVICE", "услуга", "service"),
        code("WORK", "работа", "works"),
        code("DRUG", "лекарственный препарат", "medicine"),
    ] },
    Codes { field: "role", codes: &[
        code("CU", "заказчик", "customer"),
        code("OCU", "заказчик, организатор совместной закупки", "customer, organiser of a joint purchase"),
        code("RA", "уполномоченный орган", "authorised body"),
        code("ORA", "уполномоченный орган, организатор совместной закупки", "authorised body, organiser of a joint purchase"),
        code("AI", "уполномоченное учреждение", "authorised institution"),
        code("OAI", "уполномоченное учреждение, организатор совместной закупки", "authorised institution, organiser of a joint purchase"),
        code("OA", "организация, осуществляющая полномочия заказчика", "organisation acting for the customer"),
        code("OOA", "организация, осуществляющая полномочия заказчика, организатор совместной закупки", "organisation acting for the customer, organiser of a joint purchase"),
        code("CS", "заказчик (ч. 5 ст. 15 Закона № 44-ФЗ)", "customer (art. 15(5) of Law 44-FZ)"),
        code("OCS", "заказчик (ч. 5 ст. 15 Закона № 44-ФЗ), организатор совместной закупки", "customer (art. 15(5) of Law 44-FZ), organiser of a joint purchase"),
        code("CC", "заказчик (нет положения о закупке по Закону № 223-ФЗ)", "customer (without procurement rules under Law 223-FZ)"),
        code("OCC", "заказчик (нет положения о закупке по Закону № 223-ФЗ), организатор совместной закупки", "customer (without procurement rules under Law 223-FZ), organiser of a joint purchase"),
        code("AU", "заказчик обязательного аудита", "customer of an obligatory audit"),
        code("OAU", "заказчик обязательного аудита, организатор совместной закупки", "customer of an obligatory audit, organiser of a joint purchase"),
        code("CN", "заказчик (ч. 4.1 ст. 15 Закона № 44-ФЗ)", "customer (art. 15(4.1) of Law 44-FZ)"),
        code("OCN", "заказчик (ч. 4.1 ст. 15 Закона № 44-ФЗ), организатор совместной закупки", "customer (art. 15(4.1) of Law 44-FZ), organiser of a joint purchase"),
        code("CU5CH26", "заказчик — орган исполнительной власти (ч. 5 ст. 26 Закона № 44-ФЗ)", "customer, an executive body (art. 26(5) of Law 44-FZ)"),
        code("RO", "региональный оператор", "regional operator"),
        code("TKO", "региональный оператор по обращению с отходами", "regional waste operator"),
        code("SR", "правопреемник организации", "successor of the organisation"),
    ] },
];

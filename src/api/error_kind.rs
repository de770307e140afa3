//! The table of errors: response, meaning, and advice for each (manual, "API", "Errors").
//! Responses, OpenAPI, `/docs` and the table in the manual are generated from it.

use super::status::Status;
use crate::model::Words;
use crate::render::Root;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    UnknownPath,
    /// Neither GET nor HEAD.
    WrongMethod,
    /// The key is missing, unknown or revoked, or there are two different keys.
    BadKey,
    BadInn,
    BadPurchaseNumber,
    /// More rows were requested than a page or file can have.
    LimitTooLarge,
    /// Any other parameter is wrong. In strict mode, also an unknown parameter.
    BadParameter,
    /// A search finds more than it may return.
    TooBroad,
    PurchaseNotFound,
    ContractNotFound,
    /// Nothing is known about the supplier.
    SupplierNotFound,
    /// The registries do not suffice for a verdict, and the request requires one.
    Undetermined,
    DocumentsNotFound,
    /// The log no longer reaches back to the cursor.
    CursorGone,
    TooManyRequests,
    /// The key has as many large answers in progress as allowed.
    LargeAnswersOfKey,
    /// All keys together have as many large answers in progress as allowed.
    LargeAnswers,
    Unavailable,
    Server,
}

#[derive(Clone, Copy, Debug)]
pub struct ErrorDescription {
    kind: ErrorKind,
    /// HTTP status, at endpoints where errors have their own statuses.
    pub status: Status,
    /// Text of the body. `NAME` stands for a parameter, `N` for the requested number of rows, and
    /// `MAX` for the maximum.
    pub text: &'static str,
    /// Name of the example in the OpenAPI document.
    pub name: &'static str,
    pub meaning: Words,
    pub remedy: Words,
    pub detail: ErrorDetail,
    /// Whether the body contains the HTTP status as an error code.
    pub has_code: bool,
    /// Whether the error has its HTTP status at every endpoint. If not, the specification requires
    /// status 200 at contract and purchase endpoints.
    pub is_fatal: bool,
    /// Whether the response has `Retry-After`.
    pub has_wait: bool,
    /// Set if the root element is the same at all endpoints.
    pub root: Option<Root>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorDetail {
    /// No header, because the service or its data is at fault.
    None,
    /// `SECONDS` stands for the time to wait, `COUNT` for the lower bound on the number of results.
    Sentence(&'static str),
    /// The sentence states the wrong value and the allowed values.
    Parameter,
}

const NOTHING_OF_THAT_NUMBER: ErrorDetail =
    ErrorDetail::Sentence("the data has nothing with that number");

const USUAL: ErrorDescription = ErrorDescription {
    kind: ErrorKind::Server,
    status: Status::Ok,
    text: "",
    name: "",
    meaning: Words("", ""),
    remedy: Words("", ""),
    detail: ErrorDetail::None,
    has_code: true,
    is_fatal: false,
    has_wait: false,
    root: None,
};

/// The rows are in the order of [`ErrorKind`].
static ERRORS: [ErrorDescription; 19] = [
    ErrorDescription {
        kind: ErrorKind::UnknownPath,
        status: Status::NotFound,
        text: "Not found.",
        name: "unknownPath",
        meaning: Words("По этому пути ничего нет.", "Unknown path."),
        remedy: Words(
            "Проверьте путь: косая черта в конце меняет его.",
            "Check the path; a trailing slash makes a difference.",
        ),
        detail: ErrorDetail::Sentence("unknown path; see /docs"),
        is_fatal: true,
        ..USUAL
    },
    ErrorDescription {
        kind: ErrorKind::WrongMethod,
        status: Status::MethodNotAllowed,
        text: "Method not allowed.",
        name: "wrongMethod",
        meaning: Words(
            "Запрос отправлен не методом GET или HEAD.",
            "The method is neither GET nor HEAD.",
        ),
        remedy: Words("Отправьте запрос методом GET.", "Use GET."),
        detail: ErrorDetail::Sentence("the method is neither GET nor HEAD"),
        is_fatal: true,
        root: Some(Root::Data),
        ..USUAL
    },
    ErrorDescription {
        kind: ErrorKind::BadKey,
        status: Status::Unauthorized,
        text: "Некорректный API_KEY.",
        name: "badKey",
        meaning: Words(
            "Ключ не указан, неизвестен или отозван либо указаны два разных ключа.",
            "The key is missing, unknown or revoked, or two different keys are given.",
        ),
        remedy: Words(
            "Передайте действующий ключ в заголовке X-API-Key.",
            "Send a valid key in the header X-API-Key.",
        ),
        detail: ErrorDetail::Sentence("no valid key; send one in the header X-API-Key"),
        ..USUAL
    },
    ErrorDescription {
        kind: ErrorKind::BadInn,
        status: Status::BadRequest,
        text: "Некорректный ИНН поставщика.",
        name: "badInn",
        meaning: Words(
            "ИНН поставщика не указан, или цифр в нём не 10 и не 12.",
            "The INN is missing, or does not have 10 or 12 digits.",
        ),
        remedy: Words("Укажите ИНН в supplierINN.", "Give the INN in supplierINN."),
        detail: ErrorDetail::Parameter,
        ..USUAL
    },
    ErrorDescription {
        kind: ErrorKind::BadPurchaseNumber,
        status: Status::BadRequest,
        text: "Некорректный номер закупки.",
        name: "badPurchaseNumber",
        meaning: Words(
            "Номер закупки не указан, или его длина не подходит для этого пути.",
            "The number is missing, or its length is wrong for this path.",
        ),
        remedy: Words(
            "Проверьте номер: 19 цифр — 44-ФЗ, 11 — 223-ФЗ, 18 — ПП РФ № 615.",
            "Check the number: 19 digits for 44-FZ, 11 for 223-FZ, 18 for PP-615.",
        ),
        detail: ErrorDetail::Parameter,
        ..USUAL
    },
    ErrorDescription {
        kind: ErrorKind::LimitTooLarge,
        status: Status::BadRequest,
        text: "Превышен лимит контрактов N. Разрешено MAX макс.",
        name: "limitTooLarge",
        meaning: Words(
            "Запрошено больше строк, чем помещается на странице или в файле.",
            "More rows are requested than a page or a file may have.",
        ),
        remedy: Words(
            "Уменьшите limit и листайте с помощью skip.",
            "Lower limit and use skip.",
        ),
        detail: ErrorDetail::Parameter,
        ..USUAL
    },
    ErrorDescription {
        kind: ErrorKind::BadParameter,
        status: Status::BadRequest,
        text: "Некорректный параметр NAME.",
        name: "badParameter",
        meaning: Words(
            "Значение параметра, названного в тексте, недопустимо, либо параметр указан дважды с разными значениями. При неверном format ответ приходит в XML.",
            "The named parameter has an invalid value, or two different ones. If format is \
             invalid, the answer is in XML.",
        ),
        remedy: Words("Исправьте значение.", "Correct the value."),
        detail: ErrorDetail::Parameter,
        ..USUAL
    },
    ErrorDescription {
        kind: ErrorKind::TooBroad,
        status: Status::BadRequest,
        text: "Слишком общий запрос.",
        name: "tooBroad",
        meaning: Words(
            "Найдено слишком много: больше миллиона контрактов или закупок либо больше 100 000 позиций с ценами.",
            "There are too many results: more than a million contracts or purchases, or 100,000 \
             items with prices.",
        ),
        remedy: Words(
            "Добавьте условия: слова, код, регион, дату, цену. Сколько записей найдено по меньшей мере, указано в X-Error-Detail.",
            "Add conditions: words, a code, a region, dates, prices. X-Error-Detail has a \
             lower bound on the number of results.",
        ),
        detail: ErrorDetail::Sentence(
            "at least COUNT results, too many for an answer; add conditions",
        ),
        ..USUAL
    },
    ErrorDescription {
        kind: ErrorKind::PurchaseNotFound,
        status: Status::NotFound,
        text: "purchase not found",
        name: "purchaseNotFound",
        meaning: Words(
            "Такой закупки в базе нет.",
            "The purchase is not in the data.",
        ),
        remedy: Words(
            "Проверьте номер; возможно, закупка ещё не загружена.",
            "Check the number; the purchase may not have been imported yet.",
        ),
        detail: NOTHING_OF_THAT_NUMBER,
        has_code: false,
        ..USUAL
    },
    ErrorDescription {
        kind: ErrorKind::ContractNotFound,
        status: Status::NotFound,
        text: "Контракт не найден.",
        name: "contractNotFound",
        meaning: Words(
            "Контракта с таким реестровым номером в базе нет.",
            "The data has no contract with that registry number.",
        ),
        remedy: Words(
            "Проверьте номер; возможно, контракт ещё не загружен.",
            "Check the number; the contract may not have been imported yet.",
        ),
        detail: NOTHING_OF_THAT_NUMBER,
        ..USUAL
    },
    ErrorDescription {
        kind: ErrorKind::SupplierNotFound,
        status: Status::NotFound,
        text: "Поставщик не найден.",
        name: "supplierNotFound",
        meaning: Words(
            "В базе о поставщике ничего нет: ни контракта, ни записи реестра.",
            "The data has nothing about the supplier: no contract, no registry entry.",
        ),
        remedy: Words(
            "Проверьте ИНН. Это не значит, что поставщика нет в реестре.",
            "Check the INN. This does not mean that the supplier is not in the registry.",
        ),
        detail: NOTHING_OF_THAT_NUMBER,
        ..USUAL
    },
    ErrorDescription {
        kind: ErrorKind::Undetermined,
        status: Status::ServiceUnavailable,
        text: "Данных реестра недостаточно для ответа.",
        name: "undetermined",
        meaning: Words(
            "Указано strict=1, действующих записей о поставщике нет, но реестр хотя бы по одному закону на этот день загружен не полностью.",
            "With strict=1: no entry about the supplier is in force, but the registry of at least \
             one law is not known in full for that day.",
        ),
        remedy: Words(
            "Посмотрите в X-Registries, какой реестр загружен не полностью; загрузите его или перечислите в laws только нужные законы.",
            "X-Registries shows which registry is missing; import it, or restrict laws.",
        ),
        detail: ErrorDetail::None,
        is_fatal: true,
        ..USUAL
    },
    ErrorDescription {
        kind: ErrorKind::DocumentsNotFound,
        status: Status::NotFound,
        text: "Документы не найдены.",
        name: "documentsNotFound",
        meaning: Words(
            "Документов с таким номером в базе нет.",
            "The data has no document with that number.",
        ),
        remedy: Words(
            "Проверьте номер; возможно, документы ещё не загружены.",
            "Check the number; its documents may not have been imported yet.",
        ),
        detail: NOTHING_OF_THAT_NUMBER,
        ..USUAL
    },
    ErrorDescription {
        kind: ErrorKind::CursorGone,
        status: Status::Gone,
        text: "Слишком давняя или чужая отметка.",
        name: "cursorGone",
        meaning: Words(
            "Изменения сразу после этой отметки уже не хранятся, либо она относится к другим данным: к другому файлу, к состоянию до восстановления из копии или к серверу, данные которого новее.",
            "The changes after that cursor are no longer kept, or the cursor is from other data: \
             another file, a state before a backup was restored, or a server with newer data.",
        ),
        remedy: Words(
            "Возьмите отметку с after=now, запросите всё заново и продолжайте с неё.",
            "Get a cursor with after=now, look up everything again, and continue from that cursor.",
        ),
        detail: ErrorDetail::Sentence(
            "after: the cursor is from other data, or too old; get one with after=now",
        ),
        ..USUAL
    },
    ErrorDescription {
        kind: ErrorKind::TooManyRequests,
        status: Status::TooManyRequests,
        text: "Превышен лимит запросов.",
        name: "tooManyRequests",
        meaning: Words(
            "Запросов больше, чем допускает ограничение.",
            "There were more requests than a rate limit allows.",
        ),
        remedy: Words(
            "Повторите через столько секунд, сколько указано в Retry-After.",
            "Wait for the number of seconds in Retry-After.",
        ),
        detail: ErrorDetail::Sentence("more requests than a rate limit allows; wait SECONDS s"),
        is_fatal: true,
        has_wait: true,
        ..USUAL
    },
    ErrorDescription {
        kind: ErrorKind::LargeAnswersOfKey,
        status: Status::TooManyRequests,
        text: "Слишком много больших ответов по этому ключу.",
        name: "largeAnswersOfKey",
        meaning: Words(
            "По этому ключу уже готовятся или ещё не дочитаны четыре больших ответа.",
            "Four large answers to this key are in progress: being prepared, or not yet read \
             completely.",
        ),
        remedy: Words(
            "Дочитайте один из них или повторите через столько секунд, сколько указано в Retry-After.",
            "Finish reading one of them, or wait for the number of seconds in Retry-After.",
        ),
        detail: ErrorDetail::Sentence(
            "this key has 4 large answers in progress, the maximum; finish reading one, or wait \
             SECONDS s",
        ),
        is_fatal: true,
        has_wait: true,
        ..USUAL
    },
    ErrorDescription {
        kind: ErrorKind::LargeAnswers,
        status: Status::TooManyRequests,
        text: "Слишком много больших ответов.",
        name: "largeAnswers",
        meaning: Words(
            "Сервис уже готовит и отправляет столько больших ответов, сколько может: шестнадцать.",
            "The service is preparing or sending sixteen large answers, the maximum.",
        ),
        remedy: Words(
            "Повторите через столько секунд, сколько указано в Retry-After.",
            "Wait for the number of seconds in Retry-After.",
        ),
        detail: ErrorDetail::Sentence("all 16 places for large answers are taken; wait SECONDS s"),
        is_fatal: true,
        has_wait: true,
        ..USUAL
    },
    ErrorDescription {
        kind: ErrorKind::Unavailable,
        status: Status::ServiceUnavailable,
        text: "Сервис временно недоступен.",
        name: "unavailable",
        meaning: Words(
            "Сервис не может связаться с базой данных.",
            "The service cannot reach its database.",
        ),
        remedy: Words(
            "Повторите через столько секунд, сколько указано в Retry-After; если не поможет, сообщите администратору сервиса.",
            "Try again after the number of seconds in Retry-After; if that does not help, tell \
             your administrator.",
        ),
        detail: ErrorDetail::None,
        is_fatal: true,
        has_wait: true,
        ..USUAL
    },
    ErrorDescription {
        kind: ErrorKind::Server,
        status: Status::InternalServerError,
        text: "server error",
        name: "serverError",
        meaning: Words("На сервере произошла ошибка.", "The service failed."),
        remedy: Words(
            "Повторите позже; сообщите значение X-Request-Id администратору сервиса.",
            "Try again later; give your administrator the value of X-Request-Id.",
        ),
        detail: ErrorDetail::None,
        has_code: false,
        is_fatal: true,
        ..USUAL
    },
];

// A missing or misplaced row is a compile error.
const _: () = {
    let mut place = 0;
    while place < ERRORS.len() {
        assert!(ERRORS[place].kind as usize == place);
        place += 1;
    }
    assert!(ErrorKind::Server as usize + 1 == ERRORS.len());
};

impl ErrorKind {
    pub fn row(self) -> &'static ErrorDescription {
        &ERRORS[self as usize]
    }

    /// Returns the error code in the body, if the body has one.
    pub fn code(self) -> Option<u16> {
        let row = self.row();
        row.has_code.then(|| row.status.number())
    }

    /// Returns the HTTP status. `has_statuses` says whether the endpoint reports errors by status.
    pub fn status(self, has_statuses: bool) -> Status {
        let row = self.row();
        if row.is_fatal || has_statuses {
            row.status
        } else {
            Status::Ok
        }
    }

    /// `root` is the endpoint's usual root element for errors.
    pub fn root(self, root: Root) -> Root {
        self.row().root.unwrap_or(root)
    }
}

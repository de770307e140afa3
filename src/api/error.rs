//! The table of errors: the message for the client, its meaning and the advice to the client. The
//! message for the log is separate (the manual, API, "Errors").

use std::borrow::Cow;
use std::mem::discriminant;

use super::status::Status;
use crate::model::{Ground, Language, Verdict, Words};
use crate::render::{self, Body, ErrorBody, Format, RenderError, Root, Workbook};
use crate::store;

/// The title of a workbook with an error.
const ERROR: Words = Words("Ошибка", "Error");

/// The largest `limit` (the specification, "Limits").
pub const MAX_LIMIT: u64 = 200;

/// The largest `limit` of CSV and XLSX, which is also the default.
pub const MAX_FILE_ROWS: u64 = 100_000;

/// The reason for a response without data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// Nothing has this path.
    UnknownPath,
    /// The method is neither GET nor HEAD.
    WrongMethod,
    /// The key is missing, unknown or revoked, or two given keys differ.
    BadKey,
    /// The INN is missing or malformed.
    BadInn,
    /// The purchase number is missing or malformed.
    BadPurchaseNumber,
    /// The requested number of contracts exceeds the bound: the digits of the request, and the
    /// bound.
    LimitTooLarge(String, u64),
    /// Another parameter is wrong, or unknown where that is an error: its name, of an unknown one
    /// only the first characters.
    BadParameter(Cow<'static, str>),
    /// The data has no such purchase.
    PurchaseNotFound,
    /// The data has nothing about the supplier.
    SupplierNotFound,
    /// The registries do not suffice for a verdict, and the request allows only a certain one.
    Undetermined,
    /// The data has no document with that number.
    DocumentsNotFound,
    /// The data no longer has all changes after that cursor.
    CursorGone,
    /// A limit of load was exceeded: the seconds to wait.
    TooManyRequests(u64),
    /// No data server is reachable; the reason is for the log.
    Unavailable(String),
    /// An internal error; the reason is for the log.
    Server(String),
}

/// A verdict with its ground, for the headers of a response whose body has no place for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checked {
    /// The ground of the verdict.
    pub ground: Ground,
    /// The verdict.
    pub verdict: Verdict,
}

/// The seconds to wait before a retry while no server is reachable.
const RETRY_AFTER: u64 = 1;

/// A row of the table.
#[derive(Clone, Debug)]
pub struct ErrorDescription {
    /// The HTTP status where errors have their own statuses.
    status: Status,
    /// The text in the body.
    pub text: Cow<'static, str>,
    /// The name of the example in the OpenAPI document.
    pub name: &'static str,
    /// The meaning.
    pub meaning: Words,
    /// The advice to the client.
    pub remedy: Words,
}

impl Failure {
    /// Returns whether the other failure is of the same kind.
    pub fn same_kind(&self, other: &Self) -> bool {
        discriminant(self) == discriminant(other)
    }

    /// Returns the error of a panicked handler. It omits the panic message, which may quote the
    /// client.
    pub fn panicked() -> Self {
        Self::Server("a panic".to_owned())
    }

    /// Returns the row of the table.
    pub fn row(&self) -> ErrorDescription {
        let (status, text, name, meaning, remedy): (_, Cow<'static, str>, _, _, _) = match self {
            Self::UnknownPath => (
                Status::NotFound,
                "Not found.".into(),
                "unknownPath",
                Words(
                    "По этому пути ничего нет.",
                    "There is nothing at that path.",
                ),
                Words(
                    "Проверьте путь; с косой чертой в конце это другой путь.",
                    "Check the path; mind that a trailing slash makes it another path.",
                ),
            ),
            Self::WrongMethod => (
                Status::MethodNotAllowed,
                "Method not allowed.".into(),
                "wrongMethod",
                Words(
                    "Метод не GET и не HEAD.",
                    "The method is neither GET nor HEAD.",
                ),
                Words("Пользуйтесь GET.", "Use GET."),
            ),
            Self::BadKey => (
                Status::Unauthorized,
                "Некорректный API_KEY.".into(),
                "badKey",
                Words(
                    "Ключа нет, он неизвестен или отозван, либо указаны два разных ключа.",
                    "The key is missing, unknown or revoked, or there are two different keys.",
                ),
                Words(
                    "Передайте действующий ключ в заголовке X-API-Key.",
                    "Send a valid key in the header X-API-Key.",
                ),
            ),
            Self::BadInn => (
                Status::BadRequest,
                "Некорректный ИНН поставщика.".into(),
                "badInn",
                Words(
                    "ИНН поставщика не указан, или в нём не 10 и не 12 цифр.",
                    "The INN is missing or does not have 10 or 12 digits.",
                ),
                Words("Укажите ИНН в supplierINN.", "Give the INN in supplierINN."),
            ),
            Self::BadPurchaseNumber => (
                Status::BadRequest,
                "Некорректный номер закупки.".into(),
                "badPurchaseNumber",
                Words(
                    "Номер закупки не указан или его длина не подходит к этому пути.",
                    "The number is missing or does not have the length for this path.",
                ),
                Words(
                    "Проверьте номер: 19 цифр — 44-ФЗ, 11 — 223-ФЗ, 18 — ПП РФ № 615.",
                    "Check the number: 19 digits are 44-FZ, 11 are 223-FZ, 18 are PP-615.",
                ),
            ),
            Self::LimitTooLarge(requested, allowed) => (
                Status::BadRequest,
                format!("Превышен лимит контрактов {requested}. Разрешено {allowed} макс.").into(),
                "limitTooLarge",
                Words(
                    "Запрошено больше строк, чем бывает на странице или в файле.",
                    "More rows were requested than fit on a page or in a file.",
                ),
                Words(
                    "Уменьшите limit и листайте с помощью skip.",
                    "Lower limit and page with skip.",
                ),
            ),
            Self::BadParameter(parameter) => (
                Status::BadRequest,
                format!("Некорректный параметр {parameter}.").into(),
                "badParameter",
                Words(
                    "Недопустимое значение параметра, названного в тексте, или он указан дважды по-разному. При неверном format ответ приходит в XML.",
                    "The parameter named in the text has an invalid value, or two different ones. If format is wrong, the answer is in XML.",
                ),
                Words("Исправьте значение.", "Correct the value."),
            ),
            Self::PurchaseNotFound => (
                Status::NotFound,
                "purchase not found".into(),
                "purchaseNotFound",
                Words(
                    "Такой закупки в базе нет.",
                    "There is no such purchase in the data.",
                ),
                Words(
                    "Проверьте номер; возможно, закупка ещё не загружена.",
                    "Check the number; the purchase may not have been imported yet.",
                ),
            ),
            Self::SupplierNotFound => (
                Status::NotFound,
                "Поставщик не найден.".into(),
                "supplierNotFound",
                Words(
                    "В базе о поставщике ничего нет: ни контракта, ни записи реестра.",
                    "Nothing about the supplier is in the data: no contract, no registry entry.",
                ),
                Words(
                    "Проверьте ИНН. Это не значит, что поставщика нет в реестре.",
                    "Check the INN. This does not mean that the supplier is not in the registry.",
                ),
            ),
            Self::Undetermined => (
                Status::ServiceUnavailable,
                "Данных реестра недостаточно для ответа.".into(),
                "undetermined",
                Words(
                    "При strict=1: действующих записей о поставщике нет, но реестр хотя бы одного закона на этот день неизвестен полностью.",
                    "With strict=1: no entry about the supplier is in force, but the registry of at least one law is not known in full for that day.",
                ),
                Words(
                    "Посмотрите в X-Registries, чьего реестра недостаёт; загрузите его или назовите законы в laws.",
                    "X-Registries says whose registry is missing; import it, or name the laws in laws.",
                ),
            ),
            Self::DocumentsNotFound => (
                Status::NotFound,
                "Документы не найдены.".into(),
                "documentsNotFound",
                Words(
                    "Документов с таким номером в базе нет.",
                    "There is no document of that number in the data.",
                ),
                Words(
                    "Проверьте номер; возможно, документы ещё не загружены.",
                    "Check the number; its documents may not have been imported yet.",
                ),
            ),
            Self::CursorGone => (
                Status::Gone,
                "Слишком давняя или чужая отметка.".into(),
                "cursorGone",
                Words(
                    "Изменения сразу после этой отметки уже не хранятся, или она дана не этими данными: другим файлом, состоянием до восстановления из копии, сервером, который ушёл вперёд.",
                    "The changes right after that cursor are no longer kept, or other data gave it: another file, a state from before a copy was restored, a server that is ahead.",
                ),
                Words(
                    "Возьмите отметку с after=now, запросите всё заново и продолжайте с неё.",
                    "Take a cursor with after=now, look up everything again, and go on from that cursor.",
                ),
            ),
            Self::TooManyRequests(_) => (
                Status::TooManyRequests,
                "Превышен лимит запросов.".into(),
                "tooManyRequests",
                Words(
                    "Запросов больше, чем допускает ограничение.",
                    "More requests than a rate limit allows.",
                ),
                Words(
                    "Повторите через столько секунд, сколько указано в Retry-After.",
                    "Wait for as many seconds as Retry-After says.",
                ),
            ),
            Self::Unavailable(_) => (
                Status::ServiceUnavailable,
                "Сервис временно недоступен.".into(),
                "unavailable",
                Words(
                    "Сервис не может связаться с базой данных.",
                    "The service cannot reach its database.",
                ),
                Words(
                    "Повторите через столько секунд, сколько указано в Retry-After; если не поможет, сообщите администратору сервиса.",
                    "Try again after as many seconds as Retry-After says; if that does not help, tell your administrator.",
                ),
            ),
            Self::Server(_) => (
                Status::InternalServerError,
                "server error".into(),
                "serverError",
                Words("Сбой на стороне сервиса.", "The service failed."),
                Words(
                    "Повторите позже; сообщите значение X-Request-Id администратору сервиса.",
                    "Try again later; give your administrator the value of X-Request-Id.",
                ),
            ),
        };
        ErrorDescription {
            status,
            text,
            name,
            meaning,
            remedy,
        }
    }

    /// Returns the code in the body; some errors have none.
    pub fn code(&self) -> Option<u16> {
        match self {
            Self::PurchaseNotFound | Self::Server(_) => None,
            _ => Some(self.row().status.number()),
        }
    }

    /// Returns the HTTP status, depending on whether the endpoint answers errors with statuses.
    /// Other endpoints answer 200, as the specification requires of contracts and purchases, except
    /// for fatal failures.
    pub fn status(&self, has_statuses: bool) -> Status {
        let is_fatal = matches!(
            self,
            Self::UnknownPath
                | Self::WrongMethod
                | Self::Undetermined
                | Self::TooManyRequests(_)
                | Self::Unavailable(_)
                | Self::Server(_)
        );
        match is_fatal || has_statuses {
            true => self.row().status,
            false => Status::Ok,
        }
    }

    /// Returns whether the response still states the verdict in its headers.
    pub fn has_verdict(&self) -> bool {
        matches!(self, Self::SupplierNotFound | Self::Undetermined)
    }

    /// Returns the root element at an endpoint whose errors have `root`.
    pub fn root(&self, root: Root) -> Root {
        match self {
            Self::WrongMethod => Root::Data,
            _ => root,
        }
    }

    /// Returns whether the error is about the format itself, so that the body uses the default
    /// one.
    pub fn is_of_format(&self) -> bool {
        *self == Self::BadParameter("format".into())
    }

    /// Returns the seconds to wait before a retry, if they are known.
    pub fn retry_after(&self) -> Option<u64> {
        match self {
            Self::TooManyRequests(seconds) => Some(*seconds),
            Self::Unavailable(_) => Some(RETRY_AFTER),
            _ => None,
        }
    }

    /// Appends the error body of an endpoint whose errors have `root`. A workbook is in
    /// `language`.
    pub fn write(&self, root: Root, format: Format, language: Language, out: &mut Vec<u8>) {
        let (root, code, text) = (self.root(root), self.code(), &self.row().text);
        let workbook = &|| Workbook {
            sheet: "error",
            title: ERROR.to(language).to_owned(),
            language,
            time: 0,
        };
        let body = &mut Body {
            out,
            file: None,
            format,
            workbook,
        };
        // A workbook fails only if it has no room, and two rows always fit.
        let _ = render::answer(body, &ErrorBody { root, code, text });
    }
}

impl From<RenderError> for Failure {
    fn from(error: RenderError) -> Self {
        match error {
            RenderError::TooLarge(rows) => Self::LimitTooLarge(MAX_FILE_ROWS.to_string(), rows),
            RenderError::NotWritten(what) => Self::Server(what),
        }
    }
}

impl From<store::Error> for Failure {
    fn from(error: store::Error) -> Self {
        match error.is_outage() {
            true => Self::Unavailable(error.to_string()),
            false => Self::Server(error.to_string()),
        }
    }
}

//! Why a request is not answered with data: what the client sees, and apart from
//! it what the log says.

use std::borrow::Cow;

use super::endpoint::Endpoint;
use crate::render::Root;
use crate::store;

/// The largest `limit` (the specification, "Limits").
pub const MAX_LIMIT: u64 = 200;

/// Why there is no data in a reply (the contract, the table in "Error bodies").
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// There is nothing at that path.
    UnknownPath,
    /// Neither GET nor HEAD.
    WrongMethod,
    /// The key is missing, unknown, revoked, or two of them differ.
    BadKey,
    /// The INN is missing or malformed.
    BadInn,
    /// The purchase number is missing or malformed.
    BadPurchaseNumber,
    /// More contracts than a page may have: the digits that were asked for.
    LimitTooLarge(String),
    /// Another parameter is bad.
    BadParameter(&'static str),
    /// There is no such purchase.
    PurchaseNotFound,
    /// The data knows nothing of that supplier.
    SupplierNotFound,
    /// More requests than a limit lets through: the seconds to wait.
    TooManyRequests(u64),
    /// Something went wrong here; the reason is for the log.
    Server(String),
}

impl Failure {
    /// A handler panicked. Its message is left out: it may quote what a client sent.
    pub fn panicked() -> Self {
        Self::Server("a panic".to_owned())
    }

    /// The code in the body; some errors have none.
    pub fn code(&self) -> Option<u16> {
        match self {
            Self::UnknownPath | Self::SupplierNotFound => Some(404),
            Self::WrongMethod => Some(405),
            Self::TooManyRequests(_) => Some(429),
            Self::BadKey => Some(401),
            Self::BadInn
            | Self::BadPurchaseNumber
            | Self::LimitTooLarge(_)
            | Self::BadParameter(_) => Some(400),
            Self::PurchaseNotFound | Self::Server(_) => None,
        }
    }

    /// The text in the body.
    pub fn text(&self) -> Cow<'static, str> {
        match self {
            Self::UnknownPath => "Not found.".into(),
            Self::WrongMethod => "Method not allowed.".into(),
            Self::BadKey => "Некорректный API_KEY.".into(),
            Self::BadInn => "Некорректный ИНН поставщика.".into(),
            Self::BadPurchaseNumber => "Некорректный номер закупки.".into(),
            Self::LimitTooLarge(asked) => {
                format!("Превышен лимит контрактов {asked}. Разрешено {MAX_LIMIT} макс.").into()
            }
            Self::BadParameter(name) => format!("Некорректный параметр {name}.").into(),
            Self::PurchaseNotFound => "purchase not found".into(),
            Self::SupplierNotFound => "Поставщик не найден.".into(),
            Self::TooManyRequests(_) => "Превышен лимит запросов.".into(),
            Self::Server(_) => "server error".into(),
        }
    }

    /// The HTTP status: the endpoints of the specification's first part answer
    /// 200 always except on fatal failures and past a rate limit, RNP has statuses.
    pub fn status(&self, endpoint: Option<Endpoint>) -> u16 {
        match self {
            Self::UnknownPath => 404,
            Self::WrongMethod => 405,
            Self::TooManyRequests(_) => 429,
            Self::Server(_) => 500,
            _ if endpoint.is_some_and(Endpoint::has_statuses) => self.code().unwrap_or(200),
            _ => 200,
        }
    }

    /// The root element, where errors of the place have `shape`.
    pub fn root(&self, shape: Root) -> Root {
        if matches!(self, Self::WrongMethod) {
            Root::Data
        } else {
            shape
        }
    }

    /// Is it about the format itself, so that only the default one can be used?
    pub fn is_of_format(&self) -> bool {
        *self == Self::BadParameter("format")
    }
}

impl From<store::Error> for Failure {
    fn from(error: store::Error) -> Self {
        Self::Server(error.to_string())
    }
}

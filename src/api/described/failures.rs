//! Which errors there are where, and what they mean.

use super::words::Words;
use crate::api::endpoint::Endpoint;
use crate::api::error::Failure;
use crate::render::{self, ErrorBody, Format, Root};

/// An error as it is described.
#[derive(Clone, Debug)]
pub struct Described {
    pub failure: Failure,
    /// What its example is called.
    pub name: &'static str,
    pub meaning: Words,
    /// What to do about it.
    pub remedy: Words,
}

/// The errors of an endpoint, in the order of the checks.
pub fn of(endpoint: Endpoint) -> Vec<Described> {
    let names = endpoint.parameters();
    let mut failures = vec![
        Failure::BadKey,
        Failure::TooManyRequests(1),
        Failure::BadParameter("receipt"),
    ];
    for name in names {
        match *name {
            "supplierINN" => failures.push(Failure::BadInn),
            "purchaseNumber" => failures.push(Failure::BadPurchaseNumber),
            "limit" => failures.push(Failure::LimitTooLarge("500".to_owned())),
            _ => {}
        }
    }
    match endpoint {
        Endpoint::Purchase44 | Endpoint::Purchase223 | Endpoint::Purchase615 => {
            failures.push(Failure::PurchaseNotFound);
        }
        Endpoint::RnpCheck => failures.push(Failure::SupplierNotFound),
        Endpoint::Contracts | Endpoint::ContractSummary | Endpoint::RnpCheckMany => {}
    }
    failures.push(Failure::Server(String::new()));
    failures.into_iter().map(described).collect()
}

/// Those that have nothing to do with an endpoint.
pub fn of_paths() -> [Described; 2] {
    [Failure::UnknownPath, Failure::WrongMethod].map(described)
}

/// That of an address that asks too much of what needs no key.
pub fn of_open() -> Described {
    described(Failure::TooManyRequests(1))
}

fn described(failure: Failure) -> Described {
    let told = match &failure {
        Failure::UnknownPath => UNKNOWN_PATH,
        Failure::WrongMethod => WRONG_METHOD,
        Failure::BadKey => BAD_KEY,
        Failure::BadInn => BAD_INN,
        Failure::BadPurchaseNumber => BAD_PURCHASE_NUMBER,
        Failure::LimitTooLarge(_) => LIMIT_TOO_LARGE,
        Failure::BadParameter(_) => BAD_PARAMETER,
        Failure::PurchaseNotFound => PURCHASE_NOT_FOUND,
        Failure::SupplierNotFound => SUPPLIER_NOT_FOUND,
        Failure::TooManyRequests(_) => TOO_MANY_REQUESTS,
        Failure::Server(_) => SERVER_ERROR,
    };
    let Told {
        name,
        meaning,
        remedy,
    } = told;
    Described {
        failure,
        name,
        meaning,
        remedy,
    }
}

/// What is said of an error.
struct Told {
    name: &'static str,
    meaning: Words,
    remedy: Words,
}

const UNKNOWN_PATH: Told = Told {
    name: "unknownPath",
    meaning: Words(
        "По этому пути ничего нет.",
        "There is nothing at that path.",
    ),
    remedy: Words(
        "Проверьте путь; с косой чертой в конце это другой путь.",
        "Check the path; a slash at its end makes it another one.",
    ),
};

const WRONG_METHOD: Told = Told {
    name: "wrongMethod",
    meaning: Words(
        "Метод не GET и не HEAD.",
        "The method is neither GET nor HEAD.",
    ),
    remedy: Words("Пользуйтесь GET.", "Use GET."),
};

const BAD_KEY: Told = Told {
    name: "badKey",
    meaning: Words(
        "Ключа нет, он неизвестен или отозван, либо указаны два разных ключа.",
        "The key is missing, unknown or revoked, or there are two that differ.",
    ),
    remedy: Words(
        "Передайте действующий ключ в заголовке X-API-Key.",
        "Send a valid key in the header X-API-Key.",
    ),
};

const BAD_INN: Told = Told {
    name: "badInn",
    meaning: Words(
        "ИНН поставщика не указан, или в нём не 10 и не 12 цифр.",
        "The INN is missing, or is not 10 or 12 digits.",
    ),
    remedy: Words("Укажите ИНН в supplierINN.", "Give the INN in supplierINN."),
};

const BAD_PURCHASE_NUMBER: Told = Told {
    name: "badPurchaseNumber",
    meaning: Words(
        "Номер закупки не указан или его длина не подходит к этому пути.",
        "The number is missing, or its length is not one of this path.",
    ),
    remedy: Words(
        "Проверьте номер: 19 цифр — 44-ФЗ, 11 — 223-ФЗ, 18 — ПП РФ № 615.",
        "Check the number: 19 digits are 44-FZ, 11 are 223-FZ, 18 are PP-615.",
    ),
};

const LIMIT_TOO_LARGE: Told = Told {
    name: "limitTooLarge",
    meaning: Words(
        "Запрошено больше контрактов, чем бывает на странице.",
        "More contracts were asked for than a page has.",
    ),
    remedy: Words(
        "Уменьшите limit и листайте с помощью skip.",
        "Ask for less, and page by skip.",
    ),
};

const BAD_PARAMETER: Told = Told {
    name: "badParameter",
    meaning: Words(
        "Недопустимое значение параметра, названного в тексте, или он указан дважды по-разному. При неверном format ответ приходит в XML.",
        "The parameter that the text names has a value it may not have, or two that differ. About a wrong format the answer is in XML.",
    ),
    remedy: Words("Исправьте значение.", "Correct the value."),
};

const PURCHASE_NOT_FOUND: Told = Told {
    name: "purchaseNotFound",
    meaning: Words(
        "Такой закупки в базе нет.",
        "The data has no such purchase.",
    ),
    remedy: Words(
        "Проверьте номер; возможно, закупка ещё не загружена.",
        "Check the number; the purchase may not have been imported yet.",
    ),
};

const SUPPLIER_NOT_FOUND: Told = Told {
    name: "supplierNotFound",
    meaning: Words(
        "В базе о поставщике ничего нет: ни контракта, ни записи реестра.",
        "The data knows nothing of the supplier: no contract, no entry of the registry.",
    ),
    remedy: Words(
        "Проверьте ИНН. Это не значит, что поставщика нет в реестре.",
        "Check the INN. It does not mean that the registry has no such supplier.",
    ),
};

const TOO_MANY_REQUESTS: Told = Told {
    name: "tooManyRequests",
    meaning: Words(
        "Запросов больше, чем допускает ограничение.",
        "More requests than a limit lets through.",
    ),
    remedy: Words(
        "Повторите через столько секунд, сколько указано в Retry-After.",
        "Ask again after as many seconds as Retry-After says.",
    ),
};

const SERVER_ERROR: Told = Told {
    name: "serverError",
    meaning: Words(
        "Сбой на стороне сервиса.",
        "Something went wrong in the service.",
    ),
    remedy: Words(
        "Повторите позже; сообщите значение X-Request-Id администратору сервиса.",
        "Try again later; tell the value of X-Request-Id to who runs the service.",
    ),
};

/// The root of an endpoint's errors in XML.
pub fn root(endpoint: Option<Endpoint>) -> Root {
    match endpoint {
        Some(Endpoint::Purchase44) => Root::Purchase44,
        Some(Endpoint::Purchase223) => Root::Purchase223,
        Some(Endpoint::Purchase615) => Root::Purchase615,
        _ => Root::Data,
    }
}

/// An error as it is answered there.
pub fn body(failure: &Failure, endpoint: Option<Endpoint>, format: Format) -> String {
    let text = failure.text();
    let error = ErrorBody {
        root: failure.root(root(endpoint)),
        code: failure.code(),
        text: &text,
    };
    let mut out = Vec::new();
    render::answer(&mut out, &error, format);
    String::from_utf8_lossy(&out).into_owned()
}

//! The parameters of the endpoints: what each may be, by the same bounds that the checks
//! have.

use serde_json::{Value, json};

use super::words::Words;
use super::writer::SCHEMAS;
use crate::api::contracts::DEFAULT_LIMIT;
use crate::api::endpoint::Endpoint;
use crate::api::error::MAX_LIMIT;
use crate::api::rnp::MAX_SUPPLIERS;
use crate::model::ContractStage;

/// A parameter of an endpoint.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Its first spelling.
    pub name: &'static str,
    /// Another one that counts as well.
    pub alias: Option<&'static str>,
    pub is_required: bool,
    pub values: Values,
    pub meaning: Words,
    /// A value of it.
    pub example: &'static str,
}

/// What the values of a parameter may be.
#[derive(Clone, Copy, Debug)]
pub enum Values {
    /// A text of a form.
    Formed(&'static str),
    /// One of these, under a name for what they are; the first where none is given.
    OneOf(&'static str, &'static [&'static str]),
    /// Several of these, with commas between.
    SomeOf(&'static [&'static str]),
    /// Texts of a form with commas between, so many at most.
    List(&'static str, u64),
    /// A whole number, at most the first; the second where none is given.
    Whole(Option<u64>, u64),
    /// A day.
    Day,
}

/// Off or on.
const SWITCH: Values = Values::OneOf("Switch", &["0", "1"]);

const INN: &str = "^([0-9]{10}|[0-9]{12})$";

/// An item of a list: what is left of one without the white space around it.
const ITEM: &str = "[^,\\s]+";

/// As long as `contract_filter::MAX_INN` has it.
const CUSTOMER_INN: &str = "^[0-9]{1,20}$";

const SORTS: &[&str] = &[
    "-signDate",
    "signDate",
    "-contractPrice",
    "contractPrice",
    "-updateDate",
    "updateDate",
];

/// Values of a form with commas between: one text, as generated clients part a list in ways
/// of their own.
fn separated(item: &str, more: &str) -> Value {
    let pattern = ["^(", item, ")(,(", item, "))", more, "$"].concat();
    json!({ "type": "string", "pattern": pattern })
}

fn target(name: &str) -> String {
    [SCHEMAS, name].concat()
}

impl Values {
    /// Their schema.
    pub fn schema(self) -> Value {
        match self {
            Self::Formed(pattern) => json!({ "type": "string", "pattern": pattern }),
            Self::OneOf(name, all) => {
                json!({ "$ref": target(name), "default": all.first() })
            }
            Self::SomeOf(all) => separated(&all.join("|"), "*"),
            Self::List(item, most) => {
                separated(item, &["{0,", &(most - 1).to_string(), "}"].concat())
            }
            Self::Whole(Some(most), default) => json!({
                "type": "integer", "minimum": 0, "maximum": most, "default": default,
            }),
            Self::Whole(None, default) => {
                json!({ "type": "integer", "minimum": 0, "default": default })
            }
            Self::Day => json!({ "type": "string", "format": "date" }),
        }
    }

    /// The schema that theirs refers to, and its name.
    pub fn named(self) -> Option<(&'static str, Value)> {
        match self {
            Self::OneOf(name, all) => Some((name, json!({ "type": "string", "enum": all }))),
            _ => None,
        }
    }

    /// An example as JSON has it.
    pub fn example(self, text: &str) -> Value {
        match self {
            Self::Whole(_, _) => text.parse::<u64>().map_or(Value::Null, Value::from),
            _ => text.into(),
        }
    }
}

/// All parameters of an endpoint beside the key, in the order in which they are checked.
pub fn parameters(endpoint: Endpoint) -> Vec<Parameter> {
    let names = endpoint.parameters().iter().copied();
    let described = names.filter_map(|name| parameter(endpoint, name));
    described.chain([RECEIPT]).collect()
}

/// The parameter of that name.
pub fn parameter(endpoint: Endpoint, name: &str) -> Option<Parameter> {
    let all = PARAMETERS.iter().copied();
    let found = all.chain([supplier(endpoint), number(endpoint)]);
    found.into_iter().find(|parameter| parameter.name == name)
}

const fn optional(
    name: &'static str,
    values: Values,
    meaning: Words,
    example: &'static str,
) -> Parameter {
    Parameter {
        name,
        alias: None,
        is_required: false,
        values,
        meaning,
        example,
    }
}

fn supplier(endpoint: Endpoint) -> Parameter {
    if endpoint == Endpoint::RnpCheckMany {
        return suppliers();
    }
    Parameter {
        alias: Some("supplierInn"),
        is_required: true,
        ..optional(
            "supplierINN",
            Values::Formed(INN),
            Words(
                "ИНН поставщика: 10 или 12 цифр. Контрольные цифры не проверяются.",
                "INN of the supplier: 10 or 12 digits. Control digits are not checked.",
            ),
            "9602000445",
        )
    }
}

fn suppliers() -> Parameter {
    Parameter {
        alias: Some("supplierInn"),
        is_required: true,
        ..optional(
            "supplierINN",
            Values::List(ITEM, MAX_SUPPLIERS as u64),
            Words(
                "ИНН поставщиков через запятую, до 200. О том, что не является ИНН, ответ — invalid.",
                "INNs of suppliers with commas between, up to 200. Of what is no INN the verdict is invalid.",
            ),
            "9602000445,9602006662,7707083893",
        )
    }
}

fn number(endpoint: Endpoint) -> Parameter {
    let (pattern, meaning, example) = match endpoint {
        Endpoint::Purchase223 => (
            "^(3[0-9]{10}|[0-9]{18})$",
            Words(
                "Номер закупки: 11 цифр, первая 3 (ответ Purchase223), или 18 цифр (ответ Purchase615).",
                "Number of the purchase: 11 digits, the first a 3 (answer Purchase223), or 18 digits (answer Purchase615).",
            ),
            "32515902214",
        ),
        Endpoint::Purchase615 => (
            "^[0-9]{18}$",
            Words(
                "Номер закупки: 18 цифр.",
                "Number of the purchase: 18 digits.",
            ),
            "029620004102400014",
        ),
        _ => (
            "^[0-9]{19}$",
            Words(
                "Номер закупки: 19 цифр.",
                "Number of the purchase: 19 digits.",
            ),
            "0296200019924000003",
        ),
    };
    Parameter {
        is_required: true,
        ..optional("purchaseNumber", Values::Formed(pattern), meaning, example)
    }
}

const RECEIPT: Parameter = optional(
    "receipt",
    SWITCH,
    Words(
        "1: к ответу добавляется заголовок X-Receipt — версия и дата данных, запрос и SHA-256 ответа.",
        "1: the answer gets the header X-Receipt: version and date of the data, the question, SHA-256 of the body.",
    ),
    "1",
);

const PARAMETERS: &[Parameter] = &[
    optional(
        "format",
        Values::OneOf("Format", FORMATS),
        Words(
            "Формат ответа; регистр букв не важен.",
            "Format of the answer, in upper or lower case.",
        ),
        "json",
    ),
    optional(
        "skip",
        Values::Whole(None, 0),
        Words(
            "Сколько контрактов пропустить. За концом списка страница пуста.",
            "How many contracts to pass over. Past the end a page is empty.",
        ),
        "0",
    ),
    optional(
        "limit",
        Values::Whole(Some(MAX_LIMIT), DEFAULT_LIMIT),
        Words(
            "Сколько контрактов на странице; 0 — только их число.",
            "How many contracts a page has; 0: only their count.",
        ),
        "2",
    ),
    optional(
        "stage",
        Values::SomeOf(&ContractStage::CODES),
        Words(
            "Только контракты в этих состояниях, через запятую; регистр букв важен.",
            "Only contracts with these statuses, with commas between, in capitals.",
        ),
        "E,EC",
    ),
    optional(
        "signedFrom",
        Values::Day,
        Words(
            "Только заключённые в этот день или позже.",
            "Only those signed on that day or later.",
        ),
        "2024-01-01",
    ),
    optional(
        "signedTo",
        Values::Day,
        Words(
            "Только заключённые в этот день или раньше.",
            "Only those signed on that day or earlier.",
        ),
        "2024-12-31",
    ),
    optional(
        "updatedFrom",
        Values::Day,
        Words(
            "Только изменённые в этот день или позже.",
            "Only those changed on that day or later.",
        ),
        "2024-01-01",
    ),
    optional(
        "customerInn",
        Values::Formed(CUSTOMER_INN),
        Words(
            "Только контракты с заказчиком, у которого в контракте указан этот ИНН.",
            "Only contracts with the customer whose INN stands so in the contract.",
        ),
        "9601001012",
    ),
    optional(
        "sort",
        Values::OneOf("Sort", SORTS),
        Words(
            "Порядок; минус — по убыванию. Контракты без значения стоят последними.",
            "Order; a minus means descending. Contracts without the value stand last.",
        ),
        "-contractPrice",
    ),
    optional(
        "asOf",
        Values::Day,
        Words(
            "На какой день отвечать; по умолчанию на сегодня по Москве.",
            "The day to answer as of; today in Moscow where none is given.",
        ),
        "2025-06-01",
    ),
    optional(
        "history",
        SWITCH,
        Words(
            "1: показать и записи, которые к этому дню закончились (previousEntries).",
            "1: show the entries that are over on that day as well (previousEntries).",
        ),
        "1",
    ),
];

/// The formats there are, the default one first.
pub const FORMATS: &[&str] = &["xml", "json", "csv"];

#[cfg(test)]
mod tests;

//! The table of endpoints: one row each, from which routing, checks, the OpenAPI document,
//! the reference, `lookup`'s commands and the list of errors follow. A row stands beside its
//! handler.

// A row that is not in the list of all does not compile.
#![deny(dead_code)]

mod changes;
mod contracts;
mod documents;
mod find;
mod purchase;
mod rnp;

use super::error::{Failure, MAX_LIMIT};
use super::request::parameter::{Defaults, Parameter, Parameters, Values};
use super::request::parameter_table as table;
use super::request::query::{Query, QueryValue};
use super::response::Finding;
use super::response::draft::Draft;
use super::response::workbook::{self, Subject};
use crate::model::{Date, Ground, Words};
use crate::render::schema::{Answer, AnswerSchema};
use crate::render::{Body, RenderError, Root};
use crate::store::Database;

pub use rnp::{answered_from, check_supplier};

/// How many characters of the name of an unknown parameter are shown at most. In a header longer
/// ones are left out, as a key has 43.
pub const MAX_IGNORED_LENGTH: usize = 40;

/// An endpoint.
#[derive(Clone, Copy, Debug)]
pub struct Endpoint {
    /// Its path.
    pub path: &'static str,
    /// What a generated client's function for it is called.
    pub id: &'static str,
    /// What it belongs to.
    pub group: Group,
    /// What it gives.
    pub title: Words,
    /// The same in a few sentences.
    pub text: Words,
    /// Its parameters, in the order in which they are checked.
    pub parameters: &'static [Parameter],
    /// Its responses with data.
    answers: &'static [Answer],
    /// The error where the data does not have what is looked for.
    not_found: Option<&'static Failure>,
    /// The root element of its errors in XML.
    pub root: Root,
    /// Whether headers say the verdict and its ground, as the body has no place for them.
    pub has_verdict: bool,
    /// What a file with its response is called, before what it is about.
    pub file: &'static str,
    /// Its command in `lookup`; none where another command serves it as well.
    pub command: Option<&'static str>,
    /// Whether the response depends on a day by itself; a filter may make it depend on one.
    depends_on_day: bool,
    /// Whether the response is a page of a supplier's contracts, whose first rows are read
    /// with the supplier.
    pub(super) is_page: bool,
    /// Writes the response.
    pub(super) handler: Handler,
}

/// Writes a response to a draft, with those fields of its head that the body has no place for.
/// Returns what it says, in short. Where it fails, a part of a response may be there.
pub type Handler = fn(&Lookup<'_>, &mut Draft) -> Result<Finding, Failure>;

/// What a handler answers.
pub struct Lookup<'a> {
    pub(super) endpoint: &'static Endpoint,
    pub(super) parameters: &'a Parameters<'a>,
    pub(super) database: &'a Database,
}

impl Lookup<'_> {
    /// The day that the response is about.
    ///
    /// # Errors
    /// The row says that it depends on none, so that its tag would not change with it.
    fn day(&self) -> Result<Date, Failure> {
        let none = || Failure::Server("an endpoint of no day asked for one".to_owned());
        self.endpoint.day(self.parameters).ok_or_else(none)
    }

    /// The ground of verdicts for that day.
    pub(super) fn ground(&self) -> Result<Ground, Failure> {
        let registries = self.database.registries();
        Ok(Ground::new(&registries, self.day()?, self.parameters.rules))
    }

    /// Writes the body as [`render`](crate::render) has it in the format of the response.
    fn write(
        &self,
        draft: &mut Draft,
        render: impl FnOnce(&mut Body<'_>) -> Result<(), RenderError>,
    ) -> Result<(), Failure> {
        let endpoint = self.endpoint;
        let subject = Subject {
            title: endpoint.title,
            file: endpoint.file,
            day: endpoint.day(self.parameters),
        };
        let mut body = Body {
            out: &mut draft.body,
            format: self.parameters.format,
            workbook: &|| workbook::of_answer(subject, self.parameters, self.database),
        };
        Ok(render(&mut body)?)
    }
}

/// Endpoints that belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Contracts of a supplier.
    Contracts,
    /// Cards of purchases.
    Purchases,
    /// The registry of unfair suppliers.
    Rnp,
    /// What is asked of all of the data.
    Data,
    /// What needs no key.
    Service,
}

/// Names the endpoints, and lists all of them in the order in which they are shown.
macro_rules! endpoints {
    ($($(#[$doc:meta])* $name:ident = $row:expr;)*) => {
        impl Endpoint {
            $($(#[$doc])* pub const $name: &'static Self = &$row;)*

            /// All of them, in the order in which they are shown.
            pub const ALL: [&'static Self; [$(stringify!($name)),*].len()] = [$(Self::$name),*];
        }
    };
}

endpoints! {
    /// The contracts of a supplier.
    CONTRACTS = contracts::CONTRACTS;
    /// The contracts of a customer.
    CUSTOMER_CONTRACTS = contracts::CUSTOMER_CONTRACTS;
    /// The summary of a supplier's contracts.
    CONTRACT_SUMMARY = contracts::CONTRACT_SUMMARY;
    /// The card of a purchase under 223-FZ or, by the number's length, PP-615.
    PURCHASE_223 = purchase::PURCHASE_223;
    /// The card of a purchase under 44-FZ.
    PURCHASE_44 = purchase::PURCHASE_44;
    /// The card of a purchase under PP-615.
    PURCHASE_615 = purchase::PURCHASE_615;
    /// The purchases that a supplier won.
    PURCHASES_WON = purchase::PURCHASES_WON;
    /// Whether a supplier is in the registry of unfair suppliers.
    RNP_CHECK = rnp::RNP_CHECK;
    /// Whether these suppliers are in it.
    RNP_CHECK_MANY = rnp::RNP_CHECK_MANY;
    /// What a name or a number finds.
    FIND = find::FIND;
    /// Suppliers of a list of names.
    FIND_NAMES = find::FIND_NAMES;
    /// The documents that the answer about a number follows from.
    DOCUMENTS = documents::DOCUMENTS;
    /// What imports changed.
    CHANGES = changes::CHANGES;
}

impl Endpoint {
    /// The endpoint at `path`, if there is one.
    pub fn at(path: &str) -> Option<&'static Self> {
        Self::ALL.into_iter().find(|endpoint| endpoint.path == path)
    }

    /// Reads the parameters of a request to it.
    ///
    /// # Errors
    /// The first of them that is missing or wrong.
    pub(super) fn read<'a>(
        &self,
        query: &'a Query<'_>,
        defaults: Defaults,
        today: Date,
    ) -> Result<Parameters<'a>, Failure> {
        let parameters = Parameters::read(self.path, self.parameters, query, defaults, today)?;
        match self.unknown_parameters(query).next() {
            Some(name) if parameters.strict => Err(Failure::UnknownParameter(shortened(name))),
            _ => Ok(parameters),
        }
    }

    /// The names of the parameters in a query that it does not know, each as often as it is
    /// given.
    pub(super) fn unknown_parameters<'q>(
        &self,
        query: &'q Query<'_>,
    ) -> impl Iterator<Item = &'q str> {
        let (key, alias) = table::KEY;
        let is_key = move |name: &str| name == key || Some(name) == alias;
        let names = query.names().filter(|name| !name.is_empty());
        names.filter(move |name| !is_key(name) && !self.takes(name))
    }

    /// Does it answer a request's errors with statuses of HTTP?
    pub(super) fn has_statuses(&self, query: &Query<'_>) -> bool {
        let is_asked = || query.get(table::ERRORS.name, None) == QueryValue::One("http");
        self.group.has_statuses() || (self.takes(table::ERRORS.name) && is_asked())
    }

    /// Is it one of its parameters, in this spelling?
    pub(super) fn takes(&self, name: &str) -> bool {
        let mut rows = self.parameters.iter();
        rows.any(|row| row.name == name || row.alias == Some(name))
    }

    /// Returns whether the response rests on the registries of unfair suppliers.
    pub(super) fn is_about_rnp(&self) -> bool {
        // A search tells of each of its hits whether it is in the registry.
        self.group == Group::Rnp || self == Self::FIND || self == Self::FIND_NAMES
    }

    /// The day that a response is about, where it depends on one: `asOf`, else today.
    pub(super) fn day(&self, parameters: &Parameters<'_>) -> Option<Date> {
        match self.depends_on_day {
            true => Some(parameters.as_of.unwrap_or(parameters.today)),
            false => parameters.filter.overdue.map(|overdue| overdue.on),
        }
    }

    /// The schemas of its responses.
    pub fn schemas(&self) -> impl Iterator<Item = &'static AnswerSchema> {
        self.answers.iter().filter_map(|answer| answer.schema())
    }

    /// Its errors, in the order of the checks; an example of each.
    pub fn failures(&self) -> Vec<Failure> {
        let required = self.parameters.iter().filter_map(|one| one.required);
        let has_limit = |one: &Parameter| matches!(one.values, Values::Rows);
        let has_limit = self.parameters.iter().any(has_limit);
        let too_large = has_limit.then(|| Failure::LimitTooLarge("500".to_owned(), MAX_LIMIT));
        [
            Failure::BadKey,
            Failure::TooManyRequests(1),
            Failure::BadParameter(table::RECEIPT.name),
        ]
        .into_iter()
        .chain(required.cloned())
        .chain(too_large)
        .chain(self.not_found.cloned())
        .chain(self.has_verdict.then_some(Failure::Undetermined))
        .chain([
            Failure::Unavailable(String::new()),
            Failure::Server(String::new()),
        ])
        .collect()
    }
}

/// The first characters of a name, as many as are shown of one.
fn shortened(name: &str) -> String {
    name.chars().take(MAX_IGNORED_LENGTH).collect()
}

impl PartialEq for Endpoint {
    fn eq(&self, other: &Self) -> bool {
        self.path == other.path
    }
}

impl Eq for Endpoint {}

impl Group {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Self; 5] = [
        Self::Contracts,
        Self::Purchases,
        Self::Rnp,
        Self::Data,
        Self::Service,
    ];

    /// Its name, also in a generated client.
    pub fn name(self) -> &'static str {
        match self {
            Self::Contracts => "contracts",
            Self::Purchases => "purchases",
            Self::Rnp => "rnp",
            Self::Data => "data",
            Self::Service => "service",
        }
    }

    /// What it is called for people.
    pub fn title(self) -> Words {
        match self {
            Self::Contracts => Words(
                "Контракты поставщика по 44-ФЗ",
                "Contracts of a supplier under 44-FZ",
            ),
            Self::Purchases => Words("Карточки закупок", "Cards of purchases"),
            Self::Rnp => Words(
                "Реестр недобросовестных поставщиков (РНП)",
                "The registry of unfair suppliers (RNP)",
            ),
            Self::Data => Words("Данные в целом", "The data as a whole"),
            Self::Service => Words(
                "О сервисе; ключ не нужен",
                "About the service; no key is needed",
            ),
        }
    }

    /// Whether errors are answered with HTTP statuses of their own; the other endpoints
    /// answer 200 unless they are asked to (the manual, API, "Errors").
    pub fn has_statuses(self) -> bool {
        matches!(self, Self::Rnp | Self::Data)
    }
}

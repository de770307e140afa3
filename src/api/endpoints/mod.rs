//! The table of endpoints, one row each. Routing, checks, the OpenAPI document, the reference, the
//! commands of `lookup` and the list of errors are generated from it. Each row is defined next to
//! the struct that holds the endpoint's parameters and answers the request.

// This makes it a compile error if a row is missing from the list below.
#![deny(dead_code)]

mod changes;
mod contracts;
mod documents;
mod find;
mod purchase;
mod rnp;
mod search;

use std::cell::Cell;
use std::mem;

use super::error::{ErrorKind, Failure};
use super::request::groups::{PageRange, VerdictParameters};
use super::request::parameter::{Defaults, ParameterRow};
use super::request::parameter_table as table;
use super::request::query::{Query, QueryValue};
use super::request::reader::{Reader, SharedParameters};
use super::response::answered::{AnswerBody, Answered};
use super::response::large::Large;
use super::response::workbook;
use super::response::{LargeBody, LookupResult};
use crate::model::{Ground, Moment, Words};
use crate::render::schema::{Answer, AnswerSchema};
use crate::render::{
    self, Body, MAX_ROWS_IN_MEMORY, PageCounts, PageHead, RenderError, Root, RowCount, Tabular,
};
use crate::store::{self, Database, Prefetch};

pub use rnp::{check_supplier, response_origin};
pub(super) use search::content_filter;

/// Maximum length of an unknown parameter's name that a header may repeat. A longer name is left
/// out, because a name of 43 characters could be an API key in the wrong place.
pub const MAX_IGNORED_LENGTH: usize = 40;

#[derive(Clone, Copy, Debug)]
pub struct Endpoint {
    pub path: &'static str,
    /// Name of the function in generated clients.
    pub id: &'static str,
    pub group: Group,
    pub title: Words,
    pub text: Words,
    /// [`Endpoint::parameters`] adds those that all endpoints have.
    own_parameters: &'static [&'static [ParameterRow]],
    /// Reads `own_parameters`, in the order of that list.
    read: for<'q> fn(&mut Reader<'q>) -> Result<Box<dyn Question + 'q>, Failure>,
    /// Errors that not every endpoint can return, in the order of the checks.
    errors: &'static [ErrorKind],
    /// Whether errors have their own HTTP statuses by default. At other endpoints, the status of
    /// errors is 200 unless the request asks for HTTP statuses (manual, "API", "Errors").
    pub has_statuses: bool,
    answers: &'static [Answer],
    /// Root element of an error body in XML.
    pub root: Root,
    pub headers: AnswerHeaders,
    /// Whether the answer depends on the registries of unfair suppliers, so that the rate limit for
    /// RNP endpoints applies. Other endpoints may still show verdicts.
    pub rests_on_registries: bool,
    /// Start of the file name under which an answer is saved.
    pub file: &'static str,
    /// `None` if the command of another endpoint covers this one.
    pub command: Option<LookupCommand>,
}

/// Facts that an answer states in headers because the body has no fields for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerHeaders {
    None,
    /// The verdict and what it is based on. A 304 has these headers as well.
    Verdict,
    /// The cursor of the next page, if the answer is a table.
    Next,
    /// The number of rows in the file, and the number of rows found.
    RowCount,
}

#[derive(Clone, Copy, Debug)]
pub struct LookupCommand {
    pub name: &'static str,
    /// Help text, if it differs from the endpoint's title.
    pub about: Option<&'static str>,
    /// Help text of the command's argument, if it differs from the parameter's meaning.
    pub number: Option<&'static str>,
    /// If several endpoints share the command: the lengths of the numbers that this one answers.
    /// Otherwise empty.
    pub lengths: &'static [usize],
}

impl LookupCommand {
    const fn named(name: &'static str) -> Self {
        Self {
            name,
            about: None,
            number: None,
            lengths: &[],
        }
    }
}

/// The parameters of one request, and how to answer it.
pub trait Question {
    /// Returns the rows that a database server should read before the answer is made.
    fn prefetch(&self) -> Prefetch<'_> {
        Prefetch::Nothing
    }

    /// Writes the body to `buffer`. After an error, `buffer` may contain part of a body.
    fn answer(&self, lookup: &Lookup<'_>, buffer: &mut Vec<u8>) -> Result<Answered, Failure>;
}

pub struct Asked<'q> {
    pub shared: SharedParameters,
    pub question: Box<dyn Question + 'q>,
}

/// What an answer is made from, apart from the endpoint's own parameters.
pub struct Lookup<'a> {
    pub(super) endpoint: &'static Endpoint,
    pub(super) shared: &'a SharedParameters,
    pub(super) database: &'a Database,
    pub(super) large: Large<'a>,
}

impl Lookup<'_> {
    fn ground(&self, VerdictParameters { day, rules }: VerdictParameters) -> Ground {
        let registries = self.database.registries();
        let unread = self.database.unread_entries();
        Ground::new(&registries, &unread, day, rules)
    }

    /// Writes the body in the requested format, to a file if it is a large table. Any other body is
    /// written to `buffer` and moved out of it.
    fn write(
        &self,
        buffer: &mut Vec<u8>,
        render: impl FnOnce(&mut Body<'_>) -> Result<(), RenderError>,
    ) -> Result<AnswerBody, Failure> {
        let Self {
            endpoint,
            shared,
            database,
            large,
        } = self;
        let mut file = large.file();
        let mut body = Body {
            out: buffer,
            file: Some(&mut file),
            format: shared.format,
            workbook: &|| workbook::for_answer(endpoint.title, endpoint.file, shared, database),
        };
        let written = render(&mut body);
        let body = file.finish(written)?;
        Ok(body.unwrap_or_else(|| AnswerBody::Memory(mem::take(buffer))))
    }

    /// Writes a page whose rows are read while it is being written, to a file if there are many.
    /// `page` cannot return a read error, so it leaves the error in `damage`.
    fn write_page(
        &self,
        buffer: &mut Vec<u8>,
        page: &impl Tabular,
        PageCounts { rows, .. }: PageCounts<'_>,
        damage: &Cell<Option<store::Error>>,
    ) -> Result<Answered, Failure> {
        if self.shared.format.is_table() && rows.rows > MAX_ROWS_IN_MEMORY {
            // Check before any row is read.
            if !self.large.is_wanted() {
                let body = AnswerBody::Large(LargeBody::Unwritten);
                return Ok(Answered::new(body, LookupResult::Rows(rows)));
            }
            self.large.begin()?;
        }
        let body = self.write(buffer, |body| render::answer(body, page))?;
        match damage.take() {
            None => Ok(Answered::new(body, LookupResult::Rows(rows))),
            Some(damage) => Err(damage.into()),
        }
    }
}

impl PageRange<'_> {
    fn head<'s>(&'s self, inn: &'s str, name: &'s str, total: u64) -> PageHead<'s> {
        PageHead {
            inn,
            name,
            counts: self.counts(total),
        }
    }

    fn counts(&self, total: u64) -> PageCounts<'_> {
        PageCounts {
            rows: RowCount::new(total, self.first(), self.limit),
            skip: self.skip,
            limit: self.limit,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    Contracts,
    Purchases,
    Rnp,
    /// Searches, documents and changes, which cover every kind of record.
    Data,
    /// Resources that need no key.
    Service,
}

/// Defines one constant per endpoint, and [`Endpoint::ALL`].
macro_rules! endpoints {
    ($($(#[$doc:meta])* $name:ident = $row:expr;)*) => {
        impl Endpoint {
            $($(#[$doc])* pub const $name: &'static Self = &$row;)*

            pub const ALL: [&'static Self; [$(stringify!($name)),*].len()] = [$(Self::$name),*];
        }
    };
}

endpoints! {
    CONTRACTS = contracts::CONTRACTS;
    CUSTOMER_CONTRACTS = contracts::CUSTOMER_CONTRACTS;
    CONTRACT_SUMMARY = contracts::CONTRACT_SUMMARY;
    CONTRACT_SEARCH = search::CONTRACT_SEARCH;
    /// Totals over the contracts that a search finds.
    CONTENT_SUMMARY = search::CONTENT_SUMMARY;
    CONTRACT_PRICES = search::CONTRACT_PRICES;
    CONTRACT = contracts::CONTRACT;
    /// Also answers for PP-615 if the number has 18 digits.
    PURCHASE_223 = purchase::PURCHASE_223;
    PURCHASE_44 = purchase::PURCHASE_44;
    PURCHASE_615 = purchase::PURCHASE_615;
    PURCHASES_WON = purchase::PURCHASES_WON;
    PURCHASE_SEARCH = purchase::PURCHASE_SEARCH;
    RNP_CHECK = rnp::RNP_CHECK;
    RNP_CHECK_MANY = rnp::RNP_CHECK_MANY;
    RNP_ENTRIES = rnp::RNP_ENTRIES;
    FIND = find::FIND;
    FIND_NAMES = find::FIND_NAMES;
    DOCUMENTS = documents::DOCUMENTS;
    CHANGES = changes::CHANGES;
}

impl Endpoint {
    pub fn at(path: &str) -> Option<&'static Self> {
        Self::ALL.into_iter().find(|endpoint| endpoint.path == path)
    }

    /// Returns all parameters, in the order of validation.
    pub fn parameters(&self) -> impl Iterator<Item = &'static ParameterRow> + Clone {
        let first: &[ParameterRow] = &[table::FORMAT];
        let last: &[ParameterRow] = if self.has_statuses {
            &[table::LANG, table::RECEIPT, table::STRICT]
        } else {
            &[table::LANG, table::ERRORS, table::RECEIPT, table::STRICT]
        };
        [first]
            .into_iter()
            .chain(self.own_parameters.iter().copied())
            .chain([last])
            .flatten()
    }

    /// # Errors
    /// Fails on the first parameter that is missing or wrong. With `strict`, an unknown parameter
    /// is a failure too.
    pub(super) fn read<'q>(
        &self,
        query: &'q Query<'_>,
        defaults: Defaults,
        now: Moment,
    ) -> Result<Asked<'q>, Failure> {
        let mut reader = Reader::begin(self.path, query, defaults, now)?;
        let question = (self.read)(&mut reader)?;
        reader.assert_read(self.own_parameters.iter().copied().flatten());
        let shared = reader.finish(!self.has_statuses)?;
        match self.unknown_parameters(query).next() {
            Some(name) if shared.strict => Err(Failure::bad_parameter(shortened(name))),
            _ => Ok(Asked { shared, question }),
        }
    }

    /// Returns the names of unknown parameters, with repetitions. Never includes the parameter of
    /// the API key.
    pub(super) fn unknown_parameters<'q>(
        &self,
        query: &'q Query<'_>,
    ) -> impl Iterator<Item = &'q str> {
        let (key, alias) = table::KEY;
        let is_key = move |name: &str| name == key || Some(name) == alias;
        let names = query.names().filter(|name| !name.is_empty());
        names.filter(move |name| !is_key(name) && !self.takes(name))
    }

    pub(super) fn answers_statuses(&self, query: &Query<'_>) -> bool {
        // Only endpoints whose errors have status 200 by default take this parameter.
        self.has_statuses || query.get(table::ERRORS.name, None) == QueryValue::One("http")
    }

    pub(super) fn takes(&self, name: &str) -> bool {
        self.parameters()
            .any(|row| row.name == name || row.alias == Some(name))
    }

    /// Returns the schemas of the responses.
    pub fn schemas(&self) -> impl Iterator<Item = &'static AnswerSchema> {
        self.answers.iter().filter_map(|answer| answer.schema())
    }

    /// Every endpoint can return an error about the path or method, even if its row does not list
    /// it.
    pub fn has(&self, kind: ErrorKind) -> bool {
        matches!(kind, ErrorKind::UnknownPath | ErrorKind::WrongMethod)
            || self.errors().any(|one| one == kind)
    }

    /// Returns all errors of the endpoint, in the order of the checks.
    pub fn errors(&self) -> impl Iterator<Item = ErrorKind> + use<> {
        let first = [
            ErrorKind::BadKey,
            ErrorKind::TooManyRequests,
            ErrorKind::LargeAnswersOfKey,
            ErrorKind::LargeAnswers,
            ErrorKind::BadParameter,
        ];
        let last = [ErrorKind::Unavailable, ErrorKind::Server];
        let own = self.errors.iter().copied();
        first.into_iter().chain(own).chain(last)
    }
}

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
    pub const ALL: [Self; 5] = [
        Self::Contracts,
        Self::Purchases,
        Self::Rnp,
        Self::Data,
        Self::Service,
    ];

    /// Generated clients use this name as well.
    pub fn name(self) -> &'static str {
        match self {
            Self::Contracts => "contracts",
            Self::Purchases => "purchases",
            Self::Rnp => "rnp",
            Self::Data => "data",
            Self::Service => "service",
        }
    }

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
                "About the service; no key needed",
            ),
        }
    }
}

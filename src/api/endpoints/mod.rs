//! The table of endpoints, one row each. Routing, checks, the OpenAPI document, the reference, the
//! commands of `lookup` and the list of errors follow from it. A row stands beside the struct of its
//! parameters, which answers the request.

// Makes a row that is missing from the list a compile error.
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
use super::request::groups::{Page, VerdictParameters};
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

/// The most shown characters of an unknown parameter's name. Headers omit longer names, because a
/// name of 43 characters may be a misplaced key.
pub const MAX_IGNORED_LENGTH: usize = 40;

/// A row of the table of endpoints.
#[derive(Clone, Copy, Debug)]
pub struct Endpoint {
    /// The path on the server.
    pub path: &'static str,
    /// The name of its function in generated clients.
    pub id: &'static str,
    /// The group that it belongs to.
    pub group: Group,
    /// The title.
    pub title: Words,
    /// The description, in a few sentences.
    pub text: Words,
    /// The parameters apart from those that endpoints share; [`Endpoint::parameters`] has all.
    own_parameters: &'static [&'static [ParameterRow]],
    /// Reads these parameters, in their order.
    read: for<'q> fn(&mut Reader<'q>) -> Result<Box<dyn Question + 'q>, Failure>,
    /// The errors apart from those of all endpoints, in the order of the checks.
    errors: &'static [ErrorKind],
    /// Whether errors have their own HTTP statuses by default. Other endpoints answer 200 unless
    /// the request selects statuses (the manual, API, "Errors").
    pub has_statuses: bool,
    /// The responses with data.
    answers: &'static [Answer],
    /// The root element of errors in XML.
    pub root: Root,
    /// What the headers state because a body has no place for it.
    pub headers: AnswerHeaders,
    /// Whether the response is about the registries of unfair suppliers, so that the limit of load
    /// for them counts. The receipt of any answer with a ground states the ground.
    pub rests_on_registries: bool,
    /// The start of the file name of a response.
    pub file: &'static str,
    /// The command in `lookup`; `None` if another command covers the endpoint.
    pub command: Option<LookupCommand>,
}

/// What the headers of an answer state because a body has no place for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerHeaders {
    /// Nothing.
    None,
    /// The verdict and its ground, also in a 304.
    Verdict,
    /// The next cursor of a table.
    Next,
    /// The rows of a table, and how many were found.
    RowCount,
}

/// A command of `lookup`.
#[derive(Clone, Copy, Debug)]
pub struct LookupCommand {
    /// The name.
    pub name: &'static str,
    /// The help, if it is not the endpoint's title.
    pub about: Option<&'static str>,
    /// The help of the number that the command is about, if it is not that of the parameter.
    pub number: Option<&'static str>,
    /// The lengths of numbers for which this endpoint answers a command of that name in place of
    /// another endpoint.
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

/// The parameters of a request to an endpoint, and their answer.
pub trait Question {
    /// Returns the rows to ask a server for before the answer is made.
    fn prefetch(&self) -> Prefetch<'_> {
        Prefetch::Nothing
    }

    /// Answers; the body is written to the buffer. After an error the buffer may hold a part of a
    /// body.
    fn answer(&self, lookup: &Lookup<'_>, buffer: &mut Vec<u8>) -> Result<Answered, Failure>;
}

/// The parameters of a request, read.
pub struct Asked<'q> {
    pub shared: SharedParameters,
    pub question: Box<dyn Question + 'q>,
}

/// What an answer is made from, apart from the endpoint's own parameters.
pub struct Lookup<'a> {
    pub(super) endpoint: &'static Endpoint,
    pub(super) shared: &'a SharedParameters,
    pub(super) database: &'a Database,
    /// How a large answer is made.
    pub(super) large: Large<'a>,
}

impl Lookup<'_> {
    /// Returns the ground of verdicts.
    fn ground(&self, VerdictParameters { day, rules }: VerdictParameters) -> Ground {
        let registries = self.database.registries();
        let unread = self.database.unread_entries();
        Ground::new(&registries, &unread, day, rules)
    }

    /// Writes the body with [`render`] in the format of the response, a large table to a file. It
    /// takes the buffer.
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

    /// Writes a page whose rows are read while they are written, a long table to a file. A read
    /// error is left in `damage`.
    fn write_page(
        &self,
        buffer: &mut Vec<u8>,
        page: &impl Tabular,
        PageCounts { rows, .. }: PageCounts<'_>,
        damage: &Cell<Option<store::Error>>,
    ) -> Result<Answered, Failure> {
        if self.shared.format.is_table() && rows.rows > MAX_ROWS_IN_MEMORY {
            // Known before anything is read.
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

impl Page<'_> {
    /// Returns the head of the requested page of `total` rows about a supplier or a customer.
    fn head<'s>(&'s self, inn: &'s str, name: &'s str, total: u64) -> PageHead<'s> {
        PageHead {
            inn,
            name,
            counts: self.counts(total),
        }
    }

    /// Returns the numbers of rows of the requested page of `total` rows.
    fn counts(&self, total: u64) -> PageCounts<'_> {
        PageCounts {
            rows: RowCount::new(total, self.first(), self.limit),
            skip: self.skip,
            limit: self.limit,
        }
    }
}

/// A group of endpoints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Contracts of suppliers and customers.
    Contracts,
    /// Cards of purchases.
    Purchases,
    /// The registry of unfair suppliers.
    Rnp,
    /// Searches and documents over all of the data.
    Data,
    /// Resources that need no key.
    Service,
}

/// Defines a constant for each endpoint, and the list of all in display order.
macro_rules! endpoints {
    ($($(#[$doc:meta])* $name:ident = $row:expr;)*) => {
        impl Endpoint {
            $($(#[$doc])* pub const $name: &'static Self = &$row;)*

            /// All endpoints, in display order.
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
    /// Contracts by their contents.
    CONTRACT_SEARCH = search::CONTRACT_SEARCH;
    /// The summary of contracts by their contents.
    CONTENT_SUMMARY = search::CONTENT_SUMMARY;
    /// Unit prices.
    CONTRACT_PRICES = search::CONTRACT_PRICES;
    /// A contract by its registry number.
    CONTRACT = contracts::CONTRACT;
    /// The card of a purchase under 223-FZ or, by the number's length, PP-615.
    PURCHASE_223 = purchase::PURCHASE_223;
    /// The card of a purchase under 44-FZ.
    PURCHASE_44 = purchase::PURCHASE_44;
    /// The card of a purchase under PP-615.
    PURCHASE_615 = purchase::PURCHASE_615;
    /// The purchases that a supplier won.
    PURCHASES_WON = purchase::PURCHASES_WON;
    /// Purchases by their contents.
    PURCHASE_SEARCH = purchase::PURCHASE_SEARCH;
    /// The check of a supplier in the registry of unfair suppliers.
    RNP_CHECK = rnp::RNP_CHECK;
    /// The check of several suppliers in that registry.
    RNP_CHECK_MANY = rnp::RNP_CHECK_MANY;
    /// The registries of unfair suppliers as a list.
    RNP_ENTRIES = rnp::RNP_ENTRIES;
    /// A search by a name or a number.
    FIND = find::FIND;
    /// A search for suppliers by a list of names.
    FIND_NAMES = find::FIND_NAMES;
    /// The documents behind the answer about a number.
    DOCUMENTS = documents::DOCUMENTS;
    /// The changes made by imports.
    CHANGES = changes::CHANGES;
}

impl Endpoint {
    /// Returns the endpoint at `path`, if there is one.
    pub fn at(path: &str) -> Option<&'static Self> {
        Self::ALL.into_iter().find(|endpoint| endpoint.path == path)
    }

    /// Returns all parameters, in the order of their checks.
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

    /// Reads the parameters of a request.
    ///
    /// # Errors
    /// The first parameter that is missing or wrong.
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

    /// Returns the unknown parameters in a query, once for each occurrence.
    pub(super) fn unknown_parameters<'q>(
        &self,
        query: &'q Query<'_>,
    ) -> impl Iterator<Item = &'q str> {
        let (key, alias) = table::KEY;
        let is_key = move |name: &str| name == key || Some(name) == alias;
        let names = query.names().filter(|name| !name.is_empty());
        names.filter(move |name| !is_key(name) && !self.takes(name))
    }

    /// Returns whether errors of this request have HTTP statuses.
    pub(super) fn answers_statuses(&self, query: &Query<'_>) -> bool {
        // The endpoints without statuses take the parameter.
        self.has_statuses || query.get(table::ERRORS.name, None) == QueryValue::One("http")
    }

    /// Returns whether the endpoint has a parameter with exactly this name.
    pub(super) fn takes(&self, name: &str) -> bool {
        self.parameters()
            .any(|row| row.name == name || row.alias == Some(name))
    }

    /// Returns the schemas of the responses.
    pub fn schemas(&self) -> impl Iterator<Item = &'static AnswerSchema> {
        self.answers.iter().filter_map(|answer| answer.schema())
    }

    /// Returns whether the endpoint can answer with an error of this kind. Any request may have a
    /// wrong path or method.
    pub fn has(&self, kind: ErrorKind) -> bool {
        matches!(kind, ErrorKind::UnknownPath | ErrorKind::WrongMethod)
            || self.errors().any(|one| one == kind)
    }

    /// Returns the kinds of errors of a request to the endpoint, in the order of the checks.
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

/// Returns the first characters of a name, up to the shown length.
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
    /// All groups, in display order.
    pub const ALL: [Self; 5] = [
        Self::Contracts,
        Self::Purchases,
        Self::Rnp,
        Self::Data,
        Self::Service,
    ];

    /// Returns the name, also used in generated clients.
    pub fn name(self) -> &'static str {
        match self {
            Self::Contracts => "contracts",
            Self::Purchases => "purchases",
            Self::Rnp => "rnp",
            Self::Data => "data",
            Self::Service => "service",
        }
    }

    /// Returns the title.
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
}

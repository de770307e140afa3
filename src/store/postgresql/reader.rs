//! Reading what was published: which publication an answer is of, and that all of it is of one.
//!
//! There are no transactions, which would be a round trip each to begin and to end. All that a
//! publication changes is committed with the row of `publication`, and each statement selects
//! that row's number and the identity of the data beside its own rows, in one snapshot. So
//! statements that saw the same two saw one state. Where they differ from those that the answer
//! began with, it begins again ([`Source::has_moved`](super::super::query::Source)).

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::super::data_file::DataVersion;
use super::super::error::{Error, Result};
use super::super::server_bounds::{ALL_ATTEMPTS, SHORT_STATEMENT, STATEMENT};
use super::super::suppliers::KnownSupplier;
use super::client::{FromSql, Param, Row, Session, Trouble};
use super::cluster::Cluster;
use super::found_keys::FoundKeys;
use super::publication::PublicationRow;
use crate::model::{Basis, CompleteDays, Date, Inn, PurchaseNumber, Regime, Registries, Registry};

/// Stands in statements for the name of the schema with the data.
const DATA: &str = "DATA";

/// A statement over the row of `publication`: its number and identity come first, then these
/// columns of `found`, which are null where nothing is found.
macro_rules! statement {
    ($columns:expr, $found:expr) => {
        concat!(
            "SELECT p.number, p.identity, ",
            $columns,
            " FROM procurement_lookup.publication AS p LEFT JOIN LATERAL (",
            $found,
            ") AS found ON true"
        )
    };
}
pub(super) use statement;

/// The column of a row behind number and identity.
pub(super) const FIRST: usize = 2;

/// The data that was published to servers, as one that answers reads it: a session, opened when
/// it is needed.
#[derive(Debug)]
pub struct ServerData {
    pub(super) cluster: Arc<Cluster>,
    pub(super) session: RefCell<Option<Session>>,
    /// What the answer is of.
    pub(super) publication: Option<PublicationRow>,
    pub(super) registries: Registries,
    pub(super) has_moved: Cell<bool>,
    /// What the answer has found so far and asks for once more.
    pub(super) found: RefCell<Found>,
    /// Is a transaction open, for all that is asked?
    pub(super) is_scanning: Cell<bool>,
}

/// What an answer has found so far.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub suppliers: HashMap<Inn, Option<FoundSupplier>>,
    pub newest: Option<NewestPage>,
    /// The rows of the statement of a card.
    pub purchase: Option<(PurchaseNumber, Vec<Row>)>,
    pub keys: FoundKeys,
}

/// A supplier, and the records of its RNP entries if they were read with it.
#[derive(Clone, Debug)]
pub(super) struct FoundSupplier {
    pub supplier: KnownSupplier,
    pub entries: Option<Vec<Vec<u8>>>,
}

/// A page of all contracts of a supplier: a row about it, then one with each record.
#[derive(Debug)]
pub(super) struct NewestPage {
    pub inn: Inn,
    pub skip: u64,
    pub limit: u64,
    pub rows: Vec<Row>,
}

/// What came of a statement, other than its rows.
pub(super) enum Missed {
    /// It is not of the publication that the answer began with.
    Moved,
    /// A table is missing.
    NoTable,
    Failed(Error),
}

impl From<Error> for Missed {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

impl ServerData {
    /// The data of these servers; nobody is asked yet.
    pub fn new(cluster: &Arc<Cluster>) -> Self {
        Self {
            cluster: Arc::clone(cluster),
            session: RefCell::default(),
            publication: None,
            registries: of_data(Regime::ALL.map(nothing_of)),
            has_moved: Cell::new(false),
            found: RefCell::default(),
            is_scanning: Cell::new(false),
        }
    }

    /// The version of the data that the answer began with.
    pub fn version(&self) -> DataVersion {
        self.publication.as_ref().map_or(
            DataVersion {
                identity: 0,
                revision: 0,
                updated: 0,
            },
            |publication| publication.version,
        )
    }

    /// The rows of a statement ([`statement!`]) about what one key names.
    pub(super) fn rows(&self, sql: &str, params: &[Param<'_>]) -> Result<Vec<Row>> {
        self.rows_within(sql, params, SHORT_STATEMENT)
    }

    /// The rows of a statement that may have to read much.
    pub(super) fn many_rows(&self, sql: &str, params: &[Param<'_>]) -> Result<Vec<Row>> {
        self.rows_within(sql, params, STATEMENT)
    }

    fn rows_within(&self, sql: &str, params: &[Param<'_>], within: Duration) -> Result<Vec<Row>> {
        let deadline = Instant::now() + ALL_ATTEMPTS;
        match self.try_rows(sql, params, within, deadline) {
            Ok(rows) => Ok(rows),
            Err(Missed::Failed(error)) => Err(error),
            Err(Missed::Moved | Missed::NoTable) => Err(self.moved()),
        }
    }

    /// The error of an answer whose publication another one has replaced.
    pub(super) fn moved(&self) -> Error {
        self.has_moved.set(true);
        self.refused(
            "what was published is replaced again and again; try again when that has ended",
        )
    }

    pub(super) fn try_rows(
        &self,
        sql: &str,
        params: &[Param<'_>],
        within: Duration,
        deadline: Instant,
    ) -> std::result::Result<Vec<Row>, Missed> {
        let Some(publication) = &self.publication else {
            return Err(Missed::Moved);
        };
        let sql = self.with_schema(sql);
        let rows = self.on_session(deadline, |session| {
            let rows = session.rows(&sql, params, within);
            if rows.as_ref().is_err_and(is_of_missing_table) {
                session.forget_statements();
            }
            rows
        })?;
        let rows = rows.map_err(|trouble| match is_of_missing_table(&trouble) {
            true => Missed::NoTable,
            false => Missed::Failed(self.refusal(&trouble)),
        })?;
        match rows.first() {
            Some(row) if self.is_of(publication, row)? => Ok(rows),
            _ => Err(Missed::Moved),
        }
    }

    /// A statement with the name of the schema.
    pub(super) fn with_schema(&self, sql: &str) -> String {
        let schema = self.publication.as_ref().map_or("", |it| &it.data_schema);
        sql.replace(DATA, schema)
    }

    /// Is the row one of this publication?
    fn is_of(&self, publication: &PublicationRow, row: &Row) -> Result<bool> {
        let (number, identity) = (self.get::<i64>(row, 0)?, self.get::<i64>(row, 1)?);
        Ok(number == publication.number && identity == publication.version.identity)
    }

    /// Is the row one of the publication that the answer began with?
    pub(super) fn check_row(&self, row: &Row) -> Result<()> {
        let publication = self.publication.as_ref();
        let is_of = |publication| self.is_of(publication, row);
        match publication.map(is_of).transpose()? {
            Some(true) => Ok(()),
            _ => Err(self.moved()),
        }
    }

    /// Does something on the session. Where it is lost, or its server refuses for reasons of its
    /// own, on another one: what was read before and after is of one publication, or found not
    /// to be.
    ///
    /// A session that is lost is connected to its host again first: a firewall may have closed
    /// one that was idle. A host has failed for all sessions where that does not help: it
    /// cannot be reached, its connection ended again, or a short statement was not done in
    /// time. One that reads much may just have too much to read: where its host can
    /// be connected to again, it is given up alone. Where it cannot be, so that the host is
    /// frozen, one other is tried, in time of its own.
    ///
    /// # Errors
    /// Nobody can be reached until `deadline` or does it, or a statement that reads much is not
    /// done in time; within, that the server refuses.
    pub(super) fn on_session<T>(
        &self,
        deadline: Instant,
        mut ask: impl FnMut(&mut Session) -> std::result::Result<T, Trouble>,
    ) -> Result<std::result::Result<T, Trouble>> {
        let mut place = self.session.borrow_mut();
        let is_useless = |one: &Session| one.is_lost() || self.cluster.has_failed(one);
        if place.as_ref().is_some_and(is_useless) && !self.is_scanning.get() {
            *place = None;
        }
        let (mut deadline, mut is_extended) = (deadline, false);
        let mut has_reconnected = false;
        // With one host it is asked once more.
        let mut left_to_try = self.cluster.address().endpoints().len();
        loop {
            let session = match &mut *place {
                Some(session) => session,
                none => none.insert(self.cluster.session(deadline)?),
            };
            let trouble = match ask(session) {
                Err(trouble @ Trouble::Lost(_)) => trouble,
                Err(trouble) if trouble.is_of_this_server() => trouble,
                outcome => return Ok(outcome),
            };
            let (host, is_lost) = (session.host().to_owned(), session.is_lost());
            let is_slow = session.late().is_some_and(|span| span > SHORT_STATEMENT);
            let is_reconnecting = is_lost && !is_slow && !self.is_scanning.get();
            if is_reconnecting
                && !std::mem::replace(&mut has_reconnected, true)
                && let Some(again) = self.cluster.again(session)
            {
                log::debug!("{host}: {trouble}; it is connected to again");
                *session = again;
                continue;
            }
            if is_lost && !is_slow {
                self.cluster.failed(session);
            }
            if self.is_scanning.get() {
                *place = None;
                return Err(self.refused(format!(
                    "{host} ended the export ({trouble}); run it again, where a standby ends what reads for long on the primary"
                )));
            }
            if is_slow {
                self.check_is_frozen(session, &trouble)?;
            }
            if (is_slow || session.late().is_none()) && !is_extended {
                is_extended = true;
                deadline = deadline.max(Instant::now() + ALL_ATTEMPTS);
            }
            if left_to_try == 0 || Instant::now() >= deadline {
                *place = None;
                let why = format!("{host}: {trouble}");
                return Err(Error::unreachable(self.cluster.address(), why));
            }
            *place = match is_lost {
                true => None,
                false => {
                    left_to_try -= 1;
                    Some(self.cluster.session_elsewhere(session, deadline)?)
                }
            };
            log::debug!("{host}: {trouble}; another session is tried");
        }
    }

    /// Connects anew where a statement that reads much was not done in time.
    ///
    /// # Errors
    /// That can be done, so that it is not the server which is frozen.
    fn check_is_frozen(&self, session: &mut Session, trouble: &Trouble) -> Result<()> {
        let Some(again) = self.cluster.again(session) else {
            return Ok(());
        };
        *session = again;
        Err(self.refused(format!(
            "{} has not done a statement that reads much ({trouble}); it has too much to do, or plans by old statistics, which ANALYZE makes anew",
            session.host()
        )))
    }

    /// The current publication, its registries yet to be read.
    pub(super) fn current_publication(&self, deadline: Instant) -> Result<PublicationRow> {
        let sql = PublicationRow::SELECT;
        let nothing = || {
            self.refused(
                "nothing has been published there; publish a file first with `procurement-lookup publish`",
            )
        };
        let rows = self.on_session(deadline, |session| session.rows(sql, &[], SHORT_STATEMENT))?;
        let rows = rows.map_err(|trouble| match is_of_missing_table(&trouble) {
            true => nothing(),
            false => self.refusal(&trouble),
        })?;
        let row = rows.first().ok_or_else(nothing)?;
        PublicationRow::from_row(row).map_err(|not_read| self.refused(not_read.to_string()))
    }

    pub(super) fn read_registries(
        &self,
        deadline: Instant,
    ) -> std::result::Result<Registries, Missed> {
        let sql = statement!(
            "found.*",
            "SELECT federal_law, complete_since::text, complete_as_of::text, basis, entries \
             FROM DATA.registry"
        );
        let rows = self.try_rows(sql, &[], SHORT_STATEMENT, deadline)?;
        let mut registries = Regime::ALL.map(nothing_of);
        for row in &rows {
            let law: Option<&str> = self.get(row, FIRST)?;
            let Some(law) = law.and_then(Regime::from_code) else {
                continue;
            };
            let day = |at| -> Result<Option<Date>> {
                let day: Option<&str> = self.get(row, at)?;
                let day = day.map(|day| Date::parse_iso(day).ok_or_else(|| self.damaged("a day")));
                day.transpose()
            };
            let days = day(FIRST + 1)?.zip(day(FIRST + 2)?);
            let basis = Basis::from_code(self.get(row, FIRST + 3)?);
            let registry = Registry {
                law,
                complete: days.zip(basis).map(|((since, as_of), basis)| CompleteDays {
                    since,
                    as_of,
                    basis,
                }),
                entries: self.count(row, FIRST + 4)?,
            };
            let place = registries.iter_mut().find(|one| one.law == law);
            place.into_iter().for_each(|place| *place = registry);
        }
        Ok(of_data(registries))
    }

    /// A column of a row.
    pub(super) fn get<'a, T: FromSql<'a>>(&self, row: &'a Row, at: usize) -> Result<T> {
        row.try_get(at)
            .map_err(|_| self.damaged("a column is not as it was written"))
    }

    /// A number from 0 on.
    pub(super) fn count(&self, row: &Row, at: usize) -> Result<u64> {
        let number: i64 = self.get(row, at)?;
        u64::try_from(number).map_err(|_| self.damaged("a number below 0"))
    }

    pub(super) fn damaged(&self, what: &str) -> Error {
        self.refused(format!(
            "what was published is damaged ({what}); publish the file anew with `publish --full`"
        ))
    }

    pub(super) fn refused(&self, sentence: impl Into<String>) -> Error {
        Error::of_server(self.cluster.address(), sentence)
    }

    /// The error of a statement that the server refuses.
    pub(super) fn refusal(&self, trouble: &Trouble) -> Error {
        self.refused(match trouble.is("42501") {
            true => format!(
                "this user may not read what was published ({trouble}); it needs USAGE on the schemas and SELECT on their tables"
            ),
            false => trouble.to_string(),
        })
    }
}

/// A registry of which there is nothing.
fn nothing_of(law: Regime) -> Registry {
    Registry {
        law,
        complete: None,
        entries: 0,
    }
}

fn of_data(all: [Registry; 3]) -> Registries {
    Registries {
        all,
        of_every_day: false,
    }
}

/// Does a server refuse as a table or its schema is missing, or has taken another's place?
pub(super) fn is_of_missing_table(trouble: &Trouble) -> bool {
    trouble.is_of_missing_table() || trouble.is("0A000")
}

#[cfg(test)]
#[path = "reader/tests.rs"]
mod tests;

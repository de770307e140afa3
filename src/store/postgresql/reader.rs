//! Reads a publication and makes sure that all parts of an answer come from the same one.
//!
//! No transaction spans several statements, because it would cost one round trip to start and one
//! to end. All changes of a publication are committed together with the row of `publication`. Each
//! statement selects that row's number and the identity of the data along with its own rows, in one
//! snapshot, so statements with equal numbers and identities saw the same state. If number or
//! identity change during an answer, the answer starts again
//! ([`Source::has_moved`](super::super::query::Source)).

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::super::data_file::DataVersion;
use super::super::error::{Error, Result};
use super::super::server_bounds::{ALL_ATTEMPTS, SHORT_STATEMENT};
use super::super::suppliers::SupplierRow;
use super::super::unread_entries::UnreadRow;
use super::client::{FromSql, Param, Row, Session, is_missing_table, may_pass_elsewhere};
use super::cluster::Cluster;
use super::publication::PublicationRow;
use super::text::original;
use crate::model::{
    Basis, CompleteDays, Date, Inn, PurchaseNumber, Regime, Registries, Registry, UnreadEntries,
};

/// A statement joined with the row of `publication`. Each result row starts with the number and
/// identity of the publication, followed by the given columns of `found`, which are NULL if nothing
/// was found.
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

/// Index of the first column after number and identity.
pub(super) const FIRST: usize = 2;

/// The published data as a source of answers. Connects to a server when an answer first needs one.
#[derive(Debug)]
pub struct ServerData {
    pub(super) cluster: Arc<Cluster>,
    pub(super) session: RefCell<Option<Session>>,
    /// The publication that the answer is based on.
    pub(super) publication: Option<PublicationRow>,
    pub(super) registries: Registries,
    pub(super) unread: UnreadEntries,
    pub(super) contracts_without_items: u64,
    pub(super) has_moved: Cell<bool>,
    pub(super) cache: RefCell<AnswerCache>,
    /// Whether the current answer reads all data in a single transaction. Its session cannot be
    /// replaced.
    pub(super) is_scanning: Cell<bool>,
}

/// Rows that an answer has read so far and may need again.
#[derive(Debug, Default)]
pub(super) struct AnswerCache {
    pub suppliers: HashMap<Inn, Option<SupplierRow>>,
    /// Records of suppliers' RNP entries.
    pub entries: HashMap<Inn, Vec<Vec<u8>>>,
    pub newest: Option<NewestPage>,
    /// The rows of the statement that reads a card, with the purchase number.
    pub purchase: Option<(PurchaseNumber, Vec<Row>)>,
    pub inns: HashMap<i64, Inn>,
}

/// A page of a supplier's contracts, unfiltered: a row about the supplier, followed by one row per
/// record.
#[derive(Debug)]
pub(super) struct NewestPage {
    pub inn: Inn,
    pub skip: u64,
    pub limit: u64,
    pub rows: Vec<Row>,
}

impl ServerData {
    /// Creates the reader without connecting to a server.
    pub fn new(cluster: &Arc<Cluster>) -> Self {
        Self {
            cluster: Arc::clone(cluster),
            session: RefCell::default(),
            publication: None,
            registries: from_data(Regime::ALL.map(empty_registry)),
            unread: UnreadEntries::default(),
            contracts_without_items: 0,
            has_moved: Cell::new(false),
            cache: RefCell::default(),
            is_scanning: Cell::new(false),
        }
    }

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

    /// Returns the rows of a statement ([`statement!`]), which must finish within the time limit.
    pub(super) fn rows(
        &self,
        sql: &str,
        params: &[Param<'_>],
        within: Duration,
    ) -> Result<Vec<Row>> {
        let deadline = Instant::now() + ALL_ATTEMPTS;
        let rows = self.try_rows(sql, params, within, deadline);
        rows.map_err(|error| self.moved_if_missing(error))
    }

    /// Returns the first row of a statement, which always has one.
    pub(super) fn row(&self, sql: &str, params: &[Param<'_>], within: Duration) -> Result<Row> {
        let row = self.rows(sql, params, within)?.into_iter().next();
        row.ok_or_else(|| self.moved())
    }

    /// Records that the publication was replaced during the answer, and creates the error for that.
    pub(super) fn moved(&self) -> Error {
        self.has_moved.set(true);
        self.refused("what was published is being replaced repeatedly; try again later")
    }

    /// If an error means that a statement's tables are missing, turns it into the error for a
    /// replaced publication.
    pub(super) fn moved_if_missing(&self, error: Error) -> Error {
        match is_missing_table(&error) {
            true => self.moved(),
            false => error,
        }
    }

    /// Returns the rows of a statement. Fails if they come from a publication other than the
    /// answer's.
    pub(super) fn try_rows(
        &self,
        sql: &str,
        params: &[Param<'_>],
        within: Duration,
        deadline: Instant,
    ) -> Result<Vec<Row>> {
        let rows = self.on_session(deadline, |session| session.rows(sql, params, within))?;
        let row = rows.first().ok_or_else(|| self.moved())?;
        self.check_row(row)?;
        Ok(rows)
    }

    /// Fails if the row comes from a publication other than the answer's.
    pub(super) fn check_row(&self, row: &Row) -> Result<()> {
        let (number, identity) = (self.get(row, 0)?, self.get(row, 1)?);
        let publication = self.publication.as_ref();
        let of_answer = publication.map(|it| (it.number, it.version.identity));
        match of_answer == Some((number, identity)) {
            true => Ok(()),
            false => Err(self.moved()),
        }
    }

    /// Runs `ask` on the session, with the schema of the answer's publication as the search path.
    /// If the server is lost, or refuses for a reason that concerns only this server, runs `ask` on
    /// another session. That is safe, because each row shows from which publication it comes.
    ///
    /// If a session is lost, first reconnects to the same host, because a firewall may have dropped
    /// an idle connection. The host counts as failed for all sessions if it is unreachable, if the
    /// connection ends again, or if a short statement does not finish in time. A statement that
    /// reads a lot may simply have too much to read: if its host can be reached again, only the
    /// statement fails. Otherwise the host is considered frozen, and one other host gets time of
    /// its own.
    ///
    /// # Errors
    /// Returns an error if no server succeeds before `deadline`, if a statement that reads a lot
    /// does not finish in time, or if the server refuses.
    pub(super) fn on_session<T>(
        &self,
        mut deadline: Instant,
        mut ask: impl FnMut(&mut Session) -> Result<T>,
    ) -> Result<T> {
        let mut current = self.session.borrow_mut();
        let is_scanning = self.is_scanning.get();
        current.take_if(|one| !is_scanning && (one.is_lost() || self.cluster.has_failed(one)));
        let (mut may_reconnect, mut may_extend) = (true, true);
        // With a single host, `ask` is tried once more on that host.
        let mut others = self.cluster.address().hosts().len();
        loop {
            let session = match &mut *current {
                Some(session) => session,
                none => none.insert(self.cluster.session(deadline)?),
            };
            let schema = self.publication.as_ref().map(|it| it.data_schema.as_str());
            let ready = schema.map_or(Ok(()), |schema| session.use_schema(schema));
            let error = match ready.and_then(|()| ask(session)) {
                Err(error) if may_pass_elsewhere(&error) => error,
                outcome => return outcome,
            };
            let what = error.without_address();
            if is_scanning {
                *current = None;
                return Err(self.refused(format!(
                    "the export was ended ({what}); run it again, where a standby ends what reads for long on the primary"
                )));
            }
            let is_slow = session.late().is_some_and(|span| span > SHORT_STATEMENT);
            let is_lost = session.is_lost();
            if !is_lost {
                self.cluster.mark_behind(session);
            } else if !is_slow && !std::mem::replace(&mut may_reconnect, false) {
                self.cluster.failed(session);
            } else if let Some(again) = self.cluster.again(session) {
                *session = again;
                if is_slow {
                    return Err(self.refused(format!(
                        "a large query did not finish ({what}); the server is overloaded, or its \
                         statistics are outdated, which ANALYZE renews"
                    )));
                }
                continue;
            }
            if (is_slow || session.late().is_none()) && std::mem::replace(&mut may_extend, false) {
                deadline = deadline.max(Instant::now() + ALL_ATTEMPTS);
            }
            *current = None;
            if others == 0 || Instant::now() >= deadline {
                return Err(Error::unreachable(self.cluster.address(), what));
            }
            others -= usize::from(!is_lost);
            log::debug!("{what}; trying another session");
        }
    }

    /// Returns the current publication, without the state of the registries.
    pub(super) fn current_publication(&self, deadline: Instant) -> Result<PublicationRow> {
        let sql = PublicationRow::SELECT;
        let nothing = || {
            self.refused(
                "nothing has been published yet; publish a file first with `procurement-lookup \
                 publish`",
            )
        };
        let found = self.on_session(deadline, |session| {
            let rows = session.rows(sql, &[], SHORT_STATEMENT)?;
            let row = rows
                .first()
                .map(|row| PublicationRow::from_row(session, row));
            row.transpose()
        });
        match found {
            Err(error) if is_missing_table(&error) => Err(nothing()),
            found => found?.ok_or_else(nothing),
        }
    }

    pub(super) fn read_registries(&self, deadline: Instant) -> Result<Registries> {
        let sql = statement!(
            "found.*",
            "SELECT federal_law, complete_since::text, complete_as_of::text, basis, entries \
             FROM registry"
        );
        let rows = self.try_rows(sql, &[], SHORT_STATEMENT, deadline)?;
        let mut registries = Regime::ALL.map(empty_registry);
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
            let of_law = registries.iter_mut().find(|one| one.law == law);
            of_law.into_iter().for_each(|one| *one = registry);
        }
        Ok(from_data(registries))
    }

    pub(super) fn read_unread_entries(&self, deadline: Instant) -> Result<UnreadEntries> {
        let sql = statement!(
            "found.*",
            "SELECT federal_law, number, version, published, about, archive, entry \
             FROM unread_entry"
        );
        let mut unread = Vec::new();
        for row in &self.try_rows(sql, &[], SHORT_STATEMENT, deadline)? {
            let law: Option<&str> = self.get(row, FIRST)?;
            let Some(law) = law else {
                continue;
            };
            let text = |at| Ok::<_, Error>(original(self.get(row, FIRST + at)?));
            let stored = UnreadRow {
                law: law.to_owned(),
                number: text(1)?,
                version: self.get(row, FIRST + 2)?,
                published: self.get(row, FIRST + 3)?,
                about: text(4)?,
                archive: text(5)?,
                entry: text(6)?,
            };
            let damaged = || self.damaged("an inclusion that could not be parsed");
            unread.push(stored.into_entry().ok_or_else(damaged)?);
        }
        Ok(UnreadEntries::new(unread))
    }

    pub(super) fn read_contracts_without_items(&self, deadline: Instant) -> Result<u64> {
        let sql = statement!("found.*", "SELECT without_items FROM contract_items_total");
        let rows = self.try_rows(sql, &[], SHORT_STATEMENT, deadline)?;
        rows.first().map_or(Ok(0), |row| self.count(row, FIRST))
    }

    pub(super) fn get<'a, T: FromSql<'a>>(&self, row: &'a Row, at: usize) -> Result<T> {
        row.try_get(at)
            .map_err(|_| self.damaged("a column was altered"))
    }

    pub(super) fn count(&self, row: &Row, at: usize) -> Result<u64> {
        let number: i64 = self.get(row, at)?;
        u64::try_from(number).map_err(|_| self.damaged("a number below 0"))
    }

    pub(super) fn damaged(&self, what: &str) -> Error {
        self.refused(format!(
            "what was published is damaged ({what}); publish the file again with `publish --full`"
        ))
    }

    pub(super) fn refused(&self, sentence: impl Into<String>) -> Error {
        Error::refused_by(self.cluster.address(), sentence)
    }
}

fn empty_registry(law: Regime) -> Registry {
    Registry {
        law,
        complete: None,
        entries: 0,
    }
}

fn from_data(all: [Registry; 3]) -> Registries {
    Registries {
        all,
        of_every_day: false,
    }
}

#[cfg(test)]
#[path = "reader/tests.rs"]
mod tests;

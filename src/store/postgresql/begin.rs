//! The start of an answer: one statement reads the prefetched data and shows whether the
//! publication that this process knows is still the current one.

use std::thread;
use std::time::{Duration, Instant};

use super::super::error::{Error, Result};
use super::super::query::Prefetch;
use super::super::server_bounds::{ALL_ATTEMPTS, SHORT_STATEMENT};
use super::client::{Param, is_missing_table};
use super::reader::{AnswerCache, ServerData};
use super::{found_suppliers, server_row, source};
use crate::model::Inn;

/// How long to wait before servers with an older publication are asked again.
const PAUSE: Duration = Duration::from_millis(20);

/// How many times to retry while the tables of the current publication are missing, before they
/// count as lost.
const MAX_MISSING: u32 = 5;

const MOVING: &str = "what was published is being replaced repeatedly";

impl ServerData {
    /// Starts an answer based on a single publication: the newest one on the server, which must not
    /// be older than any that this process has seen.
    ///
    /// # Errors
    /// Returns an error if no server is reachable in time ([`Error::is_unreachable`]), or none has
    /// usable data.
    pub fn begin(&mut self, prefetch: Prefetch<'_>) -> Result<()> {
        let deadline = Instant::now() + ALL_ATTEMPTS;
        self.has_moved.set(false);
        if self.is_scanning.replace(false) {
            *self.session.get_mut() = None;
        }
        let mut missing = 0;
        let mut others = self.cluster.address().hosts().len() - 1;
        loop {
            *self.cache.get_mut() = AnswerCache::default();
            let newest = self.cluster.newest();
            match self.prefetch(prefetch, deadline) {
                Ok(()) if self.is_new_enough(newest) => return Ok(()),
                Ok(()) => {
                    let has_lagged = self.cluster.has_lagged(ALL_ATTEMPTS);
                    if has_lagged || Instant::now() + PAUSE >= deadline {
                        let behind = "they have an older publication than one already used";
                        return Err(Error::unreachable(self.cluster.address(), behind));
                    }
                    let number = self.publication.as_ref().map_or(0, |it| it.number);
                    let session = self.session.get_mut();
                    let is_newest_left = session
                        .as_mut()
                        .is_some_and(|session| self.cluster.is_newest_left(session, number));
                    match others {
                        _ if is_newest_left => {}
                        0 => thread::sleep(PAUSE),
                        _ => {
                            others -= 1;
                            *session = None;
                        }
                    }
                }
                Err(error) if is_missing_table(&error) => {
                    missing += 1;
                    self.publication = None;
                    if missing == MAX_MISSING {
                        let what = "the tables of what was published are missing; publish it again with `publish --full`";
                        return Err(self.refused(what));
                    }
                }
                Err(error) if !self.has_moved.replace(false) => return Err(error),
                Err(_) if Instant::now() >= deadline => {
                    return Err(Error::unreachable(self.cluster.address(), MOVING));
                }
                Err(_) => self.publication = None,
            }
        }
    }

    /// Returns whether the publication that was just read is at least as new as `newest`, the
    /// newest one known when reading started.
    fn is_new_enough(&self, newest: i64) -> bool {
        let number = self.publication.as_ref().map_or(0, |it| it.number);
        let session = self.session.borrow();
        session
            .as_ref()
            .is_some_and(|session| self.cluster.note(session, number, newest))
    }

    /// Reads the prefetched records from the known publication. If none is known, first determines
    /// the current one.
    fn prefetch(&mut self, prefetch: Prefetch<'_>, deadline: Instant) -> Result<()> {
        if self.publication.is_none() {
            let publication = self.current_publication(deadline)?;
            self.publication = Some(publication);
            self.registries = self.read_registries(deadline)?;
            self.unread = self.read_unread_entries(deadline)?;
            self.contracts_without_items = self.read_contracts_without_items(deadline)?;
        }
        match prefetch {
            Prefetch::Nothing => {
                let sql = "SELECT number, identity FROM procurement_lookup.publication";
                self.try_rows(sql, &[], SHORT_STATEMENT, deadline).map(drop)
            }
            Prefetch::Suppliers(inns) => {
                let inns: Vec<&str> = inns.iter().map(Inn::key).collect();
                let rows = self.try_rows(
                    found_suppliers::SUPPLIERS,
                    &[&inns],
                    SHORT_STATEMENT,
                    deadline,
                )?;
                self.cache_suppliers(&inns, &rows)
            }
            Prefetch::Newest {
                supplier,
                skip,
                limit,
            } => {
                let range = [skip, limit].map(server_row::saturated);
                let params: [Param<'_>; 3] = [&supplier.key(), &range[0], &range[1]];
                let rows = self.try_rows(&source::NEWEST, &params, SHORT_STATEMENT, deadline)?;
                self.cache_newest(supplier, skip, limit, rows)
            }
            Prefetch::Purchase(number) => {
                let params: [Param<'_>; 1] = [&number.as_str()];
                let rows = self.try_rows(source::PURCHASE, &params, SHORT_STATEMENT, deadline)?;
                self.cache.get_mut().purchase = Some((number.clone(), rows));
                Ok(())
            }
        }
    }
}

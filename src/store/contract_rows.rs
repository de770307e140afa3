//! The rows of a supplier's contracts: a row id is `supplier << 32 | ordinal`,
//! and ordinals follow the order of time without a gap, so that a page is one
//! range, at the same cost at any depth. A newer contract appends; another one
//! moves those after it.

use std::path::Path;
use std::sync::Arc;

use rusqlite::{Connection, params};

use super::connection::Connected;
use super::contract_id::contract_id;
use super::error::{Error, Result};
use super::facets::{BlockRows, Dirty};
use super::record;
use crate::model::{Contract, Date, EncodedContract};

/// How many contracts a supplier can have.
pub(super) const MAX_CONTRACTS: u64 = 1 << 32;

/// Where a contract stands among those of its supplier: by sign date (as
/// YYYYMMDD, 0 for none), then registry number.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub sign_date: u32,
    pub reg_num: String,
}

impl Place {
    /// The place of a contract.
    pub fn of(contract: &Contract) -> Self {
        Self {
            sign_date: contract.sign_date.map_or(0, |date| date.number()),
            reg_num: contract.reg_num.clone(),
        }
    }

    /// The place of a contract that is there.
    pub fn of_encoded(contract: &EncodedContract<'_>) -> Self {
        let sign_date = Date::parse_iso(&contract.sign_date.text());
        Self {
            sign_date: sign_date.map_or(0, |date| date.number()),
            reg_num: contract.reg_num.text().into_owned(),
        }
    }
}

/// What becomes of one contract of a supplier.
#[derive(Debug)]
pub(super) struct Change {
    /// Where it stands now, if it is there.
    pub old: Option<Place>,
    /// Where it is to stand, with its record, if it is to be there.
    pub new: Option<(Place, Arc<[u8]>)>,
}

/// The rows of one supplier, within the transaction under way.
pub(super) struct Rows<'a> {
    pub connection: &'a Connection,
    pub path: &'a Path,
    pub supplier: i64,
    /// How many there are.
    pub count: u64,
}

impl Rows<'_> {
    /// Makes the changes, each of another contract.
    pub fn apply(&mut self, changes: Vec<Change>) -> Result<()> {
        let mut removed = Vec::new();
        let mut inserted = Vec::new();
        let mut dirty = Dirty::default();
        for Change { old, new } in changes {
            match (old, new) {
                (Some(old), Some((new, record))) if old == new => {
                    let ordinal = self.find(&old)?;
                    self.execute(
                        "UPDATE contract SET record = ?2 WHERE id = ?1",
                        params![self.id(ordinal), &*record],
                    )?;
                    dirty.replaced(ordinal);
                }
                (old, new) => {
                    removed.extend(old);
                    inserted.extend(new);
                }
            }
        }
        self.remove(&removed, &mut dirty)?;
        inserted.sort();
        self.insert(inserted, &mut dirty)?;
        let db = Connected {
            connection: self.connection,
            path: self.path,
        };
        BlockRows::of(db, self.supplier).follow(&dirty, self.count)
    }

    /// Removes the rows at `places` and closes the gaps.
    fn remove(&mut self, places: &[Place], dirty: &mut Dirty) -> Result<()> {
        let mut gaps = places
            .iter()
            .map(|place| self.find(place))
            .collect::<Result<Vec<_>>>()?;
        gaps.sort_unstable();
        if let Some(first) = gaps.first() {
            dirty.moved_from(*first);
        }
        for &gap in &gaps {
            self.execute("DELETE FROM contract WHERE id = ?1", [self.id(gap)])?;
        }
        let ends = gaps.iter().skip(1).copied().chain([self.count]);
        for ((closed, &gap), end) in (1..).zip(&gaps).zip(ends) {
            for ordinal in gap + 1..end {
                self.move_row(ordinal, ordinal - closed)?;
            }
        }
        self.count -= gaps.len() as u64;
        Ok(())
    }

    /// Inserts rows that stand in the order of their places.
    fn insert(&mut self, rows: Vec<(Place, Arc<[u8]>)>, dirty: &mut Dirty) -> Result<()> {
        let added = rows.len() as u64;
        if self.count + added > MAX_CONTRACTS {
            return Err(Error::refused(
                self.path,
                "a supplier has more than 4,294,967,296 contracts",
            ));
        }
        let mut positions = Vec::with_capacity(rows.len());
        let mut from = 0;
        for (place, _) in &rows {
            from = self.position(place, from)?;
            positions.push(from);
        }
        if let Some(first) = positions.first() {
            dirty.moved_from(*first);
        }
        // From the top down, so that a row moves only to where none stands.
        let mut end = self.count;
        for (index, (position, (_, record))) in positions.into_iter().zip(rows).enumerate().rev() {
            let index = index as u64;
            for ordinal in (position..end).rev() {
                self.move_row(ordinal, ordinal + index + 1)?;
            }
            end = position;
            let id = self.id(position + index);
            self.execute(
                "INSERT INTO contract (id, record) VALUES (?1, ?2)",
                params![id, &*record],
            )?;
        }
        self.count += added;
        Ok(())
    }

    /// The ordinal of the row at `place`, which is there.
    fn find(&self, place: &Place) -> Result<u64> {
        let ordinal = self.position(place, 0)?;
        if ordinal < self.count && self.place(ordinal)? == *place {
            Ok(ordinal)
        } else {
            Err(Error::damaged(
                self.path,
                format!("contract {} is not in its place", place.reg_num),
            ))
        }
    }

    /// How many rows stand before `place`; at least `from` do.
    fn position(&self, place: &Place, from: u64) -> Result<u64> {
        let (mut low, mut high) = (from, self.count);
        // Most contracts that are new are the newest: one look at the last row.
        let mut probe = high.saturating_sub(1);
        while low < high {
            if self.place(probe)? < *place {
                low = probe + 1;
            } else {
                high = probe;
            }
            probe = low + (high - low) / 2;
        }
        Ok(low)
    }

    fn place(&self, ordinal: u64) -> Result<Place> {
        let record: Vec<u8> = self
            .connection
            .prepare_cached("SELECT record FROM contract WHERE id = ?1")
            .and_then(|mut statement| statement.query_row([self.id(ordinal)], |row| row.get(0)))
            .map_err(|error| match error {
                rusqlite::Error::QueryReturnedNoRows => {
                    Error::damaged(self.path, "a supplier has fewer contracts than it counts")
                }
                error => Error::sqlite(self.path, error),
            })?;
        record::contract(self.path, &record).map(|contract| Place::of_encoded(&contract))
    }

    fn move_row(&self, from: u64, to: u64) -> Result<()> {
        self.execute(
            "UPDATE contract SET id = ?2 WHERE id = ?1",
            [self.id(from), self.id(to)],
        )
    }

    fn id(&self, ordinal: u64) -> i64 {
        contract_id(self.supplier, ordinal)
    }

    fn execute(&self, sql: &'static str, params: impl rusqlite::Params) -> Result<()> {
        self.connection
            .prepare_cached(sql)
            .and_then(|mut statement| statement.execute(params))
            .map(drop)
            .map_err(|error| Error::sqlite(self.path, error))
    }
}

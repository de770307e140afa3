//! Blocks, written with the rows of contracts.

use std::collections::BTreeSet;

use rusqlite::params;

use super::super::connection::Connected;
use super::super::contract_id::contract_id;
use super::super::error::Result;
use super::super::record;
use super::block::Stored;
use super::{BLOCK, Builder, Facets, block_id};

const PUT: &str = "INSERT OR REPLACE INTO contract_facets (id, facets) VALUES (?1, ?2)";

/// Which of a supplier's contracts are others than their blocks say.
#[derive(Debug, Default)]
pub struct Dirty {
    /// Those that were replaced in their places.
    replaced: BTreeSet<u64>,
    /// The first contract that was moved, put in or taken away.
    moved: Option<u64>,
}

impl Dirty {
    /// The contract was replaced, and stands where it stood.
    pub fn replaced(&mut self, ordinal: u64) {
        self.replaced.insert(ordinal);
    }

    /// From this contract on they stand elsewhere.
    pub fn moved_from(&mut self, ordinal: u64) {
        self.moved = Some(self.moved.map_or(ordinal, |moved| moved.min(ordinal)));
    }
}

/// The blocks of one supplier, within the transaction under way.
pub struct BlockRows<'a> {
    db: Connected<'a>,
    supplier: i64,
    /// The block that contracts are added to, of this number.
    builder: Builder,
    next: u64,
}

impl<'a> BlockRows<'a> {
    /// Those of a supplier, from the first on.
    pub fn of(db: Connected<'a>, supplier: i64) -> Self {
        Self {
            db,
            supplier,
            builder: Builder::default(),
            next: 0,
        }
    }

    /// Adds the next contract.
    pub fn add(&mut self, contract: &[u8]) -> Result<()> {
        add_record(self.db, &mut self.builder, contract)?;
        if self.builder.len() < BLOCK {
            return Ok(());
        }
        self.end()
    }

    /// Writes the block that is not full, if there is one.
    pub fn end(&mut self) -> Result<()> {
        if self.builder.len() == 0 {
            return Ok(());
        }
        let id = block_id(self.supplier, self.next);
        self.next += 1;
        self.db.execute(PUT, params![id, self.builder.finish()])
    }

    /// Writes anew what is told of `dirty` contracts, of `count` there are now.
    pub fn follow(&mut self, dirty: &Dirty, count: u64) -> Result<()> {
        let moved = dirty.moved.unwrap_or(u64::MAX);
        let blocks = dirty.replaced.iter().map(|ordinal| ordinal / BLOCK);
        let blocks: BTreeSet<u64> = blocks.filter(|block| *block < moved / BLOCK).collect();
        for block in blocks {
            self.rewrite(block, dirty, count)?;
        }
        if dirty.moved.is_none() {
            return Ok(());
        }
        let blocks = count.div_ceil(BLOCK);
        for block in moved / BLOCK..blocks {
            self.rewrite(block, dirty, count)?;
        }
        // Where there are fewer than there were.
        self.db.execute(
            "DELETE FROM contract_facets WHERE id >= ?1 AND id < ?2",
            [
                block_id(self.supplier, blocks),
                block_id(self.supplier + 1, 0),
            ],
        )
    }

    /// Writes one block: what it had where that is not dirty, else what the records say.
    fn rewrite(&mut self, block: u64, dirty: &Dirty, count: u64) -> Result<()> {
        self.next = block;
        let (start, end) = (block * BLOCK, count.min((block + 1) * BLOCK));
        let clean = dirty.moved.unwrap_or(u64::MAX).clamp(start, end);
        let stored = match clean == start {
            true => Stored::default(),
            false => self.stored(block)?,
        };
        let mut from = start;
        while from < clean {
            match stored.get((from - start) as usize) {
                Some(facets) if !dirty.replaced.contains(&from) => self.builder.add(facets),
                _ => self.add_records(from, from + 1)?,
            }
            from += 1;
        }
        self.add_records(from, end)?;
        self.end()
    }

    /// What there is of a block; nothing of a damaged one, which is made anew.
    fn stored(&self, block: u64) -> Result<Stored> {
        let sql = "SELECT facets FROM contract_facets WHERE id = ?1";
        let mut stored = None;
        let id = block_id(self.supplier, block);
        self.db.each_blob(sql, [id], |bytes| {
            stored = Stored::read(bytes);
            Ok(())
        })?;
        Ok(stored.unwrap_or_default())
    }

    /// Adds the contracts from one place to before another.
    fn add_records(&mut self, start: u64, end: u64) -> Result<()> {
        let sql = "SELECT record FROM contract WHERE id >= ?1 AND id < ?2 ORDER BY id";
        let id = |ordinal| contract_id(self.supplier, ordinal);
        let range = [id(start), id(end)];
        let (db, builder) = (self.db, &mut self.builder);
        db.each_blob(sql, range, |contract| add_record(db, builder, contract))
    }
}

fn add_record(db: Connected<'_>, builder: &mut Builder, contract: &[u8]) -> Result<()> {
    let contract = record::contract(db.path, contract)?;
    let facets = Facets::of(&contract);
    builder.add(facets.ok_or_else(|| record::not_a_contract(db.path))?);
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::path::Path;
    use std::sync::Arc;

    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::super::super::contract_rows::{Change, Place, Rows};
    use super::super::super::tables::model;
    use super::*;
    use crate::model::Contract;

    fn record(number: u16, price: u64) -> (Place, Arc<[u8]>) {
        let contract = Contract {
            reg_num: format!("{number:05}"),
            price: Some(price.into()),
            customer_inn: (price % 7).to_string(),
            ..Contract::default()
        };
        let record = record::encode_contract(&contract);
        (Place::of(&contract), record.into())
    }

    /// The blocks that the contracts of a supplier are to have.
    fn blocks(contracts: &BTreeMap<u16, u64>) -> Vec<Vec<u8>> {
        let contracts: Vec<_> = contracts.iter().collect();
        let block = |contracts: &[(&u16, &u64)]| {
            let mut builder = Builder::default();
            for (number, price) in contracts {
                let (_, record) = record(**number, **price);
                let contract = record::contract(Path::new(""), &record).expect("a record");
                builder.add(Facets::of(&contract).expect("facets"));
            }
            builder.finish()
        };
        contracts.chunks(BLOCK as usize).map(block).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

        #[test]
        fn blocks_follow_whatever_is_put_in_replaced_and_taken_away(
            // Most of the first are put in; then few of each kind, or many.
            first in vec(any::<bool>(), 700),
            steps in vec(
                prop_oneof![
                    vec((0..700_u16, proptest::option::of(1..99_u64)), 1..4),
                    vec((0..700_u16, proptest::option::weighted(0.3, 1..99_u64)), 200..400),
                ],
                1..6,
            ),
        ) {
            let connection = model().expect("an empty file");
            let mut rows = Rows { connection: &connection, path: Path::new(""), supplier: 5, count: 0 };
            let mut there: BTreeMap<u16, u64> = BTreeMap::new();
            let first = first.iter().zip(0_u16..).map(|(is_in, number)| (number, is_in.then_some(1)));
            for step in std::iter::once(first.collect()).chain(steps) {
                let step: BTreeMap<u16, Option<u64>> = step.into_iter().collect();
                let mut changes = Vec::new();
                for (number, price) in step {
                    let old = there.get(&number).map(|price| record(number, *price).0);
                    match price {
                        Some(price) => there.insert(number, price),
                        None => there.remove(&number),
                    };
                    let new = price.map(|price| record(number, price));
                    if old.is_some() || new.is_some() {
                        changes.push(Change { old, new });
                    }
                }
                rows.apply(changes).expect("they are written");
                let sql = "SELECT id, facets FROM contract_facets ORDER BY id";
                let mut statement = connection.prepare(sql).expect("a statement");
                let stored = statement.query_map((), |row| Ok((row.get(0)?, row.get(1)?)));
                let stored: Vec<(i64, Vec<u8>)> =
                    stored.expect("rows").map(|row| row.expect("a row")).collect();
                let expected: Vec<_> = (0..).map(|block| block_id(5, block)).zip(blocks(&there)).collect();
                prop_assert!(stored == expected);
            }
        }
    }
}

//! Blocks, written with the rows of contracts.

use std::collections::BTreeSet;

use rusqlite::params;

use super::super::connection::Connected;
use super::super::contract_rows::contract_id;
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

//! Blocks, written with the rows of contracts.

use std::collections::BTreeSet;

use rusqlite::params;

use super::super::connection::Connected;
use super::super::contract_rows::contract_id;
use super::super::error::Result;
use super::super::record;
use super::{BLOCK, Builder, Facets, block_id};

const PUT: &str = "INSERT OR REPLACE INTO contract_facets (id, facets) VALUES (?1, ?2)";

/// Which of a supplier's contracts are others than their blocks say.
#[derive(Debug, Default)]
pub struct Dirty {
    /// Blocks with a contract that was replaced in its place.
    blocks: BTreeSet<u64>,
    /// The first contract that was moved, put in or taken away.
    moved: Option<u64>,
}

impl Dirty {
    /// The contract was replaced, and stands where it stood.
    pub fn replaced(&mut self, ordinal: u64) {
        self.blocks.insert(ordinal / BLOCK);
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
        let contract = record::contract(self.db.path, contract)?;
        let facets = Facets::of(&contract);
        let facets = facets.ok_or_else(|| record::not_a_contract(self.db.path))?;
        self.builder.add(facets);
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
        let end = dirty.moved.map_or(u64::MAX, |moved| moved / BLOCK);
        for block in dirty.blocks.range(..end) {
            self.rewrite(*block, count)?;
        }
        if dirty.moved.is_none() {
            return Ok(());
        }
        let blocks = count.div_ceil(BLOCK);
        for block in end..blocks {
            self.rewrite(block, count)?;
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

    /// Writes one block by the records of its contracts.
    fn rewrite(&mut self, block: u64, count: u64) -> Result<()> {
        let (start, end) = (block * BLOCK, count.min((block + 1) * BLOCK));
        let sql = "SELECT record FROM contract WHERE id >= ?1 AND id < ?2 ORDER BY id";
        let range = [
            contract_id(self.supplier, start),
            contract_id(self.supplier, end),
        ];
        self.next = block;
        let db = self.db;
        db.each_blob(sql, range, |contract| self.add(contract))?;
        self.end()
    }
}

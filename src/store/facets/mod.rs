//! What contracts are filtered, ordered and summed up by, beside their records: of each
//! the days of signing and of the last change, the stage, the customer's INN, the price.
//!
//! A supplier's contracts are told of in blocks of [`BLOCK`], a row each, by columns
//! (`making.rs` makes them, `block.rs` reads them), so that a filter over 115,000 contracts reads 2 MB and no record but
//! those that are shown. A block is a function of its contracts' records alone: `check`
//! makes each anew and compares.
//!
//! `writing.rs` writes them with the rows of contracts; `select.rs` finds what a page
//! shows, `best.rs` the first of what is ordered by a value; `summary.rs` sums up.

mod best;
mod block;
mod making;
mod select;
mod summary;
mod writing;

pub(super) use making::{Builder, Facets};
pub use select::Selection;
pub(super) use writing::{BlockRows, Dirty};

use super::contract_id::contract_id;

/// How many contracts a block is of, but for a supplier's last one.
pub(super) const BLOCK: u64 = 256;

/// The row id of a block of a supplier's contracts.
pub(super) fn block_id(supplier: i64, block: u64) -> i64 {
    contract_id(supplier, block)
}

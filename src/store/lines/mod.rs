//! JSON Lines on their way into the file. Contracts wait as sorted runs (`staging`,
//! `runs`), and are merged into their places in order (`merging`), so that each page
//! of the file is written once, and a large supplier whose lines come in any order costs
//! no more than another.

mod line;
pub(super) mod merging;
mod runs;
mod staging;
mod supplier_ids;

pub use line::PackedLine;
pub(super) use line::{CONTRACT_KIND, Packed, PackedEntry};
pub(super) use staging::{Staging, as_number};
pub(super) use supplier_ids::SupplierIds;

//! JSON Lines on their way into the file. They wait in temporary tables (`staging`), so
//! that lines about one thing meet, however far apart they came. Contracts are merged into
//! their places in order (`merging`), so that each page of the file is written once, and a
//! large supplier whose lines come in any order costs no more than another; others are
//! taken one thing after another.

mod line;
pub(super) mod merging;
mod staging;
mod supplier_ids;

pub use line::PackedLine;
pub(super) use line::{CONTRACT_KIND, EntryLine, Packed, REGISTRY_KIND};
pub(super) use staging::{About, Staging, make_tables};

//! The data that an answer is known to need, so that a single request to a server can fetch it.

use crate::model::{Inn, PurchaseNumber};

/// The data to read when an answer begins ([`super::Database::begin`]). The choice does not affect
/// the answer: everything else is read on demand.
#[derive(Clone, Copy, Debug, Default)]
pub enum Prefetch<'a> {
    /// Only the version of the data.
    #[default]
    Nothing,
    /// Suppliers, with their RNP entries.
    Suppliers(&'a [Inn]),
    /// A supplier, and up to `limit` of its contracts, newest first, after the first `skip`.
    Newest {
        supplier: &'a Inn,
        skip: u64,
        limit: u64,
    },
    Purchase(&'a PurchaseNumber),
}

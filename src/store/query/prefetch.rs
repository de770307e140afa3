//! The prefetch of an answer: one request to a server for the data that the answer is known to
//! need.

use crate::model::{Inn, PurchaseNumber};

/// The data read when an answer begins ([`super::Database::begin`]). It changes no answer: other
/// data is read on demand.
#[derive(Clone, Copy, Debug, Default)]
pub enum Prefetch<'a> {
    /// Only the version of the data.
    #[default]
    Nothing,
    /// Suppliers, with their RNP entries.
    Suppliers(&'a [Inn]),
    /// A supplier, and up to `limit` of its contracts, newest first, after the first `skip`.
    Newest {
        /// The supplier.
        supplier: &'a Inn,
        /// The number of contracts to skip.
        skip: u64,
        /// The largest number of contracts.
        limit: u64,
    },
    /// The card of a purchase.
    Purchase(&'a PurchaseNumber),
}

//! What an answer is known to need when it begins, so that a server is asked once for it.

use crate::model::{Inn, PurchaseNumber};

/// What is read when an answer begins ([`super::Database::begin`]). It changes no answer: what
/// was not read then is read when it is asked for.
#[derive(Clone, Copy, Debug, Default)]
pub enum Prefetch<'a> {
    /// Nothing but which data it is.
    #[default]
    Nothing,
    /// Suppliers, with their RNP entries.
    Suppliers(&'a [Inn]),
    /// A supplier, and up to `limit` of its contracts, newest first, after the first `skip`.
    Newest {
        /// The supplier.
        supplier: &'a Inn,
        /// After how many.
        skip: u64,
        /// How many at most.
        limit: u64,
    },
    /// The card of a purchase.
    Purchase(&'a PurchaseNumber),
}

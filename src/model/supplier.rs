//! Suppliers: those who sell to the state.

use serde::{Deserialize, Serialize};

use super::Inn;

/// A supplier, as a record names it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Supplier {
    /// The taxpayer number.
    pub inn: Inn,
    /// The name; may be empty.
    pub name: String,
}

/// A supplier as a purchase card names it, all as it came and unchecked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CardSupplier {
    /// Name.
    pub name: String,
    /// Taxpayer number.
    pub inn: String,
    /// Tax registration reason code.
    pub kpp: String,
}

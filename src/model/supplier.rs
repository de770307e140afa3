//! Who sells to the state.

use serde::{Deserialize, Serialize};

use super::Inn;

/// Somebody who sells to the state, as a record names it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Supplier {
    /// The taxpayer number.
    pub inn: Inn,
    /// The name; may be empty.
    pub name: String,
}

/// A supplier as a purchase card names it: all as it came, nothing checked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CardSupplier {
    /// Name.
    pub name: String,
    /// Taxpayer number.
    pub inn: String,
    /// Tax registration reason code.
    pub kpp: String,
}

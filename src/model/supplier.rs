use serde::{Deserialize, Serialize};

use super::Inn;

/// A supplier as named in a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Supplier {
    pub inn: Inn,
    /// May be empty.
    pub name: String,
}

/// A supplier as named on a purchase card. All values are as in the source, unchecked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CardSupplier {
    pub name: String,
    pub inn: String,
    pub kpp: String,
}

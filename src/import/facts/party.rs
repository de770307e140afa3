//! Suppliers, contractors and participants, as documents name them.

use super::encoding::facts;
use crate::model::Inn;

facts! {
    /// A supplier or a participant, all as it came and unchecked.
    pub struct SupplierFacts {
        /// Name.
        0 name: String,
        /// Taxpayer number.
        1 inn: String,
        /// Tax registration reason code.
        2 kpp: String,
    }
}

impl SupplierFacts {
    /// The number under which the supplier is found, if there is a valid one.
    pub fn inn(&self) -> Option<Inn> {
        Inn::parse(&self.inn)
    }
}

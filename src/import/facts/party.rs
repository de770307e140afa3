//! The facts of suppliers, contractors and participants.

use super::encoding::facts;
use crate::model::Inn;

facts! {
    /// A supplier or a participant. All values are unchecked, as they stand in the document.
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
    /// Returns the INN under which the supplier is found, if it is valid.
    pub fn inn(&self) -> Option<Inn> {
        Inn::parse(&self.inn)
    }
}

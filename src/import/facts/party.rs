//! Facts about suppliers, contractors and participants.

use super::encoding::facts;
use crate::model::Inn;

facts! {
    /// A supplier or participant. All values are as in the document, unchecked.
    pub struct SupplierFacts {
        0 name: String,
        1 inn: String,
        2 kpp: String,
    }
}

impl SupplierFacts {
    /// Returns the INN if it has 10 or 12 digits, so that the supplier can be listed under it.
    pub fn inn(&self) -> Option<Inn> {
        Inn::parse(&self.inn)
    }
}

//! The facts of suppliers, contractors and participants.

use super::encoding::facts;
use crate::model::Inn;

facts! {
    /// A supplier or a participant. All values are as in the document, unchecked.
    pub struct SupplierFacts {
        0 name: String,
        1 inn: String,
        2 kpp: String,
    }
}

impl SupplierFacts {
    /// Returns the INN if it is valid. The supplier can then be found by this INN.
    pub fn inn(&self) -> Option<Inn> {
        Inn::parse(&self.inn)
    }
}

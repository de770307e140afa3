//! A purchase, of any regime.

use serde::{Deserialize, Serialize};

use super::{Purchase44, Purchase223, Purchase615, PurchaseNumber};

/// The card of a purchase, in the shape of its regime.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Purchase {
    /// Under 44-FZ.
    Fz44(Box<Purchase44>),
    /// Under 223-FZ.
    Fz223(Box<Purchase223>),
    /// Under Government Decree 615.
    Pp615(Box<Purchase615>),
}

impl Purchase {
    /// The number by which the purchase is found.
    pub fn number(&self) -> &PurchaseNumber {
        match self {
            Self::Fz44(card) => &card.purchase_number,
            Self::Fz223(card) => &card.purchase_number,
            Self::Pp615(card) => &card.purchase_number,
        }
    }
}

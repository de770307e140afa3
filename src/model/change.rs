//! What imports changed, as the log of changes has it (the manual, API, "What changed").

use super::{Inn, PurchaseNumber};

/// What of a supplier or a purchase changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChangedPart {
    /// The contracts of a supplier: its contract page, but for the name.
    Contracts = 1,
    /// The RNP check of a supplier, but for the name: its entries, or whether it is known.
    Rnp = 2,
    /// The card of a purchase.
    Card = 3,
    /// The name of a supplier, which stands in both of its answers.
    Name = 4,
}

impl ChangedPart {
    /// All of them, in the order of their numbers.
    pub const ALL: [Self; 4] = [Self::Contracts, Self::Rnp, Self::Card, Self::Name];

    /// The codes of all of them.
    pub const CODES: &'static [&'static str] = &["contracts", "rnp", "card", "name"];

    /// The code on the wire.
    pub fn code(self) -> &'static str {
        match self {
            Self::Contracts => "contracts",
            Self::Rnp => "rnp",
            Self::Card => "card",
            Self::Name => "name",
        }
    }
}

/// That something changed, and in which revision of the data it last did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedChange {
    /// The number of the import.
    pub revision: u64,
    /// Whose answer.
    pub subject: ChangedSubject,
    /// What of it.
    pub part: ChangedPart,
}

/// Whose answer changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChangedSubject {
    /// A supplier.
    Supplier(Inn),
    /// A purchase.
    Purchase(PurchaseNumber),
}

impl ChangedSubject {
    /// The kinds there are.
    pub const KINDS: &'static [&'static str] =
        &["supplier", "purchase44", "purchase223", "purchase615"];

    /// Its kind.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Supplier(_) => "supplier",
            Self::Purchase(number) => number.regime().purchase_kind(),
        }
    }

    /// The supplier's INN, or the purchase's number.
    pub fn key(&self) -> &str {
        match self {
            Self::Supplier(inn) => inn.as_str(),
            Self::Purchase(number) => number.as_str(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Regime;

    #[test]
    fn codes_and_kinds_are_those_that_are_described() {
        assert_eq!(ChangedPart::ALL.map(ChangedPart::code), *ChangedPart::CODES);
        let purchases = Regime::ALL.map(Regime::purchase_kind);
        assert_eq!(
            ChangedSubject::KINDS,
            [&["supplier"], &purchases[..]].concat()
        );
    }
}

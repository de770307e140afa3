//! Changes that imports made, as the log of changes keeps them (the manual, API, "What changed").

use super::{Inn, LogSubject, PurchaseNumber, Regime};

/// The changed part of a supplier, a customer, a purchase or a registry.
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
    /// The contracts of a customer.
    CustomerContracts = 5,
    /// The state of the registry of a law.
    RegistryState = 6,
}

impl ChangedPart {
    /// All of them, in the order of their numbers.
    pub const ALL: [Self; 6] = [
        Self::Contracts,
        Self::Rnp,
        Self::Card,
        Self::Name,
        Self::CustomerContracts,
        Self::RegistryState,
    ];

    /// The codes of all of them.
    pub const CODES: &'static [&'static str] = &["contracts", "rnp", "card", "name", "state"];

    /// The part with this number.
    pub fn from_number(number: i64) -> Option<Self> {
        Self::ALL.into_iter().find(|part| *part as i64 == number)
    }

    /// The code on the wire.
    pub fn code(self) -> &'static str {
        match self {
            Self::Contracts | Self::CustomerContracts => "contracts",
            Self::Rnp => "rnp",
            Self::Card => "card",
            Self::Name => "name",
            Self::RegistryState => "state",
        }
    }
}

/// The last change of a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedChange {
    /// The number of the import.
    pub revision: u64,
    /// The supplier, customer, purchase or registry.
    pub subject: ChangedSubject,
    /// The changed part.
    pub part: ChangedPart,
    /// Identifies the subject in the log.
    pub id: LogSubject,
}

/// A supplier, customer, purchase or registry with a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChangedSubject {
    /// A supplier.
    Supplier(Inn),
    /// A customer: its INN as contracts have it.
    Customer(String),
    /// A purchase.
    Purchase(PurchaseNumber),
    /// The registry of a law.
    Registry(Regime),
}

impl ChangedSubject {
    /// The kinds there are.
    pub const KINDS: &'static [&'static str] = &[
        "supplier",
        "customer",
        "purchase44",
        "purchase223",
        "purchase615",
        "registry",
    ];

    /// The subject of a part, from its key; none if it has no such key.
    pub fn parse(part: ChangedPart, key: &str) -> Option<Self> {
        Some(match part {
            ChangedPart::Contracts | ChangedPart::Rnp | ChangedPart::Name => {
                Self::Supplier(Inn::from_stored(key)?)
            }
            ChangedPart::CustomerContracts => {
                LogSubject::customer(key)?;
                Self::Customer(key.to_owned())
            }
            ChangedPart::Card => Self::Purchase(PurchaseNumber::parse(key)?),
            ChangedPart::RegistryState => Self::Registry(Regime::from_code(key)?),
        })
    }

    /// Its kind.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Supplier(_) => "supplier",
            Self::Customer(_) => "customer",
            Self::Purchase(number) => number.regime().purchase_kind(),
            Self::Registry(_) => "registry",
        }
    }

    /// The key as it is stored: of a supplier without an INN that of its name.
    pub fn stored_key(&self) -> &str {
        match self {
            Self::Supplier(inn) => inn.key(),
            other => other.key(),
        }
    }

    /// The INN, the purchase's number, or the code of the law.
    pub fn key(&self) -> &str {
        match self {
            Self::Supplier(inn) => inn.as_str(),
            Self::Customer(inn) => inn,
            Self::Purchase(number) => number.as_str(),
            Self::Registry(law) => law.code(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_kinds_are_those_that_are_described() {
        let mut codes: Vec<_> = ChangedPart::ALL.map(ChangedPart::code).into();
        codes.remove(4);
        assert_eq!(codes, *ChangedPart::CODES);
        let mut kinds = Vec::new();
        for (part, keys) in [
            (ChangedPart::Name, &["9600000002"][..]),
            (ChangedPart::CustomerContracts, &["007"]),
            (
                ChangedPart::Card,
                &["0960000000025000001", "39600000001", "096000000000000001"],
            ),
            (ChangedPart::RegistryState, &["223"]),
        ] {
            for key in keys {
                let subject = ChangedSubject::parse(part, key).expect(key);
                assert_eq!(subject.key(), *key);
                kinds.push(subject.kind());
            }
        }
        assert_eq!(kinds, ChangedSubject::KINDS);
    }
}

//! Entries of the log of changed answers (manual, "API", "What changed").

use super::{Inn, LogSubject, PurchaseNumber, Regime};

/// A part of an answer whose changes are logged separately.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChangedPart {
    /// A supplier's contract page, apart from the name.
    Contracts = 1,
    /// A supplier's RNP check, apart from the name: the entries, and whether the supplier occurs in
    /// the data.
    Rnp = 2,
    Card = 3,
    /// A supplier's name. It is on both the contract page and the RNP check.
    Name = 4,
    CustomerContracts = 5,
    /// Whether a registry of unfair suppliers is complete, and as of which day.
    RegistryState = 6,
}

impl ChangedPart {
    /// All parts, in the order of the numbers under which they are stored.
    pub const ALL: [Self; 6] = [
        Self::Contracts,
        Self::Rnp,
        Self::Card,
        Self::Name,
        Self::CustomerContracts,
        Self::RegistryState,
    ];

    pub const CODES: &'static [&'static str] = &["contracts", "rnp", "card", "name", "state"];

    pub fn from_number(number: i64) -> Option<Self> {
        Self::ALL.into_iter().find(|part| *part as i64 == number)
    }

    /// Returns the code in responses. Two parts share a code; the kind of subject tells them apart.
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

/// The latest change of one part of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedChange {
    pub revision: u64,
    pub subject: ChangedSubject,
    pub part: ChangedPart,
    /// How the log identifies `subject`.
    pub id: LogSubject,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChangedSubject {
    Supplier(Inn),
    /// INN as spelled in the contracts.
    Customer(String),
    Purchase(PurchaseNumber),
    Registry(Regime),
}

impl ChangedSubject {
    pub const KINDS: &'static [&'static str] = &[
        "supplier",
        "customer",
        "purchase44",
        "purchase223",
        "purchase615",
        "registry",
    ];

    /// Rebuilds a subject from a stored key. Returns `None` if the key is malformed for this part.
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

    pub fn kind(&self) -> &'static str {
        match self {
            Self::Supplier(_) => "supplier",
            Self::Customer(_) => "customer",
            Self::Purchase(number) => number.regime().purchase_kind(),
            Self::Registry(_) => "registry",
        }
    }

    /// Returns the key under which the subject is stored. For a supplier without an INN, it is made
    /// from the name.
    pub fn stored_key(&self) -> &str {
        match self {
            Self::Supplier(inn) => inn.key(),
            other => other.key(),
        }
    }

    /// Returns the key that clients see: an INN, a purchase number or the code of a law. Empty for
    /// a supplier without an INN.
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
    fn codes_and_kinds_are_as_described() {
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

//! The route table.

use crate::model::{PurchaseNumber, Regime};

/// What can be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Endpoint {
    /// The contracts of a supplier.
    Contracts,
    /// What the contracts of a supplier come to.
    ContractSummary,
    /// The card of a purchase under 44-FZ.
    Purchase44,
    /// The card of a purchase under 223-FZ or, by the number's length, PP-615.
    Purchase223,
    /// The card of a purchase under PP-615.
    Purchase615,
    /// Is a supplier in the registry of unfair suppliers?
    RnpCheck,
    /// Are these suppliers in it?
    RnpCheckMany,
}

impl Endpoint {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Contracts,
        Self::ContractSummary,
        Self::Purchase223,
        Self::Purchase44,
        Self::Purchase615,
        Self::RnpCheck,
        Self::RnpCheckMany,
    ];

    /// Its path.
    pub fn path(self) -> &'static str {
        match self {
            Self::Contracts => "/contract/monitor-supplier44",
            Self::ContractSummary => "/contract/summary-supplier44",
            Self::Purchase44 => "/purchase/demo44",
            Self::Purchase223 => "/purchase/demo223",
            Self::Purchase615 => "/purchase/demo615",
            Self::RnpCheck => "/rnp/check-supplier",
            Self::RnpCheckMany => "/rnp/check-suppliers",
        }
    }

    /// The parameters that its answer depends on, under their first spellings, in the
    /// order in which they are checked.
    pub fn parameters(self) -> &'static [&'static str] {
        match self {
            Self::Contracts => &[
                "format",
                "supplierINN",
                "skip",
                "limit",
                "stage",
                "signedFrom",
                "signedTo",
                "updatedFrom",
                "customerInn",
                "sort",
            ],
            Self::ContractSummary => &[
                "format",
                "supplierINN",
                "stage",
                "signedFrom",
                "signedTo",
                "updatedFrom",
                "customerInn",
            ],
            Self::Purchase44 | Self::Purchase223 | Self::Purchase615 => {
                &["format", "purchaseNumber"]
            }
            Self::RnpCheck => &["format", "supplierINN", "asOf"],
            Self::RnpCheckMany => &["format", "supplierINN", "asOf", "history"],
        }
    }

    /// The endpoint at `path`, if there is one.
    pub fn of_path(path: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|endpoint| endpoint.path() == path)
    }

    /// Does it answer errors with HTTP statuses of their own? The others answer
    /// 200 (the contract, "Error bodies").
    pub(super) fn has_statuses(self) -> bool {
        self.is_rnp()
    }

    /// Does it ask the registry of unfair suppliers?
    pub(super) fn is_rnp(self) -> bool {
        matches!(self, Self::RnpCheck | Self::RnpCheckMany)
    }

    /// Is a number of the regimes whose cards it has?
    pub(super) fn takes(self, number: &PurchaseNumber) -> bool {
        match self {
            Self::Purchase44 => number.regime() == Regime::Fz44,
            Self::Purchase223 => matches!(number.regime(), Regime::Fz223 | Regime::Pp615),
            Self::Purchase615 => number.regime() == Regime::Pp615,
            Self::Contracts | Self::ContractSummary | Self::RnpCheck | Self::RnpCheckMany => false,
        }
    }
}

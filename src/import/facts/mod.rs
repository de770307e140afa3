//! Facts: what a single official document states, and how the store keeps it. [`super::derive`]
//! combines the facts of several documents into records.
//!
//! Every release must be able to read the facts that earlier releases stored. Therefore no struct
//! serves both as facts and as a record in responses: facts have structs of their own, one file per
//! family of documents. Each field has a number ([`encoding`]), and each type of value has a fixed
//! stored form ([`values`]).

mod card;
mod contract;
mod encoding;
mod fz223;
mod notice44;
mod party;
mod pp615;
mod procedure;
mod protocol44;
mod rnp;
mod values;

pub use card::OnCard;
pub use contract::{ContractFacts, ContractItemFacts, StageKey};
pub use fz223::{
    Contract223Facts, ExcludedApplication223, Lot223Facts, LotCustomer223Facts, LotOutcome223,
    LotReference223, Notice223Facts, OrganizationFacts, Protocol223Facts, Purchase223Facts,
    PurchaseObject223Facts, WinningApplication223,
};
pub use notice44::{
    AttachmentFacts, Cancel44, Change44, CodedTextFacts, Customer44Facts, DeliveryPlaceFacts,
    EnforcementFacts, Lot44Facts, Notice44Facts, PersonNameFacts, PreferenceFacts,
    ProcedureDatesFacts, Purchase44Facts, PurchaseObject44Facts, ResponsibleOrg44Facts,
    Restriction14Facts, StageDatesFacts, Suspension44,
};
pub use party::SupplierFacts;
pub use pp615::{
    Contract615Facts, Exclusion615Facts, Protocol615Facts, Purchase615Facts,
    ResponsibleOrg615Facts, Winner615Facts,
};
pub use procedure::{
    Acceptance, ContractEvent, Execution, GuaranteeClaimFacts, InvalidationFacts, PenaltyFacts,
    ProcedureCancelFacts, ProcedureFacts, ProcedurePart, TerminationFacts, TerminationGround,
};
pub use protocol44::{
    LotOutcome44, Offer44, Protocol44Facts, RankedApplication44, SigningCancel44, Withdrawal44,
};
pub use rnp::{RnpFacts, RnpState};

use encoding::{FactsError, StoredValue, facts, from_bytes, to_bytes};

use crate::model::{ContractStage, Date};
use crate::store::{DocumentKind, StoredFacts};

/// What a document states about one contract, purchase or RNP entry.
///
/// Among facts of the same kind, number and key, the one with the greatest (version, published,
/// facts) wins, whatever the order of import.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// Number of a contract, purchase or RNP entry, depending on [`Facts::kind`].
    pub number: String,
    /// Distinguishes facts of the same kind and number. Empty if there can be only one.
    pub key: String,
    /// Version stated in the document; 0 if documents of this kind have none.
    pub version: i64,
    /// Publication time in milliseconds since 1970.
    pub published: i64,
    pub facts: Facts,
}

impl Fact {
    /// Sets a key made of version and publication time, so that the store keeps all versions.
    pub fn of_version(self) -> Self {
        Self {
            key: format!("{} {}", self.version, self.published),
            ..self
        }
    }
}

/// Facts by kind of document. The store has the kind in a column of its own, next to the encoded
/// facts.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(test, derive(serde::Serialize, serde::Deserialize))]
pub enum Facts {
    /// `contract` under 44-FZ.
    Contract(Box<ContractFacts>),
    /// `contractProcedure`, or a document of the execution register. All versions have the same
    /// key.
    Procedure(ProcedureFacts),
    /// `contractCancel`: the registry entry was annulled. The day is that of publication, or else
    /// of the annulment.
    ContractCancel(Option<Date>),
    /// The cancellation of a procedure. The key is the id or the key of the cancelled procedure.
    ProcedureCancel(ProcedureCancelFacts),
    Notice44(Box<Notice44Facts>),
    /// The day on which the first version of a notice under 44-FZ was published. `version` is the
    /// negated publication time, so that the earliest day wins.
    FirstNotice44(Date),
    /// The cancellation of a notice under 44-FZ, or the revocation of a cancellation. The key is
    /// the number of the lot; it is empty for the whole purchase.
    NoticeCancel44(Cancel44),
    /// Dates that changed after the notice under 44-FZ was published.
    NoticeChange44(Change44),
    /// A lot that changed after the notice under 44-FZ was published. All fields are empty except
    /// for this lot and its customers. The key is the number of the lot.
    LotChange44(Box<Notice44Facts>),
    /// A new organization became responsible after the notice under 44-FZ was published.
    OrgChange44(ResponsibleOrg44Facts),
    /// A protocol under 44-FZ. The key is the protocol's number.
    Protocol44(Protocol44Facts),
    /// The cancellation of a protocol under 44-FZ. The key is the protocol's number.
    ProtocolCancel44,
    Notice223(Box<Notice223Facts>),
    /// The rejection of a whole purchase under 223-FZ.
    Rejection223,
    /// The cancellation of a lot under 223-FZ. The key is the number of the lot.
    LotCancel223,
    /// A protocol under 223-FZ. The key is the protocol's number.
    Protocol223(Protocol223Facts),
    /// A contract under 223-FZ. The key is `CONTRACT/RECORD`, the numbers of the contract and of
    /// the record. If the document states only one of them, the key is that number; if neither, the
    /// GUID.
    Contract223(Contract223Facts),
    /// `pprf615NotificationEF`.
    Notice615(Box<Purchase615Facts>),
    /// `pprf615ProtocolEF1` or `pprf615ProtocolEF2`. The key is the protocol's number.
    Protocol615(Protocol615Facts),
    /// The cancellation of a protocol under PP-615. The key is the protocol's number.
    ProtocolCancel615,
    /// `pprf615Contract`. The key is the contract's number.
    Contract615(Contract615Facts),
    /// A version of an RNP entry under any law. [`Fact::of_version`] sets the key.
    RnpEntry(RnpFacts),
    /// The exclusion of an RNP entry, with the last day of the entry. [`Fact::of_version`] sets the
    /// key.
    RnpExclusion(Date),
    /// `biddingTimeInfo`: the time of day at which an auction under 223-FZ starts.
    Bidding223(String),
    /// `pprf615ActDeviation` or `pprf615ActEvasion`: a participant who will not get the contract.
    /// The key is the number of the act.
    Excluded615(Exclusion615Facts),
    /// A participant under 44-FZ will not conclude the contract. The key is the number of the
    /// document.
    Withdrawal44(Withdrawal44),
    /// The cancellation of a [`Facts::Withdrawal44`]. The key is the number of the cancelled
    /// document.
    WithdrawalCancel44,
    /// An authority suspended a purchase under 44-FZ, or lifted the suspension.
    Suspension44(Suspension44),
    /// The signing of a contract under 44-FZ was cancelled. The key is the number of the document.
    SigningCancel44(SigningCancel44),
}

impl Facts {
    pub fn kind(&self) -> DocumentKind {
        match self {
            Self::Contract(_) => DocumentKind::Contract,
            Self::Procedure(_) => DocumentKind::Procedure,
            Self::ContractCancel(_) => DocumentKind::ContractCancel,
            Self::ProcedureCancel(_) => DocumentKind::ProcedureCancel,
            Self::Notice44(_) => DocumentKind::Notice44,
            Self::FirstNotice44(_) => DocumentKind::FirstNotice44,
            Self::NoticeCancel44(_) => DocumentKind::NoticeCancel44,
            Self::NoticeChange44(_) => DocumentKind::NoticeChange44,
            Self::LotChange44(_) => DocumentKind::LotChange44,
            Self::OrgChange44(_) => DocumentKind::OrgChange44,
            Self::Protocol44(_) => DocumentKind::Protocol44,
            Self::ProtocolCancel44 => DocumentKind::ProtocolCancel44,
            Self::Notice223(_) => DocumentKind::Notice223,
            Self::Rejection223 => DocumentKind::Rejection223,
            Self::LotCancel223 => DocumentKind::LotCancel223,
            Self::Protocol223(_) => DocumentKind::Protocol223,
            Self::Contract223(_) => DocumentKind::Contract223,
            Self::Bidding223(_) => DocumentKind::Bidding223,
            Self::Notice615(_) => DocumentKind::Notice615,
            Self::Protocol615(_) => DocumentKind::Protocol615,
            Self::ProtocolCancel615 => DocumentKind::ProtocolCancel615,
            Self::Contract615(_) => DocumentKind::Contract615,
            Self::Excluded615(_) => DocumentKind::Excluded615,
            Self::Withdrawal44(_) => DocumentKind::Withdrawal44,
            Self::WithdrawalCancel44 => DocumentKind::WithdrawalCancel44,
            Self::Suspension44(_) => DocumentKind::Suspension44,
            Self::SigningCancel44(_) => DocumentKind::SigningCancel44,
            Self::RnpEntry(_) => DocumentKind::RnpEntry,
            Self::RnpExclusion(_) => DocumentKind::RnpExclusion,
        }
    }

    /// Returns whether these facts say that a contract under 44-FZ was annulled. From then on, any
    /// document about the contract may change whether the purchase's card shows it.
    pub fn annuls(&self) -> bool {
        match self {
            Self::Contract(facts) => facts.invalid || facts.stage == Some(ContractStage::Annulled),
            Self::ContractCancel(_) => true,
            Self::Procedure(facts) => facts.stage == Some(ContractStage::Annulled),
            _ => false,
        }
    }

    /// Returns the stored form, which does not contain the kind.
    ///
    /// # Errors
    /// Returns an error if the lists in the facts have too many items.
    pub fn to_stored(&self) -> Result<Vec<u8>, FactsError> {
        let on = |day: Option<Date>| to_bytes(&DayFacts { day });
        match self {
            Self::Contract(facts) => to_bytes(&**facts),
            Self::Procedure(facts) => to_bytes(facts),
            Self::ContractCancel(day) => on(*day),
            Self::ProcedureCancel(facts) => to_bytes(facts),
            Self::Notice44(facts) | Self::LotChange44(facts) => to_bytes(&**facts),
            Self::FirstNotice44(day) | Self::RnpExclusion(day) => on(Some(*day)),
            Self::NoticeCancel44(facts) => to_bytes(facts),
            Self::NoticeChange44(facts) => to_bytes(facts),
            Self::OrgChange44(facts) => to_bytes(facts),
            Self::Protocol44(facts) => to_bytes(facts),
            Self::Notice223(facts) => to_bytes(&**facts),
            Self::Protocol223(facts) => to_bytes(facts),
            Self::Contract223(facts) => to_bytes(facts),
            Self::Bidding223(time) => to_bytes(&TimeFacts { time: time.clone() }),
            Self::Notice615(facts) => to_bytes(&**facts),
            Self::Protocol615(facts) => to_bytes(facts),
            Self::Contract615(facts) => to_bytes(facts),
            Self::Excluded615(facts) => to_bytes(facts),
            Self::Withdrawal44(facts) => to_bytes(facts),
            Self::Suspension44(facts) => to_bytes(facts),
            Self::SigningCancel44(facts) => to_bytes(facts),
            Self::RnpEntry(facts) => to_bytes(facts),
            Self::ProtocolCancel44
            | Self::Rejection223
            | Self::LotCancel223
            | Self::ProtocolCancel615
            | Self::WithdrawalCancel44 => to_bytes(&DayFacts::default()),
        }
    }
}

facts! {
    struct DayFacts {
        0 day: Option<Date>,
    }

    struct TimeFacts {
        0 time: String,
    }
}

impl StoredFacts for Facts {
    fn from_stored(kind: DocumentKind, bytes: &[u8]) -> Result<Self, String> {
        read(kind, bytes).map_err(|fault| format!("{kind:?}: {fault}"))
    }
}

fn read(kind: DocumentKind, bytes: &[u8]) -> Result<Facts, FactsError> {
    fn boxed<T: StoredValue>(bytes: &[u8]) -> Result<Box<T>, FactsError> {
        from_bytes(bytes).map(Box::new)
    }
    let day = || from_bytes(bytes).map(|DayFacts { day }| day);
    let required_day = || day()?.ok_or_else(|| FactsError::new("no day"));
    let nothing = |facts| from_bytes(bytes).map(|DayFacts { .. }| facts);
    Ok(match kind {
        DocumentKind::Contract => Facts::Contract(boxed(bytes)?),
        DocumentKind::Procedure => Facts::Procedure(from_bytes(bytes)?),
        DocumentKind::ContractCancel => Facts::ContractCancel(day()?),
        DocumentKind::ProcedureCancel => Facts::ProcedureCancel(from_bytes(bytes)?),
        DocumentKind::Notice44 => Facts::Notice44(boxed(bytes)?),
        DocumentKind::FirstNotice44 => Facts::FirstNotice44(required_day()?),
        DocumentKind::NoticeCancel44 => Facts::NoticeCancel44(from_bytes(bytes)?),
        DocumentKind::NoticeChange44 => Facts::NoticeChange44(from_bytes(bytes)?),
        DocumentKind::LotChange44 => Facts::LotChange44(boxed(bytes)?),
        DocumentKind::OrgChange44 => Facts::OrgChange44(from_bytes(bytes)?),
        DocumentKind::Protocol44 => Facts::Protocol44(from_bytes(bytes)?),
        DocumentKind::ProtocolCancel44 => nothing(Facts::ProtocolCancel44)?,
        DocumentKind::Notice223 => Facts::Notice223(boxed(bytes)?),
        DocumentKind::Rejection223 => nothing(Facts::Rejection223)?,
        DocumentKind::LotCancel223 => nothing(Facts::LotCancel223)?,
        DocumentKind::Protocol223 => Facts::Protocol223(from_bytes(bytes)?),
        DocumentKind::Contract223 => Facts::Contract223(from_bytes(bytes)?),
        DocumentKind::Bidding223 => {
            let TimeFacts { time } = from_bytes(bytes)?;
            Facts::Bidding223(time)
        }
        DocumentKind::Notice615 => Facts::Notice615(boxed(bytes)?),
        DocumentKind::Protocol615 => Facts::Protocol615(from_bytes(bytes)?),
        DocumentKind::ProtocolCancel615 => nothing(Facts::ProtocolCancel615)?,
        DocumentKind::Contract615 => Facts::Contract615(from_bytes(bytes)?),
        DocumentKind::Excluded615 => Facts::Excluded615(from_bytes(bytes)?),
        DocumentKind::Withdrawal44 => Facts::Withdrawal44(from_bytes(bytes)?),
        DocumentKind::WithdrawalCancel44 => nothing(Facts::WithdrawalCancel44)?,
        DocumentKind::Suspension44 => Facts::Suspension44(from_bytes(bytes)?),
        DocumentKind::SigningCancel44 => Facts::SigningCancel44(from_bytes(bytes)?),
        DocumentKind::RnpEntry => Facts::RnpEntry(from_bytes(bytes)?),
        DocumentKind::RnpExclusion => Facts::RnpExclusion(required_day()?),
    })
}

#[cfg(test)]
mod tests;

//! The facts of one official document, as stored. [`super::derive`] makes records from them.
//! Documents are not combined here.

use serde::{Deserialize, Serialize};

use crate::model::{
    Amount, CardSupplier, Contract, ContractStage, Date, GuaranteeClaim, Inn, Moment, Purchase44,
    Purchase223, Purchase615, PurchaseContract, ResponsibleOrg44, RnpEntry, Winner223, Winner615,
};
use crate::store::DocumentKind;

/// One thing that a document says about one contract, purchase or RNP entry.
///
/// Of one (kind, number, key) the greatest (version, published, facts) counts, in
/// whatever order they come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// The number of the contract, purchase or entry it is about; which of the three
    /// follows from [`Facts::kind`].
    pub number: String,
    /// Tells facts of one kind about one number apart; empty where there can be only one.
    pub key: String,
    /// The version the document says it is; 0 where its kind has none.
    pub version: i64,
    /// The time of publication, in milliseconds since 1970.
    pub published: i64,
    /// The contents.
    pub facts: Facts,
}

impl Fact {
    /// The same fact, kept for each version and time of publication.
    pub fn of_version(self) -> Self {
        Self {
            key: format!("{} {}", self.version, self.published),
            ..self
        }
    }
}

/// The facts of documents, by kind. A data file stores them in this form (postcard, by the
/// index of variant and field): any change must raise the file's format.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Facts {
    /// `contract` under 44-FZ.
    Contract(Box<ContractFacts>),
    /// `contractProcedure`, or a document of the execution register; its key is the same in all
    /// versions.
    Procedure(ProcedureFacts),
    /// `contractCancel`: the registry entry was annulled; the day of publication, or else
    /// the day of the annulment.
    ContractCancel(Option<Date>),
    /// The cancellation of a procedure; its key is the id or the key of that procedure.
    ProcedureCancel(ProcedureCancelFacts),
    /// A notice under 44-FZ.
    Notice44(Box<Notice44Facts>),
    /// The day on which the first version of a notice under 44-FZ was published. Its
    /// version is the negated time of publication, so that the earliest counts.
    FirstNotice44(Date),
    /// The cancellation of a notice under 44-FZ, or of that cancellation; its key is
    /// the lot's number, empty for the whole purchase.
    NoticeCancel44(Cancel44),
    /// New dates, after the notice under 44-FZ.
    NoticeChange44(Change44),
    /// A lot changed after the notice under 44-FZ, with the head of the document; its key
    /// is the lot's number.
    LotChange44(Box<Notice44Facts>),
    /// The organisation responsible, changed after the notice under 44-FZ.
    OrgChange44(ResponsibleOrg44),
    /// A protocol under 44-FZ; its key is its number.
    Protocol44(Protocol44Facts),
    /// The cancellation of a protocol under 44-FZ; its key is the protocol's number.
    ProtocolCancel44,
    /// A notice under 223-FZ.
    Notice223(Box<Notice223Facts>),
    /// The purchase under 223-FZ was rejected as a whole.
    Rejection223,
    /// A lot of the purchase under 223-FZ was cancelled; its key is the lot's number.
    LotCancel223,
    /// A protocol under 223-FZ; its key is its number.
    Protocol223(Protocol223Facts),
    /// A contract under 223-FZ; its key is `CONTRACT/RECORD`, the numbers of the contract and of
    /// the record of it, or the only number that the document states.
    Contract223(Contract223Facts),
    /// `pprf615NotificationEF`.
    Notice615(Box<Purchase615>),
    /// `pprf615ProtocolEF1/EF2`; its key is its number.
    Protocol615(Protocol615Facts),
    /// The cancellation of a protocol under PP-615; its key is the protocol's number.
    ProtocolCancel615,
    /// `pprf615Contract`; its key is its number.
    Contract615(Contract615Facts),
    /// A version of an entry of the registry of unfair suppliers, of any law; its key is
    /// [`Fact::of_version`]'s.
    RnpEntry(RnpFacts),
    /// The exclusion of an entry: the last day on which it is listed; its key is likewise.
    RnpExclusion(Date),
    /// `biddingTimeInfo`: the time at which the auction under 223-FZ starts.
    Bidding223(String),
    /// `pprf615ActDeviation/ActEvasion`: the participant who does not get the contract; `None`
    /// if the act was cancelled. Its key is the number of the act.
    Excluded615(Option<CardSupplier>),
    /// A participant under 44-FZ does not conclude the contract; the key is the number of the
    /// document.
    Withdrawal44(Withdrawal44),
    /// The cancellation of such a document; the key is its number.
    WithdrawalCancel44,
    /// An authority has suspended the purchase under 44-FZ, or let it go on.
    Suspension44(Suspension44),
}

impl Facts {
    /// Their kind in the store.
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
            Self::RnpEntry(_) => DocumentKind::RnpEntry,
            Self::RnpExclusion(_) => DocumentKind::RnpExclusion,
        }
    }

    /// Returns whether they say that a contract under 44-FZ was annulled. If any document says
    /// so, any other about that contract may change whether the card of its purchase shows it.
    pub fn annuls(&self) -> bool {
        match self {
            Self::Contract(facts) => {
                facts.invalid || facts.contract.stage == Some(ContractStage::Annulled)
            }
            Self::ContractCancel(_) => true,
            Self::Procedure(facts) => facts.stage == Some(ContractStage::Annulled),
            _ => false,
        }
    }
}

/// The facts of a `contract`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContractFacts {
    /// The contract, from this document alone: `subject` and `stage` only if it has one,
    /// `delivery_term` its own period.
    pub contract: Contract,
    /// A subject made of the products' names, if the document has no other.
    pub product_names: String,
    /// The products, one for each in `contract.products`.
    pub items: Vec<ContractItem>,
    /// The stages.
    pub stages: Vec<StageKey>,
    /// It was declared void.
    pub invalid: bool,
    /// The lot it was concluded for.
    pub lot: Option<u64>,
    /// The customer's number in the register of organisations.
    pub customer_code: String,
    /// The suppliers it was concluded with.
    pub suppliers: Vec<ContractSupplier>,
}

/// A product of a contract, as search needs it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContractItem {
    /// Name.
    pub name: String,
    /// Code of OKPD2.
    pub okpd2: String,
    /// Code of KTRU.
    pub ktru: String,
    /// Code of the unit (OKEI).
    pub unit: String,
    /// Name of the unit.
    pub unit_name: String,
    /// Quantity.
    pub quantity: Option<Amount>,
    /// Price of a unit, in roubles.
    pub price: Option<Amount>,
}

/// What identifies a stage of a contract. A procedure states either or both.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct StageKey {
    /// The identifier, which binds a procedure to its stage since schema 13.2.
    pub sid: String,
    /// The last day (YYYY-MM-DD), which bound it before; until 2015 the month (YYYY-MM).
    pub end: String,
}

impl StageKey {
    /// The identifier, else the last day.
    pub fn name(&self) -> &str {
        match self.sid.as_str() {
            "" => &self.end,
            sid => sid,
        }
    }
}

/// A supplier of a contract.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContractSupplier {
    /// The number under which the contract is found, if there is a valid one.
    pub inn: Option<Inn>,
    /// The supplier on a purchase card.
    pub card: CardSupplier,
}

/// The facts of a `contractProcedure`: a change to the execution of a contract.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProcedureFacts {
    /// The id of this version, by which a cancellation names it.
    pub id: String,
    /// Day of publication.
    pub publish_date: Option<Date>,
    /// The stage of the contract after it, if stated.
    pub stage: Option<ContractStage>,
    /// The events.
    pub parts: Vec<ProcedurePart>,
}

/// The facts of the cancellation of a procedure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProcedureCancelFacts {
    /// The day of the cancellation.
    pub day: Option<Date>,
    /// The stage of the contract after it, if stated.
    pub stage: Option<ContractStage>,
    /// Whether it says that the contract is valid after all.
    pub revokes_invalidation: bool,
}

/// An event of a procedure. Of parts about the same subject, the one in the newest document
/// counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProcedurePart {
    /// Its subject within the contract (the manual, Fields: Key of a
    /// procedure): `execution STAGE ORDINAL`, `termination`, `penalty NUMBER DATE`,
    /// `guarantee NUMBER DATE`, or the document's id.
    pub about: String,
    /// The event.
    pub event: ContractEvent,
}

/// An event in a contract's life. Amounts are roubles.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ContractEvent {
    /// Something was executed and paid.
    Execution(Execution),
    /// Something was accepted, by the execution register.
    Acceptance(Acceptance),
    /// The contract was terminated.
    Termination {
        /// On what ground.
        ground: TerminationGround,
        /// All payments under the contract.
        paid: Option<Amount>,
    },
    /// A court declared the contract void.
    Invalidation {
        /// All payments under the contract.
        paid: Option<Amount>,
    },
    /// A penalty on the supplier.
    Penalty {
        /// The penalty.
        accrued: Option<Amount>,
        /// The payments of it.
        paid: Option<Amount>,
    },
    /// A claim on the guarantee.
    GuaranteeClaim(GuaranteeClaim),
}

/// An execution within a stage.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Execution {
    /// The stage.
    pub stage: StageKey,
    /// The number of the execution within its stage.
    pub ordinal: String,
    /// Whether it was the last of its stage.
    pub final_of_stage: bool,
    /// The payments.
    pub paid: Option<Amount>,
    /// What was fulfilled.
    pub accepted: Vec<Acceptance>,
}

/// A fulfilled part of a contract.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Acceptance {
    /// Number and date of the document of acceptance; may be empty.
    pub document: String,
    /// The cost.
    pub sum: Amount,
}

/// The ground of a contract's termination (the manual, Fields, "Termination flags").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TerminationGround {
    /// By agreement.
    Agreement,
    /// By a court.
    Court,
    /// By the customer.
    Customer,
    /// By the supplier.
    Supplier,
    /// None of these, or not stated.
    Unknown,
}

/// The facts of a notice under 44-FZ.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notice44Facts {
    /// The card, from the notice alone; `stage`, `cancelled`, `first_publish_date`, winners
    /// and contracts are left empty.
    pub card: Purchase44,
    /// The customers' numbers in the register of organisations: as many lists as
    /// lots, each as long as the lot's customers.
    pub customer_codes: Vec<Vec<String>>,
}

/// The cancellation of a purchase, or of one of its lots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cancel44 {
    /// Whether the cancellation itself was revoked.
    pub revoked: bool,
    /// Day of publication.
    pub day: Option<Date>,
}

/// New dates of a purchase under 44-FZ; missing ones stay as they were.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change44 {
    /// End of submission.
    pub end: Option<Moment>,
    /// Opening of the applications.
    pub opening: Option<Moment>,
    /// Examination of the applications.
    pub scoring: Option<Moment>,
    /// The auction.
    pub bidding: Option<Moment>,
    /// Submission of the (final) offers.
    pub submission: Option<Moment>,
    /// Examination of the second parts.
    pub second_parts: Option<Moment>,
}

/// The facts of a protocol under 44-FZ.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Protocol44Facts {
    /// The number that EIS gave it, by which a protocol that replaces it refers to it. The key is
    /// the platform's number where there is one, which cancellations name.
    pub doc_number: String,
    /// The number of the protocol that this one replaces.
    pub replaces: String,
    /// Whether the purchase ends with it.
    pub is_final: bool,
    /// Whether this is a signed contract (`fcsContractSign`, `cpContractSign`), which outranks
    /// protocols.
    pub is_signed: bool,
    /// The outcomes of the lots.
    pub lots: Vec<LotOutcome44>,
}

/// The outcome of a lot in a protocol.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LotOutcome44 {
    /// The number of the lot; `None` if there is only one.
    pub lot: Option<u64>,
    /// The applications that may win, best first. Only protocols that sum up have any.
    pub ranked: Vec<RankedApplication44>,
    /// Whether no application was submitted or admitted.
    pub nobody: bool,
    /// Numbers of the applications whose participants do not conclude the contract.
    pub refused: Vec<String>,
    /// The last offers, by application.
    pub offers: Vec<(String, Amount)>,
}

/// An authority's decision about a purchase under 44-FZ; its key is all of its numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Suspension44 {
    /// Whether the purchase is suspended; otherwise it may go on.
    pub suspended: bool,
    /// The numbers of the complaint or check, by which a decision refers to an earlier one. Not
    /// every document states all of them.
    pub numbers: Vec<String>,
}

/// An application that may win a lot.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RankedApplication44 {
    /// Its number, by which other documents refer to it; may be empty.
    pub number: String,
    /// The participant, unless hidden.
    pub participant: Option<CardSupplier>,
    /// The price, if this document states it.
    pub price: Option<Amount>,
}

/// A participant who does not conclude the contract: evasion, deviation or refusal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Withdrawal44 {
    /// The platform's number of the document; the key is the number that EIS gave it.
    pub external_number: String,
    /// The number of the document that this one replaces.
    pub replaces: String,
    /// The lot; `None` if there is only one.
    pub lot: Option<u64>,
    /// The number of the application; may be empty.
    pub application: String,
    /// The participant, unless hidden.
    pub participant: Option<CardSupplier>,
    /// The number in the register of organisations of the customer whose contract it is about;
    /// may be empty.
    pub customer: String,
    /// The number of the draft contract that it is about; may be empty.
    pub draft: String,
}

/// The facts of a notice under 223-FZ.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notice223Facts {
    /// The card; its `stage` is left empty.
    pub card: Purchase223,
    /// Whether its status, or that of all of its lots, is cancelled.
    pub cancelled: bool,
    /// For each lot, whether the notice itself shows it as cancelled.
    pub cancelled_lots: Vec<bool>,
    /// For each lot, its GUID, by which contracts refer to it; may be empty.
    pub lot_guids: Vec<String>,
}

/// The facts of a protocol under 223-FZ. A void one has none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Protocol223Facts {
    /// Whether it ends the purchase, with or without a winner.
    pub is_final: bool,
    /// Whether its reason for the failure of the purchase means that nobody won.
    pub nobody_won: bool,
    /// The lots that it is about.
    pub lots: Vec<LotOutcome223>,
    /// The application that it takes out: an evasion by the participant, or a refusal by the
    /// customer.
    pub excluded: Option<ExcludedApplication223>,
}

/// The outcome of a lot in a protocol under 223-FZ.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LotOutcome223 {
    /// The lot.
    pub lot: LotReference223,
    /// The winning applications: the number of each, and its participant.
    pub winners: Vec<(String, Winner223)>,
}

/// A lot of a purchase under 223-FZ, as a later document names it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LotReference223 {
    /// The number in the notice; may be empty.
    pub number: String,
    /// The GUID in the notice; may be empty.
    pub guid: String,
}

/// An application whose participant does not get the contract.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExcludedApplication223 {
    /// The lot.
    pub lot: LotReference223,
    /// The number of the application.
    pub application: String,
    /// INN of the participant; empty if it is hidden.
    pub inn: String,
    /// The number of the protocol that had named the application.
    pub protocol: String,
}

/// The facts of a contract under 223-FZ.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contract223Facts {
    /// Whether this is a record of the registry of contracts, which outranks other documents
    /// about the same contract.
    pub is_of_registry: bool,
    /// The record is void.
    pub annulled: bool,
    /// The lot it was concluded for.
    pub lot: LotReference223,
    /// Day of the contract.
    pub date: Option<Date>,
    /// The price in roubles.
    pub price: Option<Amount>,
    /// The suppliers; empty where they are hidden.
    pub suppliers: Vec<CardSupplier>,
}

/// The facts of a protocol under PP-615.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Protocol615Facts {
    /// The number that EIS gave the document: the same in each version, while the platform's
    /// number, the key, need not be.
    pub doc_number: String,
    /// Whether it sums up the purchase (EF2, or EF1 with a single participant).
    pub is_final: bool,
    /// The winner; all fields are empty if it names none.
    pub winner: Winner615,
}

/// The facts of a contract under PP-615.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contract615Facts {
    /// The contract.
    pub contract: PurchaseContract,
    /// Day of signing.
    pub sign_date: Option<Date>,
}

/// The facts of a version of an entry of the registry of unfair suppliers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RnpFacts {
    /// The supplier's INN; `None` for a supplier of another country, and where none is stated.
    pub inn: Option<Inn>,
    /// The supplier's name.
    pub name: String,
    /// The entry, from this version alone.
    pub entry: RnpEntry,
    /// What the entry is from the day of this version on.
    pub state: RnpState,
}

/// What an entry is from the day of a version on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum RnpState {
    /// In the registry.
    #[default]
    InForce,
    /// Archived, suspended or invalid: not in force, whatever its dates.
    Suspended,
    /// The inclusion was refused.
    Refused,
}

#[cfg(test)]
mod tests;

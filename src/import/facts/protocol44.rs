//! The facts of protocols under 44-FZ, and of documents about participants who do not conclude the
//! contract.

use super::encoding::facts;
use super::party::SupplierFacts;
use crate::model::Amount;

facts! {
    /// A protocol.
    pub struct Protocol44Facts {
        /// The number that EIS gave the protocol, to which a replacing protocol refers. The key is
        /// the platform's number if there is one, to which cancellations refer.
        0 doc_number: String,
        /// The number of the protocol that this one replaces.
        1 replaces: String,
        /// Whether the protocol ends the purchase.
        2 is_final: bool,
        /// Whether this is a signed contract (`fcsContractSign`, `cpContractSign`), which outranks
        /// protocols.
        3 is_signed: bool,
        /// The outcomes of the lots.
        4 lots: Vec<LotOutcome44>,
    }

    /// The outcome of a lot in a protocol.
    pub struct LotOutcome44 {
        /// The number of the lot; `None` if there is only one.
        0 lot: Option<u64>,
        /// The applications that may win, best first. Only protocols that decide the purchase have
        /// any.
        1 ranked: Vec<RankedApplication44>,
        /// Whether no application was submitted or admitted.
        2 nobody: bool,
        /// Numbers of the applications whose participants do not conclude the contract.
        3 refused: Vec<String>,
        /// The last offers.
        4 offers: Vec<Offer44>,
    }

    /// The last offer of an application.
    pub struct Offer44 {
        /// The number of the application.
        0 application: String,
        /// The price.
        1 price: Amount,
    }

    /// An application that may win a lot.
    pub struct RankedApplication44 {
        /// The number, by which other documents refer to the application; may be empty.
        0 number: String,
        /// The participant, unless hidden.
        1 participant: Option<SupplierFacts>,
        /// The price, if this document states it.
        2 price: Option<Amount>,
    }

    /// A participant who does not conclude the contract: evasion, deviation or refusal.
    pub struct Withdrawal44 {
        /// The platform's number of the document; the key is the number that EIS gave it.
        0 external_number: String,
        /// The number of the document that this one replaces.
        1 replaces: String,
        /// The lot; `None` if there is only one.
        2 lot: Option<u64>,
        /// The number of the application; may be empty.
        3 application: String,
        /// The participant, unless hidden.
        4 participant: Option<SupplierFacts>,
        /// The number, in the register of organisations, of the customer whose contract the
        /// document is about; may be empty.
        5 customer: String,
        /// The number of the draft contract that the document is about; may be empty.
        6 draft: String,
    }

    /// The cancellation of the signing of a contract.
    pub struct SigningCancel44 {
        /// The number of the draft of the contract.
        0 draft: String,
        /// Whether the cancellation was itself cancelled.
        1 revoked: bool,
    }
}

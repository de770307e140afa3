//! Facts from protocols under 44-FZ, and from documents about participants who will not conclude
//! the contract.

use super::encoding::facts;
use super::party::SupplierFacts;
use crate::model::Amount;

facts! {
    pub struct Protocol44Facts {
        /// Number in EIS of an `ep*` protocol; empty for `fcs*`. A protocol that replaces this one
        /// refers to this number or to the key, which is the platform's number if there is one.
        /// Cancellations refer to the key.
        0 doc_number: String,
        /// Number of the protocol that this one replaces; may be empty.
        1 replaces: String,
        /// Whether the protocol ends the purchase.
        2 is_final: bool,
        /// Whether this is a signed contract (`fcsContractSign`, `cpContractSign`), which takes
        /// precedence over protocols.
        3 is_signed: bool,
        4 lots: Vec<LotOutcome44>,
    }

    pub struct LotOutcome44 {
        /// Number of the lot; `None` if there is only one.
        0 lot: Option<u64>,
        /// Applications that may win, best first. Empty unless the protocol decides the purchase.
        1 ranked: Vec<RankedApplication44>,
        /// Whether no application was submitted or admitted.
        2 nobody: bool,
        /// Numbers of the applications whose participants do not conclude the contract.
        3 refused: Vec<String>,
        4 offers: Vec<Offer44>,
    }

    pub struct Offer44 {
        0 application: String,
        1 price: Amount,
    }

    pub struct RankedApplication44 {
        /// Number by which other documents refer to the application; may be empty.
        0 number: String,
        /// `None` if hidden.
        1 participant: Option<SupplierFacts>,
        /// `None` if the document does not state a price.
        2 price: Option<Amount>,
    }

    /// A participant will not conclude the contract, because of evasion, deviation or refusal.
    pub struct Withdrawal44 {
        /// The platform's number of the document. The key is the number in EIS.
        0 external_number: String,
        /// Number of the document that this one replaces; may be empty.
        1 replaces: String,
        /// Number of the lot; `None` if there is only one.
        2 lot: Option<u64>,
        /// Number of the application; may be empty.
        3 application: String,
        /// `None` if hidden.
        4 participant: Option<SupplierFacts>,
        /// Number of the customer in the register of organizations; may be empty. Only the contract
        /// with this customer is not concluded.
        5 customer: String,
        /// Number of the draft contract that the document refers to; may be empty.
        6 draft: String,
    }

    /// The cancellation of the signing of a contract.
    pub struct SigningCancel44 {
        /// Number of the draft contract.
        0 draft: String,
        /// Whether the cancellation was revoked.
        1 revoked: bool,
    }
}

//! Turns facts into records. Derives a contract, a purchase or an RNP entry from all facts about
//! it. Records are a pure function of the set of facts, so the order of documents does not matter.
//!
//! A contract is derived from its `contract` document, its procedures and cancellations, and the
//! notice of its purchase. A purchase is derived from its notice, its changes and cancellations,
//! its protocols and its contracts. A document therefore affects its own contract or purchase. In
//! addition, a notice affects all contracts of the purchase, and a contract affects its purchase.
//! Once all documents are stored, `on_all_cores` finds the records that new documents affect.

mod concluded;
mod contract;
mod on_all_cores;
mod protocols;
mod purchase223;
mod purchase44;
mod purchase615;
mod rnp;
mod sum;
mod winner44;
mod winners223;

use concluded::ConcludedContracts;

use super::facts::{ContractFacts, Facts, Notice44Facts};
use crate::model::{DocumentSubject, Inn, Purchase, PurchaseNumber, Regime, Supplier};
use crate::store::{BatchWriter, DerivedRecord, Documents, FoundFacts, OfficialName, Result};

pub use on_all_cores::{DeriveProgress, derive};

/// Version of the derivation rules. Raise it whenever the same facts give a different record; the
/// next import then derives all records again. `tests/answers/documents/derived.rs` fails if you
/// forget.
pub const RULES: i64 = 2;

pub type StoredFacts = FoundFacts<Facts>;

/// Updates the names of suppliers whose source documents may have been replaced.
///
/// # Errors
/// Returns an error if the file cannot be read or written.
pub fn set_names(writing: &mut BatchWriter<'_>) -> Result<()> {
    // One pass is enough: naming a supplier never takes the name from another one.
    for inn in writing.take_unnamed()? {
        let mut official = None;
        writing.each_record_of(&inn, |writing, subject, number| {
            official = official
                .take()
                .max(name(writing.documents(), subject, number, &inn)?);
            Ok(())
        })?;
        writing.set_name(&inn, official)?;
    }
    Ok(())
}

/// All facts about a contract that has at least one `contract` document.
struct ContractHistory {
    stored: Vec<StoredFacts>,
}

impl ContractHistory {
    fn find(documents: Documents<'_>, reg_num: &str) -> Result<Option<Self>> {
        let stored = documents.facts_about(DocumentSubject::Contract, reg_num)?;
        let has_snapshot = contract::snapshot(&stored).is_some();
        Ok(has_snapshot.then_some(Self { stored }))
    }

    /// Returns the number of the contract's purchase, or an empty text if there is none.
    fn purchase(&self) -> &str {
        contract::snapshot(&self.stored).map_or("", |(facts, _)| &facts.purchase_number)
    }

    /// Returns whether a `contract` document was stored after the document with this id.
    fn is_stated_after(&self, after: i64) -> bool {
        let mut stored = self.stored.iter();
        stored.any(|one| one.id > after && matches!(*one.facts, Facts::Contract(_)))
    }
}

/// Derives a contract. `notice` is the notice of its purchase, if known.
fn contract_record(
    documents: Documents<'_>,
    contract: &ContractHistory,
    notice: Option<&Notice44Facts>,
) -> Result<Option<DerivedRecord>> {
    let Some((facts, published)) = contract::snapshot(&contract.stored) else {
        return Ok(None);
    };
    let record = contract::derive(facts, &contract.stored, notice);
    DerivedRecord::contract(documents, &record, suppliers(facts), published).map(Some)
}

/// Returns the suppliers under which a contract is listed. A supplier without an INN (foreign or
/// hidden) is identified by name. A contract without any supplier is listed under an empty INN and
/// name.
fn suppliers(facts: &ContractFacts) -> Vec<Supplier> {
    let mut suppliers: Vec<Supplier> = Vec::with_capacity(facts.suppliers.len());
    for supplier in &facts.suppliers {
        let name = supplier.name.clone();
        let inn = supplier.inn().unwrap_or_else(|| Inn::of_name(&name));
        let is_known = suppliers.iter().any(|known| known.inn == inn);
        if !is_known && (!inn.is_none() || !name.is_empty()) {
            suppliers.push(Supplier { inn, name });
        }
    }
    if suppliers.is_empty() {
        suppliers.push(Supplier {
            inn: Inn::none(),
            name: String::new(),
        });
    }
    suppliers
}

/// Returns whether this is the number of a purchase under 44-FZ. Only under 44-FZ do notices affect
/// contracts.
fn is_of_44(number: &str) -> bool {
    PurchaseNumber::parse(number).is_some_and(|number| number.regime() == Regime::Fz44)
}

/// Derives the card of a purchase that has a notice. Under 44-FZ, also passes each contract and the
/// notice to `each_contract`.
fn card(
    documents: Documents<'_>,
    number: &str,
    mut each_contract: impl FnMut(&ContractHistory, &Notice44Facts) -> Result<()>,
) -> Result<Option<DerivedRecord>> {
    let Some(purchase_number) = PurchaseNumber::parse(number) else {
        return Ok(None);
    };
    let stored = documents.facts_about(DocumentSubject::Purchase, number)?;
    let purchase = match purchase_number.regime() {
        Regime::Fz44 => {
            let Some((notice, published)) = purchase44::notice(&stored) else {
                return Ok(None);
            };
            let mut contracts = ConcludedContracts::default();
            each_contract_of(documents, number, |contract| {
                if let Some(facts) = contract::not_annulled(&contract.stored) {
                    let lot = purchase44::lot_of(&notice, facts).map(|(lot, _)| lot);
                    contracts.add(lot, facts);
                }
                each_contract(contract, &notice)
            })?;
            let card =
                purchase44::derive(&purchase_number, &notice, published, &stored, &contracts);
            Some(Purchase::Fz44(Box::new(card)))
        }
        Regime::Fz223 => purchase223::derive(&purchase_number, &stored)
            .map(|card| Purchase::Fz223(Box::new(card))),
        Regime::Pp615 => purchase615::derive(&purchase_number, &stored)
            .map(|card| Purchase::Pp615(Box::new(card))),
    };
    let record = purchase.map(|purchase| DerivedRecord::purchase(documents, purchase));
    record.transpose()
}

const CONTRACTS_BATCH: u32 = 1000;

/// Passes the contracts of a purchase to `each`, one at a time, in any order.
fn each_contract_of(
    documents: Documents<'_>,
    purchase: &str,
    mut each: impl FnMut(&ContractHistory) -> Result<()>,
) -> Result<()> {
    let mut last = 0;
    loop {
        let some = documents.contracts_after(purchase, last, CONTRACTS_BATCH)?;
        let Some((id, _)) = some.last() else {
            return Ok(());
        };
        last = *id;
        for (_, reg_num) in some {
            if let Some(contract) = ContractHistory::find(documents, &reg_num)? {
                each(&contract)?;
            }
        }
    }
}

/// Returns `None` if no version of the entry is stored.
fn entry(documents: Documents<'_>, number: &str) -> Result<Option<DerivedRecord>> {
    let stored = documents.facts_about(DocumentSubject::RnpEntry, number)?;
    let Some(derived) = rnp::derive(&stored) else {
        return Ok(None);
    };
    let published = derived.as_ref().map_or(0, |derived| derived.published);
    let entry = derived.map(|derived| (derived.supplier, derived.entry));
    Ok(Some(DerivedRecord::entry(
        number.to_owned(),
        entry,
        published,
    )))
}

/// Returns the suppliers in a record, and the publication time of the document that names them.
fn named(
    documents: Documents<'_>,
    subject: DocumentSubject,
    number: &str,
) -> Result<Option<(Vec<Supplier>, i64)>> {
    if subject == DocumentSubject::RnpEntry {
        let derived = rnp::derive(&documents.facts_about(subject, number)?).flatten();
        return Ok(derived.map(|derived| (vec![derived.supplier], derived.published)));
    }
    let Some(document) = documents.founding(subject, number)? else {
        return Ok(None);
    };
    let named = match documents.unpack(&document)? {
        Facts::Contract(facts) => suppliers(&facts),
        _ => Vec::new(),
    };
    Ok(Some((named, document.head.published)))
}

/// Returns how the document behind a contract or entry names the supplier with this INN.
fn name(
    documents: Documents<'_>,
    subject: DocumentSubject,
    number: &str,
    inn: &Inn,
) -> Result<Option<OfficialName>> {
    let Some((named, published)) = named(documents, subject, number)? else {
        return Ok(None);
    };
    let names = named
        .into_iter()
        .filter(|named| named.inn == *inn && !named.name.is_empty())
        .map(|named| OfficialName {
            published,
            number: number.to_owned(),
            name: named.name,
        });
    Ok(names.max())
}

#[cfg(test)]
mod tests;

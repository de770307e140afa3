//! Facts to records: derives a contract, a purchase or an RNP entry from all facts about it. Records are a pure function of the set of facts, so the order of documents
//! does not matter.
//!
//! A contract follows from its `contract`, its procedures and cancellations, and the notice
//! of its purchase; a purchase from its notice, its changes and cancellations, its
//! protocols and its contracts. So a document touches its own contract or purchase, a
//! notice all contracts of its purchase, and a contract its purchase.

mod concluded;
mod contract;
mod protocols;
mod purchase223;
mod purchase44;
mod purchase615;
mod rnp;
mod sum;
mod winner44;
mod winners223;

use std::collections::BTreeSet;

use concluded::ConcludedContracts;

use super::facts::{ContractFacts, Facts, Notice44Facts};
use crate::model::{DocumentSubject, Inn, Purchase, PurchaseNumber, Regime, Supplier};
use crate::store::{BatchWriter, DerivedPart, FoundFacts, OfficialName, Result};

/// The version of the rules of derivation. Raise it with each change of the record that follows
/// from the same facts: the next import then derives all records again.
/// `tests/answers/documents/derived.rs` fails otherwise.
pub const RULES: i64 = 2;

/// Facts from the store.
pub type StoredFacts = FoundFacts<Facts>;

/// The most contracts of a purchase that is derived with each batch that touches it. One with more is
/// derived at the end of the import, so that the time is linear in its contracts.
const DERIVED_IN_BATCH: u32 = 20;

/// Sets the records that the documents of a batch touch, or postpones them.
///
/// # Errors
/// The file cannot be read or written.
pub fn derive(writing: &mut BatchWriter<'_>) -> Result<()> {
    let touched = writing.touched().clone();
    // Purchases with new documents of their own, with all of their contracts.
    let mut done = BTreeSet::new();
    for number in &touched.purchases {
        if writing.has_more_contracts(number, DERIVED_IN_BATCH)? {
            writing.postpone(number, DerivedPart::WithContracts)?;
            continue;
        }
        set_purchase(writing, number, |writing, stored, notice| {
            done.insert(stored.reg_num.clone());
            set_contract(writing, stored, Some(notice))
        })?;
    }
    // The other contracts, then the purchases whose cards show them.
    let mut purchases = touched.purchases_of_contracts;
    let mut notices = LastNotice::default();
    for reg_num in touched.contracts.difference(&done) {
        let Some(contract) = ContractHistory::find(writing, reg_num)? else {
            continue;
        };
        let purchase = contract.purchase();
        if !purchase.is_empty() && contract::may_be_annulled(&contract.stored) {
            purchases.insert(purchase.to_owned());
        }
        let notice = notices.of(writing, purchase)?;
        set_contract(writing, &contract, notice)?;
    }
    for number in purchases.difference(&touched.purchases) {
        if writing.has_more_contracts(number, DERIVED_IN_BATCH)? {
            writing.postpone(number, DerivedPart::Card)?;
        } else {
            set_purchase(writing, number, |_, _, _| Ok(()))?;
        }
    }
    for number in &touched.rnp_entries {
        set_rnp_entry(writing, number)?;
    }
    set_names(writing)
}

/// Sets the records of a purchase that was postponed.
///
/// # Errors
/// The file cannot be read or written.
pub fn derive_postponed(
    writing: &mut BatchWriter<'_>,
    number: &str,
    part: DerivedPart,
) -> Result<()> {
    match part {
        DerivedPart::Card => set_purchase(writing, number, |_, _, _| Ok(()))?,
        DerivedPart::WithContracts => {
            set_purchase(writing, number, |writing, stored, notice| {
                set_contract(writing, stored, Some(notice))
            })?;
        }
    }
    set_names(writing)
}

/// Sets the names of suppliers that no document may have any longer.
fn set_names(writing: &mut BatchWriter<'_>) -> Result<()> {
    // One pass is enough: it leaves no other supplier without a name.
    for inn in writing.take_unnamed()? {
        let mut official = None;
        writing.each_record_of(&inn, |writing, subject, number| {
            official = official.take().max(name(writing, subject, number, &inn)?);
            Ok(())
        })?;
        writing.set_name(&inn, official)?;
    }
    Ok(())
}

/// All facts about a contract that has a `contract`.
struct ContractHistory {
    reg_num: String,
    stored: Vec<StoredFacts>,
}

impl ContractHistory {
    fn find(writing: &BatchWriter<'_>, reg_num: &str) -> Result<Option<Self>> {
        let stored = writing.facts_about(DocumentSubject::Contract, reg_num)?;
        let has_snapshot = contract::snapshot(&stored).is_some();
        Ok(has_snapshot.then(|| Self {
            reg_num: reg_num.to_owned(),
            stored,
        }))
    }

    /// The number of the purchase it was concluded after.
    fn purchase(&self) -> &str {
        contract::snapshot(&self.stored).map_or("", |(facts, _)| &facts.purchase_number)
    }
}

/// Sets a contract; `notice` is that of its purchase, if there is one.
fn set_contract(
    writing: &mut BatchWriter<'_>,
    contract: &ContractHistory,
    notice: Option<&Notice44Facts>,
) -> Result<()> {
    let Some((facts, published)) = contract::snapshot(&contract.stored) else {
        return Ok(());
    };
    let record = contract::derive(facts, &contract.stored, notice);
    writing.set_contract(&record, &suppliers(facts), published)
}

/// Returns the suppliers that list a contract. One without an INN (foreign, hidden) counts by its
/// name; a contract that names nobody is listed under nobody's name.
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

/// The notice that was read last: contracts of one purchase often follow one another.
#[derive(Default)]
struct LastNotice {
    purchase: String,
    notice: Option<Notice44Facts>,
}

impl LastNotice {
    /// Returns the notice of a purchase.
    fn of(&mut self, writing: &BatchWriter<'_>, purchase: &str) -> Result<Option<&Notice44Facts>> {
        if self.purchase != purchase {
            let stored: Vec<StoredFacts> = match purchase {
                "" => Vec::new(),
                purchase => writing.notice_of_contract(purchase)?,
            };
            self.notice = purchase44::notice(&stored).map(|(notice, _)| notice.into_owned());
            purchase.clone_into(&mut self.purchase);
        }
        Ok(self.notice.as_ref())
    }
}

/// Sets the card of a purchase, if it has a notice. Under 44-FZ, `each_contract` is called
/// with its contracts and the notice.
fn set_purchase<'a>(
    writing: &mut BatchWriter<'a>,
    number: &str,
    mut each_contract: impl FnMut(&mut BatchWriter<'a>, &ContractHistory, &Notice44Facts) -> Result<()>,
) -> Result<()> {
    let Some(purchase_number) = PurchaseNumber::parse(number) else {
        return Ok(());
    };
    let stored = writing.facts_about(DocumentSubject::Purchase, number)?;
    let purchase = match purchase_number.regime() {
        Regime::Fz44 => {
            let Some((notice, published)) = purchase44::notice(&stored) else {
                return Ok(());
            };
            let mut contracts = ConcludedContracts::default();
            writing.each_contract_of(number, |writing, reg_num| {
                let Some(contract) = ContractHistory::find(writing, reg_num)? else {
                    return Ok(());
                };
                if let Some(facts) = contract::not_annulled(&contract.stored) {
                    let lot = purchase44::lot_of(&notice, facts).map(|(lot, _)| lot);
                    contracts.add(lot, facts);
                }
                each_contract(writing, &contract, &notice)
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
    purchase.map_or(Ok(()), |purchase| writing.set_purchase(&purchase))
}

fn set_rnp_entry(writing: &mut BatchWriter<'_>, number: &str) -> Result<()> {
    let stored = writing.facts_about(DocumentSubject::RnpEntry, number)?;
    let Some(derived) = rnp::derive(&stored) else {
        return Ok(());
    };
    let published = derived.as_ref().map_or(0, |derived| derived.published);
    let entry = derived
        .as_ref()
        .map(|derived| (&derived.supplier, &derived.entry));
    writing.set_rnp_entry(number, entry, published)
}

/// The suppliers that the record with this number names, and the time of publication of the document
/// that it names them by.
fn named(
    writing: &BatchWriter<'_>,
    subject: DocumentSubject,
    number: &str,
) -> Result<Option<(Vec<Supplier>, i64)>> {
    if subject == DocumentSubject::RnpEntry {
        let derived = rnp::derive(&writing.facts_about(subject, number)?).flatten();
        return Ok(derived.map(|derived| (vec![derived.supplier], derived.published)));
    }
    let Some(document) = writing.documents().founding(subject, number)? else {
        return Ok(None);
    };
    let named = match writing.documents().unpack(&document)? {
        Facts::Contract(facts) => suppliers(&facts),
        _ => Vec::new(),
    };
    Ok(Some((named, document.head.published)))
}

/// The name of the supplier with this INN in the founding document of a contract or entry.
fn name(
    writing: &BatchWriter<'_>,
    subject: DocumentSubject,
    number: &str,
    inn: &Inn,
) -> Result<Option<OfficialName>> {
    let Some((named, published)) = named(writing, subject, number)? else {
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

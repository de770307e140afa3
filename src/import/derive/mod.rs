//! Facts to records: what a contract, a purchase or an RNP entry is, from all that
//! documents say about it. Records are a pure function of the set of facts, so the
//! order in which documents come does not matter.
//!
//! A contract is its `contract`, its procedures and cancellations, and the notice of
//! its purchase; a purchase is its notice, its changes and cancellations, its
//! protocols and its contracts. So a document touches its own contract or purchase,
//! a notice all contracts of its purchase, and a contract its purchase.

mod contract;
mod protocols;
mod purchase223;
mod purchase44;
mod purchase615;
mod rnp;
mod sum;

use std::collections::BTreeSet;

use super::facts::{ContractFacts, Facts, Notice44Facts};
use crate::model::{Purchase, PurchaseNumber, Regime, Supplier};
use crate::store::{DocumentKind, Result, StoredDocument, Subject, Writing};

/// Facts as they come from the store.
#[derive(Clone, Debug)]
pub struct Known {
    /// Which of the facts of its kind.
    pub key: String,
    /// The version the document says it is.
    pub version: i64,
    /// When it was published, in milliseconds since 1970.
    pub published: i64,
    /// What it says.
    pub facts: Facts,
}

/// Sets the records that the documents of a batch touch.
///
/// # Errors
/// The file cannot be read or written.
pub fn derive(writing: &mut Writing<'_>) -> Result<()> {
    let touched = writing.touched().clone();
    let mut contracts = touched.contracts;
    for purchase in &touched.purchases {
        contracts.extend(writing.contracts_of(purchase)?);
    }
    let mut purchases = touched.purchases;
    purchases.extend(touched.purchases_of_contracts);
    for reg_num in &contracts {
        set_contract(writing, reg_num, &mut purchases)?;
    }
    for number in purchases {
        set_purchase(writing, &number)?;
    }
    for number in &touched.rnp_entries {
        set_rnp_entry(writing, number)?;
    }
    while let Some(inn) = writing.next_nameless()? {
        writing.each_record_of(&inn, |writing, subject, number| {
            name(writing, subject, number, inn.as_str())
        })?;
    }
    Ok(())
}

/// Sets a contract, if there is a `contract` of it; `purchases` gets the purchase
/// whose card shows otherwise when the contract is annulled.
fn set_contract(
    writing: &mut Writing<'_>,
    reg_num: &str,
    purchases: &mut BTreeSet<String>,
) -> Result<()> {
    let known = known(writing, Subject::Contract, reg_num)?;
    let Some((facts, published)) = contract::snapshot(&known) else {
        return Ok(());
    };
    let purchase = &facts.contract.purchase_number;
    if !purchase.is_empty() && contract::is_annulled(&known) {
        purchases.insert(purchase.clone());
    }
    let notice = notice(writing, purchase)?;
    let contract = contract::derive(facts, &known, notice.as_ref());
    writing.set_contract(&contract, &suppliers(facts), published)
}

/// Those under whom a contract is found.
fn suppliers(facts: &ContractFacts) -> Vec<Supplier> {
    let supplier = |supplier: &super::facts::ContractSupplier| {
        Some(Supplier {
            inn: supplier.inn.clone()?,
            name: supplier.card.name.clone(),
        })
    };
    facts.suppliers.iter().filter_map(supplier).collect()
}

fn notice(writing: &Writing<'_>, purchase: &str) -> Result<Option<Notice44Facts>> {
    if purchase.is_empty() {
        return Ok(None);
    }
    let Some(document) = writing.founding_document(Subject::Purchase, purchase)? else {
        return Ok(None);
    };
    let changes = writing.documents_of(DocumentKind::LotChange44, purchase)?;
    let known = std::iter::once(document)
        .chain(changes)
        .map(|document| Known::of(writing, document))
        .collect::<Result<Vec<_>>>()?;
    Ok(purchase44::notice(&known).map(|(notice, _)| notice.into_owned()))
}

/// Sets the card of a purchase, if there is a notice of it.
fn set_purchase(writing: &mut Writing<'_>, number: &str) -> Result<()> {
    let Some(regime) = PurchaseNumber::parse(number).map(|number| number.regime()) else {
        return Ok(());
    };
    let known = known(writing, Subject::Purchase, number)?;
    let purchase = match regime {
        Regime::Fz44 => {
            let Some((notice, published)) = purchase44::notice(&known) else {
                return Ok(());
            };
            let contracts = contracts_of(writing, number)?;
            let card = purchase44::derive(&notice, published, &known, &contracts);
            Some(Purchase::Fz44(Box::new(card)))
        }
        Regime::Fz223 => purchase223::derive(&known).map(|card| Purchase::Fz223(Box::new(card))),
        Regime::Pp615 => purchase615::derive(&known).map(|card| Purchase::Pp615(Box::new(card))),
    };
    purchase.map_or(Ok(()), |purchase| writing.set_purchase(&purchase))
}

/// The contracts concluded after a purchase under 44-FZ, save those annulled.
fn contracts_of(writing: &Writing<'_>, purchase: &str) -> Result<Vec<ContractFacts>> {
    let mut contracts = Vec::new();
    for reg_num in writing.contracts_of(purchase)? {
        let known = known(writing, Subject::Contract, &reg_num)?;
        if !contract::is_annulled(&known)
            && let Some((facts, _)) = contract::snapshot(&known)
        {
            contracts.push(facts.clone());
        }
    }
    Ok(contracts)
}

fn set_rnp_entry(writing: &mut Writing<'_>, number: &str) -> Result<()> {
    let known = known(writing, Subject::RnpEntry, number)?;
    let Some((entry, published)) = rnp::derive(&known) else {
        return Ok(());
    };
    let entry = entry.as_ref().map(|(supplier, entry)| (supplier, entry));
    writing.set_rnp_entry(number, entry, published)
}

/// Tells the name by which the founding document of a contract or entry calls the
/// supplier with this INN.
fn name(writing: &mut Writing<'_>, subject: Subject, number: &str, inn: &str) -> Result<()> {
    let Some(document) = writing.founding_document(subject, number)? else {
        return Ok(());
    };
    let named = match writing.facts(&document)? {
        Facts::Contract(facts) => suppliers(&facts),
        Facts::RnpEntry(facts) => facts.supplier.into_iter().collect(),
        _ => Vec::new(),
    };
    for supplier in named.iter().filter(|named| named.inn.as_str() == inn) {
        writing.name(supplier, document.published, number)?;
    }
    Ok(())
}

fn known(writing: &Writing<'_>, subject: Subject, number: &str) -> Result<Vec<Known>> {
    let documents = writing.documents_about(subject, number)?;
    documents
        .into_iter()
        .map(|document| Known::of(writing, document))
        .collect()
}

impl Known {
    fn of(writing: &Writing<'_>, document: StoredDocument) -> Result<Self> {
        Ok(Self {
            facts: writing.facts(&document)?,
            key: document.key,
            version: document.version,
            published: document.published,
        })
    }
}

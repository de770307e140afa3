//! Derives the records that new documents touch, on all cores, in rounds that the writing thread
//! writes meanwhile.
//!
//! Each record is derived once, and the rounds come in the same order whatever the number of threads:
//! purchases with new documents and all their contracts, then the other contracts with new documents,
//! then the cards that show these, then entries.

use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use super::{
    ContractHistory, StoredFacts, card, contract, contract_record, entry, is_of_44, purchase44,
    set_names,
};
use crate::import::error::Error;
use crate::import::facts::Notice44Facts;
use crate::model::DocumentSubject;
use crate::store::{
    self, DerivedAgain, DerivedRecord, Documents, NewDocuments, StoredDocuments, Writer,
};

/// The numbers that are derived in one round, and the contracts of a purchase in one.
const AT_ONCE: u32 = 500;

/// The most contracts of a purchase that is derived as a whole. One with more is derived in parts, so
/// that its contracts need not be in memory together.
const MAX_WHOLE: u32 = 20;

/// The rounds that may wait to be written.
const WAITING_ROUNDS: usize = 2;

/// Derives the records that documents touch, and writes them.
///
/// # Errors
/// The file cannot be read or written, or a fault in this program.
pub fn derive(
    writer: &mut Writer,
    new: NewDocuments,
    is_stopped: &(dyn Fn() -> bool + Sync),
) -> Result<DerivedAgain, Error> {
    let threads = rayon::current_num_threads();
    let Some(documents) = writer.stored_documents(new, threads)? else {
        return Ok(DerivedAgain {
            is_complete: true,
            ..DerivedAgain::default()
        });
    };
    let (sender, rounds) = sync_channel(WAITING_ROUNDS);
    std::thread::scope(|scope| {
        let deriving = scope.spawn(move || {
            let notices = (0..threads).map(|_| Mutex::default()).collect();
            let mut deriving = Deriving {
                documents,
                notices,
                is_stopped,
                sender,
                records: 0,
            };
            match deriving.all() {
                Ok(()) => (true, deriving.records),
                Err(Ended::Stopped) => (false, deriving.records),
                Err(Ended::Failed(error)) => {
                    // Nobody receives it if writing has failed, which is then the error.
                    let _ = deriving.sender.send(Err(error));
                    (false, deriving.records)
                }
            }
        });
        // The channel closes at its end, which ends the deriving of an import that failed.
        let changed = writer.write_derived(rounds, set_names);
        let (is_complete, records) = deriving.join().map_err(|_| Error::Fault)?;
        Ok(DerivedAgain {
            records,
            changed: changed?,
            is_complete,
        })
    })
}

/// Why deriving has ended before its end.
enum Ended {
    Stopped,
    Failed(store::Error),
}

impl From<store::Error> for Ended {
    fn from(error: store::Error) -> Self {
        Self::Failed(error)
    }
}

struct Deriving<'a> {
    documents: StoredDocuments,
    /// Of each thread, the notice that it has read last.
    notices: Vec<Mutex<LastNotice>>,
    is_stopped: &'a (dyn Fn() -> bool + Sync),
    sender: SyncSender<store::Result<Vec<DerivedRecord>>>,
    /// The numbers with new documents so far.
    records: u64,
}

/// A purchase with new documents.
enum NewPurchase {
    /// The records of a purchase and of all its contracts.
    Whole(Vec<DerivedRecord>),
    /// A purchase with more than [`MAX_WHOLE`] contracts.
    Large(String),
}

/// A contract with new documents.
#[derive(Default)]
struct NewContract {
    record: Option<DerivedRecord>,
    /// The number of the purchase whose card must be derived again.
    card: Option<String>,
}

/// The notice that was read last: contracts of one purchase often follow one another.
#[derive(Default)]
struct LastNotice {
    purchase: String,
    notice: Option<Notice44Facts>,
}

impl LastNotice {
    /// Returns the notice of a purchase.
    fn of(
        &mut self,
        documents: Documents<'_>,
        purchase: &str,
    ) -> store::Result<Option<&Notice44Facts>> {
        if self.purchase != purchase {
            let stored: Vec<StoredFacts> = match purchase {
                "" => Vec::new(),
                purchase => documents.notice_of_contract(purchase)?,
            };
            self.notice = purchase44::notice(&stored).map(|(notice, _)| notice.into_owned());
            purchase.clone_into(&mut self.purchase);
        }
        Ok(self.notice.as_ref())
    }
}

impl Deriving<'_> {
    fn all(&mut self) -> Result<(), Ended> {
        self.purchases()?;
        self.contracts()?;
        self.cards()?;
        self.entries()
    }

    /// Derives the purchases with new documents, and all their contracts.
    fn purchases(&mut self) -> Result<(), Ended> {
        self.each_listed(DocumentSubject::Purchase, |this, numbers| {
            let mut records = Vec::new();
            let mut large = Vec::new();
            for purchase in this.on_all_cores(&numbers, new_purchase)? {
                match purchase {
                    NewPurchase::Whole(derived) => records.extend(derived),
                    NewPurchase::Large(number) => large.push(number),
                }
            }
            this.send(records)?;
            large.iter().try_for_each(|number| this.large(number))
        })
    }

    /// Derives a purchase with many contracts, and these, some at a time.
    fn large(&mut self, purchase: &str) -> Result<(), Ended> {
        let mut last = 0;
        loop {
            let some = self
                .documents
                .new
                .contracts_after(purchase, last, AT_ONCE)?;
            let Some((id, _)) = some.last() else {
                break;
            };
            last = *id;
            let numbers: Vec<String> = some.into_iter().map(|(_, number)| number).collect();
            let derived = self.on_all_cores(&numbers, |documents, last, number| {
                let Some(contract) = ContractHistory::find(documents, number)? else {
                    return Ok(None);
                };
                // Without a notice they are derived with the other contracts.
                match last.of(documents, purchase)? {
                    Some(notice) => contract_record(documents, &contract, Some(notice)),
                    None => Ok(None),
                }
            })?;
            self.send(derived.into_iter().flatten().collect())?;
        }
        let numbers = [purchase.to_owned()];
        let card = self.on_all_cores(&numbers, card_alone)?;
        self.send(card.into_iter().flatten().collect())
    }

    /// Derives the contracts with new documents whose purchases have none.
    fn contracts(&mut self) -> Result<(), Ended> {
        let after = self.documents.new.after;
        self.each_listed(DocumentSubject::Contract, |this, numbers| {
            let derived = this.on_all_cores(&numbers, |documents, last, number| {
                new_contract(documents, last, number, after)
            })?;
            let (mut records, mut cards) = (Vec::new(), Vec::new());
            for contract in derived {
                records.extend(contract.record);
                cards.extend(contract.card);
            }
            this.documents.new.add_cards(&cards)?;
            this.send(records)
        })
    }

    /// Derives the cards of purchases without new documents that show contracts with some.
    fn cards(&mut self) -> Result<(), Ended> {
        self.documents.new.add_cards_left(AT_ONCE as usize)?;
        let mut last = String::new();
        loop {
            let numbers = self.documents.new.cards(&last, AT_ONCE)?;
            let Some(greatest) = numbers.last() else {
                return Ok(());
            };
            last.clone_from(greatest);
            let derived = self.on_all_cores(&numbers, card_alone)?;
            self.send(derived.into_iter().flatten().collect())?;
        }
    }

    fn entries(&mut self) -> Result<(), Ended> {
        self.each_listed(DocumentSubject::RnpEntry, |this, numbers| {
            let derived =
                this.on_all_cores(&numbers, |documents, _, number| entry(documents, number))?;
            this.send(derived.into_iter().flatten().collect())
        })
    }

    /// Passes the numbers of a subject with new documents to `each`, some of them at a time.
    fn each_listed(
        &mut self,
        subject: DocumentSubject,
        mut each: impl FnMut(&mut Self, Vec<String>) -> Result<(), Ended>,
    ) -> Result<(), Ended> {
        self.documents.new.list(subject)?;
        let mut last = String::new();
        loop {
            let numbers = self.documents.new.listed(subject, &last, AT_ONCE)?;
            let Some(greatest) = numbers.last() else {
                return Ok(());
            };
            last.clone_from(greatest);
            self.records += numbers.len() as u64;
            each(self, numbers)?;
        }
    }

    /// Derives something of each number on all cores, in the order of the numbers.
    fn on_all_cores<T: Send>(
        &self,
        numbers: &[String],
        derive: impl Fn(Documents<'_>, &mut LastNotice, &str) -> store::Result<T> + Sync,
    ) -> Result<Vec<T>, Ended> {
        if (self.is_stopped)() {
            return Err(Ended::Stopped);
        }
        let (readers, notices) = (&self.documents.readers, &self.notices);
        let derived = numbers.par_iter().map(|number| {
            let thread = rayon::current_thread_index().unwrap_or_default();
            readers.on(thread, |documents| {
                let last = notices.get(thread);
                let mut last = last.map(|last| last.lock().unwrap_or_else(PoisonError::into_inner));
                let mut none = LastNotice::default();
                derive(documents, last.as_deref_mut().unwrap_or(&mut none), number)
            })
        });
        Ok(derived.collect::<store::Result<_>>()?)
    }

    fn send(&self, records: Vec<DerivedRecord>) -> Result<(), Ended> {
        if records.is_empty() {
            return Ok(());
        }
        self.sender.send(Ok(records)).map_err(|_| Ended::Stopped)
    }
}

fn new_purchase(
    documents: Documents<'_>,
    _: &mut LastNotice,
    number: &str,
) -> store::Result<NewPurchase> {
    if documents.has_more_contracts(number, MAX_WHOLE)? {
        return Ok(NewPurchase::Large(number.to_owned()));
    }
    let mut records = Vec::new();
    let card = card(documents, number, |contract, notice| {
        records.extend(contract_record(documents, contract, Some(notice))?);
        Ok(())
    })?;
    records.extend(card);
    Ok(NewPurchase::Whole(records))
}

fn new_contract(
    documents: Documents<'_>,
    last: &mut LastNotice,
    number: &str,
    after: i64,
) -> store::Result<NewContract> {
    let Some(contract) = ContractHistory::find(documents, number)? else {
        return Ok(NewContract::default());
    };
    let purchase = contract.purchase();
    let subject = DocumentSubject::Purchase;
    let has_notice = is_of_44(purchase) && documents.has_notice_of_contract(purchase)?;
    if has_notice && documents.has_any_after(subject, purchase, after)? {
        // It is derived with its purchase.
        return Ok(NewContract::default());
    }
    let notice = last.of(documents, purchase)?;
    let record = contract_record(documents, &contract, notice)?;
    let is_on_other_card =
        contract::may_be_annulled(&contract.stored) || contract.is_stated_after(after);
    Ok(NewContract {
        record,
        card: (has_notice && is_on_other_card).then(|| purchase.to_owned()),
    })
}

fn card_alone(
    documents: Documents<'_>,
    _: &mut LastNotice,
    number: &str,
) -> store::Result<Option<DerivedRecord>> {
    card(documents, number, |_, _| Ok(()))
}

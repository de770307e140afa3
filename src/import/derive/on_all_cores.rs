//! Derives the records that new documents affect, on all cores, in rounds. Meanwhile, the writing
//! thread writes the rounds that are finished.
//!
//! Each record is derived once. The order does not depend on the number of threads: first purchases
//! with new documents and all their contracts, then other contracts with new documents, then the
//! cards that show those contracts, and finally RNP entries.

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
    self, DerivedRecord, Documents, NewDocuments, RederiveOutcome, StoredDocuments, Writer,
};

/// Number of purchases, contracts or entries that are derived in one round.
const ROUND_SIZE: u32 = if cfg!(test) { 10 } else { 500 };

/// A purchase with more contracts than this is derived in parts, so that its contracts need not all
/// be in memory at once.
const MAX_WHOLE: u32 = 20;

/// How many rounds may wait for the writing thread.
const WAITING_ROUNDS: usize = 2;

/// Progress of a derivation, counted in contracts, purchases and RNP entries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DeriveProgress {
    pub done: u64,
    /// Number known so far. Grows when derived contracts turn out to be shown on further cards.
    pub total: u64,
}

/// Derives the records that new documents affect, and writes them. Reports to `on_progress` at the
/// beginning, and before the records of each round are written. If `is_stopped` returns `true`,
/// stops before the next round; the outcome is then incomplete.
///
/// # Errors
/// Returns an error if the file cannot be read or written, or if a thread panicked.
pub fn derive(
    writer: &mut Writer,
    new: NewDocuments,
    is_stopped: &(dyn Fn() -> bool + Sync),
    on_progress: &mut dyn FnMut(DeriveProgress),
) -> Result<RederiveOutcome, Error> {
    let threads = rayon::current_num_threads();
    let Some(documents) = writer.stored_documents(new, threads)? else {
        return Ok(RederiveOutcome {
            is_complete: true,
            ..RederiveOutcome::default()
        });
    };
    let (sender, rounds) = sync_channel(WAITING_ROUNDS);
    std::thread::scope(|scope| {
        let deriving = scope.spawn(move || {
            let notices = (0..threads).map(|_| Mutex::default()).collect();
            let mut deriving = Derivation {
                documents,
                notices,
                is_stopped,
                sender,
                records: 0,
                progress: DeriveProgress::default(),
            };
            match deriving.all() {
                Ok(()) => (true, deriving.records),
                Err(DerivationEnd::Stopped) => (false, deriving.records),
                Err(DerivationEnd::Failed(error)) => {
                    // If writing has failed, the receiver is gone. `derive` then returns the
                    // writer's error.
                    let _ = deriving.sender.send(Err(error));
                    (false, deriving.records)
                }
            }
        });
        let records = rounds.into_iter().map(|round| {
            let Round { records, progress } = round?;
            on_progress(progress);
            Ok(records)
        });
        // Once this returns, even with an error, the channel is closed and the deriving thread
        // ends.
        let changed = writer.write_derived(records, set_names);
        let (is_complete, records) = deriving.join().map_err(|_| Error::Bug)?;
        Ok(RederiveOutcome {
            records,
            changed: changed?,
            is_complete,
        })
    })
}

enum DerivationEnd {
    Stopped,
    Failed(store::Error),
}

impl From<store::Error> for DerivationEnd {
    fn from(error: store::Error) -> Self {
        Self::Failed(error)
    }
}

struct Derivation<'a> {
    documents: StoredDocuments,
    notices: Vec<Mutex<LastNotice>>,
    is_stopped: &'a (dyn Fn() -> bool + Sync),
    sender: SyncSender<store::Result<Round>>,
    /// Number of purchases, contracts and entries with new documents that have been processed.
    records: u64,
    progress: DeriveProgress,
}

struct Round {
    records: Vec<DerivedRecord>,
    progress: DeriveProgress,
}

enum NewPurchase {
    /// The records of a purchase and of all its contracts.
    Whole(Vec<DerivedRecord>),
    /// The number of a purchase with more than [`MAX_WHOLE`] contracts.
    Large(String),
}

#[derive(Default)]
struct NewContract {
    record: Option<DerivedRecord>,
    /// Number of the purchase whose card must be derived again, if any.
    card: Option<String>,
}

/// The last notice read. Contracts of a purchase often follow one another.
#[derive(Default)]
struct LastNotice {
    purchase: String,
    notice: Option<Notice44Facts>,
}

impl LastNotice {
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

impl Derivation<'_> {
    fn all(&mut self) -> Result<(), DerivationEnd> {
        self.progress.total = self.documents.new.list()?;
        self.send(Vec::new())?;
        self.purchases()?;
        self.contracts()?;
        self.cards()?;
        self.entries()
    }

    /// Derives the purchases with new documents, and all their contracts.
    fn purchases(&mut self) -> Result<(), DerivationEnd> {
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

    /// Derives the contracts of a purchase with many contracts, a batch at a time, and then the
    /// purchase.
    fn large(&mut self, purchase: &str) -> Result<(), DerivationEnd> {
        let mut last = 0;
        loop {
            let some = self
                .documents
                .new
                .contracts_after(purchase, last, ROUND_SIZE)?;
            let Some((id, _)) = some.last() else {
                break;
            };
            last = *id;
            let numbers: Vec<String> = some.into_iter().map(|(_, number)| number).collect();
            let derived = self.on_all_cores(&numbers, |documents, last, number| {
                let Some(contract) = ContractHistory::find(documents, number)? else {
                    return Ok(None);
                };
                // If the purchase has no notice, `contracts` derives its contracts.
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

    /// Derives the contracts with new documents that [`Self::purchases`] has not derived.
    fn contracts(&mut self) -> Result<(), DerivationEnd> {
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
            this.progress.total += this.documents.new.add_cards(&cards)?;
            this.send(records)
        })
    }

    /// Derives the cards of purchases that have no new documents of their own, but are affected by
    /// contracts: a contract has new documents, or now names another purchase.
    fn cards(&mut self) -> Result<(), DerivationEnd> {
        self.progress.total += self.documents.new.add_unlinked_cards(ROUND_SIZE as usize)?;
        let mut last = String::new();
        loop {
            let numbers = self.documents.new.cards(&last, ROUND_SIZE)?;
            let Some(greatest) = numbers.last() else {
                return Ok(());
            };
            last.clone_from(greatest);
            self.progress.done += numbers.len() as u64;
            let derived = self.on_all_cores(&numbers, card_alone)?;
            self.send(derived.into_iter().flatten().collect())?;
        }
    }

    fn entries(&mut self) -> Result<(), DerivationEnd> {
        self.each_listed(DocumentSubject::RnpEntry, |this, numbers| {
            let derived =
                this.on_all_cores(&numbers, |documents, _, number| entry(documents, number))?;
            this.send(derived.into_iter().flatten().collect())
        })
    }

    /// Passes the numbers with new documents to `each`, a batch at a time.
    fn each_listed(
        &mut self,
        subject: DocumentSubject,
        mut each: impl FnMut(&mut Self, Vec<String>) -> Result<(), DerivationEnd>,
    ) -> Result<(), DerivationEnd> {
        let mut last = String::new();
        loop {
            let numbers = self.documents.new.listed(subject, &last, ROUND_SIZE)?;
            let Some(greatest) = numbers.last() else {
                return Ok(());
            };
            last.clone_from(greatest);
            self.records += numbers.len() as u64;
            self.progress.done += numbers.len() as u64;
            each(self, numbers)?;
        }
    }

    /// Applies `derive` to each number, on all cores. The results are in the order of `numbers`.
    fn on_all_cores<T: Send>(
        &self,
        numbers: &[String],
        derive: impl Fn(Documents<'_>, &mut LastNotice, &str) -> store::Result<T> + Sync,
    ) -> Result<Vec<T>, DerivationEnd> {
        if (self.is_stopped)() {
            return Err(DerivationEnd::Stopped);
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

    fn send(&self, records: Vec<DerivedRecord>) -> Result<(), DerivationEnd> {
        let progress = self.progress;
        let round = Round { records, progress };
        self.sender
            .send(Ok(round))
            .map_err(|_| DerivationEnd::Stopped)
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
        // `purchases` has already derived this contract with its purchase.
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

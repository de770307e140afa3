//! The documents that the answer about a number is derived from.
//!
//! [`select`] makes the same choice as `import/derive`. A contract is derived from all documents
//! about it and from the notice of its purchase. A card is derived from all documents about the
//! purchase and from its contracts; documents about a contract's execution matter only if one of
//! them says that the contract was annulled. An entry is derived from all documents about it, but
//! only the newest version and exclusion are shown. A record without a founding document comes from
//! a JSON line.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::super::documents::{DocumentHead, DocumentKind, NOTICE_OF_CONTRACT, subject_of};
use crate::model::{DocumentSubject, SourceDocument};

/// The kinds of records that exist with a number, and the documents about it.
#[derive(Debug, Default)]
pub(in crate::store) struct Candidates {
    /// Whether there is a record of each kind of subject, in the order of [`DocumentSubject::ALL`].
    pub has_record: [bool; 3],
    /// All documents about the number. For a contract, they include at least the notices of its
    /// purchase; for a purchase, all documents about its contracts.
    pub documents: Vec<DocumentHead>,
}

/// Returns the documents that the answer about `number` is derived from, oldest first.
pub(super) fn select(number: &str, candidates: &Candidates) -> Vec<SourceDocument> {
    select_from(number, &BySubject::new(candidates))
}

fn select_from(number: &str, candidates: &BySubject<'_>) -> Vec<SourceDocument> {
    let mut selected = Selected::default();
    for (subject, has_record) in DocumentSubject::ALL.into_iter().zip(candidates.has_record) {
        let own = || newest(candidates.about(subject, number));
        let founding = own().find(|one| is_of(one, subject.founding()));
        let Some(founding) = founding else {
            match has_record {
                true => selected.add_line(subject, number),
                // No record has been derived from these documents yet.
                false => selected.add_all(own()),
            }
            continue;
        };
        selected.add_all(own());
        match subject {
            DocumentSubject::Contract => selected.add_notice(candidates, &founding.purchase),
            DocumentSubject::Purchase => selected.add_contracts(candidates, number),
            DocumentSubject::RnpEntry => {}
        }
    }
    selected.into_sorted()
}

/// The candidates by subject. A purchase may have tens of thousands of contracts, so the documents
/// about one contract must be found without scanning all candidates.
struct BySubject<'a> {
    has_record: [bool; 3],
    all: &'a [DocumentHead],
    by_subject: HashMap<(DocumentSubject, &'a str), Vec<&'a DocumentHead>>,
    /// Number of candidates that [`BySubject::about`] has returned.
    #[cfg(test)]
    passed: std::cell::Cell<usize>,
}

impl<'a> BySubject<'a> {
    fn new(candidates: &'a Candidates) -> Self {
        let mut by_subject: HashMap<_, Vec<_>> = HashMap::new();
        for one in &candidates.documents {
            let subject = (subject_of(one.kind), one.number.as_str());
            by_subject.entry(subject).or_default().push(one);
        }
        Self {
            has_record: candidates.has_record,
            all: &candidates.documents,
            by_subject,
            #[cfg(test)]
            passed: std::cell::Cell::default(),
        }
    }

    fn about<'s>(
        &'s self,
        subject: DocumentSubject,
        number: &'s str,
    ) -> impl Iterator<Item = &'a DocumentHead> + use<'a, 's> {
        let about = self.by_subject.get(&(subject, number));
        let about = about.map(Vec::as_slice).unwrap_or_default();
        #[cfg(test)]
        self.passed.set(self.passed.get() + about.len());
        about.iter().copied()
    }
}

/// Drops versions and exclusions of RNP entries that newer ones have replaced, although the entry
/// is derived from all of them.
fn newest<'a>(
    documents: impl Iterator<Item = &'a DocumentHead>,
) -> impl Iterator<Item = &'a DocumentHead> {
    let (mut newest, mut others) = (BTreeMap::new(), Vec::new());
    for one in documents {
        if subject_of(one.kind) != DocumentSubject::RnpEntry {
            others.push(one);
            continue;
        }
        let last = newest.entry(one.kind).or_insert(one);
        if (last.version, last.published) < (one.version, one.published) {
            *last = one;
        }
    }
    others.extend(newest.into_values());
    others.into_iter()
}

fn is_of(document: &DocumentHead, kinds: &[DocumentKind]) -> bool {
    kinds.iter().any(|kind| *kind as u8 == document.kind)
}

/// The selected documents, each only once.
#[derive(Default)]
struct Selected<'a> {
    documents: BTreeMap<i64, &'a DocumentHead>,
    lines: Vec<SourceDocument>,
}

impl<'a> Selected<'a> {
    fn add_line(&mut self, subject: DocumentSubject, number: &str) {
        self.lines.push(SourceDocument {
            published: None,
            subject,
            number: number.to_owned(),
            kind: SourceDocument::LINE.to_owned(),
            version: None,
            subsystem: String::new(),
        });
    }

    fn add_all(&mut self, documents: impl Iterator<Item = &'a DocumentHead>) {
        self.documents.extend(documents.map(|one| (one.id, one)));
    }

    /// Adds the notice from which a contract of `purchase` is derived.
    fn add_notice(&mut self, candidates: &BySubject<'a>, purchase: &str) {
        let [notice, _] = NOTICE_OF_CONTRACT;
        let is_notice = |one: &&DocumentHead| is_of(one, &NOTICE_OF_CONTRACT);
        let about = || candidates.about(DocumentSubject::Purchase, purchase);
        let documents = || about().filter(is_notice);
        if documents().any(|one| is_of(one, &[notice])) {
            self.add_all(documents());
        }
    }

    /// Adds the documents about contracts that the card of `purchase` is derived from.
    fn add_contracts(&mut self, candidates: &BySubject<'a>, purchase: &str) {
        let is_contract = |one: &&DocumentHead| is_of(one, &[DocumentKind::Contract]);
        let contracts = candidates.all.iter().filter(is_contract);
        for contract in contracts.filter(|one| one.purchase == purchase) {
            let all = || candidates.about(DocumentSubject::Contract, &contract.number);
            match all().any(|one| one.annuls) {
                true => self.add_all(all()),
                false => self.add_all(std::iter::once(contract)),
            }
        }
    }

    fn into_sorted(self) -> Vec<SourceDocument> {
        let mut sorted = self.lines;
        let mut lot_cancellations = BTreeSet::new();
        for one in self.documents.into_values() {
            // A document of this kind only states the day of a notice's first version, and the
            // newest version is listed anyway.
            if is_of(one, &[DocumentKind::FirstNotice44]) {
                continue;
            }
            // A single document may cancel several lots.
            if is_of(one, &[DocumentKind::LotCancel223]) {
                let document = (&one.number, &one.origin, one.version, one.published);
                if !lot_cancellations.insert(document) {
                    continue;
                }
            }
            sorted.push(source_document(one));
        }
        sorted.sort();
        sorted
    }
}

fn source_document(one: &DocumentHead) -> SourceDocument {
    // The cancellation of a protocol under 223-FZ is stored with a version above all others.
    let version = Some(one.version).filter(|version| *version != i64::MAX);
    SourceDocument {
        published: Some(one.published).filter(|time| *time != 0),
        subject: subject_of(one.kind),
        number: one.number.clone(),
        kind: one.origin.name.clone().into_owned(),
        version: version.and_then(|version| u64::try_from(version).ok()),
        subsystem: one.origin.subsystem.clone().into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::documents::DocumentOrigin;
    use super::*;

    const PURCHASE: &str = "0373100000125000001";

    /// Makes a document about `number`. Contracts belong to [`PURCHASE`].
    fn head(id: usize, kind: DocumentKind, number: &str) -> DocumentHead {
        let is_contract = subject_of(kind as u8) == DocumentSubject::Contract;
        DocumentHead {
            id: id as i64,
            number: number.to_owned(),
            kind: kind as u8,
            version: 1,
            published: 0,
            purchase: if is_contract { PURCHASE } else { "" }.to_owned(),
            annuls: kind == DocumentKind::Procedure && id.is_multiple_of(3),
            origin: DocumentOrigin {
                name: "any".into(),
                subsystem: "any".into(),
            },
        }
    }

    #[test]
    fn sources_of_a_purchase_with_many_contracts_are_found_in_linear_time() {
        const CONTRACTS: usize = 20_000;
        let mut documents = vec![head(0, DocumentKind::Notice44, PURCHASE)];
        let mut expected = 1;
        for number in 0..CONTRACTS {
            let reg_num = format!("{number:019}");
            for kind in [DocumentKind::Contract, DocumentKind::Procedure] {
                documents.push(head(documents.len(), kind, &reg_num));
            }
            let is_annulled = documents.last().is_some_and(|last| last.annuls);
            expected += 1 + usize::from(is_annulled);
        }
        for lot in 0..CONTRACTS {
            let mut cancelled = head(documents.len(), DocumentKind::LotCancel223, PURCHASE);
            cancelled.version = lot as i64;
            documents.push(cancelled);
        }
        expected += CONTRACTS;
        let candidates = Candidates {
            has_record: [false, true, false],
            documents,
        };
        let candidates_by_subject = BySubject::new(&candidates);
        let selected = select_from(PURCHASE, &candidates_by_subject);
        assert_eq!(selected.len(), expected);
        let passed = candidates_by_subject.passed.get();
        assert!(passed <= 3 * candidates.documents.len(), "{passed}");
    }
}

//! Facts of official documents. The store knows what a document is about, but not what its facts
//! mean.
//!
//! The file contains the facts as well as the records derived from them, which doubles its size. In
//! return, answers do not depend on the order in which documents arrive.

use std::borrow::Cow;

use rusqlite::{Params, Row, params};

use super::error::{Error, Result};
use super::file::OpenFile;
use super::tally::Effect;
use super::unlinked_purchases::UnlinkedPurchases;
use crate::model::DocumentSubject;

/// A kind of facts. Data files store its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DocumentKind {
    /// A contract under 44-FZ.
    Contract = 1,
    /// A change in the execution of a contract under 44-FZ.
    Procedure = 2,
    /// The annulment of a contract under 44-FZ.
    ContractCancel = 3,
    /// The cancellation of a change in the execution of a contract under 44-FZ.
    ProcedureCancel = 4,
    Notice44 = 16,
    /// The day on which the first version of a notice under 44-FZ was published.
    FirstNotice44 = 17,
    /// The cancellation of a notice under 44-FZ.
    NoticeCancel44 = 18,
    /// New dates for a notice under 44-FZ.
    NoticeChange44 = 19,
    Protocol44 = 20,
    /// The cancellation of a protocol under 44-FZ.
    ProtocolCancel44 = 21,
    /// A change to one lot of a published notice under 44-FZ.
    LotChange44 = 22,
    /// A change of the organisation responsible for a published notice under 44-FZ.
    OrgChange44 = 23,
    /// The statement that a participant under 44-FZ will not conclude the contract.
    Withdrawal44 = 24,
    /// The cancellation of a [`DocumentKind::Withdrawal44`].
    WithdrawalCancel44 = 25,
    /// The suspension of a purchase under 44-FZ, or the end of such a suspension.
    Suspension44 = 26,
    /// The cancellation of signing a contract under 44-FZ, or the withdrawal of that cancellation.
    SigningCancel44 = 27,
    Notice223 = 32,
    /// The rejection of a purchase under 223-FZ.
    Rejection223 = 33,
    Protocol223 = 34,
    Contract223 = 35,
    /// The cancellation of a lot of a purchase under 223-FZ.
    LotCancel223 = 36,
    /// The time of an auction under 223-FZ.
    Bidding223 = 37,
    Notice615 = 48,
    Protocol615 = 49,
    /// The cancellation of a protocol under PP-615.
    ProtocolCancel615 = 50,
    Contract615 = 51,
    /// An act under PP-615 that denies a participant the contract.
    Excluded615 = 52,
    /// An entry of the registry of unfair suppliers.
    RnpEntry = 64,
    /// The exclusion of an entry from the registry of unfair suppliers.
    RnpExclusion = 65,
}

impl DocumentKind {
    pub const ALL: [Self; 29] = [
        Self::Contract,
        Self::Procedure,
        Self::ContractCancel,
        Self::ProcedureCancel,
        Self::Notice44,
        Self::FirstNotice44,
        Self::NoticeCancel44,
        Self::NoticeChange44,
        Self::Protocol44,
        Self::ProtocolCancel44,
        Self::LotChange44,
        Self::OrgChange44,
        Self::Withdrawal44,
        Self::WithdrawalCancel44,
        Self::Suspension44,
        Self::SigningCancel44,
        Self::Notice223,
        Self::Rejection223,
        Self::Protocol223,
        Self::Contract223,
        Self::LotCancel223,
        Self::Bidding223,
        Self::Notice615,
        Self::Protocol615,
        Self::ProtocolCancel615,
        Self::Contract615,
        Self::Excluded615,
        Self::RnpEntry,
        Self::RnpExclusion,
    ];

    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| *kind as u8 == number)
    }
}

/// Facts that the store can decode; implemented by the importer.
pub trait StoredFacts: Sized + Send + Sync + 'static {
    /// Decodes the facts of a document of this kind.
    ///
    /// # Errors
    /// If the bytes are damaged, returns a sentence that says how.
    fn from_stored(kind: DocumentKind, bytes: &[u8]) -> std::result::Result<Self, String>;
}

/// Returns what facts of a kind are about. `kind` is the number of a [`DocumentKind`].
pub(super) fn subject_of(kind: u8) -> DocumentSubject {
    match kind {
        ..16 => DocumentSubject::Contract,
        16..64 => DocumentSubject::Purchase,
        64.. => DocumentSubject::RnpEntry,
    }
}

impl DocumentSubject {
    /// Returns the range of kind numbers for this subject. The end is exclusive.
    pub(super) fn kinds(self) -> [u8; 2] {
        match self {
            Self::Contract => [0, 16],
            Self::Purchase => [16, 64],
            Self::RnpEntry => [64, 128],
        }
    }

    /// Returns the founding kinds of documents: a subject without a founding document has no
    /// record. Founding documents outrank lines.
    pub(super) fn founding(self) -> &'static [DocumentKind] {
        match self {
            Self::Contract => &[DocumentKind::Contract],
            Self::Purchase => &[
                DocumentKind::Notice44,
                DocumentKind::Notice223,
                DocumentKind::Notice615,
            ],
            Self::RnpEntry => &[DocumentKind::RnpEntry],
        }
    }
}

/// Facts from an official document about one contract, purchase or entry.
///
/// Of several documents with the same number, kind and key, the one with the greatest (version,
/// published, facts, origin) wins, whatever the order of arrival.
#[derive(Clone, Debug)]
pub struct Document {
    /// Number of the contract, purchase or RNP entry.
    pub number: String,
    pub kind: DocumentKind,
    /// Distinguishes several facts of the same kind about the same number; empty if there can be
    /// only one.
    pub key: String,
    /// Version stated by the document; 0 if documents of this kind have none.
    pub version: i64,
    /// Time of publication, in milliseconds since 1970.
    pub published: i64,
    /// For a contract, the number of the purchase that led to it; otherwise empty.
    pub purchase: String,
    /// Whether the document annuls its contract.
    pub annuls: bool,
    pub origin: DocumentOrigin,
    pub facts: Vec<u8>,
}

/// Decoded facts about a contract, purchase or RNP entry.
#[derive(Clone, Debug)]
pub struct FoundFacts<T> {
    pub id: i64,
    pub key: String,
    pub version: i64,
    /// Time of publication, in milliseconds since 1970.
    pub published: i64,
    pub facts: Box<T>,
}

/// A stored document without its facts. Unlike a [`DocumentHead`], it is read without verifying the
/// checksum of the row.
#[derive(Debug)]
pub(super) struct FoundDocument {
    pub id: i64,
    pub kind: u8,
    pub version: i64,
    pub published: i64,
}

/// Name of an official document and the part of EIS that publishes it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DocumentOrigin {
    /// Local name of the document's element.
    pub name: Cow<'static, str>,
    pub subsystem: Cow<'static, str>,
}

impl Document {
    pub(super) fn identity(&self) -> (&str, DocumentKind, &str) {
        (&self.number, self.kind, &self.key)
    }
}

/// A stored document with its encoded facts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredDocument {
    pub head: DocumentHead,
    pub key: String,
    pub facts: Vec<u8>,
}

impl StoredDocument {
    /// Returns the number of the contract under 223-FZ or PP-615 that the document is about; empty
    /// for other documents.
    #[cfg(feature = "postgresql")]
    pub(super) fn contract_of_purchase(&self) -> &str {
        let mut kinds = CONTRACTS_OF_PURCHASES.into_iter();
        match kinds.any(|kind| kind as u8 == self.head.kind) {
            true => self.key.split('/').next().unwrap_or_default(),
            false => "",
        }
    }
}

/// A stored document without its facts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentHead {
    pub id: i64,
    pub number: String,
    /// Number of a [`DocumentKind`].
    pub kind: u8,
    pub version: i64,
    /// Time of publication, in milliseconds since 1970.
    pub published: i64,
    /// For a contract, the number of the purchase that led to it; otherwise empty.
    pub purchase: String,
    /// Whether the document annuls its contract.
    pub annuls: bool,
    pub origin: DocumentOrigin,
}

/// Kinds of a purchase's documents from which contracts are derived; the first is required.
pub(super) const NOTICE_OF_CONTRACT: [DocumentKind; 2] =
    [DocumentKind::Notice44, DocumentKind::LotChange44];

/// A statement that selects documents with the columns that [`stored`] reads.
macro_rules! select {
    ($condition:literal) => {
        concat!(
            "SELECT document.id, number, kind, key, version, published, purchase, annuls, facts, \
             document.sum = row_sum(number, kind, key, version, published, purchase, annuls, \
             origin, facts), name, subsystem FROM document \
             LEFT JOIN document_origin ON document_origin.id = origin \
             AND document_origin.sum = row_sum(name, subsystem) ",
            $condition
        )
    };
}

/// SQL condition for documents that are contracts under 223-FZ or PP-615. Their keys start with the
/// number of the contract. The index `document_of_contract` has the same condition.
macro_rules! is_contract_of_purchase {
    () => {
        "kind IN (35, 51)"
    };
}

/// The kinds in [`is_contract_of_purchase!`].
#[cfg(any(test, feature = "postgresql"))]
const CONTRACTS_OF_PURCHASES: [DocumentKind; 2] =
    [DocumentKind::Contract223, DocumentKind::Contract615];

#[derive(Clone, Copy)]
pub struct Documents<'a>(pub(super) &'a OpenFile);

impl Documents<'_> {
    pub(super) fn is_empty(self) -> Result<bool> {
        let any = self
            .0
            .one("SELECT 1 FROM document LIMIT 1", (), |_| Ok(()))?;
        Ok(any.is_none())
    }

    /// Stores a document unless the stored one with the same number, kind and key outranks or
    /// equals it. If it replaces a document that names another purchase, adds that purchase to
    /// [`UnlinkedPurchases`]. The new id is greater than any before, so a caller can tell which
    /// documents were stored after an earlier state of the file.
    pub(super) fn put(self, document: &Document) -> Result<Effect> {
        let stored: Option<(i64, i64, i64, String)> = self.0.one(
            "SELECT id, version, published, purchase FROM document \
             WHERE number = ?1 AND kind = ?2 AND key = ?3",
            params![document.number, document.kind as u8, document.key],
            |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)),
        )?;
        let mut effect = Effect::New;
        if let Some((id, version, published, purchase)) = stored {
            let ours = (document.version, document.published);
            if ours < (version, published)
                || ours == (version, published) && !self.outranks(document, id)?
            {
                return Ok(Effect::Unchanged);
            }
            if !purchase.is_empty() && purchase != document.purchase {
                UnlinkedPurchases(self.0).put(&purchase)?;
            }
            effect = Effect::Newer;
        }
        let origin = self.origin_id(&document.origin)?;
        // No id is given, so a replaced row gets a new one.
        self.0.execute(
            "INSERT OR REPLACE INTO document \
             (number, kind, key, version, published, purchase, annuls, origin, sum, facts) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, \
             row_sum(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9), ?9)",
            params![
                document.number,
                document.kind as u8,
                document.key,
                document.version,
                document.published,
                document.purchase,
                document.annuls,
                origin,
                document.facts
            ],
        )?;
        Ok(effect)
    }

    /// Returns the greatest id ever assigned, even if that document was deleted; 0 if there never
    /// was a document.
    pub(super) fn last_id(self) -> Result<i64> {
        let sql = "SELECT seq FROM sqlite_sequence WHERE name = 'document'";
        let last = self.0.one(sql, (), |row| row.get(0))?;
        Ok(last.unwrap_or_default())
    }

    /// Returns whether a document outranks the stored one with this id, given that both have the
    /// same version and time. The greater facts win, then the greater origin.
    fn outranks(self, document: &Document, id: i64) -> Result<bool> {
        let stored = self.with_id(id)?;
        Ok((&document.facts, &document.origin) > (&stored.facts, &stored.head.origin))
    }

    /// Returns the id of an origin, storing the origin if it is new.
    fn origin_id(self, origin: &DocumentOrigin) -> Result<i64> {
        let DocumentOrigin { name, subsystem } = origin;
        let sql = "SELECT id FROM document_origin WHERE name = ?1 AND subsystem = ?2";
        let known = self
            .0
            .one(sql, params![name, subsystem], |row| row.get(0))?;
        if let Some(id) = known {
            return Ok(id);
        }
        let sql = "INSERT INTO document_origin (name, subsystem, sum) \
                   VALUES (?1, ?2, row_sum(?1, ?2))";
        self.0.execute(sql, params![name, subsystem])?;
        Ok(self.0.connection.last_insert_rowid())
    }

    /// Returns the documents that a query finds. The query must select the columns that [`stored`]
    /// reads.
    fn all(self, sql: &'static str, params: impl Params) -> Result<Vec<StoredDocument>> {
        let found = self.0.all(sql, params, stored)?;
        let found: std::result::Result<_, _> = found.into_iter().collect();
        found.map_err(|Damaged| self.damaged())
    }

    fn damaged(self) -> Error {
        self.0.damaged("a document: its checksum is wrong")
    }

    /// Passes documents to `each`, ordered by id. If `after` is an id, passes the documents stored
    /// after that one and all others about the same numbers; otherwise passes all documents.
    #[cfg(feature = "postgresql")]
    pub(super) fn each_since<E: From<Error>>(
        self,
        after: Option<i64>,
        mut each: impl FnMut(&StoredDocument) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        let sql = match after {
            None => select!("WHERE ?1 IS NULL ORDER BY document.id"),
            Some(_) => select!(
                "WHERE number IN (SELECT number FROM document WHERE id > ?1) \
                 ORDER BY document.id"
            ),
        };
        self.0.each(sql, [after], stored, |found| match found {
            Ok(found) => each(&found),
            Err(Damaged) => Err(self.damaged().into()),
        })
    }

    /// Returns the numbers of the purchases under 223-FZ and PP-615 that led to the contract with
    /// this number, in any order.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub fn purchases_of_contract(self, number: &str) -> Result<Vec<String>> {
        // A key has the form `CONTRACT` or `CONTRACT/RECORD`; '0' is the character after '/'.
        let sql = concat!(
            "SELECT DISTINCT number FROM document WHERE ",
            is_contract_of_purchase!(),
            " AND (key = ?1 OR key > ?1 || '/' AND key < ?1 || '0')"
        );
        self.0.all(sql, [number], |row| row.get(0))
    }

    /// Verifies the checksums of all documents and their origins. Returns the number of documents.
    pub(super) fn check(self) -> Result<u64> {
        let mut count = 0;
        self.0.each(select!(""), (), stored, |found| {
            count += 1;
            found.map(drop).map_err(|Damaged| self.damaged())
        })?;
        Ok(count)
    }

    /// Decodes the facts of a document.
    ///
    /// # Errors
    /// Returns an error if the facts cannot be decoded, which means that the file is damaged.
    pub fn unpack<T: StoredFacts>(self, document: &StoredDocument) -> Result<T> {
        let kind = document.head.kind;
        let facts = match DocumentKind::from_number(kind) {
            Some(kind) => T::from_stored(kind, &document.facts),
            None => Err(format!("of an unknown kind: {kind}")),
        };
        facts.map_err(|what| {
            let number = &document.head.number;
            self.0
                .damaged(format!("the facts of a document about {number}: {what}"))
        })
    }

    /// Returns the documents about a contract, purchase or entry, ordered by kind and key.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub fn about(self, subject: DocumentSubject, number: &str) -> Result<Vec<StoredDocument>> {
        let [from, to] = subject.kinds();
        self.all(
            select!("WHERE number = ?1 AND kind >= ?2 AND kind < ?3 ORDER BY kind, key"),
            params![number, from, to],
        )
    }

    /// Returns the facts about a contract, purchase or entry, ordered by kind and key.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub fn facts_about<T: StoredFacts>(
        self,
        subject: DocumentSubject,
        number: &str,
    ) -> Result<Vec<FoundFacts<T>>> {
        let stored = self.about(subject, number)?.into_iter();
        stored.map(|document| self.found(document)).collect()
    }

    /// Returns the facts about a purchase from which its contracts are derived, ordered by kind and
    /// key.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub fn notice_of_contract<T: StoredFacts>(self, purchase: &str) -> Result<Vec<FoundFacts<T>>> {
        let mut found = self.find_about(DocumentSubject::Purchase, purchase)?;
        let kinds = NOTICE_OF_CONTRACT.map(|kind| kind as u8);
        found.retain(|one| kinds.contains(&one.kind));
        let found = found.into_iter();
        found.map(|one| self.found(self.with_id(one.id)?)).collect()
    }

    fn found<T: StoredFacts>(self, document: StoredDocument) -> Result<FoundFacts<T>> {
        Ok(FoundFacts {
            facts: Box::new(self.unpack(&document)?),
            id: document.head.id,
            key: document.key,
            version: document.head.version,
            published: document.head.published,
        })
    }

    /// Returns whether there is a notice from which the contracts of a purchase can be derived.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub fn has_notice_of_contract(self, purchase: &str) -> Result<bool> {
        let [notice, _] = NOTICE_OF_CONTRACT;
        let sql = "SELECT 1 FROM document WHERE number = ?1 AND kind = ?2 LIMIT 1";
        let params = params![purchase, notice as u8];
        Ok(self.0.one(sql, params, |_| Ok(()))?.is_some())
    }

    /// Returns whether any document about this number has an id greater than `after`.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub fn has_any_after(self, subject: DocumentSubject, number: &str, after: i64) -> Result<bool> {
        let [from, to] = subject.kinds();
        let sql = "SELECT 1 FROM document \
                   WHERE number = ?1 AND kind >= ?2 AND kind < ?3 AND id > ?4 LIMIT 1";
        let params = params![number, from, to, after];
        Ok(self.0.one(sql, params, |_| Ok(()))?.is_some())
    }

    /// Adds the heads of the documents about a subject to `heads`, in the order of
    /// [`Documents::about`]. Verifies the checksum of each document, but holds the facts of only
    /// one in memory.
    pub(super) fn heads_about(
        self,
        subject: DocumentSubject,
        number: &str,
        heads: &mut Vec<DocumentHead>,
    ) -> Result<()> {
        let [from, to] = subject.kinds();
        self.0.each(
            select!("WHERE number = ?1 AND kind >= ?2 AND kind < ?3 ORDER BY kind, key"),
            params![number, from, to],
            stored,
            |found| {
                heads.push(found.map_err(|Damaged| self.damaged())?.head);
                Ok(())
            },
        )
    }

    pub(super) fn with_id(self, id: i64) -> Result<StoredDocument> {
        let found = self.all(select!("WHERE document.id = ?1"), [id])?.pop();
        found.ok_or_else(|| self.damaged())
    }

    /// Like [`Documents::about`], but does not read the facts.
    pub(super) fn find_about(
        self,
        subject: DocumentSubject,
        number: &str,
    ) -> Result<Vec<FoundDocument>> {
        let [from, to] = subject.kinds();
        let sql = "SELECT id, kind, version, published FROM document \
                   WHERE number = ?1 AND kind >= ?2 AND kind < ?3 ORDER BY kind, key";
        self.0.all(sql, params![number, from, to], |row| {
            Ok(FoundDocument {
                id: row.get(0)?,
                kind: row.get(1)?,
                version: row.get(2)?,
                published: row.get(3)?,
            })
        })
    }

    /// Returns the newest founding document of a record, if there is one.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub fn founding(
        self,
        subject: DocumentSubject,
        number: &str,
    ) -> Result<Option<StoredDocument>> {
        let id = self.founding_id(subject, number)?;
        id.map(|id| self.with_id(id)).transpose()
    }

    pub(super) fn has_founding(self, subject: DocumentSubject, number: &str) -> Result<bool> {
        Ok(self.founding_id(subject, number)?.is_some())
    }

    fn founding_id(self, subject: DocumentSubject, number: &str) -> Result<Option<i64>> {
        for kind in subject.founding() {
            let sql = "SELECT id FROM document WHERE number = ?1 AND kind = ?2 \
                       ORDER BY version DESC, published DESC LIMIT 1";
            let id = self
                .0
                .one(sql, params![number, *kind as u8], |row| row.get(0))?;
            if id.is_some() {
                return Ok(id);
            }
        }
        Ok(None)
    }

    /// Returns whether a purchase led to more than `count` contracts.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub fn has_more_contracts(self, purchase: &str, count: u32) -> Result<bool> {
        let sql = "SELECT 1 FROM document WHERE purchase = ?1 AND purchase <> '' LIMIT 1 OFFSET ?2";
        let found = self.0.one(sql, params![purchase, count], |_| Ok(()))?;
        Ok(found.is_some())
    }

    /// Returns up to `count` of the contracts to which a purchase led, each with the id of its
    /// document and its registry number. The ids are greater than `after` and ascend.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub fn contracts_after(
        self,
        purchase: &str,
        after: i64,
        count: u32,
    ) -> Result<Vec<(i64, String)>> {
        let sql = "SELECT id, number FROM document \
                   WHERE purchase = ?1 AND purchase <> '' AND id > ?2 ORDER BY id LIMIT ?3";
        let params = params![purchase, after, count];
        self.0
            .all(sql, params, |row| Ok((row.get(0)?, row.get(1)?)))
    }

    /// Returns the registry numbers of the contracts to which a purchase led.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub fn contracts_of(self, purchase: &str) -> Result<Vec<String>> {
        let sql = "SELECT number FROM document WHERE purchase = ?1 AND purchase <> '' \
                   ORDER BY number";
        self.0.all(sql, [purchase], |row| row.get(0))
    }

    /// Returns up to `count` numbers of subjects of this kind that have documents, in ascending
    /// order, starting after `after`.
    pub(super) fn numbers_after(
        self,
        subject: DocumentSubject,
        after: &str,
        count: u32,
    ) -> Result<Vec<String>> {
        let [from, to] = subject.kinds();
        let sql = "SELECT DISTINCT number FROM document \
                   WHERE number > ?1 AND kind >= ?2 AND kind < ?3 ORDER BY number LIMIT ?4";
        self.0
            .all(sql, params![after, from, to, count], |row| row.get(0))
    }

    pub(super) fn count_numbers(self, subject: DocumentSubject) -> Result<u64> {
        let [from, to] = subject.kinds();
        let sql = "SELECT count(*) FROM (SELECT DISTINCT number FROM document \
                   WHERE kind >= ?1 AND kind < ?2)";
        self.0.value(sql, params![from, to], |row| row.get(0))
    }

    /// Returns the publication time of the newest document about an entry, in milliseconds since
    /// 1970.
    pub(super) fn last_published(self, number: &str) -> Result<Option<i64>> {
        let [from, to] = DocumentSubject::RnpEntry.kinds();
        let sql = "SELECT max(published) FROM document \
                   WHERE number = ?1 AND kind >= ?2 AND kind < ?3";
        let published = self
            .0
            .one(sql, params![number, from, to], |row| row.get(0))?;
        Ok(published.flatten())
    }

    pub(super) fn forget_entry(self, number: &str) -> Result<()> {
        let [from, to] = DocumentSubject::RnpEntry.kinds();
        let sql = "DELETE FROM document WHERE number = ?1 AND kind >= ?2 AND kind < ?3";
        self.0.execute(sql, params![number, from, to])
    }
}

/// The row has a wrong checksum, or its origin is missing or damaged.
struct Damaged;

/// Reads the columns of [`select!`].
fn stored(row: &Row<'_>) -> rusqlite::Result<std::result::Result<StoredDocument, Damaged>> {
    let is_sound: bool = row.get(9)?;
    let [name, subsystem]: [Option<String>; 2] = [row.get(10)?, row.get(11)?];
    let Some((name, subsystem)) = name.zip(subsystem).filter(|_| is_sound) else {
        return Ok(Err(Damaged));
    };
    Ok(Ok(StoredDocument {
        key: row.get(3)?,
        head: DocumentHead {
            id: row.get(0)?,
            number: row.get(1)?,
            kind: row.get(2)?,
            version: row.get(4)?,
            published: row.get(5)?,
            purchase: row.get(6)?,
            annuls: row.get(7)?,
            origin: DocumentOrigin {
                name: name.into(),
                subsystem: subsystem.into(),
            },
        },
        facts: row.get(8)?,
    }))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::file::{DATA, model};
    use super::*;

    fn entry(number: &str, version: i64) -> Document {
        Document {
            number: number.to_owned(),
            kind: DocumentKind::RnpEntry,
            key: String::new(),
            version,
            published: 0,
            purchase: String::new(),
            annuls: false,
            origin: DocumentOrigin {
                name: "unfairSupplier".into(),
                subsystem: "RNP".into(),
            },
            facts: Vec::new(),
        }
    }

    #[test]
    fn the_condition_on_contracts_of_purchases_matches_the_index_and_the_kinds() {
        let kinds = CONTRACTS_OF_PURCHASES.map(|kind| (kind as u8).to_string());
        let expected = format!("kind IN ({})", kinds.join(", "));
        assert_eq!(is_contract_of_purchase!(), expected);
        let index = concat!("ON document (key) WHERE ", is_contract_of_purchase!(), ";");
        assert!((DATA.schema)().contains(index));
    }

    #[test]
    fn ids_of_replaced_or_deleted_documents_are_never_reused() {
        let connection = model().expect("an empty file");
        let file = OpenFile::new(connection, Path::new("data.sqlite"));
        let documents = Documents(&file);
        let put = |number, version| {
            let effect = documents.put(&entry(number, version)).expect("stored");
            let about = documents.about(DocumentSubject::RnpEntry, number);
            (effect, about.expect("a document")[0].head.id)
        };
        assert_eq!(put("1", 1), (Effect::New, 1));
        assert_eq!(put("2", 1), (Effect::New, 2));
        assert_eq!(put("1", 2), (Effect::Newer, 3));
        assert_eq!(put("1", 1), (Effect::Unchanged, 3));
        documents.forget_entry("1").expect("forgotten");
        assert_eq!(put("3", 1), (Effect::New, 4));
        documents.forget_entry("2").expect("forgotten");
        documents.forget_entry("3").expect("forgotten");
        assert_eq!(put("1", 1), (Effect::New, 5));
        let stored = documents.with_id(5).expect("a document");
        assert_eq!(stored.head.version, 1);
    }
}

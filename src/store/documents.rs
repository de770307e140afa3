//! The facts of official documents: the store knows what they are about, not what they say.
//!
//! They stay in the file beside the records that are derived from them, which makes it twice as
//! large: that is the price of answers that do not depend on the order of documents.

use std::collections::BTreeSet;

use rusqlite::{Params, Row, params};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::error::{Error, Result};
use super::file::OpenFile;
use super::record::{self, RowChecksum, seal, unseal};
use super::tally::DocumentChange;

/// A kind of facts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DocumentKind {
    /// A contract under 44-FZ.
    Contract = 1,
    /// A change to its execution.
    Procedure = 2,
    /// Its annulment.
    ContractCancel = 3,
    /// The cancellation of such a change.
    ProcedureCancel = 4,
    /// A notice under 44-FZ.
    Notice44 = 16,
    /// The day its first version was published.
    FirstNotice44 = 17,
    /// Its cancellation.
    NoticeCancel44 = 18,
    /// New dates in it.
    NoticeChange44 = 19,
    /// A protocol under 44-FZ.
    Protocol44 = 20,
    /// Its cancellation.
    ProtocolCancel44 = 21,
    /// A lot changed after the notice.
    LotChange44 = 22,
    /// The organisation responsible changed after the notice.
    OrgChange44 = 23,
    /// A notice under 223-FZ.
    Notice223 = 32,
    /// The rejection of a purchase under 223-FZ.
    Rejection223 = 33,
    /// A protocol under 223-FZ.
    Protocol223 = 34,
    /// A contract under 223-FZ.
    Contract223 = 35,
    /// The cancellation of a lot of a purchase under 223-FZ.
    LotCancel223 = 36,
    /// A notice under PP-615.
    Notice615 = 48,
    /// A protocol under PP-615.
    Protocol615 = 49,
    /// Its cancellation.
    ProtocolCancel615 = 50,
    /// A contract under PP-615.
    Contract615 = 51,
    /// An entry of the registry of unfair suppliers.
    RnpEntry = 64,
    /// Its exclusion.
    RnpExclusion = 65,
}

/// What documents are about. A contract and a purchase may have the same number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Subject {
    /// A contract under 44-FZ, by its registry number.
    Contract,
    /// A purchase of any law, by its number.
    Purchase,
    /// An entry of the registry of unfair suppliers, by its number.
    RnpEntry,
}

impl DocumentKind {
    /// The subject of facts of this kind.
    pub fn subject(self) -> Subject {
        match self as u8 {
            ..16 => Subject::Contract,
            16..64 => Subject::Purchase,
            64.. => Subject::RnpEntry,
        }
    }
}

impl Subject {
    /// All of them.
    pub(super) const ALL: [Self; 3] = [Self::Contract, Self::Purchase, Self::RnpEntry];

    /// The range of the numbers of its kinds; the end is exclusive.
    fn kinds(self) -> [u8; 2] {
        match self {
            Self::Contract => [0, 16],
            Self::Purchase => [16, 64],
            Self::RnpEntry => [64, 128],
        }
    }

    /// The kinds of documents that found a record: without one there is no derived record,
    /// and with one it outranks lines.
    fn founding(self) -> &'static [DocumentKind] {
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

/// One thing that an official document says about a contract, purchase or entry.
///
/// Of one (number, kind, key) the greatest (version, published, facts) counts, in
/// whatever order they come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// The number of what it is about.
    pub number: String,
    /// What kind of facts.
    pub kind: DocumentKind,
    /// Which of the facts of that kind; empty where there can be only one.
    pub key: String,
    /// The version it says it is; 0 where the kind has none.
    pub version: i64,
    /// When it was published, in milliseconds since 1970.
    pub published: i64,
    /// Of a contract: the purchase it was concluded after.
    pub purchase: String,
    /// The facts, packed by [`Document::pack`].
    pub facts: Vec<u8>,
}

impl Document {
    /// Packs facts into the bytes for [`Document::facts`].
    ///
    /// # Errors
    /// A sentence: the type cannot be packed.
    pub fn pack<T: Serialize>(facts: &T) -> std::result::Result<Vec<u8>, String> {
        postcard::to_stdvec(facts).map_err(|error| error.to_string())
    }

    /// Its facts as they are stored, with their checksum.
    fn sealed(&self) -> Vec<u8> {
        let mut facts = self.facts.clone();
        let kind = self.kind as i64;
        let (version, published) = (self.version, self.published);
        seal(
            &mut facts,
            owner(
                &self.number,
                kind,
                &self.key,
                version,
                published,
                &self.purchase,
            ),
        );
        facts
    }

    /// What it is about, its kind and its key.
    pub(super) fn identity(&self) -> (&str, DocumentKind, &str) {
        (&self.number, self.kind, &self.key)
    }
}

/// Facts as they are stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredDocument {
    /// Which of the facts of its kind.
    pub key: String,
    /// The version it says it is.
    pub version: i64,
    /// When it was published, in milliseconds since 1970.
    pub published: i64,
    /// What it says.
    pub facts: Vec<u8>,
}

/// What the written documents are about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Touched {
    /// Registry numbers of contracts.
    pub contracts: BTreeSet<String>,
    /// Numbers of purchases with documents of their own.
    pub purchases: BTreeSet<String>,
    /// Numbers of purchases that contracts are or were concluded after.
    pub purchases_of_contracts: BTreeSet<String>,
    /// Numbers of RNP entries.
    pub rnp_entries: BTreeSet<String>,
}

/// The table of documents.
#[derive(Clone, Copy)]
pub struct Documents<'a>(pub(super) &'a OpenFile);

impl Documents<'_> {
    /// Is the table empty?
    pub(super) fn is_empty(self) -> Result<bool> {
        let any = self
            .0
            .one("SELECT 1 FROM document LIMIT 1", (), |_| Ok(()))?;
        Ok(any.is_none())
    }

    /// Stores a document if it is the newest of its identity, and adds its subject to
    /// `touched`.
    pub(super) fn put(self, document: &Document, touched: &mut Touched) -> Result<DocumentChange> {
        let stored: Option<(i64, i64, i64, String)> = self.0.one(
            "SELECT id, version, published, purchase FROM document \
             WHERE number = ?1 AND kind = ?2 AND key = ?3",
            params![document.number, document.kind as u8, document.key],
            |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)),
        )?;
        let Some((id, version, published, purchase)) = stored else {
            self.0.execute(
                "INSERT INTO document (number, kind, key, version, published, purchase, facts) \
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                params![
                    document.number,
                    document.kind as u8,
                    document.key,
                    document.version,
                    document.published,
                    document.purchase,
                    document.sealed()
                ],
            )?;
            touched.add(document);
            return Ok(DocumentChange::New);
        };
        let ours = (document.version, document.published);
        if ours < (version, published)
            || ours == (version, published) && document.facts <= self.facts(id)?
        {
            return Ok(DocumentChange::Unchanged);
        }
        self.0.execute(
            "UPDATE document SET version = ?2, published = ?3, purchase = ?4, facts = ?5 \
             WHERE id = ?1",
            params![
                id,
                document.version,
                document.published,
                document.purchase,
                document.sealed()
            ],
        )?;
        if !purchase.is_empty() {
            touched.purchases_of_contracts.insert(purchase);
        }
        touched.add(document);
        Ok(DocumentChange::Newer)
    }

    fn facts(self, id: i64) -> Result<Vec<u8>> {
        let sql = "SELECT key, version, published, facts, number, kind, purchase FROM document \
                   WHERE id = ?1";
        let stored = self.0.one(sql, [id], stored)?.transpose();
        let stored = stored.map_err(|Damaged| self.damaged())?;
        Ok(stored.map_or_else(Vec::new, |stored| stored.facts))
    }

    /// The documents of a query with the columns that [`stored`] reads.
    fn all(self, sql: &'static str, params: impl Params) -> Result<Vec<StoredDocument>> {
        let found = self.0.all(sql, params, stored)?;
        let found: std::result::Result<_, _> = found.into_iter().collect();
        found.map_err(|Damaged| self.damaged())
    }

    fn damaged(self) -> Error {
        self.0
            .damaged("the facts of a document: their checksum is wrong")
    }

    /// Checks the checksums of all facts. Returns how many there are.
    pub(super) fn check(self) -> Result<u64> {
        let mut count = 0;
        let sql = "SELECT key, version, published, facts, number, kind, purchase FROM document";
        self.0.each(sql, (), stored, |found| {
            count += 1;
            found.map(drop).map_err(|Damaged| self.damaged())
        })?;
        Ok(count)
    }

    /// The facts of a document.
    ///
    /// # Errors
    /// They cannot be decoded: the file is damaged.
    pub fn unpack<T: DeserializeOwned>(self, document: &StoredDocument) -> Result<T> {
        record::decode(&self.0.path, &document.facts)
    }

    /// The documents about a contract, purchase or entry, by kind and key.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn about(self, subject: Subject, number: &str) -> Result<Vec<StoredDocument>> {
        let [from, to] = subject.kinds();
        self.all(
            "SELECT key, version, published, facts, number, kind, purchase FROM document \
             WHERE number = ?1 AND kind >= ?2 AND kind < ?3 ORDER BY kind, key",
            params![number, from, to],
        )
    }

    /// The founding document of a record, if there is one.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn founding(self, subject: Subject, number: &str) -> Result<Option<StoredDocument>> {
        for kind in subject.founding() {
            let sql = "SELECT key, version, published, facts, number, kind, purchase \
                       FROM document WHERE number = ?1 AND kind = ?2 AND key = ''";
            let found = self.all(sql, params![number, *kind as u8])?.pop();
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// The documents of one kind about a number, by key.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn of_kind(self, kind: DocumentKind, number: &str) -> Result<Vec<StoredDocument>> {
        self.all(
            "SELECT key, version, published, facts, number, kind, purchase FROM document \
             WHERE number = ?1 AND kind = ?2 ORDER BY key",
            params![number, kind as u8],
        )
    }

    /// Has the record a founding document?
    pub(super) fn has_founding(self, subject: Subject, number: &str) -> Result<bool> {
        for kind in subject.founding() {
            let sql = "SELECT 1 FROM document WHERE number = ?1 AND kind = ?2 AND key = ''";
            let found = self
                .0
                .one(sql, params![number, *kind as u8], |_| Ok(()))?
                .is_some();
            if found {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The registry numbers of the contracts concluded after a purchase.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn contracts_of(self, purchase: &str) -> Result<Vec<String>> {
        let sql = "SELECT number FROM document WHERE purchase = ?1 AND purchase <> '' \
                   ORDER BY number";
        self.0.all(sql, [purchase], |row| row.get(0))
    }

    /// The numbers of this subject that have documents and come after `after`, at most `count`
    /// of them.
    pub(super) fn numbers_after(
        self,
        subject: Subject,
        after: &str,
        count: u32,
    ) -> Result<BTreeSet<String>> {
        let [from, to] = subject.kinds();
        let sql = "SELECT DISTINCT number FROM document \
                   WHERE number > ?1 AND kind >= ?2 AND kind < ?3 ORDER BY number LIMIT ?4";
        let numbers = self
            .0
            .all(sql, params![after, from, to, count], |row| row.get(0))?;
        Ok(numbers.into_iter().collect())
    }

    /// Deletes all documents about an entry.
    pub(super) fn forget_entry(self, number: &str) -> Result<()> {
        let [from, to] = Subject::RnpEntry.kinds();
        let sql = "DELETE FROM document WHERE number = ?1 AND kind >= ?2 AND kind < ?3";
        self.0.execute(sql, params![number, from, to])
    }
}

/// Facts with a wrong checksum.
struct Damaged;

/// Reads `key, version, published, facts, number, kind, purchase`.
fn stored(row: &Row<'_>) -> rusqlite::Result<std::result::Result<StoredDocument, Damaged>> {
    let (key, version, published): (String, _, _) = (row.get(0)?, row.get(1)?, row.get(2)?);
    let sealed = row.get_ref(3)?.as_blob()?;
    let (number, kind, purchase): (String, i64, String) = (row.get(4)?, row.get(5)?, row.get(6)?);
    let owner = owner(&number, kind, &key, version, published, &purchase);
    let facts = unseal(sealed, owner).ok_or(Damaged);
    Ok(facts.map(|facts| StoredDocument {
        key,
        version,
        published,
        facts: facts.to_vec(),
    }))
}

/// The checksum of all other columns of the row, with which facts are sealed.
fn owner(
    number: &str,
    kind: i64,
    key: &str,
    version: i64,
    published: i64,
    purchase: &str,
) -> RowChecksum {
    RowChecksum::default()
        .text(number.as_bytes())
        .number(kind)
        .text(key.as_bytes())
        .number(version)
        .number(published)
        .text(purchase.as_bytes())
}

impl Touched {
    /// The numbers of a subject.
    pub(super) fn numbers(&mut self, subject: Subject) -> &mut BTreeSet<String> {
        match subject {
            Subject::Contract => &mut self.contracts,
            Subject::Purchase => &mut self.purchases,
            Subject::RnpEntry => &mut self.rnp_entries,
        }
    }

    fn add(&mut self, document: &Document) {
        let numbers = self.numbers(document.kind.subject());
        if !numbers.contains(&document.number) {
            numbers.insert(document.number.clone());
        }
        if !document.purchase.is_empty() {
            self.purchases_of_contracts
                .insert(document.purchase.clone());
        }
    }
}

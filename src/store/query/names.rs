//! Search of suppliers and customers by name, and of RNP entries whose suppliers have no INN.

use std::cmp::Reverse;

use super::super::error::Result;
use super::super::record::read_entry;
use super::super::suppliers::SupplierRow;
use super::pages::customer_name;
use super::source::Source;
use crate::model::{Inn, NameQuery, NameScore, RnpEntry, searched_name};

/// The names to search.
#[derive(Clone, Copy, Debug)]
pub enum NameKinds<'a> {
    /// The names of suppliers.
    Suppliers,
    /// The names of suppliers, customers and entries without an INN, except those with this INN.
    AllBut(&'a str),
}

/// A supplier, a customer or an entry whose name matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameMatch {
    /// The score of the match, from 1 to 100.
    pub score: u8,
    /// The owner of the name.
    pub owner: NameOwner,
}

/// The owner of a matching name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NameOwner {
    /// A known supplier.
    Supplier(SupplierRow),
    /// A customer.
    Customer {
        /// Its INN.
        inn: String,
        /// The name in its newest contract that has one.
        name: String,
        /// The number of its contracts.
        contracts: u64,
    },
    /// An RNP entry of a supplier without an INN.
    Entry(Box<RnpEntry>),
}

/// The suppliers, customers and entries whose names match.
#[derive(Clone, Debug, Default)]
pub struct NameMatches {
    /// The number of matches.
    pub count: u64,
    /// The best matches: by score, descending, then those with the legal forms of the text, then by
    /// the number of contracts, descending, then suppliers, customers and
    /// entries, then by INN or number.
    pub best: Vec<NameMatch>,
}

/// A match in its sort order.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    score: Reverse<u8>,
    has_forms: Reverse<bool>,
    contracts: Reverse<u64>,
    kind: NameKind,
    /// The INN, or the number of an entry.
    key: String,
}

/// The kind of a name's owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum NameKind {
    Supplier,
    Customer,
    Entry,
}

/// The most matches in memory, beside the best, before the others are dropped.
const HELD: usize = 1000;

/// As [`super::Database::find_names`].
pub(super) fn find_names(
    source: &dyn Source,
    query: &NameQuery,
    kinds: NameKinds<'_>,
    limit: usize,
) -> Result<NameMatches> {
    let entries = match kinds {
        NameKinds::Suppliers => Vec::new(),
        NameKinds::AllBut(_) => entries_without_inn(source)?,
    };
    for step in query.steps() {
        let mut best = Best::new(limit);
        for (at, way) in step.ways.iter().enumerate() {
            source.names(&way.parts(), &mut |row| {
                if matches!(kinds, NameKinds::Suppliers) && row.is_customer {
                    return Ok(());
                }
                let Some(NameScore { score, has_forms }) = step.score(at, row.name) else {
                    return Ok(());
                };
                let inn = row.inn.to_string();
                if !matches!(kinds, NameKinds::AllBut(but) if but == inn) {
                    best.add(Candidate {
                        score: Reverse(score),
                        has_forms: Reverse(has_forms),
                        contracts: Reverse(row.contracts),
                        kind: match row.is_customer {
                            false => NameKind::Supplier,
                            true => NameKind::Customer,
                        },
                        key: inn,
                    });
                }
                Ok(())
            })?;
            for (name, entry) in &entries {
                if let Some(NameScore { score, has_forms }) = step.score(at, name) {
                    best.add(Candidate {
                        score: Reverse(score),
                        has_forms: Reverse(has_forms),
                        contracts: Reverse(0),
                        kind: NameKind::Entry,
                        key: entry.registration_number.clone(),
                    });
                }
            }
        }
        if best.count > 0 {
            return best.matches(source, &entries);
        }
    }
    Ok(NameMatches::default())
}

/// An RNP entry with its supplier's name as it is searched.
pub(super) type NamedEntry = (String, RnpEntry);

/// Returns the RNP entries of suppliers without an INN. There are few of them, so that they need no
/// index.
pub(super) fn entries_without_inn(source: &dyn Source) -> Result<Vec<NamedEntry>> {
    let mut entries = Vec::new();
    source.entries(&Inn::none(), &mut |record| {
        let entry = read_entry(Inn::none().as_str(), record);
        let entry = entry.map_err(|what| source.damaged(&what))?;
        entries.push((searched_name(&entry.supplier_name), entry));
        Ok(())
    })?;
    Ok(entries)
}

/// The best of any number of candidates.
struct Best {
    limit: usize,
    count: u64,
    candidates: Vec<Candidate>,
}

impl Best {
    fn new(limit: usize) -> Self {
        Self {
            limit,
            count: 0,
            candidates: Vec::new(),
        }
    }

    fn add(&mut self, candidate: Candidate) {
        self.count += 1;
        self.candidates.push(candidate);
        if self.candidates.len() >= self.limit + HELD {
            self.drop_others();
        }
    }

    fn drop_others(&mut self) {
        self.candidates.sort_unstable();
        self.candidates.truncate(self.limit);
    }

    fn matches(mut self, source: &dyn Source, entries: &[NamedEntry]) -> Result<NameMatches> {
        self.drop_others();
        Ok(NameMatches {
            count: self.count,
            best: owned(source, self.candidates, entries)?,
        })
    }
}

/// Returns the matches of candidates, in their order.
fn owned(
    source: &dyn Source,
    candidates: Vec<Candidate>,
    entries: &[NamedEntry],
) -> Result<Vec<NameMatch>> {
    let suppliers = candidates.iter();
    let suppliers = suppliers.filter(|one| one.kind == NameKind::Supplier);
    let inns: Vec<Inn> = suppliers.filter_map(|one| Inn::parse(&one.key)).collect();
    let mut suppliers = source.suppliers_with_inns(&inns)?.into_iter();
    let missing = || source.damaged("a name without its supplier");
    let owned = candidates.into_iter().map(|candidate| {
        let owner = match candidate.kind {
            NameKind::Supplier => NameOwner::Supplier(suppliers.next().ok_or_else(missing)?),
            NameKind::Customer => NameOwner::Customer {
                name: customer_name(source, &candidate.key)?,
                inn: candidate.key,
                contracts: candidate.contracts.0,
            },
            NameKind::Entry => {
                let is_it = |(_, entry): &&NamedEntry| entry.registration_number == candidate.key;
                let (_, entry) = entries.iter().find(is_it).ok_or_else(missing)?;
                NameOwner::Entry(Box::new(entry.clone()))
            }
        };
        Ok(NameMatch {
            score: candidate.score.0,
            owner,
        })
    });
    owned.collect()
}

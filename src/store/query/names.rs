//! Searches suppliers, customers, and RNP entries of suppliers without an INN by name.

use std::cmp::Reverse;

use super::super::error::Result;
use super::super::record::read_entry;
use super::super::suppliers::SupplierRow;
use super::pages::customer_name;
use super::source::Source;
use crate::model::{Inn, NameQuery, NameScore, RnpEntry, searched_name};

/// Whose names to search.
#[derive(Clone, Copy, Debug)]
pub enum NameKinds<'a> {
    Suppliers,
    /// All suppliers and customers except those with this INN, and the RNP entries of suppliers
    /// without an INN.
    AllBut(&'a str),
}

/// A match of a name search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameMatch {
    /// From 1 to 100.
    pub score: u8,
    pub owner: NameOwner,
}

/// The party that a matched name belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NameOwner {
    Supplier(SupplierRow),
    Customer {
        inn: String,
        /// The name in the newest contract that states one.
        name: String,
        contracts: u64,
    },
    /// An RNP entry of a supplier without an INN.
    Entry(Box<RnpEntry>),
}

/// The suppliers, customers and entries whose names match.
#[derive(Clone, Debug, Default)]
pub struct NameMatches {
    pub count: u64,
    /// The best matches come first: by score, then those that also have the query's legal forms,
    /// then by number of contracts, then suppliers before customers before entries, then by INN or
    /// number.
    pub best: Vec<NameMatch>,
}

/// A match. The order of the fields is the sort order.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    score: Reverse<u8>,
    has_forms: Reverse<bool>,
    contracts: Reverse<u64>,
    kind: NameKind,
    /// INN, or number of an entry.
    key: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum NameKind {
    Supplier,
    Customer,
    Entry,
}

/// Number of matches collected beyond the limit before the worst ones are dropped.
const HELD: usize = 1000;

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

/// An RNP entry, preceded by its supplier's name in searchable form.
pub(super) type NamedEntry = (String, RnpEntry);

/// Returns the RNP entries about suppliers without an INN. They are so few that they need no index.
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

fn owned(
    source: &dyn Source,
    candidates: Vec<Candidate>,
    entries: &[NamedEntry],
) -> Result<Vec<NameMatch>> {
    let suppliers = candidates.iter();
    let suppliers = suppliers.filter(|one| one.kind == NameKind::Supplier);
    let inns: Vec<Inn> = suppliers.filter_map(|one| Inn::parse(&one.key)).collect();
    let mut suppliers = source.suppliers_with_inns(&inns)?.into_iter();
    let missing = || source.damaged("a name without a supplier");
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

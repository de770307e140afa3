//! Search of suppliers and customers by name.

use std::cmp::Reverse;

use super::super::error::Result;
use super::super::suppliers::KnownSupplier;
use super::pages::customer_name;
use super::source::Source;
use crate::model::{Inn, NameQuery, NameScore};

/// The names to search.
#[derive(Clone, Copy, Debug)]
pub enum NameKinds<'a> {
    /// The names of suppliers.
    Suppliers,
    /// The names of suppliers and customers, except those with this INN.
    AllBut(&'a str),
}

/// A supplier or a customer whose name matches.
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
    Supplier(KnownSupplier),
    /// A customer.
    Customer {
        /// Its INN.
        inn: String,
        /// The name in its newest contract that has one.
        name: String,
        /// The number of its contracts.
        contracts: u64,
    },
}

/// The suppliers and customers whose names match.
#[derive(Clone, Debug, Default)]
pub struct NameMatches {
    /// The number of matches.
    pub count: u64,
    /// The best matches: by score, descending, then those with the legal forms of the text, then by
    /// the number of contracts, descending, then suppliers before customers, then by INN.
    pub best: Vec<NameMatch>,
}

/// A match in its sort order.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    score: Reverse<u8>,
    has_forms: Reverse<bool>,
    contracts: Reverse<u64>,
    is_customer: bool,
    inn: String,
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
                        is_customer: row.is_customer,
                        inn,
                    });
                }
                Ok(())
            })?;
        }
        if best.count > 0 {
            return best.matches(source);
        }
    }
    Ok(NameMatches::default())
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

    fn matches(mut self, source: &dyn Source) -> Result<NameMatches> {
        self.drop_others();
        Ok(NameMatches {
            count: self.count,
            best: owned(source, self.candidates)?,
        })
    }
}

/// Returns the matches of candidates, in their order.
fn owned(source: &dyn Source, candidates: Vec<Candidate>) -> Result<Vec<NameMatch>> {
    let suppliers = candidates.iter().filter(|one| !one.is_customer);
    let inns: Vec<Inn> = suppliers.filter_map(|one| Inn::parse(&one.inn)).collect();
    let mut suppliers = source.suppliers_with_inns(&inns)?.into_iter();
    let missing = || source.damaged("a name without its supplier");
    let owned = candidates.into_iter().map(|candidate| {
        let owner = match candidate.is_customer {
            false => NameOwner::Supplier(suppliers.next().ok_or_else(missing)?),
            true => NameOwner::Customer {
                name: customer_name(source, &candidate.inn)?,
                inn: candidate.inn,
                contracts: candidate.contracts.0,
            },
        };
        Ok(NameMatch {
            score: candidate.score.0,
            owner,
        })
    });
    owned.collect()
}

//! Searches the contracts of all suppliers by content.
//!
//! The content index decides most conditions. Ids decide conditions on suppliers and days of
//! signing ([`contract_id`](super::super::contract_id)). Facets are only read for the rest: prices,
//! days of the last change, ends of execution. Ids arrive in ascending order, [`AT_ONCE`] at a
//! time, so that no other statement runs while the index is being read. A server that stores facets
//! with the content index passes on the facets of what it finds ([`Source::found_facets`]).

use std::ops::{ControlFlow, RangeInclusive};
use std::sync::Arc;

use super::super::contract_id::{ids_of_supplier, signed_on};
use super::super::error::{Error, Result};
use super::super::facet_columns::FacetColumn;
use super::super::listed_contracts::ListedContracts;
use super::facets::Facets;
use super::filter::Condition;
use super::listed::listed_contracts;
use super::pages::{ContractMatch, ids_on_page};
use super::source::{ContentKind, Source};
use super::{Database, IDS_FOR_FACETS, SuppliedContracts};
use crate::model::{
    ContentFilter, ContentTokens, ContractFilter, ContractOrder, Date, OrderBy, RiskFact,
};

/// Maximum number of contracts that a search may find. A contract counts once per supplier.
pub const MAX_MATCHES: usize = 1_000_000;

/// Maximum number of ids read per statement. They take 8 MB, and are just enough to find out that a
/// search is too broad.
pub(super) const AT_ONCE: usize = MAX_MATCHES + 1;

/// Number of contracts whose facets are read per statement. A statement to a server contains their
/// ids.
const FACETS_AT_ONCE: usize = 100_000;

/// The search finds more than the maximum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooBroad {
    /// A lower bound on the number of results: those found before the search was stopped.
    pub at_least: u64,
}

/// The result of a search, unless the search is too broad.
pub type Searched<T> = std::result::Result<T, TooBroad>;

/// A page of contracts found by a search.
#[derive(Clone, Debug)]
pub struct ContentSelection {
    /// Number of all contracts found. A contract counts once per supplier.
    pub count: u64,
    pub contracts: SuppliedContracts,
}

impl Database {
    /// Selects up to `limit` of the contracts that match `filter`, in the given order, after the
    /// first `skip`. Ties are ordered by registry number, then by the supplier's INN, in the same
    /// direction.
    ///
    /// Takes 48 bytes of memory per match.
    ///
    /// # Errors
    /// Returns an error if the data is unreadable.
    pub fn search(
        &self,
        filter: &ContentFilter,
        order: ContractOrder,
        skip: u64,
        limit: u64,
    ) -> Result<Searched<ContentSelection>> {
        let source = self.source();
        let matches = match Search::new(self, filter)? {
            Some(search) => search.matches(order.by)?,
            None => Ok(Vec::new()),
        };
        let matches = match matches {
            Ok(matches) => matches,
            Err(too_broad) => return Ok(Err(too_broad)),
        };
        let count = matches.len() as u64;
        let ids = ids_on_page(source, matches, skip, limit, order.ascending)?;
        Ok(Ok(ContentSelection {
            count,
            contracts: SuppliedContracts { ids },
        }))
    }
}

pub(super) struct Search<'a> {
    database: &'a Database,
    source: &'a dyn Source,
    filter: &'a ContentFilter,
    /// Range of the ids that may match.
    ids: RangeInclusive<i64>,
    /// Query of the index, without risk facts.
    tokens: ContentTokens,
    /// `tokens` with the risk facts that the filter asks for. `None` if the only such fact is the
    /// one in `listed`, which the index does not have: only contracts in `listed` can then match.
    tokens_with_facts: Option<ContentTokens>,
    /// Contracts signed while the supplier was listed, if the filter asks for this fact.
    listed: Option<Arc<ListedContracts>>,
    /// Bounds on the day of signing, which can be checked by ids.
    days: ContractFilter,
    /// Conditions that only facets can answer.
    rest: ContractFilter,
}

impl<'a> Search<'a> {
    /// Returns `None` if the supplier is unknown.
    pub fn new(database: &'a Database, filter: &'a ContentFilter) -> Result<Option<Self>> {
        let source = database.source();
        let ids = match &filter.supplier {
            None => i64::MIN..=i64::MAX,
            Some(inn) => match source.supplier(inn)? {
                None => return Ok(None),
                Some(supplier) => {
                    let ids = ids_of_supplier(supplier.id);
                    ids.start..=ids.end - 1
                }
            },
        };
        let tokens = filter.tokens();
        let mut with_facts = tokens.clone();
        let has_facts = filter.facts.add_to(&mut with_facts);
        let is_of_listed = filter.facts.any.has(RiskFact::SignedWhileListed);
        Ok(Some(Self {
            database,
            source,
            filter,
            ids,
            tokens,
            tokens_with_facts: (has_facts || !is_of_listed).then_some(with_facts),
            listed: match is_of_listed {
                true => Some(listed_contracts(source)?),
                false => None,
            },
            days: ContractFilter {
                signed_from: filter.contracts.signed_from,
                signed_to: filter.contracts.signed_to,
                ..ContractFilter::default()
            },
            rest: filter.rest(),
        }))
    }

    /// Returns the matching contracts, in any order.
    fn matches(&self, by: OrderBy) -> Result<Searched<Vec<ContractMatch>>> {
        let mut matches = Vec::new();
        let columns = ContractMatch::columns(by);
        if self.has_days() {
            // A server that compares days itself sends only the rows within the bounds. Ids, which
            // are compared here, would have to be sent for all days.
            let found = self.each_found(columns, &mut |facets| {
                matches.push(ContractMatch::new(facets, by)?);
                Ok(())
            })?;
            if let Some(found) = found {
                return Ok(found.map(|()| matches));
            }
        }
        let found = if by == OrderBy::SignDate && !self.needs_facets() {
            let mut without_day = Vec::new();
            let found = self.each_id(|id| match signed_on(id) {
                Some(day) => matches.push(ContractMatch::signed(id, day)),
                None => without_day.push(id),
            })?;
            self.source.facets_of(&without_day, columns, &mut |row| {
                matches.push(ContractMatch::new(
                    &Facets::new(self.source, columns, row),
                    by,
                )?);
                Ok(())
            })?;
            found
        } else {
            self.each_match(columns, |facets| {
                matches.push(ContractMatch::new(facets, by)?);
                Ok(())
            })?
        };
        Ok(found.map(|()| matches))
    }

    /// Passes the ids of matching contracts to `each`. Must be called only if no condition needs
    /// facets; facets are read only for contracts whose ids have no day.
    fn each_id(&self, mut each: impl FnMut(i64)) -> Result<Searched<()>> {
        let has_days = self.has_days();
        let (mut count, mut without_day) = (0, Vec::new());
        let mut candidates = self.candidates(self.ids_at_once(IDS_FOR_FACETS));
        while let Some(ids) = candidates.next()? {
            for id in ids {
                if has_days && signed_on(id).is_none() {
                    without_day.push(id);
                } else {
                    count += 1;
                    each(id);
                }
            }
            if count > MAX_MATCHES {
                return Ok(Err(TooBroad::found(count)));
            }
        }
        // Ids cannot express days before 1900 or from 10 November 2258 on.
        let (columns, condition) = (&[FacetColumn::SignDate], Condition::new(&self.days));
        self.source.facets_of(&without_day, columns, &mut |row| {
            let facets = Facets::new(self.source, columns, row);
            if facets.meets(&condition, &self.days)? {
                each(facets.id()?);
            }
            Ok(())
        })?;
        Ok(Ok(()))
    }

    /// Passes the facets of the matching contracts to `each`, in any order. The rows have at least
    /// the given columns.
    pub fn each_match(
        &self,
        columns: &[FacetColumn],
        mut each: impl FnMut(&Facets<'_>) -> Result<()>,
    ) -> Result<Searched<()>> {
        match self.each_found(columns, &mut each)? {
            Some(found) => Ok(found),
            None => self.each_of_candidates(columns, &mut each),
        }
    }

    /// Passes the facets of the matching contracts to `each`, in any order. Returns `None`, without
    /// passing anything, if the source cannot find facets by content.
    fn each_found(
        &self,
        columns: &[FacetColumn],
        each: &mut dyn FnMut(&Facets<'_>) -> Result<()>,
    ) -> Result<Option<Searched<()>>> {
        // The index does not know which contracts were signed while the supplier was listed.
        let (Some(tokens), None) = (&self.tokens_with_facts, &self.listed) else {
            return Ok(None);
        };
        let filter = self.conditions_of_facets();
        let condition = Condition::new(&filter);
        let columns = self.columns_with(columns, &condition);
        // With a limit, every contract read counts, whether it meets the other conditions or not.
        // The source must therefore not filter by them.
        let days = Condition::new(&self.days);
        let asked = match self.database.reading.is_limited() {
            true => &days,
            false => &condition,
        };
        let (source, mut read, mut count) = (self.source, 0, 0);
        let ids = self.ids.clone();
        let is_able = source.found_facets(tokens, ids, asked, &columns, &mut |row| {
            read += 1;
            self.database.reading.allow(read)?;
            let facets = Facets::new(source, &columns, row);
            match self.is_match(&facets, &condition)? {
                true => counted(&mut count, each, &facets),
                false => Ok(ControlFlow::Continue(())),
            }
        })?;
        Ok(is_able.then(|| within_bound(count)))
    }

    /// Passes the facets of the matching contracts to `each`, ordered by id. Reads ids first, then
    /// their facets.
    fn each_of_candidates(
        &self,
        columns: &[FacetColumn],
        each: &mut dyn FnMut(&Facets<'_>) -> Result<()>,
    ) -> Result<Searched<()>> {
        let filter = self.conditions_of_facets();
        let condition = Condition::new(&filter);
        let columns = self.columns_with(columns, &condition);
        let (mut read, mut count) = (0, 0);
        // Conditions on days drop ids before their facets are read.
        let ids_for_facets = if self.has_days() { IDS_FOR_FACETS } else { 1 };
        let mut candidates = self.candidates(self.ids_at_once(ids_for_facets));
        while let Some(ids) = candidates.next()? {
            read += ids.len() as u64;
            self.database.reading.allow(read)?;
            for ids in ids.chunks(FACETS_AT_ONCE) {
                let mut ended = ControlFlow::Continue(());
                self.each_of(ids, &columns, &condition, &mut |facets| {
                    if ended.is_continue() {
                        ended = counted(&mut count, each, facets)?;
                    }
                    Ok(())
                })?;
                if ended.is_break() {
                    return Ok(within_bound(count));
                }
            }
        }
        Ok(within_bound(count))
    }

    /// Passes the ids of any number of matching contracts to `each`, in ascending order, up to
    /// `at_once` at a time.
    pub fn each_batch<E: From<Error>>(
        &self,
        at_once: usize,
        mut each: impl FnMut(&[i64]) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        let filter = self.conditions_of_facets();
        let condition = Condition::new(&filter);
        let columns = self.columns_with(&[], &condition);
        let mut candidates = self.candidates(at_once);
        while let Some(ids) = candidates.next()? {
            if columns.is_empty() {
                each(&ids)?;
                continue;
            }
            let mut matching = Vec::with_capacity(ids.len());
            self.each_of(&ids, &columns, &condition, &mut |facets| {
                matching.push(facets.id()?);
                Ok(())
            })?;
            each(&matching)?;
        }
        Ok(())
    }

    fn conditions_of_facets(&self) -> ContractFilter {
        ContractFilter {
            signed_from: self.days.signed_from,
            signed_to: self.days.signed_to,
            ..self.rest.clone()
        }
    }

    fn each_of(
        &self,
        ids: &[i64],
        columns: &[FacetColumn],
        condition: &Condition<'_>,
        each: &mut dyn FnMut(&Facets<'_>) -> Result<()>,
    ) -> Result<()> {
        self.source.facets_of(ids, columns, &mut |row| {
            let facets = Facets::new(self.source, columns, row);
            match self.is_match(&facets, condition)? {
                true => each(&facets),
                false => Ok(()),
            }
        })
    }

    /// Returns whether a candidate meets the conditions that the index does not answer.
    fn is_match(&self, facets: &Facets<'_>, condition: &Condition<'_>) -> Result<bool> {
        Ok(facets.meets(condition, &self.rest)? && self.has_fact(facets)?)
    }

    fn columns_with(&self, columns: &[FacetColumn], condition: &Condition<'_>) -> Vec<FacetColumn> {
        let mut all = columns.to_vec();
        all.extend(condition.columns_and_values().map(|(column, _)| column));
        if self.rest.price_from.is_some() || self.rest.price_to.is_some() {
            all.extend([FacetColumn::Price, FacetColumn::PriceText]);
        }
        if self.filter.facts.overdue_on.is_some() {
            all.extend(Facets::COLUMNS_OF_FACTS);
        }
        let mut seen = Vec::with_capacity(all.len());
        all.retain(|column| {
            let is_new = !seen.contains(column);
            seen.push(*column);
            is_new
        });
        all
    }

    /// Returns whether one of the risk facts that the filter asks for applies to a candidate. The
    /// index has already answered this, except for overdue contracts.
    fn has_fact(&self, facets: &Facets<'_>) -> Result<bool> {
        let facts = &self.filter.facts;
        let Some(on) = facts.overdue_on else {
            return Ok(true);
        };
        let id = facets.id()?;
        let is_listed = |_| self.is_listed(id);
        Ok(facets.risk_facts(on, is_listed)?.meets(facts.any))
    }

    fn is_listed(&self, id: i64) -> bool {
        let listed = self.listed.as_ref();
        listed.is_some_and(|listed| listed.has(id, self.filter.facts.rules.laws))
    }

    fn needs_facets(&self) -> bool {
        !self.rest.is_everything() || self.filter.facts.overdue_on.is_some()
    }

    fn ids_at_once(&self, ids_for_facets: u64) -> usize {
        self.database.reading.at_once(AT_ONCE, ids_for_facets)
    }

    fn candidates(&self, at_once: usize) -> Candidates<'_> {
        Candidates {
            search: self,
            at_once,
            read: 0,
            rest: Some(self.ids.clone()),
        }
    }

    fn has_days(&self) -> bool {
        self.days.signed_from.is_some() || self.days.signed_to.is_some()
    }

    /// Returns whether the day of signing is within the bounds. Also `true` if the id does not
    /// reveal the day.
    fn may_be_signed(&self, id: i64) -> bool {
        let (from, to) = (self.days.signed_from, self.days.signed_to);
        let is_within =
            |day: Date| from.is_none_or(|from| from <= day) && to.is_none_or(|to| day <= to);
        (from.is_none() && to.is_none()) || signed_on(id).is_none_or(is_within)
    }
}

struct Candidates<'a> {
    search: &'a Search<'a>,
    at_once: usize,
    /// Ids read so far, including those signed on other days.
    read: u64,
    rest: Option<RangeInclusive<i64>>,
}

impl Candidates<'_> {
    /// Returns the next ids in ascending order, or `None` at the end.
    fn next(&mut self) -> Result<Option<Vec<i64>>> {
        let Some(rest) = self.rest.take() else {
            return Ok(None);
        };
        let (mut ids, mut end) = (Vec::new(), *rest.end());
        if let Some(tokens) = &self.search.tokens_with_facts {
            ids = self.read(tokens, rest.clone(), self.at_once)?;
            self.read += ids.len() as u64;
            self.search.database.reading.allow_ids(self.read)?;
            if let Some(last) = ids.last().filter(|_| ids.len() == self.at_once) {
                end = *last;
            }
        }
        if let Some(listed) = &self.search.listed {
            let others = self.listed(listed, *rest.start()..=end)?;
            ids.extend(others);
            ids.sort_unstable();
            ids.dedup();
        }
        if end < *rest.end() {
            self.rest = Some(end + 1..=*rest.end());
        }
        ids.retain(|id| self.search.may_be_signed(*id));
        Ok(Some(ids))
    }

    /// Returns the ids of contracts that were signed while the supplier was listed and that meet
    /// the other conditions that the index answers.
    fn listed(&self, listed: &ListedContracts, ids: RangeInclusive<i64>) -> Result<Vec<i64>> {
        let laws = self.search.filter.facts.rules.laws;
        let listed: Vec<i64> = listed.among(&ids, laws).collect();
        if self.search.tokens.is_everything() || listed.is_empty() {
            return Ok(listed);
        }
        let (mut found, mut rest) = (Vec::new(), listed.as_slice());
        while let (Some(first), Some(last)) = (rest.first(), rest.last()) {
            let ids = self.read(&self.search.tokens, *first..=*last, AT_ONCE)?;
            let end = ids.last().filter(|_| ids.len() == AT_ONCE).unwrap_or(last);
            let (read, unread) = rest.split_at(rest.partition_point(|id| id <= end));
            found.extend(read.iter().filter(|id| ids.binary_search(id).is_ok()));
            rest = unread;
        }
        Ok(found)
    }

    fn read(
        &self,
        tokens: &ContentTokens,
        ids: RangeInclusive<i64>,
        at_most: usize,
    ) -> Result<Vec<i64>> {
        let source = self.search.source;
        source.content_ids(tokens, ContentKind::Contracts, ids, at_most)
    }
}

fn counted(
    count: &mut usize,
    each: &mut dyn FnMut(&Facets<'_>) -> Result<()>,
    facets: &Facets<'_>,
) -> Result<ControlFlow<()>> {
    *count += 1;
    match *count <= MAX_MATCHES {
        true => each(facets).map(ControlFlow::Continue),
        false => Ok(ControlFlow::Break(())),
    }
}

fn within_bound(count: usize) -> Searched<()> {
    match count <= MAX_MATCHES {
        true => Ok(()),
        false => Err(TooBroad::found(count)),
    }
}

impl TooBroad {
    pub(super) fn found(count: usize) -> Self {
        Self {
            at_least: count as u64,
        }
    }
}

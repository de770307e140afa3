//! Purchases by content. The content index answers conditions on words, codes, customers and laws;
//! facets answer conditions on days, prices and the end of submission.

use std::cmp::Ordering;

use super::super::error::Result;
use super::super::purchase_facets::{PurchaseFacets, closing_minute};
use super::Database;
use super::order::{self, SortValue, window};
use super::search::{AT_ONCE, MAX_MATCHES, Searched, TooBroad};
use super::source::{ContentKind, Source};
use crate::model::{
    Amount, ContentTokens, Date, Purchase, PurchaseFilter, PurchaseOrder, Submission,
};

/// Purchases read per statement.
const READ_AT_ONCE: usize = 1_000;

/// A page of purchases found by a search.
#[derive(Clone, Debug)]
pub struct PurchaseSelection {
    /// Number of all purchases found.
    pub count: u64,
    ids: Vec<i64>,
}

impl Database {
    /// Selects up to `limit` of the purchases that match a filter, in the given order, after the
    /// first `skip`.
    ///
    /// # Errors
    /// Returns an error if the data is unreadable.
    pub fn search_purchases(
        &self,
        filter: &PurchaseFilter,
        order: PurchaseOrder,
        skip: u64,
        limit: u64,
    ) -> Result<Searched<PurchaseSelection>> {
        let matches = match self.matching_purchases(filter, order)? {
            Ok(matches) => matches,
            Err(too_broad) => return Ok(Err(too_broad)),
        };
        Ok(Ok(PurchaseSelection {
            count: matches.len() as u64,
            ids: ids_on_page(self.source(), matches, order, skip, limit)?,
        }))
    }

    /// Passes the purchases of a selection to `show`, in order.
    ///
    /// # Errors
    /// Returns an error if the data is unreadable. `show` may already have received some purchases
    /// by then.
    pub fn show_purchases(
        &self,
        selection: &PurchaseSelection,
        show: &mut dyn FnMut(&Purchase),
    ) -> Result<()> {
        for ids in selection.ids.chunks(READ_AT_ONCE) {
            self.source().purchase_records(ids, &mut |number, record| {
                show(&self.purchase_of(number, record)?);
                Ok(())
            })?;
        }
        Ok(())
    }

    /// Returns the matching purchases, in any order.
    fn matching_purchases(
        &self,
        filter: &PurchaseFilter,
        order: PurchaseOrder,
    ) -> Result<Searched<Vec<PurchaseMatch>>> {
        let source = self.source();
        let (tokens, bounds) = (filter.tokens(), PurchaseRanges::new(filter));
        let (mut matches, mut count) = (Vec::new(), 0);
        let at_once = self.reading.at_once(AT_ONCE, 1);
        let mut next = Some(i64::MIN);
        while let Some(first) = next.take() {
            let (ids, after) = purchase_ids(source, &tokens, first, at_once)?;
            next = after;
            count += ids.len() as u64;
            self.reading.allow(count)?;
            source.purchase_facets_of(&ids, &mut |facets| {
                if bounds.have(facets, source)? {
                    matches.push(PurchaseMatch::new(facets, order, source)?);
                }
                Ok(())
            })?;
            if matches.len() > MAX_MATCHES {
                return Ok(Err(TooBroad::found(matches.len())));
            }
        }
        Ok(Ok(matches))
    }
}

/// Reads up to `limit` ids of purchases that match a query of the index, in ascending order from
/// `first` on. Also returns the id from which to continue, or `None` if these ids are the last.
pub(super) fn purchase_ids(
    source: &dyn Source,
    tokens: &ContentTokens,
    first: i64,
    limit: usize,
) -> Result<(Vec<i64>, Option<i64>)> {
    let ids = source.content_ids(tokens, ContentKind::Purchases, first..=i64::MAX, limit)?;
    let last = ids.last().filter(|_| ids.len() == limit);
    let next = last.and_then(|last| last.checked_add(1));
    Ok((ids, next))
}

/// The conditions that are checked by facets.
pub(super) struct PurchaseRanges<'a> {
    filter: &'a PurchaseFilter,
    published: [Option<u32>; 2],
    /// Whether submission must be open (`true`) or closed, and the current minute.
    submission: Option<(bool, i64)>,
}

impl<'a> PurchaseRanges<'a> {
    pub fn new(filter: &'a PurchaseFilter) -> Self {
        let minute = |Submission { is_open, at }| (is_open, closing_minute(at));
        Self {
            filter,
            published: [filter.published_from, filter.published_to]
                .map(|day| day.map(Date::number)),
            submission: filter.submission.map(minute),
        }
    }

    pub fn have(&self, facets: &PurchaseFacets, source: &dyn Source) -> Result<bool> {
        let [from, to] = self.published;
        let published = facets.published;
        let is_published = from.is_none_or(|from| from <= published)
            && to.is_none_or(|to| published != 0 && published <= to);
        let is_submission = self.submission.is_none_or(|(is_open, now)| {
            let closes = facets.closes;
            closes.is_some_and(|closes| (closes > now) == is_open)
        });
        Ok(is_published && is_submission && self.have_price(facets, source)?)
    }

    fn have_price(&self, facets: &PurchaseFacets, source: &dyn Source) -> Result<bool> {
        let (from, to) = (self.filter.price_from, self.filter.price_to);
        if from.is_none() && to.is_none() {
            return Ok(true);
        }
        let Some(price) = price(facets, source)? else {
            return Ok(false);
        };
        Ok(from.is_none_or(|from| from.order(price).is_le())
            && to.is_none_or(|to| price.order(to).is_le()))
    }
}

fn price(facets: &PurchaseFacets, source: &dyn Source) -> Result<Option<Amount>> {
    match &facets.price_text {
        None => Ok(facets.price.map(Amount::from_hundredths)),
        Some(text) => {
            let price = text.parse();
            Ok(Some(
                price.map_err(|_| source.damaged("the price of a purchase"))?,
            ))
        }
    }
}

#[derive(Clone, Debug)]
struct PurchaseMatch {
    value: SortValue,
    /// Day of publication as YYYYMMDD; 0 if missing.
    published: u32,
    id: i64,
}

impl PurchaseMatch {
    fn new(facets: &PurchaseFacets, order: PurchaseOrder, source: &dyn Source) -> Result<Self> {
        let value = match order {
            PurchaseOrder::Newest | PurchaseOrder::Oldest => SortValue::day(facets.published),
            PurchaseOrder::HighestPrice | PurchaseOrder::LowestPrice => SortValue {
                number: facets.price,
                amount: match facets.price_text {
                    None => None,
                    Some(_) => price(facets, source)?.map(Box::new),
                },
            },
            PurchaseOrder::Closing => SortValue {
                number: facets.closes,
                amount: None,
            },
        };
        Ok(Self {
            value,
            published: facets.published,
            id: facets.id,
        })
    }

    /// Compares by value, then newest first. Missing values and missing days come last.
    fn compare(&self, other: &Self, ascending: bool) -> Ordering {
        let by_day = || other.published.cmp(&self.published);
        self.value
            .compare(&other.value, ascending)
            .then_with(by_day)
    }
}

/// Returns the ids of up to `limit` matches after the first `skip`. Matches with the same value and
/// day are ordered by number, descending.
fn ids_on_page(
    source: &dyn Source,
    matches: Vec<PurchaseMatch>,
    order: PurchaseOrder,
    skip: u64,
    limit: u64,
) -> Result<Vec<i64>> {
    let is_ascending = !matches!(order, PurchaseOrder::Newest | PurchaseOrder::HighestPrice);
    let page = window(matches.len(), skip, limit);
    order::ids_on_page(
        matches,
        page,
        |a, b| a.compare(b, is_ascending),
        |same| by_number(source, same),
    )
}

fn by_number(source: &dyn Source, same: &[PurchaseMatch]) -> Result<Vec<i64>> {
    let ids: Vec<i64> = same.iter().map(|one| one.id).collect();
    if ids.len() == 1 {
        return Ok(ids);
    }
    let numbers = source.purchase_numbers(&ids)?;
    let mut keyed: Vec<_> = numbers.into_iter().zip(ids).collect();
    keyed.sort_unstable_by(|a, b| b.cmp(a));
    Ok(keyed.into_iter().map(|(_, id)| id).collect())
}

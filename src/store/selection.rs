//! What a page of some of a supplier's contracts shows, in any order.

use std::cmp::{Ordering, Reverse};

use super::database::Database;
use super::error::Result;
use super::facets::{FacetPrice, FacetRow};
use super::suppliers::KnownSupplier;
use crate::model::{Amount, ContractFilter, ContractOrder, EncodedContract, OrderBy};

/// A page of the contracts that match a filter, and how many match.
#[derive(Clone, Debug)]
pub struct Selection {
    count: u64,
    page: Page,
}

impl Selection {
    /// How many contracts match.
    pub fn count(&self) -> u64 {
        self.count
    }
}

/// Which contracts are shown.
#[derive(Clone, Debug)]
enum Page {
    /// Of all, the newest first: so many, after the first ones.
    Newest { skip: u64, limit: u64 },
    /// Those with these ids.
    Ids(Vec<i64>),
}

impl Database {
    /// Which contracts of a supplier the page shows that has up to `limit` of those that
    /// match `filter`, in that order, after the first `skip`.
    ///
    /// Where all are asked for, the newest first, nothing is read; else the facets of all
    /// contracts of the supplier, and memory is 32 bytes for each that matches.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn select(
        &self,
        supplier: &KnownSupplier,
        filter: &ContractFilter,
        order: ContractOrder,
        skip: u64,
        limit: u64,
    ) -> Result<Selection> {
        if filter.is_everything() && order == ContractOrder::default() {
            return Ok(Selection {
                count: supplier.contracts,
                page: Page::Newest { skip, limit },
            });
        }
        let mut entries = Vec::new();
        self.each_match(supplier, filter, |row| {
            entries.push(Match::new(row, order.by)?);
            Ok(())
        })?;
        entries.sort_unstable_by(|a, b| a.compare(b, order.ascending));
        let size = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        let page = entries.iter().skip(size(skip)).take(size(limit));
        Ok(Selection {
            page: Page::Ids(page.map(|entry| entry.id).collect()),
            count: entries.len() as u64,
        })
    }

    /// Gives the contracts of a selection of the supplier's to `show`, in its order.
    ///
    /// # Errors
    /// The file cannot be read; some may have been given by then.
    pub fn show(
        &self,
        supplier: &KnownSupplier,
        selection: &Selection,
        show: &mut dyn FnMut(&EncodedContract<'_>),
    ) -> Result<()> {
        match &selection.page {
            Page::Newest { skip, limit } => self.contracts(supplier, *skip, *limit, show),
            Page::Ids(ids) => ids.iter().try_for_each(|id| self.contract(*id, &mut *show)),
        }
    }
}

/// A contract that matches, and what it is ordered by.
#[derive(Debug)]
struct Match {
    /// A day, or hundredths; of another amount those below it, none if there is no value.
    value: Option<i64>,
    amount: Option<Box<Amount>>,
    /// In the order of signing.
    id: i64,
}

impl Match {
    fn new(row: &FacetRow<'_>, by: OrderBy) -> rusqlite::Result<Self> {
        let day = |day: u32| Some(i64::from(day)).filter(|day| *day != 0);
        let (value, amount) = match by {
            OrderBy::SignDate => (day(row.sign_date()?), None),
            OrderBy::UpdateDate => (day(row.update_date()?), None),
            OrderBy::Price => match row.price()? {
                FacetPrice::None => (None, None),
                FacetPrice::Hundredths(hundredths) => (Some(hundredths), None),
                FacetPrice::Other(amount) => (Some(amount.hundredths_below()), Some(amount)),
            },
        };
        Ok(Self {
            value,
            amount,
            id: row.id()?,
        })
    }

    /// Which of two stands first? What has no value stands last.
    fn compare(&self, other: &Self, ascending: bool) -> Ordering {
        let has_value = Reverse(self.value.is_some()).cmp(&Reverse(other.value.is_some()));
        let order = self.value.cmp(&other.value);
        let order = order.then_with(|| match (&self.amount, &other.amount) {
            (Some(one), Some(other)) => one.order(**other),
            // What is no whole hundredths is more than those below it.
            (one, other) => one.is_some().cmp(&other.is_some()),
        });
        let order = order.then(self.id.cmp(&other.id));
        has_value.then(if ascending { order } else { order.reverse() })
    }
}

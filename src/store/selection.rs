//! Pages of a supplier's contracts, filtered and ordered.

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
    /// Of all contracts, newest first: up to `limit`, after the first `skip`.
    Newest { skip: u64, limit: u64 },
    /// Those with these ids.
    Ids(Vec<i64>),
}

impl Database {
    /// Selects up to `limit` of a supplier's contracts that match `filter`, in the given
    /// order, after the first `skip`.
    ///
    /// For all contracts, newest first, nothing is read; otherwise the facets of all
    /// contracts of the supplier, with 32 bytes of memory for each match.
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

    /// Passes the contracts of a selection to `show`, in its order.
    ///
    /// # Errors
    /// The file cannot be read; `show` may have seen some contracts by then.
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

/// A matching contract and its sort value.
#[derive(Debug)]
struct Match {
    /// A day, or hundredths, rounded down; none if there is no value.
    value: Option<i64>,
    amount: Option<Box<Amount>>,
    /// Ids are in the order of signing.
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

    /// Compares two matches; those without a value come last.
    fn compare(&self, other: &Self, ascending: bool) -> Ordering {
        let has_value = Reverse(self.value.is_some()).cmp(&Reverse(other.value.is_some()));
        let order = self.value.cmp(&other.value);
        let order = order.then_with(|| match (&self.amount, &other.amount) {
            (Some(one), Some(other)) => one.order(**other),
            // An amount between two hundredths is more than the lower one.
            (one, other) => one.is_some().cmp(&other.is_some()),
        });
        let order = order.then(self.id.cmp(&other.id));
        has_value.then(if ascending { order } else { order.reverse() })
    }
}

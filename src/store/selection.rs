//! Pages of a supplier's or a customer's contracts, filtered and ordered.

use std::cmp::{Ordering, Reverse};
use std::ops::Range;

use super::data_file::DataFile;
use super::error::Result;
use super::facets::{FacetPrice, FacetRow};
#[cfg(feature = "postgresql")]
use super::record;
use super::suppliers::{KnownSupplier, supplier_of};
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
    /// Those of these records.
    #[cfg(feature = "postgresql")]
    Records(Vec<Vec<u8>>),
}

/// What a server selects: it sends the records themselves.
#[cfg(feature = "postgresql")]
impl Selection {
    /// Of all contracts of a supplier, newest first: up to `limit`, after the first `skip`.
    pub(super) fn newest(supplier: &KnownSupplier, skip: u64, limit: u64) -> Self {
        Self {
            count: supplier.contracts,
            page: Page::Newest { skip, limit },
        }
    }

    /// The contracts of these records, of `count` that match.
    pub(super) fn of_records(count: u64, records: Vec<Vec<u8>>) -> Self {
        Self {
            count,
            page: Page::Records(records),
        }
    }

    /// After how many of all contracts it begins, and how many it has at most; none if there
    /// are records.
    pub(super) fn range_of_newest(&self) -> Option<(u64, u64)> {
        match self.page {
            Page::Newest { skip, limit } => Some((skip, limit)),
            _ => None,
        }
    }

    /// The records.
    pub(super) fn records(&self) -> &[Vec<u8>] {
        match &self.page {
            Page::Records(records) => records,
            _ => &[],
        }
    }
}

impl DataFile {
    /// Selects up to `limit` of a supplier's contracts that match `filter`, in the given
    /// order, after the first `skip`.
    ///
    /// For all contracts, newest first, nothing is read; otherwise the facets of all
    /// contracts of the supplier, with 40 bytes of memory for each match.
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
        // Of one supplier, ids are in the order of signing, then registry numbers.
        entries.sort_unstable_by(|a, b| {
            let by_id = || directed(a.id.cmp(&b.id), order.ascending);
            a.compare(b, order.ascending).then_with(by_id)
        });
        let page = entries.get(window(&entries, skip, limit));
        let page = page.unwrap_or_default();
        Ok(Selection {
            page: Page::Ids(page.iter().map(|entry| entry.id).collect()),
            count: entries.len() as u64,
        })
    }

    /// Selects up to `limit` of a customer's contracts that match `filter`, in the given
    /// order, after the first `skip`; contracts that are equal in it by registry number, then
    /// by the supplier's INN, in the same direction.
    ///
    /// Reads the index of all contracts of the customer, with 40 bytes of memory for each
    /// match; and their facets, unless they are only filtered and ordered by the day of
    /// signing.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn select_of_customer(
        &self,
        inn: &str,
        filter: &ContractFilter,
        order: ContractOrder,
        skip: u64,
        limit: u64,
    ) -> Result<CustomerSelection> {
        let mut entries = Vec::new();
        let days_alone = order.by == OrderBy::SignDate && filter.is_of_sign_dates();
        self.each_match_of_customer(inn, filter, days_alone, |row| {
            entries.push(Match::new(row, order.by)?);
            Ok(())
        })?;
        entries.sort_unstable_by(|a, b| a.compare(b, order.ascending));
        let page = window(&entries, skip, limit);
        if page.is_empty() {
            let name = self.customer_name(inn)?;
            let count = entries.len() as u64;
            return Ok(CustomerSelection::of_ids(name, count, Vec::new()));
        }
        // What is equal to the first or the last on the page may belong in its place.
        let are_equal = |a: &Match, b: &Match| a.compare(b, order.ascending).is_eq();
        let (before, rest) = entries.split_at(page.start);
        let count_equal = |to: Option<&Match>, others: &mut dyn Iterator<Item = &Match>| {
            to.map_or(0, |to| others.take_while(|one| are_equal(one, to)).count())
        };
        let more = count_equal(rest.first(), &mut before.iter().rev());
        let (on_page, after) = rest.split_at(page.len());
        let end = page.end + count_equal(on_page.last(), &mut after.iter());
        let mut keyed = Vec::new();
        for entry in entries.drain(page.start - more..end) {
            keyed.push((self.tie_key(entry.id)?, entry));
        }
        keyed.sort_by(|(a_key, a), (b_key, b)| {
            let by_key = || directed(a_key.cmp(b_key), order.ascending);
            a.compare(b, order.ascending).then_with(by_key)
        });
        let count = (entries.len() + keyed.len()) as u64;
        let page = keyed.iter().skip(more).take(page.len());
        let ids = page.map(|(_, entry)| entry.id).collect();
        Ok(CustomerSelection::of_ids(
            self.customer_name(inn)?,
            count,
            ids,
        ))
    }

    /// The registry number of a contract, and the INN of its supplier.
    fn tie_key(&self, id: i64) -> Result<(String, String)> {
        let mut reg_num = String::new();
        let supplier = self.supplier_with_id(supplier_of(id))?;
        self.contract(&supplier.inn, id, |contract| {
            reg_num = contract.reg_num.text().into_owned();
        })?;
        Ok((reg_num, supplier.inn.as_str().to_owned()))
    }

    /// The name of a customer in the newest contract that has one; empty if none has.
    fn customer_name(&self, inn: &str) -> Result<String> {
        let mut newest = (String::new(), String::new());
        for id in self.newest_named(inn)? {
            let supplier = self.supplier_with_id(supplier_of(id))?;
            self.contract(&supplier.inn, id, |contract| {
                let named = (contract.reg_num.text(), contract.customer_name.text());
                if *named.0 >= *newest.0 {
                    newest = (named.0.into_owned(), named.1.into_owned());
                }
            })?;
        }
        Ok(newest.1)
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
            Page::Ids(ids) => ids
                .iter()
                .try_for_each(|id| self.contract(&supplier.inn, *id, &mut *show)),
            #[cfg(feature = "postgresql")]
            Page::Records(records) => records.iter().try_for_each(|bytes| {
                record::contract(&self.file.path, &supplier.inn, bytes).map(|one| show(&one))
            }),
        }
    }

    /// Passes the contracts of a selection, each with its supplier, to `show`, in its order.
    ///
    /// # Errors
    /// As [`DataFile::show`].
    pub fn show_of_customer(
        &self,
        selection: &CustomerSelection,
        show: &mut dyn FnMut(&KnownSupplier, &EncodedContract<'_>),
    ) -> Result<()> {
        selection.ids.iter().try_for_each(|id| {
            let supplier = self.supplier_with_id(supplier_of(*id))?;
            self.contract(&supplier.inn, *id, |contract| show(&supplier, contract))
        })
    }
}

/// A page of the contracts of a customer that match a filter.
#[derive(Clone, Debug)]
pub struct CustomerSelection {
    /// The customer's name in its newest contract that has one, of all its contracts; empty
    /// if none has.
    pub name: String,
    /// How many contracts match.
    pub count: u64,
    ids: Vec<i64>,
    /// What a server sends in place of ids.
    #[cfg(feature = "postgresql")]
    records: Vec<(KnownSupplier, Vec<u8>)>,
}

impl CustomerSelection {
    fn of_ids(name: String, count: u64, ids: Vec<i64>) -> Self {
        Self {
            name,
            count,
            ids,
            #[cfg(feature = "postgresql")]
            records: Vec::new(),
        }
    }

    /// The contracts of these records, each with its supplier, of `count` that match.
    #[cfg(feature = "postgresql")]
    pub(super) fn of_records(
        name: String,
        count: u64,
        records: Vec<(KnownSupplier, Vec<u8>)>,
    ) -> Self {
        Self {
            name,
            count,
            ids: Vec::new(),
            records,
        }
    }

    /// The records, each with its supplier.
    #[cfg(feature = "postgresql")]
    pub(super) fn records(&self) -> &[(KnownSupplier, Vec<u8>)] {
        &self.records
    }
}

/// The entries after the first `skip`, up to `limit`.
fn window(entries: &[Match], skip: u64, limit: u64) -> Range<usize> {
    let size = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    let start = size(skip).min(entries.len());
    start..start.saturating_add(size(limit)).min(entries.len())
}

fn directed(order: Ordering, ascending: bool) -> Ordering {
    if ascending { order } else { order.reverse() }
}

/// A matching contract and its sort value.
#[derive(Debug)]
struct Match {
    /// A day, or hundredths, rounded down; none if there is no value.
    value: Option<i64>,
    amount: Option<Box<Amount>>,
    /// As YYYYMMDD, 0 for none.
    sign_date: u32,
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
            sign_date: row.sign_date()?,
            id: row.id()?,
        })
    }

    /// Compares two matches by their values, then by the day of signing; those without a
    /// value come last.
    fn compare(&self, other: &Self, ascending: bool) -> Ordering {
        let has_value = Reverse(self.value.is_some()).cmp(&Reverse(other.value.is_some()));
        let order = self.value.cmp(&other.value);
        let order = order.then_with(|| match (&self.amount, &other.amount) {
            (Some(one), Some(other)) => one.order(**other),
            // An amount between two hundredths is more than the lower one.
            (one, other) => one.is_some().cmp(&other.is_some()),
        });
        let order = order.then(self.sign_date.cmp(&other.sign_date));
        has_value.then(directed(order, ascending))
    }
}

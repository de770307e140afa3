//! Pages of a supplier's or a customer's contracts, filtered and ordered.

use std::cmp::Ordering;
use std::iter::repeat;

use super::super::error::Result;
use super::super::facet_columns::FacetColumn;
use super::super::record::{
    NOT_A_CONTRACT, NOT_ITEMS, UnpackedItems, decode_contract, read_contract, unpack_items,
};
use super::super::suppliers::SupplierRow;
use super::Database;
use super::facets::{FacetPrice, Facets, each_match};
use super::order::{self, SortValue, directed, window};
use super::source::{Owner, Source};
use crate::model::{
    ContractFilter, ContractOrder, Date, EncodedContract, EncodedContractItems, OrderBy,
};

const TOO_FEW: &str = "a supplier has fewer contracts than its row says";

/// Number of contracts read per statement. All records in a server's reply are in memory at once.
const READ_AT_ONCE: usize = 1_000;

/// A page of the contracts that match a filter, and the number of matches.
#[derive(Clone, Debug)]
pub struct Selection {
    /// Number of all matching contracts.
    pub count: u64,
    page: PageRows,
}

#[derive(Clone, Debug)]
enum PageRows {
    /// Up to `limit` of all contracts, newest first, after the first `skip`.
    Newest {
        skip: u64,
        limit: u64,
    },
    Ids(Vec<i64>),
}

/// A page of a customer's contracts that match a filter.
#[derive(Clone, Debug)]
pub struct CustomerSelection {
    /// The customer's name in the newest contract that states one, whether or not that contract
    /// matches the filter; empty if no contract states a name.
    pub name: String,
    /// Number of all matching contracts.
    pub count: u64,
    pub contracts: SuppliedContracts,
}

/// Selected contracts, each under one of its suppliers.
#[derive(Clone, Debug)]
pub struct SuppliedContracts {
    pub(super) ids: Vec<i64>,
}

impl SuppliedContracts {
    pub fn count(&self) -> u64 {
        self.ids.len() as u64
    }
}

impl Database {
    /// Selects up to `limit` of a supplier's contracts that match `filter`, in the given order,
    /// after the first `skip`.
    ///
    /// For a page of all contracts, newest first, this reads nothing. Otherwise it reads the facets
    /// of all matches and takes 40 bytes of memory for each.
    ///
    /// # Errors
    /// Returns an error if the data is unreadable.
    pub fn select(
        &self,
        supplier: &SupplierRow,
        filter: &ContractFilter,
        order: ContractOrder,
        skip: u64,
        limit: u64,
    ) -> Result<Selection> {
        if filter.is_everything() && order == ContractOrder::default() {
            return Ok(Selection {
                count: supplier.contracts,
                page: PageRows::Newest { skip, limit },
            });
        }
        let source = self.source();
        let matches = matches(self, Owner::Supplier(supplier), filter, order)?;
        let count = matches.len() as u64;
        let ids = ids_on_page(source, matches, skip, limit, order.ascending)?;
        Ok(Selection {
            count,
            page: PageRows::Ids(ids),
        })
    }

    /// Passes the contracts of a selection to `show`, in order.
    ///
    /// # Errors
    /// Returns an error if the data is unreadable. `show` may already have received some contracts
    /// by then.
    pub fn show(
        &self,
        supplier: &SupplierRow,
        selection: &Selection,
        show: &mut dyn FnMut(&EncodedContract<'_>),
    ) -> Result<()> {
        let source = self.source();
        match &selection.page {
            PageRows::Newest { skip, limit } => {
                let end = skip.saturating_add(*limit).min(supplier.contracts);
                for first in (*skip..end).step_by(READ_AT_ONCE) {
                    let part = (end - first).min(READ_AT_ONCE as u64);
                    show_newest(source, supplier, first, part, show)?;
                }
                Ok(())
            }
            PageRows::Ids(ids) => show_ids(source, repeat(supplier), ids, &mut |_, one| show(one)),
        }
    }

    /// Passes all contracts of a supplier to `show`, newest first: by sign date, then registry
    /// number, both descending.
    ///
    /// # Errors
    /// Returns an error if the data is unreadable. `show` may already have received some contracts
    /// by then.
    pub fn contracts(
        &self,
        supplier: &SupplierRow,
        show: &mut dyn FnMut(&EncodedContract<'_>),
    ) -> Result<()> {
        let all = supplier.contracts;
        show_newest(self.source(), supplier, 0, all, show)
    }

    /// Passes all contracts of a supplier to `show`, newest first, each with its stored items. A
    /// contract has no stored items if its record contains everything about them.
    ///
    /// # Errors
    /// See [`Database::contracts`].
    pub fn contracts_with_items(
        &self,
        supplier: &SupplierRow,
        show: &mut dyn FnMut(&EncodedContract<'_>, EncodedContractItems<'_>),
    ) -> Result<()> {
        let source = self.source();
        let mut count = 0;
        source.newest_with_items(supplier, &mut |record, items| {
            count += 1;
            let contract = decode_contract(&supplier.inn, record);
            let contract = contract.ok_or_else(|| source.damaged(NOT_A_CONTRACT))?;
            let unpacked = unpack_items(&supplier.inn, items);
            let items = unpacked.as_ref().and_then(UnpackedItems::items);
            show(&contract, items.ok_or_else(|| source.damaged(NOT_ITEMS))?);
            Ok(())
        })?;
        match count == supplier.contracts {
            true => Ok(()),
            false => Err(source.damaged(TOO_FEW)),
        }
    }

    /// Selects up to `limit` of a customer's contracts that match `filter`, in the given order,
    /// after the first `skip`. Ties are ordered by registry number, then by the supplier's INN, in
    /// the same direction.
    ///
    /// Reads the facets of all matches and takes 40 bytes of memory for each.
    ///
    /// # Errors
    /// Returns an error if the data is unreadable.
    pub fn select_of_customer(
        &self,
        inn: &str,
        filter: &ContractFilter,
        order: ContractOrder,
        skip: u64,
        limit: u64,
    ) -> Result<CustomerSelection> {
        let source = self.source();
        let matches = matches(self, Owner::Customer(inn), filter, order)?;
        let count = matches.len() as u64;
        let ids = ids_on_page(source, matches, skip, limit, order.ascending)?;
        Ok(CustomerSelection {
            name: customer_name(source, inn)?,
            count,
            contracts: SuppliedContracts { ids },
        })
    }

    /// Passes contracts with their suppliers to `show`, in order.
    ///
    /// # Errors
    /// See [`Database::show`].
    pub fn show_supplied(
        &self,
        contracts: &SuppliedContracts,
        show: &mut dyn FnMut(&SupplierRow, &EncodedContract<'_>),
    ) -> Result<()> {
        let source = self.source();
        for ids in contracts.ids.chunks(READ_AT_ONCE) {
            let suppliers = source.suppliers_of(ids)?;
            show_ids(source, suppliers.iter(), ids, show)?;
        }
        Ok(())
    }
}

impl Database {
    /// Selects the contract with this registry number under each of its suppliers, ordered by INN.
    ///
    /// # Errors
    /// Returns an error if the data is unreadable.
    pub fn select_contract(&self, reg_num: &str) -> Result<SuppliedContracts> {
        let source = self.source();
        let ids = source.contract(reg_num)?;
        if ids.is_empty() {
            return Ok(SuppliedContracts { ids });
        }
        let suppliers = source.suppliers_of(&ids)?;
        let mut keyed: Vec<_> = suppliers.iter().map(|one| &one.inn).zip(ids).collect();
        keyed.sort_unstable();
        let ids = keyed.into_iter().map(|(_, id)| id).collect();
        Ok(SuppliedContracts { ids })
    }
}

/// Returns the matching contracts, in any order.
fn matches(
    database: &Database,
    owner: Owner<'_>,
    filter: &ContractFilter,
    order: ContractOrder,
) -> Result<Vec<ContractMatch>> {
    let mut matches = Vec::new();
    each_match(
        database,
        owner,
        filter,
        ContractMatch::columns(order.by),
        |facets| {
            matches.push(ContractMatch::new(facets, order.by)?);
            Ok(())
        },
    )?;
    Ok(matches)
}

/// Returns the ids of up to `limit` matches after the first `skip`. Matches with the same value and
/// day are ordered by registry number, then by the supplier's INN.
pub(super) fn ids_on_page(
    source: &dyn Source,
    matches: Vec<ContractMatch>,
    skip: u64,
    limit: u64,
    ascending: bool,
) -> Result<Vec<i64>> {
    let page = window(matches.len(), skip, limit);
    order::ids_on_page(
        matches,
        page,
        |a, b| a.compare(b, ascending),
        |same| by_key(source, same, ascending),
    )
}

/// Orders matches by registry number, then by the supplier's INN. Returns their ids.
fn by_key(source: &dyn Source, same: &[ContractMatch], ascending: bool) -> Result<Vec<i64>> {
    let ids: Vec<i64> = same.iter().map(|one| one.id).collect();
    if ids.len() == 1 {
        return Ok(ids);
    }
    let reg_nums = source.reg_nums(&ids)?;
    let mut keyed: Vec<_> = reg_nums.into_iter().zip(ids).collect();
    keyed.sort_unstable_by(|(a, _), (b, _)| directed(a.cmp(b), ascending));
    let mut ids: Vec<i64> = keyed.iter().map(|(_, id)| *id).collect();
    let mut start = 0;
    for same in keyed.chunk_by(|(a, _), (b, _)| a == b) {
        let end = start + same.len();
        if let Some(ids) = ids.get_mut(start..end).filter(|ids| ids.len() > 1) {
            sort_by_inn(source, ids, ascending)?;
        }
        start = end;
    }
    Ok(ids)
}

pub(super) fn sort_by_inn(source: &dyn Source, ids: &mut [i64], ascending: bool) -> Result<()> {
    let suppliers = source.suppliers_of(ids)?;
    let inns = suppliers.iter().map(|one| one.inn.key());
    let mut keyed: Vec<_> = inns.zip(ids.iter().copied()).collect();
    keyed.sort_unstable_by(|a, b| directed(a.cmp(b), ascending));
    for (id, (_, sorted)) in ids.iter_mut().zip(keyed) {
        *id = sorted;
    }
    Ok(())
}

/// Returns the customer's name in the newest contract that states one; empty if none does. If that
/// contract is listed under several suppliers, the record of the last one decides.
pub(super) fn customer_name(source: &dyn Source, inn: &str) -> Result<String> {
    let mut newest = NewestName::default();
    let ids = source.newest_named(inn)?;
    let suppliers = source.suppliers_of(&ids)?;
    show_ids(source, suppliers.iter(), &ids, &mut |_, contract| {
        newest.take(contract);
    })?;
    Ok(newest.name)
}

/// Determines a customer's name from the contracts of one day: the contract with the greatest
/// registry number decides. If that contract is passed under several suppliers, the last one
/// decides.
#[derive(Debug, Default)]
pub(in crate::store) struct NewestName {
    reg_num: String,
    pub name: String,
}

impl NewestName {
    pub fn take(&mut self, contract: &EncodedContract<'_>) {
        let reg_num = contract.reg_num.text();
        if *reg_num >= *self.reg_num {
            self.reg_num = reg_num.into_owned();
            self.name = contract.customer_name.text().into_owned();
        }
    }
}

/// Passes up to `limit` contracts of a supplier to `show`, newest first, after the first `skip`.
pub(super) fn show_newest(
    source: &dyn Source,
    supplier: &SupplierRow,
    skip: u64,
    limit: u64,
    show: &mut dyn FnMut(&EncodedContract<'_>),
) -> Result<()> {
    let expected = supplier.contracts.saturating_sub(skip).min(limit);
    if expected == 0 {
        return Ok(());
    }
    let mut count = 0;
    source.newest(supplier, skip, expected, &mut |bytes| {
        count += 1;
        let mut contract = EncodedContract::default();
        let is_read = read_contract(&mut contract, &supplier.inn, bytes);
        is_read.ok_or_else(|| source.damaged(NOT_A_CONTRACT))?;
        show(&contract);
        Ok(())
    })?;
    match count == expected {
        true => Ok(()),
        false => Err(source.damaged(TOO_FEW)),
    }
}

/// Passes the contracts with the given ids to `show`, each with its supplier. `suppliers` must be
/// in the order of `ids`.
pub(super) fn show_ids<'a>(
    source: &dyn Source,
    mut suppliers: impl Iterator<Item = &'a SupplierRow>,
    ids: &[i64],
    show: &mut dyn FnMut(&SupplierRow, &EncodedContract<'_>),
) -> Result<()> {
    let mut count = 0;
    for ids in ids.chunks(READ_AT_ONCE) {
        source.records(ids, &mut |bytes| {
            count += 1;
            let supplier = suppliers.next();
            let supplier = supplier.ok_or_else(|| source.damaged(NOT_A_CONTRACT))?;
            let mut contract = EncodedContract::default();
            let is_read = read_contract(&mut contract, &supplier.inn, bytes);
            is_read.ok_or_else(|| source.damaged(NOT_A_CONTRACT))?;
            show(supplier, &contract);
            Ok(())
        })?;
    }
    match count == ids.len() {
        true => Ok(()),
        false => Err(source.damaged("facets without their contract")),
    }
}

#[derive(Clone, Debug)]
pub(super) struct ContractMatch {
    value: SortValue,
    /// Day of signing as YYYYMMDD; 0 if missing.
    sign_date: u32,
    id: i64,
}

impl ContractMatch {
    /// Returns the columns that are needed to sort matches by this order.
    pub fn columns(by: OrderBy) -> &'static [FacetColumn] {
        match by {
            OrderBy::SignDate => &[FacetColumn::SignDate],
            OrderBy::UpdateDate => &[FacetColumn::SignDate, FacetColumn::UpdateDate],
            OrderBy::Price => &[
                FacetColumn::SignDate,
                FacetColumn::Price,
                FacetColumn::PriceText,
            ],
        }
    }

    pub fn signed(id: i64, day: Date) -> Self {
        Self {
            value: SortValue::day(day.number()),
            sign_date: day.number(),
            id,
        }
    }

    pub fn new(row: &Facets<'_>, by: OrderBy) -> Result<Self> {
        let value = match by {
            OrderBy::SignDate => SortValue::day(row.sign_date()?),
            OrderBy::UpdateDate => SortValue::day(row.update_date()?),
            OrderBy::Price => match row.price()? {
                FacetPrice::None => SortValue::default(),
                FacetPrice::Hundredths(hundredths) => SortValue {
                    number: Some(hundredths),
                    amount: None,
                },
                FacetPrice::Other(amount) => SortValue {
                    number: Some(amount.hundredths_below()),
                    amount: Some(amount),
                },
            },
        };
        Ok(Self {
            value,
            sign_date: row.sign_date()?,
            id: row.id()?,
        })
    }

    /// Compares by value, then by sign date. Missing values and dates come last.
    fn compare(&self, other: &Self, ascending: bool) -> Ordering {
        let day = |one: &Self| SortValue::day(one.sign_date);
        let by_day = || day(self).compare(&day(other), ascending);
        self.value
            .compare(&other.value, ascending)
            .then_with(by_day)
    }
}

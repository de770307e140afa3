//! Exports any number of contracts and purchases that match a filter, in the order of their ids.
//! Memory does not grow with the number of matches.

use super::super::contract_id::supplier_of;
use super::super::error::{Error, Result};
use super::super::record::{
    NOT_A_CONTRACT, NOT_ITEMS, UnpackedItems, decode_contract, unpack_items,
};
use super::super::suppliers::SupplierRow;
use super::Database;
use super::purchases::{PurchaseRanges, purchase_ids};
use super::search::Search;
use crate::model::{
    ContentFilter, EncodedContract, EncodedContractItems, Purchase, PurchaseFilter,
};

/// Number of ids read from the index at once, before any record is read.
const IDS_AT_ONCE: usize = 100_000;

/// Number of contracts whose items are in memory at once.
const ITEMS_AT_ONCE: usize = 100;

/// Number of purchases read at once.
const PURCHASES_AT_ONCE: usize = 1_000;

impl Database {
    /// Passes each contract that matches `filter` to `each`, with its supplier and its items,
    /// ordered by supplier, then by day of signing. The caller must hold the data
    /// ([`Database::hold`]).
    ///
    /// # Errors
    /// Returns an error if the data cannot be read, or the error of `each`.
    pub fn export_contracts<E: From<Error>>(
        &self,
        filter: &ContentFilter,
        mut each: impl FnMut(
            &SupplierRow,
            &EncodedContract<'_>,
            EncodedContractItems<'_>,
        ) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        let Some(search) = Search::new(self, filter)? else {
            return Ok(());
        };
        search.each_batch(IDS_AT_ONCE, |ids| {
            ids.chunks(ITEMS_AT_ONCE)
                .try_for_each(|ids| self.show_with_items(ids, &mut each))
        })
    }

    fn show_with_items<E: From<Error>>(
        &self,
        ids: &[i64],
        each: &mut impl FnMut(
            &SupplierRow,
            &EncodedContract<'_>,
            EncodedContractItems<'_>,
        ) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        let source = self.source();
        let mut packed = Vec::with_capacity(ids.len());
        source.items(ids, &mut |items| {
            packed.push(items.map(<[u8]>::to_vec));
            Ok(())
        })?;
        let suppliers = self.suppliers_of_each(ids)?;
        let mut rest = suppliers.iter().zip(&packed);
        let mut passed = Ok(());
        let mut count = 0;
        source.records(ids, &mut |record| {
            count += 1;
            let (supplier, items) = rest.next().ok_or_else(|| source.damaged(NOT_A_CONTRACT))?;
            let contract = decode_contract(&supplier.inn, record);
            let contract = contract.ok_or_else(|| source.damaged(NOT_A_CONTRACT))?;
            let unpacked = unpack_items(&supplier.inn, items.as_deref().unwrap_or_default());
            let items = unpacked.as_ref().and_then(UnpackedItems::items);
            let items = items.ok_or_else(|| source.damaged(NOT_ITEMS))?;
            if passed.is_ok() {
                passed = each(supplier, &contract, items);
            }
            Ok(())
        })?;
        match count == ids.len() {
            true => passed,
            false => Err(source.damaged(NOT_A_CONTRACT).into()),
        }
    }

    /// Returns the supplier of each contract. Reads a supplier only once for consecutive contracts.
    fn suppliers_of_each(&self, ids: &[i64]) -> Result<Vec<SupplierRow>> {
        let runs = || ids.chunk_by(|one, other| supplier_of(*one) == supplier_of(*other));
        let first_of_each: Vec<i64> = runs().filter_map(|run| run.first().copied()).collect();
        let suppliers = self.source().suppliers_of(&first_of_each)?;
        let repeated = suppliers.into_iter().zip(runs());
        let repeated = repeated.flat_map(|(one, run)| std::iter::repeat_n(one, run.len()));
        Ok(repeated.collect())
    }

    /// Passes each purchase that matches `filter` to `each`, in the order of insertion. The caller
    /// must hold the data ([`Database::hold`]).
    ///
    /// # Errors
    /// Returns an error if the data cannot be read, or the error of `each`.
    pub fn export_purchases<E: From<Error>>(
        &self,
        filter: &PurchaseFilter,
        mut each: impl FnMut(&Purchase) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        let source = self.source();
        let (tokens, ranges) = (filter.tokens(), PurchaseRanges::new(filter));
        let mut next = Some(i64::MIN);
        while let Some(first) = next.take() {
            let (ids, after) = purchase_ids(source, &tokens, first, IDS_AT_ONCE)?;
            next = after;
            let mut matching = Vec::new();
            source.purchase_facets_of(&ids, &mut |facets| {
                if ranges.have(facets, source)? {
                    matching.push(facets.id);
                }
                Ok(())
            })?;
            for ids in matching.chunks(PURCHASES_AT_ONCE) {
                let mut passed = Ok(());
                source.purchase_records(ids, &mut |number, record| {
                    if passed.is_ok() {
                        passed = each(&self.purchase_of(number, record)?);
                    }
                    Ok(())
                })?;
                passed?;
            }
        }
        Ok(())
    }
}

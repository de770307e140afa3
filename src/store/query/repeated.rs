//! Contracts that a search finds under several of their suppliers.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use super::super::error::Result;
use super::super::facet_columns::FacetColumn;
use super::super::reg_num::RegNum;
use super::facets::Facets;
use super::source::Source;

/// Columns that determine which of a contract's records is used.
const COLUMNS: &[FacetColumn] = &[FacetColumn::SignDate];

/// A digest of the contract number, and the id, of each contract found so far. Takes 16 bytes per
/// contract.
#[derive(Debug, Default)]
pub(super) struct FoundNumbers(Vec<(u64, i64)>);

impl FoundNumbers {
    pub fn add(&mut self, row: &Facets<'_>) -> Result<()> {
        let digest = match row.reg_num()? {
            RegNum::Number(number) => number,
            RegNum::Text(text) => {
                let mut hasher = DefaultHasher::new();
                text.hash(&mut hasher);
                hasher.finish()
            }
        };
        self.0.push((digest, row.id()?));
        Ok(())
    }

    /// Returns the contracts that were found under several suppliers. For each, returns the ids
    /// under which it was found, ordered by day of signing, then by the supplier's INN, both
    /// descending.
    ///
    /// # Errors
    /// Returns an error if the data is unreadable.
    pub fn repeated(mut self, source: &dyn Source) -> Result<Vec<Vec<i64>>> {
        self.0.sort_unstable();
        let with_same_digest = self.0.chunk_by(|one, other| one.0 == other.0);
        let with_same_digest = with_same_digest.filter(|same| same.len() > 1);
        let ids: Vec<i64> = with_same_digest.flatten().map(|(_, id)| *id).collect();
        let mut rows = Vec::with_capacity(ids.len());
        source.facets_of(&ids, COLUMNS, &mut |row| {
            let facets = Facets::new(source, COLUMNS, row);
            rows.push((facets.reg_num()?, facets.sign_date()?, facets.id()?));
            Ok(())
        })?;
        let ids: Vec<i64> = rows.iter().map(|(_, _, id)| *id).collect();
        let suppliers = source.suppliers_of(&ids)?;
        let rows = rows.into_iter().zip(&suppliers);
        let rows = rows.map(|((number, day, id), supplier)| (number, day, supplier.inn.key(), id));
        let mut rows: Vec<_> = rows.collect();
        rows.sort_unstable_by(|one, other| other.cmp(one));
        let with_same_number = rows.chunk_by(|one, other| one.0 == other.0);
        let repeated = with_same_number.filter(|same| same.len() > 1);
        let ids = repeated.map(|same| same.iter().map(|row| row.3).collect());
        Ok(ids.collect())
    }
}

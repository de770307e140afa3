//! The conditions of an export: the parameters of the endpoint that searches for the same records,
//! except paging and order. Unlike a search, an export has no limit on matches and requires no
//! condition.

use super::endpoints::{Endpoint, content_filter};
use super::error::Failure;
use super::error_detail;
use super::request::parameter::{Defaults, ParameterRow};
use super::request::parameter_table as table;
use super::request::query::Query;
use super::request::reader::Reader;
use super::target::Target;
use crate::model::{ContentFilter, EntryFilter, Moment, PurchaseFilter, VerdictRules};

/// The kinds of records that can be exported by conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportKind {
    /// One row per supplier of a contract.
    Contracts,
    Items,
    Purchases,
    /// Entries in the registries of unfair suppliers.
    Entries,
}

/// The conditions of an export, by kind of record.
#[derive(Clone, Debug)]
pub enum ExportFilter {
    Contracts(ContentFilter),
    /// Words and codes must match the item, not just the contract.
    Items(ContentFilter),
    Purchases(PurchaseFilter),
    Entries(EntryFilter),
}

impl ExportKind {
    pub const ALL: [Self; 4] = [Self::Contracts, Self::Items, Self::Purchases, Self::Entries];

    fn endpoint(self) -> &'static Endpoint {
        match self {
            Self::Contracts => Endpoint::CONTRACT_SEARCH,
            Self::Items => Endpoint::CONTRACT_PRICES,
            Self::Purchases => Endpoint::PURCHASE_SEARCH,
            Self::Entries => Endpoint::RNP_ENTRIES,
        }
    }

    /// Returns the parameters that can be conditions.
    pub fn conditions(self) -> impl Iterator<Item = &'static ParameterRow> {
        let others = [
            table::FORMAT.name,
            table::SKIP.name,
            table::LIMIT.name,
            table::SORT.name,
            table::LANG.name,
            table::RECEIPT.name,
            table::STRICT.name,
        ];
        let rows = self.endpoint().parameters();
        rows.filter(move |row| !others.contains(&row.name))
    }

    /// Parses conditions, each of which is a parameter's name and a value. `now` is the time of the
    /// export.
    ///
    /// # Errors
    /// Returns a sentence about the first wrong value.
    pub fn filter(
        self,
        conditions: &[(&str, &str)],
        rules: VerdictRules,
        now: Moment,
    ) -> Result<ExportFilter, String> {
        let defaults = Defaults {
            rules,
            strict: false,
        };
        let query = Query::from_pairs(conditions);
        let filter = Reader::begin(self.endpoint().path, &query, defaults, now)
            .and_then(|mut reader| self.read(&mut reader));
        filter.map_err(|failure| {
            let detail = error_detail::of(&failure, &Target::offline(self.endpoint(), conditions));
            detail.unwrap_or_else(|| failure.text().into_owned())
        })
    }

    fn read(self, reader: &mut Reader<'_>) -> Result<ExportFilter, Failure> {
        Ok(match self {
            Self::Contracts => {
                let supplier = reader.supplier_if_given()?;
                ExportFilter::Contracts(content_filter(reader, supplier, &table::WORDS)?)
            }
            Self::Items => {
                let supplier = reader.supplier_if_given()?;
                ExportFilter::Items(content_filter(reader, supplier, &table::WORDS_OF_ITEM)?)
            }
            Self::Purchases => ExportFilter::Purchases(reader.purchase_filter()?),
            Self::Entries => {
                let (_, filter) = reader.entry_filter()?;
                ExportFilter::Entries(filter)
            }
        })
    }
}

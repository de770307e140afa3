//! The conditions of an export: the parameters of the endpoint that searches for the same records,
//! apart from its page and order. An export has no bound on its matches, and needs no condition.

use super::endpoints::{Endpoint, content_filter};
use super::error::Failure;
use super::error_detail;
use super::request::parameter::{Defaults, ParameterRow};
use super::request::parameter_table as table;
use super::request::query::Query;
use super::request::reader::Reader;
use super::target::Target;
use crate::model::{ContentFilter, EntryFilter, Moment, PurchaseFilter, VerdictRules};

/// The records of an export with conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportKind {
    /// Contracts, each under each of its suppliers.
    Contracts,
    /// The items of contracts.
    Items,
    /// Purchases.
    Purchases,
    /// Entries of the registries of unfair suppliers.
    Entries,
}

/// The records that an export selects.
#[derive(Clone, Debug)]
pub enum ExportFilter {
    /// Contracts.
    Contracts(ContentFilter),
    /// Items of contracts; words and codes are those of an item.
    Items(ContentFilter),
    /// Purchases.
    Purchases(PurchaseFilter),
    /// Entries of the registries.
    Entries(EntryFilter),
}

impl ExportKind {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Contracts, Self::Items, Self::Purchases, Self::Entries];

    fn endpoint(self) -> &'static Endpoint {
        match self {
            Self::Contracts => Endpoint::CONTRACT_SEARCH,
            Self::Items => Endpoint::CONTRACT_PRICES,
            Self::Purchases => Endpoint::PURCHASE_SEARCH,
            Self::Entries => Endpoint::RNP_ENTRIES,
        }
    }

    /// Returns the parameters that are conditions.
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

    /// Reads conditions, which are pairs of a parameter's name and a value, for an export at the
    /// time `now`.
    ///
    /// # Errors
    /// A sentence about the first wrong value.
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

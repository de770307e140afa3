//! The columns for filtering, ordering and summing contracts. The file's table `contract_facet` and
//! the published table `contract` have them under the same names and with the same values, which
//! depend only on the contract's record.
//!
//! A filter checks a condition on all rows of a supplier or a customer. Separate indexes for every
//! filter and order would take more space and slow down imports, and could still not count the
//! matches.

use std::borrow::Cow;

use super::error::Result;
use super::reg_num::RegNum;
use crate::model::{Amount, ContractStage, Date, EncodedContract, RecordFact};

/// Declares [`FacetColumn`]: the name and type of each column, and whether it may be null.
macro_rules! facet_columns {
    ($($(#[$doc:meta])* $column:ident = $name:literal: $type:ident $(or $null:ident)?,)*) => {
        /// A column of facets. The tables of files and publications are generated from this list.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum FacetColumn {
            $($(#[$doc])* $column,)*
        }

        impl FacetColumn {
            /// All columns in table order.
            pub const ALL: &'static [Self] = &[$(Self::$column),*];

            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$column => $name,)*
                }
            }

            pub const fn kind(self) -> FacetType {
                match self {
                    $(Self::$column => FacetType::$type,)*
                }
            }

            pub const fn is_optional(self) -> bool {
                match self {
                    $(Self::$column => is_optional!($($null)?),)*
                }
            }
        }
    };
}

macro_rules! is_optional {
    () => {
        false
    };
    (null) => {
        true
    };
}

facet_columns! {
    /// Day of signing as YYYYMMDD; 0 if missing.
    SignDate = "sign_date": Number,
    /// Day of the last change as YYYYMMDD; 0 if missing.
    UpdateDate = "update_date": Number,
    /// Number of the stage ([`ContractStage::number`]); 0 if missing.
    Stage = "stage": Number,
    CustomerInn = "customer_inn": Inn,
    IsCustomerNamed = "is_customer_named": Number,
    /// [`Amount::hundredths_below`]; null without a price.
    Price = "price": Number or null,
    /// The price, if [`Amount::as_hundredths`] cannot express it; otherwise null.
    PriceText = "price_text": Text or null,
    HasSubcontractors = "has_subcontractors": Number,
    /// The last day on which the contract is not overdue yet ([`crate::model::Overdue`]), as
    /// YYYYMMDD; 99991231 if it is no longer in execution; null if unknown.
    NotOverdueTo = "not_overdue_to": Number or null,
    /// Risk facts of the record, one bit each ([`RecordFact::number`]).
    Facts = "facts": Number,
}

/// Statement that creates the index for finding the contracts of a customer.
pub(super) const INDEX_OF_CUSTOMERS: &str = "CREATE INDEX contract_facet_of_customer \
                                            ON contract_facet (customer_inn, sign_date)";

/// Returns the statements that create the file's table `contract_facet` and its indexes.
pub(super) fn file_schema() -> String {
    let columns = FacetColumn::ALL.iter().map(|column| {
        let kind = match column.kind() {
            FacetType::Number => "INTEGER",
            FacetType::Text => "TEXT",
            FacetType::Inn => "ANY",
        };
        let null = if column.is_optional() {
            ""
        } else {
            " NOT NULL"
        };
        format!(", {} {kind}{null}", column.name())
    });
    let columns: String = columns.collect();
    // The registry number is the last column, so that filters need not read past it.
    format!(
        "CREATE TABLE contract_facet (id INTEGER PRIMARY KEY{columns}, reg_num ANY NOT NULL) STRICT; \
         CREATE INDEX contract_facet_of_number ON contract_facet (reg_num); {INDEX_OF_CUSTOMERS};"
    )
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FacetType {
    Number,
    Text,
    /// A text, stored in the file as an integer if that loses nothing.
    Inn,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum FacetValue<'a> {
    Null,
    Number(i64),
    Text(Cow<'a, str>),
}

impl FacetColumn {
    pub fn names(columns: &[Self]) -> String {
        let names: Vec<&str> = columns.iter().map(|column| column.name()).collect();
        names.join(", ")
    }

    /// Returns the value of the column for a contract. Returns `None` for a record that this
    /// program did not write.
    pub fn value<'a>(self, contract: &EncodedContract<'a>) -> Option<FacetValue<'a>> {
        let day = |text: &str| match text {
            "" => Some(FacetValue::Number(0)),
            text => Date::parse_iso(text).map(|day| FacetValue::Number(day.number().into())),
        };
        let price = || match &*contract.price.text() {
            "" => Some(None),
            text => text.parse::<Amount>().ok().map(Some),
        };
        Some(match self {
            Self::SignDate => day(&contract.sign_date.text())?,
            Self::UpdateDate => day(&contract.update_date.text())?,
            Self::Stage => FacetValue::Number(stage_number(contract.stage).into()),
            Self::CustomerInn => FacetValue::Text(contract.customer_inn.text()),
            Self::IsCustomerNamed => {
                FacetValue::Number((!contract.customer_name.is_empty()).into())
            }
            Self::Price => price()?.map_or(FacetValue::Null, |price| {
                FacetValue::Number(price.hundredths_below())
            }),
            Self::PriceText => match price()?.filter(|price| price.as_hundredths().is_none()) {
                Some(_) => FacetValue::Text(contract.price.text()),
                None => FacetValue::Null,
            },
            Self::HasSubcontractors => FacetValue::Number(contract.has_subcontractors.into()),
            Self::NotOverdueTo => {
                let day = match contract.stage {
                    None => None,
                    Some(ContractStage::InExecution) => contract.execution_end(),
                    Some(_) => Date::new(9999, 12, 31),
                };
                day.map_or(FacetValue::Null, |day| {
                    FacetValue::Number(day.number().into())
                })
            }
            Self::Facts => FacetValue::Number(RecordFact::bits_of(contract).into()),
        })
    }
}

pub(super) fn stage_number(stage: Option<ContractStage>) -> u8 {
    stage.map_or(0, ContractStage::number)
}

/// A row of facets, as passed on by a source.
pub(super) trait FacetRow {
    fn id(&self) -> Result<i64>;
    fn reg_num(&self) -> Result<RegNum>;
    /// Returns the value of the selected column at this index.
    fn value(&self, at: usize) -> Result<FacetValue<'_>>;
}

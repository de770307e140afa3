//! The columns that filters, orders and sums of contracts use. The file's table
//! `contract_facet` and the published table `contract` have the same names and values. The values
//! follow from the contract's record alone.
//!
//! A filter is a condition over all rows of a supplier or a customer. An index for each filter and
//! order would be larger, slow imports down, and still not count the matches.

use std::borrow::Cow;

use super::super::error::Result;
use crate::model::{Amount, ContractStage, Date, EncodedContract};

/// Declares [`FacetColumn`]: each column with its name and type.
macro_rules! facet_columns {
    ($($(#[$doc:meta])* $column:ident = $name:literal: $type:ident,)*) => {
        /// A column of facets. A new one needs its value in this file and its line in the file's
        /// `schema.sql`: without them it does not compile. The published table follows.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(in crate::store) enum FacetColumn {
            $($(#[$doc])* $column,)*
        }

        impl FacetColumn {
            /// All columns, in the order of the file's schema.
            pub const ALL: &'static [Self] = &[$(Self::$column),*];

            /// Returns the name of the column, and the type of its values.
            pub const fn definition(self) -> (&'static str, FacetType) {
                match self {
                    $(Self::$column => ($name, FacetType::$type),)*
                }
            }
        }
    };
}

facet_columns! {
    /// As YYYYMMDD, 0 for none; the other date has the same form.
    SignDate = "sign_date": Number,
    UpdateDate = "update_date": Number,
    /// [`ContractStage::number`], 0 for none.
    Stage = "stage": Number,
    /// A text, which the file stores as an integer if that restores it.
    CustomerInn = "customer_inn": Text,
    IsCustomerNamed = "is_customer_named": Number,
    /// [`Amount::hundredths_below`]; null for no price.
    Price = "price": Number,
    /// The price if it is not [`Amount::as_hundredths`], else null.
    PriceText = "price_text": Text,
    HasSubcontractors = "has_subcontractors": Number,
    /// The last day before the contract counts as overdue ([`crate::model::Overdue`]), as YYYYMMDD;
    /// 99991231 if it is no longer in execution; null if unknown.
    NotOverdueTo = "not_overdue_to": Number,
}

const _: () = assert!(
    are_columns_of(include_bytes!("../schema.sql")),
    "the table contract_facet in schema.sql has other columns than FacetColumn::ALL"
);

/// Returns whether the table `contract_facet` in `schema` has all columns behind its id, in their
/// order, and no others.
const fn are_columns_of(schema: &[u8]) -> bool {
    let mut line = schema;
    while !starts_with(line, b"CREATE TABLE contract_facet (") {
        if line.is_empty() {
            return false;
        }
        line = next_line(line);
    }
    line = next_line(next_line(line));
    let mut columns = FacetColumn::ALL;
    while let [column, rest @ ..] = columns {
        let name = column.name().as_bytes();
        let text = line.trim_ascii_start();
        if !starts_with(text, name) || !starts_with(text.split_at(name.len()).1, b" ") {
            return false;
        }
        line = next_line(line);
        columns = rest;
    }
    starts_with(line, b")")
}

const fn starts_with(mut text: &[u8], mut start: &[u8]) -> bool {
    while let [expected, others @ ..] = start {
        match text {
            [first, rest @ ..] if *first == *expected => text = rest,
            _ => return false,
        }
        start = others;
    }
    true
}

const fn next_line(mut text: &[u8]) -> &[u8] {
    while let [first, rest @ ..] = text {
        text = rest;
        if *first == b'\n' {
            break;
        }
    }
    text
}

/// The type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::store) enum FacetType {
    Number,
    Text,
}

/// A value of a facet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::store) enum FacetValue<'a> {
    Null,
    Number(i64),
    Text(Cow<'a, str>),
}

impl FacetColumn {
    /// Returns the name of the column.
    pub const fn name(self) -> &'static str {
        self.definition().0
    }

    /// Returns the names of columns, separated by commas.
    pub fn names(columns: &[Self]) -> String {
        let names: Vec<&str> = columns.iter().map(|column| column.name()).collect();
        names.join(", ")
    }

    /// Returns the column's value for a contract; none if this program did not write the record.
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
        })
    }
}

/// The number of a stage: 0 for none.
pub(in crate::store) fn stage_number(stage: Option<ContractStage>) -> u8 {
    stage.map_or(0, ContractStage::number)
}

/// A row of facets, as a source streams it.
pub(in crate::store) trait FacetRow {
    /// The id of the contract.
    fn id(&self) -> Result<i64>;
    /// Returns the value of the selected column at this index.
    fn value(&self, at: usize) -> Result<FacetValue<'_>>;
}

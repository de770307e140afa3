//! The columns that filters, orders and sums of contracts use. The file's table
//! `contract_facet` and the published table `contract` have the same names and values. The values
//! follow from the contract's record alone.
//!
//! A filter is a condition over all rows of a supplier or a customer. An index for each filter and
//! order would be larger, slow imports down, and still not count the matches.

use std::borrow::Cow;

use super::super::error::Result;
use crate::model::{Amount, ContractStage, Date, EncodedContract};

/// A column of facets. A new one needs its place in [`FacetColumn::ALL`], a line in the file's
/// `schema.sql`, and values in this file; the published table follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::store) enum FacetColumn {
    /// As YYYYMMDD, 0 for none; the other date has the same form.
    SignDate,
    UpdateDate,
    /// [`ContractStage::number`], 0 for none.
    Stage,
    /// A text, which the file stores as an integer if that restores it.
    CustomerInn,
    IsCustomerNamed,
    /// [`Amount::hundredths_below`]; null for no price.
    Price,
    /// The price if it is not [`Amount::as_hundredths`], else null.
    PriceText,
    HasSubcontractors,
    /// The last day before the contract counts as overdue ([`crate::model::Overdue`]), as YYYYMMDD;
    /// 99991231 if it is no longer in execution; null if unknown.
    NotOverdueTo,
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
    /// All columns, in the order of the file's schema. The compiler does not notice a missing one.
    pub const ALL: &'static [Self] = &[
        Self::SignDate,
        Self::UpdateDate,
        Self::Stage,
        Self::CustomerInn,
        Self::IsCustomerNamed,
        Self::Price,
        Self::PriceText,
        Self::HasSubcontractors,
        Self::NotOverdueTo,
    ];

    /// Returns the name of the column, and the type of its values.
    pub const fn definition(self) -> (&'static str, FacetType) {
        match self {
            Self::SignDate => ("sign_date", FacetType::Number),
            Self::UpdateDate => ("update_date", FacetType::Number),
            Self::Stage => ("stage", FacetType::Number),
            Self::CustomerInn => ("customer_inn", FacetType::Text),
            Self::IsCustomerNamed => ("is_customer_named", FacetType::Number),
            Self::Price => ("price", FacetType::Number),
            Self::PriceText => ("price_text", FacetType::Text),
            Self::HasSubcontractors => ("has_subcontractors", FacetType::Number),
            Self::NotOverdueTo => ("not_overdue_to", FacetType::Number),
        }
    }

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

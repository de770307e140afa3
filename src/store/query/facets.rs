//! What contracts are filtered, ordered and summed up by: the columns of the file's table
//! `contract_facet` and of the published table `contract`, which have the same names and the
//! same values in both. The values follow from the contract's record alone.
//!
//! A filter is a condition over all rows of a supplier, or of a customer. An index for each
//! filter and order would be larger, slow imports down, and still not count what matches.

use std::borrow::Cow;

use super::super::error::{Error, Result};
use super::filter::Condition;
use super::source::{Owner, Source};
use crate::model::{Amount, ContractFilter, ContractStage, Date, EncodedContract};

/// A column of facets. Another one needs a line in both schemas, and values here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::store) enum FacetColumn {
    /// As YYYYMMDD, 0 for none; so is the other date.
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
    /// All of them, in the order of both schemas.
    pub const ALL: &'static [Self] = &[
        Self::SignDate,
        Self::UpdateDate,
        Self::Stage,
        Self::CustomerInn,
        Self::IsCustomerNamed,
        Self::Price,
        Self::PriceText,
        Self::HasSubcontractors,
    ];

    /// Its name, and the type of its values.
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
        }
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        self.definition().0
    }

    /// The names of columns, with commas between.
    pub fn names(columns: &[Self]) -> String {
        let names: Vec<&str> = columns.iter().map(|column| column.name()).collect();
        names.join(", ")
    }

    /// Its value of a contract; none if this program did not write the record.
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
    /// The value of the column at this place of those that were asked for.
    fn value(&self, at: usize) -> Result<FacetValue<'_>>;
}

/// The price of a contract.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum FacetPrice {
    /// There is none.
    #[default]
    None,
    /// In hundredths of a rouble.
    Hundredths(i64),
    /// Another amount; boxed, as it is rare.
    Other(Box<Amount>),
}

impl FacetPrice {
    fn amount(&self) -> Option<Amount> {
        match self {
            Self::None => None,
            Self::Hundredths(hundredths) => Some(Amount::from_hundredths(*hundredths)),
            Self::Other(amount) => Some(**amount),
        }
    }
}

/// The facets of a contract that matches.
pub(super) struct Facets<'a> {
    source: &'a dyn Source,
    columns: &'a [FacetColumn],
    row: &'a dyn FacetRow,
}

impl<'a> Facets<'a> {
    fn value(&self, column: FacetColumn) -> Result<FacetValue<'a>> {
        match self.columns.iter().position(|one| *one == column) {
            Some(at) => self.row.value(at),
            None => Ok(FacetValue::Null),
        }
    }

    fn damaged(&self, column: FacetColumn) -> Error {
        let what = format!("the column {} of a contract", column.name());
        self.source.damaged(&what)
    }

    fn number<T: TryFrom<i64>>(&self, column: FacetColumn) -> Result<T> {
        let number = match self.value(column)? {
            FacetValue::Number(number) => T::try_from(number).ok(),
            _ => None,
        };
        number.ok_or_else(|| self.damaged(column))
    }

    /// The id of the contract.
    pub fn id(&self) -> Result<i64> {
        self.row.id()
    }

    /// The day of signing as YYYYMMDD, 0 for none.
    pub fn sign_date(&self) -> Result<u32> {
        self.number(FacetColumn::SignDate)
    }

    /// The day of the last change, likewise.
    pub fn update_date(&self) -> Result<u32> {
        self.number(FacetColumn::UpdateDate)
    }

    /// The number of the stage, 0 for none.
    pub fn stage(&self) -> Result<usize> {
        self.number(FacetColumn::Stage)
    }

    /// Replaces `inn` by the INN of the customer.
    pub fn customer_inn(&self, inn: &mut String) -> Result<()> {
        inn.clear();
        match self.value(FacetColumn::CustomerInn)? {
            FacetValue::Number(number) => inn.push_str(itoa::Buffer::new().format(number)),
            FacetValue::Text(text) => inn.push_str(&text),
            FacetValue::Null => return Err(self.damaged(FacetColumn::CustomerInn)),
        }
        Ok(())
    }

    /// Whether the contract has its customer's name.
    pub fn is_customer_named(&self) -> Result<bool> {
        self.number(FacetColumn::IsCustomerNamed)
            .map(|number: i64| number != 0)
    }

    /// The price.
    pub fn price(&self) -> Result<FacetPrice> {
        let text = match self.value(FacetColumn::PriceText)? {
            FacetValue::Null => {
                return Ok(match self.value(FacetColumn::Price)? {
                    FacetValue::Null => FacetPrice::None,
                    _ => FacetPrice::Hundredths(self.number(FacetColumn::Price)?),
                });
            }
            FacetValue::Text(text) => text,
            FacetValue::Number(_) => return Err(self.damaged(FacetColumn::PriceText)),
        };
        let amount = text.parse().ok();
        let amount = amount.ok_or_else(|| self.damaged(FacetColumn::PriceText))?;
        Ok(FacetPrice::Other(Box::new(amount)))
    }
}

/// Passes the facets of the contracts of `owner` that match a filter to `each`, with these
/// columns.
///
/// # Errors
/// The data cannot be read, or has fewer facets than contracts.
pub(super) fn each_match(
    source: &dyn Source,
    owner: Owner<'_>,
    filter: &ContractFilter,
    columns: &[FacetColumn],
    mut each: impl FnMut(&Facets<'_>) -> Result<()>,
) -> Result<()> {
    let condition = Condition::new(filter);
    let has_bounds = filter.price_from.is_some() || filter.price_to.is_some();
    let mut columns = columns.to_vec();
    if has_bounds {
        columns.extend([FacetColumn::Price, FacetColumn::PriceText]);
    }
    let mut count = 0;
    source.facets(owner, &condition, &columns, &mut |row| {
        count += 1;
        let facets = Facets {
            source,
            columns: &columns,
            row,
        };
        // The condition compares prices rounded down to hundredths.
        match has_bounds && !filter.matches_price(facets.price()?.amount()) {
            true => Ok(()),
            false => each(&facets),
        }
    })?;
    match owner {
        Owner::Supplier(supplier) if condition.is_empty() && count != supplier.contracts => {
            Err(source.damaged("a supplier has fewer contracts than it counts"))
        }
        _ => Ok(()),
    }
}

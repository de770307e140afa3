//! Facets of contracts that match a filter, in the form in which a source passes them on.

use super::super::error::{Error, Result};
use super::super::facet_columns::{FacetColumn, FacetRow, FacetValue};
use super::super::reg_num::RegNum;
use super::Database;
use super::filter::Condition;
use super::source::{Owner, Source};
use crate::model::{Amount, ContractFilter, ContractStage, Date, RiskFact, RiskFacts};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum FacetPrice {
    #[default]
    None,
    /// A price in hundredths of a rouble.
    Hundredths(i64),
    /// Any other amount. Boxed, because it is rare.
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

pub(super) struct Facets<'a> {
    source: &'a dyn Source,
    columns: &'a [FacetColumn],
    row: &'a dyn FacetRow,
}

impl<'a> Facets<'a> {
    pub const COLUMNS_OF_FACTS: [FacetColumn; 4] = [
        FacetColumn::Stage,
        FacetColumn::Facts,
        FacetColumn::NotOverdueTo,
        FacetColumn::SignDate,
    ];

    pub fn new(source: &'a dyn Source, columns: &'a [FacetColumn], row: &'a dyn FacetRow) -> Self {
        Self {
            source,
            columns,
            row,
        }
    }

    /// Returns whether the contract meets the conditions of `filter`. `condition` is made from
    /// `filter` but compares prices rounded down to hundredths, so the filter's price bounds are
    /// also checked exactly. The row must have the columns for both.
    pub fn meets(&self, condition: &Condition<'_>, filter: &ContractFilter) -> Result<bool> {
        let has_bounds = filter.price_from.is_some() || filter.price_to.is_some();
        let holds = condition.holds(|column| self.value(column))?;
        Ok(holds && (!has_bounds || filter.matches_price(self.price()?.amount())))
    }

    /// Returns the registry number. Rows of [`Source::facets`] do not have it.
    pub fn reg_num(&self) -> Result<RegNum> {
        self.row.reg_num()
    }

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

    pub fn id(&self) -> Result<i64> {
        self.row.id()
    }

    /// Returns the day of signing as YYYYMMDD; 0 if missing.
    pub fn sign_date(&self) -> Result<u32> {
        self.number(FacetColumn::SignDate)
    }

    /// Returns the day of the last change as YYYYMMDD; 0 if missing.
    pub fn update_date(&self) -> Result<u32> {
        self.number(FacetColumn::UpdateDate)
    }

    pub fn stage(&self) -> Result<usize> {
        self.number(FacetColumn::Stage)
    }

    pub fn is_annulled(&self) -> Result<bool> {
        Ok(self.stage()? == usize::from(ContractStage::Annulled.number()))
    }

    /// Returns the risk facts as of a day. `is_listed` tells whether an RNP entry about the
    /// supplier was in force on the day of signing.
    pub fn risk_facts(&self, on: Date, is_listed: impl FnOnce(Date) -> bool) -> Result<RiskFacts> {
        let mut facts = RiskFacts::of_record(self.number(FacetColumn::Facts)?);
        if self.is_annulled()? {
            return Ok(facts);
        }
        let last_day = match self.value(FacetColumn::NotOverdueTo)? {
            FacetValue::Null => None,
            _ => Some(self.number::<u32>(FacetColumn::NotOverdueTo)?),
        };
        if last_day.is_some_and(|last| last < on.number()) {
            facts.insert(RiskFact::Overdue);
        }
        if Date::from_number(self.sign_date()?).is_some_and(is_listed) {
            facts.insert(RiskFact::SignedWhileListed);
        }
        Ok(facts)
    }

    pub fn customer_inn(&self, inn: &mut String) -> Result<()> {
        inn.clear();
        match self.value(FacetColumn::CustomerInn)? {
            FacetValue::Number(number) => inn.push_str(itoa::Buffer::new().format(number)),
            FacetValue::Text(text) => inn.push_str(&text),
            FacetValue::Null => return Err(self.damaged(FacetColumn::CustomerInn)),
        }
        Ok(())
    }

    pub fn is_customer_named(&self) -> Result<bool> {
        self.number(FacetColumn::IsCustomerNamed)
            .map(|number: i64| number != 0)
    }

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

/// Passes the facets of the contracts of `owner` that match a filter to `each`. The rows have at
/// least the given columns.
///
/// # Errors
/// Returns an error if the data is unreadable or has fewer facets than contracts.
pub(super) fn each_match(
    database: &Database,
    owner: Owner<'_>,
    filter: &ContractFilter,
    columns: &[FacetColumn],
    mut each: impl FnMut(&Facets<'_>) -> Result<()>,
) -> Result<()> {
    let source = database.source();
    if let Owner::Supplier(supplier) = owner {
        database.reading.allow(supplier.contracts)?;
    }
    let condition = Condition::new(filter);
    let has_bounds = filter.price_from.is_some() || filter.price_to.is_some();
    let mut columns = columns.to_vec();
    if has_bounds {
        columns.extend([FacetColumn::Price, FacetColumn::PriceText]);
    }
    let mut count = 0;
    source.facets(owner, &condition, &columns, &mut |row| {
        count += 1;
        database.reading.allow(count)?;
        let facets = Facets::new(source, &columns, row);
        // The condition has compared only prices rounded down to hundredths.
        match has_bounds && !filter.matches_price(facets.price()?.amount()) {
            true => Ok(()),
            false => each(&facets),
        }
    })?;
    match owner {
        Owner::Supplier(supplier) if condition.is_empty() && count != supplier.contracts => {
            Err(source.damaged("a supplier has fewer contracts than its row says"))
        }
        _ => Ok(()),
    }
}

//! Turns a filter into the condition of a statement, for SQLite and PostgreSQL. A condition is a
//! list of rows, each with a column, a comparison and a value. Forgetting a field of
//! [`ContractFilter`] is a compile error.

use super::super::error::Result;
use super::super::facet_columns::{FacetColumn, FacetValue};
use crate::model::{ContractFilter, Overdue};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::store) enum Comparison {
    /// The column equals the value.
    Is,
    /// The column is at least the value; NULL does not match.
    AtLeast,
    /// The column is at most the value; NULL does not match.
    AtMost,
    /// The column is the number of a bit, and that bit is set in the value.
    InBits,
}

/// Conditions joined by AND.
#[derive(Clone, Debug, Default)]
pub(in crate::store) struct Condition<'a> {
    rows: Vec<(FacetColumn, Comparison, FacetValue<'a>)>,
}

impl<'a> Condition<'a> {
    /// Creates the condition of a filter. It compares only prices rounded down to hundredths, so
    /// the caller must check exact prices.
    pub fn new(filter: &'a ContractFilter) -> Self {
        use Comparison::{AtLeast, AtMost, InBits, Is};
        let ContractFilter {
            stages,
            signed_from,
            signed_to,
            updated_from,
            customer_inn,
            price_from,
            price_to,
            has_subcontractors,
            overdue,
        } = filter;
        let number = |number: Option<i64>| number.map(FacetValue::Number);
        // Contracts without a sign date have 0 in the column, which must not match if there is only
        // an upper bound.
        let signed_from = signed_from.map(|day| day.number()).or(signed_to.map(|_| 1));
        let rows = [
            (
                FacetColumn::Stage,
                InBits,
                number((!stages.is_any()).then(|| i64::from(stages.number()) << 1)),
            ),
            (
                FacetColumn::SignDate,
                AtLeast,
                number(signed_from.map(i64::from)),
            ),
            (
                FacetColumn::SignDate,
                AtMost,
                number(signed_to.map(|day| day.number().into())),
            ),
            (
                FacetColumn::UpdateDate,
                AtLeast,
                number(updated_from.map(|day| day.number().into())),
            ),
            (
                FacetColumn::CustomerInn,
                Is,
                customer_inn
                    .as_deref()
                    .map(|inn| FacetValue::Text(inn.into())),
            ),
            (
                FacetColumn::Price,
                AtLeast,
                number(price_from.map(|price| price.hundredths_below())),
            ),
            (
                FacetColumn::Price,
                AtMost,
                number(price_to.map(|price| price.hundredths_below())),
            ),
            (
                FacetColumn::HasSubcontractors,
                Is,
                number(has_subcontractors.map(i64::from)),
            ),
            match overdue {
                Some(Overdue { is_overdue, on }) if *is_overdue => (
                    FacetColumn::NotOverdueTo,
                    AtMost,
                    number(Some(on.minus_days(1).number().into())),
                ),
                overdue => (
                    FacetColumn::NotOverdueTo,
                    AtLeast,
                    number(overdue.map(|overdue| overdue.on.number().into())),
                ),
            },
        ];
        let given = rows
            .into_iter()
            .filter_map(|(column, comparison, value)| Some((column, comparison, value?)));
        Self {
            rows: given.collect(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Returns whether a contract with the given values meets all conditions. Must not be called if
    /// there is a condition on the customer's INN.
    pub fn holds(
        &self,
        mut value: impl FnMut(FacetColumn) -> Result<FacetValue<'a>>,
    ) -> Result<bool> {
        for (column, comparison, expected) in &self.rows {
            let (FacetValue::Number(number), FacetValue::Number(expected)) =
                (value(*column)?, expected)
            else {
                return Ok(false);
            };
            let holds = match comparison {
                Comparison::Is => number == *expected,
                Comparison::AtLeast => number >= *expected,
                Comparison::AtMost => number <= *expected,
                Comparison::InBits => expected >> number & 1 == 1,
            };
            if !holds {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns the columns and values of the parameters, in order.
    pub fn columns_and_values(&self) -> impl Iterator<Item = (FacetColumn, &FacetValue<'a>)> {
        self.rows.iter().map(|(column, _, value)| (*column, value))
    }

    /// Formats the condition as SQL, with `AND` before each comparison. `parameter` formats the
    /// parameter with an index that starts at 0.
    pub fn sql(&self, mut parameter: impl FnMut(usize, &FacetValue<'a>) -> String) -> String {
        let rows = self.rows.iter().enumerate();
        let text = rows.map(|(at, (column, comparison, value))| {
            let (column, parameter) = (column.name(), parameter(at, value));
            match comparison {
                Comparison::Is => format!(" AND {column} = {parameter}"),
                Comparison::AtLeast => format!(" AND {column} >= {parameter}"),
                Comparison::AtMost => format!(" AND {column} <= {parameter}"),
                Comparison::InBits => {
                    format!(" AND ({parameter} >> CAST({column} AS integer) & 1) = 1")
                }
            }
        });
        text.collect()
    }
}

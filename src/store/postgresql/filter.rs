//! A filter as the condition of a statement.

use std::borrow::Cow;
use std::fmt;

use super::client::Param;
use super::text::stored;
use crate::model::{Amount, ContractFilter, ContractStage, Date};

/// The condition that contracts match a filter, with the parameters from `$1` to `$8`. Its text
/// depends on as little of the filter as it can, so that few statements are prepared. What is
/// read from a text stands in a subselect, which is evaluated once.
#[derive(Debug)]
pub(super) struct Condition<'a> {
    column: &'static str,
    inn: Cow<'a, str>,
    signed: [Option<String>; 2],
    updated_from: Option<String>,
    stages: Option<Vec<&'static str>>,
    customer_inn: Option<Cow<'a, str>>,
    prices: [Option<String>; 2],
}

impl<'a> Condition<'a> {
    /// That of contracts with this INN in a column.
    pub fn new(column: &'static str, inn: &'a str, filter: &'a ContractFilter) -> Self {
        let bit = |stage: &ContractStage| filter.stages.number() >> (stage.number() - 1) & 1;
        let stages = ContractStage::ALL.into_iter();
        let stages = stages
            .filter(|stage| bit(stage) == 1)
            .map(ContractStage::code);
        let day = |day: Option<Date>| day.map(|day| day.to_string());
        let price = |price: Option<Amount>| price.map(|price| price.to_string());
        Self {
            column,
            inn: stored(inn),
            signed: [filter.signed_from, filter.signed_to].map(day),
            updated_from: day(filter.updated_from),
            stages: (!filter.stages.is_any()).then(|| stages.collect()),
            customer_inn: filter.customer_inn.as_deref().map(stored),
            prices: [filter.price_from, filter.price_to].map(price),
        }
    }

    /// The parameters, and those that follow.
    pub fn params(&'a self, others: &'a [i64]) -> Vec<Param<'a>> {
        let [signed_from, signed_to] = &self.signed;
        let [price_from, price_to] = &self.prices;
        let mut params: Vec<Param<'a>> = vec![
            &self.inn,
            signed_from,
            signed_to,
            &self.updated_from,
            &self.stages,
            &self.customer_inn,
            price_from,
            price_to,
        ];
        params.extend(others.iter().map(|other| other as Param<'a>));
        params
    }
}

impl fmt::Display for Condition<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A range of the index, where there is one; contracts without a day are in none.
        let signed = match self.signed {
            [None, None] => "$2::text IS NULL AND $3::text IS NULL",
            _ => {
                "sign_date BETWEEN (SELECT coalesce($2::text, '-infinity')::date) \
                 AND (SELECT coalesce($3::text, 'infinity')::date)"
            }
        };
        write!(
            f,
            "{} = $1 AND {signed} \
             AND ($4::text IS NULL OR update_date >= (SELECT $4::text::date)) \
             AND ($5::text[] IS NULL OR stage = ANY ($5)) \
             AND ($6::text IS NULL OR customer_inn = $6) \
             AND ($7::text IS NULL OR price >= (SELECT $7::text::numeric)) \
             AND ($8::text IS NULL OR price <= (SELECT $8::text::numeric))",
            self.column
        )
    }
}

/// A number as PostgreSQL has them; one that is larger than any there is its largest.
pub(super) fn saturated(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

//! A filter as the condition of a statement.

use std::fmt;

use super::client::Param;
use crate::model::{ContractFilter, ContractStage};

/// The condition that contracts match a filter, with the parameters from `$1` to `$8`. Its text
/// depends on as little of the filter as it can, so that few statements are prepared. What is
/// read from a text stands in a subselect, which is evaluated once.
#[derive(Debug)]
pub(super) struct Condition<'a> {
    column: &'static str,
    inn: &'a str,
    signed: Option<[String; 2]>,
    updated_from: Option<String>,
    stages: Option<Vec<&'static str>>,
    customer_inn: Option<&'a str>,
    prices: [Option<String>; 2],
}

impl<'a> Condition<'a> {
    /// That of contracts with this INN in a column.
    pub fn new(column: &'static str, inn: &'a str, filter: &'a ContractFilter) -> Self {
        let has_days = filter.signed_from.is_some() || filter.signed_to.is_some();
        let signed = [
            filter
                .signed_from
                .map_or("-infinity".to_owned(), |day| day.to_string()),
            filter
                .signed_to
                .map_or("infinity".to_owned(), |day| day.to_string()),
        ];
        let is_one =
            |stage: &ContractStage| filter.stages.number() >> (stage.number() - 1) & 1 == 1;
        let stages = ContractStage::ALL.into_iter().filter(is_one);
        Self {
            column,
            inn,
            signed: has_days.then_some(signed),
            updated_from: filter.updated_from.map(|day| day.to_string()),
            stages: (!filter.stages.is_any()).then(|| stages.map(ContractStage::code).collect()),
            customer_inn: filter.customer_inn.as_deref(),
            prices: [filter.price_from, filter.price_to]
                .map(|price| price.map(|price| price.to_string())),
        }
    }

    /// The parameters, and those that follow.
    pub fn params(&'a self, others: &'a [i64]) -> Vec<Param<'a>> {
        const NO_DAYS: &[Option<String>; 2] = &[None, None];
        let mut params: Vec<Param<'a>> = vec![&self.inn];
        match &self.signed {
            Some([from, to]) => params.extend([from as Param<'a>, to]),
            None => params.extend([&NO_DAYS[0] as Param<'a>, &NO_DAYS[1]]),
        }
        params.extend([
            &self.updated_from as Param<'a>,
            &self.stages,
            &self.customer_inn,
        ]);
        params.extend([&self.prices[0] as Param<'a>, &self.prices[1]]);
        params.extend(others.iter().map(|other| other as Param<'a>));
        params
    }
}

impl fmt::Display for Condition<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let signed = match self.signed {
            Some(_) => "sign_date BETWEEN (SELECT $2::text::date) AND (SELECT $3::text::date)",
            None => "$2::text IS NULL AND $3::text IS NULL",
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

//! The summary of a supplier's contracts: sums of `numeric`, which are exact.

use std::cmp::Reverse;

use super::super::error::Result;
use super::super::summary::{CUSTOMERS, STAGES};
use super::super::suppliers::KnownSupplier;
use super::client::Row;
use super::filter::{Condition, saturated};
use super::reader::{FIRST, ServerData};
use super::text::original;
use crate::model::{
    ContractFilter, ContractStage, ContractSummary, CustomerSummary, Inn, Share, Sum,
};

/// A row for each group: which kind of group, its key, how many contracts, how many without a
/// price, the sum, and for a customer the record of the newest contract that has its name. The
/// key of all is the number of customers.
macro_rules! groups {
    ($condition:expr) => {
        format!(
            "WITH matching AS MATERIALIZED (SELECT reg_num, sign_date, stage, customer_inn, \
             is_customer_named, price FROM DATA.contract WHERE {}), \
             customers AS MATERIALIZED (SELECT customer_inn, count(*) AS contracts, \
             coalesce(sum(price), 0) AS sum FROM matching WHERE customer_inn <> '' \
             GROUP BY customer_inn), \
             largest AS (SELECT * FROM customers \
             ORDER BY sum DESC, contracts DESC, customer_inn LIMIT $9), \
             named AS MATERIALIZED (SELECT DISTINCT ON (customer_inn) customer_inn, reg_num \
             FROM matching WHERE is_customer_named \
             ORDER BY customer_inn, sign_date DESC NULLS LAST, reg_num DESC) \
             SELECT p.number, p.identity, found.kind, found.key, found.contracts, \
             found.priceless, coalesce(found.sum, 0)::text, found.record \
             FROM procurement_lookup.publication AS p LEFT JOIN (\
             SELECT 'all' AS kind, (SELECT count(*) FROM customers)::text AS key, \
             count(*) AS contracts, count(*) - count(price) AS priceless, sum(price) AS sum, \
             NULL::bytea AS record FROM matching \
             UNION ALL SELECT 'year', extract(year FROM sign_date)::text, count(*), 0, \
             sum(price), NULL FROM matching GROUP BY 2 \
             UNION ALL SELECT 'stage', stage, count(*), 0, sum(price), NULL FROM matching \
             GROUP BY stage \
             UNION ALL SELECT 'customer', largest.customer_inn, largest.contracts, 0, sum, record \
             FROM largest LEFT JOIN named USING (customer_inn) LEFT JOIN DATA.contract \
             ON contract.reg_num = named.reg_num AND supplier_inn = $1) AS found ON true",
            $condition
        )
    };
}

impl ServerData {
    /// As [`super::super::Database::summary`].
    pub fn summary(
        &self,
        supplier: &KnownSupplier,
        filter: &ContractFilter,
    ) -> Result<ContractSummary> {
        let condition = Condition::new("supplier_inn", supplier.inn.as_str(), filter);
        let most = [saturated(CUSTOMERS as u64)];
        let rows = self.many_rows(&groups!(condition), &condition.params(&most))?;
        let mut summary = ContractSummary::default();
        let is_number = || self.damaged("the key of a group");
        for row in &rows {
            let key: Option<&str> = self.get(row, FIRST + 1)?;
            match self.get::<Option<&str>>(row, FIRST)? {
                Some("year") => {
                    let year = key.map(|year| year.parse().map_err(|_| is_number()));
                    summary.years.push(self.share(year.transpose()?, row)?);
                }
                Some("stage") => {
                    let stage = key.and_then(ContractStage::from_code);
                    summary.stages.push(self.share(stage, row)?);
                }
                Some("customer") => {
                    let share = self.share(original(key.unwrap_or_default()), row)?;
                    summary.customers.push(CustomerSummary {
                        name: self.name_in(&supplier.inn, row)?,
                        inn: share.key,
                        count: share.count,
                        sum: share.sum,
                    });
                }
                _ => {
                    let customers = key.unwrap_or_default().parse();
                    let all = self.share(customers.map_err(|_| is_number())?, row)?;
                    summary.customers_count = all.key;
                    summary.count = all.count;
                    summary.sum = all.sum;
                    summary.priceless = self.count(row, FIRST + 3)?;
                }
            }
        }
        summary.years.sort_by_key(|share| Reverse(share.key));
        let place = |share: &Share<_>| STAGES.iter().position(|stage| *stage == share.key);
        summary.stages.sort_by_key(place);
        summary.customers.sort_by(|a, b| {
            let by_size = b.sum.cmp(&a.sum).then(b.count.cmp(&a.count));
            by_size.then_with(|| a.inn.cmp(&b.inn))
        });
        Ok(summary)
    }

    fn share<K>(&self, key: K, row: &Row) -> Result<Share<K>> {
        let sum: &str = self.get(row, FIRST + 4)?;
        let sum: Option<Sum> = Sum::parse(sum);
        Ok(Share {
            key,
            count: self.count(row, FIRST + 2)?,
            sum: sum.ok_or_else(|| self.damaged("a sum"))?,
        })
    }

    fn name_in(&self, inn: &Inn, row: &Row) -> Result<String> {
        let mut name = String::new();
        if let Some(record) = self.get::<Option<&[u8]>>(row, FIRST + 5)? {
            self.show_record(inn, record, &mut |contract| {
                name = contract.customer_name.text().into_owned();
            })?;
        }
        Ok(name)
    }
}

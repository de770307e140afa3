//! `/contract/monitor-supplier44`: a page of a supplier's contracts.

use std::cell::Cell;

use super::contract_filter;
use super::error::{Failure, MAX_LIMIT};
use super::etag::Parts;
use super::query::Query;
use crate::model::{ContractFilter, ContractOrder, Inn};
use crate::render::{self, ContractPage, Format};
use crate::store::{Database, Selection};

/// The `limit` where none is given (the specification, "Limits").
pub const DEFAULT_LIMIT: u64 = 100;

/// Which page of whose contracts?
pub struct Question<'a> {
    inn: Inn,
    /// Digits without leading zeros.
    skip: &'a str,
    limit: u64,
    filter: ContractFilter,
    order: ContractOrder,
}

impl<'a> Question<'a> {
    /// The question, if its parameters are in order.
    pub fn of(query: &'a Query<'_>) -> Result<Self, Failure> {
        let inn = query.required("supplierINN", Failure::BadInn, Inn::parse)?;
        let skip = query.number("skip")?.unwrap_or("0");
        let limit = match query.number("limit")? {
            None => DEFAULT_LIMIT,
            // What does not fit 64 bits is over any limit.
            Some(digits) => match digits.parse() {
                Ok(limit) if limit <= MAX_LIMIT => limit,
                _ => return Err(Failure::LimitTooLarge(digits.to_owned())),
            },
        };
        Ok(Self {
            inn,
            skip,
            limit,
            filter: contract_filter::filter(query)?,
            order: contract_filter::order(query)?,
        })
    }

    /// A name for a file with the answer, without what tells its kind.
    pub fn file_name(&self) -> String {
        format!("contracts-{}", self.inn)
    }

    /// What the answer depends on, beside the data.
    pub fn tell(&self, parts: &mut Parts) {
        parts.tell(b"contracts");
        parts.tell(self.inn.as_str().as_bytes());
        parts.tell(self.skip.as_bytes());
        parts.tell(&self.limit.to_le_bytes());
        contract_filter::tell(&self.filter, self.order, parts);
    }

    /// Appends the answer.
    pub fn answer(
        &self,
        snapshot: &Database,
        format: Format,
        out: &mut Vec<u8>,
    ) -> Result<(), Failure> {
        let supplier = snapshot.supplier(&self.inn)?;
        let skip = self.skip.parse().unwrap_or(u64::MAX);
        let select =
            |supplier| snapshot.select(supplier, &self.filter, self.order, skip, self.limit);
        let selection = supplier.as_ref().map(select).transpose()?;
        let damage = Cell::new(None);
        let page = ContractPage {
            inn: self.inn.as_str(),
            name: supplier.as_ref().map_or("", |supplier| &supplier.name),
            total: selection.as_ref().map_or(0, Selection::count),
            skip: self.skip,
            limit: self.limit,
            contracts: &|show| {
                if let (Some(supplier), Some(selection)) = (&supplier, &selection) {
                    damage.set(snapshot.show(supplier, selection, show).err());
                }
            },
        };
        render::answer(out, &page, format);
        match damage.take() {
            None => Ok(()),
            Some(damage) => Err(damage.into()),
        }
    }
}

//! `/contract/monitor-supplier44`: a page of a supplier's contracts.

use std::cell::Cell;

use super::error::{Failure, MAX_LIMIT};
use super::query::Query;
use super::{Answer, Body, state};
use crate::model::Inn;
use crate::render::{self, ContractPage};
use crate::store::Database;

/// The `limit` where none is given (the specification, "Limits").
const DEFAULT_LIMIT: u64 = 100;

pub fn answer(
    database: &mut Database,
    query: &Query,
    known: &dyn Fn(&str) -> bool,
    body: &mut Body,
) -> Result<Answer, Failure> {
    let format = query.format()?;
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
    let (snapshot, version) = state(database)?;
    let parts = ["contracts", inn.as_str(), skip, &limit.to_string()];
    let answer = Answer::new(format, version, &parts, known);
    if answer.is_known {
        return Ok(answer);
    }
    let supplier = snapshot.supplier(&inn)?;
    let damage = Cell::new(None);
    let page = ContractPage {
        inn: inn.as_str(),
        name: supplier.as_ref().map_or("", |supplier| &supplier.name),
        total: supplier.as_ref().map_or(0, |supplier| supplier.contracts),
        skip,
        limit,
        contracts: &|show| {
            if let Some(supplier) = &supplier {
                let skip = skip.parse().unwrap_or(u64::MAX);
                damage.set(snapshot.contracts(supplier, skip, limit, show).err());
            }
        },
    };
    render::contract_page(body.out(), &page, format);
    match damage.take() {
        None => Ok(answer),
        Some(damage) => Err(damage.into()),
    }
}

//! `/contract/monitor-supplier44`: a page of a supplier's contracts.

use super::error::{Failure, MAX_LIMIT};
use super::query::Query;
use super::{Answer, state};
use crate::model::Inn;
use crate::render::{self, ContractPage};
use crate::store::Database;

/// The `limit` where none is given (the specification, "Limits").
const DEFAULT_LIMIT: u64 = 100;

pub fn answer(database: &mut Database, query: &Query) -> Result<Answer, Failure> {
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
    let supplier = snapshot.supplier(&inn)?;
    let contracts = match &supplier {
        None => Vec::new(),
        Some(supplier) => snapshot.contracts(supplier, skip.parse().unwrap_or(u64::MAX), limit)?,
    };
    let page = ContractPage {
        inn: inn.as_str(),
        name: supplier.as_ref().map_or("", |supplier| &supplier.name),
        total: supplier.as_ref().map_or(0, |supplier| supplier.contracts),
        skip,
        limit,
        contracts: &contracts,
    };
    let body = render::contract_page(&page, format);
    Ok(Answer::new(
        body,
        format,
        version,
        &["contracts", inn.as_str(), skip, &limit.to_string()],
    ))
}

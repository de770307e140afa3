//! `/rnp/check-supplier`: is a supplier in the registry of unfair suppliers?

use super::error::Failure;
use super::query::Query;
use super::{Answer, Body, Calendar, state};
use crate::model::{Inn, RnpEntry};
use crate::render::{self, RnpCheck};
use crate::store::Database;

pub fn answer(
    database: &mut Database,
    query: &Query,
    today: &Calendar,
    known: &dyn Fn(&str) -> bool,
    body: &mut Body,
) -> Result<Answer, Failure> {
    let format = query.format()?;
    let inn = query.required("supplierINN", Failure::BadInn, Inn::parse)?;
    let (snapshot, version) = state(database)?;
    let day = today();
    let parts = ["rnp", inn.as_str(), &day.to_string()];
    let answer = Answer::new(format, version, &parts, known);
    if answer.is_known {
        return Ok(answer);
    }
    let supplier = snapshot.supplier(&inn)?.ok_or(Failure::SupplierNotFound)?;
    let mut entries = snapshot.rnp_entries(&supplier)?;
    if !supplier.stated && supplier.contracts == 0 && entries.is_empty() {
        return Err(Failure::SupplierNotFound);
    }
    entries.retain(|entry: &RnpEntry| entry.listed_on(day));
    let check = RnpCheck {
        inn: inn.as_str(),
        name: &supplier.name,
        entries: &entries,
    };
    render::rnp_check(body.out(), &check, format);
    Ok(answer)
}

//! `/rnp/check-supplier`: is a supplier in the registry of unfair suppliers?

use super::error::Failure;
use super::query::Query;
use super::{Answer, Calendar, state};
use crate::model::{Inn, RnpEntry};
use crate::render::{self, RnpCheck};
use crate::store::Database;

pub fn answer(database: &mut Database, query: &Query, today: &Calendar) -> Result<Answer, Failure> {
    let format = query.format()?;
    let inn = query.required("supplierINN", Failure::BadInn, Inn::parse)?;
    let (snapshot, version) = state(database)?;
    let supplier = snapshot.supplier(&inn)?.ok_or(Failure::SupplierNotFound)?;
    let mut entries = snapshot.rnp_entries(&supplier)?;
    if !supplier.stated && supplier.contracts == 0 && entries.is_empty() {
        return Err(Failure::SupplierNotFound);
    }
    let day = today();
    entries.retain(|entry: &RnpEntry| entry.listed_on(day));
    let check = RnpCheck {
        inn: inn.as_str(),
        name: &supplier.name,
        entries: &entries,
    };
    let body = render::rnp_check(&check, format);
    Ok(Answer::new(
        body,
        format,
        version,
        &["rnp", inn.as_str(), &day.to_string()],
    ))
}

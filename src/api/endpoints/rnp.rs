//! `/rnp/check-supplier` and `/rnp/check-suppliers`: are suppliers in the registry of
//! unfair suppliers?

use std::sync::Arc;

use super::super::error::{Checked, Failure};
use super::super::request::parameter::Parameters;
use super::super::response::Finding;
use crate::model::{Date, Ground, Inn, RnpEntry, Verdict};
use crate::render::{self, AnswerOrigin, Body, CheckedSupplier, RnpCheck, RnpCheckMany};
use crate::store::{self, Database, KnownSupplier};

/// The ground of verdicts for `day`.
pub fn ground(parameters: &Parameters<'_>, day: Date, database: &Database) -> Ground {
    Ground::new(&database.registries(), day, parameters.rules)
}

/// The ground and the data of a response.
pub fn answered_from(database: &Database, ground: Ground) -> AnswerOrigin {
    let updated = database.version().updated;
    AnswerOrigin { ground, updated }
}

/// What the data knows of an INN: the supplier, if it is known, and its RNP entries, of any
/// date.
fn look_up(
    database: &Database,
    inn: &Inn,
) -> store::Result<(Option<KnownSupplier>, Vec<RnpEntry>)> {
    let entries = database.rnp_entries(inn)?;
    let supplier = database.supplier(inn)?;
    Ok((
        supplier.filter(|supplier| supplier.is_known(&entries)),
        entries,
    ))
}

/// Appends the check of one supplier.
pub fn write(
    parameters: &Parameters<'_>,
    day: Date,
    database: &Database,
    out: &mut Body<'_>,
) -> Result<Finding, Failure> {
    let inn = parameters.inn()?;
    let ground = ground(parameters, day, database);
    let (supplier, mut entries) = look_up(database, inn)?;
    let verdict = ground.verdict(inn.as_str(), supplier.is_some(), &entries);
    let checked = || Some(Arc::new(Checked { ground, verdict }));
    if parameters.strict && verdict == Verdict::Undetermined {
        return Err(Failure::Undetermined(checked()));
    }
    let supplier = supplier.ok_or_else(|| Failure::SupplierNotFound(checked()))?;
    entries.retain(|entry| ground.has_in_force(entry));
    let check = RnpCheck {
        inn: inn.as_str(),
        name: &supplier.name,
        entries: &entries,
        from: &answered_from(database, ground),
    };
    render::answer(out, &check)?;
    Ok(Finding::Verdicts([verdict].into()))
}

/// Appends the check of several suppliers.
pub fn write_many(
    parameters: &Parameters<'_>,
    day: Date,
    database: &Database,
    out: &mut Body<'_>,
) -> Result<Finding, Failure> {
    let ground = ground(parameters, day, database);
    let given = parameters.inns.iter();
    let checks = given.map(|inn| check_supplier(database, &ground, inn));
    let suppliers = checks.collect::<store::Result<Vec<_>>>()?;
    let check = RnpCheckMany {
        suppliers: &suppliers,
        history: parameters.history,
        from: &answered_from(database, ground),
    };
    render::answer(out, &check)?;
    let verdicts = suppliers.iter().map(|supplier| supplier.verdict);
    Ok(Finding::Verdicts(verdicts.collect()))
}

/// The check of one of several suppliers, `given` as requested.
///
/// # Errors
/// The data cannot be read.
pub fn check_supplier(
    database: &Database,
    ground: &Ground,
    given: &str,
) -> store::Result<CheckedSupplier> {
    let (supplier, entries) = match Inn::parse(given) {
        Some(inn) => look_up(database, &inn)?,
        None => (None, Vec::new()),
    };
    let verdict = ground.verdict(given, supplier.is_some(), &entries);
    let (in_force, others): (Vec<_>, Vec<_>) = entries
        .into_iter()
        .partition(|entry| ground.has_in_force(entry));
    let mut previous = others;
    previous.retain(|entry| ground.had_in_force(entry));
    Ok(CheckedSupplier {
        inn: given.to_owned(),
        name: supplier.map_or_else(String::new, |supplier| supplier.name),
        verdict,
        entries: in_force,
        previous,
    })
}

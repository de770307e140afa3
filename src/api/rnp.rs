//! `/rnp/check-supplier` and `/rnp/check-suppliers`: are suppliers in the registry of
//! unfair suppliers?

use super::error::Failure;
use super::parameter::Parameters;
use super::response::Finding;
use crate::model::{Date, Inn, Registries, RnpEntry, Verdict, timestamp};
use crate::render::{self, AnswerOrigin, CheckedSupplier, RnpCheck, RnpCheckMany};
use crate::store::{self, Database};

/// The day and the data of a response on `day`.
pub fn answered_from(snapshot: &Database, day: Date) -> AnswerOrigin {
    let updated = timestamp(snapshot.version().updated);
    AnswerOrigin { day, updated }
}

/// Appends the check of one supplier.
pub fn write(
    parameters: &Parameters<'_>,
    day: Date,
    snapshot: &Database,
    out: &mut Vec<u8>,
) -> Result<Finding, Failure> {
    let inn = parameters.inn()?;
    let supplier = snapshot.supplier(inn)?;
    let supplier = supplier.ok_or(Failure::SupplierNotFound)?;
    let mut entries = snapshot.rnp_entries(&supplier)?;
    if !supplier.is_known(&entries) {
        return Err(Failure::SupplierNotFound);
    }
    let verdict = verdict(&entries, day, &snapshot.registries());
    entries.retain(|entry| entry.listed_on(day));
    let check = RnpCheck {
        inn: inn.as_str(),
        name: &supplier.name,
        entries: &entries,
        from: &answered_from(snapshot, day),
    };
    render::answer(out, &check, parameters.format);
    Ok(Finding::Verdicts([verdict].into()))
}

/// Appends the check of several suppliers.
pub fn write_many(
    parameters: &Parameters<'_>,
    day: Date,
    snapshot: &Database,
    out: &mut Vec<u8>,
) -> Result<Finding, Failure> {
    let registries = snapshot.registries();
    let checks = parameters
        .inns
        .iter()
        .map(|inn| check_supplier(snapshot, &registries, day, inn));
    let suppliers = checks.collect::<store::Result<Vec<_>>>()?;
    let check = RnpCheckMany {
        suppliers: &suppliers,
        registries: &registries,
        history: parameters.history,
        from: &answered_from(snapshot, day),
    };
    render::answer(out, &check, parameters.format);
    let verdicts = suppliers.iter().map(|supplier| supplier.verdict);
    Ok(Finding::Verdicts(verdicts.collect()))
}

/// The verdict of `day` on a supplier that is known, by all its entries.
fn verdict(entries: &[RnpEntry], day: Date, registries: &Registries) -> Verdict {
    if entries.iter().any(|entry| entry.listed_on(day)) {
        Verdict::Listed
    } else if entries.iter().any(|entry| entry.begun_on(day)) {
        Verdict::PreviouslyListed
    } else if registries.are_absent() {
        Verdict::NoRegistry
    } else {
        Verdict::NotListed
    }
}

/// The check of one of several suppliers, `given` as requested, on `day`.
///
/// # Errors
/// The file cannot be read.
pub fn check_supplier(
    snapshot: &Database,
    registries: &Registries,
    day: Date,
    given: &str,
) -> store::Result<CheckedSupplier> {
    let unknown = |verdict| CheckedSupplier {
        inn: given.to_owned(),
        name: String::new(),
        verdict,
        entries: Vec::new(),
        previous: Vec::new(),
    };
    let Some(inn) = Inn::parse(given) else {
        return Ok(unknown(Verdict::Invalid));
    };
    let mut known = None;
    if let Some(supplier) = snapshot.supplier(&inn)? {
        let entries = snapshot.rnp_entries(&supplier)?;
        if supplier.is_known(&entries) {
            known = Some((supplier, entries));
        }
    }
    let Some((supplier, mut begun)) = known else {
        // Numbers that fail their control digits are in registries; but one that is
        // in none is more likely mistyped.
        return Ok(unknown(match inn.has_control_digits() {
            true => Verdict::Unknown,
            false => Verdict::Invalid,
        }));
    };
    let verdict = verdict(&begun, day, registries);
    begun.retain(|entry| entry.begun_on(day));
    let (entries, previous): (Vec<_>, Vec<_>) =
        begun.into_iter().partition(|entry| entry.listed_on(day));
    Ok(CheckedSupplier {
        inn: given.to_owned(),
        name: supplier.name,
        verdict,
        entries,
        previous,
    })
}

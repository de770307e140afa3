//! `/rnp/check-supplier` and `/rnp/check-suppliers`: are suppliers in the registry of
//! unfair suppliers?

use super::error::Failure;
use super::parameter::Parameters;
use crate::model::{Date, Inn, Registries, Verdict, timestamp};
use crate::render::{self, AnswerOrigin, CheckedSupplier, RnpCheck, RnpCheckMany};
use crate::store::{self, Database};

/// What is known of the registries, as the header `X-Registries` has it:
/// `44=complete:2026-11-20, 223=partial, 615=none`.
pub fn registries_header(registries: &Registries) -> String {
    let items = registries.0.map(|registry| {
        let (law, state) = (registry.law.code(), registry.state().code());
        match registry.complete_as_of {
            Some(day) => format!("{law}={state}:{day}"),
            None => format!("{law}={state}"),
        }
    });
    items.join(", ")
}

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
) -> Result<(), Failure> {
    let inn = parameters.inn()?;
    let supplier = snapshot.supplier(inn)?;
    let supplier = supplier.ok_or(Failure::SupplierNotFound)?;
    let mut entries = snapshot.rnp_entries(&supplier)?;
    if !supplier.is_known(&entries) {
        return Err(Failure::SupplierNotFound);
    }
    entries.retain(|entry| entry.listed_on(day));
    let check = RnpCheck {
        inn: inn.as_str(),
        name: &supplier.name,
        entries: &entries,
        from: &answered_from(snapshot, day),
    };
    render::answer(out, &check, parameters.format);
    Ok(())
}

/// Appends the check of several suppliers.
pub fn write_many(
    parameters: &Parameters<'_>,
    day: Date,
    snapshot: &Database,
    out: &mut Vec<u8>,
) -> Result<(), Failure> {
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
    Ok(())
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
    begun.retain(|entry| entry.begun_on(day));
    let (entries, previous): (Vec<_>, Vec<_>) =
        begun.into_iter().partition(|entry| entry.listed_on(day));
    let verdict = match (entries.is_empty(), previous.is_empty()) {
        (false, _) => Verdict::Listed,
        (true, false) => Verdict::PreviouslyListed,
        (true, true) if registries.are_absent() => Verdict::NoRegistry,
        (true, true) => Verdict::NotListed,
    };
    Ok(CheckedSupplier {
        inn: given.to_owned(),
        name: supplier.name,
        verdict,
        entries,
        previous,
    })
}

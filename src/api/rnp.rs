//! `/rnp/check-supplier` and `/rnp/check-suppliers`: are suppliers in the registry of
//! unfair suppliers?

use super::Calendar;
use super::error::Failure;
use super::etag::Parts;
use super::query::{Query, Value};
use crate::model::{Date, Inn, Registries, Verdict, timestamp};
use crate::render::{self, AnsweredFrom, CheckedSupplier, Format, RnpCheck, RnpCheckMany};
use crate::store::Database;

/// The most suppliers that are asked about at once (the contract, "RNP").
pub const MAX_SUPPLIERS: usize = 200;

/// The day to answer as of: the one that `asOf` names, else today.
fn day(query: &Query<'_>, today: &Calendar) -> Result<Date, Failure> {
    Ok(query.day("asOf")?.unwrap_or_else(today))
}

/// What is known of the registries, as the header `X-Registries` says it:
/// `44=complete:2026-11-20, 223=partial, 615=none`.
pub fn registries_header(registries: &Registries) -> String {
    let told = registries.0.map(|registry| {
        let (law, state) = (registry.law.code(), registry.state().code());
        match registry.complete_as_of {
            Some(day) => format!("{law}={state}:{day}"),
            None => format!("{law}={state}"),
        }
    });
    told.join(", ")
}

/// The day and the data of an answer on `day`.
fn answered_from(snapshot: &Database, day: Date) -> AnsweredFrom {
    let updated = timestamp(snapshot.version().updated);
    AnsweredFrom { day, updated }
}

/// Which supplier, on which day?
pub struct Question {
    inn: Inn,
    day: Date,
}

impl Question {
    /// The question, if its parameters are in order.
    pub fn of(query: &Query<'_>, today: &Calendar) -> Result<Self, Failure> {
        let inn = query.required("supplierINN", Failure::BadInn, Inn::parse)?;
        let day = day(query, today)?;
        Ok(Self { inn, day })
    }

    /// The day that it is about.
    pub fn day(&self) -> Date {
        self.day
    }

    /// A name for a file with the answer, without what tells its kind.
    pub fn file_name(&self) -> String {
        format!("rnp-{}", self.inn)
    }

    /// What the answer depends on, beside the data.
    pub fn tell(&self, parts: &mut Parts) {
        parts.tell(b"rnp");
        parts.tell(self.inn.as_str().as_bytes());
        parts.tell(&self.day.iso());
    }

    /// Appends the answer.
    pub fn answer(
        &self,
        snapshot: &Database,
        format: Format,
        out: &mut Vec<u8>,
    ) -> Result<(), Failure> {
        let supplier = snapshot.supplier(&self.inn)?;
        let supplier = supplier.ok_or(Failure::SupplierNotFound)?;
        let mut entries = snapshot.rnp_entries(&supplier)?;
        if !supplier.is_known(&entries) {
            return Err(Failure::SupplierNotFound);
        }
        entries.retain(|entry| entry.listed_on(self.day));
        let check = RnpCheck {
            inn: self.inn.as_str(),
            name: &supplier.name,
            entries: &entries,
            from: &answered_from(snapshot, self.day),
        };
        render::answer(out, &check, format);
        Ok(())
    }
}

/// Which suppliers, on which day?
pub struct ManyQuestion<'a> {
    /// As they were given, in their order.
    inns: Vec<&'a str>,
    day: Date,
    /// Are the entries that are over told as well?
    history: bool,
}

impl<'a> ManyQuestion<'a> {
    /// The question, if its parameters are in order.
    pub fn of(query: &'a Query<'_>, today: &Calendar) -> Result<Self, Failure> {
        let list = match query.get("supplierINN") {
            Value::Missing => return Err(Failure::BadInn),
            Value::Malformed => return Err(Failure::BadParameter("supplierINN")),
            Value::One(list) => list,
        };
        let items = list.split(',').map(str::trim);
        // One more than there may be, so that a list of any length costs no more.
        let inns: Vec<_> = items
            .filter(|item| !item.is_empty())
            .take(MAX_SUPPLIERS + 1)
            .collect();
        if inns.is_empty() {
            return Err(Failure::BadInn);
        }
        if inns.len() > MAX_SUPPLIERS {
            return Err(Failure::BadParameter("supplierINN"));
        }
        let day = day(query, today)?;
        let history = query.switch("history")?;
        Ok(Self { inns, day, history })
    }

    /// The day that it is about.
    pub fn day(&self) -> Date {
        self.day
    }

    /// A name for a file with the answer, without what tells its kind.
    pub fn file_name(&self) -> String {
        format!("rnp-{}", self.day)
    }

    /// What the answer depends on, beside the data.
    pub fn tell(&self, parts: &mut Parts) {
        parts.tell(b"rnp-many");
        for inn in &self.inns {
            parts.tell(inn.as_bytes());
        }
        parts.tell(&self.day.iso());
        parts.tell(&[u8::from(self.history)]);
    }

    /// Appends the answer.
    pub fn answer(
        &self,
        snapshot: &Database,
        format: Format,
        out: &mut Vec<u8>,
    ) -> Result<(), Failure> {
        let registries = snapshot.registries();
        let suppliers: Result<Vec<_>, Failure> = self
            .inns
            .iter()
            .map(|inn| self.check(snapshot, &registries, inn))
            .collect();
        let check = RnpCheckMany {
            suppliers: &suppliers?,
            registries: &registries,
            history: self.history,
            from: &answered_from(snapshot, self.day),
        };
        render::answer(out, &check, format);
        Ok(())
    }

    fn check(
        &self,
        snapshot: &Database,
        registries: &Registries,
        given: &str,
    ) -> Result<CheckedSupplier, Failure> {
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
        begun.retain(|entry| entry.begun_on(self.day));
        let (entries, previous): (Vec<_>, Vec<_>) = begun
            .into_iter()
            .partition(|entry| entry.listed_on(self.day));
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
}

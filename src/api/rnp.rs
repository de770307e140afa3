//! `/rnp/check-supplier`: is a supplier in the registry of unfair suppliers?

use super::Calendar;
use super::error::Failure;
use super::etag::Parts;
use super::query::Query;
use crate::model::{Date, Inn, RnpEntry};
use crate::render::{self, Format, RnpCheck};
use crate::store::Snapshot;

/// Which supplier, on which day?
pub struct Question {
    inn: Inn,
    day: Date,
}

impl Question {
    /// The question, if its parameters are in order.
    pub fn of(query: &Query<'_>, today: &Calendar) -> Result<Self, Failure> {
        let inn = query.required("supplierINN", Failure::BadInn, Inn::parse)?;
        Ok(Self { inn, day: today() })
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
        snapshot: &Snapshot<'_>,
        format: Format,
        out: &mut Vec<u8>,
    ) -> Result<(), Failure> {
        let supplier = snapshot.supplier(&self.inn)?;
        let supplier = supplier.ok_or(Failure::SupplierNotFound)?;
        let mut entries = snapshot.rnp_entries(&supplier)?;
        if !supplier.stated && supplier.contracts == 0 && entries.is_empty() {
            return Err(Failure::SupplierNotFound);
        }
        entries.retain(|entry: &RnpEntry| entry.listed_on(self.day));
        let check = RnpCheck {
            inn: self.inn.as_str(),
            name: &supplier.name,
            entries: &entries,
        };
        render::rnp_check(out, &check, format);
        Ok(())
    }
}

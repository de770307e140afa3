//! `/purchase/demo44`, `/purchase/demo223`, `/purchase/demo615`: the card of a
//! purchase, in the shape that the length of its number tells.

use super::Calendar;
use super::endpoint::Endpoint;
use super::error::Failure;
use super::etag::Parts;
use super::query::Query;
use crate::model::{Date, PurchaseNumber};
use crate::render::{self, Format};
use crate::store::Database;

/// Which card, as it stands on which day?
pub struct Question {
    number: PurchaseNumber,
    day: Date,
}

impl Question {
    /// The question, if its parameters are in order.
    pub fn of(endpoint: Endpoint, query: &Query<'_>, today: &Calendar) -> Result<Self, Failure> {
        let number = query.required("purchaseNumber", Failure::BadPurchaseNumber, |text| {
            PurchaseNumber::parse(text).filter(|number| endpoint.takes(number))
        })?;
        Ok(Self {
            number,
            day: today(),
        })
    }

    /// The day that it is about.
    pub fn day(&self) -> Date {
        self.day
    }

    /// A name for a file with the answer, without what tells its kind.
    pub fn file_name(&self) -> String {
        format!("purchase-{}", self.number.as_str())
    }

    /// What the answer depends on, beside the data.
    pub fn tell(&self, parts: &mut Parts) {
        parts.tell(b"purchase");
        parts.tell(self.number.as_str().as_bytes());
        parts.tell(&self.day.iso());
    }

    /// Appends the answer.
    pub fn answer(
        &self,
        snapshot: &Database,
        format: Format,
        out: &mut Vec<u8>,
    ) -> Result<(), Failure> {
        let purchase = snapshot.purchase(&self.number)?;
        let purchase = purchase.ok_or(Failure::PurchaseNotFound)?;
        render::purchase(out, &purchase, self.day, format);
        Ok(())
    }
}

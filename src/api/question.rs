//! What a request asks, once its parameters are found in order.

use super::Calendar;
use super::endpoint::Endpoint;
use super::error::Failure;
use super::etag::Parts;
use super::query::Query;
use super::{contracts, purchase, rnp, summary};
use crate::model::Date;
use crate::render::Format;
use crate::store::Database;

/// A question to one of the endpoints: the answer is a function of it, of the format and
/// of the data.
pub enum Question<'a> {
    Contracts(contracts::Question<'a>),
    ContractSummary(summary::Question),
    RnpCheck(rnp::Question),
    RnpCheckMany(rnp::ManyQuestion<'a>),
    Purchase(purchase::Question),
}

impl<'a> Question<'a> {
    /// The question of a query; of the wrong parameters in it the first is the failure.
    pub fn of(endpoint: Endpoint, query: &'a Query<'_>, today: &Calendar) -> Result<Self, Failure> {
        Ok(match endpoint {
            Endpoint::Contracts => Self::Contracts(contracts::Question::of(query)?),
            Endpoint::ContractSummary => Self::ContractSummary(summary::Question::of(query)?),
            Endpoint::RnpCheck => Self::RnpCheck(rnp::Question::of(query, today)?),
            Endpoint::RnpCheckMany => Self::RnpCheckMany(rnp::ManyQuestion::of(query, today)?),
            Endpoint::Purchase44 | Endpoint::Purchase223 | Endpoint::Purchase615 => {
                Self::Purchase(purchase::Question::of(endpoint, query, today)?)
            }
        })
    }

    /// The day that it is about, where the answer depends on one.
    pub fn day(&self) -> Option<Date> {
        match self {
            Self::Contracts(_) | Self::ContractSummary(_) => None,
            Self::RnpCheck(question) => Some(question.day()),
            Self::RnpCheckMany(question) => Some(question.day()),
            Self::Purchase(question) => Some(question.day()),
        }
    }

    /// A name for a file with the answer, without what tells its kind.
    pub fn file_name(&self) -> String {
        match self {
            Self::Contracts(question) => question.file_name(),
            Self::ContractSummary(question) => question.file_name(),
            Self::RnpCheck(question) => question.file_name(),
            Self::RnpCheckMany(question) => question.file_name(),
            Self::Purchase(question) => question.file_name(),
        }
    }

    /// Tells all that the answer depends on, beside the format and the data.
    pub fn tell(&self, parts: &mut Parts) {
        match self {
            Self::Contracts(question) => question.tell(parts),
            Self::ContractSummary(question) => question.tell(parts),
            Self::RnpCheck(question) => question.tell(parts),
            Self::RnpCheckMany(question) => question.tell(parts),
            Self::Purchase(question) => question.tell(parts),
        }
    }

    /// Appends the answer, read from `snapshot`. Where it fails, a part of an answer may
    /// be there.
    pub fn answer(
        &self,
        snapshot: &Database,
        format: Format,
        out: &mut Vec<u8>,
    ) -> Result<(), Failure> {
        match self {
            Self::Contracts(question) => question.answer(snapshot, format, out),
            Self::ContractSummary(question) => question.answer(snapshot, format, out),
            Self::RnpCheck(question) => question.answer(snapshot, format, out),
            Self::RnpCheckMany(question) => question.answer(snapshot, format, out),
            Self::Purchase(question) => question.answer(snapshot, format, out),
        }
    }
}

//! Reads notices under 44-FZ (`ep*` of the 2020 family and before, `fcs*`, printed forms of both),
//! and documents that cancel or change a notice.
//!
//! The same functions read both generations; only the paths differ
//! ([`ByGeneration`](super::generation::ByGeneration)). `ep*` has the values under `commonInfo` and
//! `notificationInfo`; `fcs*` has them at the top and in `lot` or `lots/lot`.

mod card;
mod change;
mod customer;
mod lot;
mod object;
mod procedure;
mod terms;
#[cfg(test)]
mod tests;

use super::generation::Generation;
use super::kind::Kind;
use super::node::{Node, Result};
use super::value::subject;
use crate::import::facts::{Fact, Facts};

pub use change::{
    cancellation, lot_cancellation, organization, prolongation, prolongation_cancelled,
    revoked_cancellation,
};

/// Reads a notice. The first version also gives the day of first publication, as a separate fact.
pub fn read(kind: &Kind, document: &Node<'_>) -> Result<Vec<Fact>> {
    let number = kind.purchase_number(document)?;
    let mut notice = card::read(kind, document)?;
    if notice.card.object_info.is_empty() {
        // Purchases under part 12 of article 93 (EZT2020) state no subject.
        let objects = notice.card.lots.iter().flat_map(|lot| &lot.objects);
        notice.card.object_info = subject(objects.map(|object| object.name.as_str()));
    }
    let notice = kind.fact(document, &number, "", Facts::Notice44(Box::new(notice)))?;
    let first = document.day("firstPublishDate", kind.published)?;
    let first = first.filter(|_| is_first(kind, document, notice.version));
    let first = first.map(|day| Fact {
        number: number.to_string(),
        key: String::new(),
        version: -notice.published,
        published: notice.published,
        facts: Facts::FirstNotice44(day),
    });
    Ok([notice].into_iter().chain(first).collect())
}

/// Reads a `fcsNotificationLotChange`. The key is the number of the lot.
pub fn changed_lot(kind: &Kind, document: &Node<'_>) -> Result<Vec<Fact>> {
    let facts = card::read_changed_lot(document)?;
    let lot = facts.card.lots.first().and_then(|lot| lot.number);
    let lot = document.needed(lot, "lot")?;
    let facts = Facts::LotChange44(Box::new(facts));
    kind.purchase_fact(document, &lot.to_string(), facts)
}

/// Returns whether a notice is the first version: it has version 1 or none (schema,
/// `versionNumber`) and states no reason for a change. `fcs*` notices have no version, so only the
/// reason matters there.
fn is_first(kind: &Kind, document: &Node<'_>, version: i64) -> bool {
    let modification = match kind.generation {
        Generation::Fcs => "modification",
        Generation::Ep => "modificationInfo",
    };
    version <= 1 && !document.has("firstPublishDate", modification)
}

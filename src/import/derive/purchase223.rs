//! The card of a purchase under 223-FZ (the manual, Fields): its notice; its
//! stage follows from rejections, protocols and contracts, its winners from the latter two.

use std::collections::BTreeSet;

use super::StoredFacts;
use crate::import::facts::{Facts, Notice223Facts};
use crate::model::{DocumentedStage, Lot223, Purchase223, PurchaseStage, Winner223};

/// The card, if there is a notice.
pub fn derive(stored: &[StoredFacts]) -> Option<Purchase223> {
    let notice = stored.iter().find_map(|stored| match &*stored.facts {
        Facts::Notice223(notice) => Some(notice),
        _ => None,
    })?;
    let is_rejected = |stored: &StoredFacts| *stored.facts == Facts::Rejection223;
    let ends = |stored: &StoredFacts| match *stored.facts {
        Facts::Protocol223 { is_final, .. } => is_final,
        Facts::Contract223 { annulled, .. } => !annulled,
        _ => false,
    };
    let mut card = notice.card.clone();
    card.stage = PurchaseStage::Documented(DocumentedStage {
        cancelled: notice.cancelled
            || all_lots_are_cancelled(notice, stored)
            || stored.iter().any(is_rejected),
        finished: stored.iter().any(ends),
        submission_end: card.submission_close,
    });
    card.winners = winners(stored);
    Some(card)
}

/// The suppliers of its contracts; then the winners that its final protocols name, and no
/// contract does.
fn winners(stored: &[StoredFacts]) -> Vec<Winner223> {
    let mut winners: Vec<Winner223> = Vec::new();
    for stored in stored {
        if let Facts::Contract223 {
            annulled: false,
            suppliers,
        } = &*stored.facts
        {
            winners.extend(suppliers.iter().cloned());
        }
    }
    for stored in stored {
        if let Facts::Protocol223 {
            is_final: true,
            winners: named,
        } = &*stored.facts
        {
            for winner in named {
                if winners.iter().all(|known| known.inn != winner.inn) {
                    winners.push(winner.clone());
                }
            }
        }
    }
    winners
}

/// Returns whether every lot was cancelled, in the notice or by a document of its own.
fn all_lots_are_cancelled(notice: &Notice223Facts, stored: &[StoredFacts]) -> bool {
    let cancelled: BTreeSet<&str> = stored
        .iter()
        .filter(|stored| *stored.facts == Facts::LotCancel223)
        .map(|stored| stored.key.as_str())
        .collect();
    let mut lots = notice.card.lots.iter().enumerate();
    let is_cancelled = |(index, lot): (usize, &Lot223)| {
        notice.cancelled_lots.get(index) == Some(&true) || cancelled.contains(lot.number.as_str())
    };
    !notice.card.lots.is_empty() && lots.all(is_cancelled)
}

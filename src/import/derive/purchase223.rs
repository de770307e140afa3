//! The card of a purchase under 223-FZ (the mapping, sections 3 and 7): its notice;
//! rejections, protocols and contracts tell its stage.

use super::Known;
use crate::import::facts::Facts;
use crate::model::{DocumentedStage, Purchase223, PurchaseStage};

/// The card, if there is a notice.
pub fn derive(known: &[Known]) -> Option<Purchase223> {
    let notice = known.iter().find_map(|known| match &known.facts {
        Facts::Notice223(notice) => Some(notice),
        _ => None,
    })?;
    let is_rejected = |known: &Known| known.facts == Facts::Rejection223;
    let ends = |known: &Known| {
        matches!(
            known.facts,
            Facts::Protocol223 { is_final: true } | Facts::Contract223 { annulled: false }
        )
    };
    let mut card = notice.card.clone();
    card.stage = PurchaseStage::Documented(DocumentedStage {
        cancelled: notice.cancelled || known.iter().any(is_rejected),
        finished: known.iter().any(ends),
        submission_end: card.submission_close,
    });
    Some(card)
}

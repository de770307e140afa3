//! Derives the card of a purchase under 223-FZ from its notice. The stage also depends on
//! rejections, cancelled lots, protocols and contracts. The winners come from protocols and
//! contracts. The manual states the rules in the chapter "Fields".

use std::collections::BTreeSet;

use super::StoredFacts;
use super::winners223;
use crate::import::facts::{Facts, Notice223Facts};
use crate::model::{Date, DocumentedStage, Purchase223, PurchaseNumber, PurchaseStage};

/// Returns `None` if there is no notice.
pub fn derive(number: &PurchaseNumber, stored: &[StoredFacts]) -> Option<Purchase223> {
    let notice = stored.iter().find_map(|stored| match &*stored.facts {
        Facts::Notice223(notice) => Some(notice),
        _ => None,
    })?;
    let cancelled_lots = cancelled_lots(notice, stored);
    let is_rejected = |stored: &StoredFacts| *stored.facts == Facts::Rejection223;
    let cancelled = notice.cancelled
        || stored.iter().any(is_rejected)
        || !notice.card.lots.is_empty() && cancelled_lots.len() == notice.card.lots.len();
    let ends = |stored: &StoredFacts| match &*stored.facts {
        Facts::Protocol223(facts) => facts.is_final,
        Facts::Contract223(facts) => !facts.annulled,
        _ => false,
    };
    let mut card = notice.card.on_card(number);
    card.stage = PurchaseStage::Documented(DocumentedStage {
        cancelled,
        finished: stored.iter().any(ends),
        suspended: false,
        submission_end: card.submission_close,
    });
    card.winners = winners223::winners(notice, stored, |lot| {
        cancelled || lot.is_some_and(|lot| cancelled_lots.contains(&lot))
    });
    add_time_of_auction(&mut card.auction_time, stored);
    Some(card)
}

/// Returns the indexes of the lots that the notice or a separate document cancels.
fn cancelled_lots(notice: &Notice223Facts, stored: &[StoredFacts]) -> BTreeSet<usize> {
    let cancelled: BTreeSet<&str> = stored
        .iter()
        .filter(|stored| *stored.facts == Facts::LotCancel223)
        .map(|stored| stored.key.as_str())
        .collect();
    let lots = notice.card.lots.iter().enumerate();
    let is_cancelled = |index: usize, number: &str| {
        notice.cancelled_lots.get(index) == Some(&true) || cancelled.contains(number)
    };
    lots.filter(|(index, lot)| is_cancelled(*index, &lot.number))
        .map(|(index, _)| index)
        .collect()
}

/// Adds the starting time that the platform announced to the day of the auction in the notice. If
/// the notice states nothing, the time stands alone; any other text of the notice is kept.
fn add_time_of_auction(auction: &mut String, stored: &[StoredFacts]) {
    let announced = stored.iter().find_map(|stored| match &*stored.facts {
        Facts::Bidding223(time) => Some(time),
        _ => None,
    });
    let Some(time) = announced else {
        return;
    };
    let day = auction
        .get(..10)
        .filter(|day| Date::parse_dotted(day).is_some());
    match day {
        Some(day) => *auction = format!("{day} {time}"),
        None if auction.is_empty() => auction.clone_from(time),
        None => {}
    }
}

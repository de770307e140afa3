//! What follows the notice of a purchase under 223-FZ: rejections, protocols, and their
//! cancellations (`purchase.xsd`).

use super::{fact, purchase_number};
use crate::import::eis::element::Element;
use crate::import::eis::value::{Result, flag};
use crate::import::facts::{Fact, Facts};

/// The path of the purchase in most documents.
const PURCHASE: &str = "purchaseInfo/purchaseNoticeNumber";

/// `purchaseRejection`: the purchase was rejected.
pub fn rejection(data: &Element<'_>) -> Result<Vec<Fact>> {
    let own = "cancelNoticeRegistrationNumber";
    let other = data.text_at(own).is_empty() && !data.text_at(PURCHASE).is_empty();
    let number = purchase_number(data, if other { PURCHASE } else { own })?;
    Ok(vec![fact(data, &number, "", Facts::Rejection223)?])
}

/// `purchaseLotCancellation`: some lots were cancelled, each a fact. Only the notice shows
/// whether that is all of them.
pub fn lot_cancellation(data: &Element<'_>) -> Result<Vec<Fact>> {
    let number = purchase_number(data, PURCHASE)?;
    let lots = data
        .all("cancelledLots")
        .flat_map(|lots| lots.all("cancelledLot"));
    let mut facts = Vec::new();
    for (index, lot) in lots.enumerate() {
        let key = lot.text_at("ordinalNumber");
        if key.is_empty() {
            return Err(format!(
                "cancelledLots/cancelledLot[{index}]/ordinalNumber: is missing"
            ));
        }
        facts.push(fact(data, &number, key, Facts::LotCancel223)?);
    }
    Ok(facts)
}

/// `purchaseProtocol…`.
pub fn protocol(kind: &str, data: &Element<'_>) -> Result<Vec<Fact>> {
    let number = purchase_number(data, PURCHASE)?;
    let key = data.first_text(&["registrationNumber", "guid"]);
    let is_final = is_final(kind, data)?;
    let facts = Facts::Protocol223 { is_final };
    Ok(vec![fact(data, &number, key, facts)?])
}

/// `protocolCancellation`: no version of the protocol ends the purchase any more.
pub fn protocol_cancellation(data: &Element<'_>) -> Result<Vec<Fact>> {
    let number = purchase_number(data, PURCHASE)?;
    let path = "protocolInfo/registrationNumber";
    let key = data.text_at(path);
    if key.is_empty() {
        return Err(format!("{path}: is missing"));
    }
    let facts = Facts::Protocol223 { is_final: false };
    let mut fact = fact(data, &number, key, facts)?;
    fact.version = i64::MAX;
    Ok(vec![fact])
}

/// Does the protocol end the purchase: by its kind, because it names a winner, or because
/// it says that the purchase failed? A void protocol does not.
fn is_final(kind: &str, data: &Element<'_>) -> Result<bool> {
    let failed =
        flag(data, "missedContest")? || !data.text_at("purchaseCancellationReason").is_empty();
    let kind = kind.strip_prefix("purchaseProtocol").unwrap_or(kind);
    Ok(
        data.text_at("status") != "I"
            && (failed || sums_up(kind, data) || names_winner(kind, data)),
    )
}

/// The kinds that come last: summing up, comparison of the offers, quotations, a single
/// supplier, auctions whose offers are examined before them, the examination of second
/// parts after an auction under 94-FZ. A protocol without a kind is recognised by its own
/// name.
fn sums_up(kind: &str, data: &Element<'_>) -> bool {
    match kind {
        "OSZ" | "ZK" | "PAEP" | "PAOA" | "PAAE" | "RZ2AE94FZ" => true,
        "" => {
            let name = data.text_at("typeName").to_lowercase();
            (name.contains("подведени") && name.contains("итог") || name.starts_with("итоговый"))
                && !name.contains("переторжк")
        }
        kind => kind.starts_with("Summingup"),
    }
}

/// Is an application marked as the winner's? In an auction under 94-FZ the first place has
/// not won yet.
fn names_winner(kind: &str, data: &Element<'_>) -> bool {
    let is_winner = |application: &Element<'_>| {
        let place_counts = kind != "PAAE94FZ";
        matches!(application.text_at("winnerIndication"), "F" | "W")
            || place_counts && application.text_at("applicationPlace") == "F"
    };
    data.all("lotApplicationsList")
        .flat_map(|list| list.children())
        .flat_map(|lot| lot.all("application"))
        .any(is_winner)
}

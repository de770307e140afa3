//! Later documents of a purchase under 223-FZ: rejections, protocols, and their cancellations
//! (`purchase.xsd`).

use crate::import::eis::kind::Kind;
use crate::import::eis::node::{KEY, Node, Result};
use crate::import::facts::{Fact, Facts};
use crate::model::Winner223;

/// Reads a `purchaseRejection`: the purchase was rejected.
///
/// # Errors
/// The element that is missing or malformed.
pub fn rejection(kind: &Kind, data: &Node<'_>) -> Result<Vec<Fact>> {
    kind.purchase_fact(data, "", Facts::Rejection223)
}

/// Reads a `purchaseLotCancellation`: some lots were cancelled, each a fact. Only the notice
/// shows whether that is all of them.
///
/// # Errors
/// As [`rejection`].
pub fn lot_cancellation(kind: &Kind, data: &Node<'_>) -> Result<Vec<Fact>> {
    let number = kind.purchase_number(data)?;
    data.read_all(&["cancelledLots/cancelledLot"], |lot| {
        let key = lot.required(KEY, &["ordinalNumber"])?;
        kind.fact(data, &number, key, Facts::LotCancel223)
    })
}

/// Reads a `purchaseProtocol…`. It ends the purchase by its kind, because it names a winner,
/// or because it says that the purchase failed; a void protocol does not.
///
/// # Errors
/// As [`rejection`].
pub fn protocol(kind: &Kind, data: &Node<'_>) -> Result<Vec<Fact>> {
    let key = data.text(KEY, &["registrationNumber", "guid"]);
    let is_missed = data.flag("stage", &["missedContest"])?;
    let reason = data.text("stage", &["purchaseCancellationReason"]);
    let is_void = data.text("stage", &["status"]) == "I";
    let sums_up = kind.ends || sums_up_by_name(kind, data);
    let winning = winning_applications(kind, data);
    let is_final = !is_void && (is_missed || !reason.is_empty() || sums_up || !winning.is_empty());
    let date = data.day("winners.date", &["publicationDateTime"])?;
    let winner = |application: &Node<'_>| Winner223 {
        date,
        ..winner(application)
    };
    let winners = winning.iter().map(winner);
    let winners = winners.filter(|winner| !winner.inn.is_empty()).collect();
    let facts = Facts::Protocol223 { is_final, winners };
    kind.purchase_fact(data, key, facts)
}

/// Reads a `protocolCancellation`: no version of the protocol ends the purchase any more.
///
/// # Errors
/// As [`rejection`].
pub fn protocol_cancellation(kind: &Kind, data: &Node<'_>) -> Result<Vec<Fact>> {
    let number = kind.purchase_number(data)?;
    let key = data.required(KEY, &["protocolInfo/registrationNumber"])?;
    let facts = Facts::Protocol223 {
        is_final: false,
        winners: Vec::new(),
    };
    let mut fact = kind.fact(data, number, key, facts)?;
    fact.version = i64::MAX;
    Ok(vec![fact])
}

/// A protocol without a kind is recognised by its own name.
fn sums_up_by_name(kind: &Kind, data: &Node<'_>) -> bool {
    let name = data.text("stage", &["typeName"]).to_lowercase();
    let sums_up = name.contains("подведени") && name.contains("итог");
    let is_general = kind.name == "purchaseProtocol";
    is_general && (sums_up || name.starts_with("итоговый")) && !name.contains("переторжк")
}

/// The applications that are marked as winners'. In an auction under 94-FZ the first place has
/// not won yet.
fn winning_applications<'n>(kind: &Kind, data: &Node<'n>) -> Vec<Node<'n>> {
    let place_counts = kind.name != "purchaseProtocolPAAE94FZ";
    let mut applications = data.all(&["lotApplicationsList/*/application"]);
    applications.retain(|application| {
        let mark = application.text("stage", &["winnerIndication"]);
        let place = application.text("stage", &["applicationPlace"]);
        matches!(mark, "F" | "W") || place_counts && place == "F"
    });
    applications
}

/// The supplier of an application or of a contract; its fields are empty if it is hidden.
pub fn winner(holder: &Node<'_>) -> Winner223 {
    Winner223 {
        name: holder.verbatim("winners.name", &["supplierInfo/name"]),
        inn: holder.string("winners.inn", &["supplierInfo/inn"]),
        kpp: holder.string("winners.kpp", &["supplierInfo/kpp"]),
        ..Winner223::default()
    }
}

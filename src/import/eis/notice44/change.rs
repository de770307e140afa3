//! Cancellations of a purchase or of a lot, new dates, another organisation: small documents
//! about a notice that is published elsewhere.

use crate::import::eis::kind::Kind;
use crate::import::eis::node::{KEY, Node, Paths, Result};
use crate::import::facts::{Cancel44, Change44, Fact, Facts};
use crate::model::ResponsibleOrg44;

/// Reads the cancellation of a purchase, or of one of its lots.
///
/// # Errors
/// The element that is missing or malformed.
pub fn cancellation(kind: &Kind, document: &Node<'_>) -> Result<Vec<Fact>> {
    cancel(kind, document, false)
}

/// Reads the revocation of a cancellation.
///
/// # Errors
/// As [`cancellation`].
pub fn revoked_cancellation(kind: &Kind, document: &Node<'_>) -> Result<Vec<Fact>> {
    cancel(kind, document, true)
}

/// `fcsNotificationLotCancel` and `fcsNotificationCancelFailure` may be about one
/// lot, which is the key.
fn cancel(kind: &Kind, document: &Node<'_>, revoked: bool) -> Result<Vec<Fact>> {
    let lot = document.count(KEY, &["lot/lotNumber"])?;
    if document.name().ends_with("LotCancel") {
        document.needed(lot, "lot/lotNumber")?;
    }
    let key = lot.map_or_else(String::new, |lot| lot.to_string());
    let day = document.day("canceld", kind.published)?;
    let facts = Facts::NoticeCancel44(Cancel44 { revoked, day });
    kind.purchase_fact(document, &key, facts)
}

/// Reads a `…OrgChange`: the new organisation responsible.
///
/// # Errors
/// As [`cancellation`].
pub fn organization(kind: &Kind, document: &Node<'_>) -> Result<Vec<Fact>> {
    let org = document.filling("responsibleOrg").first(&["newRespOrg"]);
    let org = org.map_or_else(ResponsibleOrg44::default, |org| ResponsibleOrg44 {
        full_name: org.verbatim("fullName", &["fullName"]),
        inn: org.string("inn", &["INN"]),
        kpp: org.string("kpp", &["KPP"]),
        address: org.verbatim("factAddress", &["factAddress"]),
        role: org.string("role", &["responsibleRole"]),
        ..ResponsibleOrg44::default()
    });
    kind.purchase_fact(document, "", Facts::OrgChange44(org))
}

/// Reads a prolongation: new dates.
///
/// # Errors
/// As [`cancellation`].
pub fn prolongation(kind: &Kind, document: &Node<'_>) -> Result<Vec<Fact>> {
    let change = new_dates(&document.filling("procedureInfo"))?;
    kind.purchase_fact(document, "", Facts::NoticeChange44(change))
}

/// Reads the cancellation of a prolongation: the dates are those of the notice again.
///
/// # Errors
/// As [`cancellation`].
pub fn prolongation_cancelled(kind: &Kind, document: &Node<'_>) -> Result<Vec<Fact>> {
    let change = Change44::default();
    kind.purchase_fact(document, "", Facts::NoticeChange44(change))
}

fn new_dates(document: &Node<'_>) -> Result<Change44> {
    let at = |field, paths: Paths<'_>| document.moment(field, paths);
    Ok(Change44 {
        end: at(
            "end",
            &[
                "prolongationInfo/newCollectingEndDT",
                "prolongationInfo/firstStageInfo/newCollectingEndDT",
                "collectingProlongationDate",
            ],
        )?,
        opening: at("opening", &["openingProlongationDate"])?,
        scoring: at(
            "scoring",
            &[
                "prolongationInfo/prolongationInfo/firstPartsDT",
                "prolongationInfo/secondStageInfo/scoringInfo/firstPartsDT",
                "scoringProlongationDate",
            ],
        )?,
        bidding: at("bidding", &["newAuctionDate"])?,
        submission: at(
            "submissionDate",
            &[
                "prolongationInfo/prolongationInfo/finalOfferDate",
                "prolongationInfo/secondStageInfo/scoringInfo/finalOfferDate",
            ],
        )?,
        second_parts: at(
            "secondPartsDate",
            &[
                "prolongationInfo/prolongationInfo/secondPartsDT",
                "prolongationInfo/secondStageInfo/scoringInfo/secondPartsDT",
            ],
        )?,
    })
}

//! Cancellations of a purchase or of a lot, new dates, another organisation: small documents
//! about a notice that is published elsewhere.

use super::{PUBLICATIONS, head, published};
use crate::import::eis::kind::Kind;
use crate::import::eis::node::{KEY, Node, Paths, Result};
use crate::import::facts::{Cancel44, Change44, Fact, Facts};
use crate::model::{Regime, ResponsibleOrg44};

/// The fact of a document, which has no versions.
///
/// # Errors
/// The number of the purchase, or the time of publication, is malformed.
pub fn fact(kind: &Kind, document: &Node<'_>, key: String, facts: Facts) -> Result<Vec<Fact>> {
    let number = document.purchase_number(kind.number, Regime::Fz44)?;
    Ok(vec![Fact {
        number: number.to_string(),
        key,
        version: 0,
        published: published(document)?,
        facts,
    }])
}

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
    let day = head(document).day("canceld", PUBLICATIONS)?;
    fact(
        kind,
        document,
        key,
        Facts::NoticeCancel44(Cancel44 { revoked, day }),
    )
}

/// Reads a `…OrgChange`: the new organisation responsible.
///
/// # Errors
/// As [`cancellation`].
pub fn organization(kind: &Kind, document: &Node<'_>) -> Result<Vec<Fact>> {
    let org = document.first(&["newRespOrg"]);
    let org = org.map_or_else(ResponsibleOrg44::default, |org| ResponsibleOrg44 {
        full_name: org
            .verbatim("responsibleOrg.fullName", &["fullName"])
            .to_owned(),
        inn: org.text("responsibleOrg.inn", &["INN"]).to_owned(),
        kpp: org.text("responsibleOrg.kpp", &["KPP"]).to_owned(),
        address: org
            .verbatim("responsibleOrg.factAddress", &["factAddress"])
            .to_owned(),
        role: org
            .text("responsibleOrg.role", &["responsibleRole"])
            .to_owned(),
        ..ResponsibleOrg44::default()
    });
    fact(kind, document, String::new(), Facts::OrgChange44(org))
}

/// Reads a prolongation: new dates.
///
/// # Errors
/// As [`cancellation`].
pub fn prolongation(kind: &Kind, document: &Node<'_>) -> Result<Vec<Fact>> {
    let change = new_dates(document)?;
    fact(kind, document, String::new(), Facts::NoticeChange44(change))
}

/// Reads the cancellation of a prolongation: the dates are those of the notice again.
///
/// # Errors
/// As [`cancellation`].
pub fn prolongation_cancelled(kind: &Kind, document: &Node<'_>) -> Result<Vec<Fact>> {
    let change = Change44::default();
    fact(kind, document, String::new(), Facts::NoticeChange44(change))
}

fn new_dates(document: &Node<'_>) -> Result<Change44> {
    let at = |field, paths: Paths<'_>| document.moment(field, paths);
    Ok(Change44 {
        end: at(
            "procedureInfo.end",
            &[
                "prolongationInfo/newCollectingEndDT",
                "prolongationInfo/firstStageInfo/newCollectingEndDT",
                "collectingProlongationDate",
            ],
        )?,
        opening: at("procedureInfo.opening", &["openingProlongationDate"])?,
        scoring: at(
            "procedureInfo.scoring",
            &[
                "prolongationInfo/prolongationInfo/firstPartsDT",
                "prolongationInfo/secondStageInfo/scoringInfo/firstPartsDT",
                "scoringProlongationDate",
            ],
        )?,
        bidding: at("procedureInfo.bidding", &["newAuctionDate"])?,
        submission: at(
            "procedureInfo.submissionDate",
            &[
                "prolongationInfo/prolongationInfo/finalOfferDate",
                "prolongationInfo/secondStageInfo/scoringInfo/finalOfferDate",
            ],
        )?,
        second_parts: at(
            "procedureInfo.secondPartsDate",
            &[
                "prolongationInfo/prolongationInfo/secondPartsDT",
                "prolongationInfo/secondStageInfo/scoringInfo/secondPartsDT",
            ],
        )?,
    })
}

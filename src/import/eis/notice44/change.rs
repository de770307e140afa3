//! Cancellations of a purchase or of a lot, and new dates: small documents about a
//! notice that is published elsewhere.

use crate::import::eis::element::Element;
use crate::import::eis::value::{Result, day, first_moment};
use crate::import::facts::{Cancel44, Change44, Facts};

/// The key and the facts of the document, if it is a cancellation or a change.
pub fn read(document: &Element<'_>, head: &Element<'_>) -> Result<Option<(String, Facts)>> {
    let name = document.name;
    if name.ends_with("NotificationCancel") || name.ends_with("NotificationLotCancel") {
        return cancel(document, head, false).map(Some);
    }
    if name.ends_with("NotificationCancelFailure") {
        return cancel(document, head, true).map(Some);
    }
    if name.ends_with("NotificationOrgChange") {
        let facts = Facts::OrgChange44(super::card::new_org(document));
        return Ok(Some((String::new(), facts)));
    }
    let change = if name.starts_with("epProlongationCancel") {
        // No changes any more: the dates are those of the notice again.
        Change44::default()
    } else if PROLONGATIONS.contains(&name) {
        new_dates(document)?
    } else {
        return Ok(None);
    };
    Ok(Some((String::new(), Facts::NoticeChange44(change))))
}

/// The documents that give new dates.
const PROLONGATIONS: &[&str] = &[
    "fcs_notificationEFDateChange",
    "fcsPurchaseProlongationOK",
    "fcsPurchaseProlongationZK",
    "epProlongationEOK",
    "epProlongationEOKD",
    "epProlongationEOKOU",
    "epProlongationEZK",
];

/// `fcsNotificationLotCancel` and `fcsNotificationCancelFailure` may be about one
/// lot, which is the key.
fn cancel(document: &Element<'_>, head: &Element<'_>, revoked: bool) -> Result<(String, Facts)> {
    let lot = document.text_at("lot/lotNumber");
    if lot.is_empty() && document.name.ends_with("LotCancel") {
        return Err("lot/lotNumber: is missing".to_owned());
    }
    let key = match lot {
        "" => String::new(),
        text => super::lot::number(text)
            .map_err(|problem| format!("lot/lotNumber: {problem}"))?
            .to_string(),
    };
    let day = match super::published_path(head) {
        Some(path) => day(head, path)?,
        None => None,
    };
    Ok((key, Facts::NoticeCancel44(Cancel44 { revoked, day })))
}

fn new_dates(document: &Element<'_>) -> Result<Change44> {
    let at = |paths: &[&str]| first_moment(document, paths);
    Ok(Change44 {
        end: at(&[
            "prolongationInfo/newCollectingEndDT",
            "prolongationInfo/firstStageInfo/newCollectingEndDT",
            "collectingProlongationDate",
        ])?,
        opening: at(&["openingProlongationDate"])?,
        scoring: at(&[
            "prolongationInfo/prolongationInfo/firstPartsDT",
            "prolongationInfo/secondStageInfo/scoringInfo/firstPartsDT",
            "scoringProlongationDate",
        ])?,
        bidding: at(&["newAuctionDate"])?,
        summarizing: None,
        submission: at(&[
            "prolongationInfo/prolongationInfo/finalOfferDate",
            "prolongationInfo/secondStageInfo/scoringInfo/finalOfferDate",
        ])?,
        second_parts: at(&[
            "prolongationInfo/prolongationInfo/secondPartsDT",
            "prolongationInfo/secondStageInfo/scoringInfo/secondPartsDT",
        ])?,
    })
}

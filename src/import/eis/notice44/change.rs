//! Reads documents that change a published notice: cancellations of a purchase or a lot, new dates,
//! a new responsible organization.

use crate::import::eis::generation::{ByGeneration, Generation};
use crate::import::eis::kind::Kind;
use crate::import::eis::node::{KEY, Node, Result};
use crate::import::facts::{Cancel44, Change44, Fact, Facts, ResponsibleOrg44Facts};

/// Reads the cancellation of a purchase.
pub fn cancellation(kind: &Kind, document: &Node<'_>) -> Result<Vec<Fact>> {
    cancel(kind, document, "", false)
}

/// Reads a `fcsNotificationLotCancel`. The key is the number of the lot.
pub fn lot_cancellation(kind: &Kind, document: &Node<'_>) -> Result<Vec<Fact>> {
    let lot = lot_number(document)?;
    let lot = document.needed(lot, LOT)?;
    cancel(kind, document, &lot.to_string(), false)
}

/// Reads the revocation of a cancellation. In `fcs*`, it may concern a single lot, whose number is
/// then the key.
pub fn revoked_cancellation(kind: &Kind, document: &Node<'_>) -> Result<Vec<Fact>> {
    let lot = match kind.generation {
        Generation::Fcs => lot_number(document)?,
        Generation::Ep => None,
    };
    let key = lot.map_or_else(String::new, |lot| lot.to_string());
    cancel(kind, document, &key, true)
}

const LOT: &str = "lot/lotNumber";

fn lot_number(document: &Node<'_>) -> Result<Option<u64>> {
    document.count(KEY, &[LOT])
}

fn cancel(kind: &Kind, document: &Node<'_>, key: &str, revoked: bool) -> Result<Vec<Fact>> {
    let day = document.day("canceld", kind.published)?;
    let facts = Facts::NoticeCancel44(Cancel44 { revoked, day });
    kind.purchase_fact(document, key, facts)
}

/// Reads a `…OrgChange`.
pub fn organization(kind: &Kind, document: &Node<'_>) -> Result<Vec<Fact>> {
    let org = document.filling("responsibleOrg").first(&["newRespOrg"]);
    let org = org.map_or_else(ResponsibleOrg44Facts::default, |org| {
        ResponsibleOrg44Facts {
            full_name: org.verbatim("fullName", &["fullName"]),
            inn: org.string("inn", &["INN"]),
            kpp: org.string("kpp", &["KPP"]),
            address: org.verbatim("factAddress", &["factAddress"]),
            role: org.string("role", &["responsibleRole"]),
            ..ResponsibleOrg44Facts::default()
        }
    });
    kind.purchase_fact(document, "", Facts::OrgChange44(org))
}

pub fn prolongation(kind: &Kind, document: &Node<'_>) -> Result<Vec<Fact>> {
    let change = new_dates(&document.filling("procedureInfo"), kind.generation)?;
    kind.purchase_fact(document, "", Facts::NoticeChange44(change))
}

/// Reads the cancellation of a prolongation, which restores the dates of the notice.
pub fn prolongation_cancelled(kind: &Kind, document: &Node<'_>) -> Result<Vec<Fact>> {
    let change = Change44::default();
    kind.purchase_fact(document, "", Facts::NoticeChange44(change))
}

fn new_dates(document: &Node<'_>, generation: Generation) -> Result<Change44> {
    let at = |field, paths: ByGeneration| document.moment(field, paths.of(generation));
    Ok(Change44 {
        end: at("end", END)?,
        opening: at("opening", OPENING)?,
        scoring: at("scoring", SCORING)?,
        bidding: at("bidding", BIDDING)?,
        submission: at("submissionDate", SUBMISSION)?,
        second_parts: at("secondPartsDate", SECOND_PARTS)?,
    })
}

const END: ByGeneration = ByGeneration {
    fcs: &["collectingProlongationDate"],
    ep: &[
        "prolongationInfo/newCollectingEndDT",
        "prolongationInfo/firstStageInfo/newCollectingEndDT",
    ],
};

const OPENING: ByGeneration = ByGeneration {
    fcs: &["openingProlongationDate"],
    ep: &[],
};

const SCORING: ByGeneration = ByGeneration {
    fcs: &["scoringProlongationDate"],
    ep: &[
        "prolongationInfo/prolongationInfo/firstPartsDT",
        "prolongationInfo/secondStageInfo/scoringInfo/firstPartsDT",
    ],
};

const BIDDING: ByGeneration = ByGeneration {
    fcs: &["newAuctionDate"],
    ep: &[],
};

const SUBMISSION: ByGeneration = ByGeneration {
    fcs: &[],
    ep: &[
        "prolongationInfo/prolongationInfo/finalOfferDate",
        "prolongationInfo/secondStageInfo/scoringInfo/finalOfferDate",
    ],
};

const SECOND_PARTS: ByGeneration = ByGeneration {
    fcs: &[],
    ep: &[
        "prolongationInfo/prolongationInfo/secondPartsDT",
        "prolongationInfo/secondStageInfo/scoringInfo/secondPartsDT",
    ],
};

//! The dates of the procedure: `procedureInfo`.

use crate::import::eis::node::{Field, Node, Paths, Result};
use crate::model::{ProcedureDates, StageDates};

/// Reads the dates of `procedureInfo`. Of two stages, start and end are those of the first,
/// because no one can join later.
///
/// # Errors
/// The element that is malformed.
pub fn read(document: &Node<'_>) -> Result<ProcedureDates> {
    let document = document.filling("procedureInfo");
    let found = document.first(&["notificationInfo/procedureInfo", "procedureInfo"]);
    let Some(procedure) = found else {
        return Ok(ProcedureDates::default());
    };
    let at = |field: Field, paths: Paths<'_>| procedure.moment(field, paths);
    let stage1 = procedure.first(&["firstStageInfo", "stageOne"]);
    let stage1 = stage(stage1, "procedureInfo.stage1")?;
    let stage2 = procedure.first(&["secondStageInfo", "stageTwo"]);
    let stage2 = stage(stage2, "procedureInfo.stage2")?;
    let first_parts = at("firstPartsDate", FIRST_PARTS)?;
    let scoring = at("scoring", &["scoring/date", "scoringInfo/endDate"])?;
    // In an electronic auction the first parts are examined.
    let of_first_parts = ELECTRONIC_AUCTIONS.contains(&document.name());
    Ok(ProcedureDates {
        start: at("start", START)?.or(stage1.start),
        end: at("end", END)?.or(stage1.end),
        opening: at("opening", &["opening/date"])?,
        scoring: scoring.or(first_parts),
        bidding: at(
            "bidding",
            &["biddingDate", "bidding/date", "scoringInfo/biddingDate"],
        )?,
        final_opening: at("finalOpening", &["finalOpening/date"])?,
        selecting: at("selecting", &["selecting/date"])?,
        prequalification: at(
            "prequalification",
            &["prequalification/date", "stageOne/prequalification/date"],
        )?,
        stage1,
        stage2,
        summarizing: at("summarizingDate", &["summarizingDate"])?,
        first_parts: first_parts.or(scoring.filter(|_| of_first_parts)),
        submission: at("submissionDate", SUBMISSION)?,
        second_parts: at("secondPartsDate", SECOND_PARTS)?,
    })
}

/// Start of submission: `ep*`, `fcs*`.
const START: Paths<'_> = &["collectingInfo/startDT", "collecting/startDate"];

/// End of submission: `ep*`, `fcs*`, and of a preliminary selection or a notice
/// under article 111.
const END: Paths<'_> = &[
    "collectingInfo/endDT",
    "collecting/endDate",
    "collectingEndDate",
];

/// Examination of the first parts: of 2020 (since schema 11.1, and before), of
/// 2018, and of a contest in two stages.
const FIRST_PARTS: Paths<'_> = &[
    "firstPartsDate",
    "firstPartsDT",
    "scoringInfo/firstPartsDT",
    "secondStageInfo/scoringInfo/firstPartsDT",
];

/// Submission of the offers of price, or of the final ones.
const SUBMISSION: Paths<'_> = &[
    "submissionProcedureDate",
    "scoringInfo/finalOfferDate",
    "secondStageInfo/scoringInfo/finalOfferDate",
];

/// Examination of the second parts.
const SECOND_PARTS: Paths<'_> = &[
    "secondPartsDate",
    "secondPartsDT",
    "scoringInfo/secondPartsDT",
    "secondStageInfo/scoringInfo/secondPartsDT",
];

const ELECTRONIC_AUCTIONS: [&str; 3] = [
    "fcsNotificationEF",
    "epNotificationEF2020",
    "epNotificationEZakA",
];

/// One of two stages (`EOKD`, `OKD` and their closed kin).
fn stage(stage: Option<Node<'_>>, field: Field) -> Result<StageDates> {
    let Some(stage) = stage.map(|stage| stage.filling(field)) else {
        return Ok(StageDates::default());
    };
    let scorings = ["scoring/date", "scoringInfo/dateTime"];
    Ok(StageDates {
        start: stage.moment("start", START)?,
        end: stage.moment("end", &["collectingInfo/endDT", "collecting/endDate"])?,
        opening: stage.moment("opening", &["opening/date"])?,
        scoring: stage.moment("scoring", &scorings)?,
    })
}

//! The dates of the procedure: `procedureInfo`.

use crate::import::eis::node::{Field, Node, Paths, Result};
use crate::model::{ProcedureDates, StageDates};

/// Reads the dates of `procedureInfo`. Of two stages, start and end are those of the first,
/// because no one can join later.
///
/// # Errors
/// The element that is malformed.
pub fn read(document: &Node<'_>) -> Result<ProcedureDates> {
    let found = document.first(&["notificationInfo/procedureInfo", "procedureInfo"]);
    let Some(procedure) = found else {
        return Ok(ProcedureDates::default());
    };
    let at = |field: Field, paths: Paths<'_>| procedure.moment(field, paths);
    let stage1 = stage(&procedure, &["firstStageInfo", "stageOne"], &STAGE1)?;
    let stage2 = stage(&procedure, &["secondStageInfo", "stageTwo"], &STAGE2)?;
    let first_parts = at("procedureInfo.firstPartsDate", FIRST_PARTS)?;
    let scoring = at(
        "procedureInfo.scoring",
        &["scoring/date", "scoringInfo/endDate"],
    )?;
    // In an electronic auction the first parts are examined.
    let of_first_parts = is_electronic_auction(document.name());
    Ok(ProcedureDates {
        start: at("procedureInfo.start", START)?.or(stage1.start),
        end: at("procedureInfo.end", END)?.or(stage1.end),
        opening: at("procedureInfo.opening", &["opening/date"])?,
        scoring: scoring.or(first_parts),
        bidding: at(
            "procedureInfo.bidding",
            &["biddingDate", "bidding/date", "scoringInfo/biddingDate"],
        )?,
        final_opening: at("procedureInfo.finalOpening", &["finalOpening/date"])?,
        selecting: at("procedureInfo.selecting", &["selecting/date"])?,
        prequalification: at(
            "procedureInfo.prequalification",
            &["prequalification/date", "stageOne/prequalification/date"],
        )?,
        stage1,
        stage2,
        summarizing: at(
            "procedureInfo.summarizingDate",
            &["summarizingDate", "summarizingDT"],
        )?,
        first_parts: first_parts.or(scoring.filter(|_| of_first_parts)),
        submission: at("procedureInfo.submissionDate", SUBMISSION)?,
        second_parts: at("procedureInfo.secondPartsDate", SECOND_PARTS)?,
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

fn is_electronic_auction(kind: &str) -> bool {
    matches!(
        kind,
        "fcsNotificationEF" | "epNotificationEF2020" | "epNotificationEZakA"
    )
}

/// The fields of a stage: start, end, opening and scoring.
const STAGE1: [Field; 4] = [
    "procedureInfo.stage1.start",
    "procedureInfo.stage1.end",
    "procedureInfo.stage1.opening",
    "procedureInfo.stage1.scoring",
];

const STAGE2: [Field; 4] = [
    "procedureInfo.stage2.start",
    "procedureInfo.stage2.end",
    "procedureInfo.stage2.opening",
    "procedureInfo.stage2.scoring",
];

/// One of two stages (`EOKD`, `OKD` and their closed kin).
fn stage(procedure: &Node<'_>, paths: Paths<'_>, fields: &[Field; 4]) -> Result<StageDates> {
    let Some(stage) = procedure.first(paths) else {
        return Ok(StageDates::default());
    };
    let [start, end, opening, scoring] = *fields;
    let scorings = [
        "scoring/date",
        "scoringInfo/dateTime",
        "scoringInfo/firstPartsDT",
    ];
    Ok(StageDates {
        start: stage.moment(start, START)?,
        end: stage.moment(end, END)?,
        opening: stage.moment(opening, &["opening/date"])?,
        scoring: stage.moment(scoring, &scorings)?,
    })
}

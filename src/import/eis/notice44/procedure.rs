//! The dates of the procedure: `procedureInfo`.

use crate::import::eis::element::Element;
use crate::import::eis::value::{Result, first_moment, moment};
use crate::model::{ProcedureDates, StageDates};

/// The dates of `procedureInfo`. If there are two stages, start and end are those of the
/// first, as nobody can join later.
pub fn read(document: &Element<'_>) -> Result<ProcedureDates> {
    let found = super::first_at(
        document,
        &["notificationInfo/procedureInfo", "procedureInfo"],
    );
    let Some(procedure) = found else {
        return Ok(ProcedureDates::default());
    };
    dates(document, procedure).map_err(|problem| format!("procedureInfo/{problem}"))
}

fn dates(document: &Element<'_>, procedure: &Element<'_>) -> Result<ProcedureDates> {
    let at = |paths: &[&str]| first_moment(procedure, paths);
    let stage1 = stage(procedure, &["firstStageInfo", "stageOne"])?;
    let stage2 = stage(procedure, &["secondStageInfo", "stageTwo"])?;
    let first_parts = at(FIRST_PARTS)?;
    let scoring = at(&["scoring/date", "scoringInfo/endDate"])?;
    // In an electronic auction the first parts are examined.
    let of_first_parts = is_electronic_auction(document);
    Ok(ProcedureDates {
        start: at(START)?.or(stage1.start),
        end: at(END)?.or(stage1.end),
        opening: at(&["opening/date"])?,
        scoring: scoring.or(first_parts),
        bidding: at(&["biddingDate", "bidding/date", "scoringInfo/biddingDate"])?,
        final_opening: at(&["finalOpening/date"])?,
        selecting: at(&["selecting/date"])?,
        prequalification: at(&["prequalification/date", "stageOne/prequalification/date"])?,
        stage1,
        stage2,
        summarizing: at(&["summarizingDate", "summarizingDT"])?,
        first_parts: first_parts.or(scoring.filter(|_| of_first_parts)),
        submission: at(SUBMISSION)?,
        second_parts: at(SECOND_PARTS)?,
    })
}

/// Start of submission: `ep*`, `fcs*`.
const START: &[&str] = &["collectingInfo/startDT", "collecting/startDate"];

/// End of submission: `ep*`, `fcs*`, and of a preliminary selection or a notice
/// under article 111.
const END: &[&str] = &[
    "collectingInfo/endDT",
    "collecting/endDate",
    "collectingEndDate",
];

/// Examination of the first parts: of 2020 (since schema 11.1, and before), of
/// 2018, and of a contest in two stages.
const FIRST_PARTS: &[&str] = &[
    "firstPartsDate",
    "firstPartsDT",
    "scoringInfo/firstPartsDT",
    "secondStageInfo/scoringInfo/firstPartsDT",
];

/// Submission of the offers of price, or of the final ones.
const SUBMISSION: &[&str] = &[
    "submissionProcedureDate",
    "scoringInfo/finalOfferDate",
    "secondStageInfo/scoringInfo/finalOfferDate",
];

/// Examination of the second parts.
const SECOND_PARTS: &[&str] = &[
    "secondPartsDate",
    "secondPartsDT",
    "scoringInfo/secondPartsDT",
    "secondStageInfo/scoringInfo/secondPartsDT",
];

fn is_electronic_auction(document: &Element<'_>) -> bool {
    matches!(
        document.name,
        "fcsNotificationEF" | "epNotificationEF2020" | "epNotificationEZakA"
    )
}

/// One of two stages (`EOKD`, `OKD` and their closed kin).
fn stage(procedure: &Element<'_>, paths: &[&str]) -> Result<StageDates> {
    let Some(stage) = super::first_at(procedure, paths) else {
        return Ok(StageDates::default());
    };
    let scoring = [
        "scoring/date",
        "scoringInfo/dateTime",
        "scoringInfo/firstPartsDT",
    ];
    let dates = || {
        Ok(StageDates {
            start: first_moment(stage, START)?,
            end: first_moment(stage, END)?,
            opening: moment(stage, "opening/date")?,
            scoring: first_moment(stage, &scoring)?,
        })
    };
    dates().map_err(|problem: String| format!("{}/{problem}", stage.name))
}

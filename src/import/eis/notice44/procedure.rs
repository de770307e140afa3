//! Reads the dates of the procedure: `procedureInfo`.

use crate::import::eis::generation::{ByGeneration, Generation};
use crate::import::eis::kind::{Kind, Rule};
use crate::import::eis::node::{FieldName, Node, Result};
use crate::import::facts::{ProcedureDatesFacts, StageDatesFacts};

/// Reads `procedureInfo`. In a procedure of two stages, start and end are those of the first stage,
/// because nobody can join later.
///
/// # Errors
/// Returns an error if an element is malformed.
pub fn read(kind: &Kind, document: &Node<'_>) -> Result<ProcedureDatesFacts> {
    let document = document.filling("procedureInfo");
    let Some(procedure) = document.first(PROCEDURE.of(kind.generation)) else {
        return Ok(ProcedureDatesFacts::default());
    };
    let at =
        |field: FieldName, paths: ByGeneration| procedure.moment(field, paths.of(kind.generation));
    let stage1 = first_stage(&procedure, kind.generation)?;
    let stage2 = second_stage(&procedure, kind.generation)?;
    let first_parts = at("firstPartsDate", FIRST_PARTS)?;
    let scoring = at("scoring", SCORING)?;
    Ok(ProcedureDatesFacts {
        start: at("start", START)?.or(stage1.start),
        end: at("end", END)?.or(stage1.end),
        opening: at("opening", OPENING)?,
        scoring: scoring.or(first_parts),
        bidding: at("bidding", BIDDING)?,
        final_opening: at("finalOpening", FINAL_OPENING)?,
        selecting: at("selecting", SELECTING)?,
        prequalification: at("prequalification", PREQUALIFICATION)?,
        stage1,
        stage2,
        summarizing: at("summarizingDate", SUMMARIZING)?,
        first_parts: first_parts.or(scoring.filter(|_| kind.rule == Rule::ElectronicAuction)),
        submission: at("submissionDate", SUBMISSION)?,
        second_parts: at("secondPartsDate", SECOND_PARTS)?,
    })
}

const PROCEDURE: ByGeneration = ByGeneration {
    fcs: &["procedureInfo"],
    ep: &["notificationInfo/procedureInfo"],
};

const START: ByGeneration = ByGeneration {
    fcs: &["collecting/startDate"],
    ep: &["collectingInfo/startDT"],
};

/// End of submission. The second path of `fcs*` occurs in preliminary selections and in notices
/// under article 111.
const END: ByGeneration = ByGeneration {
    fcs: &["collecting/endDate", "collectingEndDate"],
    ep: &["collectingInfo/endDT"],
};

const OPENING: ByGeneration = ByGeneration {
    fcs: &["opening/date"],
    ep: &[],
};

const SCORING: ByGeneration = ByGeneration {
    fcs: &["scoring/date"],
    ep: &["scoringInfo/endDate"],
};

const BIDDING: ByGeneration = ByGeneration {
    fcs: &["bidding/date"],
    ep: &["biddingDate", "scoringInfo/biddingDate"],
};

const FINAL_OPENING: ByGeneration = ByGeneration {
    fcs: &["finalOpening/date"],
    ep: &[],
};

const SELECTING: ByGeneration = ByGeneration {
    fcs: &["selecting/date"],
    ep: &[],
};

const PREQUALIFICATION: ByGeneration = ByGeneration {
    fcs: &["prequalification/date", "stageOne/prequalification/date"],
    ep: &[],
};

const SUMMARIZING: ByGeneration = ByGeneration {
    fcs: &[],
    ep: &["summarizingDate"],
};

/// Examination of the first parts. The paths are for the 2020 family since schema 11.1, the 2020
/// family before it, the 2018 family, and contests in two stages.
const FIRST_PARTS: ByGeneration = ByGeneration {
    fcs: &[],
    ep: &[
        "firstPartsDate",
        "firstPartsDT",
        "scoringInfo/firstPartsDT",
        "secondStageInfo/scoringInfo/firstPartsDT",
    ],
};

/// Submission of price offers or of final offers.
const SUBMISSION: ByGeneration = ByGeneration {
    fcs: &[],
    ep: &[
        "submissionProcedureDate",
        "scoringInfo/finalOfferDate",
        "secondStageInfo/scoringInfo/finalOfferDate",
    ],
};

const SECOND_PARTS: ByGeneration = ByGeneration {
    fcs: &[],
    ep: &[
        "secondPartsDate",
        "secondPartsDT",
        "scoringInfo/secondPartsDT",
        "secondStageInfo/scoringInfo/secondPartsDT",
    ],
};

/// Reads the first of two stages (`EOKD`, `OKD` and their closed variants).
fn first_stage(procedure: &Node<'_>, generation: Generation) -> Result<StageDatesFacts> {
    const STAGE: ByGeneration = ByGeneration {
        fcs: &["stageOne"],
        ep: &["firstStageInfo"],
    };
    const SCORING: ByGeneration = ByGeneration {
        fcs: &["scoring/date"],
        ep: &["scoringInfo/dateTime"],
    };
    let Some(stage) = procedure.first(STAGE.of(generation)) else {
        return Ok(StageDatesFacts::default());
    };
    let stage = stage.filling("procedureInfo.stage1");
    Ok(StageDatesFacts {
        scoring: stage.moment("scoring", SCORING.of(generation))?,
        ..submission(&stage, generation)?
    })
}

/// Reads the second of two stages. The dates on which parts of applications are rated (`ep*`)
/// belong to this stage too, but are fields of their own.
fn second_stage(procedure: &Node<'_>, generation: Generation) -> Result<StageDatesFacts> {
    const STAGE: ByGeneration = ByGeneration {
        fcs: &["stageTwo"],
        ep: &["secondStageInfo"],
    };
    const SCORING: ByGeneration = ByGeneration {
        fcs: &["scoring/date"],
        ep: &[],
    };
    let Some(stage) = procedure.first(STAGE.of(generation)) else {
        return Ok(StageDatesFacts::default());
    };
    let stage = stage.filling("procedureInfo.stage2");
    Ok(StageDatesFacts {
        scoring: stage.moment("scoring", SCORING.of(generation))?,
        ..submission(&stage, generation)?
    })
}

fn submission(stage: &Node<'_>, generation: Generation) -> Result<StageDatesFacts> {
    const END: ByGeneration = ByGeneration {
        fcs: &["collecting/endDate"],
        ep: &["collectingInfo/endDT"],
    };
    Ok(StageDatesFacts {
        start: stage.moment("start", START.of(generation))?,
        end: stage.moment("end", END.of(generation))?,
        opening: stage.moment("opening", OPENING.of(generation))?,
        ..StageDatesFacts::default()
    })
}

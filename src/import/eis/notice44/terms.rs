//! Reads the terms of a lot: requirements, preferences, restrictions, life cycle. The code and name
//! of a term are in `preferenseRequirementInfo` (`ep*`) or directly in the term (`fcs*`).

use crate::import::eis::generation::{ByGeneration, Generation};
use crate::import::eis::node::{FieldName, Node, Result};
use crate::import::eis::value::joined;
use crate::import::facts::{CodedTextFacts, Lot44Facts, PreferenceFacts, Restriction14Facts};

const REQUIREMENTS: ByGeneration = ByGeneration {
    fcs: &["requirements/requirement"],
    ep: &["requirementsInfo/requirementInfo"],
};

const ADDITIONAL_REQUIREMENTS: ByGeneration = ByGeneration {
    fcs: &["requirements/requirement/addRequirements/addRequirement"],
    ep: &["requirementsInfo/requirementInfo/addRequirements/addRequirement"],
};

const PREFERENCES: ByGeneration = ByGeneration {
    fcs: &["preferenses/preferense"],
    ep: &["preferensesInfo/preferenseInfo"],
};

const RESTRICTIONS: ByGeneration = ByGeneration {
    fcs: &["restrictions/restriction"],
    ep: &["restrictionsInfo/restrictionInfo"],
};

const RESTRICTIONS14: ByGeneration = ByGeneration {
    fcs: &["restrictions/restriction/restrictionsSt14/restrictionSt14"],
    ep: &["restrictionsInfo/restrictionInfo/restrictionsSt14/restrictionSt14"],
};

/// Reads the terms of a lot and leaves all other fields empty.
///
/// # Errors
/// Returns an error if an element is malformed.
pub fn read(lot: &Node<'_>, generation: Generation) -> Result<Lot44Facts> {
    let coded = |paths: ByGeneration, field| {
        let items = lot.all(paths.of(generation));
        items.iter().map(|item| coded_text(item, field)).collect()
    };
    let terms = Lot44Facts {
        requirements: coded(REQUIREMENTS, "requirements"),
        additional_requirements: coded(ADDITIONAL_REQUIREMENTS, "addRequirements"),
        preferences: lot.read_all(PREFERENCES.of(generation), |item| preference(&item))?,
        restrictions: coded(RESTRICTIONS, "restrictions"),
        restrictions14: lot.read_all(RESTRICTIONS14.of(generation), |item| restriction14(&item))?,
        ..life_cycle(lot, generation)?
    };
    Ok(Lot44Facts {
        small_business: Some(is_for_small_business(&terms)),
        subcontractors: Some(asks_for_subcontractors(&terms)),
        ..terms
    })
}

fn coded_text(item: &Node<'_>, field: FieldName) -> CodedTextFacts {
    let (code, name) = code_and_name(item, field);
    CodedTextFacts {
        code,
        name,
        content: item.verbatim(field, &["content"]),
    }
}

fn code_and_name(item: &Node<'_>, field: FieldName) -> (String, String) {
    let reference = item.first_or_self(&["preferenseRequirementInfo"]);
    let name = reference.verbatim(field, &["name"]);
    (reference.string(field, &["shortName"]), name)
}

fn preference(item: &Node<'_>) -> Result<PreferenceFacts> {
    let (code, name) = code_and_name(item, "preferenses");
    Ok(PreferenceFacts {
        code,
        name,
        value: item.amount("preferenses", &["prefValue"])?,
    })
}

fn restriction14(item: &Node<'_>) -> Result<Restriction14Facts> {
    let field = "restrictionsSt14";
    let words = |path| item.verbatim(field, &[path]);
    Ok(Restriction14Facts {
        code: item.string(field, &["NPAInfo/code"]),
        name: words("NPAInfo/name"),
        short_name: words("NPAInfo/shortName"),
        impossible_ban: item.stated_flag(field, &["exception/imposibilityBan"])?,
        impossible_ban_reason: words("exception/imposibilityBanReason"),
        note: words("note"),
    })
}

/// Returns whether the purchase is reserved for small businesses: it has a preference or a
/// restriction under part 3 of article 30.
fn is_for_small_business(terms: &Lot44Facts) -> bool {
    let preferences = terms.preferences.iter();
    let preferences = preferences.map(|item| (&item.code, &item.name));
    let restrictions = terms.restrictions.iter();
    let restrictions = restrictions.map(|item| (&item.code, &item.name));
    let mut all = preferences.chain(restrictions);
    let part3 = ["ч. 3 ст. 30", "частью 3 статьи 30", SMALL];
    all.any(|(code, name)| code == "PVS33044" || names_any(name, part3))
}

/// Returns whether the supplier must involve small businesses as subcontractors (part 5 of article
/// 30).
fn asks_for_subcontractors(terms: &Lot44Facts) -> bool {
    let part5 = ["ч. 5 ст. 30", "частью 5 статьи 30", SMALL];
    let mut all = terms.requirements.iter();
    all.any(|item| item.code == "TPS44530" || names_any(&item.name, part5))
}

fn names_any(name: &str, parts: [&str; 3]) -> bool {
    let name = name.to_lowercase();
    parts.iter().any(|part| name.contains(part))
}

/// "Small business" in any grammatical case.
const SMALL: &str = "малого предприним";

/// Reads `contractLifeCycleInfo`: whether the contract is a life-cycle contract, and the cases
/// listed in the law.
fn life_cycle(lot: &Node<'_>, generation: Generation) -> Result<Lot44Facts> {
    const INFO: ByGeneration = ByGeneration {
        fcs: &["contractLifeCycleInfo"],
        ep: &["contractConditionsInfo/contractLifeCycleInfo"],
    };
    let Some(info) = lot.first(INFO.of(generation)) else {
        return Ok(Lot44Facts::default());
    };
    let cases = info.all(&["contractLifeCycleCasesInfo/contractLifeCycleCase"]);
    let of_cases = |field: FieldName, name: &str| {
        let texts = cases.iter().map(|case| case.text(field, &[name]));
        joined(texts, "; ")
    };
    Ok(Lot44Facts {
        life_cycle: info.stated_flag("contractLifeCycle", &["contractLifeCycle"])?,
        life_cycle_code: of_cases("contractLifeCycleCode", "code"),
        life_cycle_name: of_cases("contractLifeCycleName", "name"),
        ..Lot44Facts::default()
    })
}

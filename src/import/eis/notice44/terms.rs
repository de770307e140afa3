//! The terms of a lot: requirements, preferences, restrictions, life cycle. In the `ep*` an
//! item's code and name are in `preferenseRequirementInfo`, in the `fcs*` directly in the
//! item.

use super::{all_at, read_all, stated_flag};
use crate::import::eis::element::Element;
use crate::import::eis::value::{Result, amount};
use crate::model::{CodedText, Preference, Restriction14};

/// The terms of a lot.
pub struct Terms {
    /// Requirements on the participants.
    pub requirements: Vec<CodedText>,
    /// Additional ones within a requirement.
    pub additional_requirements: Vec<CodedText>,
    /// Preferences.
    pub preferences: Vec<Preference>,
    /// Restrictions.
    pub restrictions: Vec<CodedText>,
    /// Restrictions under article 14, of all restrictions.
    pub restrictions14: Vec<Restriction14>,
}

const REQUIREMENTS: &[&str] = &[
    "requirementsInfo/requirementInfo",
    "requirements/requirement",
];
const PREFERENCES: &[&str] = &["preferensesInfo/preferenseInfo", "preferenses/preferense"];
const RESTRICTIONS: &[&str] = &[
    "restrictionsInfo/restrictionInfo",
    "restrictions/restriction",
];

/// Reads the terms of a lot.
pub fn read(lot: &Element<'_>) -> Result<Terms> {
    let coded = |path: &'static [&'static str]| all_at(lot, path).map(|(_, item)| item);
    let additional = coded(REQUIREMENTS)
        .flat_map(|item| all_at(item, &["addRequirements/addRequirement"]))
        .map(|(_, item)| coded_text(item));
    let restrictions14 = read_all(lot, RESTRICTIONS, |item| {
        read_all(item, &["restrictionsSt14/restrictionSt14"], restriction14)
    })?;
    Ok(Terms {
        requirements: coded(REQUIREMENTS).map(coded_text).collect(),
        additional_requirements: additional.collect(),
        preferences: read_all(lot, PREFERENCES, preference)?,
        restrictions: coded(RESTRICTIONS).map(coded_text).collect(),
        restrictions14: restrictions14.into_iter().flatten().collect(),
    })
}

/// The element that holds the code and the name of an item.
fn reference<'e, 'd>(item: &'e Element<'d>) -> &'e Element<'d> {
    item.at("preferenseRequirementInfo").unwrap_or(item)
}

/// The code is the short name; before there were such names, the number.
fn coded_text(item: &Element<'_>) -> CodedText {
    let reference = reference(item);
    CodedText {
        code: reference.first_text(&["shortName", "code"]).to_owned(),
        name: reference.words_at("name").to_owned(),
        content: item.words_at("content").to_owned(),
    }
}

fn preference(item: &Element<'_>) -> Result<Preference> {
    let CodedText { code, name, .. } = coded_text(item);
    Ok(Preference {
        code,
        name,
        value: amount(item, "prefValue")?,
    })
}

fn restriction14(item: &Element<'_>) -> Result<Restriction14> {
    Ok(Restriction14 {
        code: item.text_at("NPAInfo/code").to_owned(),
        name: item.words_at("NPAInfo/name").to_owned(),
        short_name: item.words_at("NPAInfo/shortName").to_owned(),
        impossible_ban: stated_flag(item, &["exception/imposibilityBan"])?,
        impossible_ban_reason: item.words_at("exception/imposibilityBanReason").to_owned(),
        note: item.words_at("note").to_owned(),
    })
}

/// Is the purchase for small businesses only: is there a preference or a restriction under
/// part 3 of article 30?
pub fn is_for_small_business(terms: &Terms) -> bool {
    let preferences = terms
        .preferences
        .iter()
        .map(|item| (&item.code, &item.name));
    let restrictions = terms
        .restrictions
        .iter()
        .map(|item| (&item.code, &item.name));
    preferences.chain(restrictions).any(|(code, name)| {
        let name = name.to_lowercase();
        code == "PVS33044"
            || ["ч. 3 ст. 30", "частью 3 статьи 30", SMALL]
                .iter()
                .any(|part| name.contains(part))
    })
}

/// Must subcontractors from small business be involved: is there a requirement
/// under part 5 of article 30?
pub fn asks_for_subcontractors(terms: &Terms) -> bool {
    terms.requirements.iter().any(|item| {
        let name = item.name.to_lowercase();
        item.code == "TPS44530"
            || ["ч. 5 ст. 30", "частью 5 статьи 30", SMALL]
                .iter()
                .any(|part| name.contains(part))
    })
}

/// "Small business", in any grammatical case that the names use.
const SMALL: &str = "малого предприним";

/// Is it a life-cycle contract, and in which of the cases named by law.
#[derive(Default)]
pub struct LifeCycle {
    /// What the notice states.
    pub stated: Option<bool>,
    /// Codes of the cases.
    pub code: String,
    /// Names of the cases.
    pub name: String,
}

/// Reads `contractLifeCycleInfo`.
pub fn life_cycle(conditions: &Element<'_>) -> Result<LifeCycle> {
    let Some(info) = conditions.at("contractLifeCycleInfo") else {
        return Ok(LifeCycle::default());
    };
    let of_cases = |name: &str| -> Vec<String> {
        let texts = all_at(info, CASES).map(|(_, case)| case.text_at(name));
        texts
            .filter(|text| !text.is_empty())
            .map(str::to_owned)
            .collect()
    };
    Ok(LifeCycle {
        stated: stated_flag(info, &["contractLifeCycle"])
            .map_err(|problem| format!("contractLifeCycleInfo/{problem}"))?,
        code: of_cases("code").join("; "),
        name: of_cases("name").join("; "),
    })
}

const CASES: &[&str] = &["contractLifeCycleCasesInfo/contractLifeCycleCase"];

//! The terms of a lot: requirements, preferences, restrictions, life cycle. In the `ep*` an
//! item's code and name are in `preferenseRequirementInfo`, in the `fcs*` directly in the
//! item.

use crate::import::eis::node::{Field, Node, Paths, Result};
use crate::import::eis::value::joined;
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

const REQUIREMENTS: Paths<'_> = &[
    "requirementsInfo/requirementInfo",
    "requirements/requirement",
];
const PREFERENCES: Paths<'_> = &["preferensesInfo/preferenseInfo", "preferenses/preferense"];
const RESTRICTIONS: Paths<'_> = &[
    "restrictionsInfo/restrictionInfo",
    "restrictions/restriction",
];

/// Reads the terms of a lot.
///
/// # Errors
/// The element that is malformed.
pub fn read(lot: &Node<'_>) -> Result<Terms> {
    let requirements = lot.all(REQUIREMENTS);
    let restrictions = lot.all(RESTRICTIONS);
    let mut additional = Vec::new();
    for requirement in &requirements {
        let found = requirement.all(&["addRequirements/addRequirement"]);
        additional.extend(found.iter().map(|item| coded_text(item, "addRequirements")));
    }
    let mut restrictions14 = Vec::new();
    for restriction in &restrictions {
        let found = restriction.all(&["restrictionsSt14/restrictionSt14"]);
        for item in &found {
            restrictions14.push(restriction14(item)?);
        }
    }
    let coded =
        |items: &[Node<'_>], field| items.iter().map(|item| coded_text(item, field)).collect();
    Ok(Terms {
        requirements: coded(&requirements, "requirements"),
        additional_requirements: additional,
        preferences: lot.read_all(PREFERENCES, |item| preference(&item))?,
        restrictions: coded(&restrictions, "restrictions"),
        restrictions14,
    })
}

/// The code is the short name; before there were such names, the number.
fn coded_text(item: &Node<'_>, field: Field) -> CodedText {
    let reference = item.first_or_self(&["preferenseRequirementInfo"]);
    CodedText {
        code: reference.text(field, &["shortName", "code"]).to_owned(),
        name: reference.verbatim(field, &["name"]).to_owned(),
        content: item.verbatim(field, &["content"]).to_owned(),
    }
}

fn preference(item: &Node<'_>) -> Result<Preference> {
    let CodedText { code, name, .. } = coded_text(item, "preferenses");
    Ok(Preference {
        code,
        name,
        value: item.amount("preferenses", &["prefValue"])?,
    })
}

fn restriction14(item: &Node<'_>) -> Result<Restriction14> {
    let field = "restrictionsSt14";
    let words = |path| item.verbatim(field, &[path]).to_owned();
    Ok(Restriction14 {
        code: item.text(field, &["NPAInfo/code"]).to_owned(),
        name: words("NPAInfo/name"),
        short_name: words("NPAInfo/shortName"),
        impossible_ban: item.stated_flag(field, &["exception/imposibilityBan"])?,
        impossible_ban_reason: words("exception/imposibilityBanReason"),
        note: words("note"),
    })
}

/// Returns whether the purchase is for small businesses only: it has a preference or a
/// restriction under part 3 of article 30.
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

/// Returns whether subcontractors from small business must be involved: there is a requirement
/// under part 5 of article 30.
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

/// The life-cycle contract of a lot, and the cases named by law.
#[derive(Default)]
pub struct LifeCycle {
    /// The statement of the notice.
    pub stated: Option<bool>,
    /// Codes of the cases.
    pub code: String,
    /// Names of the cases.
    pub name: String,
}

/// Reads `contractLifeCycleInfo`.
///
/// # Errors
/// The element that is malformed.
pub fn life_cycle(conditions: &Node<'_>) -> Result<LifeCycle> {
    let Some(info) = conditions.first(&["contractLifeCycleInfo"]) else {
        return Ok(LifeCycle::default());
    };
    let cases = info.all(&["contractLifeCycleCasesInfo/contractLifeCycleCase"]);
    let of_cases = |field: Field, name: &str| {
        let texts = cases.iter().map(|case| case.text(field, &[name]));
        joined(texts, "; ")
    };
    Ok(LifeCycle {
        stated: info.stated_flag("contractLifeCycle", &["contractLifeCycle"])?,
        code: of_cases("contractLifeCycleCode", "code"),
        name: of_cases("contractLifeCycleName", "name"),
    })
}

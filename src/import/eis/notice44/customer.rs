//! Reads a customer of a lot: `customerRequirementInfo` (`ep*`), in which the conditions are in
//! `contractConditionsInfo`, or `customerRequirement` (`fcs*`), which contains the conditions
//! directly.

use crate::import::facts::{Customer44Facts, DeliveryPlaceFacts, EnforcementFacts};
use std::collections::BTreeSet;

use crate::import::eis::generation::{ByGeneration, Generation};
use crate::import::eis::node::{FieldName, Node, Paths, Result};
use crate::import::eis::value::joined;
use crate::model::Amount;

const CUSTOMERS: ByGeneration = ByGeneration {
    fcs: &["customerRequirements/customerRequirement"],
    ep: &["customerRequirementsInfo/customerRequirementInfo"],
};

/// Reads the customers of a lot, each with its number in the register of organizations.
/// `organization` is responsible for the purchase. If it is also a customer, a name, INN or KPP
/// that the customer lacks is taken from there.
///
/// # Errors
/// Returns an error if an element is malformed.
pub fn read_all<'e>(
    lot: &Node<'e>,
    organization: Option<&Node<'e>>,
    generation: Generation,
) -> Result<Vec<(Customer44Facts, String)>> {
    let lot = lot.filling("customer");
    let organization = organization.map(|found| found.filling("customer"));
    let number = organization
        .as_ref()
        .map(|found| found.text("inn", &["regNum"]));
    let discussion = must_discuss(&lot)?;
    // EZT2020 states one place for the whole purchase.
    let place = lot.first(&["contractConditionsInfo/deliveryPlaceInfo"]);
    let place = place.map(|place| delivery_place(&place, PlaceForm::Gar));
    lot.read_all(CUSTOMERS.of(generation), |requirement| {
        let code = requirement.string("inn", &["customer/regNum"]);
        let is_same = !code.is_empty() && number == Some(&code);
        let same = organization.as_ref().filter(|_| is_same);
        let mut customer = customer(&requirement, same, place.as_ref(), generation)?;
        customer.public_discussion = customer.public_discussion.or(discussion);
        Ok((customer, code))
    })
}

fn must_discuss(source: &Node<'_>) -> Result<Option<bool>> {
    source.stated_flag("mustPublicDiscussion", &["mustPublicDiscussion"])
}

/// Reads a customer. `same` is the responsible organization, if it is this customer. `place` is the
/// place of delivery for customers that state none.
fn customer<'e>(
    requirement: &Node<'e>,
    same: Option<&Node<'e>>,
    place: Option<&DeliveryPlaceFacts>,
    generation: Generation,
) -> Result<Customer44Facts> {
    let conditions = match generation {
        Generation::Fcs => requirement.clone(),
        Generation::Ep => requirement.first_or_self(&["contractConditionsInfo"]),
    };
    let text = |field, paths: ByGeneration| conditions.text(field, paths.of(generation));
    let purchase_code = text("ikz", PURCHASE_CODE);
    let of_same = same.map(|same| (same.text("inn", &["INN"]), same.text("kpp", &["KPP"])));
    let (inn, kpp) = inn_and_kpp(purchase_code).or(of_same).unwrap_or_default();
    let mut full_name = requirement.verbatim("fullName", &["customer/fullName"]);
    if let Some(same) = same.filter(|_| full_name.is_empty()) {
        full_name = same.verbatim("fullName", &["fullName"]);
    }
    let mut places = delivery_places(&conditions, generation);
    if places.is_empty() {
        places.extend(place.cloned());
    }
    Ok(Customer44Facts {
        purchase_code: purchase_code.to_owned(),
        full_name,
        inn: inn.to_owned(),
        kpp: kpp.to_owned(),
        enforcement: enforcement(requirement, generation)?,
        execution_place: execution_place(&conditions, &places, generation),
        execution_period: execution_period(&conditions, generation),
        max_price: conditions.amount("customerMaxPrice", MAX_PRICE.of(generation))?,
        public_discussion: must_discuss(&conditions)?,
        plan_position: text("tenderPlanPositionNumber", PLAN_POSITIONS).to_owned(),
        advance_percent: conditions
            .amount("advanceSumPercents", &["advancePaymentSum/sumInPercents"])?,
        own_funds: conditions.stated_flag("selfFunds", OWN_FUNDS.of(generation))?,
        budget_code: text("budgetCode", BUDGET_CODE).to_owned(),
        budget_name: conditions.verbatim("budgetName", BUDGET_NAME.of(generation)),
        bank_support: requirement.stated_flag("bankSupportContractRequired", BANK_SUPPORT)?,
        treasury_support: requirement.stated_flag(
            "treasurySupportContractRequired",
            TREASURY_SUPPORT.of(generation),
        )?,
        delivery_places: places,
        ..Customer44Facts::default()
    })
}

const PURCHASE_CODE: ByGeneration = ByGeneration {
    fcs: &["purchaseCode"],
    ep: &["IKZInfo/purchaseCode", "purchaseCode"],
};

const MAX_PRICE: ByGeneration = ByGeneration {
    fcs: &["maxPrice"],
    ep: &["maxPriceInfo/maxPrice"],
};

const OWN_FUNDS: ByGeneration = ByGeneration {
    fcs: &[],
    ep: &["contractExecutionPaymentPlan/financingSourcesInfo/nonbudgetFinancingsInfo/selfFunds"],
};

const BUDGET_CODE: ByGeneration = ByGeneration {
    fcs: &[],
    ep: &["contractExecutionPaymentPlan/financingSourcesInfo/budgetFinancingsInfo/budgetInfo/code"],
};

const BUDGET_NAME: ByGeneration = ByGeneration {
    fcs: &[],
    ep: &["contractExecutionPaymentPlan/financingSourcesInfo/budgetFinancingsInfo/budgetInfo/name"],
};

const BANK_SUPPORT: Paths<'_> = &["bankSupportContractRequiredInfo/bankSupportContractRequired"];

/// Since the 2020 family, treasury support has a separate structure.
const TREASURY_SUPPORT: ByGeneration = ByGeneration {
    fcs: &["bankSupportContractRequiredInfo/treasurySupportContractRequired"],
    ep: &[
        "bankSupportContractRequiredInfo/treasurySupportContractInfo/treasurySupportContractRequired",
        "bankSupportContractRequiredInfo/treasurySupportContractRequired",
    ],
};

/// Paths of the position in the procurement plan: in the format of 2020, in that of 2017, and in
/// the older one.
const PLAN_POSITIONS: ByGeneration = ByGeneration {
    fcs: &[
        "tenderPlan2020Info/position2020Number",
        "tenderPlan2020Info/position2020ExtNumber",
        "tenderPlanInfo/position2017Number",
        "tenderPlanInfo/position2017ExtNumber",
        "tenderPlanInfo/positionNumber",
    ],
    ep: &[
        "tenderPlan2020Info/position2020Number",
        "tenderPlan2020Info/position2020ExtNumber",
        "tenderPlanInfo/position2017Number",
        "tenderPlanInfo/position2017ExtNumber",
    ],
};

/// Returns the INN and the KPP in an IKZ: digits 4–13 and 14–22. An IKZ of zeros is a placeholder.
fn inn_and_kpp(purchase_code: &str) -> Option<(&str, &str)> {
    let is_code = purchase_code.len() == 36
        && purchase_code.bytes().all(|byte| byte.is_ascii_digit())
        && purchase_code.bytes().any(|byte| byte != b'0');
    let numbers = purchase_code.get(3..13).zip(purchase_code.get(13..22));
    numbers.filter(|_| is_code)
}

/// Reads the guarantees. If the document states only a percentage, the amount stays empty.
fn enforcement(requirement: &Node<'_>, generation: Generation) -> Result<EnforcementFacts> {
    let requirement = requirement.filling("enforcement");
    let at = |field, path| requirement.amount(field, &[path]);
    let sum = match generation {
        Generation::Fcs => None,
        Generation::Ep => guarantees_of_life_cycle(&requirement)?,
    };
    Ok(EnforcementFacts {
        application_amount: at("applicationGuaranteeAmount", "applicationGuarantee/amount")?,
        application_part: at("applicationGuaranteePart", "applicationGuarantee/part")?,
        contract_amount: at("contractGuaranteeAmount", "contractGuarantee/amount")?.or(sum),
        contract_part: at("contractGuaranteePart", "contractGuarantee/part")?,
        warranty_amount: at(
            "contractProvisionWarrantyAmount",
            "provisionWarranty/amount",
        )?,
        warranty_part: at("contractProvisionWarrantyPart", "provisionWarranty/part")?,
    })
}

/// Returns the sum of the two guarantees of a life-cycle contract, for delivery and for service
/// (schema 14.1). Their percentages refer to different prices, so there is no common percentage.
fn guarantees_of_life_cycle(requirement: &Node<'_>) -> Result<Option<Amount>> {
    let at = |path| requirement.amount("contractGuaranteeAmount", &[path]);
    let delivery = at("contractGuarantee/deliveryGuarantee/amount")?;
    let service = at("contractGuarantee/serviceGuarantee/amount")?;
    Ok(match (delivery, service) {
        (Some(delivery), Some(service)) => delivery.checked_add(service),
        (delivery, service) => delivery.or(service),
    })
}

/// The register of addresses that a place of delivery refers to.
#[derive(Clone, Copy)]
enum PlaceForm {
    /// GAR, the state register of addresses.
    Gar,
    /// KLADR, the predecessor of GAR.
    Kladr,
}

/// The place in words, for customers that list no places.
const PLACE_IN_WORDS: ByGeneration = ByGeneration {
    fcs: &["deliveryPlace"],
    ep: &[],
};

fn delivery_places(conditions: &Node<'_>, generation: Generation) -> Vec<DeliveryPlaceFacts> {
    let all = |path, form| {
        let places = conditions.all(&[path]).into_iter();
        places.map(move |place| delivery_place(&place, form))
    };
    let listed: Vec<DeliveryPlaceFacts> = match generation {
        Generation::Fcs => all("kladrPlaces/kladrPlace", PlaceForm::Kladr).collect(),
        Generation::Ep => {
            let places = all("deliveryPlacesInfo/byGARInfo", PlaceForm::Gar);
            places
                .chain(all(
                    "deliveryPlacesInfo/deliveryPlaceInfo",
                    PlaceForm::Kladr,
                ))
                .collect()
        }
    };
    let conditions = conditions.filling("deliveriPlace");
    let place = conditions.verbatim("deliveryPlace", PLACE_IN_WORDS.of(generation));
    if !listed.is_empty() || place.is_empty() {
        return listed;
    }
    vec![DeliveryPlaceFacts {
        place,
        ..DeliveryPlaceFacts::default()
    }]
}

fn delivery_place(place: &Node<'_>, form: PlaceForm) -> DeliveryPlaceFacts {
    let place = place.filling("deliveriPlace");
    let country = place.first(&[match form {
        PlaceForm::Gar => "countryInfo",
        PlaceForm::Kladr => "country",
    }]);
    let (country_code, country_name) = country.map_or_else(Default::default, |country| {
        let name = country.verbatim("countryName", &["countryFullName"]);
        (country.string("countryCode", &["countryCode"]), name)
    });
    let mut found = DeliveryPlaceFacts {
        country_code,
        country_name,
        place: place.verbatim("deliveryPlace", &["deliveryPlace"]),
        ..DeliveryPlaceFacts::default()
    };
    match form {
        PlaceForm::Gar => {
            found.gar_address = place.verbatim("GARAddress", &["GARInfo/GARAddress"]);
        }
        PlaceForm::Kladr => {
            found.kladr_code = place.string("kladrCode", &["kladr/kladrCode"]);
            found.kladr_name = place.verbatim("kladrName", &["kladr/fullName"]);
        }
    }
    found
}

/// Returns the place in words, or else the distinct places listed. A listed place consists of the
/// address from the register and the free text added to it.
fn execution_place(
    conditions: &Node<'_>,
    places: &[DeliveryPlaceFacts],
    generation: Generation,
) -> String {
    let conditions = conditions.filling("executionTerms");
    let in_words = conditions.verbatim("executionPlace", PLACE_IN_WORDS.of(generation));
    if !in_words.is_empty() {
        return in_words;
    }
    let in_words = |place: &DeliveryPlaceFacts| {
        let parts = [&place.gar_address, &place.kladr_name, &place.place];
        joined(parts.map(|part| part.trim()), ", ")
    };
    let mut seen = BTreeSet::new();
    let places = places.iter().map(in_words);
    joined(places.filter(|place| seen.insert(place.clone())), "; ")
}

/// Returns the text of `deliveryTerm`, or else the end date as written, or else the relative terms
/// in words, or else the days in `deliveryTime` (EZT2020) in words.
fn execution_period(conditions: &Node<'_>, generation: Generation) -> String {
    let conditions = conditions.filling("executionTerms");
    let text = |paths: Paths<'_>| conditions.text(TERM, paths);
    let in_words = conditions.verbatim(TERM, &["deliveryTerm"]);
    if generation == Generation::Fcs {
        return in_words;
    }
    let end = text(&[
        "contractExecutionPaymentPlan/contractExecutionTermsInfo/notRelativeTermsInfo/endDate",
    ]);
    let relative = conditions
        .first(&["contractExecutionPaymentPlan/contractExecutionTermsInfo/relativeTermsInfo"]);
    let relative = relative.map(|terms| relative_terms(&terms));
    let days = text(&["deliveryTime"]);
    if !in_words.is_empty() {
        in_words
    } else if !end.is_empty() {
        end.to_owned()
    } else if let Some(relative) = relative {
        relative
    } else if !days.is_empty() {
        format!("Срок поставки товара: {}", counted(days, "calendar"))
    } else {
        String::new()
    }
}

const TERM: FieldName = "executionPeriod";

/// Puts relative terms into words, as the printed forms of EIS do.
fn relative_terms(terms: &Node<'_>) -> String {
    let text = |path| terms.text(TERM, &[path]);
    let (start_days, term_days) = (text("startDayType"), text("termDayType"));
    let start = match text("start") {
        "" => String::new(),
        "0" => "Дата начала исполнения контракта: дата заключения контракта".to_owned(),
        days => format!(
            "Дата начала исполнения контракта: {} с даты заключения контракта",
            counted(days, start_days)
        ),
    };
    let term = match text("term") {
        "" => String::new(),
        days => format!("Срок исполнения контракта: {}", counted(days, term_days)),
    };
    joined([start.as_str(), &term], ". ")
}

/// Returns a number of days with the noun in the form that Russian requires: `21 календарный день`.
fn counted(days: &str, kind: &str) -> String {
    let noun = match days.as_bytes() {
        [.., b'1', _] => "дней",
        [.., b'1'] => "день",
        [.., b'2'..=b'4'] => "дня",
        _ => "дней",
    };
    let adjective = match (kind, noun == "день") {
        ("working", true) => "рабочий ",
        ("working", false) => "рабочих ",
        ("calendar", true) => "календарный ",
        ("calendar", false) => "календарных ",
        _ => "",
    };
    format!("{days} {adjective}{noun}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counted_days_follow_russian_grammar() {
        for (days, expected) in [
            ("1", "1 календарный день"),
            ("3", "3 календарных дня"),
            ("11", "11 календарных дней"),
            ("12", "12 календарных дней"),
            ("171", "171 календарный день"),
            ("246", "246 календарных дней"),
        ] {
            assert_eq!(counted(days, "calendar"), expected);
        }
        assert_eq!(counted("22", "working"), "22 рабочих дня");
        assert_eq!(counted("5", ""), "5 дней");
    }

    #[test]
    fn inn_and_kpp_follow_from_the_ikz() {
        let code = "251770123456777010100100010010000244";
        assert_eq!(inn_and_kpp(code), Some(("7701234567", "770101001")));
        assert_eq!(inn_and_kpp("25177012345677"), None);
        assert_eq!(inn_and_kpp("дддддддддддддддддд"), None);
    }
}

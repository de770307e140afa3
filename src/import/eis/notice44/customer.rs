//! A customer of a lot: `customerRequirementInfo` (`ep*`), with its conditions in
//! `contractConditionsInfo`; `customerRequirement` (`fcs*`), which has them directly.

use std::collections::BTreeSet;

use crate::import::eis::node::{Field, Node, Paths, Result};
use crate::import::eis::value::joined;
use crate::model::{Customer44, DeliveryPlace, Enforcement};

/// Paths of the customers.
const CUSTOMERS: Paths<'_> = &[
    "customerRequirementsInfo/customerRequirementInfo",
    "customerRequirements/customerRequirement",
];

/// The customers of a lot, each with its number in the register of organisations. One with the
/// number of the `organization` responsible is that.
///
/// # Errors
/// The element that is malformed.
pub fn read_all<'e>(
    lot: &Node<'e>,
    organization: Option<&Node<'e>>,
) -> Result<Vec<(Customer44, String)>> {
    let lot = lot.filling("customer");
    let organization = organization.map(|found| found.filling("customer"));
    let number = organization
        .as_ref()
        .map(|found| found.text("inn", &["regNum"]));
    let discussion = must_discuss(&lot)?;
    // Of the whole purchase (EZT2020).
    let place = lot.first(&["contractConditionsInfo/deliveryPlaceInfo"]);
    let place = place.as_ref().map(delivery_place);
    lot.read_all(CUSTOMERS, |requirement| {
        let code = requirement.string("inn", &["customer/regNum"]);
        let is_same = !code.is_empty() && number == Some(&code);
        let same = organization.as_ref().filter(|_| is_same);
        let mut customer = customer(&requirement, same, place.as_ref())?;
        customer.public_discussion = customer.public_discussion.or(discussion);
        Ok((customer, code))
    })
}

fn must_discuss(source: &Node<'_>) -> Result<Option<bool>> {
    source.stated_flag("mustPublicDiscussion", &["mustPublicDiscussion"])
}

/// `same` is the organisation responsible, if it is this customer; `place` is where to
/// deliver if the customer states no place.
fn customer<'e>(
    requirement: &Node<'e>,
    same: Option<&Node<'e>>,
    place: Option<&DeliveryPlace>,
) -> Result<Customer44> {
    let conditions = requirement.first_or_self(&["contractConditionsInfo"]);
    let purchase_code = conditions.text("ikz", &["IKZInfo/purchaseCode", "purchaseCode"]);
    let of_same = same.map(|same| (same.text("inn", &["INN"]), same.text("kpp", &["KPP"])));
    let (inn, kpp) = inn_and_kpp(purchase_code).or(of_same).unwrap_or_default();
    let mut full_name = requirement.verbatim("fullName", &["customer/fullName"]);
    if let Some(same) = same.filter(|_| full_name.is_empty()) {
        full_name = same.verbatim("fullName", &["fullName"]);
    }
    let mut places = delivery_places(&conditions);
    if places.is_empty() {
        places.extend(place.cloned());
    }
    Ok(Customer44 {
        purchase_code: purchase_code.to_owned(),
        full_name,
        inn: inn.to_owned(),
        kpp: kpp.to_owned(),
        enforcement: enforcement(requirement)?,
        execution_place: execution_place(&conditions, &places),
        execution_period: execution_period(&conditions),
        max_price: conditions.amount("customerMaxPrice", &["maxPriceInfo/maxPrice", "maxPrice"])?,
        public_discussion: must_discuss(&conditions)?,
        plan_position: conditions.string("tenderPlanPositionNumber", PLAN_POSITIONS),
        advance_percent: conditions
            .amount("advanceSumPercents", &["advancePaymentSum/sumInPercents"])?,
        own_funds: conditions.stated_flag("selfFunds", OWN_FUNDS)?,
        budget_code: conditions.string("budgetCode", BUDGET_CODE),
        budget_name: conditions.verbatim("budgetName", BUDGET_NAME),
        bank_support: requirement.stated_flag("bankSupportContractRequired", BANK_SUPPORT)?,
        treasury_support: requirement
            .stated_flag("treasurySupportContractRequired", TREASURY_SUPPORT)?,
        delivery_places: places,
        ..Customer44::default()
    })
}

const OWN_FUNDS: Paths<'_> =
    &["contractExecutionPaymentPlan/financingSourcesInfo/nonbudgetFinancingsInfo/selfFunds"];

const BUDGET_CODE: Paths<'_> =
    &["contractExecutionPaymentPlan/financingSourcesInfo/budgetFinancingsInfo/budgetInfo/code"];

const BUDGET_NAME: Paths<'_> =
    &["contractExecutionPaymentPlan/financingSourcesInfo/budgetFinancingsInfo/budgetInfo/name"];

const BANK_SUPPORT: Paths<'_> = &["bankSupportContractRequiredInfo/bankSupportContractRequired"];

/// Since the 2020 family it has a structure of its own.
const TREASURY_SUPPORT: Paths<'_> = &[
    "bankSupportContractRequiredInfo/treasurySupportContractInfo/treasurySupportContractRequired",
    "bankSupportContractRequiredInfo/treasurySupportContractRequired",
];

/// The position in the plan, of 2020, of 2017, and before.
const PLAN_POSITIONS: Paths<'_> = &[
    "tenderPlan2020Info/position2020Number",
    "tenderPlan2020Info/position2020ExtNumber",
    "tenderPlanInfo/position2017Number",
    "tenderPlanInfo/position2017ExtNumber",
    "tenderPlanInfo/positionNumber",
];

/// Digits 4 to 13 and 14 to 22 of the IKZ, if it is one. One of zeros stands for none.
fn inn_and_kpp(purchase_code: &str) -> Option<(&str, &str)> {
    let is_code = purchase_code.len() == 36
        && purchase_code.bytes().all(|byte| byte.is_ascii_digit())
        && purchase_code.bytes().any(|byte| byte != b'0');
    let numbers = purchase_code.get(3..13).zip(purchase_code.get(13..22));
    numbers.filter(|_| is_code)
}

/// A guarantee with only a part has no amount.
fn enforcement(requirement: &Node<'_>) -> Result<Enforcement> {
    let requirement = requirement.filling("enforcement");
    let at = |field, path| requirement.amount(field, &[path]);
    // A life-cycle contract has one for the delivery and one for the service instead (14.1). Their
    // parts are of different prices, so that the contract has none.
    let amounts = [
        at(
            "contractGuaranteeAmount",
            "contractGuarantee/deliveryGuarantee/amount",
        )?,
        at(
            "contractGuaranteeAmount",
            "contractGuarantee/serviceGuarantee/amount",
        )?,
    ];
    let sum = match amounts {
        [Some(delivery), Some(service)] => delivery.checked_add(service),
        [delivery, service] => delivery.or(service),
    };
    Ok(Enforcement {
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

/// Paths of the places of delivery: by the address register, by KLADR, in `fcs*`.
const PLACES: Paths<'_> = &[
    "deliveryPlacesInfo/byGARInfo",
    "deliveryPlacesInfo/deliveryPlaceInfo",
    "kladrPlaces/kladrPlace",
];

fn delivery_places(conditions: &Node<'_>) -> Vec<DeliveryPlace> {
    let listed: Vec<_> = conditions.all(PLACES).iter().map(delivery_place).collect();
    let conditions = conditions.filling("deliveriPlace");
    let place = conditions.verbatim("deliveryPlace", &["deliveryPlace"]);
    if !listed.is_empty() || place.is_empty() {
        return listed;
    }
    vec![DeliveryPlace {
        place,
        ..DeliveryPlace::default()
    }]
}

fn delivery_place(place: &Node<'_>) -> DeliveryPlace {
    let place = place.filling("deliveriPlace");
    let country = place.first(&["countryInfo", "country"]);
    let (country_code, country_name) = country.map_or_else(Default::default, |country| {
        let name = country.verbatim("countryName", &["countryFullName"]);
        (country.string("countryCode", &["countryCode"]), name)
    });
    DeliveryPlace {
        kladr_code: place.string("kladrCode", &["kladr/kladrCode"]),
        kladr_name: place.verbatim("kladrName", &["kladr/fullName"]),
        country_code,
        country_name,
        gar_address: place.verbatim("GARAddress", &["GARInfo/GARAddress"]),
        place: place.verbatim("deliveryPlace", &["deliveryPlace"]),
    }
}

/// The distinct places in words: the register address followed by its addition.
fn execution_place(conditions: &Node<'_>, places: &[DeliveryPlace]) -> String {
    let conditions = conditions.filling("executionTerms");
    let in_words = conditions.verbatim("executionPlace", &["deliveryPlace"]);
    if !in_words.is_empty() {
        return in_words;
    }
    let in_words = |place: &DeliveryPlace| {
        let parts = [&place.gar_address, &place.kladr_name, &place.place];
        joined(parts.map(|part| part.trim()), ", ")
    };
    let mut seen = BTreeSet::new();
    let places = places.iter().map(in_words);
    joined(places.filter(|place| seen.insert(place.clone())), "; ")
}

/// The text of `deliveryTerm`; the end as written; relative terms and the days of
/// `deliveryTime` (EZT2020) in words.
fn execution_period(conditions: &Node<'_>) -> String {
    let conditions = conditions.filling("executionTerms");
    let text = |paths: Paths<'_>| conditions.text(TERM, paths);
    let in_words = conditions.verbatim(TERM, &["deliveryTerm"]);
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

/// The field of the terms of execution.
const TERM: Field = "executionPeriod";

/// In the words of the print form of EIS.
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

/// A number of days of a kind: `21 календарный день`.
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
    fn days_are_counted_in_russian() {
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

//! A customer of a lot: `customerRequirementInfo` (`ep*`), with its conditions in
//! `contractConditionsInfo`; `customerRequirement` (`fcs*`), which has them directly.

use std::collections::BTreeSet;

use crate::import::eis::node::{Field, Node, Paths, Result};
use crate::import::eis::value::joined;
use crate::model::{Customer44, CustomerContract, DeliveryPlace, Enforcement, PersonName};

/// The organisation responsible, for a customer that is the same organisation.
pub struct NoticeOrganization<'e> {
    code: &'e str,
    inn: &'e str,
    kpp: &'e str,
    name: &'e str,
}

impl<'e> NoticeOrganization<'e> {
    /// Reads `responsibleOrgInfo` or `responsibleOrg`.
    pub fn read(element: &Node<'e>) -> Self {
        Self {
            code: element.text("customer.inn", &["regNum"]),
            inn: element.text("customer.inn", &["INN"]),
            kpp: element.text("customer.kpp", &["KPP"]),
            name: element.verbatim("customer.fullName", &["fullName"]),
        }
    }
}

/// Paths of the customers.
const CUSTOMERS: Paths<'_> = &[
    "customerRequirementsInfo/customerRequirementInfo",
    "customerRequirements/customerRequirement",
];

/// The customers of a lot, each with its number in the register of organisations.
///
/// # Errors
/// The element that is malformed.
pub fn read_all<'e>(
    lot: &Node<'e>,
    organization: Option<&NoticeOrganization<'e>>,
) -> Result<Vec<(Customer44, String)>> {
    let discussion = must_discuss(lot)?;
    // Of the whole purchase (EZT2020).
    let place = lot.first(&["contractConditionsInfo/deliveryPlaceInfo"]);
    let place = place.as_ref().map(delivery_place);
    lot.read_all(CUSTOMERS, |requirement| {
        let code = requirement
            .text("customer.inn", &["customer/regNum"])
            .to_owned();
        let same = organization.filter(|same| !code.is_empty() && same.code == code);
        let mut customer = customer(&requirement, same, place.as_ref())?;
        customer.public_discussion = customer.public_discussion.or(discussion);
        Ok((customer, code))
    })
}

fn must_discuss(source: &Node<'_>) -> Result<Option<bool>> {
    source.stated_flag("customer.mustPublicDiscussion", &["mustPublicDiscussion"])
}

/// `same` is the organisation responsible, if it is this customer; `place` is where to
/// deliver if the customer states no place.
fn customer<'e>(
    requirement: &Node<'e>,
    same: Option<&NoticeOrganization<'e>>,
    place: Option<&DeliveryPlace>,
) -> Result<Customer44> {
    let conditions = requirement.first_or_self(&["contractConditionsInfo"]);
    let text = |field: Field, paths: Paths<'_>| conditions.text(field, paths);
    let purchase_code = text("customer.ikz", &["IKZInfo/purchaseCode", "purchaseCode"]);
    let (inn, kpp) = inn_and_kpp(purchase_code, same);
    let name = requirement.verbatim("customer.fullName", &["customer/fullName"]);
    let of_same = || same.map_or("", |same| same.name);
    let mut places = delivery_places(&conditions);
    if places.is_empty() {
        places.extend(place.cloned());
    }
    Ok(Customer44 {
        purchase_code: purchase_code.to_owned(),
        full_name: if name.is_empty() { of_same() } else { name }.to_owned(),
        inn: inn.to_owned(),
        kpp: kpp.to_owned(),
        ogrn: String::new(),
        factual_address: String::new(),
        postal_address: String::new(),
        contact: PersonName::default(),
        email: String::new(),
        phone: String::new(),
        fax: String::new(),
        enforcement: enforcement(requirement)?,
        execution_place: execution_place(&conditions, &places),
        execution_period: execution_period(&conditions),
        contract: CustomerContract::default(),
        max_price: conditions.amount(
            "customer.customerMaxPrice",
            &["maxPriceInfo/maxPrice", "maxPrice"],
        )?,
        public_discussion: must_discuss(&conditions)?,
        plan_position: text("customer.tenderPlanPositionNumber", PLAN_POSITIONS).to_owned(),
        advance_percent: conditions.amount(
            "customer.advanceSumPercents",
            &["advancePaymentSum/sumInPercents"],
        )?,
        own_funds: conditions.stated_flag("customer.selfFunds", OWN_FUNDS)?,
        budget_code: text("customer.budgetCode", BUDGET_CODE).to_owned(),
        budget_name: conditions
            .verbatim("customer.budgetName", BUDGET_NAME)
            .to_owned(),
        bank_support: requirement
            .stated_flag("customer.bankSupportContractRequired", BANK_SUPPORT)?,
        treasury_support: requirement
            .stated_flag("customer.treasurySupportContractRequired", TREASURY_SUPPORT)?,
        delivery_places: places,
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

/// Digits 4 to 13 and 14 to 22 of the IKZ; without one, those of
/// the organisation responsible, if it is the customer itself.
fn inn_and_kpp<'e>(
    purchase_code: &'e str,
    same: Option<&NoticeOrganization<'e>>,
) -> (&'e str, &'e str) {
    let is_code =
        purchase_code.len() == 36 && purchase_code.bytes().all(|byte| byte.is_ascii_digit());
    match (purchase_code.get(3..13), purchase_code.get(13..22)) {
        (Some(inn), Some(kpp)) if is_code => (inn, kpp),
        _ => same.map_or(("", ""), |same| (same.inn, same.kpp)),
    }
}

/// A guarantee with only a part has no amount.
fn enforcement(requirement: &Node<'_>) -> Result<Enforcement> {
    let at = |field, path| requirement.amount(field, &[path]);
    Ok(Enforcement {
        application_amount: at(
            "enforcement.applicationGuaranteeAmount",
            "applicationGuarantee/amount",
        )?,
        application_part: at(
            "enforcement.applicationGuaranteePart",
            "applicationGuarantee/part",
        )?,
        contract_amount: at(
            "enforcement.contractGuaranteeAmount",
            "contractGuarantee/amount",
        )?,
        contract_part: at(
            "enforcement.contractGuaranteePart",
            "contractGuarantee/part",
        )?,
        warranty_amount: at(
            "enforcement.contractProvisionWarrantyAmount",
            "provisionWarranty/amount",
        )?,
        warranty_part: at(
            "enforcement.contractProvisionWarrantyPart",
            "provisionWarranty/part",
        )?,
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
    let in_words = conditions.verbatim("deliveriPlace.deliveryPlace", &["deliveryPlace"]);
    if !listed.is_empty() || in_words.is_empty() {
        return listed;
    }
    vec![DeliveryPlace {
        place: in_words.to_owned(),
        ..DeliveryPlace::default()
    }]
}

fn delivery_place(place: &Node<'_>) -> DeliveryPlace {
    let country = place.first(&["countryInfo", "country"]);
    let of_country = |field, path| {
        let country = country.as_ref();
        country.map_or("", |country| country.verbatim(field, &[path]))
    };
    let words = |field, path| place.verbatim(field, &[path]).to_owned();
    DeliveryPlace {
        kladr_code: words("deliveriPlace.kladrCode", "kladr/kladrCode")
            .trim()
            .to_owned(),
        kladr_name: words("deliveriPlace.kladrName", "kladr/fullName"),
        country_code: of_country("deliveriPlace.countryCode", "countryCode")
            .trim()
            .to_owned(),
        country_name: of_country("deliveriPlace.countryName", "countryFullName").to_owned(),
        gar_address: words("deliveriPlace.GARAddress", "GARInfo/GARAddress"),
        place: words("deliveriPlace.deliveryPlace", "deliveryPlace"),
    }
}

/// The distinct places in words: the register address followed by its addition.
fn execution_place(conditions: &Node<'_>, places: &[DeliveryPlace]) -> String {
    let in_words = conditions.verbatim("executionTerms.executionPlace", &["deliveryPlace"]);
    if !in_words.is_empty() {
        return in_words.to_owned();
    }
    let in_words = |place: &DeliveryPlace| {
        let parts = [&place.gar_address, &place.kladr_name, &place.place];
        joined(parts.map(|part| part.trim()), ", ")
    };
    let places: Vec<String> = places.iter().map(in_words).collect();
    let mut seen = BTreeSet::new();
    let distinct = places.iter().map(String::as_str);
    joined(distinct.filter(|place| seen.insert(*place)), "; ")
}

/// The text of `deliveryTerm`; the end as written; relative terms and the days of
/// `deliveryTime` (EZT2020) in words.
fn execution_period(conditions: &Node<'_>) -> String {
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
        in_words.to_owned()
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
const TERM: Field = "executionTerms.executionPeriod";

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
    let last = days.as_bytes().last().copied();
    let teens = days.len() >= 2 && days.as_bytes().get(days.len() - 2) == Some(&b'1');
    let (one, few) = (
        !teens && last == Some(b'1'),
        !teens && matches!(last, Some(b'2'..=b'4')),
    );
    let adjective = match (kind, one) {
        ("working", true) => "рабочий ",
        ("working", false) => "рабочих ",
        ("calendar", true) => "календарный ",
        ("calendar", false) => "календарных ",
        _ => "",
    };
    let noun = match (one, few) {
        (true, _) => "день",
        (_, true) => "дня",
        _ => "дней",
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
        assert_eq!(inn_and_kpp(code, None), ("7701234567", "770101001"));
        assert_eq!(inn_and_kpp("25177012345677", None), ("", ""));
        assert_eq!(inn_and_kpp("дддддддддддддддддд", None), ("", ""));
    }
}

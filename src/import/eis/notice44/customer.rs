//! A customer of a lot: `customerRequirementInfo` (`ep*`), with its conditions in
//! `contractConditionsInfo`; `customerRequirement` (`fcs*`), which has them directly.

use std::collections::BTreeSet;

use super::{all_at, first_at, stated_flag};
use crate::import::eis::element::Element;
use crate::import::eis::value::{Result, amount, first_amount};
use crate::model::{Customer44, CustomerContract, DeliveryPlace, Enforcement, PersonName};

/// What the organisation responsible says about a customer that is the same organisation.
pub struct NoticeOrganization<'e> {
    code: &'e str,
    inn: &'e str,
    kpp: &'e str,
    name: &'e str,
}

impl<'e> NoticeOrganization<'e> {
    /// Reads `responsibleOrgInfo` or `responsibleOrg`.
    pub fn read(element: &'e Element<'_>) -> Self {
        Self {
            code: element.text_at("regNum"),
            inn: element.text_at("INN"),
            kpp: element.text_at("KPP"),
            name: element.words_at("fullName"),
        }
    }
}

/// Paths of the customers.
const CUSTOMERS: &[&str] = &[
    "customerRequirementsInfo/customerRequirementInfo",
    "customerRequirements/customerRequirement",
];

/// The customers of a lot, each with its number in the register of organisations.
pub fn read_all(
    lot: &Element<'_>,
    organization: Option<&NoticeOrganization<'_>>,
) -> Result<Vec<(Customer44, String)>> {
    let discussion = stated_flag(lot, &["mustPublicDiscussion"])?;
    super::read_all(lot, CUSTOMERS, |requirement| {
        let code = requirement.text_at("customer/regNum").to_owned();
        let same = organization.filter(|same| !code.is_empty() && same.code == code);
        let mut customer = customer(requirement, same)?;
        customer.public_discussion = customer.public_discussion.or(discussion);
        Ok((customer, code))
    })
}

/// `same` is the organisation responsible, if it is this customer.
fn customer(
    requirement: &Element<'_>,
    same: Option<&NoticeOrganization<'_>>,
) -> Result<Customer44> {
    let conditions = requirement
        .at("contractConditionsInfo")
        .unwrap_or(requirement);
    let purchase_code = conditions.first_text(&["IKZInfo/purchaseCode", "purchaseCode"]);
    let (inn, kpp) = inn_and_kpp(purchase_code, same);
    let name = requirement.words_at("customer/fullName");
    let of_same = || same.map_or("", |same| same.name);
    let places = delivery_places(conditions);
    let budget =
        "contractExecutionPaymentPlan/financingSourcesInfo/budgetFinancingsInfo/budgetInfo";
    let own_funds =
        "contractExecutionPaymentPlan/financingSourcesInfo/nonbudgetFinancingsInfo/selfFunds";
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
        execution_place: execution_place(conditions, &places),
        execution_period: execution_period(conditions)?,
        contract: CustomerContract::default(),
        max_price: first_amount(conditions, &["maxPriceInfo/maxPrice", "maxPrice"])?,
        public_discussion: stated_flag(conditions, &["mustPublicDiscussion"])?,
        plan_position: conditions.first_text(PLAN_POSITIONS).to_owned(),
        advance_percent: amount(conditions, "advancePaymentSum/sumInPercents")?,
        own_funds: stated_flag(conditions, &[own_funds])?,
        budget_code: conditions.text_at(&format!("{budget}/code")).to_owned(),
        budget_name: conditions.words_at(&format!("{budget}/name")).to_owned(),
        bank_support: stated_flag(requirement, &[BANK_SUPPORT])?,
        treasury_support: stated_flag(requirement, TREASURY_SUPPORT)?,
        delivery_places: places,
    })
}

const BANK_SUPPORT: &str = "bankSupportContractRequiredInfo/bankSupportContractRequired";

/// Since the 2020 family it has a structure of its own.
const TREASURY_SUPPORT: &[&str] = &[
    "bankSupportContractRequiredInfo/treasurySupportContractInfo/treasurySupportContractRequired",
    "bankSupportContractRequiredInfo/treasurySupportContractRequired",
];

/// The position in the plan, of 2020, of 2017, and before.
const PLAN_POSITIONS: &[&str] = &[
    "tenderPlan2020Info/position2020Number",
    "tenderPlan2020Info/position2020ExtNumber",
    "tenderPlanInfo/position2017Number",
    "tenderPlanInfo/position2017ExtNumber",
    "tenderPlanInfo/positionNumber",
];

/// Digits 4 to 13 and 14 to 22 of the IKZ (the mapping, section 7); without one, those of
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
fn enforcement(requirement: &Element<'_>) -> Result<Enforcement> {
    let at = |path: &str| amount(requirement, path);
    Ok(Enforcement {
        application_amount: at("applicationGuarantee/amount")?,
        application_part: at("applicationGuarantee/part")?,
        contract_amount: at("contractGuarantee/amount")?,
        contract_part: at("contractGuarantee/part")?,
        warranty_amount: at("provisionWarranty/amount")?,
        warranty_part: at("provisionWarranty/part")?,
    })
}

/// Paths of the places of delivery: by the address register, by KLADR, in `fcs*`.
const PLACES: &[&str] = &[
    "deliveryPlacesInfo/byGARInfo",
    "deliveryPlacesInfo/deliveryPlaceInfo",
    "kladrPlaces/kladrPlace",
];

fn delivery_places(conditions: &Element<'_>) -> Vec<DeliveryPlace> {
    let listed: Vec<_> = all_at(conditions, PLACES)
        .map(|(_, place)| delivery_place(place))
        .collect();
    let in_words = conditions.words_at("deliveryPlace");
    if !listed.is_empty() || in_words.is_empty() {
        return listed;
    }
    vec![DeliveryPlace {
        place: in_words.to_owned(),
        ..DeliveryPlace::default()
    }]
}

fn delivery_place(place: &Element<'_>) -> DeliveryPlace {
    let country = first_at(place, &["countryInfo", "country"]);
    let of_country = |name: &str| country.map_or("", |country| country.words_at(name));
    DeliveryPlace {
        kladr_code: place.text_at("kladr/kladrCode").to_owned(),
        kladr_name: place.words_at("kladr/fullName").to_owned(),
        country_code: of_country("countryCode").trim().to_owned(),
        country_name: of_country("countryFullName").to_owned(),
        gar_address: place.words_at("GARInfo/GARAddress").to_owned(),
        place: place.words_at("deliveryPlace").to_owned(),
    }
}

/// The distinct places in words: the register address followed by its addition.
fn execution_place(conditions: &Element<'_>, places: &[DeliveryPlace]) -> String {
    let in_words = conditions.words_at("deliveryPlace");
    if !in_words.is_empty() {
        return in_words.to_owned();
    }
    let in_words = |place: &DeliveryPlace| {
        let parts = [&place.gar_address, &place.kladr_name, &place.place];
        let there: Vec<&str> = parts.iter().map(|part| part.trim()).collect();
        joined(&there, ", ")
    };
    let places: Vec<String> = places.iter().map(in_words).collect();
    let mut seen = BTreeSet::new();
    let distinct = places.iter().map(String::as_str);
    let distinct: Vec<&str> = distinct.filter(|place| seen.insert(*place)).collect();
    joined(&distinct, "; ")
}

fn joined(parts: &[&str], separator: &str) -> String {
    let there: Vec<&str> = parts
        .iter()
        .copied()
        .filter(|part| !part.is_empty())
        .collect();
    there.join(separator)
}

/// The text of `deliveryTerm`; the end as written; relative terms and the days of
/// `deliveryTime` (EZT2020) in words (the mapping, "deliveryTerm").
fn execution_period(conditions: &Element<'_>) -> Result<String> {
    let in_words = conditions.words_at("deliveryTerm");
    if !in_words.is_empty() {
        return Ok(in_words.to_owned());
    }
    let terms = "contractExecutionPaymentPlan/contractExecutionTermsInfo";
    if let Some(terms) = conditions.at(terms) {
        let end = terms.text_at("notRelativeTermsInfo/endDate");
        if !end.is_empty() {
            return Ok(end.to_owned());
        }
        if let Some(relative) = terms.at("relativeTermsInfo") {
            return Ok(relative_terms(relative));
        }
    }
    match conditions.text_at("deliveryTime") {
        "" => Ok(String::new()),
        days => Ok(format!(
            "Срок поставки товара: {}",
            counted(days, "calendar")
        )),
    }
}

/// In the words of the print form of EIS.
fn relative_terms(terms: &Element<'_>) -> String {
    let start = match terms.text_at("start") {
        "" => String::new(),
        "0" => "Дата начала исполнения контракта: дата заключения контракта".to_owned(),
        days => format!(
            "Дата начала исполнения контракта: {} с даты заключения контракта",
            counted(days, terms.text_at("startDayType"))
        ),
    };
    let term = match terms.text_at("term") {
        "" => String::new(),
        days => format!(
            "Срок исполнения контракта: {}",
            counted(days, terms.text_at("termDayType"))
        ),
    };
    joined(&[&start, &term], ". ")
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

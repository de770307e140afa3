//! A lot: `notificationInfo` as the one implicit lot of the `ep*`, or a `lot`.

use super::customer::{self, NoticeOrganization};
use super::{first_at, object, stated_flag, terms};
use crate::import::eis::element::Element;
use crate::import::eis::value::{Result, amount, first_amount, shown};
use crate::model::{Amount, Lot44, Winner};

/// The lot, and its customers' numbers in the register of organisations. `organization` is
/// the one responsible; a customer with the same number has its INN. A lot without a number
/// is the only one: number 1.
pub fn read(
    lot: &Element<'_>,
    organization: Option<&NoticeOrganization<'_>>,
) -> Result<(Lot44, Vec<String>)> {
    let price = first_at(lot, &["contractConditionsInfo/maxPriceInfo"]).unwrap_or(lot);
    let conditions = lot.at("contractConditionsInfo").unwrap_or(lot);
    let (customers, codes) = customer::read_all(lot, organization)?.into_iter().unzip();
    let goods = object::read(lot)?;
    let terms = terms::read(lot)?;
    let cycle = terms::life_cycle(conditions)?;
    let read = Lot44 {
        number: match lot.text_at("lotNumber") {
            "" => Some(1),
            text => Some(number(text).map_err(|problem| format!("lotNumber: {problem}"))?),
        },
        object_info: lot.first_words(&["lotObjectInfo", "name"]).to_owned(),
        max_price: amount(price, "maxPrice")?,
        currency: price.text_at("currency/code").to_owned(),
        winner: Winner::default(),
        customers,
        total_sum: total_sum(lot)?,
        quantity_undefined: stated_flag(lot, QUANTITY_UNDEFINED)?,
        drug_purchase: Some(goods.drugs),
        objects: goods.objects,
        small_business: Some(terms::is_for_small_business(&terms)),
        subcontractors: Some(terms::asks_for_subcontractors(&terms)),
        life_cycle: cycle.stated,
        life_cycle_code: cycle.code,
        life_cycle_name: cycle.name,
        requirements: terms.requirements,
        additional_requirements: terms.additional_requirements,
        preferences: terms.preferences,
        restrictions: terms.restrictions,
        restrictions14: terms.restrictions14,
    };
    Ok((read, codes))
}

/// The number of a lot.
pub fn number(text: &str) -> Result<u64> {
    text.parse()
        .map_err(|_| format!("not a whole number from 0 on: {}", shown(text)))
}

/// Paths of the flag that the quantity is undefined.
const QUANTITY_UNDEFINED: &[&str] = &[
    "purchaseObjectsInfo/notDrugPurchaseObjectsInfo/quantityUndefined",
    "purchaseObjectsInfo/drugPurchaseObjectsInfo/quantityUndefined",
    "purchaseObjectsInfo/quantityUndefined",
    "quantityUndefined",
    "drugPurchaseObjectsInfo/quantityUndefined",
];

/// The sum of the objects; of their unit prices if the quantity is undefined.
fn total_sum(lot: &Element<'_>) -> Result<Option<Amount>> {
    first_amount(
        lot,
        &[
            "purchaseObjectsInfo/notDrugPurchaseObjectsInfo/totalSum",
            "purchaseObjectsInfo/drugPurchaseObjectsInfo/total",
            "purchaseObjectsInfo/totalSum",
            "purchaseObjects/totalSum",
            "drugPurchaseObjectsInfo/total",
        ],
    )
}

//! A lot: `notificationInfo` as the one implicit lot of the `ep*`, or a `lot`.

use super::{customer, object, terms};
use crate::import::eis::node::{Node, Paths, Result};
use crate::model::{Amount, Lot44};

/// The lot, and its customers' numbers in the register of organisations. `organization` is
/// the one responsible; a customer with the same number has its INN. A lot without a number
/// is the only one: number 1.
///
/// # Errors
/// The element that is malformed.
pub fn read<'e>(lot: &Node<'e>, organization: Option<&Node<'e>>) -> Result<(Lot44, Vec<String>)> {
    let price = lot.first_or_self(&["contractConditionsInfo/maxPriceInfo"]);
    let (customers, codes) = customer::read_all(lot, organization)?.into_iter().unzip();
    let (objects, of_drugs) = object::read(lot)?;
    let number = lot.count("lotNumber", &["lotNumber"])?;
    let read = Lot44 {
        number: Some(number.unwrap_or(1)),
        object_info: lot.verbatim("lotObjectInfo", &["lotObjectInfo", "name"]),
        max_price: price.amount("maxPrice", &["maxPrice"])?,
        currency: price.string("currency", &["currency/code"]),
        customers,
        total_sum: total_sum(lot)?,
        quantity_undefined: lot.stated_flag("quantityUndefined", QUANTITY_UNDEFINED)?,
        drug_purchase: Some(of_drugs),
        objects,
        ..terms::read(lot)?
    };
    Ok((read, codes))
}

/// Paths of the flag that the quantity is undefined.
const QUANTITY_UNDEFINED: Paths<'_> = &[
    "purchaseObjectsInfo/notDrugPurchaseObjectsInfo/quantityUndefined",
    "purchaseObjectsInfo/drugPurchaseObjectsInfo/quantityUndefined",
    "purchaseObjectsInfo/quantityUndefined",
    "quantityUndefined",
    "drugPurchaseObjectsInfo/quantityUndefined",
];

/// The sum of the objects; of their unit prices if the quantity is undefined.
fn total_sum(lot: &Node<'_>) -> Result<Option<Amount>> {
    lot.amount(
        "totalSum",
        &[
            "purchaseObjectsInfo/notDrugPurchaseObjectsInfo/totalSum",
            "purchaseObjectsInfo/drugPurchaseObjectsInfo/total",
            "purchaseObjectsInfo/totalSum",
            "purchaseObjects/totalSum",
            "drugPurchaseObjectsInfo/total",
        ],
    )
}

//! Reads a lot: an element `lot`, or in `ep*` the whole `notificationInfo` if the purchase is not
//! divided into lots.

use super::{customer, object, terms};
use crate::import::eis::generation::{ByGeneration, Generation};
use crate::import::eis::node::{Node, Paths, Result};
use crate::import::facts::Lot44Facts;
use crate::model::Amount;

struct LotsInNotice {
    path: &'static str,
    /// Paths of the subject of each lot at `path`. Empty for the only lot of a purchase, whose
    /// subject is that of the purchase.
    subject: Paths<'static>,
}

const FCS: &[LotsInNotice] = &[
    LotsInNotice {
        path: "lots/lot",
        subject: &["lotObjectInfo", "name"],
    },
    LotsInNotice {
        path: "lot",
        subject: &[],
    },
];

const EP: &[LotsInNotice] = &[LotsInNotice {
    path: "notificationInfo",
    subject: &[],
}];

/// Reads the lots of a notice, each with the numbers of its customers in the register of
/// organizations. For `organization`, see [`customer::read_all`].
///
/// # Errors
/// Returns an error if an element is malformed.
pub fn read_all(
    document: &Node<'_>,
    organization: Option<&Node<'_>>,
    generation: Generation,
) -> Result<Vec<(Lot44Facts, Vec<String>)>> {
    let places = match generation {
        Generation::Fcs => FCS,
        Generation::Ep => EP,
    };
    let mut lots = Vec::new();
    for place in places {
        for lot in document.all(&[place.path]) {
            let subject = lot.verbatim("lotObjectInfo", place.subject);
            lots.push(read(&lot, subject, organization, generation)?);
        }
    }
    Ok(lots)
}

/// Reads the new state of a lot from a `fcsNotificationLotChange`.
///
/// # Errors
/// Returns an error if the lot is missing, or if an element is malformed.
pub fn read_changed(
    document: &Node<'_>,
    organization: Option<&Node<'_>>,
) -> Result<(Lot44Facts, Vec<String>)> {
    let lot = document.first(&["lot"]);
    let lot = document.needed(lot, "lot")?;
    let subject = lot.verbatim("lotObjectInfo", &["lotObjectInfo"]);
    read(&lot, subject, organization, Generation::Fcs)
}

/// A lot without a number is the only one and gets number 1.
fn read(
    lot: &Node<'_>,
    object_info: String,
    organization: Option<&Node<'_>>,
    generation: Generation,
) -> Result<(Lot44Facts, Vec<String>)> {
    let price = match generation {
        Generation::Fcs => Some(lot.clone()),
        Generation::Ep => lot.first(&["contractConditionsInfo/maxPriceInfo"]),
    };
    let (max_price, currency) = match price {
        Some(price) => (
            price.amount("maxPrice", &["maxPrice"])?,
            price.string("currency", &["currency/code"]),
        ),
        None => (None, String::new()),
    };
    let customers = customer::read_all(lot, organization, generation)?;
    let (customers, codes) = customers.into_iter().unzip();
    let (objects, of_drugs) = object::read(lot, generation)?;
    let number = lot.count("lotNumber", NUMBER.of(generation))?;
    let read = Lot44Facts {
        number: Some(number.unwrap_or(1)),
        object_info,
        max_price,
        currency,
        customers,
        total_sum: total_sum(lot, generation)?,
        quantity_undefined: lot
            .stated_flag("quantityUndefined", QUANTITY_UNDEFINED.of(generation))?,
        drug_purchase: Some(of_drugs),
        objects,
        ..terms::read(lot, generation)?
    };
    Ok((read, codes))
}

const NUMBER: ByGeneration = ByGeneration {
    fcs: &["lotNumber"],
    ep: &[],
};

const QUANTITY_UNDEFINED: ByGeneration = ByGeneration {
    fcs: &["quantityUndefined"],
    ep: &[
        "purchaseObjectsInfo/notDrugPurchaseObjectsInfo/quantityUndefined",
        "purchaseObjectsInfo/drugPurchaseObjectsInfo/quantityUndefined",
        "purchaseObjectsInfo/quantityUndefined",
    ],
};

/// Returns the total price of the objects, or the sum of their unit prices if the quantity is
/// undefined.
fn total_sum(lot: &Node<'_>, generation: Generation) -> Result<Option<Amount>> {
    const SUM: ByGeneration = ByGeneration {
        fcs: &["purchaseObjects/totalSum", "drugPurchaseObjectsInfo/total"],
        ep: &[
            "purchaseObjectsInfo/notDrugPurchaseObjectsInfo/totalSum",
            "purchaseObjectsInfo/drugPurchaseObjectsInfo/total",
            "purchaseObjectsInfo/totalSum",
            "drugPurchaseObjectsInfo/total",
        ],
    };
    lot.amount("totalSum", SUM.of(generation))
}

//! Reads `lots/lot` of a notice under 223-FZ. The values of a lot are in `lotData`. In a joint
//! purchase, the values of each customer are in `jointLotData/lotCustomers/lotCustomer`. In
//! documents of 2013, the values are directly in `lot`.

use std::collections::BTreeSet;

use super::{currency, organization};
use crate::import::eis::node::{Node, Paths, Result};
use crate::import::eis::value::joined;
use crate::import::facts::{
    Lot223Facts, LotCustomer223Facts, LotReference223, OrganizationFacts, PurchaseObject223Facts,
};
use crate::model::{Amount, is_rouble};

/// Upper bound on the bytes of all copies of the notice's customer. Each lot is stored with its own
/// copy.
const MAX_REPEATED: usize = 64 << 20;

/// The lots of a notice. Each vector has one element per lot.
pub struct Lots {
    pub lots: Vec<Lot223Facts>,
    pub cancelled: Vec<bool>,
    pub guids: Vec<String>,
    /// Sum of the lots' prices in roubles; `None` if any price is known only in another currency.
    pub max_price: Option<Amount>,
}

/// Reads the lots. Lots without a customer get `customer`.
///
/// # Errors
/// Returns an error if an element is malformed, or if the copies of `customer` would take more than
/// [`MAX_REPEATED`].
pub fn read(data: &Node<'_>, customer: &OrganizationFacts) -> Result<Lots> {
    let elements = data.all(&["lots/lot"]);
    if elements.len().saturating_mul(size(customer)) > MAX_REPEATED {
        return Err(data.error("lots: too many for a customer that long"));
    }
    let mut lots = Vec::with_capacity(elements.len());
    let mut cancelled = Vec::with_capacity(elements.len());
    let mut guids = Vec::with_capacity(elements.len());
    let mut prices = Vec::with_capacity(elements.len());
    for element in elements {
        let (lot, price) = lot(&element, customer)?;
        cancelled.push(element.flag("stage", &["cancelled"])?);
        guids.push(element.string("winners.name", &["guid"]));
        lots.push(lot);
        prices.push(price);
    }
    Ok(Lots {
        lots,
        cancelled,
        guids,
        max_price: total(&prices).roubles,
    })
}

/// Returns the number and the GUID of a lot. Later documents refer to the lot by either.
pub fn reference(lot: &Node<'_>) -> LotReference223 {
    LotReference223 {
        number: lot.string("winners.name", &["ordinalNumber"]),
        guid: lot.string("winners.name", &["guid"]),
    }
}

fn size(organization: &OrganizationFacts) -> usize {
    let texts = [
        &organization.full_name,
        &organization.factual_address,
        &organization.postal_address,
        &organization.phone,
        &organization.email,
        &organization.inn,
        &organization.kpp,
        &organization.ogrn,
    ];
    texts.iter().map(|text| text.len()).sum()
}

fn lot(element: &Node<'_>, customer: &OrganizationFacts) -> Result<(Lot223Facts, Price)> {
    let data = element.first(&["lotData"]);
    let joint = element.all(&["jointLotData/lotCustomers/lotCustomer"]);
    if data.is_none() && joint.is_empty() {
        return lot_of_2013(element, customer);
    }
    let shares: Vec<Node<'_>> = joint
        .iter()
        .filter_map(|joint| joint.first(&["lotCustomerData"]))
        .collect();
    let own = match &data {
        Some(data) => Price::read(data, &["initialSumInfo", "priceFormula"])?,
        None => Price::default(),
    };
    let price = match own.written.as_str() {
        "" => joint_price(&shares)?,
        _ => own,
    };
    let parts = || data.iter().chain(&shares);
    let mut currencies = parts().map(|part| currency::code(part, "lots.currency"));
    let currency = currencies.find(|code| !code.is_empty());
    let name = |data: &Node<'_>| data.verbatim("lots.lotName", &["subject"]);
    let lot = Lot223Facts {
        number: element.string("lots.lotNumber", &["ordinalNumber"]),
        name: data.as_ref().map_or_else(String::new, name),
        max_price: price.written.clone(),
        currency: currency.unwrap_or_default().to_owned(),
        execution_place: execution_place(data.as_ref(), parts()),
        customers: customers(data.as_ref(), &joint, customer),
    };
    Ok((lot, price))
}

/// Reads a lot as it was in notices of 2013, with its values directly in `lot`. No available schema
/// is that old, so the paths come from real documents.
fn lot_of_2013(element: &Node<'_>, customer: &OrganizationFacts) -> Result<(Lot223Facts, Price)> {
    let currency = element.text("lots.currency", &["currency/code", "currency/digitalCode"]);
    let sum = element.amount("lots.maxPrice", &["initialSum"])?;
    let price = Price {
        written: element.string("lots.maxPrice", &["initialSum"]),
        sum,
        roubles: sum.filter(|_| is_rouble(currency)),
    };
    let object = |item: Node<'_>| {
        let item = item.filling("purchaseObject");
        PurchaseObject223Facts {
            number: item.string("number", &["ordinalNumber"]),
            okpd: item.string("okpd", &["okdp/code"]),
            okpd2: String::new(),
            okei: item.string("okei", &["okei/code"]),
            quantity: item.string("quantity", &["qty"]),
        }
    };
    let lot = Lot223Facts {
        number: element.string("lots.lotNumber", &["ordinalNumber"]),
        name: element.verbatim("lots.lotName", &["subject"]),
        max_price: price.written.clone(),
        currency: currency.to_owned(),
        execution_place: element.string("lots.executionPlace", &["deliveryPlace"]),
        customers: vec![LotCustomer223Facts {
            organization: customer.clone(),
            objects: element
                .all(&["lotItems/lotItem"])
                .into_iter()
                .map(object)
                .collect(),
        }],
    };
    Ok((lot, price))
}

#[derive(Default)]
struct Price {
    /// The price as the card shows it: a sum, or a description in words.
    written: String,
    sum: Option<Amount>,
    roubles: Option<Amount>,
}

impl Price {
    /// Reads one of the alternatives of `lotData` and `lotCustomerData`: a sum, a maximum sum with
    /// a formula, or a description at `words`.
    fn read(source: &Node<'_>, words: Paths<'_>) -> Result<Self> {
        let field = "lots.maxPrice";
        let sums = ["initialSum", "maxContractPrice"];
        let sum = source.amount(field, &sums)?;
        let converted = ["startingContractPriceRub", "maxContractPriceRub"];
        let roubles = currency::roubles(source, "fullNMCK", &sums, &converted)?;
        let number = source.string(field, &sums);
        let words = source.verbatim(field, words);
        Ok(Self {
            written: if number.is_empty() { words } else { number },
            sum,
            roubles,
        })
    }
}

/// Adds up the prices that are numbers. The total in roubles is known only if all of them are known
/// in roubles.
fn total(prices: &[Price]) -> Price {
    let priced = || prices.iter().filter(|price| price.sum.is_some());
    let add = |total: Option<Amount>, next: Option<Amount>| total?.checked_add(next?);
    let total = priced().map(|price| price.sum).reduce(add).flatten();
    Price {
        written: total.map_or_else(String::new, |total| total.to_string()),
        sum: total,
        roubles: priced().map(|price| price.roubles).reduce(add).flatten(),
    }
}

fn joint_price(shares: &[Node<'_>]) -> Result<Price> {
    let read = |share| Price::read(share, &["priceFormula"]);
    let prices: Result<Vec<Price>> = shares.iter().map(read).collect();
    Ok(total(&prices?))
}

/// Returns the place of the lot, or else the distinct places of its items and customers.
fn execution_place<'n>(
    data: Option<&Node<'_>>,
    parts: impl Iterator<Item = &'n Node<'n>>,
) -> String {
    let own = data.and_then(|data| data.first(&["deliveryPlace"]));
    let own = own.map(|own| place(&own));
    if let Some(own) = own.filter(|own| !own.is_empty()) {
        return own;
    }
    let mut seen = BTreeSet::new();
    let mut places = Vec::new();
    for part in parts {
        for found in part.all(&["deliveryPlace", "lotItems/lotItem/deliveryPlace"]) {
            let place = place(&found);
            if !place.is_empty() && seen.insert(place.clone()) {
                places.push(place);
            }
        }
    }
    places.join("; ")
}

/// Returns the text of a place, which may be split into several elements.
fn place(element: &Node<'_>) -> String {
    let field = "lots.executionPlace";
    let parts = ["state", "region", "address"].map(|part| element.verbatim(field, &[part]));
    match element.text(field, &["."]) {
        "" => joined(parts, ", "),
        whole => whole.to_owned(),
    }
}

/// Returns the customers of a lot with their items. Items that are listed for the whole lot go to
/// the notice's customer. In a joint purchase, they go to the first customer, provided that no
/// customer has items.
fn customers(
    data: Option<&Node<'_>>,
    joint: &[Node<'_>],
    customer: &OrganizationFacts,
) -> Vec<LotCustomer223Facts> {
    let mut customers: Vec<_> = joint.iter().map(joint_customer).collect();
    if customers.is_empty() {
        customers.push(LotCustomer223Facts {
            organization: customer.clone(),
            objects: Vec::new(),
        });
    }
    let items = data.map_or_else(Vec::new, objects);
    let none_has_items = customers.iter().all(|one| one.objects.is_empty());
    if let Some(first) = customers.first_mut().filter(|_| none_has_items) {
        first.objects = items;
    }
    customers
}

fn joint_customer(element: &Node<'_>) -> LotCustomer223Facts {
    let data = element.first(&["lotCustomerData"]);
    let element = element.filling("lots.customers");
    let customer = element.first(&["customerInfo", "blockedLotCustomer"]);
    let foreign = || OrganizationFacts {
        full_name: element.verbatim("fullName", &["nonResidentInfo/name"]),
        ..OrganizationFacts::default()
    };
    LotCustomer223Facts {
        organization: customer.map_or_else(foreign, |one| organization::read(&one)),
        objects: data.map_or_else(Vec::new, |data| objects(&data)),
    }
}

fn objects(data: &Node<'_>) -> Vec<PurchaseObject223Facts> {
    let items = data.all(&["lotItems/lotItem"]);
    items.iter().map(object).collect()
}

fn object(item: &Node<'_>) -> PurchaseObject223Facts {
    let item = item.filling("purchaseObject");
    PurchaseObject223Facts {
        number: item.string("number", &["ordinalNumber"]),
        okpd: item.string("okpd", &["okdp/code"]),
        okpd2: item.string("okpd2", &["okpd2/code"]),
        okei: item.string("okei", &["okei/code"]),
        quantity: item.string("quantity", &["qty"]),
    }
}

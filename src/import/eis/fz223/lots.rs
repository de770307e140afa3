//! `lots/lot` of a notice under 223-FZ: until about 2013 the lot's values are in it, later
//! in its `lotData`; in a joint purchase those of each customer are in
//! `jointLotData/lotCustomers/lotCustomer`.

use std::collections::BTreeSet;

use super::organization;
use crate::import::eis::element::Element;
use crate::import::eis::value::{Result, first_amount, flag};
use crate::model::{Amount, Lot223, LotCustomer223, Organization, PurchaseObject223};

/// How many bytes the customer, repeated in every lot, may take in total.
const MAX_REPEATED: usize = 64 << 20;

/// The lots of a notice.
pub struct Lots {
    /// The lots of the card.
    pub lots: Vec<Lot223>,
    /// Which of them are marked as cancelled.
    pub cancelled: Vec<bool>,
    /// The sum of their prices in roubles.
    pub max_price: Option<Amount>,
}

/// Reads the lots; `customer` is that of lots that name none.
pub fn read(data: &Element<'_>, customer: &Organization) -> Result<Lots> {
    let listed = data.all("lots").flat_map(|lots| lots.all("lot"));
    let elements: Vec<_> = listed.chain(data.all("lot")).collect();
    if elements.len().saturating_mul(size(customer)) > MAX_REPEATED {
        return Err("lots: too many for a customer that long".to_owned());
    }
    let mut lots = Vec::with_capacity(elements.len());
    let mut cancelled = Vec::with_capacity(elements.len());
    let mut prices = Vec::with_capacity(elements.len());
    for (index, element) in elements.into_iter().enumerate() {
        let in_lot = |problem| format!("lots/lot[{index}]/{problem}");
        let (lot, price) = lot(element, customer).map_err(in_lot)?;
        cancelled.push(flag(element, "cancelled").map_err(in_lot)?);
        lots.push(lot);
        prices.push(price);
    }
    Ok(Lots {
        lots,
        cancelled,
        max_price: total(&prices).roubles,
    })
}

fn size(organization: &Organization) -> usize {
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

fn lot(element: &Element<'_>, customer: &Organization) -> Result<(Lot223, Price)> {
    let (data, place) = match element.at("lotData") {
        Some(data) => (data, "lotData/"),
        None => (element, ""),
    };
    let joint = joint_customers(element);
    let own = Price::read(data).map_err(|problem| format!("{place}{problem}"))?;
    let price = if own.written.is_empty() {
        joint_price(&joint)?
    } else {
        own
    };
    let shares = joint.iter().filter_map(|joint| joint.at("lotCustomerData"));
    let currency = std::iter::once(data)
        .chain(shares)
        .map(currency)
        .find(|code| !code.is_empty());
    let lot = Lot223 {
        number: element.text_at("ordinalNumber").to_owned(),
        name: data.words_at("subject").to_owned(),
        max_price: price.written.clone(),
        currency: currency.unwrap_or_default().to_owned(),
        execution_place: execution_place(data, &joint),
        customers: customers(data, &joint, customer),
    };
    Ok((lot, price))
}

fn joint_customers<'e, 'd>(lot: &'e Element<'d>) -> Vec<&'e Element<'d>> {
    let list = ["jointLotData/lotCustomers", "lotCustomers"];
    let found = list.iter().find_map(|path| lot.at(path));
    found.map_or_else(Vec::new, |list| list.all("lotCustomer").collect())
}

fn currency<'e>(element: &'e Element<'_>) -> &'e str {
    element.first_text(&[
        "currency/code",
        "currency/letterCode",
        "currency/digitalCode",
    ])
}

/// A maximum price.
#[derive(Default)]
struct Price {
    /// As the card writes it: the sum, or a description in words.
    written: String,
    /// As a number, in its own currency.
    sum: Option<Amount>,
    /// In roubles.
    roubles: Option<Amount>,
}

impl Price {
    /// Reads the alternatives of `lotData` and `lotCustomerData`: a sum, a greatest sum
    /// with a formula, or words.
    fn read(element: &Element<'_>) -> Result<Self> {
        let sum = first_amount(element, &["initialSum", "maxContractPrice"])?;
        let converted = first_amount(
            element,
            &["startingContractPriceRub", "maxContractPriceRub"],
        )?;
        let in_roubles = matches!(currency(element), "" | "RUB" | "RUR" | "643" | "810");
        let number = element.first_text(&["initialSum", "maxContractPrice"]);
        let words = element.first_words(&["initialSumInfo", "priceFormula"]);
        Ok(Self {
            written: if number.is_empty() { words } else { number }.to_owned(),
            sum,
            roubles: converted.or(sum.filter(|_| in_roubles)),
        })
    }
}

/// The sum of those that are numbers; in roubles only if all of them are.
fn total(prices: &[Price]) -> Price {
    let priced = || prices.iter().filter(|price| price.sum.is_some());
    let add = |total: Option<Amount>, next: Option<Amount>| total?.checked_add(next?);
    let sum = |amounts: &mut dyn Iterator<Item = Option<Amount>>| {
        let first = amounts.next().flatten();
        amounts.fold(first, add)
    };
    let total = sum(&mut priced().map(|price| price.sum));
    Price {
        written: total.map_or_else(String::new, |total| total.to_string()),
        sum: total,
        roubles: sum(&mut priced().map(|price| price.roubles)),
    }
}

fn joint_price(joint: &[&Element<'_>]) -> Result<Price> {
    let mut prices = Vec::with_capacity(joint.len());
    for (index, customer) in joint.iter().enumerate() {
        let Some(data) = customer.at("lotCustomerData") else {
            continue;
        };
        prices.push(Price::read(data).map_err(|problem| {
            format!("jointLotData/lotCustomers/lotCustomer[{index}]/lotCustomerData/{problem}")
        })?);
    }
    Ok(total(&prices))
}

/// The lot's place, or the distinct ones of its items and customers.
fn execution_place(data: &Element<'_>, joint: &[&Element<'_>]) -> String {
    let own = data.at("deliveryPlace").map(place).unwrap_or_default();
    if !own.is_empty() {
        return own;
    }
    let shares = joint.iter().filter_map(|joint| joint.at("lotCustomerData"));
    let mut seen = BTreeSet::new();
    let mut places = Vec::new();
    for part in std::iter::once(data).chain(shares) {
        let owners = std::iter::once(part).chain(items(part));
        for place in owners.filter_map(|owner| owner.at("deliveryPlace").map(place)) {
            if !place.is_empty() && seen.insert(place.clone()) {
                places.push(place);
            }
        }
    }
    places.join("; ")
}

/// The text of a place, which until about 2013 had no parts.
fn place(element: &Element<'_>) -> String {
    if element.children().is_empty() {
        return element.text().to_owned();
    }
    let parts = ["state", "region", "address"].map(|part| element.words_at(part));
    let there: Vec<_> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    there.join(", ")
}

fn items<'e, 'd>(data: &'e Element<'d>) -> impl Iterator<Item = &'e Element<'d>> {
    data.all("lotItems").flat_map(|items| items.all("lotItem"))
}

/// The customers of the lot, each with its items. The lot's own items belong to the
/// notice's customer, or to the first joint one if none has items.
fn customers(
    data: &Element<'_>,
    joint: &[&Element<'_>],
    customer: &Organization,
) -> Vec<LotCustomer223> {
    let mut customers: Vec<_> = joint.iter().map(|joint| joint_customer(joint)).collect();
    if customers.is_empty() {
        customers.push(LotCustomer223 {
            organization: customer.clone(),
            objects: Vec::new(),
        });
    }
    let none_has_items = customers.iter().all(|one| one.objects.is_empty());
    if let Some(first) = customers.first_mut().filter(|_| none_has_items) {
        first.objects = items(data).map(object).collect();
    }
    customers
}

fn joint_customer(element: &Element<'_>) -> LotCustomer223 {
    let data = element.at("lotCustomerData");
    let paths = [
        "customerInfo/mainInfo",
        "customerInfo",
        "blockedLotCustomer",
    ];
    let customer = paths.iter().find_map(|path| element.at(path));
    let foreign = || Organization {
        full_name: element.words_at("nonResidentInfo/name").to_owned(),
        ..Organization::default()
    };
    LotCustomer223 {
        organization: customer.map_or_else(foreign, organization::read),
        objects: data.map_or_else(Vec::new, |data| items(data).map(object).collect()),
    }
}

fn object(item: &Element<'_>) -> PurchaseObject223 {
    PurchaseObject223 {
        number: item.text_at("ordinalNumber").to_owned(),
        okpd: item.first_text(&["okpd/code", "okdp/code"]).to_owned(),
        okpd2: item.text_at("okpd2/code").to_owned(),
        okei: item.text_at("okei/code").to_owned(),
        quantity: item.text_at("qty").to_owned(),
    }
}

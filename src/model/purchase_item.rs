//! Items of purchases, in the same shape for all laws.

use std::borrow::Cow;

use super::{Amount, Purchase};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PurchaseItem<'a> {
    pub lot: Cow<'a, str>,
    /// Empty under 223-FZ.
    pub name: &'a str,
    pub okpd2: &'a str,
    pub ktru: &'a str,
    /// Code of the unit of measure.
    pub okei: &'a str,
    pub okei_name: &'a str,
    /// Under 223-FZ as in the source, unparsed.
    pub quantity: Cow<'a, str>,
    /// In roubles.
    pub price: Option<Amount>,
    /// In roubles.
    pub sum: Option<Amount>,
}

impl Purchase {
    /// Returns the items of all lots, in the order of the card. A card under PP-615 has no items.
    pub fn listed_items(&self) -> Vec<PurchaseItem<'_>> {
        let text = |value: Option<Amount>| value.map_or(String::new(), |value| value.to_string());
        let mut items = Vec::new();
        match self {
            Self::Fz44(card) => {
                for lot in &card.lots {
                    let number = lot
                        .number
                        .map_or(String::new(), |number| number.to_string());
                    items.extend(lot.objects.iter().map(|item| PurchaseItem {
                        lot: number.clone().into(),
                        name: &item.name,
                        okpd2: &item.okpd2,
                        ktru: &item.ktru,
                        okei: &item.okei,
                        okei_name: &item.okei_name,
                        quantity: text(item.quantity).into(),
                        price: item.price,
                        sum: item.sum,
                    }));
                }
            }
            Self::Fz223(card) => {
                for lot in &card.lots {
                    let objects = lot.customers.iter().flat_map(|one| &one.objects);
                    items.extend(objects.map(|item| PurchaseItem {
                        lot: lot.number.as_str().into(),
                        okpd2: &item.okpd2,
                        okei: &item.okei,
                        quantity: item.quantity.as_str().into(),
                        ..PurchaseItem::default()
                    }));
                }
            }
            Self::Pp615(_) => {}
        }
        items
    }
}

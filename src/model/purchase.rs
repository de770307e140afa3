//! A purchase, of any regime.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::{
    Amount, Date, Inn, ItemContent, Moment, Purchase44, Purchase223, Purchase615, PurchaseNumber,
    Winner, Winner223, Winner615,
};

/// The card of a purchase, in the shape of its regime.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Purchase {
    /// Under 44-FZ.
    Fz44(Box<Purchase44>),
    /// Under 223-FZ.
    Fz223(Box<Purchase223>),
    /// Under Government Decree 615.
    Pp615(Box<Purchase615>),
}

impl Purchase {
    /// Returns the purchase number.
    pub fn number(&self) -> &PurchaseNumber {
        match self {
            Self::Fz44(card) => &card.purchase_number,
            Self::Fz223(card) => &card.purchase_number,
            Self::Pp615(card) => &card.purchase_number,
        }
    }

    /// Returns the subject of the purchase.
    pub fn subject(&self) -> &str {
        match self {
            Self::Fz44(card) => &card.object_info,
            Self::Fz223(card) => &card.object_info,
            Self::Pp615(card) => &card.object_info,
        }
    }

    /// Returns the day of publication.
    pub fn published(&self) -> Option<Date> {
        match self {
            Self::Fz44(card) => card.publish_date,
            Self::Fz223(card) => card.publish_date,
            Self::Pp615(card) => card.publish_date,
        }
    }

    /// Returns the initial (maximum) price of the whole, roubles.
    pub fn price(&self) -> Option<Amount> {
        match self {
            Self::Fz44(card) => card.max_price,
            Self::Fz223(card) => card.max_price,
            Self::Pp615(card) => card.max_price,
        }
    }

    /// Returns the end of submission, in Moscow's time; at the end of the day where only the day is
    /// known.
    pub fn closes(&self) -> Option<Moment> {
        match self {
            Self::Fz44(card) => card.procedure.end,
            Self::Fz223(card) => card.submission_close.map(Moment::from_day),
            Self::Pp615(card) => card.collecting_end.map(Moment::from_day),
        }
    }

    /// Returns the customer: under 44-FZ the first one of a lot that has an INN, under 223-FZ the
    /// main one if it has an INN; else the organisation responsible.
    pub fn customer(&self) -> PurchaseCustomer<'_> {
        let (inn, name) = match self {
            Self::Fz44(card) => {
                let customers = card.lots.iter().flat_map(|lot| &lot.customers);
                match customers.into_iter().find(|one| !one.inn.is_empty()) {
                    Some(customer) => (&customer.inn, &customer.full_name),
                    None => (&card.responsible_org.inn, &card.responsible_org.full_name),
                }
            }
            Self::Fz223(card) => {
                let customer = match card.main_customer.inn.is_empty() {
                    true => &card.responsible_org,
                    false => &card.main_customer,
                };
                (&customer.inn, &customer.full_name)
            }
            Self::Pp615(card) => (&card.responsible_org.inn, &card.responsible_org.full_name),
        };
        PurchaseCustomer { inn, name }
    }

    /// Returns the first winner by lot, of which a hidden one comes after those with an INN or a name.
    pub fn winner(&self) -> PurchaseWinner<'_> {
        let winners: Vec<PurchaseWinner<'_>> = match self {
            Self::Fz44(card) => card.lots.iter().map(|lot| (&lot.winner).into()).collect(),
            Self::Fz223(card) => card.winners.iter().map(PurchaseWinner::from).collect(),
            Self::Pp615(card) => vec![(&card.winner).into()],
        };
        let is_named = |one: &&PurchaseWinner<'_>| !one.inn.is_empty() || !one.name.is_empty();
        let hidden = || winners.iter().find(|one| one.price.is_some());
        let first = winners.iter().find(is_named).or_else(hidden);
        first.copied().unwrap_or_default()
    }

    /// Returns what a list of purchases says of this one on `day`.
    pub fn listed(&self, day: Date) -> ListedPurchase<'_> {
        let (number, customer) = (self.number(), self.customer());
        let (placing_way, stage) = match self {
            Self::Fz44(card) => (&card.placing_way, card.stage.on(day)),
            Self::Fz223(card) => (&card.placing_way, card.stage.on(day)),
            Self::Pp615(card) => (&card.placing_way, ""),
        };
        ListedPurchase {
            kind: number.regime().purchase_kind(),
            number: number.as_str(),
            published: self.published(),
            subject: self.subject(),
            placing_way,
            stage,
            price: self.price(),
            closes: self.closes(),
            customer_inn: customer.inn,
            customer_name: customer.name,
            winner: self.winner(),
        }
    }

    /// Returns the names of the lots.
    pub fn lot_names(&self) -> Vec<&str> {
        match self {
            Self::Fz44(card) => card.lots.iter().map(|lot| &*lot.object_info).collect(),
            Self::Fz223(card) => card.lots.iter().map(|lot| &*lot.name).collect(),
            Self::Pp615(_) => Vec::new(),
        }
    }

    /// Returns the names and codes of the items of all lots. Items under 223-FZ have no name.
    pub fn items(&self) -> Vec<ItemContent<'_>> {
        match self {
            Self::Fz44(card) => {
                let items = card.lots.iter().flat_map(|lot| &lot.objects);
                let item = items.map(|item| ItemContent {
                    name: &item.name,
                    codes: [&item.okpd2, &item.ktru, ""],
                });
                item.collect()
            }
            Self::Fz223(card) => {
                let customers = card.lots.iter().flat_map(|lot| &lot.customers);
                let items = customers.flat_map(|customer| &customer.objects);
                let item = items.map(|item| ItemContent {
                    name: "",
                    codes: [&item.okpd2, "", ""],
                });
                item.collect()
            }
            Self::Pp615(_) => Vec::new(),
        }
    }

    /// The INNs of its winners, each once; a text that is no INN is no winner's. Under 44-FZ
    /// there are none here, as each winner has a contract of its own.
    pub fn winner_inns(&self) -> impl Iterator<Item = &str> {
        let all: Vec<&str> = match self {
            Self::Fz44(_) => Vec::new(),
            Self::Fz223(card) => card.winners.iter().map(|one| one.inn.as_str()).collect(),
            Self::Pp615(card) if card.winner.inn.is_empty() => {
                let suppliers = card.contract.suppliers.iter();
                suppliers.map(|one| one.inn.as_str()).collect()
            }
            Self::Pp615(card) => vec![&card.winner.inn],
        };
        let mut seen = BTreeSet::new();
        let all = all.into_iter();
        all.filter(move |inn| Inn::parse(inn).is_some() && seen.insert(*inn))
    }

    /// The purchase as one that the supplier with this INN won; none if it did not.
    pub fn won_by(&self, inn: &str) -> Option<WonPurchase<'_>> {
        if !self.winner_inns().any(|winner| winner == inn) {
            return None;
        }
        let (number, customer) = (self.number(), self.customer());
        let kind = number.regime().purchase_kind();
        let number = number.as_str();
        Some(match self {
            Self::Fz44(_) => return None,
            Self::Fz223(card) => {
                let of_it = || card.winners.iter().filter(|winner| winner.inn == inn);
                let price = |winner: &Winner223| winner.price;
                WonPurchase {
                    kind,
                    number,
                    subject: &card.object_info,
                    date: of_it()
                        .filter_map(|one| one.date)
                        .max()
                        .or(card.publish_date),
                    price: of_it().filter_map(price).try_fold(None, add).flatten(),
                    customer_inn: customer.inn,
                    customer_name: customer.name,
                }
            }
            Self::Pp615(card) => WonPurchase {
                kind,
                number,
                subject: &card.object_info,
                date: card.winner.protocol_date.or(card.publish_date),
                price: card.winner.price.or(card.contract.price),
                customer_inn: customer.inn,
                customer_name: customer.name,
            },
        })
    }
}

/// Adds a price to a total; none if that has too many digits.
fn add(total: Option<Amount>, price: Amount) -> Option<Option<Amount>> {
    match total {
        None => Some(Some(price)),
        Some(total) => total.checked_add(price).map(Some),
    }
}

/// The customer of a purchase, as the card states it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PurchaseCustomer<'a> {
    /// INN; empty if the card has none.
    pub inn: &'a str,
    /// Full name.
    pub name: &'a str,
}

/// The winner of a purchase, as the card states it; all fields are empty without one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PurchaseWinner<'a> {
    /// INN.
    pub inn: &'a str,
    /// Name.
    pub name: &'a str,
    /// The price offered or agreed, roubles.
    pub price: Option<Amount>,
}

macro_rules! winners {
    ($($record:ident)*) => {
        $(impl<'a> From<&'a $record> for PurchaseWinner<'a> {
            fn from(winner: &'a $record) -> Self {
                Self {
                    inn: &winner.inn,
                    name: &winner.name,
                    price: winner.price,
                }
            }
        })*
    };
}

winners!(Winner Winner223 Winner615);

/// A purchase in a list of purchases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ListedPurchase<'a> {
    /// The kind, as hits of a search have it.
    pub kind: &'static str,
    /// The number.
    pub number: &'a str,
    /// Day of publication.
    pub published: Option<Date>,
    /// The subject of the purchase.
    pub subject: &'a str,
    /// The method of choosing the supplier.
    pub placing_way: &'a str,
    /// The stage, in words; empty under PP-615.
    pub stage: &'a str,
    /// Initial (maximum) price of the whole, roubles.
    pub price: Option<Amount>,
    /// End of submission.
    pub closes: Option<Moment>,
    /// INN of the customer.
    pub customer_inn: &'a str,
    /// Name of the customer.
    pub customer_name: &'a str,
    /// The first winner by lot.
    pub winner: PurchaseWinner<'a>,
}

/// A purchase that a supplier won.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WonPurchase<'a> {
    /// Its kind, as hits of a search have it.
    pub kind: &'static str,
    /// Its number.
    pub number: &'a str,
    /// The subject of the purchase.
    pub subject: &'a str,
    /// Day of the contract or of the protocol, else that of publication.
    pub date: Option<Date>,
    /// The price, roubles; of several lots the total.
    pub price: Option<Amount>,
    /// INN of the customer, as the card has it.
    pub customer_inn: &'a str,
    /// Name of the customer.
    pub customer_name: &'a str,
}

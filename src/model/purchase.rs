//! Purchases under any of the three laws.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::{
    Amount, Date, Inn, ItemContent, Moment, Purchase44, Purchase223, Purchase615, PurchaseNumber,
    Winner, Winner223, Winner615,
};

/// The card of a purchase, whose shape depends on the law.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Purchase {
    Fz44(Box<Purchase44>),
    Fz223(Box<Purchase223>),
    Pp615(Box<Purchase615>),
}

impl Purchase {
    pub fn number(&self) -> &PurchaseNumber {
        match self {
            Self::Fz44(card) => &card.purchase_number,
            Self::Fz223(card) => &card.purchase_number,
            Self::Pp615(card) => &card.purchase_number,
        }
    }

    pub fn subject(&self) -> &str {
        match self {
            Self::Fz44(card) => &card.object_info,
            Self::Fz223(card) => &card.object_info,
            Self::Pp615(card) => &card.object_info,
        }
    }

    pub fn published(&self) -> Option<Date> {
        match self {
            Self::Fz44(card) => card.publish_date,
            Self::Fz223(card) => card.publish_date,
            Self::Pp615(card) => card.publish_date,
        }
    }

    /// Returns the initial (maximum) price of all lots together, in roubles.
    pub fn price(&self) -> Option<Amount> {
        match self {
            Self::Fz44(card) => card.max_price,
            Self::Fz223(card) => card.max_price,
            Self::Pp615(card) => card.max_price,
        }
    }

    /// Returns the end of submission in Moscow time. If only the day is known, submission is open
    /// until the end of that day.
    pub fn closes(&self) -> Option<Moment> {
        match self {
            Self::Fz44(card) => card.procedure.end,
            Self::Fz223(card) => card.submission_close.map(Moment::from_day),
            Self::Pp615(card) => card.collecting_end.map(Moment::from_day),
        }
    }

    /// Returns the customer. Under 44-FZ, this is the first customer of any lot that has an INN;
    /// under 223-FZ, the main customer if it has an INN. Otherwise, it is the organization
    /// responsible for the purchase.
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

    /// Returns the first winner in the order of lots. Winners with an INN or a name take precedence
    /// over hidden ones.
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

    /// Returns what lists show of the purchase on `day`.
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

    pub fn lot_names(&self) -> Vec<&str> {
        match self {
            Self::Fz44(card) => card.lots.iter().map(|lot| &*lot.object_info).collect(),
            Self::Fz223(card) => card.lots.iter().map(|lot| &*lot.name).collect(),
            Self::Pp615(_) => Vec::new(),
        }
    }

    /// Returns the names and codes of the items of all lots. Items under 223-FZ have no names.
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

    /// Returns the distinct INNs of the winners. Under PP-615, takes the suppliers of the contract
    /// if the winner has no INN. Returns nothing under 44-FZ, where each winner has a contract of
    /// its own.
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

    /// Returns the purchase as won by this supplier. Returns `None` if the supplier did not win it,
    /// and always under 44-FZ.
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

/// Adds a price to a total, which is `None` before the first price. Returns `None` if the result
/// would have too many digits.
fn add(total: Option<Amount>, price: Amount) -> Option<Option<Amount>> {
    match total {
        None => Some(Some(price)),
        Some(total) => total.checked_add(price).map(Some),
    }
}

/// The customer as stated on the card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PurchaseCustomer<'a> {
    /// Empty if the card states none.
    pub inn: &'a str,
    pub name: &'a str,
}

/// The winner as stated on the card. If there is no winner, all fields are empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PurchaseWinner<'a> {
    pub inn: &'a str,
    pub name: &'a str,
    /// Price offered or agreed, in roubles.
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

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ListedPurchase<'a> {
    /// One of [`super::Regime::PURCHASE_KINDS`].
    pub kind: &'static str,
    pub number: &'a str,
    pub published: Option<Date>,
    pub subject: &'a str,
    pub placing_way: &'a str,
    /// In words; empty under PP-615.
    pub stage: &'a str,
    /// Initial (maximum) price of all lots together, in roubles.
    pub price: Option<Amount>,
    /// End of submission in Moscow time.
    pub closes: Option<Moment>,
    pub customer_inn: &'a str,
    pub customer_name: &'a str,
    pub winner: PurchaseWinner<'a>,
}

/// A purchase that a supplier won.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WonPurchase<'a> {
    /// One of [`super::Regime::PURCHASE_KINDS`].
    pub kind: &'static str,
    pub number: &'a str,
    pub subject: &'a str,
    /// Day of the contract or protocol, or else day of publication.
    pub date: Option<Date>,
    /// Total over the lots won, in roubles.
    pub price: Option<Amount>,
    /// INN as spelled on the card.
    pub customer_inn: &'a str,
    pub customer_name: &'a str,
}

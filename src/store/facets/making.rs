//! The facets of a contract, and a block made of those of many (`block.rs` says of which
//! bytes).

use std::borrow::Cow;
use std::collections::HashMap;

use crate::model::encoded::{Encoded, encode_bytes, encode_number, encode_text};
use crate::model::{Amount, ContractStage, Date, EncodedContract};

/// What is known of a contract's price.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Price {
    /// There is none.
    None,
    /// So many hundredths.
    Hundredths(i64),
    /// Another amount; aside, as there is hardly any.
    Other(Box<Amount>),
}

/// The stages, by the code less 1.
pub(super) const STAGES: [ContractStage; 4] = [
    ContractStage::Completed,
    ContractStage::Terminated,
    ContractStage::InExecution,
    ContractStage::Annulled,
];

/// The code of a stage.
pub(super) const STAGE: u64 = 7;

/// There is a customer's name.
pub(super) const NAMED: u64 = 8;

/// Codes with a meaning of their own; the base is the code that follows.
pub(super) const NONE: u64 = 0;
pub(super) const OTHER: u64 = 1;
pub(super) const FIRST: u64 = 2;

/// What a block has of one contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facets<'a> {
    pub(super) state: u64,
    pub(super) customer: Cow<'a, str>,
    pub(super) signed: u64,
    pub(super) updated: u64,
    pub(super) price: Price,
}

impl<'a> Facets<'a> {
    /// Those of a contract; none if its record is not one that this program wrote.
    pub fn of(contract: &EncodedContract<'a>) -> Option<Self> {
        let stage = STAGES.iter().zip(1_u64..);
        let stage = stage.filter(|(stage, _)| contract.stage == Some(**stage));
        let stage: u64 = stage.map(|(_, code)| code).sum();
        let named = if contract.customer_name.is_empty() {
            0
        } else {
            NAMED
        };
        Some(Self {
            state: stage | named,
            customer: contract.customer_inn.text(),
            signed: day(contract.sign_date)?,
            updated: day(contract.update_date)?,
            price: price(contract.price)?,
        })
    }
}

/// A day as YYYYMMDD, 0 for none.
fn day(kept: Encoded<'_>) -> Option<u64> {
    if kept.is_empty() {
        return Some(0);
    }
    Date::parse_iso(&kept.text()).map(|date| date.number().into())
}

fn price(kept: Encoded<'_>) -> Option<Price> {
    if kept.is_empty() {
        return Some(Price::None);
    }
    let amount: Amount = kept.text().parse().ok()?;
    Some(match amount.as_hundredths() {
        Some(hundredths) => Price::Hundredths(hundredths),
        None => Price::Other(Box::new(amount)),
    })
}

/// A block that is being made.
#[derive(Debug, Default)]
pub struct Builder {
    states: Vec<u64>,
    customers: Vec<u64>,
    inns: Vec<u8>,
    known: HashMap<String, u64>,
    signed: Vec<u64>,
    updated: Vec<u64>,
    prices: Vec<Price>,
}

impl Builder {
    /// How many contracts there are in it.
    pub fn len(&self) -> u64 {
        self.states.len() as u64
    }

    /// Adds the next contract.
    pub fn add(&mut self, facets: Facets<'_>) {
        let next = self.known.len() as u64;
        let inns = &mut self.inns;
        let customer = match self.known.get(&*facets.customer) {
            Some(customer) => *customer,
            None => {
                encode_text(inns, &facets.customer);
                self.known.insert(facets.customer.into_owned(), next);
                next
            }
        };
        self.customers.push(customer);
        self.states.push(facets.state);
        self.signed.push(facets.signed);
        self.updated.push(facets.updated);
        self.prices.push(facets.price);
    }

    /// The block, and begins another.
    pub fn finish(&mut self) -> Vec<u8> {
        let block = std::mem::take(self);
        let mut out = Vec::with_capacity(32 + block.inns.len() + block.states.len() * 16);
        encode_number(&mut out, block.states.len() as u64);
        encode_number(&mut out, block.known.len() as u64);
        encode_number(&mut out, block.inns.len() as u64);
        out.extend_from_slice(&block.inns);
        write_column(&mut out, 0, &block.states);
        write_column(&mut out, 0, &block.customers);
        write_days(&mut out, &block.signed);
        write_days(&mut out, &block.updated);
        write_prices(&mut out, &block.prices);
        let sum = crc32fast::hash(&out);
        out.extend_from_slice(&sum.to_le_bytes());
        out
    }
}

/// Appends codes, each in as many bytes as the greatest takes.
fn write_column(out: &mut Vec<u8>, base: u64, codes: &[u64]) {
    let most = codes
        .iter()
        .max()
        .map_or(0, |code| 64 - code.leading_zeros());
    let width = most.div_ceil(8) as usize;
    encode_number(out, base);
    out.push(width as u8);
    for code in codes {
        out.extend(code.to_le_bytes().iter().take(width));
    }
}

fn write_days(out: &mut Vec<u8>, days: &[u64]) {
    let base = days
        .iter()
        .copied()
        .filter(|day| *day != 0)
        .min()
        .unwrap_or(0);
    let code = |day: &u64| if *day == 0 { NONE } else { *day - base + FIRST };
    write_column(out, base, &days.iter().map(code).collect::<Vec<_>>());
}

fn write_prices(out: &mut Vec<u8>, prices: &[Price]) {
    let whole = prices.iter().filter_map(|price| match price {
        Price::Hundredths(hundredths) => Some(*hundredths),
        _ => None,
    });
    let base = whole.min().unwrap_or(0);
    let code = |price: &Price| match price {
        Price::None => NONE,
        Price::Hundredths(hundredths) => hundredths.abs_diff(base) + FIRST,
        Price::Other(_) => OTHER,
    };
    let codes: Vec<u64> = prices.iter().map(code).collect();
    write_column(out, zigzag(base), &codes);
    let mut text = Vec::new();
    for price in prices {
        if let Price::Other(amount) = price {
            text.clear();
            amount.write_to(&mut text);
            encode_bytes(out, &text);
        }
    }
}

fn zigzag(value: i64) -> u64 {
    (value << 1 ^ value >> 63) as u64
}

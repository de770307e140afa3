//! What is bought, by whom, and for how much: common to a contract and the card of its
//! purchase.

use std::borrow::Cow;

use super::calendar::{Date, year};
use super::chance::Chance;
use super::parties::Buyer;
use super::words::{CatalogueItem, Trade, fill};

/// The most items of a contract.
const CONTRACT_ITEMS: u64 = 40;
/// The most items of a lot.
const CARD_ITEMS: u64 = 12;
/// The longest subject, in characters, approximately.
const LONGEST: u64 = 1_450;

/// An item that is bought.
#[derive(Clone)]
pub struct Position {
    pub item: &'static CatalogueItem,
    /// What follows the item's name, if anything.
    pub feature: String,
    /// The item's position in OKPD2, or a wider one.
    pub okpd2: &'static str,
    /// The position of the catalogue (KTRU), if it has one.
    pub catalogue: Option<String>,
    pub quantity: u64,
    /// Unit price in the notice, kopecks.
    pub unit_price: u64,
}

impl Position {
    /// The name in documents.
    pub fn name(&self) -> Cow<'_, str> {
        match &*self.feature {
            "" => Cow::Borrowed(&self.item.name),
            feature => Cow::Owned(format!("{}, {feature}", self.item.name)),
        }
    }

    /// The position of the catalogue, or else of OKPD2.
    pub fn code(&self) -> &str {
        self.catalogue.as_deref().unwrap_or(self.okpd2)
    }

    /// Its price in the notice, kopecks.
    pub fn sum(&self) -> u64 {
        self.quantity * self.unit_price
    }
}

/// The terms of a purchase.
pub struct Deal {
    pub buyer: Buyer,
    pub trade: &'static Trade,
    pub subject: String,
    pub positions: Vec<Position>,
    /// The reduction of the initial price, thousandths.
    pub cut: u64,
    /// The required performance guarantee, and the advance: hundredths of a percent.
    pub guarantee: Option<u64>,
    pub advance: Option<u64>,
    pub bank_support: bool,
    pub treasury_support: bool,
}

impl Deal {
    /// A deal of a trade; a purchase with a card has fewer positions.
    pub fn new(
        chance: &mut Chance,
        buyer: Buyer,
        trade: &'static Trade,
        day: Date,
        carded: bool,
    ) -> Self {
        let (wording, items) = wording(chance, trade);
        let positions = positions(chance, trade, items, day, carded);
        let subject = subject(chance, &buyer, wording, &positions, day);
        let cut = match chance.percent(38) {
            true => 0,
            false => chance.wide(4, 380),
        };
        let guarantee = chance.maybe(68, &[500, 500, 1_000, 1_000, 1_000, 3_000, 100]);
        let advance = chance.maybe(14, &[3_000, 1_000, 5_000, 2_000, 1_250]);
        let large = total(&positions) > 1_000_000_000;
        Self {
            buyer,
            trade,
            subject,
            positions,
            cut,
            guarantee: guarantee.copied(),
            advance: advance.copied(),
            bank_support: chance.percent(if large { 9 } else { 1 }),
            treasury_support: chance.percent(if large { 22 } else { 2 }),
        }
    }

    /// The initial price, kopecks.
    pub fn initial_price(&self) -> u64 {
        total(&self.positions)
    }

    /// The price agreed for a position, kopecks.
    pub fn agreed(&self, position: &Position) -> u64 {
        (position.sum() * (1000 - self.cut) / 1000).max(1)
    }

    /// The agreed price, kopecks.
    pub fn price(&self) -> u64 {
        let agreed = self.positions.iter().map(|position| self.agreed(position));
        agreed.sum()
    }
}

/// A wording and its items: very short and very long ones are rarer (in bytes: a letter has
/// two).
fn wording(chance: &mut Chance, trade: &'static Trade) -> (&'static str, &'static [CatalogueItem]) {
    let wording = chance.word(&trade.subjects);
    let again = match wording.len() {
        0..70 => 60,
        180.. => 70,
        _ => 0,
    };
    let wording = chance
        .maybe(again, &trade.subjects)
        .map_or(wording, String::as_str);
    let only = wording.strip_prefix('#').and_then(|rest| {
        let (index, rest) = rest.split_at_checked(1)?;
        let index: usize = index.parse().ok()?;
        Some((rest, trade.items.get(index..=index)?))
    });
    only.unwrap_or((wording, &trade.items))
}

/// Their total in the notice, kopecks.
pub fn total(positions: &[Position]) -> u64 {
    positions.iter().map(Position::sum).sum()
}

/// The positions: the whole price is divided, and each share is spent on one item.
pub fn positions(
    chance: &mut Chance,
    trade: &'static Trade,
    items: &'static [CatalogueItem],
    day: Date,
    carded: bool,
) -> Vec<Position> {
    let most = if carded { CARD_ITEMS } else { CONTRACT_ITEMS };
    let count = match chance.below(100) {
        0..82 => 1,
        82..97 => chance.between(2, 3),
        97..99 => chance.between(4, 8),
        _ => chance.wide(8, CONTRACT_ITEMS),
    };
    // Works and services have few positions; goods may be a long list.
    let most = if trade.is_goods() { most } else { 4 };
    let count = count.min(most);
    let price = chance.wide(trade.size.0 * 100_000, trade.size.1 * 100_000);
    let share = (price / count).max(1);
    let position = |_| {
        let item = chance.pick(items);
        let unit_price = chance.wide(item.price.0 * 100, item.price.1 * 100);
        let quantity = (chance.between(share / 3, share + share / 2) / unit_price).max(1);
        let catalogued = year(day) >= 2018 && chance.percent(38);
        let in_market = !item.features.is_empty();
        Position {
            item,
            feature: match in_market && chance.percent(85) {
                true => chance.word(&item.features).to_owned(),
                false => String::new(),
            },
            okpd2: match in_market && chance.percent(20) {
                true => wider(chance, &item.okpd2),
                false => &item.okpd2,
            },
            // The number in the catalogue is shorter for drugs.
            catalogue: catalogued.then(|| {
                let width = if trade.drugs { 5 } else { 8 };
                let last = if in_market { 40 } else { 4_000 };
                format!("{}-{:0width$}", item.okpd2, chance.wide(1, last))
            }),
            quantity,
            unit_price,
        }
    };
    (0..count).map(position).collect()
}

/// A class or a subclass of a position of OKPD2.
fn wider(chance: &mut Chance, okpd2: &'static str) -> &'static str {
    let levels: Vec<&str> = okpd2
        .match_indices('.')
        .filter_map(|(at, _)| okpd2.get(..at))
        .collect();
    levels
        .last()
        .map_or(okpd2, |last| chance.maybe(40, &levels).unwrap_or(last))
}

/// The subject.
fn subject(
    chance: &mut Chance,
    buyer: &Buyer,
    wording: &str,
    positions: &[Position],
    day: Date,
) -> String {
    let year = year(day);
    let mut text = fill(wording, |letter| match letter {
        'i' => items(&positions[..positions.len().min(1)]),
        'l' => items(positions),
        'c' => buyer.short_name(),
        'a' if chance.percent(12) => buyer.some_address(chance),
        'a' => format!("г. {}, {}", buyer.town(), buyer.street(chance)),
        'p' => span(chance, day),
        'y' => year.to_string(),
        'k' => chance.between(2, 9).to_string(),
        'z' => (year % 100 * 10_000 + chance.below(10_000)).to_string(),
        't' => buyer.town().to_owned(),
        'N' | 'D' | 'A' | 'I' | 'P' => positions.first().map_or(String::new(), |position| {
            position.item.in_case(letter).to_owned()
        }),
        _ => chance.wide(2, 700).to_string(),
    });
    if wording.starts_with("$N") {
        text = capitalised(&text);
    }
    // A short subject (a letter has two bytes) often names the customer.
    let often = if text.len() < 110 { 80 } else { 1 };
    if !wording.contains("$c") && !wording.starts_with("МНН") && chance.percent(often) {
        text = format!("{text} для нужд {}", buyer.short_name());
    }
    match chance.below(1_000) {
        0..3 => add_places(chance, buyer, &mut text, LONGEST),
        3..14 => add_places(chance, buyer, &mut text, 360),
        45..85 => text = text.to_uppercase(),
        85..92 => text.push_str("\n(закупка у субъектов малого предпринимательства)"),
        92..117 => text.push_str(" (прочая закупка)."),
        117..127 => text.insert(0, ' '),
        _ => {}
    }
    text
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

/// Up to four of the positions.
fn items(positions: &[Position]) -> String {
    let mut named: Vec<&str> = Vec::with_capacity(4);
    for position in positions {
        let name = position.item.genitive.as_str();
        if named.len() < 4 && !named.contains(&name) {
            named.push(name);
        }
    }
    named.join(", ")
}

fn span(chance: &mut Chance, day: Date) -> String {
    // Late in a year, purchases are mostly for the next one.
    let month = day.month() as u8;
    let year = year(day) + u64::from(month > 9);
    let early = !(5..=9).contains(&month);
    match chance.below(6) {
        0 if early => format!("на первое полугодие {year} года"),
        1 => format!("на второе полугодие {year} года"),
        2 => format!("в IV квартале {year} года"),
        3 if early => format!("на I квартал {year} года"),
        4 => format!("в период с 01.01.{year} по 31.12.{year}"),
        _ => format!("в {year} году"),
    }
}

/// Adds places of delivery, until the text is long.
fn add_places(chance: &mut Chance, buyer: &Buyer, text: &mut String, longest: u64) {
    let enough = chance.between(longest / 2, longest) as usize;
    *text += " по адресам: ";
    *text += &buyer.some_address(chance);
    // A letter has two bytes, a digit or a space one.
    while text.len() < enough * 5 / 3 {
        *text += "; ";
        *text += &buyer.street(chance);
        if chance.percent(20) {
            *text += &format!(" (помещение № {})", chance.between(1, 60));
        }
    }
}

//! What is bought, by whom, and for how much: the data that a contract and the card of its purchase
//! share.

use std::borrow::Cow;

use super::calendar::{Date, year};
use super::parties::Buyer;
use super::rng::Rng;
use super::words::{CatalogueItem, Trade, fill};

/// Maximum number of items in a contract.
const CONTRACT_ITEMS: u64 = 40;
/// Maximum number of items in a lot.
const CARD_ITEMS: u64 = 12;
/// Approximate maximum length of a subject, in characters.
const LONGEST: u64 = 1_450;

#[derive(Clone)]
pub struct Position {
    pub item: &'static CatalogueItem,
    /// Text after the item's name, such as a size; may be empty.
    pub feature: String,
    /// OKPD2 code of the item, or a wider one.
    pub okpd2: &'static str,
    /// Code in the state catalogue (KTRU), if any.
    pub catalogue: Option<String>,
    pub quantity: u64,
    /// Unit price in the notice, in kopecks.
    pub unit_price: u64,
}

impl Position {
    /// The name of the item, followed by its feature.
    pub fn name(&self) -> Cow<'_, str> {
        match &*self.feature {
            "" => Cow::Borrowed(&self.item.name),
            feature => Cow::Owned(format!("{}, {feature}", self.item.name)),
        }
    }

    /// The KTRU code or, without one, the OKPD2 code.
    pub fn code(&self) -> &str {
        self.catalogue.as_deref().unwrap_or(self.okpd2)
    }

    /// Total price in the notice, in kopecks.
    pub fn sum(&self) -> u64 {
        self.quantity * self.unit_price
    }
}

pub struct Deal {
    pub buyer: Buyer,
    pub trade: &'static Trade,
    pub subject: String,
    pub positions: Vec<Position>,
    /// Reduction of the initial price, in thousandths.
    pub cut: u64,
    /// Required performance guarantee and advance, in hundredths of a percent.
    pub guarantee: Option<u64>,
    pub advance: Option<u64>,
    pub bank_support: bool,
    pub treasury_support: bool,
}

impl Deal {
    /// Draws the terms of a purchase. With `carded`, the purchase has a card, and fewer positions.
    pub fn new(
        rng: &mut Rng,
        buyer: Buyer,
        trade: &'static Trade,
        day: Date,
        carded: bool,
    ) -> Self {
        let (wording, items) = wording(rng, trade);
        let positions = positions(rng, trade, items, day, carded);
        let subject = subject(rng, &buyer, wording, &positions, day);
        let cut = match rng.percent(38) {
            true => 0,
            false => rng.log_uniform(4, 380),
        };
        let guarantee = rng.maybe(68, &[500, 500, 1_000, 1_000, 1_000, 3_000, 100]);
        let advance = rng.maybe(14, &[3_000, 1_000, 5_000, 2_000, 1_250]);
        let large = total(&positions) > 1_000_000_000;
        Self {
            buyer,
            trade,
            subject,
            positions,
            cut,
            guarantee: guarantee.copied(),
            advance: advance.copied(),
            bank_support: rng.percent(if large { 9 } else { 1 }),
            treasury_support: rng.percent(if large { 22 } else { 2 }),
        }
    }

    /// Initial (maximum) price, in kopecks.
    pub fn initial_price(&self) -> u64 {
        total(&self.positions)
    }

    /// Agreed price of a position, in kopecks.
    pub fn agreed(&self, position: &Position) -> u64 {
        (position.sum() * (1000 - self.cut) / 1000).max(1)
    }

    /// Agreed price of the contract, in kopecks.
    pub fn price(&self) -> u64 {
        let agreed = self.positions.iter().map(|position| self.agreed(position));
        agreed.sum()
    }
}

/// Draws a wording for the subject, and the items that the wording fits. Very short and very long
/// wordings are rarer. Lengths are in bytes; a Cyrillic letter takes two.
fn wording(rng: &mut Rng, trade: &'static Trade) -> (&'static str, &'static [CatalogueItem]) {
    let wording = rng.pick_word(&trade.subjects);
    let again = match wording.len() {
        0..70 => 60,
        180.. => 70,
        _ => 0,
    };
    let wording = rng
        .maybe(again, &trade.subjects)
        .map_or(wording, String::as_str);
    let only = wording.strip_prefix('#').and_then(|rest| {
        let (index, rest) = rest.split_at_checked(1)?;
        let index: usize = index.parse().ok()?;
        Some((rest, trade.items.get(index..=index)?))
    });
    only.unwrap_or((wording, &trade.items))
}

/// Total price of positions in the notice, in kopecks.
pub fn total(positions: &[Position]) -> u64 {
    positions.iter().map(Position::sum).sum()
}

/// Draws positions: divides a total price into equal shares and buys one item for each.
pub fn positions(
    rng: &mut Rng,
    trade: &'static Trade,
    items: &'static [CatalogueItem],
    day: Date,
    carded: bool,
) -> Vec<Position> {
    let most = if carded { CARD_ITEMS } else { CONTRACT_ITEMS };
    let count = match rng.below(100) {
        0..82 => 1,
        82..97 => rng.between(2, 3),
        97..99 => rng.between(4, 8),
        _ => rng.log_uniform(8, CONTRACT_ITEMS),
    };
    // Works and services have few positions; goods may be a long list.
    let most = if trade.is_goods() { most } else { 4 };
    let count = count.min(most);
    let price = rng.log_uniform(trade.size.0 * 100_000, trade.size.1 * 100_000);
    let share = (price / count).max(1);
    let position = |_| {
        let item = rng.pick(items);
        let unit_price = rng.log_uniform(item.price.0 * 100, item.price.1 * 100);
        let quantity = (rng.between(share / 3, share + share / 2) / unit_price).max(1);
        let catalogued = year(day) >= 2018 && rng.percent(38);
        let in_market = !item.features.is_empty();
        Position {
            item,
            feature: match in_market && rng.percent(85) {
                true => rng.pick_word(&item.features).to_owned(),
                false => String::new(),
            },
            okpd2: match in_market && rng.percent(20) {
                true => wider(rng, &item.okpd2),
                false => &item.okpd2,
            },
            // KTRU codes of drugs have fewer digits.
            catalogue: catalogued.then(|| {
                let width = if trade.drugs { 5 } else { 8 };
                let last = if in_market { 40 } else { 4_000 };
                format!("{}-{:0width$}", item.okpd2, rng.log_uniform(1, last))
            }),
            quantity,
            unit_price,
        }
    };
    (0..count).map(position).collect()
}

/// Draws a level above an OKPD2 code, most often the one directly above.
fn wider(rng: &mut Rng, okpd2: &'static str) -> &'static str {
    let levels: Vec<&str> = okpd2
        .match_indices('.')
        .filter_map(|(at, _)| okpd2.get(..at))
        .collect();
    levels
        .last()
        .map_or(okpd2, |last| rng.maybe(40, &levels).unwrap_or(last))
}

fn subject(
    rng: &mut Rng,
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
        'a' if rng.percent(12) => buyer.some_address(rng),
        'a' => format!("г. {}, {}", buyer.town(), buyer.street(rng)),
        'p' => span(rng, day),
        'y' => year.to_string(),
        'k' => rng.between(2, 9).to_string(),
        'z' => (year % 100 * 10_000 + rng.below(10_000)).to_string(),
        't' => buyer.town().to_owned(),
        'N' | 'D' | 'A' | 'I' | 'P' => positions.first().map_or(String::new(), |position| {
            position.item.in_case(letter).to_owned()
        }),
        _ => rng.log_uniform(2, 700).to_string(),
    });
    if wording.starts_with("$N") {
        text = capitalised(&text);
    }
    // A short subject often names the customer. The length is in bytes, two per letter.
    let often = if text.len() < 110 { 80 } else { 1 };
    if !wording.contains("$c") && !wording.starts_with("МНН") && rng.percent(often) {
        text = format!("{text} для нужд {}", buyer.short_name());
    }
    match rng.below(1_000) {
        0..3 => add_places(rng, buyer, &mut text, LONGEST),
        3..14 => add_places(rng, buyer, &mut text, 360),
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

/// Lists the names of up to four different positions.
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

fn span(rng: &mut Rng, day: Date) -> String {
    // Late in the year, purchases are for the next year.
    let month = day.month() as u8;
    let year = year(day) + u64::from(month > 9);
    let early = !(5..=9).contains(&month);
    match rng.below(6) {
        0 if early => format!("на первое полугодие {year} года"),
        1 => format!("на второе полугодие {year} года"),
        2 => format!("в IV квартале {year} года"),
        3 if early => format!("на I квартал {year} года"),
        4 => format!("в период с 01.01.{year} по 31.12.{year}"),
        _ => format!("в {year} году"),
    }
}

/// Appends delivery addresses until the text has half to all of `longest` characters.
fn add_places(rng: &mut Rng, buyer: &Buyer, text: &mut String, longest: u64) {
    let enough = rng.between(longest / 2, longest) as usize;
    *text += " по адресам: ";
    *text += &buyer.some_address(rng);
    // On average 5/3 bytes per character: letters have two bytes, digits and spaces one.
    while text.len() < enough * 5 / 3 {
        *text += "; ";
        *text += &buyer.street(rng);
        if rng.percent(20) {
            *text += &format!(" (помещение № {})", rng.between(1, 60));
        }
    }
}

//! The vocabulary: what is bought, by whom and where, and who sells it. Regions, towns,
//! organisations and people are invented; laws, classifiers and turns of phrase are
//! those of the registries.

pub mod documents;
pub mod goods;
pub mod names;
pub mod organisations;
pub mod places;
pub mod services;
pub mod supplies;

/// Something bought: a position of the classifier.
#[derive(Debug)]
pub struct Item {
    /// As a position is called.
    pub name: &'static str,
    /// The same after "supply of".
    pub of: &'static str,
    /// Its position in OKPD2.
    pub okpd2: &'static str,
    /// Its unit, as in [`UNITS`].
    pub unit: usize,
    /// The least and the most that one costs, roubles.
    pub price: (u64, u64),
}

/// One position, in the order of the columns of the tables.
pub const fn item(
    name: &'static str,
    of: &'static str,
    okpd2: &'static str,
    unit: usize,
    price: (u64, u64),
) -> Item {
    Item {
        name,
        of,
        okpd2,
        unit,
        price,
    }
}

/// A kind of business: what it sells, to whom, and how that is worded.
///
/// In a wording `$i` is one item, `$l` several, `$c` the customer's short name, `$a` an
/// address, `$p` a span of time, `$y` a year, `$n` a number, `$k` a small one, `$z` a
/// patient's, `$t` a town. One that begins with `#` and a figure is of the item of that
/// index only.
#[derive(Debug)]
pub struct Trade {
    /// Goods, work or service, as an item's `type` says it.
    pub kind: &'static str,
    /// How subjects are worded.
    pub subjects: &'static [&'static str],
    /// What may be in one.
    pub items: &'static [Item],
    /// The kinds of customer that buy it (bits of [`organisations::KINDS`]).
    pub buyers: u32,
    /// The least and the most that a contract costs, thousands of roubles.
    pub size: (u64, u64),
    /// Are the items drugs?
    pub drugs: bool,
}

/// The units, OKEI code and name.
pub const UNITS: &[(&str, &str)] = &[
    ("796", "Штука"),
    ("778", "Упаковка"),
    ("166", "Килограмм"),
    ("112", "Литр;^кубический дециметр"),
    ("876", "Условная единица"),
    ("539", "Человеко-час"),
    ("055", "Квадратный метр"),
    ("113", "Кубический метр"),
    ("006", "Метр"),
    ("245", "Киловатт-час"),
    ("233", "Гигакалория"),
    ("168", "Тонна;^метрическая тонна (1000 кг)"),
    ("839", "Комплект"),
    ("362", "Месяц"),
];

// Where each stands in it.
pub const PIECE: usize = 0;
pub const PACK: usize = 1;
pub const KILO: usize = 2;
pub const LITRE: usize = 3;
pub const UNIT: usize = 4;
pub const HOUR: usize = 5;
pub const SQUARE: usize = 6;
pub const CUBE: usize = 7;
pub const METRE: usize = 8;
pub const KWH: usize = 9;
pub const GCAL: usize = 10;
pub const TONNE: usize = 11;
pub const SET: usize = 12;
pub const MONTH: usize = 13;

/// How many trades there are.
pub const fn trade_count() -> usize {
    goods::TRADES.len() + supplies::TRADES.len() + services::TRADES.len()
}

/// The trade of an index, which counts round; the first is the largest supplier's.
pub fn trade(index: usize) -> &'static Trade {
    let of = [goods::TRADES, supplies::TRADES, services::TRADES];
    let mut at = index % trade_count();
    for trades in of {
        match trades.get(at) {
            Some(trade) => return trade,
            None => at -= trades.len(),
        }
    }
    &goods::TRADES[0]
}

//! Who sells and who buys. Each is worked out anew from its index wherever it is named,
//! so that nothing but counters is kept.

use super::chance::{Chance, Use};
use super::numbers::{Numbers, ogrn};
use super::words::names::{
    FIRM_BEGINNINGS, FIRM_ENDINGS, FIRM_FORMS, FIRM_QUALITIES, MEN, PATRONYMICS, SURNAMES, WOMEN,
};
use super::words::organisations::{COMPANIES, FUND, KINDS, Kind, MAIL_BOXES, Names, OWN_NAMES};
use super::words::places::{REGIONS, Region, STREET_KINDS, STREETS};
use super::words::trade_count;

/// Where the indexes of companies, funds and suppliers begin among all that numbers are
/// given to; customers are before them.
const COMPANIES_FROM: u64 = 1_000_000;
const FUNDS_FROM: u64 = 1_600_000;
const SUPPLIERS_FROM: u64 = 2_000_000;

/// A natural person.
#[derive(Debug)]
pub struct Person {
    pub last: String,
    pub first: &'static str,
    pub middle: &'static str,
}

impl Person {
    /// Anybody.
    pub fn any(chance: &mut Chance) -> Self {
        let woman = chance.percent(64);
        let mut last = chance.word(SURNAMES).to_owned();
        let (of_a_man, of_a_woman) = *chance.pick(PATRONYMICS);
        if woman {
            last.push('а');
        }
        Self {
            last,
            first: chance.word(if woman { WOMEN } else { MEN }),
            middle: if woman { of_a_woman } else { of_a_man },
        }
    }
}

/// Somebody who sells.
#[derive(Debug)]
pub struct Supplier {
    pub inn: String,
    /// Empty for a person.
    pub kpp: String,
    pub name: String,
    /// The index of what it mostly sells.
    pub trade: usize,
}

impl Supplier {
    /// The supplier of a rank: 0 is the largest.
    pub fn of(seed: u64, numbers: Numbers, rank: u64) -> Self {
        let mut chance = Chance::of(seed, Use::Supplier, rank);
        let region = chance.pick(REGIONS);
        let trade = if rank == 0 {
            0
        } else {
            chance.below(trade_count() as u64)
        };
        let index = SUPPLIERS_FROM + rank;
        let trade = trade as usize;
        if rank > 0 && chance.percent(15) {
            let person = Person::any(&mut chance);
            let form = if chance.percent(70) {
                "ИНДИВИДУАЛЬНЫЙ ПРЕДПРИНИМАТЕЛЬ"
            } else {
                "ИП"
            };
            let name = format!("{form} {} {} {}", person.last, person.first, person.middle);
            return Self {
                inn: numbers.person(region.code, index),
                kpp: String::new(),
                name: name.to_uppercase(),
                trade,
            };
        }
        let inn = numbers.organisation(region.code, index);
        Self {
            kpp: kpp(&inn, &mut chance),
            inn,
            name: firm_name(&mut chance),
            trade,
        }
    }
}

fn firm_name(chance: &mut Chance) -> String {
    let form = chance.word(FIRM_FORMS);
    let (begin, end) = (chance.word(FIRM_BEGINNINGS), chance.word(FIRM_ENDINGS));
    let other = chance.word(FIRM_BEGINNINGS);
    match chance.below(12) {
        0 => format!("{form} \"{} \"{begin}{end}\"", chance.word(FIRM_QUALITIES)),
        1 => format!("{form} \"{begin} & {other}\""),
        2 => format!("{form} \"{begin}{end}-{}\"", chance.between(2, 99)),
        3 => format!("{form} «{begin}-{end}»"),
        4 => format!("{form} \"{}\"", chance.word(OWN_NAMES).to_uppercase()),
        5 => format!("{form} \"{} {begin}{end}\"", chance.word(FIRM_QUALITIES)),
        6 => format!("{form} \"{begin}{other}{end}\""),
        _ => format!("{form} \"{begin}{end}\""),
    }
}

fn kpp(inn: &str, chance: &mut Chance) -> String {
    let reason = if chance.percent(90) { "01" } else { "43" };
    format!("{}{reason}001", inn.get(..4).unwrap_or_default())
}

/// An organisation that buys, or that answers for a purchase.
#[derive(Debug)]
pub struct Customer {
    pub index: u64,
    pub region: &'static Region,
    town: usize,
    pub kind: usize,
    number: u64,
    own_name: &'static str,
    /// Of what is always the same about it.
    seed: u64,
    /// Whose it is: 1 the federation's, 2 the region's, 3 the town's.
    pub level: u64,
    pub inn: String,
    pub kpp: String,
    /// Its number among customers: 11 digits, the beginning of its purchases' numbers.
    pub code: String,
    names: Names,
}

impl Customer {
    /// Of which kind the customer of an index is.
    pub fn kind_of(seed: u64, index: u64) -> usize {
        let mut share = Chance::of(seed, Use::Kind, index).below(100);
        let counted = |kind: &Kind| {
            let found = share < kind.share;
            share = share.wrapping_sub(kind.share);
            found
        };
        KINDS.iter().position(counted).unwrap_or_default()
    }

    /// A customer under 44-FZ.
    pub fn of(seed: u64, numbers: Numbers, index: u64) -> Self {
        let kind = Self::kind_of(seed, index);
        let mut chance = Chance::of(seed, Use::Customer, index);
        let Kind { names, level, .. } = KINDS[kind];
        // Long names are rarer (in bytes: a letter has two).
        let mut called = *chance.pick(names);
        if called.0.len() > 155 && chance.percent(65) {
            called = *chance.pick(names);
        }
        Self::new(&mut chance, numbers, index, (kind, level), called)
    }

    /// A customer under 223-FZ.
    pub fn company(seed: u64, numbers: Numbers, index: u64) -> Self {
        let mut chance = Chance::of(seed, Use::Company, index);
        let names = *chance.pick(COMPANIES);
        Self::new(&mut chance, numbers, COMPANIES_FROM + index, (0, 2), names)
    }

    /// The fund of capital repairs of the region of an index.
    pub fn fund(seed: u64, numbers: Numbers, index: u64) -> Self {
        let mut chance = Chance::of(seed, Use::Fund, index);
        let mut fund = Self::new(&mut chance, numbers, FUNDS_FROM + index, (0, 2), FUND);
        fund.region = &REGIONS[index as usize % REGIONS.len()];
        fund.code.replace_range(2..4, fund.region.oktmo);
        fund.inn = numbers.organisation(fund.region.code, FUNDS_FROM + index);
        fund.kpp = kpp(&fund.inn, &mut chance);
        fund
    }

    /// One of a kind and level.
    fn new(
        chance: &mut Chance,
        numbers: Numbers,
        index: u64,
        (kind, level): (usize, u64),
        names: Names,
    ) -> Self {
        let region = chance.pick(REGIONS);
        let inn = numbers.organisation(region.code, index);
        // The chief town is the largest.
        let town = chance.few(region.towns.len() as u64) as usize - 1;
        Self {
            index,
            region,
            town,
            kind,
            number: chance.wide(1, 400),
            own_name: chance.word(OWN_NAMES),
            seed: chance.below(u64::MAX),
            level,
            kpp: kpp(&inn, chance),
            inn,
            code: format!(
                "0{level}{}{}{:06}",
                region.oktmo,
                chance.between(2, 5),
                index % 1_000_000
            ),
            names,
        }
    }

    /// The row of numbers of what is always the same about it.
    fn own_chance(&self, purpose: Use) -> Chance {
        Chance::of(self.seed, purpose, self.index)
    }

    /// The town it is in.
    pub fn town(&self) -> &'static str {
        self.region.towns[self.town].0
    }

    /// A wording with what stands for its number, town, region and name of its own.
    pub fn fill(&self, wording: &str, out: &mut String) {
        let mut chars = wording.chars();
        while let Some(char) = chars.next() {
            if char != '$' {
                out.push(char);
                continue;
            }
            match chars.next() {
                Some('n') => push_number(out, self.number),
                Some('t') => out.push_str(self.region.towns[self.town].1),
                Some('T') => out.push_str(self.town()),
                Some('r') => out.push_str(self.region.of),
                _ => out.push_str(self.own_name),
            }
        }
    }

    /// Its name in full, in capitals as the registries have it.
    pub fn full_name(&self) -> String {
        let mut name = String::with_capacity(320);
        self.fill(self.names.0, &mut name);
        name.to_uppercase()
    }

    /// How subjects call it.
    pub fn short_name(&self, out: &mut String) {
        self.fill(self.names.1, out);
    }

    /// Its state registration number.
    pub fn ogrn(&self) -> String {
        let mut chance = self.own_chance(Use::Numbers);
        ogrn(
            chance.between(2002, 2021),
            self.region.code,
            chance.below(10_000_000),
        )
    }

    /// Where it is.
    pub fn address(&self) -> String {
        let mut address = String::with_capacity(160);
        self.push_address(&mut self.own_chance(Use::Address), &mut address);
        address
    }

    /// Some address in its town.
    pub fn push_address(&self, chance: &mut Chance, out: &mut String) {
        let (office, region, town) = (chance.below(1_000), self.region, self.town());
        let index = 100 * self.region.code.parse::<u64>().unwrap_or(96);
        push_number(out, index + office / 10);
        push_number(out, 10 + chance.below(90));
        if !region.short.ends_with(town) {
            out.push_str(", ");
            out.push_str(region.short);
        }
        out.push_str(", г ");
        out.push_str(town);
        out.push_str(", ");
        self.push_street(chance, out);
    }

    /// Some street and house.
    pub fn push_street(&self, chance: &mut Chance, out: &mut String) {
        let street = chance.word(STREETS);
        // "Набережная" is a street's; "Мира" may be an avenue's.
        let of_somebody = !street.ends_with("ая");
        out.push_str(if of_somebody {
            chance.word(STREET_KINDS)
        } else {
            "ул"
        });
        out.push(' ');
        out.push_str(street);
        out.push_str(", д. ");
        push_number(out, chance.wide(1, 180));
        if chance.percent(12) {
            out.push_str(", корп. ");
            push_number(out, chance.between(1, 5));
        }
    }

    /// Whom to ask there: always the same one.
    pub fn contact(&self) -> Person {
        Person::any(&mut self.own_chance(Use::Contact))
    }

    /// Its telephone, of an area that no telephone is in.
    pub fn phone(&self) -> String {
        let mut chance = self.own_chance(Use::Telephone);
        let area = self.region.oktmo;
        format!("7-2{area}-{:07}", chance.between(2_100_000, 7_999_999))
    }

    /// Its address for mail.
    pub fn email(&self) -> String {
        let mut chance = self.own_chance(Use::Mail);
        let box_name = chance.word(MAIL_BOXES);
        format!("{box_name}{}@example.org", self.index)
    }

    /// The budget it spends: code and name.
    pub fn budget(&self) -> (String, String) {
        let (region, town) = (self.region, self.town());
        match self.level {
            1 => ("99010001".to_owned(), "Федеральный бюджет".to_owned()),
            2 => (
                format!("{}000001", region.oktmo),
                format!("Бюджет {}", region.of),
            ),
            _ => {
                let name = match self.number % 8 {
                    0..4 => format!("Бюджет города {}", region.towns[self.town].1),
                    4..7 => format!("Бюджет муниципального образования \"Город {town}\""),
                    _ => format!("Бюджет городского округа город {town} {}", region.of),
                };
                (format!("{}7{:02}001", region.oktmo, self.town), name)
            }
        }
    }

    /// Its territory: code, hyphen, name.
    pub fn territory(&self) -> String {
        let (region, town) = (self.region, self.town());
        match self.number % 24 {
            0..6 if self.level < 3 => format!("{}000000-{}", region.oktmo, region.name),
            0..12 => format!("{}70{}000-город {town}", region.oktmo, self.town + 1),
            12 => format!(
                "{}70{}000-Муниципальные образования {} / Городские округа {} / город {town}",
                region.oktmo,
                self.town + 1,
                region.of,
                region.of,
            ),
            _ => format!("{}70{}000001-г {town}", region.oktmo, self.town + 1),
        }
    }
}

/// Writes a number into a text.
pub fn push_number(out: &mut String, number: u64) {
    use std::fmt::Write as _;
    // Writing into a text does not fail.
    let _ = write!(out, "{number}");
}

//! Who sells and who buys. Each is worked out anew from its index wherever it is named,
//! so that nothing but counters is kept.

use super::chance::{Chance, Use};
use super::json_line::JsonLine;
use super::numbers::{Numbers, ogrn};
use super::words::{BuyerKind, Names, Region, words};

/// Where the indexes of companies, funds and sellers begin among all that numbers are
/// given to; institutions are before them.
const COMPANIES_FROM: u64 = 1_000_000;
const FUNDS_FROM: u64 = 1_600_000;
const SELLERS_FROM: u64 = 2_000_000;

/// A natural person.
#[derive(Debug)]
pub struct Person {
    last: String,
    first: &'static str,
    middle: &'static str,
}

impl Person {
    /// Anybody.
    pub fn new(chance: &mut Chance) -> Self {
        let words = words();
        let woman = chance.percent(64);
        let last = chance.word(&words.names.surnames);
        let [of_a_man, of_a_woman] = chance.pick(&words.names.patronymics);
        let (last, middle, first) = if woman {
            (format!("{last}а"), of_a_woman, &words.names.women)
        } else {
            (last.to_owned(), of_a_man, &words.names.men)
        };
        Self {
            last,
            first: chance.word(first),
            middle,
        }
    }

    /// Writes the name as an object.
    pub fn write(&self, json: &mut JsonLine) {
        json.object("contactPerson", |json| {
            json.text("lastName", &self.last);
            json.text("firstName", self.first);
            json.text("middleName", self.middle);
        });
    }
}

/// A supplier.
#[derive(Debug)]
pub struct Seller {
    inn: String,
    /// Empty for a person.
    kpp: String,
    name: String,
    /// The index of what it mostly sells.
    pub trade: usize,
}

impl Seller {
    /// The seller of a rank: 0 is the largest.
    pub fn new(seed: u64, numbers: Numbers, rank: u64) -> Self {
        let mut chance = Chance::new(seed, Use::Supplier, rank);
        let region = chance.pick(&words().places.regions);
        let trade = match rank {
            0 => 0,
            _ => chance.below(words().trades.len() as u64) as usize,
        };
        let index = SELLERS_FROM + rank;
        if rank > 0 && chance.percent(15) {
            let person = Person::new(&mut chance);
            let form = match chance.percent(70) {
                true => "ИНДИВИДУАЛЬНЫЙ ПРЕДПРИНИМАТЕЛЬ",
                false => "ИП",
            };
            let name = format!("{form} {} {} {}", person.last, person.first, person.middle);
            return Self {
                inn: numbers.person(&region.code, index),
                kpp: String::new(),
                name: name.to_uppercase(),
                trade,
            };
        }
        let inn = numbers.organisation(&region.code, index);
        Self {
            kpp: kpp(&inn, &mut chance),
            inn,
            name: firm_name(&mut chance),
            trade,
        }
    }

    /// Writes it as lines name it that are about it.
    pub fn write(&self, json: &mut JsonLine) {
        json.object("supplier", |json| {
            json.text("inn", &self.inn);
            json.text("name", &self.name);
        });
    }

    /// Writes the fields of one as a card has them, if there is one.
    pub fn write_in_card(seller: Option<&Self>, json: &mut JsonLine) {
        json.optional("name", seller.map(|it| it.name.as_str()));
        json.optional("inn", seller.map(|it| it.inn.as_str()));
        json.optional("kpp", seller.map(|it| it.kpp.as_str()));
    }
}

fn firm_name(chance: &mut Chance) -> String {
    let words = words();
    let form = chance.word(&words.names.firm_forms);
    let begin = chance.word(&words.names.firm_beginnings);
    let end = chance.word(&words.names.firm_endings);
    let other = chance.word(&words.names.firm_beginnings);
    match chance.below(12) {
        0 => {
            let quality = chance.word(&words.names.firm_qualities);
            format!("{form} \"{quality} \"{begin}{end}\"")
        }
        1 => format!("{form} \"{begin} & {other}\""),
        2 => format!("{form} \"{begin}{end}-{}\"", chance.between(2, 99)),
        3 => format!("{form} «{begin}-{end}»"),
        4 => {
            let name = chance.word(&words.organisations.own_names).to_uppercase();
            format!("{form} \"{name}\"")
        }
        5 => {
            let quality = chance.word(&words.names.firm_qualities);
            format!("{form} \"{quality} {begin}{end}\"")
        }
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
pub struct Buyer {
    pub index: u64,
    pub region: &'static Region,
    town: usize,
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
    names: &'static Names,
}

impl Buyer {
    /// Of which kind the institution of an index is.
    pub fn kind(seed: u64, index: u64) -> &'static BuyerKind {
        let share = Chance::new(seed, Use::Kind, index).below(100);
        let mut passed = 0;
        let kinds = &words().organisations.kinds;
        let reached = kinds.iter().find(|kind| {
            passed += kind.share;
            share < passed
        });
        reached.unwrap_or(&kinds[0])
    }

    /// A customer under 44-FZ.
    pub fn institution(seed: u64, numbers: Numbers, index: u64) -> Self {
        let kind = Self::kind(seed, index);
        let mut chance = Chance::new(seed, Use::Customer, index);
        // Long names are rarer (in bytes: a letter has two).
        let mut names = chance.pick(&kind.names);
        if names[0].len() > 155 && chance.percent(65) {
            names = chance.pick(&kind.names);
        }
        Self::new(&mut chance, numbers, index, kind.level, names)
    }

    /// A customer under 223-FZ.
    pub fn company(seed: u64, numbers: Numbers, index: u64) -> Self {
        let mut chance = Chance::new(seed, Use::Company, index);
        let names = chance.pick(&words().organisations.companies);
        Self::new(&mut chance, numbers, COMPANIES_FROM + index, 2, names)
    }

    /// The fund of capital repairs of the region of an index.
    pub fn fund(seed: u64, numbers: Numbers, index: u64) -> Self {
        let mut chance = Chance::new(seed, Use::Fund, index);
        let (at, regions) = (FUNDS_FROM + index, &words().places.regions);
        let mut fund = Self::new(&mut chance, numbers, at, 2, &words().organisations.fund);
        fund.region = &regions[index as usize % regions.len()];
        fund.code.replace_range(2..4, &fund.region.oktmo);
        fund.inn = numbers.organisation(&fund.region.code, at);
        fund.kpp = kpp(&fund.inn, &mut chance);
        fund
    }

    /// One of a kind and level.
    fn new(
        chance: &mut Chance,
        numbers: Numbers,
        index: u64,
        level: u64,
        names: &'static Names,
    ) -> Self {
        let region = chance.pick(&words().places.regions);
        let inn = numbers.organisation(&region.code, index);
        // The chief town is the largest.
        let town = chance.few(region.towns.len() as u64) as usize - 1;
        let number = chance.wide(1, 400);
        let own_name = chance.word(&words().organisations.own_names);
        let seed = chance.below(u64::MAX);
        let kpp = kpp(&inn, chance);
        let (oktmo, row) = (&region.oktmo, chance.between(2, 5));
        Self {
            index,
            region,
            town,
            number,
            own_name,
            seed,
            level,
            inn,
            kpp,
            code: format!("0{level}{oktmo}{row}{:06}", index % 1_000_000),
            names,
        }
    }

    /// The row of numbers of what is always the same about it.
    fn own_chance(&self, purpose: Use) -> Chance {
        Chance::new(self.seed, purpose, self.index)
    }

    /// The town it is in.
    pub fn town(&self) -> &'static str {
        &self.region.towns[self.town][0]
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
                Some('t') => out.push_str(&self.region.towns[self.town][1]),
                Some('T') => out.push_str(self.town()),
                Some('r') => out.push_str(&self.region.genitive),
                _ => out.push_str(self.own_name),
            }
        }
    }

    /// Its name in full, in capitals as the registries have it.
    pub fn full_name(&self) -> String {
        let mut name = String::with_capacity(320);
        self.fill(&self.names[0], &mut name);
        name.to_uppercase()
    }

    /// How subjects call it.
    pub fn short_name(&self, out: &mut String) {
        self.fill(&self.names[1], out);
    }

    /// Its state registration number.
    pub fn ogrn(&self) -> String {
        let mut chance = self.own_chance(Use::Numbers);
        let (year, digits) = (chance.between(2002, 2021), chance.below(10_000_000));
        ogrn(year, &self.region.code, digits)
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
            out.push_str(&region.short);
        }
        out.push_str(", г ");
        out.push_str(town);
        out.push_str(", ");
        self.push_street(chance, out);
    }

    /// Some street and house.
    pub fn push_street(&self, chance: &mut Chance, out: &mut String) {
        let street = chance.word(&words().places.streets);
        // "Набережная" is a street's; "Мира" may be an avenue's.
        let of_somebody = !street.ends_with("ая");
        let kind = of_somebody.then(|| chance.word(&words().places.street_kinds));
        out.push_str(kind.unwrap_or("ул"));
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
        Person::new(&mut self.own_chance(Use::Contact))
    }

    /// Its telephone, of an area that no telephone is in.
    pub fn phone(&self) -> String {
        let mut chance = self.own_chance(Use::Telephone);
        let area = &self.region.oktmo;
        format!("7-2{area}-{:07}", chance.between(2_100_000, 7_999_999))
    }

    /// Its address for mail.
    pub fn email(&self) -> String {
        let mut chance = self.own_chance(Use::Mail);
        let box_name = chance.word(&words().organisations.mail_boxes);
        format!("{box_name}{}@example.org", self.index)
    }

    /// The budget it spends: code and name.
    pub fn budget(&self) -> (String, String) {
        let (region, town) = (self.region, self.town());
        match self.level {
            1 => ("99010001".to_owned(), "Федеральный бюджет".to_owned()),
            2 => (
                format!("{}000001", region.oktmo),
                format!("Бюджет {}", region.genitive),
            ),
            _ => {
                let name = match self.number % 8 {
                    0..4 => format!("Бюджет города {}", region.towns[self.town][1]),
                    4..7 => format!("Бюджет муниципального образования \"Город {town}\""),
                    _ => format!("Бюджет городского округа город {town} {}", region.genitive),
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
                region.genitive,
                region.genitive,
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

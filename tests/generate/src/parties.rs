//! Sellers and buyers. Each is computed from its index wherever it is named, so that
//! nothing but counters is stored.

use super::calendar::{Date, year};
use super::chance::{Chance, Purpose};
use super::json_line::JsonLine;
use super::numbers::{Numbers, ogrn};
use super::words::{BuyerKind, InventedRegion, Names, fill, words};

/// Where the indexes of companies, funds and sellers begin for numbers; institutions come
/// before them.
const COMPANIES_FROM: u64 = 1_000_000;
const FUNDS_FROM: u64 = 1_600_000;
const SELLERS_FROM: u64 = 2_000_000;

/// A natural person.
pub struct Person {
    last: String,
    first: &'static str,
    middle: &'static str,
}

impl Person {
    /// A random person.
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

    /// Writes the name as an object, empty if it is not `stated`.
    pub fn write(&self, stated: bool, json: &mut JsonLine) {
        json.object("contactPerson", |json| {
            let names = [&*self.last, self.first, self.middle];
            let names = if stated { names } else { [""; 3] };
            json.texts(["lastName", "firstName", "middleName"], names);
        });
    }
}

/// A supplier.
pub struct Seller {
    inn: String,
    /// Empty for a person.
    kpp: String,
    name: String,
    /// The index of its main trade.
    pub trade: usize,
}

impl Seller {
    /// The seller of a rank: 0 is the largest.
    pub fn new(seed: u64, numbers: Numbers, rank: u64) -> Self {
        let mut chance = Chance::new(seed, Purpose::Supplier, rank);
        let region = chance.pick(&words().places.regions);
        let trade = match rank {
            0 => 0,
            _ => chance.below(words().trades.len() as u64) as usize,
        };
        let index = SELLERS_FROM + rank;
        let (inn, kpp, name) = if rank > 0 && chance.percent(15) {
            let person = Person::new(&mut chance);
            let name = format!("{} {} {}", person.last, person.first, person.middle);
            let name = match chance.below(100) {
                0..50 => format!("ИНДИВИДУАЛЬНЫЙ ПРЕДПРИНИМАТЕЛЬ {}", name.to_uppercase()),
                50..70 => format!("ИП {}", name.to_uppercase()),
                _ => name,
            };
            let inn = numbers.person(&region.code, index);
            (inn, String::new(), name)
        } else {
            let inn = numbers.organisation(&region.code, index);
            let kpp = kpp(&inn, &mut chance);
            (inn, kpp, firm_name(&mut chance))
        };
        Self {
            inn,
            kpp,
            name,
            trade,
        }
    }

    /// Writes it as the `supplier` of a line.
    pub fn write(&self, json: &mut JsonLine) {
        json.object("supplier", |json| {
            json.texts(["inn", "name"], [&self.inn, &self.name]);
        });
    }

    /// Writes its fields on a card, if there is one.
    pub fn write_in_card(seller: Option<&Self>, json: &mut JsonLine) {
        json.optional("name", seller.map(|it| it.name.as_str()));
        json.optional("inn", seller.map(|it| it.inn.as_str()));
        json.optional("kpp", seller.map(|it| it.kpp.as_str()));
    }

    /// Writes a contract on a card, if there is one: number, price, last day, supplier.
    pub fn write_contract(contract: Option<(&str, u64, Date, &Self)>, json: &mut JsonLine) {
        json.object("contract", |json| {
            json.optional("regNum", contract.map(|(number, ..)| number));
            json.amount("price", contract.map(|(_, price, ..)| price));
            json.object("executionPeriod", |json| {
                json.dotted("endDate", contract.map(|(_, _, ends, _)| ends));
            });
            let sellers = contract.map(|(.., seller)| seller);
            json.items("suppliers/supplier", sellers, |json, seller| {
                Self::write_in_card(Some(seller), json);
            });
        });
    }
}

fn firm_name(chance: &mut Chance) -> String {
    let words = words();
    let form = chance.word(&words.names.firm_forms);
    let begin = chance.word(&words.names.firm_beginnings);
    let end = chance.word(&words.names.firm_endings);
    let other = chance.word(&words.names.firm_beginnings);
    let quality = |chance: &mut Chance| chance.word(&words.names.firm_qualities);
    let own = |chance: &mut Chance| chance.word(&words.organisations.own_names);
    match chance.below(12) {
        0 => format!("{form} \"{} \"{begin}{end}\"", quality(chance)),
        1 => format!("{form} \"{begin} & {other}\""),
        2 => format!("{form} \"{begin}{end}-{}\"", chance.between(2, 99)),
        3 => format!("{form} «{begin}-{end}»"),
        4 => format!("{form} \"{}\"", own(chance).to_uppercase()),
        5 => format!("{form} \"{} {begin}{end}\"", quality(chance)),
        6 => format!("{form} \"{begin}{other}{end}\""),
        _ => format!("{form} \"{begin}{end}\""),
    }
}

fn kpp(inn: &str, chance: &mut Chance) -> String {
    let reason = if chance.percent(90) { "01" } else { "43" };
    format!("{}{reason}001", inn.get(..4).unwrap_or_default())
}

/// An organisation that buys, or is responsible for a purchase.
pub struct Buyer {
    pub index: u64,
    pub region: &'static InventedRegion,
    town: usize,
    number: u64,
    own_name: &'static str,
    /// The seed of its fixed properties.
    seed: u64,
    /// Its level: 1 federal, 2 regional, 3 municipal.
    pub level: u64,
    pub inn: String,
    pub kpp: String,
    /// Its customer code: 11 digits, with which its purchases' numbers begin.
    pub code: String,
    names: &'static Names,
}

impl Buyer {
    /// The kind of the institution with an index.
    pub fn kind(seed: u64, index: u64) -> &'static BuyerKind {
        let kinds = &words().organisations.kinds;
        Chance::new(seed, Purpose::Kind, index).pick_by_share(kinds, |kind| kind.share)
    }

    /// A customer under 44-FZ.
    pub fn institution(seed: u64, numbers: Numbers, index: u64) -> Self {
        let kind = Self::kind(seed, index);
        let mut chance = Chance::new(seed, Purpose::Customer, index);
        // Long names are rarer (in bytes: a letter has two).
        let mut names = chance.pick(&kind.names);
        if names[0].len() > 155 && chance.percent(65) {
            names = chance.pick(&kind.names);
        }
        Self::new(&mut chance, numbers, index, kind.level, names)
    }

    /// A customer under 223-FZ.
    pub fn company(seed: u64, numbers: Numbers, index: u64) -> Self {
        let mut chance = Chance::new(seed, Purpose::Company, index);
        let names = chance.pick(&words().organisations.companies);
        Self::new(&mut chance, numbers, COMPANIES_FROM + index, 2, names)
    }

    /// The fund of capital repairs in the region of an index.
    pub fn fund(seed: u64, numbers: Numbers, index: u64) -> Self {
        let mut chance = Chance::new(seed, Purpose::Fund, index);
        let (at, regions) = (FUNDS_FROM + index, &words().places.regions);
        let mut fund = Self::new(&mut chance, numbers, at, 2, &words().organisations.fund);
        fund.region = &regions[index as usize % regions.len()];
        fund.code.replace_range(2..4, &fund.region.oktmo);
        fund.inn = numbers.organisation(&fund.region.code, at);
        fund.kpp = kpp(&fund.inn, &mut chance);
        fund
    }

    /// A buyer of a kind and level.
    fn new(
        chance: &mut Chance,
        numbers: Numbers,
        index: u64,
        level: u64,
        names: &'static Names,
    ) -> Self {
        let region = chance.pick(&words().places.regions);
        let inn = numbers.organisation(&region.code, index);
        // The main town is the largest.
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

    /// The number of a contract of its: until 2014 it begins as the numbers of its purchases
    /// do, then with its level and INN.
    pub fn contract_number(&self, signed: Date, ordinal: u64) -> String {
        let Self {
            level, inn, code, ..
        } = self;
        match year(signed) {
            ..2015 => format!("{code}{:02}{ordinal:06}", year(signed) % 100),
            year => format!("{level}{inn}{:02}{ordinal:06}", year % 100),
        }
    }

    /// The random numbers of its fixed properties.
    fn own_chance(&self, purpose: Purpose) -> Chance {
        Chance::new(self.seed, purpose, self.index)
    }

    /// The town it is in.
    pub fn town(&self) -> &'static str {
        &self.region.towns[self.town][0]
    }

    /// Its name after "город".
    fn of_town(&self) -> &'static str {
        &self.region.towns[self.town][1]
    }

    /// The replacement of a letter in its names.
    fn stands_for(&self, letter: char) -> String {
        match letter {
            'n' => self.number.to_string(),
            't' => self.of_town().to_owned(),
            'T' => self.town().to_owned(),
            'r' => self.region.genitive.clone(),
            _ => self.own_name.to_owned(),
        }
    }

    /// Its full name: as in the registries mostly in capitals.
    pub fn full_name(&self) -> String {
        let name = fill(&self.names[0], |letter| self.stands_for(letter));
        match self.number % 5 {
            0 => name,
            _ => name.to_uppercase(),
        }
    }

    /// Its name in subjects.
    pub fn short_name(&self) -> String {
        fill(&self.names[1], |letter| self.stands_for(letter))
    }

    /// Its state registration number.
    pub fn ogrn(&self) -> String {
        let mut chance = self.own_chance(Purpose::Numbers);
        let (year, digits) = (chance.between(2002, 2021), chance.below(10_000_000));
        ogrn(year, &self.region.code, digits)
    }

    /// Its address.
    pub fn address(&self) -> String {
        self.some_address(&mut self.own_chance(Purpose::Address))
    }

    /// A random address in its town.
    pub fn some_address(&self, chance: &mut Chance) -> String {
        let InventedRegion { code, short, .. } = self.region;
        let town = self.town();
        let office = 100 * code.parse::<u64>().unwrap_or(96) + chance.below(1_000) / 10;
        let index = format!("{office}{}", 10 + chance.below(90));
        let street = self.street(chance);
        match short.ends_with(town) {
            true => format!("{index}, г {town}, {street}"),
            false => format!("{index}, {short}, г {town}, {street}"),
        }
    }

    /// A random street and house.
    pub fn street(&self, chance: &mut Chance) -> String {
        let street = chance.word(&words().places.streets);
        // "Набережная" fits streets only; "Мира" fits avenues too.
        let of_somebody = !street.ends_with("ая");
        let kind = of_somebody.then(|| chance.word(&words().places.street_kinds));
        let house = chance.wide(1, 180);
        let block = chance.percent(12).then(|| chance.between(1, 5));
        let block = block.map_or(String::new(), |block| format!(", корп. {block}"));
        format!("{} {street}, д. {house}{block}", kind.unwrap_or("ул"))
    }

    /// Its contact person, always the same.
    pub fn contact(&self) -> Person {
        Person::new(&mut self.own_chance(Purpose::Contact))
    }

    /// Its telephone, with an area code that does not exist.
    pub fn phone(&self) -> String {
        let mut chance = self.own_chance(Purpose::Telephone);
        let area = &self.region.oktmo;
        format!("7-2{area}-{:07}", chance.between(2_100_000, 7_999_999))
    }

    /// Its e-mail address.
    pub fn email(&self) -> String {
        let mut chance = self.own_chance(Purpose::Mail);
        let box_name = chance.word(&words().organisations.mail_boxes);
        format!("{box_name}{}@example.org", self.index)
    }

    /// Its budget: code and name.
    pub fn budget(&self) -> (String, String) {
        let InventedRegion {
            oktmo, genitive, ..
        } = self.region;
        let town = self.town();
        let own = match self.number % 8 {
            0..4 => format!("города {}", self.of_town()),
            4..7 => format!("муниципального образования \"Город {town}\""),
            _ => format!("городского округа город {town} {genitive}"),
        };
        let (code, of) = match self.level {
            1 => return ("99010001".to_owned(), "Федеральный бюджет".to_owned()),
            2 => (format!("{oktmo}000001"), genitive),
            _ => (format!("{oktmo}7{:02}001", self.town), &own),
        };
        (code, format!("Бюджет {of}"))
    }

    /// Its territory: code, hyphen, name.
    pub fn territory(&self) -> String {
        let (oktmo, of) = (&self.region.oktmo, &self.region.genitive);
        let (row, town) = (self.town + 1, self.town());
        let all = format!("Муниципальные образования {of} / Городские округа {of}");
        match self.number % 24 {
            0..6 if self.level < 3 => format!("{oktmo}000000-{}", self.region.name),
            0..12 => format!("{oktmo}70{row}000-город {town}"),
            12 => format!("{oktmo}70{row}000-{all} / город {town}"),
            _ => format!("{oktmo}70{row}000001-г {town}"),
        }
    }

    /// Writes its names and registration numbers.
    pub fn write_names(&self, json: &mut JsonLine) {
        json.text("fullName", self.full_name());
        json.texts(["inn", "kpp"], [&self.inn, &self.kpp]);
    }
}

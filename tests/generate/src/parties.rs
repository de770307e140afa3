//! Suppliers (sellers) and customers (buyers). Each is computed from its index wherever it is
//! mentioned, so that only counters have to be stored.

use super::calendar::{Date, year};
use super::json_line::JsonLine;
use super::numbers::{Numbers, ogrn};
use super::rng::{Purpose, Rng};
use super::words::{BuyerKind, InventedRegion, Names, fill, words};

// Indexes from which companies, funds and sellers are numbered; their official numbers are derived
// from these. Institutions start at 0.
const COMPANIES_FROM: u64 = 1_000_000;
const FUNDS_FROM: u64 = 1_600_000;
const SELLERS_FROM: u64 = 2_000_000;

pub struct Person {
    last: String,
    first: &'static str,
    middle: &'static str,
}

impl Person {
    pub fn new(rng: &mut Rng) -> Self {
        let words = words();
        let woman = rng.percent(64);
        let last = rng.pick_word(&words.names.surnames);
        let [male, female] = rng.pick(&words.names.patronymics);
        let (last, middle, first) = if woman {
            (format!("{last}а"), female, &words.names.women)
        } else {
            (last.to_owned(), male, &words.names.men)
        };
        Self {
            last,
            first: rng.pick_word(first),
            middle,
        }
    }

    /// Writes the name as an object; all its fields are `null` unless `stated`.
    pub fn write(&self, stated: bool, json: &mut JsonLine) {
        json.object("contactPerson", |json| {
            let names = [&*self.last, self.first, self.middle];
            let names = if stated { names } else { [""; 3] };
            json.texts(["lastName", "firstName", "middleName"], names);
        });
    }
}

pub struct Seller {
    inn: String,
    /// Empty for a person.
    kpp: String,
    name: String,
    /// Index of the trade in which the seller mostly works.
    pub trade: usize,
}

impl Seller {
    /// Computes the seller with this rank. Rank 0 is the largest seller.
    pub fn new(seed: u64, numbers: Numbers, rank: u64) -> Self {
        let mut rng = Rng::new(seed, Purpose::Supplier, rank);
        let region = rng.pick(&words().places.regions);
        let trade = match rank {
            0 => 0,
            _ => rng.below(words().trades.len() as u64) as usize,
        };
        let index = SELLERS_FROM + rank;
        let (inn, kpp, name) = if rank > 0 && rng.percent(15) {
            let person = Person::new(&mut rng);
            let name = format!("{} {} {}", person.last, person.first, person.middle);
            let name = match rng.below(100) {
                0..50 => format!("ИНДИВИДУАЛЬНЫЙ ПРЕДПРИНИМАТЕЛЬ {}", name.to_uppercase()),
                50..70 => format!("ИП {}", name.to_uppercase()),
                _ => name,
            };
            let inn = numbers.person(&region.code, index);
            (inn, String::new(), name)
        } else {
            let inn = numbers.organisation(&region.code, index);
            let kpp = kpp(&inn, &mut rng);
            (inn, kpp, firm_name(&mut rng))
        };
        Self {
            inn,
            kpp,
            name,
            trade,
        }
    }

    /// Writes the field `supplier` of a line.
    pub fn write(&self, json: &mut JsonLine) {
        json.object("supplier", |json| {
            json.texts(["inn", "name"], [&self.inn, &self.name]);
        });
    }

    /// Writes the fields of a supplier on a card, `null` for `None`.
    pub fn write_in_card(seller: Option<&Self>, json: &mut JsonLine) {
        json.optional("name", seller.map(|it| it.name.as_str()));
        json.optional("inn", seller.map(|it| it.inn.as_str()));
        json.optional("kpp", seller.map(|it| it.kpp.as_str()));
    }

    /// Writes the contract on a card: number, price, last day, supplier. `None` gives empty fields.
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

fn firm_name(rng: &mut Rng) -> String {
    let words = words();
    let form = rng.pick_word(&words.names.firm_forms);
    let begin = rng.pick_word(&words.names.firm_beginnings);
    let end = rng.pick_word(&words.names.firm_endings);
    let other = rng.pick_word(&words.names.firm_beginnings);
    let quality = |rng: &mut Rng| rng.pick_word(&words.names.firm_qualities);
    let own = |rng: &mut Rng| rng.pick_word(&words.organisations.own_names);
    match rng.below(12) {
        0 => format!("{form} \"{} \"{begin}{end}\"", quality(rng)),
        1 => format!("{form} \"{begin} & {other}\""),
        2 => format!("{form} \"{begin}{end}-{}\"", rng.between(2, 99)),
        3 => format!("{form} «{begin}-{end}»"),
        4 => format!("{form} \"{}\"", own(rng).to_uppercase()),
        5 => format!("{form} \"{} {begin}{end}\"", quality(rng)),
        6 => format!("{form} \"{begin}{other}{end}\""),
        _ => format!("{form} \"{begin}{end}\""),
    }
}

fn kpp(inn: &str, rng: &mut Rng) -> String {
    let reason = if rng.percent(90) { "01" } else { "43" };
    format!("{}{reason}001", inn.get(..4).unwrap_or_default())
}

/// An organisation that buys or is responsible for a purchase.
pub struct Buyer {
    pub index: u64,
    pub region: &'static InventedRegion,
    town: usize,
    number: u64,
    own_name: &'static str,
    /// Seed for properties that never change, such as the address.
    seed: u64,
    /// 1 federal, 2 regional, 3 municipal.
    pub level: u64,
    pub inn: String,
    pub kpp: String,
    /// Customer code of 11 digits. The numbers of purchases begin with it.
    pub code: String,
    names: &'static Names,
}

impl Buyer {
    /// Kind of the institution with this index.
    pub fn kind(seed: u64, index: u64) -> &'static BuyerKind {
        let kinds = &words().organisations.kinds;
        Rng::new(seed, Purpose::Kind, index).pick_by_share(kinds, |kind| kind.share)
    }

    /// A customer under 44-FZ.
    pub fn institution(seed: u64, numbers: Numbers, index: u64) -> Self {
        let kind = Self::kind(seed, index);
        let mut rng = Rng::new(seed, Purpose::Customer, index);
        // The longer a name, the rarer. Lengths are in bytes, two per letter.
        let mut names = rng.pick(&kind.names);
        if names[0].len() > 155 && rng.percent(65) {
            names = rng.pick(&kind.names);
        }
        Self::new(&mut rng, numbers, index, kind.level, names)
    }

    /// A customer under 223-FZ.
    pub fn company(seed: u64, numbers: Numbers, index: u64) -> Self {
        let mut rng = Rng::new(seed, Purpose::Company, index);
        let names = rng.pick(&words().organisations.companies);
        Self::new(&mut rng, numbers, COMPANIES_FROM + index, 2, names)
    }

    /// The capital repair fund of the region with this index.
    pub fn fund(seed: u64, numbers: Numbers, index: u64) -> Self {
        let mut rng = Rng::new(seed, Purpose::Fund, index);
        let (at, regions) = (FUNDS_FROM + index, &words().places.regions);
        let mut fund = Self::new(&mut rng, numbers, at, 2, &words().organisations.fund);
        fund.region = &regions[index as usize % regions.len()];
        fund.code.replace_range(2..4, &fund.region.oktmo);
        fund.inn = numbers.organisation(&fund.region.code, at);
        fund.kpp = kpp(&fund.inn, &mut rng);
        fund
    }

    fn new(rng: &mut Rng, numbers: Numbers, index: u64, level: u64, names: &'static Names) -> Self {
        let region = rng.pick(&words().places.regions);
        let inn = numbers.organisation(&region.code, index);
        // Most customers are in the main town.
        let town = rng.geometric(region.towns.len() as u64) as usize - 1;
        let number = rng.log_uniform(1, 400);
        let own_name = rng.pick_word(&words().organisations.own_names);
        let seed = rng.below(u64::MAX);
        let kpp = kpp(&inn, rng);
        let (oktmo, row) = (&region.oktmo, rng.between(2, 5));
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

    /// Returns the number of a contract of this buyer. Numbers begin with the customer code until
    /// 2014, and later with level and INN.
    pub fn contract_number(&self, signed: Date, ordinal: u64) -> String {
        let Self {
            level, inn, code, ..
        } = self;
        match year(signed) {
            ..2015 => format!("{code}{:02}{ordinal:06}", year(signed) % 100),
            year => format!("{level}{inn}{:02}{ordinal:06}", year % 100),
        }
    }

    /// Returns a random sequence for a fixed property. It is always the same.
    fn own_rng(&self, purpose: Purpose) -> Rng {
        Rng::new(self.seed, purpose, self.index)
    }

    pub fn town(&self) -> &'static str {
        &self.region.towns[self.town][0]
    }

    /// Form of the town's name after "город".
    fn of_town(&self) -> &'static str {
        &self.region.towns[self.town][1]
    }

    /// Value of a placeholder in [`Names`].
    fn placeholder(&self, letter: char) -> String {
        match letter {
            'n' => self.number.to_string(),
            't' => self.of_town().to_owned(),
            'T' => self.town().to_owned(),
            'r' => self.region.genitive.clone(),
            _ => self.own_name.to_owned(),
        }
    }

    /// Full name, mostly in capitals, as in the registries.
    pub fn full_name(&self) -> String {
        let name = fill(&self.names[0], |letter| self.placeholder(letter));
        match self.number % 5 {
            0 => name,
            _ => name.to_uppercase(),
        }
    }

    /// Name as used in subjects.
    pub fn short_name(&self) -> String {
        fill(&self.names[1], |letter| self.placeholder(letter))
    }

    /// State registration number.
    pub fn ogrn(&self) -> String {
        let mut rng = self.own_rng(Purpose::Numbers);
        let (year, digits) = (rng.between(2002, 2021), rng.below(10_000_000));
        ogrn(year, &self.region.code, digits)
    }

    /// The buyer's own address.
    pub fn address(&self) -> String {
        self.some_address(&mut self.own_rng(Purpose::Address))
    }

    /// A random address in the same town.
    pub fn some_address(&self, rng: &mut Rng) -> String {
        let InventedRegion { code, short, .. } = self.region;
        let town = self.town();
        let office = 100 * code.parse::<u64>().unwrap_or(96) + rng.below(1_000) / 10;
        let index = format!("{office}{}", 10 + rng.below(90));
        let street = self.street(rng);
        match short.ends_with(town) {
            true => format!("{index}, г {town}, {street}"),
            false => format!("{index}, {short}, г {town}, {street}"),
        }
    }

    /// A random street and house number.
    pub fn street(&self, rng: &mut Rng) -> String {
        let street = rng.pick_word(&words().places.streets);
        // Adjectives such as "Набережная" agree only with "улица", whereas "Мира" also fits
        // "проспект".
        let of_somebody = !street.ends_with("ая");
        let kind = of_somebody.then(|| rng.pick_word(&words().places.street_kinds));
        let house = rng.log_uniform(1, 180);
        let block = rng.percent(12).then(|| rng.between(1, 5));
        let block = block.map_or(String::new(), |block| format!(", корп. {block}"));
        format!("{} {street}, д. {house}{block}", kind.unwrap_or("ул"))
    }

    pub fn contact(&self) -> Person {
        Person::new(&mut self.own_rng(Purpose::Contact))
    }

    /// Telephone number with an area code that does not exist.
    pub fn phone(&self) -> String {
        let mut rng = self.own_rng(Purpose::Telephone);
        let area = &self.region.oktmo;
        format!("7-2{area}-{:07}", rng.between(2_100_000, 7_999_999))
    }

    pub fn email(&self) -> String {
        let mut rng = self.own_rng(Purpose::Mail);
        let box_name = rng.pick_word(&words().organisations.mail_boxes);
        format!("{box_name}{}@example.org", self.index)
    }

    /// Code and name of the budget.
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

    /// Territory (OKTMO): code, hyphen, name.
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

    /// Writes full name, INN and KPP.
    pub fn write_names(&self, json: &mut JsonLine) {
        json.text("fullName", self.full_name());
        json.texts(["inn", "kpp"], [&self.inn, &self.kpp]);
    }
}

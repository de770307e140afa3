//! The vocabulary, the files of `words`: what is bought, by whom and where, and who sells it.
//! Regions, towns, organisations and people are invented; laws, classifiers and phrases are
//! those of the registries. An item that is in a list more than once is drawn more often.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use super::chance::Chance;

/// The vocabulary, read on first use.
pub fn words() -> &'static Vocabulary {
    static WORDS: LazyLock<Vocabulary> = LazyLock::new(Vocabulary::read);
    &WORDS
}

/// The files of the folder `words`.
pub struct Vocabulary {
    pub names: NameParts,
    pub places: Places,
    pub organisations: Organisations,
    pub documents: DocumentWords,
    /// Of goods, then of services; the first is the largest supplier's.
    pub trades: Vec<Trade>,
    /// Trades whose items are named in all grammatical cases and sold in several units.
    pub market: Vec<Trade>,
}

/// `names.json`: people and firms, in parts that are combined at random.
#[derive(Deserialize)]
pub struct NameParts {
    /// Of men; a woman's has an additional "а".
    pub surnames: Vec<String>,
    pub men: Vec<String>,
    pub women: Vec<String>,
    /// For a man and for a woman.
    pub patronymics: Vec<[String; 2]>,
    /// The beginnings of suppliers' names.
    pub firm_forms: Vec<String>,
    /// Beginnings and endings of firms' names, and what sometimes precedes them.
    pub firm_beginnings: Vec<String>,
    pub firm_endings: Vec<String>,
    pub firm_qualities: Vec<String>,
}

/// `places.json`.
#[derive(Deserialize)]
pub struct Places {
    pub regions: Vec<InventedRegion>,
    pub streets: Vec<String>,
    pub street_kinds: Vec<String>,
}

/// A region that does not exist.
#[derive(Deserialize)]
pub struct InventedRegion {
    /// The first two digits of its taxpayer numbers: no real region has them, so such a
    /// number is nobody's.
    pub code: String,
    /// The first two digits of its codes in OKTMO.
    pub oktmo: String,
    /// Its name, the name after "Бюджет", and the one in addresses.
    pub name: String,
    pub genitive: String,
    pub short: String,
    /// Its towns, the main one first: the name, and the name after "город".
    pub towns: Vec<[String; 2]>,
}

/// `organisations.json`: who buys.
#[derive(Deserialize)]
pub struct Organisations {
    pub kinds: Vec<BuyerKind>,
    /// Customers under 223-FZ.
    pub companies: Vec<Names>,
    /// The funds that have blocks of flats repaired under PP-615.
    pub fund: Names,
    /// What `$q` stands for.
    pub own_names: Vec<String>,
    pub mail_boxes: Vec<String>,
}

/// A full name, before it is capitalised, and the short one in subjects and addresses: `$n`
/// a number, `$t` the town after "город", `$T` the town, `$r` the region after "Бюджет",
/// `$q` a name of its own.
pub type Names = [String; 2];

/// A kind of institution that buys under 44-FZ.
#[derive(Deserialize)]
pub struct BuyerKind {
    /// Its key in trades.
    pub key: String,
    /// Its level: 1 federal, 2 regional, 3 municipal.
    pub level: u64,
    /// Its share of institutions, percent; the sum is 100.
    pub share: u64,
    pub names: Vec<Names>,
}

/// A trade of `goods.json` or `services.json`: what it sells, to whom, and how that is
/// worded.
///
/// In a wording `$i` is one item, `$l` several, `$c` the customer's short name, `$a` an
/// address, `$p` a span of time, `$y` a year, `$n` a number, `$k` a small one, `$z` a
/// patient's, `$t` a town. `$N`, `$D`, `$A`, `$I` and `$P` are the item in the other
/// [cases](Cases). One that begins with `#` and a digit is only for the item of that index.
#[derive(Deserialize)]
pub struct Trade {
    /// `PRODUCT`, `WORK` or `SERVICE`: the `type` of its items.
    pub kind: String,
    #[serde(default)]
    pub drugs: bool,
    /// The kinds of institution that buy it; none for all of them.
    buyers: Vec<String>,
    /// The least and the greatest price of a contract, thousands of roubles.
    pub size: (u64, u64),
    /// The wordings of subjects.
    #[serde(default)]
    pub subjects: Vec<String>,
    pub items: Vec<CatalogueItem>,
}

/// An item: a position of the classifier.
#[derive(Deserialize)]
pub struct CatalogueItem {
    /// Its name, and the name after "поставка" or "услуги по".
    pub name: String,
    pub genitive: String,
    /// Its position in OKPD2.
    pub okpd2: String,
    /// Its unit in [`DocumentWords::units`].
    unit: String,
    /// The least and the greatest unit price, roubles.
    pub price: (u64, u64),
    /// `None` outside the market.
    #[serde(default)]
    cases: Option<Cases>,
    /// Other units it is sold in, each with the number of units above that it stands for.
    #[serde(default)]
    units: Vec<(String, u64)>,
    /// What may follow the name in a document: sizes, grades, abbreviations.
    #[serde(default)]
    pub features: Vec<String>,
}

/// An item's name as a subject has it, in the cases other than the genitive.
#[derive(Deserialize)]
struct Cases {
    nominative: String,
    dative: String,
    accusative: String,
    instrumental: String,
    prepositional: String,
}

/// `market.json`.
#[derive(Deserialize)]
struct Market {
    /// The wordings of subjects, by the kind of a trade.
    subjects: BTreeMap<String, Vec<String>>,
    trades: Vec<Trade>,
}

/// `documents.json`: phrases of notices, contracts and the registry of unfair suppliers.
#[derive(Deserialize)]
pub struct DocumentWords {
    /// The code and the name in OKEI of each unit.
    units: BTreeMap<String, [String; 2]>,
    /// Ways to choose a supplier: name, part of the link, percent.
    pub ways_44: Vec<(String, String, u64)>,
    pub ways_223: Vec<String>,
    /// The one of them that needs no platform.
    pub single_supplier_223: String,
    pub platforms: Vec<String>,
    /// Code and name.
    pub requirements: Vec<[String; 2]>,
    pub additional_requirements: Vec<[String; 2]>,
    /// The contents of requirements.
    pub contents: Vec<String>,
    /// Code, name, and percentage if it has one.
    pub preferences: Vec<(String, String, Option<u64>)>,
    /// Code, which is the short name too; name; content.
    pub restrictions_on_goods: Vec<[String; 3]>,
    pub small_business_only: [String; 3],
    /// Restrictions under article 14: code, name, short name.
    pub ban_on_foreign_goods: [String; 3],
    pub ban_on_foreign_drugs: [String; 3],
    /// Why a ban cannot be observed.
    pub impossible: Vec<String>,
    /// Code and name of their kind, name of the file, description.
    pub attachments: Vec<[String; 4]>,
    /// Form and dose.
    pub drug_forms: Vec<[String; 2]>,
    /// Grounds of a claim on a guarantee.
    pub claims: Vec<String>,
    pub terms: Terms,
    /// The codes of the reasons for a registry entry, by law.
    pub reasons: Reasons,
    /// What a capital repair under PP-615 repairs.
    pub repairs: Vec<String>,
    /// Life-cycle contracts: code and name.
    pub life_cycles: Vec<[String; 2]>,
}

/// How notices under 44-FZ spell the term of execution: `$e` is the last day, `$n` a number
/// of days.
#[derive(Deserialize)]
pub struct Terms {
    /// In the customer's words.
    pub before_2020: Vec<String>,
    /// In the words of the registry's form.
    pub of_2020: Vec<String>,
    /// Offsets from UTC, after the last day.
    pub offsets: Vec<String>,
}

/// The reasons that the schemas of each law have. With those of `after_contract` the
/// supplier had a contract; with the others it avoided one.
#[derive(Deserialize)]
pub struct Reasons {
    pub fz44: Vec<String>,
    pub fz223: Vec<String>,
    pub pp615: Vec<String>,
    pub after_contract: Vec<String>,
}

/// A file of the vocabulary. They are compiled in, and a test reads them all, so that it
/// never panics.
macro_rules! word_file {
    ($name:literal) => {
        serde_json::from_str(include_str!(concat!("../words/", $name)))
            .unwrap_or_else(|fault| panic!("words/{}: {fault}", $name))
    };
}

impl Vocabulary {
    fn read() -> Self {
        let mut trades: Vec<Trade> = word_file!("goods.json");
        trades.extend::<Vec<Trade>>(word_file!("services.json"));
        let mut market: Market = word_file!("market.json");
        for trade in &mut market.trades {
            let wordings = market.subjects.get(&trade.kind);
            trade.subjects = wordings.cloned().unwrap_or_default();
        }
        Self {
            names: word_file!("names.json"),
            places: word_file!("places.json"),
            organisations: word_file!("organisations.json"),
            documents: word_file!("documents.json"),
            trades,
            market: market.trades,
        }
    }
}

/// The first of some trades that fits, from an index on, wrapping around.
pub fn first_fitting(
    trades: &[Trade],
    index: usize,
    fits: impl Fn(&Trade) -> bool,
) -> Option<&Trade> {
    let (before, from) = trades.split_at(index % trades.len().max(1));
    from.iter().chain(before).find(|trade| fits(trade))
}

/// A wording, with what `stands_for` gives for each `$` and the letter after it.
pub fn fill(wording: &str, mut stands_for: impl FnMut(char) -> String) -> String {
    let mut parts = wording.split('$');
    let mut text = String::with_capacity(300);
    text += parts.next().unwrap_or_default();
    for part in parts {
        let mut part = part.chars();
        text += &stands_for(part.next().unwrap_or_default());
        text += part.as_str();
    }
    text
}

impl Trade {
    /// Whether it is goods, rather than works or services.
    pub fn is_goods(&self) -> bool {
        self.kind == "PRODUCT"
    }

    /// Whether this kind of institution buys it.
    pub fn is_bought_by(&self, kind: &BuyerKind) -> bool {
        self.is_bought_by_all() || self.buyers.contains(&kind.key)
    }

    /// Whether all kinds of institutions buy it.
    pub fn is_bought_by_all(&self) -> bool {
        self.buyers.is_empty()
    }
}

impl CatalogueItem {
    /// Its position in OKDP, the classifier before 2016: seven digits.
    pub fn okdp(&self) -> String {
        let digits = self.okpd2.chars().filter(char::is_ascii_digit);
        digits.take(7).collect()
    }

    /// The code and the name of its unit in OKEI.
    pub fn unit(&self) -> [&'static str; 2] {
        okei(&self.unit)
    }

    /// A unit it is sold in (code and name in OKEI), and how many of [`Self::unit`] that is.
    pub fn some_unit(&self, chance: &mut Chance) -> ([&'static str; 2], u64) {
        let other = chance.percent(55).then(|| {
            self.units
                .get(chance.below(self.units.len() as u64) as usize)
        });
        match other.flatten() {
            Some((unit, of_own)) => (okei(unit), *of_own),
            None => (self.unit(), 1),
        }
    }

    /// The name in the case that stands for a letter of wordings.
    pub fn in_case(&self, letter: char) -> &str {
        let Some(cases) = &self.cases else {
            return &self.genitive;
        };
        match letter {
            'N' => &cases.nominative,
            'D' => &cases.dative,
            'A' => &cases.accusative,
            'I' => &cases.instrumental,
            'P' => &cases.prepositional,
            _ => &self.genitive,
        }
    }
}

/// The code and the name of a unit in OKEI.
fn okei(unit: &str) -> [&'static str; 2] {
    let unit = words().documents.units.get(unit);
    unit.map_or(["", ""], |[code, name]| [code, name])
}

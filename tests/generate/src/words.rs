//! The vocabulary in the folder `words`: what is bought, by whom and where, and who sells it.
//! Regions, towns, organisations and people are invented; laws, classifiers and phrases are real.
//! An entry that occurs several times in a list is drawn more often.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use super::rng::Rng;

/// Returns the vocabulary, which is parsed on first use.
pub fn words() -> &'static Vocabulary {
    static WORDS: LazyLock<Vocabulary> = LazyLock::new(Vocabulary::read);
    &WORDS
}

/// All files in the folder `words`.
pub struct Vocabulary {
    pub names: NameParts,
    pub places: Places,
    pub organisations: Organisations,
    pub documents: DocumentWords,
    /// Trades in goods, then in services. The largest supplier works in the first trade.
    pub trades: Vec<Trade>,
    /// Trades whose items have names in all grammatical cases and several units.
    pub market: Vec<Trade>,
}

/// `names.json`: parts of the names of people and firms.
#[derive(Deserialize)]
pub struct NameParts {
    /// Surnames of men. Women's surnames have an additional "а".
    pub surnames: Vec<String>,
    pub men: Vec<String>,
    pub women: Vec<String>,
    /// Male and female forms.
    pub patronymics: Vec<[String; 2]>,
    pub firm_forms: Vec<String>,
    /// First and last parts of firm names, and words that sometimes precede them.
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
    /// First two digits of INNs. No real region uses them, so no real INN is generated.
    pub code: String,
    /// First two digits of OKTMO codes.
    pub oktmo: String,
    /// Name, form of the name after "Бюджет", and form in addresses.
    pub name: String,
    pub genitive: String,
    pub short: String,
    /// Towns, the main one first: name, and form of the name after "город".
    pub towns: Vec<[String; 2]>,
}

/// `organisations.json`: customers.
#[derive(Deserialize)]
pub struct Organisations {
    pub kinds: Vec<BuyerKind>,
    /// Customers under 223-FZ.
    pub companies: Vec<Names>,
    /// Funds for capital repairs of apartment buildings (PP-615).
    pub fund: Names,
    /// Values for `$q` in [`Names`].
    pub own_names: Vec<String>,
    pub mail_boxes: Vec<String>,
}

/// Full name (not yet in capitals), and short name for subjects and addresses. Placeholders: `$n` a
/// number, `$t` the form of the town after "город", `$T` the town, `$r` the form of the region
/// after "Бюджет", `$q` a proper name.
pub type Names = [String; 2];

/// A kind of institution that buys under 44-FZ.
#[derive(Deserialize)]
pub struct BuyerKind {
    /// Key used in [`Trade::buyers`].
    pub key: String,
    /// 1 federal, 2 regional, 3 municipal.
    pub level: u64,
    /// Percentage of all institutions. All shares add up to 100.
    pub share: u64,
    pub names: Vec<Names>,
}

/// A trade in `goods.json` or `services.json`: what is sold, to whom, and wordings for subjects.
///
/// Placeholders in wordings: `$i` one item, `$l` several items, `$c` the customer's short name, `$a` an
/// address, `$p` a period, `$y` a year, `$n` a number, `$k` a small number, `$z` the number of a
/// patient, `$t` a town. `$N`, `$D`, `$A`, `$I` and `$P` are the item in the other [cases](Cases). A
/// wording that begins with `#` and a digit is only for the item with that index.
#[derive(Deserialize)]
pub struct Trade {
    /// `PRODUCT`, `WORK` or `SERVICE`.
    pub kind: String,
    #[serde(default)]
    pub drugs: bool,
    /// Kinds of institution that buy from this trade; empty for all kinds.
    buyers: Vec<String>,
    /// Minimum and maximum price of a contract, in thousands of roubles.
    pub size: (u64, u64),
    #[serde(default)]
    pub subjects: Vec<String>,
    pub items: Vec<CatalogueItem>,
}

#[derive(Deserialize)]
pub struct CatalogueItem {
    /// Name, and form of the name after "поставка" or "услуги по".
    pub name: String,
    pub genitive: String,
    /// OKPD2 code.
    pub okpd2: String,
    /// Main unit, a key of [`DocumentWords::units`].
    unit: String,
    /// Minimum and maximum unit price, in roubles.
    pub price: (u64, u64),
    /// Only set for items in [`Vocabulary::market`].
    #[serde(default)]
    cases: Option<Cases>,
    /// Other units, each with its number of main units.
    #[serde(default)]
    units: Vec<(String, u64)>,
    /// Strings that may follow the name: sizes, grades, abbreviations.
    #[serde(default)]
    pub features: Vec<String>,
}

/// An item's name as used in subjects, in the cases other than the genitive.
#[derive(Deserialize)]
struct Cases {
    nominative: String,
    dative: String,
    accusative: String,
    instrumental: String,
    prepositional: String,
}

#[derive(Deserialize)]
struct Market {
    /// Wordings of subjects by [`Trade::kind`].
    subjects: BTreeMap<String, Vec<String>>,
    trades: Vec<Trade>,
}

/// `documents.json`: phrases in notices, contracts and the registry of unfair suppliers.
#[derive(Deserialize)]
pub struct DocumentWords {
    /// OKEI code and name of each unit.
    units: BTreeMap<String, [String; 2]>,
    /// Procurement methods: name, part of the link, percentage.
    pub ways_44: Vec<(String, String, u64)>,
    pub ways_223: Vec<String>,
    /// The method in `ways_223` that uses no trading platform.
    pub single_supplier_223: String,
    pub platforms: Vec<String>,
    /// Code and name.
    pub requirements: Vec<[String; 2]>,
    pub additional_requirements: Vec<[String; 2]>,
    /// Contents of requirements.
    pub contents: Vec<String>,
    /// Code, name, and percentage, if any.
    pub preferences: Vec<(String, String, Option<u64>)>,
    /// Code (also used as the short name), name, content.
    pub restrictions_on_goods: Vec<[String; 3]>,
    pub small_business_only: [String; 3],
    /// Restrictions under article 14: code, name, short name.
    pub ban_on_foreign_goods: [String; 3],
    pub ban_on_foreign_drugs: [String; 3],
    /// Reasons for not observing a ban.
    pub impossible: Vec<String>,
    /// Code and name of the kind, file name, description.
    pub attachments: Vec<[String; 4]>,
    /// Dosage form and dose.
    pub drug_forms: Vec<[String; 2]>,
    /// Grounds of a claim on a guarantee.
    pub claims: Vec<String>,
    pub terms: Terms,
    /// Codes of the reasons for a registry entry.
    pub reasons: Reasons,
    /// Parts of buildings that are repaired under PP-615.
    pub repairs: Vec<String>,
    /// Life-cycle contracts: code and name.
    pub life_cycles: Vec<[String; 2]>,
}

/// Wordings for the term of execution in notices under 44-FZ. Placeholders: `$e` the last day, `$n` a
/// number of days.
#[derive(Deserialize)]
pub struct Terms {
    /// Free text, as customers write it.
    pub before_2020: Vec<String>,
    /// Standard wordings in the form of 2020.
    pub of_2020: Vec<String>,
    /// Offsets from UTC, appended to the last day.
    pub offsets: Vec<String>,
}

/// Reasons for an entry that the schemas of each law allow. `after_contract` has the reasons that
/// apply after the supplier has signed a contract; all others apply if it refuses to sign.
#[derive(Deserialize)]
pub struct Reasons {
    pub fz44: Vec<String>,
    pub fz223: Vec<String>,
    pub pp615: Vec<String>,
    pub after_contract: Vec<String>,
}

/// Parses a file of the vocabulary, which is compiled in. Any test that generates data parses all
/// files, so a release cannot panic here.
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

/// Returns the first trade that fits, searching from `index` and wrapping around.
pub fn first_fitting(
    trades: &[Trade],
    index: usize,
    fits: impl Fn(&Trade) -> bool,
) -> Option<&Trade> {
    let (before, from) = trades.split_at(index % trades.len().max(1));
    from.iter().chain(before).find(|trade| fits(trade))
}

/// Replaces each `$` and the letter after it with the value of that placeholder.
pub fn fill(wording: &str, mut placeholder: impl FnMut(char) -> String) -> String {
    let mut parts = wording.split('$');
    let mut text = String::with_capacity(300);
    text += parts.next().unwrap_or_default();
    for part in parts {
        let mut part = part.chars();
        text += &placeholder(part.next().unwrap_or_default());
        text += part.as_str();
    }
    text
}

impl Trade {
    /// Returns whether this is a trade in goods, not in works or services.
    pub fn is_goods(&self) -> bool {
        self.kind == "PRODUCT"
    }

    /// Returns whether this kind of institution buys from the trade.
    pub fn is_bought_by(&self, kind: &BuyerKind) -> bool {
        self.is_bought_by_all() || self.buyers.contains(&kind.key)
    }

    /// Returns whether all kinds of institution buy from the trade.
    pub fn is_bought_by_all(&self) -> bool {
        self.buyers.is_empty()
    }
}

impl CatalogueItem {
    /// A seven-digit code in OKDP, the classifier used before 2016.
    pub fn okdp(&self) -> String {
        let digits = self.okpd2.chars().filter(char::is_ascii_digit);
        digits.take(7).collect()
    }

    /// OKEI code and name of the main unit.
    pub fn unit(&self) -> [&'static str; 2] {
        okei(&self.unit)
    }

    /// Draws a unit: its OKEI code and name, and its number of main units.
    pub fn some_unit(&self, rng: &mut Rng) -> ([&'static str; 2], u64) {
        let other = rng
            .percent(55)
            .then(|| self.units.get(rng.below(self.units.len() as u64) as usize));
        match other.flatten() {
            Some((unit, of_own)) => (okei(unit), *of_own),
            None => (self.unit(), 1),
        }
    }

    /// The name in the grammatical case that a placeholder letter stands for.
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

/// OKEI code and name of a unit.
fn okei(unit: &str) -> [&'static str; 2] {
    let unit = words().documents.units.get(unit);
    unit.map_or(["", ""], |[code, name]| [code, name])
}

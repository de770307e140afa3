//! The vocabulary of `data/words`: what is bought, by whom and where, and who sells it.
//! Regions, towns, organisations and people are invented; laws, classifiers and turns of
//! phrase are those of the registries.

use std::sync::LazyLock;

use super::word_file::{Section, Word, WordFile, cells, number};

/// All of it, read when it is first asked for.
pub fn words() -> &'static Vocabulary {
    static WORDS: LazyLock<Vocabulary> = LazyLock::new(Vocabulary::read);
    &WORDS
}

/// The files of `data/words`, each list under its section's name.
#[derive(Debug)]
pub struct Vocabulary {
    // names.txt
    pub surnames: Vec<Word>,
    pub men: Vec<Word>,
    pub women: Vec<Word>,
    pub patronymics: Vec<[Word; 2]>,
    pub firm_forms: Vec<Word>,
    pub firm_beginnings: Vec<Word>,
    pub firm_endings: Vec<Word>,
    pub firm_qualities: Vec<Word>,
    // places.txt
    pub regions: Vec<Region>,
    pub streets: Vec<Word>,
    pub street_kinds: Vec<Word>,
    // organisations.txt
    pub buyer_kinds: Vec<BuyerKind>,
    pub companies: Vec<Names>,
    pub fund: Names,
    pub own_names: Vec<Word>,
    pub mail_boxes: Vec<Word>,
    // goods.txt and services.txt
    pub trades: Vec<Trade>,
    // documents.txt
    pub ways_44: Vec<[Word; 3]>,
    pub ways_223: Vec<Word>,
    pub single_supplier_223: Word,
    pub platforms: Vec<Word>,
    pub requirements: Vec<[Word; 2]>,
    pub contents: Vec<Word>,
    pub additional_requirements: Vec<[Word; 2]>,
    pub preferences: Vec<[Word; 3]>,
    pub restrictions_on_goods: Vec<[Word; 3]>,
    pub small_business_only: [Word; 3],
    pub ban_on_foreign: [Word; 3],
    pub ban_on_foreign_drugs: [Word; 3],
    pub impossible: Vec<Word>,
    pub attachments: Vec<[Word; 4]>,
    pub drug_forms: Vec<[Word; 2]>,
    pub claims: Vec<Word>,
    pub reasons: Vec<Word>,
    pub repairs: Vec<Word>,
    pub life_cycles: Vec<[Word; 2]>,
}

/// A name in full, before it is put in capitals, and how subjects and addresses call who has
/// it: `$n` a number, `$t` the town ("of"), `$T` the town, `$r` the region ("of"), `$q` a
/// name of its own.
pub type Names = [Word; 2];

/// A region that does not exist: so no number that begins with its code is anybody's.
#[derive(Debug)]
pub struct Region {
    /// The first two digits of a taxpayer number of it.
    pub code: Word,
    /// The first two digits of its codes in OKTMO.
    pub oktmo: Word,
    /// Its name; the same as in "the budget of"; the same as an address has it.
    pub name: Word,
    pub genitive: Word,
    pub short: Word,
    /// Its towns, the chief one first: name, and the same as in "the town of".
    pub towns: Vec<[Word; 2]>,
}

/// A kind of institution that buys.
#[derive(Debug)]
pub struct BuyerKind {
    /// What trades call it.
    pub key: Word,
    /// Whose it is: 1 the federation's, 2 the region's, 3 the town's.
    pub level: u64,
    /// How many of a hundred institutions are of it; together 100.
    pub share: u64,
    pub names: Vec<Names>,
}

/// A kind of business: what it sells, to whom, and how that is worded.
#[derive(Debug)]
pub struct Trade {
    /// Goods, work or service, as an item's `type` says it.
    pub kind: Word,
    /// Are the goods drugs?
    pub drugs: bool,
    /// The kinds of institution that buy it, by their index.
    buyers: Vec<bool>,
    /// The least and the most that a contract costs, thousands of roubles.
    pub size: (u64, u64),
    /// How subjects are worded: see `data/words/goods.txt`.
    pub subjects: Vec<Word>,
    /// What may be in one.
    pub items: Vec<CatalogueItem>,
}

impl Trade {
    /// Goods, and not works or services?
    pub fn is_goods(&self) -> bool {
        self.kind == "PRODUCT"
    }

    /// Does the kind of an index buy it?
    pub fn is_bought_by(&self, kind: usize) -> bool {
        self.buyers.get(kind).is_some_and(|buys| *buys)
    }

    /// Does everybody?
    pub fn is_bought_by_all(&self) -> bool {
        self.buyers.iter().all(|buys| *buys)
    }
}

/// Something bought: a position of the classifier.
#[derive(Debug)]
pub struct CatalogueItem {
    /// As a position is called, and the same after "supply of".
    pub name: Word,
    pub genitive: Word,
    /// Its position in OKPD2.
    pub okpd2: Word,
    /// The code and the name of its unit in OKEI.
    pub unit: [Word; 2],
    /// The least and the most that one costs, roubles.
    pub price: (u64, u64),
}

/// Reads a file of `data/words`.
macro_rules! word_file {
    ($name:literal) => {
        WordFile::parse(include_str!(concat!("../../data/words/", $name)))
    };
}

impl Vocabulary {
    /// The trade of an index, which counts round.
    pub fn trade(&self, index: usize) -> &Trade {
        &self.trades[index % self.trades.len()]
    }

    /// The first trade from an index on, counting round, that fits.
    pub fn trade_from(&self, index: usize, fits: impl Fn(&Trade) -> bool) -> Option<&Trade> {
        let all = (0..self.trades.len()).map(|more| self.trade(index + more));
        all.into_iter().find(|trade| fits(trade))
    }

    fn read() -> Self {
        let names = word_file!("names.txt");
        let places = word_file!("places.txt");
        let organisations = word_file!("organisations.txt");
        let documents = word_file!("documents.txt");
        let one = |name| only(documents.table(name));
        let buyer_kinds: Vec<_> = organisations.all("kind").map(BuyerKind::read).collect();
        let units = documents.table("units");
        let sold = [word_file!("goods.txt"), word_file!("services.txt")];
        let trades = sold.iter().flat_map(|file| file.0.chunks(3));
        Self {
            surnames: names.lines("surnames"),
            men: names.lines("men"),
            women: names.lines("women"),
            patronymics: names.table("patronymics"),
            firm_forms: names.lines("firm forms"),
            firm_beginnings: names.lines("firm beginnings"),
            firm_endings: names.lines("firm endings"),
            firm_qualities: names.lines("firm qualities"),
            regions: places.all("region").map(Region::read).collect(),
            streets: places.lines("streets"),
            street_kinds: places.lines("street kinds"),
            companies: organisations.table("companies"),
            fund: only(organisations.table("fund")),
            own_names: organisations.lines("own names"),
            mail_boxes: organisations.lines("mail boxes"),
            trades: trades
                .map(|it| Trade::read(it, &buyer_kinds, &units))
                .collect(),
            buyer_kinds,
            ways_44: documents.table("ways 44"),
            ways_223: documents.lines("ways 223"),
            single_supplier_223: only(documents.lines("way of a single supplier 223")),
            platforms: documents.lines("platforms"),
            requirements: documents.table("requirements"),
            contents: documents.lines("contents"),
            additional_requirements: documents.table("additional requirements"),
            preferences: documents.table("preferences"),
            restrictions_on_goods: documents.table("restrictions on goods"),
            small_business_only: one("small business only"),
            ban_on_foreign: one("ban on foreign goods"),
            ban_on_foreign_drugs: one("ban on foreign drugs"),
            impossible: documents.lines("impossible"),
            attachments: documents.table("attachments"),
            drug_forms: documents.table("drug forms"),
            claims: documents.lines("claims"),
            reasons: documents.lines("reasons"),
            repairs: documents.lines("repairs"),
            life_cycles: documents.table("life cycles"),
        }
    }
}

/// The first of lines, of which there is one at least.
fn only<T>(lines: Vec<T>) -> T {
    let first = lines.into_iter().next();
    first.unwrap_or_else(|| panic!("data/words: a section without lines"))
}

impl Region {
    fn read(section: &Section) -> Self {
        let [code, oktmo, name, genitive, short] = cells(section.heading);
        Self {
            code,
            oktmo,
            name,
            genitive,
            short,
            towns: section.lines.iter().map(|line| cells(line)).collect(),
        }
    }
}

impl BuyerKind {
    fn read(section: &Section) -> Self {
        let [key, level, share] = cells(section.heading);
        Self {
            key,
            level: number(level),
            share: number(share),
            names: section.lines.iter().map(|line| cells(line)).collect(),
        }
    }
}

impl Trade {
    /// Of its three sections, in their order.
    fn read(sections: &[Section], kinds: &[BuyerKind], units: &[[Word; 3]]) -> Self {
        let [trade, subjects, items] = sections else {
            panic!("data/words: a trade that is not in three sections");
        };
        let names = [trade.name, subjects.name, items.name];
        assert_eq!(names, ["trade", "subjects", "items"], "data/words");
        let [kind, buyers, least, most] = cells(trade.heading);
        let listed: Vec<Word> = buyers.split(',').map(str::trim).collect();
        let known = |key: &&Word| **key == "all" || kinds.iter().any(|kind| kind.key == **key);
        assert!(listed.iter().all(|key| known(&key)), "data/words: {buyers}");
        let buys = |kind: &BuyerKind| buyers == "all" || listed.contains(&kind.key);
        Self {
            kind: if kind == "DRUG" { "PRODUCT" } else { kind },
            drugs: kind == "DRUG",
            buyers: kinds.iter().map(buys).collect(),
            size: (number(least), number(most)),
            subjects: subjects.lines.clone(),
            items: items
                .lines
                .iter()
                .map(|line| CatalogueItem::read(line, units))
                .collect(),
        }
    }
}

impl CatalogueItem {
    fn read(line: Word, units: &[[Word; 3]]) -> Self {
        let [name, genitive, okpd2, unit, least, most] = cells(line);
        let of_unit = units.iter().find(|[key, ..]| *key == unit);
        let Some([_, code, unit]) = of_unit else {
            panic!("data/words: no such unit: {line}");
        };
        Self {
            name,
            genitive,
            okpd2,
            unit: [code, unit],
            price: (number(least), number(most)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_read_and_has_what_is_drawn_from_it() {
        let words = words();
        assert_eq!(
            words.buyer_kinds.iter().map(|kind| kind.share).sum::<u64>(),
            100
        );
        assert_eq!(
            words.ways_44.iter().map(|way| number(way[2])).sum::<u64>(),
            100
        );
        assert!(words.ways_223.contains(&words.single_supplier_223));
        assert!(words.requirements.len() >= 3);
        assert!(words.trades.iter().any(Trade::is_bought_by_all));
        for trade in &words.trades {
            assert!(
                matches!(trade.kind, "PRODUCT" | "SERVICE" | "WORK"),
                "{}",
                trade.kind
            );
            assert!(!trade.subjects.is_empty() && !trade.items.is_empty());
            assert!(trade.buyers.contains(&true), "{:?}", trade.subjects);
        }
        for names in words.buyer_kinds.iter().map(|kind| &kind.names) {
            assert!(!names.is_empty());
        }
        for [_, _, percent] in words.preferences.iter().filter(|row| !row[2].is_empty()) {
            assert!((1..=100).contains(&number(percent)));
        }
        for region in &words.regions {
            assert_eq!(
                (region.code.len(), region.oktmo.len()),
                (2, 2),
                "{}",
                region.name
            );
            assert!(!region.towns.is_empty(), "{}", region.name);
        }
    }
}

//! Tokens for search by content. The index and the queries use the same tokens.
//!
//! | token | matches |
//! |---|---|
//! | `w` + word | records with the word ([`ContentWords`]) in the subject, a lot's name or an item's name |
//! | `c` + code | records with an item under the code ([`super::ContentCode`]) |
//! | `r` + region | records with a customer in the region ([`ContentRegion`]) |
//! | `u` + INN | records of the customer |
//! | `l` + law | purchases under the law |
//! | `g` + number | contracts in the stage ([`super::ContractStage::number`]) |
//! | `h` | contracts with subcontractors |
//! | `f` + number | contracts with the risk fact ([`RecordFact::number`]) |
//! | `o` | contracts in execution whose last day is known, so that they may be overdue |

use super::content_code::{ContentCode, levels};
use super::content_words::ContentWords;
use super::{
    ContractStage, EncodedContract, EncodedContractItems, MAX_CUSTOMER_INN, Purchase, RecordFact,
    Regime, StageSet,
};

/// Version of the rules that turn records into tokens. An import rebuilds an index made under
/// another version. When you raise this, also raise `render::VERSION`, because the same data then
/// gives different answers.
pub const WORDS_VERSION: i64 = 1;

/// The region of a customer.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ContentRegion(String);

impl ContentRegion {
    /// Parses a two-digit region code. Moscow has two codes, 77 and 97; both become 77.
    pub fn parse(text: &str) -> Option<Self> {
        let is_region = text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit());
        let region = if text == "97" { "77" } else { text };
        is_region.then(|| Self(region.to_owned()))
    }

    /// Takes the region from the first two digits of a customer's INN.
    pub fn of_inn(inn: &str) -> Option<Self> {
        Self::parse(inn.get(..2)?)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Name and codes of an item, for search by content.
#[derive(Clone, Copy, Debug, Default)]
pub struct ItemContent<'a> {
    pub name: &'a str,
    /// Codes in up to three classifications; the rest are empty.
    pub codes: [&'a str; 3],
}

/// Limits the memory for records with many items: duplicates are removed whenever the number of
/// tokens exceeds twice the number left by the last removal plus this constant.
const TOKENS_AT_ONCE: usize = 10_000;

#[derive(Default)]
pub struct ContentTokenizer {
    words: ContentWords,
    tokens: Vec<String>,
    /// Number of tokens left after the last removal of duplicates.
    different: usize,
}

impl ContentTokenizer {
    /// Returns the tokens of a contract: sorted, without duplicates, separated by spaces.
    pub fn contract(
        &mut self,
        contract: &EncodedContract<'_>,
        items: EncodedContractItems<'_>,
    ) -> String {
        self.text(&contract.subject.text());
        for [code, _] in contract.products {
            self.code(&code.text());
        }
        for item in items {
            self.text(&item.name.text());
            self.code(&item.okpd2.text());
        }
        self.customer(&contract.customer_inn.text());
        if let Some(stage) = contract.stage {
            self.token('g', itoa::Buffer::new().format(stage.number()));
        }
        if contract.has_subcontractors {
            self.token('h', "");
        }
        for fact in RecordFact::of(contract) {
            self.token('f', itoa::Buffer::new().format(fact.number()));
        }
        if contract.stage == Some(ContractStage::InExecution) && contract.execution_end().is_some()
        {
            self.token('o', "");
        }
        self.take()
    }

    /// Returns the tokens of a purchase, in the format of [`ContentTokenizer::contract`].
    pub fn purchase(&mut self, purchase: &Purchase) -> String {
        self.text(purchase.subject());
        let (lots, items) = (purchase.lot_names(), purchase.items());
        lots.into_iter().for_each(|name| self.text(name));
        items.into_iter().for_each(|item| self.item(item));
        self.customer(purchase.customer().inn);
        self.token('l', purchase.number().regime().code());
        self.take()
    }

    fn take(&mut self) -> String {
        self.tokens.sort_unstable();
        self.tokens.dedup();
        let tokens = self.tokens.join(" ");
        self.tokens.clear();
        self.different = 0;
        tokens
    }

    fn token(&mut self, kind: char, rest: &str) {
        self.tokens.push(token(kind, rest));
    }

    fn text(&mut self, text: &str) {
        let Self {
            words,
            tokens,
            different,
        } = self;
        words.each(text, |word| {
            tokens.push(token('w', word));
            if tokens.len() > 2 * *different + TOKENS_AT_ONCE {
                tokens.sort_unstable();
                tokens.dedup();
                *different = tokens.len();
            }
        });
    }

    fn item(&mut self, item: ItemContent<'_>) {
        self.text(item.name);
        item.codes.into_iter().for_each(|code| self.code(code));
    }

    fn code(&mut self, code: &str) {
        levels(code).for_each(|level| self.token('c', level));
    }

    fn customer(&mut self, inn: &str) {
        if let Some(region) = ContentRegion::of_inn(inn) {
            self.token('r', region.as_str());
        }
        let are_digits = inn.bytes().all(|byte| byte.is_ascii_digit());
        if are_digits && (1..=MAX_CUSTOMER_INN).contains(&inn.len()) {
            self.token('u', inn);
        }
    }
}

fn token(kind: char, rest: &str) -> String {
    let mut token = String::with_capacity(1 + rest.len());
    token.push(kind);
    token.push_str(rest);
    token
}

/// A query to the index: lists of tokens. A record matches if it has at least one token of every
/// list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContentTokens(Vec<Vec<String>>);

impl ContentTokens {
    pub fn is_everything(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the lists. None of them is empty, and tokens contain only letters, digits, `.` and
    /// `-`.
    pub fn alternatives(&self) -> &[Vec<String>] {
        &self.0
    }

    /// Requires a word, in the form that [`content_words`] returns.
    pub fn word(&mut self, word: &str) {
        self.any('w', [word]);
    }

    /// Requires an item under one of these codes. An empty list requires nothing.
    pub fn codes(&mut self, codes: &[ContentCode]) {
        self.any('c', codes.iter().map(ContentCode::as_str));
    }

    /// Requires a customer in one of these regions. An empty list requires nothing.
    pub fn regions(&mut self, regions: &[ContentRegion]) {
        self.any('r', regions.iter().map(ContentRegion::as_str));
    }

    /// Requires the customer with this INN, which must consist of digits.
    pub fn customer(&mut self, inn: &str) {
        self.any('u', [inn]);
    }

    /// Requires a purchase under one of these laws. An empty list requires nothing.
    pub fn laws(&mut self, laws: &[Regime]) {
        self.any('l', laws.iter().map(|law| law.code()));
    }

    /// Requires a contract in one of these stages. [`StageSet::ANY`] requires nothing.
    pub fn stages(&mut self, stages: StageSet) {
        let mut numbers = Vec::new();
        for stage in ContractStage::ALL {
            if stages.has(stage) {
                numbers.push(stage.number().to_string());
            }
        }
        self.any('g', numbers.iter().map(String::as_str));
    }

    pub fn with_subcontractors(&mut self) {
        self.any('h', [""]);
    }

    /// Requires a contract with one of these facts. With `or_may_be_overdue`, token `o` is enough
    /// too.
    pub fn facts(&mut self, facts: &[RecordFact], or_may_be_overdue: bool) {
        let numbers = facts.iter().map(|fact| fact.number().to_string());
        let mut tokens: Vec<String> = numbers.map(|number| token('f', &number)).collect();
        if or_may_be_overdue {
            tokens.push(token('o', ""));
        }
        self.alternative(tokens);
    }

    fn any<'a>(&mut self, kind: char, texts: impl IntoIterator<Item = &'a str>) {
        let tokens = texts.into_iter().map(|text| token(kind, text));
        self.alternative(tokens.collect());
    }

    fn alternative(&mut self, tokens: Vec<String>) {
        if !tokens.is_empty() {
            self.0.push(tokens);
        }
    }
}

/// Returns the words of a text, in the form that [`ContentTokens::word`] expects.
pub fn content_words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    ContentWords::default().each(text, |word| words.push(word.to_owned()));
    words
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;
    use rust_stemmers::{Algorithm, Stemmer};
    use unicode_normalization::UnicodeNormalization;

    use super::*;
    use crate::model::{Contract, ContractItem, Date, GuaranteeClaim};

    /// `items` has pairs of name and code.
    fn tokens(contract: &Contract, items: &[(String, String)]) -> BTreeSet<String> {
        let items = items.iter().map(|(name, code)| ContractItem {
            name: name.clone(),
            okpd2: code.clone(),
            ..ContractItem::default()
        });
        let mut contract = contract.clone();
        contract.products.extend(items);
        let (record, items) = (contract.encode(), contract.encode_items());
        let record = EncodedContract::decode(&record).expect("a contract");
        let items = EncodedContractItems::decode(&items).unwrap_or_default();
        let tokens = ContentTokenizer::default().contract(&record, items);
        tokens.split(' ').map(str::to_owned).collect()
    }

    fn matches(tokens: &BTreeSet<String>, asked: &ContentTokens) -> bool {
        let mut alternatives = asked.alternatives().iter();
        alternatives.all(|any| any.iter().any(|token| tokens.contains(token)))
    }

    fn asked(q: &str) -> ContentTokens {
        let mut asked = ContentTokens::default();
        content_words(q).iter().for_each(|word| asked.word(word));
        asked
    }

    /// A simple reference implementation, which goes letter by letter.
    fn naive_words(text: &str) -> BTreeSet<String> {
        const LATIN: &str = "abcehkmoptxy";
        const CYRILLIC: &str = "авсенкмортху";
        let mut words = BTreeSet::new();
        let mut word: Vec<char> = Vec::new();
        let lower = text.nfc().collect::<String>().to_lowercase();
        for one in lower.chars().chain([' ']) {
            if one.is_alphanumeric() {
                word.push(if one == 'ё' { 'е' } else { one });
                continue;
            }
            let are = |is: &dyn Fn(char) -> bool| word.iter().filter(|one| is(**one)).count();
            let cyrillic = are(&|one| (0x400..0x500).contains(&u32::from(one)));
            let digits = are(&|one| one.is_ascii_digit());
            let latin = are(&|one| LATIN.contains(one));
            if word.len() > 1 {
                if cyrillic > 0 || (digits > 0 && digits + latin == word.len()) {
                    for letter in &mut word {
                        let place = LATIN.chars().position(|one| one == *letter);
                        let other = place.and_then(|place| CYRILLIC.chars().nth(place));
                        *letter = other.unwrap_or(*letter);
                    }
                }
                let text: String = word.iter().collect();
                let all = word
                    .iter()
                    .all(|one| (0x400..0x500).contains(&u32::from(*one)));
                words.insert(match all {
                    true => Stemmer::create(Algorithm::Russian).stem(&text).into_owned(),
                    false => text,
                });
            }
            word.clear();
        }
        words
    }

    #[test]
    fn a_contract_is_found_by_any_form_of_its_words() {
        let contract = Contract {
            subject: "Поставка постельного белья (комплекты)".to_owned(),
            ..Contract::default()
        };
        let items = [("Пелёнка 70 х 140, бумага А4".to_owned(), String::new())];
        let tokens = tokens(&contract, &items);
        for q in [
            "ПОСТЕЛЬНОЕ бельем",
            "комплект",
            "пеленки",
            "бумаги a4",
            "140",
            "белья поставку",
        ] {
            assert!(matches(&tokens, &asked(q)), "{q}");
        }
        for q in ["белье подушка", "40", "a3", "постель1"] {
            assert!(!matches(&tokens, &asked(q)), "{q}");
        }
    }

    #[test]
    fn all_words_of_a_long_text_are_found_once() {
        let words = (0..TOKENS_AT_ONCE).map(|number| format!("слово {} {number}", number % 7));
        let contract = Contract {
            subject: words.collect::<Vec<_>>().join(" "),
            ..Contract::default()
        };
        let record = contract.encode();
        let record = EncodedContract::decode(&record).expect("a contract");
        let items = EncodedContractItems::default();
        let tokens = ContentTokenizer::default().contract(&record, items);
        assert_eq!(tokens.split(' ').count(), TOKENS_AT_ONCE - 10 + 1);
        assert!(tokens.contains("wслов"));
    }

    #[test]
    fn stages_facts_customers_and_subcontractors_have_tokens() {
        let mut contract = Contract {
            customer_inn: "9701000001".to_owned(),
            stage: Some(ContractStage::InExecution),
            end_date: Date::new(2025, 12, 31),
            penalties: "0.01".parse().ok(),
            has_subcontractors: true,
            products: vec![ContractItem {
                code: "17.23".to_owned(),
                ..ContractItem::default()
            }],
            guarantee_claims: vec![GuaranteeClaim::default()],
            ..Contract::default()
        };
        contract.termination.agreement = true;
        let of = |contract: &Contract| Vec::from_iter(tokens(contract, &[])).join(" ");
        let expected = "c17 c17.23 f3 f4 f5 g3 h o r77 u9701000001";
        assert_eq!(of(&contract), expected);
        contract.stage = Some(ContractStage::Annulled);
        assert_eq!(of(&contract), "c17 c17.23 g4 h r77 u9701000001");
        contract.customer_inn = "1 OR u2".to_owned();
        assert_eq!(of(&contract), "c17 c17.23 g4 h");
        contract.customer_inn = "1".repeat(MAX_CUSTOMER_INN + 1);
        assert_eq!(of(&contract), "c17 c17.23 g4 h r11");
    }

    #[test]
    fn a_query_without_alternatives_matches_nothing() {
        let mut asked = ContentTokens::default();
        asked.codes(&[]);
        asked.regions(&[]);
        asked.laws(&[]);
        asked.stages(StageSet::ANY);
        asked.facts(&[], false);
        assert!(asked.is_everything());
        asked.stages(StageSet::new([
            ContractStage::InExecution,
            ContractStage::Annulled,
        ]));
        asked.facts(&[RecordFact::Penalties], true);
        asked.with_subcontractors();
        let lists = asked.alternatives().iter().map(|list| list.join("|"));
        assert_eq!(Vec::from_iter(lists), ["g3|g4", "f4|o", "h"]);
    }

    #[test]
    fn moscow_has_two_regions_in_queries_and_records() {
        assert_eq!(ContentRegion::parse("97"), ContentRegion::parse("77"));
        assert_eq!(ContentRegion::of_inn("9701"), ContentRegion::parse("77"));
        for text in ["", "7", "777", "7a", "７７", "-1"] {
            assert_eq!(ContentRegion::parse(text), None, "{text}");
        }
        assert_eq!(ContentRegion::of_inn("7"), None);
        assert_eq!(ContentRegion::of_inn("ИНН"), None);
    }

    /// Texts mostly from a small alphabet, so that many of them share words.
    const TEXT: &str = "([абёеиAaB4 ,.x\u{306}\u{308}]|Ё|или|ами|\\PC){0,16}";

    proptest! {
        #[test]
        fn a_contract_is_found_by_the_words_and_codes_of_a_naive_scan(
            subject in TEXT,
            names in proptest::collection::vec(TEXT, 0..3),
            codes in proptest::collection::vec("[12.-]{0,7}", 3),
            q in TEXT,
            code in "[12][12.-]{0,3}[12]",
        ) {
            let items: Vec<_> = names.iter().cloned().zip(codes.clone()).collect();
            let contract = Contract { subject: subject.clone(), ..Contract::default() };
            let tokens = tokens(&contract, &items);
            let mut words = naive_words(&subject);
            names.iter().for_each(|name| words.extend(naive_words(name)));
            let expected = naive_words(&q).is_subset(&words);
            prop_assert_eq!(matches(&tokens, &asked(&q)), expected);
            for word in &words {
                let is_found = tokens.contains(&format!("w{word}"));
                prop_assert!(is_found, "{}", word);
            }
            let found = tokens.iter().filter(|token| token.starts_with('w')).count();
            prop_assert_eq!(found, words.len());
            let goes_on = |one: &str| {
                let more = [".", "-"].map(|next| format!("{code}{next}"));
                one == code || more.iter().any(|start| one.starts_with(start))
            };
            let mut asked = ContentTokens::default();
            asked.codes(&[ContentCode::parse(&code).expect("a code")]);
            let expected = items.iter().any(|(_, one)| goes_on(one));
            prop_assert_eq!(matches(&tokens, &asked), expected);
        }
    }
}

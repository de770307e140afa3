//! Suppliers and customers found by a name, against a model of the contract's words that looks at
//! all names.

use std::cmp::Reverse;

use procurement_lookup::model::NameQuery;
use procurement_lookup::store::{Database, NameKinds, NameOwner};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{Config, TestRunner};

use crate::service::Service;

/// The abbreviations among the words of names and texts.
const FORMS: [&str; 3] = ["ооо", "ао", "зао"];

/// A supplier or a customer: its name's words, and how many contracts it has.
#[derive(Clone, Debug)]
struct Party {
    words: Vec<String>,
    contracts: usize,
    is_customer: bool,
}

/// Few letters, so that words are parts of one another, or all but.
fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => "[абв]{1,3}",
        16 => "[абв]{4,7}",
        12 => long_word(),
        1 => "[аб]{3}[1-3]",
        3 => select(&FORMS[..]).prop_map(str::to_owned),
    ]
}

/// A word of 8 to 14 letters, all but the same as others: a letter more, less or other anywhere,
/// two neighbours exchanged, or none of these.
fn long_word() -> impl Strategy<Value = String> {
    const WORDS: [&str; 3] = ["абввабваб", "абвгабввагбаб", "вгабвабггабв"];
    (select(&WORDS[..]), 0..14_usize, 0..5_u8).prop_map(|(word, at, change)| {
        let mut letters: Vec<char> = word.chars().collect();
        let at = at % (letters.len() - 1);
        match change {
            0 => letters.insert(at, 'д'),
            1 => drop(letters.remove(at)),
            2 => letters[at] = 'д',
            3 => letters.swap(at, at + 1),
            _ => {}
        }
        letters.into_iter().collect()
    })
}

fn words() -> impl Strategy<Value = Vec<String>> {
    proptest::collection::vec(word(), 1..4)
}

fn party() -> impl Strategy<Value = Party> {
    (words(), 0..3_usize, proptest::bool::weighted(0.3)).prop_map(
        |(words, contracts, is_customer)| Party {
            words,
            contracts: contracts.max(usize::from(is_customer)),
            is_customer,
        },
    )
}

fn inn(at: usize) -> String {
    format!("96000{at:05}")
}

fn lines(parties: &[Party]) -> String {
    let mut lines = String::new();
    for (at, party) in parties.iter().enumerate() {
        let (inn, name) = (inn(at), party.words.join(" "));
        let mut line = |text: String| {
            lines.push_str(&text);
            lines.push('\n');
        };
        for number in 0..party.contracts {
            line(match party.is_customer {
                true => format!(
                    r#"{{"type":"contract","supplier":{{"inn":"9700000000","name":""}},"contract":{{"regNum":"{inn}{number}","customerInn":"{inn}","customerName":"{name}"}}}}"#
                ),
                false => format!(
                    r#"{{"type":"contract","supplier":{{"inn":"{inn}","name":"{name}"}},"contract":{{"regNum":"{inn}{number}"}}}}"#
                ),
            });
        }
        if !party.is_customer {
            line(format!(
                r#"{{"type":"supplier","supplier":{{"inn":"{inn}","name":"{name}"}}}}"#
            ));
        }
    }
    lines
}

/// The number of single changes that make one word of another: a letter more, less or other,
/// or two neighbours exchanged.
fn distance(one: &str, other: &str) -> usize {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let mut table = vec![vec![0; other.len() + 1]; one.len() + 1];
    for i in 0..=one.len() {
        for j in 0..=other.len() {
            if i == 0 || j == 0 {
                table[i][j] = i + j;
                continue;
            }
            let same = usize::from(one[i - 1] != other[j - 1]);
            let mut least = (table[i - 1][j] + 1).min(table[i][j - 1] + 1);
            least = least.min(table[i - 1][j - 1] + same);
            if i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1] {
                least = least.min(table[i - 2][j - 2] + 1);
            }
            table[i][j] = least;
        }
    }
    table[one.len()][other.len()]
}

fn length(words: &[&String]) -> usize {
    words.iter().map(|word| word.chars().count()).sum()
}

/// The score of a name by the words of a text, of which it must have all.
fn score(text: &[&String], all: &[&String], name: &[String], mistakes: bool) -> Option<u8> {
    let mut twice = 0;
    for word in all {
        let letters = word.chars().count();
        let may_be_mistaken = mistakes && letters >= 4 && word.chars().all(char::is_alphabetic);
        let points = if name.iter().any(|one| one.starts_with(word.as_str())) {
            2 * letters
        } else if name.iter().any(|one| one.contains(word.as_str())) {
            letters
        } else if may_be_mistaken && name.iter().any(|one| distance(one, word) == 1) {
            2 * letters - 2
        } else {
            return None;
        };
        twice += if text.contains(word) { points } else { 0 };
    }
    let is_form = |word: &&String| FORMS.contains(&word.as_str());
    let only_forms = text.iter().all(is_form);
    let mut scored: Vec<&String> = name
        .iter()
        .filter(|word| only_forms || !is_form(word))
        .collect();
    let mut sorted = text.to_vec();
    scored.sort();
    sorted.sort();
    if scored == sorted {
        return Some(100);
    }
    let longer = length(&scored).max(length(text));
    Some(u8::try_from((twice * 50 / longer).clamp(1, 99)).expect("up to 99"))
}

/// The scores, numbers of contracts and INNs of what a text finds, in their order.
fn expected(text: &[String], parties: &[Party], customers: bool) -> Vec<(u8, usize, String)> {
    let text: Vec<&String> = text.iter().collect();
    if length(&text) < 3 {
        return Vec::new();
    }
    let is_form = |word: &&String| FORMS.contains(&word.as_str());
    let (forms, mut words): (Vec<&String>, Vec<&String>) =
        text.iter().partition(|word| is_form(word));
    let is_form = words.is_empty();
    if is_form {
        words.clone_from(&forms);
    }
    for mistakes in [false, true] {
        for required in [&text, &words] {
            let mut found = Vec::new();
            for (at, party) in parties.iter().enumerate() {
                if party.is_customer && !customers {
                    continue;
                }
                if let Some(score) = score(&words, required, &party.words, mistakes) {
                    let order = (Reverse(score), Reverse(party.contracts), party.is_customer);
                    found.push((order, inn(at)));
                }
            }
            if !found.is_empty() {
                found.sort();
                let found = found.into_iter();
                return found
                    .map(|((score, contracts, _), inn)| (score.0, contracts.0, inn))
                    .collect();
            }
        }
    }
    Vec::new()
}

#[test]
fn names_are_found_as_a_look_at_all_of_them_finds_them() {
    let cases = Config::with_cases(8);
    let data = (
        proptest::collection::vec(party(), 1..150),
        proptest::collection::vec((words(), 0..30_usize), 60),
    );
    TestRunner::new(cases)
        .run(&data, |(parties, texts)| {
            let service = Service::over(&lines(&parties));
            let database = Database::open(&service.database()).expect("the file");
            for (text, limit) in texts {
                for kinds in [NameKinds::Suppliers, NameKinds::AllBut("")] {
                    let customers = matches!(kinds, NameKinds::AllBut(_));
                    let expected = expected(&text, &parties, customers);
                    let found = NameQuery::new(&text.join(" "))
                        .map(|query| database.find_names(&query, kinds, limit).expect("names"));
                    let found = found.unwrap_or_default();
                    prop_assert_eq!(found.count, expected.len() as u64, "{:?}", text);
                    let best = found.best.into_iter().map(|one| match one.owner {
                        NameOwner::Supplier(supplier) => (
                            one.score,
                            supplier.contracts as usize,
                            supplier.inn.as_str().to_owned(),
                        ),
                        NameOwner::Customer { inn, contracts, .. } => {
                            (one.score, contracts as usize, inn)
                        }
                    });
                    let best: Vec<_> = best.collect();
                    let shown = expected.len().min(limit);
                    prop_assert_eq!(best, &expected[..shown], "{:?}", text);
                }
            }
            Ok(())
        })
        .unwrap_or_else(|failure| panic!("{failure}"));
}

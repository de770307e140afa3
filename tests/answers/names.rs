//! Search for suppliers and customers by name, compared with a model of the specification that
//! examines every name.

use std::cmp::Reverse;

use procurement_lookup::model::NameQuery;
use procurement_lookup::store::{Database, NameKinds, NameOwner};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::TestRunner;

use crate::properties::few_cases;
use crate::service::Service;

/// The abbreviations that occur in names and queries.
const FORMS: [&str; 3] = ["ооо", "ао", "зао"];

/// A supplier or a customer: the words of its name, and its number of contracts.
#[derive(Clone, Debug)]
struct Party {
    words: Vec<String>,
    contracts: usize,
    is_customer: bool,
}

/// A word over a small alphabet, so that words often contain or nearly equal each other.
fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => "[абв]{1,3}",
        16 => "[абв]{4,7}",
        12 => long_word(),
        1 => "[аб]{3}[1-3]",
        3 => select(&FORMS[..]).prop_map(str::to_owned),
    ]
}

/// A word of 8 to 14 letters, at most one edit away from one of three words: a letter inserted,
/// deleted or replaced, or two adjacent letters swapped.
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
    proptest::collection::vec(word(), 1..5)
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

/// Returns the number of edits between two words: inserted, deleted or replaced letters, or swapped
/// adjacent letters.
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

fn length(words: &[String]) -> usize {
    words.iter().map(|word| word.chars().count()).sum()
}

/// Separates the words of a name or query from its legal forms. If there are only legal forms, all
/// but the first count as words.
fn words_and_forms(all: &[String]) -> (Vec<String>, Vec<String>) {
    let is_form = |word: &String| FORMS.contains(&word.as_str());
    let (mut forms, mut words): (Vec<String>, Vec<String>) =
        all.iter().cloned().partition(|word| is_form(word));
    if words.is_empty() && forms.len() > 1 {
        words = forms.split_off(1);
    }
    (words, forms)
}

/// Returns how much of a query word matches a word of the name, in thirds of a letter, or `None` if
/// they do not match.
fn thirds(word: &str, one: &str, mistakes: bool) -> Option<usize> {
    let letters = word.chars().count();
    let may_be_mistaken = mistakes && word.chars().filter(|one| one.is_alphabetic()).count() >= 4;
    let number = |word: &str| {
        word.chars()
            .filter(|one| one.is_numeric())
            .collect::<String>()
    };
    let is_mistaken = may_be_mistaken && distance(one, word) == 1 && number(one) == number(word);
    let kinds = [
        (one == word).then_some(3 * letters),
        one.starts_with(word).then_some(2 * letters),
        one.contains(word).then_some(letters),
        is_mistaken.then(|| 3 * letters - 3),
    ];
    kinds.into_iter().flatten().max()
}

/// Returns the maximum number of matching thirds over all ways of pairing the words.
fn best_pairs(text: &[String], name: &[String], mistakes: bool) -> Option<usize> {
    let Some((word, rest)) = text.split_first() else {
        return Some(0);
    };
    let choices = (0..name.len()).filter_map(|at| {
        let own = thirds(word, &name[at], mistakes)?;
        let others = [&name[..at], &name[at + 1..]].concat();
        Some(own + best_pairs(rest, &others, mistakes)?)
    });
    choices.max()
}

/// Computes a score from the matching thirds and the lengths of query and name.
fn share(thirds: usize, text: usize, name: usize, highest: usize) -> usize {
    (thirds * highest / (3 * text.max(name))).clamp(1, 99)
}

/// Returns the score of a name that contains or equals all words of the query.
fn score(
    text: &[String],
    name: &[String],
    forms: &[String],
    mistakes: bool,
    highest: usize,
) -> Option<usize> {
    let thirds = best_pairs(text, &[name, forms].concat(), mistakes)?;
    let sorted = |words: &[String]| {
        let mut words = words.to_vec();
        words.sort();
        words
    };
    let is_same = sorted(text) == sorted(name);
    let score = share(thirds, length(text), length(name), highest);
    Some(if is_same { highest } else { score })
}

/// Returns the best score after joining two or three adjacent words of the query, or splitting one.
fn score_divided(text: &[String], name: &[String], forms: &[String]) -> Option<usize> {
    let mut scores = Vec::new();
    let (of_text, of_name) = (length(text), length(name));
    if text.len() > 1 && of_text >= 4 && text.concat() == name.concat() && name.len() <= 6 {
        scores.push(share(3 * of_text, of_text, of_name, 95));
    }
    for count in 2..=3 {
        for at in 0..(text.len() + 1).saturating_sub(count) {
            let one = vec![text[at..at + count].concat()];
            let joined = [&text[..at], &one, &text[at + count..]].concat();
            if joined.iter().any(|word| word.chars().count() >= 3) {
                scores.extend(score(&joined, name, forms, false, 95));
            }
        }
    }
    for (at, word) in text.iter().enumerate() {
        for (from, to) in
            (0..name.len()).flat_map(|from| (from + 2..=name.len()).map(move |to| (from, to)))
        {
            if word.chars().count() < 4 || to - from > 6 || name[from..to].concat() != *word {
                continue;
            }
            let others = [&text[..at], &text[at + 1..]].concat();
            let rest = [&name[..from], &name[to..], forms].concat();
            let own = 3 * word.chars().count();
            scores.extend(
                best_pairs(&others, &rest, false)
                    .map(|thirds| share(own + thirds, of_text, of_name, 95)),
            );
        }
    }
    scores.into_iter().max()
}

/// Returns the best score if one word of the query is ignored and the name contains all others.
fn score_without_one(text: &[String], name: &[String], forms: &[String]) -> Option<usize> {
    let has_digit = |word: &String| word.chars().any(char::is_numeric);
    let is_long = |word: &String| word.chars().count() >= 3;
    let scores = (0..text.len()).filter_map(|at| {
        let rest = [&text[..at], &text[at + 1..]].concat();
        let counted = rest
            .iter()
            .filter(|word| is_long(word) || has_digit(word))
            .count();
        let needed = if is_long(&text[at]) { 2 } else { 1 };
        let says_enough =
            counted >= needed && rest.iter().any(|word| is_long(word) && !has_digit(word));
        if has_digit(&text[at]) || text.len() < 3 || rest.len() != name.len() || !says_enough {
            return None;
        }
        let thirds = best_pairs(&rest, &[name, forms].concat(), false)?;
        Some(share(thirds, length(text), length(name), 85))
    });
    scores.max()
}

/// Returns the expected scores, numbers of contracts and INNs, in order.
fn expected(text: &[String], parties: &[Party], customers: bool) -> Vec<(usize, usize, String)> {
    if length(text) < 3 {
        return Vec::new();
    }
    let (words, forms) = words_and_forms(text);
    let is_form = words.is_empty();
    for step in 0..if is_form { 1 } else { 4 } {
        let mut found = Vec::new();
        for (at, party) in parties.iter().enumerate() {
            if party.is_customer && !customers {
                continue;
            }
            let (name, its_forms) = words_and_forms(&party.words);
            let score = match step {
                // A query that consists of a legal form is matched against the legal forms of the
                // name as if they were words.
                0 if is_form => score(&forms, &[name, its_forms.clone()].concat(), &[], false, 100),
                0 => score(&words, &name, &its_forms, false, 100),
                1 => score(&words, &name, &its_forms, true, 100),
                2 => score_divided(&words, &name, &its_forms),
                _ => score_without_one(&words, &name, &its_forms),
            };
            if let Some(score) = score {
                let has_forms = is_form || forms.iter().all(|form| its_forms.contains(form));
                let order = (
                    Reverse(score),
                    Reverse(has_forms),
                    Reverse(party.contracts),
                    party.is_customer,
                );
                found.push((order, inn(at)));
            }
        }
        if !found.is_empty() {
            found.sort();
            let found = found.into_iter();
            return found
                .map(|((score, _, contracts, _), inn)| (score.0, contracts.0, inn))
                .collect();
        }
    }
    Vec::new()
}

#[test]
fn search_results_equal_a_scan_of_all_names() {
    let data = (
        proptest::collection::vec(party(), 1..150),
        proptest::collection::vec((words(), 0..30_usize), 40),
    );
    TestRunner::new(few_cases(4))
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
                            usize::from(one.score),
                            supplier.contracts as usize,
                            supplier.inn.as_str().to_owned(),
                        ),
                        NameOwner::Customer { inn, contracts, .. } => {
                            (usize::from(one.score), contracts as usize, inn)
                        }
                        NameOwner::Entry(entry) => panic!("{entry:?}"),
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

//! Measures how reliably and how fast suppliers are found by misspelt names.

use std::path::Path;
use std::time::{Duration, Instant};

use procurement_lookup::model::{NameQuery, NameStep, searched_name};
use procurement_lookup::store::{Database, Error, NameKinds, NameOwner};

use crate::Result;

/// A search counts as successful if the right supplier is among this many top hits.
const SHOWN: usize = 3;

/// Only words with at least this many letters are misspelt.
const MIN_LETTERS: usize = 4;

/// Searches a data file for the names of random suppliers, with a mistake in at least one word.
/// Prints how many are found, and how fast.
pub fn measure(file: &Path, searches: usize, seed: u64) -> Result<()> {
    let database = Database::open(file)?;
    let mut names = Vec::new();
    database.suppliers(|_, supplier| {
        names.push(supplier.name().to_owned());
        Ok::<_, Error>(())
    })?;
    let mut chance = Chance(seed);
    let (mut found, mut first, mut answered) = (0, 0, 0);
    let mut times = Vec::new();
    while times.len() < searches {
        let name = &names[chance.below(names.len())];
        let Some(text) = misspelt(name, &mut chance) else {
            continue;
        };
        let started = Instant::now();
        let query = NameQuery::new(&text).ok_or("a text that is too short")?;
        let matches = database.find_names(&query, NameKinds::Suppliers, SHOWN)?;
        times.push((started.elapsed(), text));
        let is_right = |owner: &NameOwner| match owner {
            NameOwner::Supplier(supplier) => is_same(name, supplier.name()),
            NameOwner::Customer { .. } | NameOwner::Entry(_) => false,
        };
        let place = matches.best.iter().position(|one| is_right(&one.owner));
        found += usize::from(place.is_some());
        first += usize::from(place == Some(0));
        answered += usize::from(matches.count > 0);
    }
    times.sort();
    println!("{} suppliers, {searches} misspelt names", names.len());
    let share = |part: usize, of: usize| part as f64 / of.max(1) as f64;
    println!(
        "recall, among the first {SHOWN}: {:.3}",
        share(found, searches)
    );
    println!(
        "precision, of those with hits: {:.3}",
        share(found, answered)
    );
    println!("the first hit is right: {:.3}", share(first, searches));
    let time = |at: usize| times.get(at).map_or(Duration::ZERO, |(time, _)| *time);
    println!("median: {:?}", time(times.len() / 2));
    println!("99th percentile: {:?}", time(times.len() * 99 / 100));
    if let Some((slowest, text)) = times.last() {
        println!("slowest: {slowest:?} ({text})");
    }
    Ok(())
}

/// Returns whether two names are equal except for legal forms.
fn is_same(one: &str, other: &str) -> bool {
    let step = NameQuery::new(one).and_then(|query| query.steps().next());
    let score = |step: NameStep| {
        let ways = 0..step.ways.len();
        let other = searched_name(other);
        ways.filter_map(|way| step.score(way, &other)).max()
    };
    step.and_then(score).is_some_and(|score| score.score == 100)
}

/// Returns the name with a mistake in one or more words that consist of letters, or `None` if no
/// word is long enough. If the first word is as short as a legal form, drops it half of the time.
fn misspelt(name: &str, chance: &mut Chance) -> Option<String> {
    let mut words: Vec<String> = name.split(' ').map(str::to_owned).collect();
    if words
        .first()
        .is_some_and(|word| word.chars().count() < MIN_LETTERS)
        && chance.below(2) == 0
    {
        words.remove(0);
    }
    let is_long = |word: &String| {
        let letters = word.trim_matches(|letter: char| !letter.is_alphabetic());
        letters.chars().count() >= MIN_LETTERS && letters.chars().all(char::is_alphabetic)
    };
    let long: Vec<usize> = (0..words.len()).filter(|at| is_long(&words[*at])).collect();
    let certain = *long.get(chance.below(long.len().max(1)))?;
    for at in long {
        if at == certain || chance.below(3) == 0 {
            words[at] = mistaken(&words[at], chance);
        }
    }
    Some(words.join(" "))
}

/// Returns the word with a letter added, removed or replaced, or with two adjacent letters swapped.
fn mistaken(word: &str, chance: &mut Chance) -> String {
    let letters: Vec<char> = word.chars().collect();
    loop {
        let mut mistaken = letters.clone();
        let at = chance.below(letters.len());
        let other = char::from_u32('а' as u32 + chance.below(32) as u32).unwrap_or('а');
        match chance.below(4) {
            _ if !letters[at].is_alphabetic() => continue,
            0 => mistaken.insert(at, other),
            1 => {
                mistaken.remove(at);
            }
            2 => mistaken[at] = other,
            _ if at + 1 < letters.len() && letters[at + 1].is_alphabetic() => {
                mistaken.swap(at, at + 1);
            }
            _ => continue,
        }
        let mistaken: String = mistaken.into_iter().collect();
        if searched_name(&mistaken) != searched_name(word) {
            return mistaken;
        }
    }
}

struct Chance(u64);

impl Chance {
    fn below(&mut self, end: usize) -> usize {
        let next = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = next.wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }
}

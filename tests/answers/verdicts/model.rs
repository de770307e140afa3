//! Computes verdicts from all imports according to the specification. Slow and simple, and uses no
//! code of the program.

use std::collections::{BTreeMap, BTreeSet};

/// Days since [`super::FIRST_DAY`].
pub type Day = i64;

pub const LAWS: [&str; 3] = ["44", "223", "615"];

/// How many days documents must cover before a registry counts as complete.
pub const PROVING_DAYS: Day = 1130;

/// What a line or a document states about an entry.
#[derive(Clone, Debug)]
pub struct Stated {
    pub inn: String,
    /// One of the three laws, or any other string.
    pub law: &'static str,
    pub registered: Option<Day>,
    pub excluded: Option<Day>,
}

/// The state of an entry according to a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    Published,
    /// No longer in force, from the day of publication on.
    Archived,
    /// An inclusion that was refused.
    Cancelled,
}

/// A published version of a registry entry.
#[derive(Clone, Debug)]
struct Document {
    stated: Stated,
    published: (Day, usize),
    state: State,
}

/// Everything that was imported about an entry.
#[derive(Clone, Debug, Default)]
struct Entry {
    line: Option<Stated>,
    /// All versions, oldest first.
    documents: Vec<Document>,
}

impl Entry {
    /// Returns what the newest version that is not a refusal states, otherwise what the line
    /// states.
    fn stated(&self) -> &Stated {
        let mut versions = self.documents.iter().rev();
        let named = versions.find(|one| one.state != State::Cancelled);
        let any = named.or(self.documents.last());
        let stated = any.map(|document| &document.stated);
        stated.or(self.line.as_ref()).expect("one of them")
    }

    /// Returns whether all documents about the entry are cancelled inclusions.
    fn is_cancelled(&self) -> bool {
        let mut states = self.documents.iter().map(|one| one.state);
        !self.documents.is_empty() && states.all(|state| state == State::Cancelled)
    }

    /// Returns whether the newest version published on or before `day` says that the entry is not
    /// in force.
    fn is_suspended(&self, day: Day) -> bool {
        let counts = |one: &&Document| {
            let (published, _) = one.published;
            // The entry is still listed on the day on which it is excluded according to its dates.
            let is_last = one.state != State::Published && one.stated.excluded == Some(published);
            published + Day::from(is_last) <= day
        };
        let newest = self.documents.iter().rev().find(counts);
        newest.is_some_and(|one| one.state != State::Published)
    }
}

/// Which registries a verdict may be based on, and how old they may be.
#[derive(Clone, Debug)]
pub struct Rules {
    pub laws: BTreeSet<&'static str>,
    pub max_age: Day,
}

/// What a verdict under one law is based on.
#[derive(Clone, Debug)]
pub struct Ground {
    pub state: &'static str,
    pub basis: &'static str,
    pub since: Option<Day>,
    pub as_of: Option<Day>,
    pub covers: bool,
    pub entries: usize,
}

/// The expected response about one supplier.
#[derive(Clone, Debug)]
pub struct Checked {
    pub verdict: &'static str,
    /// The numbers of the entries in force, in order.
    pub entries: Vec<String>,
    /// Entries that were in force earlier, each with the day of the registry that ended it.
    pub previous: Vec<(String, Option<Day>)>,
    pub is_known: bool,
}

#[derive(Clone, Debug, Default)]
pub struct Model {
    entries: BTreeMap<String, Entry>,
    /// Numbers of the entries in each registry that was imported as a whole, by law and day.
    wholes: BTreeMap<(&'static str, Day), BTreeSet<String>>,
    declared: BTreeMap<&'static str, BTreeSet<Day>>,
    /// Days covered by documents of each type: in all regions but one, and in the remaining one.
    covered: BTreeMap<&'static str, [BTreeSet<Day>; 2]>,
    /// Days on which documents alone prove a registry complete, by law.
    proved: BTreeMap<&'static str, BTreeSet<Day>>,
    /// Suppliers that have a contract or a supplier line.
    recorded: BTreeSet<String>,
    forgotten: Option<Day>,
    /// Number of documents imported so far.
    documents: usize,
}

impl Model {
    /// Returns the day before which entries were forgotten, if any.
    pub fn forgotten(&self) -> Option<Day> {
        self.forgotten
    }

    pub fn record(&mut self, inn: &str) {
        self.recorded.insert(inn.to_owned());
    }

    pub fn declare(&mut self, law: &'static str, day: Day) {
        self.declared.entry(law).or_default().insert(day);
    }

    pub fn line(&mut self, number: &str, stated: Stated) {
        self.entries.entry(number.to_owned()).or_default().line = Some(stated);
    }

    /// Adds a document. Returns the second of the day at which it is published.
    pub fn document(&mut self, number: &str, stated: Stated, day: Day, state: State) -> usize {
        self.documents += 1;
        let document = Document {
            stated,
            published: (day, self.documents),
            state,
        };
        let entry = self.entries.entry(number.to_owned()).or_default();
        entry.documents.push(document);
        entry.documents.sort_by_key(|one| one.published);
        self.documents
    }

    /// Imports lines that make up the whole registry of each law that occurs in them.
    pub fn whole(&mut self, day: Day, lines: Vec<(String, Stated)>) {
        for (number, stated) in lines {
            if let Some(law) = LAWS.into_iter().find(|law| *law == stated.law) {
                let numbers = self.wholes.entry((law, day)).or_default();
                numbers.insert(number.clone());
                self.declare(law, day);
            }
            self.line(&number, stated);
        }
    }

    pub fn cover(&mut self, kind: &'static str, days: std::ops::RangeInclusive<Day>, gap: Day) {
        let [most, one] = self.covered.entry(kind).or_default();
        most.extend(days.clone());
        one.extend(days.filter(|day| *day != gap));
        self.proved = LAWS.map(|law| (law, self.proved(law))).into();
    }

    /// Deletes the entries that were not in force on any day from `first` on.
    pub fn forget_before(&mut self, first: Day) {
        let numbers: Vec<String> = self.entries.keys().cloned().collect();
        for number in numbers {
            // Nothing changes after this range of days.
            if !(first..first + 500).any(|day| self.is_in_force(&number, day)) {
                self.entries.remove(&number);
            }
        }
        self.forgotten = self.forgotten.max(Some(first));
    }

    /// Returns the first and the last day on which an entry is in force, and the day of the
    /// registry that ended it.
    fn force(&self, number: &str) -> (Day, Day, Option<Day>) {
        let entry = &self.entries[number];
        let stated = entry.stated();
        let from = stated.registered.unwrap_or(Day::MIN);
        let to = stated.excluded.unwrap_or(Day::MAX);
        let has = |(_, numbers): &(_, &BTreeSet<String>)| numbers.contains(number);
        let seen = self.wholes.iter().filter(has).map(|((_, day), _)| *day);
        let published = entry.documents.last().map(|one| one.published.0);
        let seen = seen.chain(published).chain(stated.registered).max();
        let of_law = self.wholes.keys().filter(|(law, _)| *law == stated.law);
        let after = of_law.map(|(_, day)| *day).filter(|day| Some(*day) > seen);
        match after.min() {
            Some(day) if from <= day && day <= to && !entry.is_suspended(day) => {
                (from, day - 1, Some(day))
            }
            _ => (from, to, None),
        }
    }

    fn is_in_force(&self, number: &str, day: Day) -> bool {
        let (from, to, _) = self.force(number);
        from <= day && day <= to && !self.entries[number].is_suspended(day)
    }

    /// Returns whether the day is covered by documents of every type that the registry needs, from
    /// all regions.
    fn is_covered(&self, law: &str, day: Day) -> bool {
        let of_law = super::KINDS.iter().filter(|kind| kind.laws.contains(&law));
        let mut of_law = of_law.peekable();
        of_law.peek().is_some()
            && of_law.all(|kind| {
                let days = self.covered.get(kind.name);
                days.is_some_and(|days| days.iter().all(|days| days.contains(&day)))
            })
    }

    fn proved(&self, law: &str) -> BTreeSet<Day> {
        let days: BTreeSet<Day> = self.covered.values().flatten().flatten().copied().collect();
        let mut run = 0;
        let mut last = None;
        let mut proved = BTreeSet::new();
        for day in days.into_iter().filter(|day| self.is_covered(law, *day)) {
            run = if last == Some(day - 1) { run + 1 } else { 1 };
            last = Some(day);
            if run > PROVING_DAYS {
                proved.insert(day);
            }
        }
        proved
    }

    pub fn ground(&self, law: &'static str, day: Day, max_age: Day) -> Ground {
        let of_law = |entry: &&Entry| entry.stated().law == law && !entry.is_cancelled();
        let entries = self.entries.values().filter(of_law).count();
        let declared = self.declared.get(law);
        let first = declared.and_then(BTreeSet::first).copied();
        let last = declared.and_then(BTreeSet::last).copied();
        let is_covered = |day: &Day| self.is_covered(law, *day);
        let moved = |day: &Day| (day + 1..).take_while(is_covered).last();
        let moved = declared.into_iter().flatten().filter_map(moved).max();
        let proved = self.proved.get(law);
        let first_proved = proved.and_then(BTreeSet::first).copied();
        let by_documents = proved.and_then(BTreeSet::last).copied().max(moved);
        let as_of = last.max(by_documents);
        let since = first.into_iter().chain(first_proved).min();
        let since = since.map(|since| since.max(self.forgotten.unwrap_or(since)));
        let (since, as_of) = since
            .zip(as_of)
            .filter(|(since, as_of)| since <= as_of)
            .unzip();
        let is_later = since.is_some_and(|since| day < since);
        let is_old = as_of.is_some_and(|as_of| day > as_of + max_age);
        Ground {
            state: match (as_of, entries) {
                (Some(_), _) => "complete",
                (None, 0) => "none",
                _ => "partial",
            },
            basis: match as_of {
                None => "",
                _ if as_of == by_documents => "documents",
                _ => "declared",
            },
            since,
            as_of,
            covers: as_of.is_some() && !is_later && !is_old,
            entries,
        }
    }

    pub fn check(&self, inn: &str, day: Day, rules: &Rules) -> Checked {
        let of_inn = |number: &&String| {
            let entry = &self.entries[*number];
            entry.stated().inn == inn && !entry.is_cancelled()
        };
        let mut of_inn: Vec<&String> = self.entries.keys().filter(of_inn).collect();
        let registered = |number: &&String| self.entries[*number].stated().registered;
        of_inn.sort_by_key(|number| std::cmp::Reverse((registered(number), (*number).clone())));
        let is_known = !of_inn.is_empty() || self.recorded.contains(inn);
        let is_asked = |number: &String| {
            let law = self.entries[number].stated().law;
            !LAWS.contains(&law) || rules.laws.contains(law)
        };
        let (mut entries, mut previous) = (Vec::new(), Vec::new());
        for number in of_inn.into_iter().filter(|number| is_asked(number)) {
            let (from, _, ended) = self.force(number);
            if self.is_in_force(number, day) {
                entries.push(number.clone());
            } else if (from.max(-500)..day).any(|day| self.is_in_force(number, day)) {
                previous.push((number.clone(), ended));
            }
        }
        let covers = |law| !rules.laws.contains(law) || self.ground(law, day, rules.max_age).covers;
        let verdict = if !is_inn(inn) || (!is_known && !has_control_digits(inn)) {
            "invalid"
        } else if !entries.is_empty() {
            "listed"
        } else if !LAWS.into_iter().all(covers) {
            "undetermined"
        } else if !previous.is_empty() {
            "previously-listed"
        } else {
            "not-listed"
        };
        Checked {
            verdict,
            entries,
            previous,
            is_known,
        }
    }
}

pub fn in_rnp(verdict: &str) -> &'static str {
    match verdict {
        "listed" => "true",
        "previously-listed" | "not-listed" => "false",
        _ => "",
    }
}

pub fn is_inn(text: &str) -> bool {
    matches!(text.len(), 10 | 12) && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn has_control_digits(inn: &str) -> bool {
    let digits: Vec<u32> = inn.bytes().map(|byte| u32::from(byte - b'0')).collect();
    let control = |weights: &[u32]| {
        let sum: u32 = weights
            .iter()
            .zip(&digits)
            .map(|(one, two)| one * two)
            .sum();
        sum % 11 % 10
    };
    if digits.len() == 10 {
        return control(&[2, 4, 10, 3, 5, 9, 4, 6, 8]) == digits[9];
    }
    control(&[7, 2, 4, 10, 3, 5, 9, 4, 6, 8]) == digits[10]
        && control(&[3, 7, 2, 4, 10, 3, 5, 9, 4, 6, 8]) == digits[11]
}

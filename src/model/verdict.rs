//! The verdict of the registries of unfair suppliers on a supplier for a day, with its ground.
//! No other file decides it (the manual, API, "Verdicts").

use std::fmt;

use super::{
    Basis, Date, Inn, Regime, Registries, Registry, RegistryState, RnpEntry, UnreadEntries,
};

/// After how many days a complete registry is too old, unless another age is given.
pub const DEFAULT_MAX_AGE: u64 = 30;

/// The verdict of the registries on a supplier for a day.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Verdict {
    /// Not an INN: not 10 or 12 digits, or wrong control digits and nothing known of it.
    #[default]
    Invalid,
    /// An entry is in force.
    Listed,
    /// No entry is in force, and for at least one law the data does not cover the day.
    Undetermined,
    /// All laws cover the day, and an entry was in force before it.
    PreviouslyListed,
    /// All laws cover the day, and no entry ever was in force up to it.
    NotListed,
}

impl Verdict {
    /// The codes of all of them, in their order.
    pub const CODES: &'static [&'static str] = &[
        "invalid",
        "listed",
        "undetermined",
        "previously-listed",
        "not-listed",
    ];

    /// The code, as the contract has it.
    pub fn code(self) -> &'static str {
        match self {
            Self::Invalid => "invalid",
            Self::Listed => "listed",
            Self::Undetermined => "undetermined",
            Self::PreviouslyListed => "previously-listed",
            Self::NotListed => "not-listed",
        }
    }

    /// Whether the supplier is listed, where that is known.
    pub fn is_listed(self) -> Option<bool> {
        match self {
            Self::Listed => Some(true),
            Self::PreviouslyListed | Self::NotListed => Some(false),
            Self::Invalid | Self::Undetermined => None,
        }
    }
}

/// The laws whose registries are asked; at least one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Laws([bool; 3]);

impl Laws {
    /// All three.
    pub const ALL: Self = Self([true; 3]);

    /// The laws in a list of codes with commas between, in any order; none if it is empty or
    /// has another code.
    pub fn parse(text: &str) -> Option<Self> {
        let mut laws = Self([false; 3]);
        for code in text.split(',').map(str::trim) {
            let at = Regime::CODES.iter().position(|known| *known == code)?;
            *laws.0.get_mut(at)? = true;
        }
        Some(laws)
    }

    /// Whether this law is asked.
    pub fn has(self, law: Regime) -> bool {
        let asked = Regime::ALL.into_iter().zip(self.0);
        asked
            .into_iter()
            .any(|(one, is_asked)| one == law && is_asked)
    }

    /// Whether an entry counts: each does whose law is asked, and each of no known law.
    pub fn count(self, entry: &RnpEntry) -> bool {
        self.count_law(Regime::from_code(&entry.federal_law))
    }

    /// Whether an entry of this law counts; `None`: of no known law.
    pub fn count_law(self, law: Option<Regime>) -> bool {
        law.is_none_or(|law| self.has(law))
    }
}

/// The codes with commas between, in their order.
impl fmt::Display for Laws {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let laws = Regime::ALL.into_iter().filter(|law| self.has(*law));
        let codes: Vec<_> = laws.map(Regime::code).collect();
        f.write_str(&codes.join(","))
    }
}

/// The rules of a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct VerdictRules {
    /// The laws whose registries are asked.
    pub laws: Laws,
    /// For how many days after its last day a complete registry still covers a day.
    pub max_age: u64,
}

impl Default for VerdictRules {
    fn default() -> Self {
        Self {
            laws: Laws::ALL,
            max_age: DEFAULT_MAX_AGE,
        }
    }
}

/// Whether a registry covers a day, or the reason why it does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// It is complete for that day.
    Covers,
    /// It was complete too long before.
    Old,
    /// It is complete only from a later day on.
    Later,
    /// It is not known to be complete as of any day.
    Incomplete,
    /// An inclusion published by that day could not be read, and may be about anybody.
    Unread,
}

/// The ground of a verdict: the day, and the registry of each law as it is for that day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ground {
    /// The day.
    pub day: Date,
    /// The rules.
    pub rules: VerdictRules,
    /// The registries, in the order of [`Regime::ALL`]; none of a law that is not asked.
    pub laws: [Option<LawGround>; 3],
}

/// The registry of one law as the ground of a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LawGround {
    /// The number of its entries, of any date.
    pub entries: u64,
    /// The number of inclusions in it that could not be read.
    pub unread: u64,
    /// The ground of the last day for which it is known to be complete.
    pub basis: Option<Basis>,
    /// The first day for which it is known to be complete.
    pub complete_since: Option<Date>,
    /// The last one.
    pub complete_as_of: Option<Date>,
    /// Its answer for the day.
    pub reach: Reach,
}

impl LawGround {
    fn new(
        registry: Registry,
        unread: &UnreadEntries,
        day: Date,
        max_age: u64,
        of_every_day: bool,
    ) -> Self {
        let uncovered_from = unread.uncovered_from(registry.law);
        let days = registry.complete;
        let (since, as_of) = (days.map(|days| days.since), days.map(|days| days.as_of));
        let reach = match days {
            _ if of_every_day => Reach::Covers,
            None => Reach::Incomplete,
            Some(days) if day < days.since => Reach::Later,
            Some(days) if !is_within(days.as_of, day, max_age) => Reach::Old,
            Some(_) if uncovered_from.is_some_and(|first| first <= day) => Reach::Unread,
            Some(_) => Reach::Covers,
        };
        Self {
            entries: registry.entries,
            unread: unread.count(registry.law),
            basis: match of_every_day {
                true => Some(Basis::Declared),
                false => days.map(|days| days.basis),
            },
            complete_since: since.filter(|_| !of_every_day),
            complete_as_of: if of_every_day { Some(day) } else { as_of },
            reach,
        }
    }

    /// Whether it covers the day.
    pub fn covers(&self) -> bool {
        self.reach == Reach::Covers
    }
}

/// Whether `day` is at most `max_age` days after `as_of`.
fn is_within(as_of: Date, day: Date, max_age: u64) -> bool {
    let age = day.days_since_1970() - as_of.days_since_1970();
    u64::try_from(age).unwrap_or(0) <= max_age
}

/// `complete:2026-11-20`, `partial`, `none`.
impl fmt::Display for LawGround {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        self.add_to(&mut text);
        f.write_str(&text)
    }
}

impl LawGround {
    /// Returns the completeness of the registry in the data.
    pub fn state(&self) -> RegistryState {
        RegistryState::new(self.complete_as_of.is_some(), self.entries)
    }

    /// Appends the state, and the last day of a complete registry: `complete:2026-11-20`.
    fn add_to(&self, text: &mut String) {
        text.push_str(self.state().code());
        if let Some(day) = self.complete_as_of {
            text.push(':');
            day.append_iso(text);
        }
    }

    /// The state as a cell of a table: as in the header, then ` old`, ` later` or ` unread` where it
    /// is complete but does not cover the day.
    pub fn cell(&self) -> String {
        match self.reach {
            Reach::Covers | Reach::Incomplete => self.to_string(),
            Reach::Old => format!("{self} old"),
            Reach::Later => format!("{self} later"),
            Reach::Unread => format!("{self} unread"),
        }
    }
}

impl Ground {
    /// The ground that these registries give for `day`, where these inclusions are `unread`.
    pub fn new(
        registries: &Registries,
        unread: &UnreadEntries,
        day: Date,
        rules: VerdictRules,
    ) -> Self {
        let of_every_day = registries.of_every_day;
        let law = |registry: Registry| {
            let is_asked = rules.laws.has(registry.law);
            is_asked.then(|| LawGround::new(registry, unread, day, rules.max_age, of_every_day))
        };
        Self {
            day,
            rules,
            laws: registries.all.map(law),
        }
    }

    /// The text of the header `X-Registries`: `44=complete:2026-11-20, 223=partial, 615=none`. A law
    /// that is not asked has nothing behind the equals sign.
    pub fn text(&self) -> String {
        // Enough for three complete registries, so that it need not grow in each answer.
        let mut text = String::with_capacity(80);
        for (law, ground) in Regime::ALL.into_iter().zip(&self.laws) {
            if !text.is_empty() {
                text.push_str(", ");
            }
            text.push_str(law.code());
            text.push('=');
            if let Some(ground) = ground {
                ground.add_to(&mut text);
            }
        }
        text
    }

    /// Whether the registry of each law that is asked covers the day.
    pub fn covers(&self) -> bool {
        self.laws.iter().flatten().all(LawGround::covers)
    }

    /// Whether an entry counts and is in force on the day.
    pub fn has_in_force(&self, entry: &RnpEntry) -> bool {
        self.rules.laws.count(entry) && entry.is_in_force(self.day)
    }

    /// Whether an entry counts and was in force before the day.
    pub fn had_in_force(&self, entry: &RnpEntry) -> bool {
        self.rules.laws.count(entry) && entry.was_in_force_before(self.day)
    }

    /// The verdict on the supplier with this INN, as it was given, by all its `entries`, of
    /// any date; `is_known`: whether the data knows the supplier otherwise; `unread`: the inclusions
    /// that could not be read.
    pub fn verdict(
        &self,
        inn: &str,
        is_known: bool,
        entries: &[RnpEntry],
        unread: &UnreadEntries,
    ) -> Verdict {
        let Some(inn) = Inn::parse(inn) else {
            return Verdict::Invalid;
        };
        if entries.iter().any(|entry| self.has_in_force(entry)) {
            Verdict::Listed
        } else if unread
            .laws(&inn, self.day)
            .any(|law| self.rules.laws.has(law))
        {
            Verdict::Undetermined
        } else if !is_known && entries.is_empty() && !inn.has_control_digits() {
            // Registries have numbers whose control digits are wrong; one that is in none
            // is more likely mistyped.
            Verdict::Invalid
        } else {
            self.of_entries(entries)
        }
    }

    /// The verdict on the supplier of an entry without an INN.
    pub fn verdict_without_inn(&self, entry: &RnpEntry) -> Verdict {
        match self.has_in_force(entry) {
            true => Verdict::Listed,
            false => self.of_entries(std::slice::from_ref(entry)),
        }
    }

    /// Returns the verdict on a supplier none of whose entries is in force.
    fn of_entries(&self, entries: &[RnpEntry]) -> Verdict {
        if !self.covers() {
            Verdict::Undetermined
        } else if entries.iter().any(|entry| self.had_in_force(entry)) {
            Verdict::PreviouslyListed
        } else {
            Verdict::NotListed
        }
    }
}

impl fmt::Display for Ground {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> Date {
        Date::parse_iso(text).expect("a day")
    }

    /// The ground that the demonstration's registries give for a day.
    fn ground(on: &str) -> Ground {
        let demonstration = Registries {
            all: Regime::ALL.map(|law| Registry {
                law,
                complete: None,
                entries: 1,
            }),
            of_every_day: true,
        };
        Ground::new(
            &demonstration,
            &UnreadEntries::default(),
            day(on),
            VerdictRules::default(),
        )
    }

    #[test]
    fn the_demonstrations_registries_are_complete_as_of_every_day() {
        for on in ["2010-01-01", "2040-01-01"] {
            let header = format!("44=complete:{on}, 223=complete:{on}, 615=complete:{on}");
            assert_eq!(ground(on).to_string(), header);
            assert!(ground(on).covers());
        }
    }

    #[test]
    fn a_mistyped_number_is_invalid_unless_something_is_known_of_it() {
        let entry = RnpEntry {
            exclude_date: Some(day("2026-01-01")),
            ..RnpEntry::default()
        };
        let verdict = |is_known, entries: &[RnpEntry]| {
            ground("2026-11-20").verdict("7707083894", is_known, entries, &UnreadEntries::default())
        };
        assert_eq!(verdict(false, &[]), Verdict::Invalid);
        assert_eq!(verdict(true, &[]), Verdict::NotListed);
        assert_eq!(verdict(false, &[entry]), Verdict::PreviouslyListed);
    }
}

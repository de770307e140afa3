//! Verdicts on a supplier for a day, and what they are based on. No other module makes verdicts
//! (manual, "API", "Verdicts").

use std::fmt;

use super::{
    Basis, Date, Inn, Regime, Registries, Registry, RegistryState, RnpEntry, UnreadEntries,
};

/// In days.
pub const DEFAULT_MAX_AGE: u64 = 30;

/// What the registries of unfair suppliers say about a supplier as of a day.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Verdict {
    /// Not an INN. Either it does not have 10 or 12 digits, or the control digits are wrong and it
    /// does not occur in the data.
    #[default]
    Invalid,
    Listed,
    /// No entry is in force. But a consulted registry does not cover the day, or an inclusion that
    /// the import could not parse may be about the supplier.
    Undetermined,
    /// All consulted registries cover the day. No entry is in force on it, but one was before.
    PreviouslyListed,
    /// All consulted registries cover the day, and no entry was ever in force up to it.
    NotListed,
}

impl Verdict {
    /// In the order of the variants.
    pub const CODES: &'static [&'static str] = &[
        "invalid",
        "listed",
        "undetermined",
        "previously-listed",
        "not-listed",
    ];

    /// Returns the code in responses.
    pub fn code(self) -> &'static str {
        match self {
            Self::Invalid => "invalid",
            Self::Listed => "listed",
            Self::Undetermined => "undetermined",
            Self::PreviouslyListed => "previously-listed",
            Self::NotListed => "not-listed",
        }
    }

    /// Returns whether the supplier is listed, or `None` if that is unknown.
    pub fn is_listed(self) -> Option<bool> {
        match self {
            Self::Listed => Some(true),
            Self::PreviouslyListed | Self::NotListed => Some(false),
            Self::Invalid | Self::Undetermined => None,
        }
    }
}

/// The laws whose registries are consulted. Never empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Laws([bool; 3]);

impl Laws {
    pub const ALL: Self = Self([true; 3]);

    /// Parses codes separated by commas, in any order. Returns `None` if the text is empty or a
    /// code is unknown.
    pub fn parse(text: &str) -> Option<Self> {
        let mut laws = Self([false; 3]);
        for code in text.split(',').map(str::trim) {
            let at = Regime::CODES.iter().position(|known| *known == code)?;
            *laws.0.get_mut(at)? = true;
        }
        Some(laws)
    }

    pub fn has(self, law: Regime) -> bool {
        let asked = Regime::ALL.into_iter().zip(self.0);
        asked
            .into_iter()
            .any(|(one, is_asked)| one == law && is_asked)
    }

    /// Returns whether an entry counts. An entry under an unknown law does.
    pub fn count(self, entry: &RnpEntry) -> bool {
        self.count_law(Regime::from_code(&entry.federal_law))
    }

    /// Returns whether entries under this law count. Those under an unknown law (`None`) do.
    pub fn count_law(self, law: Option<Regime>) -> bool {
        law.is_none_or(|law| self.has(law))
    }
}

impl fmt::Display for Laws {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let laws = Regime::ALL.into_iter().filter(|law| self.has(*law));
        let codes: Vec<_> = laws.map(Regime::code).collect();
        f.write_str(&codes.join(","))
    }
}

/// Which registries are consulted for a verdict, and how old they may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct VerdictRules {
    pub laws: Laws,
    /// For how many days a registry counts as complete after the last day on which it was.
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

/// Whether a registry covers a day, and if not, why not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    Covers,
    /// The registry was last complete too long before the day.
    Old,
    /// The registry is complete only from a later day on.
    Later,
    /// The registry is not known to be complete for any day.
    Incomplete,
    /// An inclusion published on or before the day could not be parsed and may be about anybody.
    Unread,
}

/// What a verdict is based on: a day, and the state of each law's registry on that day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ground {
    pub day: Date,
    pub rules: VerdictRules,
    /// In the order of [`Regime::ALL`]; `None` for a law that is not consulted.
    pub laws: [Option<LawGround>; 3],
}

/// What a verdict takes from the state of one law's registry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LawGround {
    /// Includes entries that are no longer in force.
    pub entries: u64,
    /// Entries with an inclusion that the import could not parse.
    pub unread: u64,
    /// Why the registry is considered complete as of its last day.
    pub basis: Option<Basis>,
    /// First day for which the registry is known to be complete.
    pub complete_since: Option<Date>,
    /// Last day for which the registry is known to be complete.
    pub complete_as_of: Option<Date>,
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

    pub fn covers(&self) -> bool {
        self.reach == Reach::Covers
    }
}

fn is_within(as_of: Date, day: Date, max_age: u64) -> bool {
    let age = day.days_since_1970() - as_of.days_since_1970();
    u64::try_from(age).unwrap_or(0) <= max_age
}

impl fmt::Display for LawGround {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        self.add_to(&mut text);
        f.write_str(&text)
    }
}

impl LawGround {
    /// Returns how much of the registry is in the data.
    pub fn state(&self) -> RegistryState {
        RegistryState::new(self.complete_as_of.is_some(), self.entries)
    }

    /// Appends the state and, if the registry is complete, its last day: `complete:2026-11-20`.
    fn add_to(&self, text: &mut String) {
        text.push_str(self.state().code());
        if let Some(day) = self.complete_as_of {
            text.push(':');
            day.append_iso(text);
        }
    }

    /// Returns the state for a table. If the registry is complete but does not cover the day, the
    /// word `old`, `later` or `unread` follows.
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
    /// `unread` has the inclusions that the import could not parse.
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

    /// Returns the value of the header `X-Registries`: `44=complete:2026-11-20, 223=partial,
    /// 615=none`. The value of a law that is not consulted is empty.
    pub fn text(&self) -> String {
        // Room for three complete registries.
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

    pub fn covers(&self) -> bool {
        self.laws.iter().flatten().all(LawGround::covers)
    }

    /// Returns whether an entry counts under the consulted laws and is in force on the day.
    pub fn has_in_force(&self, entry: &RnpEntry) -> bool {
        self.rules.laws.count(entry) && entry.is_in_force(self.day)
    }

    /// Returns whether an entry counts under the consulted laws and was in force before the day.
    pub fn had_in_force(&self, entry: &RnpEntry) -> bool {
        self.rules.laws.count(entry) && entry.was_in_force_before(self.day)
    }

    /// Returns the verdict on the supplier with this INN, which may be malformed. `entries` has all
    /// entries of the supplier, of any time. `is_known` says whether the supplier occurs elsewhere
    /// in the data. `unread` has the inclusions that the import could not parse.
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
            // Registries contain INNs with wrong control digits. But one that occurs nowhere in the
            // data is more likely a typo.
            Verdict::Invalid
        } else {
            self.of_entries(entries)
        }
    }

    /// Returns the verdict on the supplier of an entry that states no INN.
    pub fn verdict_without_inn(&self, entry: &RnpEntry) -> Verdict {
        match self.has_in_force(entry) {
            true => Verdict::Listed,
            false => self.of_entries(std::slice::from_ref(entry)),
        }
    }

    /// The entries must not be in force.
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
    fn demonstration_registries_are_complete_as_of_every_day() {
        for on in ["2010-01-01", "2040-01-01"] {
            let header = format!("44=complete:{on}, 223=complete:{on}, 615=complete:{on}");
            assert_eq!(ground(on).to_string(), header);
            assert!(ground(on).covers());
        }
    }

    #[test]
    fn a_mistyped_inn_is_invalid_unless_known() {
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

//! Derives an entry of the registry of unfair suppliers from any number of versions and exclusions.
//! Each of them sets the state of the entry from some day on. The manual states the rules in the
//! chapter "Fields".

use super::StoredFacts;
use crate::import::facts::{Facts, RnpFacts, RnpState};
use crate::model::{Date, Inn, RnpEntry, Supplier, Suspension};

#[derive(Debug)]
pub struct DerivedEntry {
    pub supplier: Supplier,
    pub entry: RnpEntry,
    /// When the newest version other than a refusal was published.
    pub published: i64,
}

/// What a version or an exclusion does to an entry.
#[derive(Clone, Copy, Debug)]
struct Event {
    /// First day on which the event takes effect; `None` if the document does not say.
    from: Option<Date>,
    /// Whether the entry is in force from then on.
    is_in_force: bool,
}

/// Derives the entry. Returns `None` if no version is stored, and `Some(None)` if every version is
/// a refusal.
pub fn derive(stored: &[StoredFacts]) -> Option<Option<DerivedEntry>> {
    let mut versions: Vec<(&StoredFacts, &RnpFacts)> = Vec::new();
    let mut exclusions: Vec<(i64, Date)> = Vec::new();
    for one in stored {
        match &*one.facts {
            Facts::RnpEntry(facts) => versions.push((one, facts)),
            Facts::RnpExclusion(day) => exclusions.push((one.published, *day)),
            _ => {}
        }
    }
    versions.sort_by_key(|(one, _)| (one.version, one.published));
    exclusions.sort_unstable();
    versions.last()?;
    // A refusal says nothing except that the entry is not in force.
    let is_named = |(_, facts): &&(_, &RnpFacts)| facts.state != RnpState::Refused;
    let Some((newest, facts)) = versions.iter().rfind(is_named) else {
        return Some(None);
    };
    let (events, excluded) = events(&versions, &exclusions);
    let mut entry = RnpEntry {
        registration_number: facts.registration_number.clone(),
        registration_date: facts.registration_date,
        reason: facts.reason.clone(),
        contract_number: facts.contract_number.clone(),
        exclude_date: excluded.or(facts.exclude_date),
        federal_law: facts.federal_law.clone(),
        customer_name: facts.customer_name.clone(),
        customer_inn: facts.customer_inn.clone(),
        supplier_name: match facts.inn {
            None => facts.name.clone(),
            Some(_) => String::new(),
        },
        suspensions: Vec::new(),
        removed_by: None,
    };
    entry.suspensions = suspensions(&events, &entry);
    Some(Some(DerivedEntry {
        supplier: Supplier {
            inn: facts.inn.clone().unwrap_or_else(Inn::none),
            name: facts.name.clone(),
        },
        entry,
        published: newest.published,
    }))
}

/// Returns the versions and exclusions in the order in which they replace one another. An exclusion
/// comes after the greatest version that was published no later. If an exclusion comes last, also
/// returns its day.
fn events(
    versions: &[(&StoredFacts, &RnpFacts)],
    exclusions: &[(i64, Date)],
) -> (Vec<Event>, Option<Date>) {
    let follows = |published: i64| {
        let before = versions
            .iter()
            .rposition(|(one, _)| one.published <= published);
        before.map_or(0, |at| at + 1)
    };
    let mut events = Vec::with_capacity(versions.len() + exclusions.len());
    let mut excluded = None;
    for at in 0..=versions.len() {
        if let Some((one, facts)) = at.checked_sub(1).and_then(|at| versions.get(at)) {
            events.push(version(one, facts));
        }
        for (_, day) in exclusions
            .iter()
            .filter(|(published, _)| follows(*published) == at)
        {
            events.push(Event {
                from: Some(day.plus_days(1)),
                is_in_force: false,
            });
            excluded = (at == versions.len()).then_some(*day);
        }
    }
    (events, excluded)
}

fn version(one: &StoredFacts, facts: &RnpFacts) -> Event {
    let is_in_force = facts.state == RnpState::InForce;
    let published = Some(one.published).filter(|time| *time != 0);
    let from = published.map(Date::in_moscow_at).map(|day| {
        // An entry is still listed on its stated last day, whatever is published that day.
        match !is_in_force && facts.exclude_date == Some(day) {
            true => day.plus_days(1),
            false => day,
        }
    });
    Event { from, is_in_force }
}

/// Returns the suspensions: periods between the first and last day of an entry in which the newest
/// event so far says that the entry is not in force. There are none before the first event.
fn suspensions(events: &[Event], entry: &RnpEntry) -> Vec<Suspension> {
    // An event without a day takes effect on the day after all previous ones.
    let mut dated: Vec<(Date, bool)> = Vec::with_capacity(events.len());
    let mut latest = entry.registration_date;
    for event in events {
        let from = event.from.or(latest.map(|day| day.plus_days(1)));
        // If no day is known at all, it is unknown when the entry was in force.
        let from = from.unwrap_or(Date::FIRST);
        latest = latest.max(Some(from));
        dated.push((from, event.is_in_force));
    }
    // The last event that has taken effect by a day sets the state on that day.
    let mut starts: Vec<Date> = dated.iter().map(|(from, _)| *from).collect();
    starts.sort_unstable();
    starts.dedup();
    let mut suspensions: Vec<Suspension> = Vec::new();
    for start in starts {
        let begun = |(from, _): &&(Date, bool)| *from <= start;
        let is_in_force = dated.iter().rfind(begun).is_none_or(|(_, state)| *state);
        let open = suspensions.last_mut().filter(|last| last.to.is_none());
        match (open, is_in_force) {
            (Some(open), true) => open.to = Some(start.minus_days(1)),
            (None, false) => suspensions.push(Suspension {
                from: start,
                to: None,
            }),
            _ => {}
        }
    }
    let is_within = |one: &Suspension| {
        let is_before = one.to.is_some_and(|to| Some(to) < entry.registration_date);
        let is_after = entry.exclude_date.is_some_and(|last| last < one.from);
        !is_before && !is_after
    };
    suspensions.retain(is_within);
    suspensions
}

#[cfg(test)]
mod tests {

    use proptest::collection::vec;
    use proptest::option::weighted;
    use proptest::prelude::*;

    use super::*;

    const FIRST: &str = "2024-01-01";

    fn day(after: u64) -> Date {
        Date::parse_iso(FIRST).expect("a day").plus_days(after)
    }

    /// A version or an exclusion. Days are counted from [`FIRST`].
    #[derive(Clone, Debug)]
    enum TestDocument {
        Version {
            version: i64,
            published: u64,
            registered: u64,
            last: Option<u64>,
            state: RnpState,
        },
        Exclusion {
            day: u64,
        },
    }

    fn noon(after: u64) -> i64 {
        (day(after).days_since_1970() * 24 + 9) * 3_600_000
    }

    fn stored(stated: &TestDocument) -> StoredFacts {
        let (version, published, facts) = match *stated {
            TestDocument::Version {
                version,
                published,
                registered,
                last,
                state,
            } => {
                let facts = RnpFacts {
                    inn: Inn::parse("9602003012"),
                    registration_date: Some(day(registered)),
                    exclude_date: last.map(day),
                    state,
                    ..RnpFacts::default()
                };
                (version, noon(published), Facts::RnpEntry(facts))
            }
            // Exclusions are published one hour after the versions of the same day.
            TestDocument::Exclusion { day: last } => {
                (0, noon(last) + 3_600_000, Facts::RnpExclusion(day(last)))
            }
        };
        StoredFacts {
            id: 0,
            key: String::new(),
            version,
            published,
            facts: Box::new(facts),
        }
    }

    /// Whether the entry was in force on a day, computed independently. The newest version gives
    /// the dates, and an exclusion that no version follows gives the last day. Within the dates,
    /// the newest document up to a day determines the state on that day.
    fn is_in_force(stated: &[TestDocument], on: u64) -> bool {
        let mut versions: Vec<(i64, u64, u64, Option<u64>, RnpState)> = Vec::new();
        let mut exclusions = Vec::new();
        for one in stated {
            match *one {
                TestDocument::Version {
                    version,
                    published,
                    registered,
                    last,
                    state,
                } => versions.push((version, published, registered, last, state)),
                TestDocument::Exclusion { day } => exclusions.push(day),
            }
        }
        versions.sort_by_key(|one| (one.0, one.1));
        let named = versions.iter().rfind(|one| one.4 != RnpState::Refused);
        let Some(&(.., registered, last, _)) = named else {
            return false;
        };
        let newest = versions.last().expect("a version");
        let excluded = exclusions.iter().filter(|day| newest.1 <= **day).max();
        let last = excluded.copied().or(last);
        if on < registered || last.is_some_and(|last| last < on) {
            return false;
        }
        let begun = versions.iter().rposition(|one| {
            let is_last = one.4 != RnpState::InForce && one.3 == Some(one.1);
            one.1 + u64::from(is_last) <= on
        });
        // An exclusion applies until a version follows it.
        let about = |day: u64| versions.iter().rposition(|one| one.1 <= day);
        let is_excluded = |day: &u64| *day < on && about(*day) >= begun;
        let state = begun.map_or(RnpState::InForce, |at| versions[at].4);
        state == RnpState::InForce && !exclusions.iter().any(is_excluded)
    }

    fn stated() -> impl Strategy<Value = TestDocument> {
        let state = prop_oneof![
            5 => Just(RnpState::InForce),
            3 => Just(RnpState::Suspended),
            1 => Just(RnpState::Refused),
        ];
        let version = (0..40_u64, 0..5_u64, weighted(0.7, 0..45_u64), state);
        let version =
            version.prop_map(
                |(published, registered, last, state)| TestDocument::Version {
                    version: 0,
                    published,
                    registered,
                    last,
                    state,
                },
            );
        let exclusion = (0..40_u64).prop_map(|day| TestDocument::Exclusion { day });
        prop_oneof![4 => version, 1 => exclusion]
    }

    /// Up to six documents with different publication times. Versions are either numbered in the
    /// order of publication or not numbered.
    fn documents() -> impl Strategy<Value = Vec<TestDocument>> {
        (vec(stated(), 1..7), any::<bool>()).prop_map(|(mut all, is_numbered)| {
            let time = |one: &TestDocument| match one {
                TestDocument::Version { published, .. } => (*published, 0),
                TestDocument::Exclusion { day } => (*day, 1),
            };
            all.sort_by_key(time);
            all.dedup_by_key(|one| time(one));
            for (number, one) in (1..).zip(&mut all) {
                if let TestDocument::Version { version, .. } = one {
                    *version = if is_numbered { number } else { 0 };
                }
            }
            all
        })
    }

    proptest! {
        #[test]
        fn an_entry_is_in_force_on_the_days_that_follow_from_the_rules(
            (all, order) in documents().prop_flat_map(|all| {
                (Just(all.clone()), Just(all).prop_shuffle())
            }),
            missing in any::<prop::sample::Index>(),
        ) {
            let has_version = |all: &[TestDocument]| {
                all.iter().any(|one| matches!(one, TestDocument::Version { .. }))
            };
            let derived = |all: &[TestDocument]| {
                derive(&all.iter().map(stored).collect::<Vec<_>>()).flatten()
            };
            let mut fewer = order.clone();
            fewer.remove(missing.index(order.len()));
            for all in [&all, &order, &fewer] {
                let found = derived(all);
                for on in 0..50 {
                    let found = found.as_ref().is_some_and(|one| one.entry.is_in_force(day(on)));
                    prop_assert_eq!(found, has_version(all) && is_in_force(all, on), "{}", on);
                }
                let Some(found) = found else {
                    continue;
                };
                // The methods about ranges of days must agree with the day-by-day results.
                let first = (0..50).find(|on| found.entry.is_in_force(day(*on)));
                for on in 0..50 {
                    let expected = first.is_some_and(|first| first < on);
                    prop_assert_eq!(found.entry.was_in_force_before(day(on)), expected);
                    let next = (on..50).find(|on| found.entry.is_in_force(day(*on))).map(day);
                    let found = found.entry.next_in_force(day(on)).filter(|next| *next < day(50));
                    prop_assert_eq!(found, next);
                }
            }
        }
    }

    #[test]
    fn a_state_without_a_day_begins_after_the_known_days() {
        let mut archived = stored(&TestDocument::Version {
            version: 0,
            published: 0,
            registered: 3,
            last: None,
            state: RnpState::Suspended,
        });
        archived.published = 0;
        let found = derive(&[archived]).flatten().expect("an entry").entry;
        assert!(found.is_in_force(day(3)) && !found.is_in_force(day(4)));
        assert!(found.was_in_force_before(day(9)));
    }
}

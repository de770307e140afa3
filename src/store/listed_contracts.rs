//! The contracts, except annulled ones, that were signed on a day on which an RNP entry about the
//! supplier was in force.

use std::ops::RangeInclusive;

use crate::model::{Laws, Regime};

/// Contracts whose supplier was listed in a registry on the day of signing. Each takes 16 bytes.
#[derive(Debug)]
pub(super) struct ListedContracts(Vec<Listed>);

#[derive(Clone, Copy, Debug)]
struct Listed {
    id: i64,
    /// One bit per law, in the order of [`Regime::ALL`]. A bit is set if the registry of that law
    /// listed the supplier.
    laws: u8,
}

impl ListedContracts {
    /// Creates the list from ids of contracts, each with the law of an entry that was in force. An
    /// entry with an unknown law is recorded for every law.
    pub fn new(listed: Vec<(i64, Option<Regime>)>) -> Self {
        let listed = listed.into_iter();
        let listed = listed.map(|(id, law)| Listed {
            id,
            laws: bits(law),
        });
        let mut listed: Vec<Listed> = listed.collect();
        listed.sort_unstable_by_key(|one| one.id);
        listed.dedup_by(|next, kept| {
            let is_same = next.id == kept.id;
            kept.laws |= if is_same { next.laws } else { 0 };
            is_same
        });
        listed.shrink_to_fit();
        Self(listed)
    }

    pub fn has(&self, id: i64, laws: Laws) -> bool {
        self.among(&(id..=id), laws).next().is_some()
    }

    /// Returns the contracts within a range of ids that were signed while the registry of one of
    /// the given laws listed the supplier, in ascending order.
    pub fn among(&self, ids: &RangeInclusive<i64>, laws: Laws) -> impl Iterator<Item = i64> {
        let first = self.0.partition_point(|one| one.id < *ids.start());
        let end = *ids.end();
        let from_first = self.0.get(first..).unwrap_or_default().iter();
        let among = from_first.take_while(move |one| one.id <= end);
        let is_asked = move |one: &&Listed| {
            let mut asked = Regime::ALL.into_iter().filter(|law| laws.has(*law));
            asked.any(|law| one.laws & bits(Some(law)) != 0)
        };
        among.filter(is_asked).map(|one| one.id)
    }
}

fn bits(law: Option<Regime>) -> u8 {
    let laws = Regime::ALL.into_iter().enumerate();
    let counted = laws.filter(|(_, one)| law.is_none_or(|law| law == *one));
    counted.fold(0, |bits, (at, _)| bits | 1 << at)
}

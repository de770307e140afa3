//! Official numbers: with the control digits they should have, each given once.

use super::chance::{Chance, Use};
use crate::model::Inn;

/// Seven digits can be told apart by: suppliers, customers and companies share them.
const SEVEN: u64 = 10_000_000;
/// Eight digits, for persons.
const EIGHT: u64 = 100_000_000;

/// Spreads running numbers over all digits, so that no two are the same.
#[derive(Clone, Copy)]
pub struct Numbers {
    step: u64,
    start: u64,
}

impl Numbers {
    /// The numbers of a seed.
    pub fn new(seed: u64) -> Self {
        let mut chance = Chance::new(seed, Use::Numbers, 0);
        // Without a divisor in common with a power of ten it passes every number once.
        let odd = 2 * chance.between(1_000_000, 4_900_000) + 1;
        let step = if odd.is_multiple_of(5) { odd + 2 } else { odd };
        Self {
            step,
            start: chance.below(SEVEN),
        }
    }

    /// The INN of an organisation of a region (its two digits), of an index below ten
    /// million.
    pub fn organisation(self, region: &str, index: u64) -> String {
        inn(format!("{region}{:07}", self.spread(index, SEVEN)))
    }

    /// The INN of a person.
    pub fn person(self, region: &str, index: u64) -> String {
        inn(format!("{region}{:08}", self.spread(index, EIGHT)))
    }

    fn spread(self, index: u64, all: u64) -> u64 {
        (index % all * self.step + self.start) % all
    }
}

fn inn(digits: String) -> String {
    Inn::with_control_digits(&digits).map_or(digits, |inn| inn.to_string())
}

/// A state registration number (OGRN): 12 digits and what they leave by 11.
pub fn ogrn(year: u64, region: &str, digits: u64) -> String {
    let mut ogrn = format!("1{:02}{region}{:07}", year % 100, digits % SEVEN);
    let number: u64 = ogrn.parse().unwrap_or_default();
    ogrn.push(char::from(b'0' + (number % 11 % 10) as u8));
    ogrn
}

//! Official numbers, unique and with correct control digits.

use super::chance::{Chance, Purpose};
use crate::model::Inn;

/// Seven digits, shared by suppliers, customers and companies.
const SEVEN: u64 = 10_000_000;
/// Eight digits, for persons.
const EIGHT: u64 = 100_000_000;

/// Spreads consecutive numbers over all digits, without duplicates.
#[derive(Clone, Copy)]
pub struct Numbers {
    step: u64,
    start: u64,
}

impl Numbers {
    /// The numbers of a seed.
    pub fn new(seed: u64) -> Self {
        let mut chance = Chance::new(seed, Purpose::Numbers, 0);
        // Coprime to powers of ten, so that it reaches every number once.
        let odd = 2 * chance.between(1_000_000, 4_900_000) + 1;
        let step = if odd.is_multiple_of(5) { odd + 2 } else { odd };
        Self {
            step,
            start: chance.below(SEVEN),
        }
    }

    /// The INN of an organisation in a region (its two digits), for an index below ten
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

/// A state registration number (OGRN): 12 digits and a control digit, their remainder
/// modulo 11.
pub fn ogrn(year: u64, region: &str, digits: u64) -> String {
    let mut ogrn = format!("1{:02}{region}{:07}", year % 100, digits % SEVEN);
    let number: u64 = ogrn.parse().unwrap_or_default();
    ogrn.push(char::from(b'0' + (number % 11 % 10) as u8));
    ogrn
}

//! Official numbers: with the check digits they should have, each given once.

use super::chance::{Chance, Use};

/// Seven digits can be told apart by: suppliers, customers and companies share them.
const SEVEN: u64 = 10_000_000;
/// Eight digits, for persons.
const EIGHT: u64 = 100_000_000;

/// Spreads running numbers over all digits, so that no two are the same.
#[derive(Clone, Copy, Debug)]
pub struct Numbers {
    step: u64,
    start: u64,
}

impl Numbers {
    /// The numbers of a seed.
    pub fn new(seed: u64) -> Self {
        let mut chance = Chance::of(seed, Use::Numbers, 0);
        // Without a divisor in common with a power of ten it passes every number once.
        let odd = 2 * chance.between(1_000_000, 4_900_000) + 1;
        let step = if odd.is_multiple_of(5) { odd + 2 } else { odd };
        Self {
            step,
            start: chance.below(SEVEN),
        }
    }

    /// Seven digits, of an index below ten million.
    fn seven(self, index: u64) -> u64 {
        (index % SEVEN * self.step + self.start) % SEVEN
    }

    /// The INN of an organisation of a region (its two digits).
    pub fn organisation(self, region: &str, index: u64) -> String {
        let mut inn = format!("{region}{:07}", self.seven(index));
        push_control(&mut inn, &[2, 4, 10, 3, 5, 9, 4, 6, 8]);
        inn
    }

    /// The INN of a person.
    pub fn person(self, region: &str, index: u64) -> String {
        let digits = (index % EIGHT * self.step + self.start) % EIGHT;
        let mut inn = format!("{region}{digits:08}");
        push_control(&mut inn, &[7, 2, 4, 10, 3, 5, 9, 4, 6, 8]);
        push_control(&mut inn, &[3, 7, 2, 4, 10, 3, 5, 9, 4, 6, 8]);
        inn
    }
}

/// Adds the control digit of an INN: the weighted sum of its digits modulo 11, modulo 10.
fn push_control(inn: &mut String, weights: &[u64]) {
    let digits = inn.bytes().map(|byte| u64::from(byte.wrapping_sub(b'0')));
    let sum: u64 = digits
        .zip(weights)
        .map(|(digit, weight)| digit * weight)
        .sum();
    inn.push(char::from(b'0' + (sum % 11 % 10) as u8));
}

/// A state registration number (OGRN): 12 digits and what they leave by 11.
pub fn ogrn(year: u64, region: &str, digits: u64) -> String {
    let mut ogrn = format!("1{:02}{region}{:07}", year % 100, digits % SEVEN);
    let number: u64 = ogrn.parse().unwrap_or_default();
    ogrn.push(char::from(b'0' + (number % 11 % 10) as u8));
    ogrn
}

//! Official numbers, unique and with correct control digits.

use super::chance::{Chance, Purpose};

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

/// Nine digits (an organisation's) or ten (a person's) with their control digits.
fn inn(mut digits: String) -> String {
    let missing = digits.len() - 8;
    for _ in 0..missing {
        digits.push(control_digit(&digits));
    }
    digits
}

/// The control digit for these digits: their weighted sum modulo 11, modulo 10.
fn control_digit(before: &str) -> char {
    // The weights of the digits, from the right.
    const WEIGHTS: [u32; 11] = [8, 6, 4, 9, 5, 3, 10, 4, 2, 7, 3];
    let weighted = before.bytes().rev().zip(WEIGHTS);
    let sum: u32 = weighted
        .map(|(digit, weight)| u32::from(digit - b'0') * weight)
        .sum();
    char::from(b'0' + (sum % 11 % 10) as u8)
}

/// A state registration number (OGRN): 12 digits and a control digit, their remainder
/// modulo 11.
pub fn ogrn(year: u64, region: &str, digits: u64) -> String {
    let mut ogrn = format!("1{:02}{region}{:07}", year % 100, digits % SEVEN);
    let number: u64 = ogrn.parse().unwrap_or_default();
    ogrn.push(char::from(b'0' + (number % 11 % 10) as u8));
    ogrn
}

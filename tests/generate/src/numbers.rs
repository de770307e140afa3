//! Official numbers, all different and with valid check digits.

use super::rng::{Purpose, Rng};

/// Number of INNs for organisations in each region, which suppliers, customers and companies share.
const SEVEN: u64 = 10_000_000;
/// Number of INNs for persons in each region.
const EIGHT: u64 = 100_000_000;

/// Maps indexes to numbers that look random. No two indexes give the same number.
#[derive(Clone, Copy)]
pub struct Numbers {
    step: u64,
    start: u64,
}

impl Numbers {
    pub fn new(seed: u64) -> Self {
        let mut rng = Rng::new(seed, Purpose::Numbers, 0);
        // The step is coprime to powers of ten, so different indexes give different numbers.
        let odd = 2 * rng.between(1_000_000, 4_900_000) + 1;
        let step = if odd.is_multiple_of(5) { odd + 2 } else { odd };
        Self {
            step,
            start: rng.below(SEVEN),
        }
    }

    /// INN of an organisation. `region` has two digits; `index` must be below ten million.
    pub fn organisation(self, region: &str, index: u64) -> String {
        inn(format!("{region}{:07}", self.spread(index, SEVEN)))
    }

    /// INN of a person.
    pub fn person(self, region: &str, index: u64) -> String {
        inn(format!("{region}{:08}", self.spread(index, EIGHT)))
    }

    fn spread(self, index: u64, all: u64) -> u64 {
        (index % all * self.step + self.start) % all
    }
}

/// Appends the check digits to the nine digits of an organisation or the ten digits of a person.
fn inn(mut digits: String) -> String {
    let missing = digits.len() - 8;
    for _ in 0..missing {
        digits.push(control_digit(&digits));
    }
    digits
}

/// Computes a check digit: the weighted sum of the digits, modulo 11, modulo 10.
fn control_digit(before: &str) -> char {
    // The weights are listed from right to left.
    const WEIGHTS: [u32; 11] = [8, 6, 4, 9, 5, 3, 10, 4, 2, 7, 3];
    let weighted = before.bytes().rev().zip(WEIGHTS);
    let sum: u32 = weighted
        .map(|(digit, weight)| u32::from(digit - b'0') * weight)
        .sum();
    char::from(b'0' + (sum % 11 % 10) as u8)
}

/// State registration number (OGRN): 12 digits and a check digit, which is the remainder of these
/// digits modulo 11, modulo 10.
pub fn ogrn(year: u64, region: &str, digits: u64) -> String {
    let mut ogrn = format!("1{:02}{region}{:07}", year % 100, digits % SEVEN);
    let number: u64 = ogrn.parse().unwrap_or_default();
    ogrn.push(char::from(b'0' + (number % 11 % 10) as u8));
    ogrn
}

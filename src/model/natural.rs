//! Natural numbers of any size, for exact quotients of sums.

use std::cmp::Ordering;
use std::fmt;

/// Base in which numbers are represented.
const LIMB: u64 = 1_000_000_000;

pub(super) const LIMB_DIGITS: u16 = 9;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Natural {
    /// In base [`LIMB`], lowest first, without leading zeros.
    limbs: Vec<u32>,
}

impl Natural {
    /// Takes digits in base [`LIMB`], lowest first.
    pub fn from_limbs(limbs: Vec<u32>) -> Self {
        let mut number = Self { limbs };
        while number.limbs.last() == Some(&0) {
            number.limbs.pop();
        }
        number
    }

    pub fn is_zero(&self) -> bool {
        self.limbs.is_empty()
    }

    /// Multiplies by 10^(9 × `limbs`).
    pub fn shifted(&self, limbs: usize) -> Self {
        let zeros = std::iter::repeat_n(0, limbs);
        Self::from_limbs(zeros.chain(self.limbs.iter().copied()).collect())
    }

    pub fn plus(&self, other: &Self) -> Self {
        let length = self.limbs.len().max(other.limbs.len());
        let mut limbs = Vec::with_capacity(length + 1);
        let mut carry = 0;
        for at in 0..=length {
            let sum = self.limb(at) + other.limb(at) + carry;
            limbs.push((sum % LIMB) as u32);
            carry = sum / LIMB;
        }
        Self::from_limbs(limbs)
    }

    /// Returns `None` if `other` is greater.
    pub fn minus(&self, other: &Self) -> Option<Self> {
        let length = self.limbs.len().max(other.limbs.len());
        let mut limbs = Vec::with_capacity(length);
        let mut borrow = 0;
        for at in 0..length {
            let taken = other.limb(at) + borrow;
            let limb = self.limb(at);
            borrow = u64::from(limb < taken);
            limbs.push((limb + borrow * LIMB - taken) as u32);
        }
        (borrow == 0).then(|| Self::from_limbs(limbs))
    }

    pub fn times(&self, other: &Self) -> Self {
        let mut limbs = vec![0; self.limbs.len() + other.limbs.len()];
        for at in 0..self.limbs.len() {
            let mut carry = 0;
            for (to, other_at) in limbs.iter_mut().skip(at).zip(0..) {
                let product = self.limb(at) * other.limb(other_at) + u64::from(*to) + carry;
                *to = (product % LIMB) as u32;
                carry = product / LIMB;
            }
        }
        Self::from_limbs(limbs)
    }

    /// Divides, rounding down. Returns `None` if the divisor is zero.
    pub fn divided_by(&self, divisor: &Self) -> Option<Self> {
        if divisor.is_zero() {
            return None;
        }
        let mut quotient = vec![0; self.limbs.len()];
        let mut rest = Self::default();
        for (at, limb) in quotient.iter_mut().enumerate().rev() {
            rest = rest.shifted(1).plus(&Self::from(self.limb(at)));
            // Binary search for the largest multiple of the divisor that fits.
            let (mut most, mut excess) = (0, LIMB);
            while excess - most > 1 {
                let middle = most.midpoint(excess);
                match divisor.times(&Self::from(middle)) > rest {
                    true => excess = middle,
                    false => most = middle,
                }
            }
            *limb = most as u32;
            rest = rest.minus(&divisor.times(&Self::from(most)))?;
        }
        Some(Self::from_limbs(quotient))
    }

    fn limb(&self, at: usize) -> u64 {
        self.limbs.get(at).copied().map_or(0, u64::from)
    }
}

impl From<u64> for Natural {
    fn from(number: u64) -> Self {
        let limbs = [number, number / LIMB, number / LIMB / LIMB];
        Self::from_limbs(limbs.map(|limb| (limb % LIMB) as u32).into())
    }
}

impl Ord for Natural {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_length = self.limbs.len().cmp(&other.limbs.len());
        by_length.then_with(|| self.limbs.iter().rev().cmp(other.limbs.iter().rev()))
    }
}

impl PartialOrd for Natural {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Natural {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut limbs = self.limbs.iter().rev();
        write!(f, "{}", limbs.next().copied().unwrap_or(0))?;
        limbs.try_for_each(|limb| write!(f, "{limb:0width$}", width = usize::from(LIMB_DIGITS)))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Numbers of all lengths, and numbers close to the largest limb.
    fn number() -> impl Strategy<Value = u64> {
        prop_oneof![
            any::<u64>(),
            0..3_u64,
            (LIMB - 2)..(LIMB + 2),
            (0..64_u32).prop_flat_map(|bits| 0..=u64::MAX >> bits),
        ]
    }

    fn product(one: u64, other: u64) -> Natural {
        Natural::from(one).times(&Natural::from(other))
    }

    proptest! {
        #[test]
        fn arithmetic_equals_that_of_machine_integers(a in number(), b in number(), c in number()) {
            let (wide, product) = (u128::from(a) * u128::from(b), product(a, b));
            prop_assert_eq!(product.to_string(), wide.to_string());
            let addend = Natural::from(c);
            let sum = wide.checked_add(c.into());
            prop_assume!(sum.is_some());
            prop_assert_eq!(Some(product.plus(&addend).to_string()), sum.map(|it| it.to_string()));
            let difference = product.minus(&addend).map(|it| it.to_string());
            prop_assert_eq!(difference, wide.checked_sub(c.into()).map(|it| it.to_string()));
            prop_assert_eq!(product.cmp(&addend), wide.cmp(&c.into()));
            let quotient = product.divided_by(&addend).map(|it| it.to_string());
            prop_assert_eq!(quotient, wide.checked_div(c.into()).map(|it| it.to_string()));
        }

        #[test]
        fn a_quotient_of_long_numbers_is_the_largest_that_fits(
            limbs in proptest::collection::vec(0..LIMB as u32, 0..12),
            divisor in proptest::collection::vec(0..LIMB as u32, 1..8),
        ) {
            let (number, divisor) = (Natural::from_limbs(limbs), Natural::from_limbs(divisor));
            prop_assume!(!divisor.is_zero());
            let quotient = number.divided_by(&divisor).expect("a divisor");
            let product = quotient.times(&divisor);
            prop_assert!(product <= number);
            prop_assert!(product.plus(&divisor) > number);
        }
    }
}

//! Exact sums of amounts, of any size.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::Amount;
use super::natural::{LIMB_DIGITS, Natural};

/// Amounts below this many hundredths (180 trillion roubles, more than any contract) are added up
/// as machine integers. Larger amounts take a slower path.
const MAX_HUNDREDTHS: i64 = 1 << 54;

/// What [`Amount::hundredths_below`] returns for amounts from [`MAX_HUNDREDTHS`] on.
const BEYOND: i64 = 1 << 62;

const LIMB: i128 = 1_000_000_000;

impl Amount {
    /// Returns the amount in hundredths (kopecks), or `None` if that is not an integer or its
    /// absolute value is 2^54 or more.
    pub fn as_hundredths(self) -> Option<i64> {
        let (digits, exponent) = self.parts();
        let shift = u32::try_from(i32::from(exponent) + 2).ok()?;
        let hundredths = digits.checked_mul(10_i128.checked_pow(shift)?)?;
        i64::try_from(hundredths)
            .ok()
            .filter(|hundredths| hundredths.abs() < MAX_HUNDREDTHS)
    }

    /// Returns the amount in hundredths, rounded down, or ±2^62 if the absolute value is 2^54 or
    /// more. The result never decreases as the amount grows, so amounts can be ordered by it.
    pub fn hundredths_below(self) -> i64 {
        let (digits, exponent) = self.parts();
        let shift = i32::from(exponent) + 2;
        let scale = 10_i128.checked_pow(shift.unsigned_abs());
        let hundredths = match (shift < 0, scale) {
            (true, Some(scale)) => Some(digits.div_euclid(scale)),
            (true, None) => Some(if digits < 0 { -1 } else { 0 }),
            (false, scale) => scale.and_then(|scale| digits.checked_mul(scale)),
        };
        match hundredths.and_then(|hundredths| i64::try_from(hundredths).ok()) {
            Some(hundredths) if hundredths.abs() < MAX_HUNDREDTHS => hundredths,
            _ if digits < 0 => -BEYOND,
            _ => BEYOND,
        }
    }

    /// Compares by value. `Amount` does not implement `Ord`, because a derived `Ord` would compare
    /// the fields.
    pub fn order(self, other: Self) -> Ordering {
        if self == other {
            Ordering::Equal
        } else if self.is_less_than(other) {
            Ordering::Less
        } else {
            Ordering::Greater
        }
    }
}

/// The exact sum of up to 2^64 amounts. Whole hundredths are added up as one integer; all other
/// amounts are added up by powers of ten.
#[derive(Clone, Debug, Default)]
pub struct Sum {
    hundredths: i128,
    /// Coefficients of 10^(9 × key).
    limbs: BTreeMap<i32, i128>,
}

impl Sum {
    /// Adds an amount in the form that [`Amount::as_hundredths`] returns.
    #[inline]
    pub fn add_hundredths(&mut self, hundredths: i64) {
        self.hundredths += i128::from(hundredths);
    }

    pub fn add(&mut self, amount: Amount) {
        match amount.as_hundredths() {
            Some(hundredths) => self.add_hundredths(hundredths),
            None => {
                let (digits, exponent) = amount.parts();
                self.add_to_limbs(digits, exponent.into());
            }
        }
    }

    pub fn add_square(&mut self, amount: Amount) {
        let (digits, exponent) = amount.parts();
        let exponent = 2 * i32::from(exponent);
        // Split the digits into halves of up to 14, so that products have at most 29 digits.
        let half = 10_i128.pow(14);
        let (high, low) = (digits / half, digits % half);
        self.add_to_limbs(low * low, exponent);
        self.add_to_limbs(2 * high * low, exponent + 14);
        self.add_to_limbs(high * high, exponent + 28);
    }

    /// Returns what percentage of `whole` this sum is, rounded half up to one decimal, without
    /// trailing zeros. Returns `None` if `whole` is zero.
    pub fn percent_of(&self, whole: &Self) -> Option<String> {
        self.quotient(100, whole, 1)
    }

    /// Returns this sum divided by `count`, rounded half up to two decimals, without trailing
    /// zeros. Returns `None` if `count` is 0.
    pub fn mean(&self, count: u64) -> Option<String> {
        let mut divisor = Self::default();
        divisor.add(Amount::from(count));
        self.quotient(1, &divisor, 2)
    }

    /// Returns `self` × `factor` / `divisor`, rounded half up to `decimals`, without trailing
    /// zeros. Returns `None` if `divisor` is zero.
    fn quotient(&self, factor: u64, divisor: &Self, decimals: u32) -> Option<String> {
        let (is_negative, size, at) = self.scaled();
        let (divisor_is_negative, divisor, divisor_at) = divisor.scaled();
        let is_negative = is_negative != divisor_is_negative;
        let lowest = at.min(divisor_at);
        let size = size.shifted(at.abs_diff(lowest) as usize);
        let divisor = divisor.shifted(divisor_at.abs_diff(lowest) as usize);
        // (2 × dividend + divisor) / (2 × divisor) rounds half up. For a negative number, half goes
        // towards zero.
        let double = |number: &Natural| number.plus(number);
        let scale = Natural::from(factor * 10_u64.pow(decimals));
        let rounded = double(&size.times(&scale)).plus(&divisor);
        let rounded = match is_negative {
            true => rounded.minus(&Natural::from(1))?,
            false => rounded,
        };
        let digits = rounded.divided_by(&double(&divisor))?;
        let sign = if is_negative && !digits.is_zero() {
            "-"
        } else {
            ""
        };
        Some(sign.to_owned() + &decimal(&digits, decimals as usize))
    }

    /// Returns whether the sum is negative, and the absolute value as a number and the power of
    /// 10^9 to multiply it by.
    pub(super) fn scaled(&self) -> (bool, Natural, i32) {
        let (is_negative, size) = self.size();
        let lowest = size.keys().next().copied().unwrap_or(0);
        let highest = size.keys().next_back().copied().unwrap_or(0);
        // Lossless, because `size` returns limbs below 10^9.
        let limb = |at: i32| size.get(&at).copied().unwrap_or(0) as u32;
        let limbs = (lowest..=highest).map(limb).collect();
        (is_negative, Natural::from_limbs(limbs), lowest)
    }

    /// Adds `digits` × 10^`exponent`. `digits` may have up to 29 digits.
    fn add_to_limbs(&mut self, digits: i128, exponent: i32) {
        let (mut at, shift) = (exponent.div_euclid(9), exponent.rem_euclid(9));
        let mut rest = digits * 10_i128.pow(shift.unsigned_abs());
        while rest != 0 {
            *self.limbs.entry(at).or_default() += rest % LIMB;
            rest /= LIMB;
            at += 1;
        }
    }

    fn in_limbs(&self) -> Self {
        let mut sum = Self {
            hundredths: 0,
            limbs: self.limbs.clone(),
        };
        // The total of 2^64 amounts below 2^54 does not fit into 29 digits, so it is added in two
        // halves.
        let half = 10_i128.pow(18);
        sum.add_to_limbs(self.hundredths % half, -2);
        sum.add_to_limbs(self.hundredths / half, 16);
        sum
    }

    fn negated(&self) -> Self {
        let limbs = self.limbs.iter().map(|(at, limb)| (*at, -limb));
        Self {
            hundredths: -self.hundredths,
            limbs: limbs.collect(),
        }
    }

    /// Returns whether the sum is negative, and the limbs of the absolute value, each from 0 to
    /// 10^9 − 1.
    fn size(&self) -> (bool, BTreeMap<i32, i128>) {
        let sum = self.in_limbs();
        let mut size = BTreeMap::new();
        let mut carry = 0;
        let mut at = sum.limbs.keys().next().copied().unwrap_or(0);
        let end = sum.limbs.keys().next_back().copied().unwrap_or(0);
        while at <= end || (carry != 0 && carry != -1) {
            let limb = sum.limbs.get(&at).copied().unwrap_or(0) + carry;
            carry = limb.div_euclid(LIMB);
            size.insert(at, limb.rem_euclid(LIMB));
            at += 1;
        }
        if carry == 0 {
            (false, size)
        } else {
            (true, self.negated().size().1)
        }
    }

    /// Returns the sum in plain decimal form, without exponent or trailing zeros.
    pub fn text(&self) -> String {
        let (is_negative, size) = self.size();
        let (mut whole, mut fraction) = (String::new(), String::new());
        let lowest = size.keys().next().copied().unwrap_or(0).min(-1);
        let highest = size.keys().next_back().copied().unwrap_or(0).max(0);
        for at in (lowest..=highest).rev() {
            let limb = size.get(&at).copied().unwrap_or(0);
            let part = if at < 0 { &mut fraction } else { &mut whole };
            part.push_str(&format!("{limb:0width$}", width = usize::from(LIMB_DIGITS)));
        }
        let whole = whole.trim_start_matches('0');
        let fraction = fraction.trim_end_matches('0');
        let sign = if is_negative { "-" } else { "" };
        let whole = if whole.is_empty() { "0" } else { whole };
        let point = if fraction.is_empty() { "" } else { "." };
        format!("{sign}{whole}{point}{fraction}")
    }
}

/// Formats `digits` / 10^`decimals`, without trailing zeros.
pub(super) fn decimal(digits: &Natural, decimals: usize) -> String {
    let digits = format!(
        "{digits:0>width$}",
        digits = digits.to_string(),
        width = decimals + 1
    );
    let (whole, fraction) = digits.split_at(digits.len() - decimals);
    let fraction = fraction.trim_end_matches('0');
    let point = if fraction.is_empty() { "" } else { "." };
    [whole, point, fraction].concat()
}

impl Ord for Sum {
    fn cmp(&self, other: &Self) -> Ordering {
        if self.limbs.is_empty() && other.limbs.is_empty() {
            return self.hundredths.cmp(&other.hundredths);
        }
        let mut difference = other.negated();
        difference.hundredths += self.hundredths;
        for (at, limb) in &self.limbs {
            *difference.limbs.entry(*at).or_default() += limb;
        }
        let (is_negative, size) = difference.size();
        if is_negative {
            Ordering::Less
        } else if size.values().all(|limb| *limb == 0) {
            Ordering::Equal
        } else {
            Ordering::Greater
        }
    }
}

impl PartialOrd for Sum {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Sum {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Sum {}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    fn amount(text: &str) -> Amount {
        text.parse().expect("an amount")
    }

    fn sum(amounts: &[&str]) -> Sum {
        let mut sum = Sum::default();
        for text in amounts {
            sum.add(amount(text));
        }
        sum
    }

    #[test]
    fn sums_are_exact_whatever_their_sizes() {
        let check = |amounts: &[&str], expected: &str| {
            assert_eq!(sum(amounts).text(), expected, "{amounts:?}");
        };
        check(&[], "0");
        check(&["0.1", "0.2"], "0.3");
        check(&["772465.68", "0.32"], "772466");
        check(&["1e27", "0.01"], "1000000000000000000000000000.01");
        check(
            &["9999999999999999999999999999", "1"],
            "10000000000000000000000000000",
        );
        check(&["1e-5", "-1e-5"], "0");
        check(&["0.001", "-1"], "-0.999");
        check(&["-0.001", "-0.009"], "-0.01");
        check(
            &["1e30", "-1", "0.12345"],
            "999999999999999999999999999999.12345",
        );
        check(
            &["180143985094819.84", "180143985094819.83"],
            "360287970189639.67",
        );
        let far = format!("1{}.{}1", "0".repeat(999), "0".repeat(998));
        check(&["1e999", "1e-999"], &far);
    }

    fn amounts() -> impl Strategy<Value = Vec<Amount>> {
        let texts = prop_oneof![
            "-?[0-9]{1,15}(\\.[0-9]{1,2})?",
            "-?[0-9]{1,20}\\.[0-9]{1,8}",
            "-?[1-9][0-9]{0,3}e-?[0-9]{1,2}",
        ];
        vec(
            texts.prop_filter_map("an amount", |text| text.parse().ok()),
            0..20,
        )
    }

    /// The amount times 10^8, computed from the decimal text.
    fn scaled(amount: Amount) -> i128 {
        // In these tests, amounts have at most eight decimals.
        let text = amount.to_string();
        let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
        format!("{whole}{fraction:0<8}").parse().expect("a number")
    }

    #[test]
    fn quotients_are_rounded_half_up() {
        let percent = |part: &str, whole: &str| sum(&[part]).percent_of(&sum(&[whole]));
        for (part, whole, expected) in [
            ("1", "3", "33.3"),
            ("2", "3", "66.7"),
            ("1", "2000", "0.1"),
            ("0.99999999999", "2000", "0"),
            ("5", "5", "100"),
            ("0", "5", "0"),
            ("-1", "2000", "0"),
            ("-1.0000000001", "2000", "-0.1"),
            ("-1", "3", "-33.3"),
            ("-1", "-3", "33.3"),
            ("1e27", "0.01", "10000000000000000000000000000000"),
        ] {
            assert_eq!(
                percent(part, whole).as_deref(),
                Some(expected),
                "{part} of {whole}"
            );
        }
        assert_eq!(percent("1", "0"), None);
        assert_eq!(sum(&["0.01", "0.02"]).mean(2).as_deref(), Some("0.02"));
        assert_eq!(sum(&["1e-7"]).mean(3).as_deref(), Some("0"));
        assert_eq!(sum(&["10", "0.01"]).mean(3).as_deref(), Some("3.34"));
        assert_eq!(sum(&[]).mean(0), None);
    }

    proptest! {
        #[test]
        fn the_order_of_amounts_does_not_matter(amounts in amounts()) {
            let (mut forth, mut back) = (Sum::default(), Sum::default());
            amounts.iter().for_each(|amount| forth.add(*amount));
            amounts.iter().rev().for_each(|amount| back.add(*amount));
            prop_assert_eq!(forth.text(), back.text());
            prop_assert!(forth == back);
            for amount in &amounts {
                let mut negative = amount.to_string();
                match negative.strip_prefix('-') {
                    Some(positive) => negative = positive.to_owned(),
                    None => negative.insert(0, '-'),
                }
                forth.add(negative.parse().expect("an amount"));
            }
            prop_assert_eq!(forth.text(), "0");
        }

        #[test]
        fn sums_equal_those_of_whole_numbers(
            texts in vec("-?[0-9]{1,18}(\\.[0-9]{1,8})?", 0..40),
        ) {
            let mut sum = Sum::default();
            let mut expected = 0;
            for text in &texts {
                sum.add(amount(text));
                expected += scaled(amount(text));
            }
            let mut text = sum.text();
            if !text.contains('.') {
                text.push('.');
            }
            let (whole, fraction) = text.split_once('.').expect("a point");
            prop_assert_eq!(format!("{whole}{fraction:0<8}").parse::<i128>(), Ok(expected));
        }

        #[test]
        fn sums_of_squares_equal_those_of_whole_numbers(
            numbers in vec((-(1_i64 << 40)..1 << 40, -9..9_i32), 0..10),
        ) {
            let mut squares = Sum::default();
            let mut expected = Sum::default();
            for (digits, exponent) in numbers {
                squares.add_square(amount(&format!("{digits}e{exponent}")));
                let square = i128::from(digits).pow(2);
                expected.add(amount(&format!("{square}e{}", 2 * exponent)));
            }
            prop_assert_eq!(squares.text(), expected.text());
        }

        #[test]
        fn sums_and_hundredths_are_ordered_like_amounts(amounts in amounts()) {
            for pair in amounts.windows(2) {
                let (one, other) = (pair[0], pair[1]);
                let of = |amount| {
                    let mut sum = Sum::default();
                    sum.add(amount);
                    sum
                };
                prop_assert_eq!(of(one).cmp(&of(other)), one.order(other));
                if one.order(other) == Ordering::Less {
                    prop_assert!(one.hundredths_below() <= other.hundredths_below());
                }
                if let Some(hundredths) = one.as_hundredths() {
                    prop_assert_eq!(hundredths, one.hundredths_below());
                }
            }
        }
    }
}

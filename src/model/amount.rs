//! Exact decimal numbers: amounts, quantities, percentages.
//!
//! Amounts in documents have up to 28 significant digits at any scale. Decimal crates allow at most
//! 28 decimal places, so this module has a type of its own.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Upper bound on significant digits (manual, "Importing", "Rules of a line").
pub const MAX_DIGITS: u32 = 28;

/// Upper bound on the absolute value of the exponent. Amounts are printed without an exponent, so
/// this also limits the length of their text.
pub const MAX_EXPONENT: i32 = 999;

/// Returns whether a currency code means roubles. No code (`""`) also means roubles.
pub fn is_rouble(code: &str) -> bool {
    matches!(code, "" | "RUB" | "RUR" | "643" | "810")
}

/// An exact decimal number: `digits` × 10^`exponent`, never rounded.
///
/// `digits` has no trailing zero, and zero is `0 × 10^0`, so equal amounts have equal fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "UncheckedAmount")]
pub struct Amount {
    digits: i128,
    exponent: i16,
}

/// An amount as stored. Checked on conversion, because the file may be damaged.
#[derive(Deserialize)]
struct UncheckedAmount {
    digits: i128,
    exponent: i16,
}

impl TryFrom<UncheckedAmount> for Amount {
    type Error = &'static str;

    fn try_from(
        UncheckedAmount { digits, exponent }: UncheckedAmount,
    ) -> Result<Self, Self::Error> {
        Self::from_parts(digits < 0, digits.unsigned_abs(), exponent.into())
            .ok_or("an amount out of bounds, or not in lowest terms")
    }
}

/// Why a text is not an [`Amount`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AmountError {
    NotANumber,
    TooManyDigits,
    OutOfRange,
}

impl fmt::Display for AmountError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotANumber => write!(f, "not a decimal number"),
            Self::TooManyDigits => write!(f, "more than {MAX_DIGITS} significant digits"),
            Self::OutOfRange => write!(f, "beyond 10 to the power of ±{MAX_EXPONENT}"),
        }
    }
}

impl std::error::Error for AmountError {}

impl Amount {
    /// Strips trailing zeros from `digits`. Returns `None` if the amount exceeds the bounds.
    fn new(mut digits: i128, mut exponent: i32) -> Option<Self> {
        if digits == 0 {
            exponent = 0;
        }
        while digits != 0 && digits % 10 == 0 {
            digits /= 10;
            exponent += 1;
        }
        let in_bounds =
            digits.unsigned_abs() < 10_u128.pow(MAX_DIGITS) && exponent.abs() <= MAX_EXPONENT;
        in_bounds.then_some(Self {
            digits,
            exponent: exponent as i16,
        })
    }

    /// Returns ±`size` × 10^`exponent`, or `None` if `size` has a trailing zero or the amount
    /// exceeds the bounds.
    #[inline]
    pub fn from_parts(is_negative: bool, size: u128, exponent: i32) -> Option<Self> {
        // Almost every amount fits into 64 bits, where division is many times cheaper.
        let (is_lowest, in_bounds) = match u64::try_from(size) {
            Ok(0) => (exponent == 0 && !is_negative, true),
            Ok(size) => (!size.is_multiple_of(10), true),
            Err(_) => (!size.is_multiple_of(10), size < 10_u128.pow(MAX_DIGITS)),
        };
        let in_range = exponent.unsigned_abs() <= MAX_EXPONENT.unsigned_abs();
        (is_lowest && in_bounds && in_range).then_some(Self {
            digits: if is_negative {
                (size as i128).wrapping_neg()
            } else {
                size as i128
            },
            exponent: exponent as i16,
        })
    }

    pub fn from_hundredths(hundredths: i64) -> Self {
        let (mut digits, mut exponent) = (hundredths, if hundredths == 0 { 0 } else { -2 });
        while digits != 0 && digits % 10 == 0 {
            digits /= 10;
            exponent += 1;
        }
        Self {
            digits: digits.into(),
            exponent,
        }
    }

    /// Adds two amounts. Returns `None` if the sum has more than [`MAX_DIGITS`] significant digits.
    pub fn checked_add(self, other: Self) -> Option<Self> {
        let exponent = self.exponent.min(other.exponent);
        let aligned = |amount: Self| {
            let shift = (amount.exponent - exponent) as u32;
            amount.digits.checked_mul(10_i128.checked_pow(shift)?)
        };
        let sum = aligned(self)?.checked_add(aligned(other)?)?;
        Self::new(sum, exponent.into())
    }

    pub fn negated(self) -> Self {
        Self {
            digits: -self.digits,
            ..self
        }
    }

    pub fn is_less_than(self, other: Self) -> bool {
        if self.digits.signum() != other.digits.signum() {
            return self.digits < other.digits;
        }
        // The signs are equal. The amount with more digits before the decimal point has the larger
        // absolute value; if both have as many, compare the digits.
        let places = |amount: Self| {
            let digits = amount.digits.unsigned_abs().checked_ilog10().unwrap_or(0);
            i64::from(digits) + i64::from(amount.exponent)
        };
        match places(self).cmp(&places(other)) {
            Ordering::Equal => {
                let exponent = self.exponent.min(other.exponent);
                let aligned = |amount: Self| {
                    let shift = (amount.exponent - exponent) as u32;
                    10_i128
                        .checked_pow(shift)
                        .and_then(|scale| amount.digits.checked_mul(scale))
                        .unwrap_or(amount.digits)
                };
                aligned(self) < aligned(other)
            }
            Ordering::Less => self.digits >= 0,
            Ordering::Greater => self.digits < 0,
        }
    }

    /// Multiplies two amounts. Returns `None` if the product has more than [`MAX_DIGITS`]
    /// significant digits.
    pub fn checked_mul(self, other: Self) -> Option<Self> {
        let digits = self.digits.checked_mul(other.digits)?;
        Self::new(digits, i32::from(self.exponent) + i32::from(other.exponent))
    }

    /// Divides by 100. Returns `None` if the result exceeds the bounds.
    pub fn percent(self) -> Option<Self> {
        Self::new(self.digits, i32::from(self.exponent) - 2)
    }

    /// Returns what percentage of `whole` this amount is, rounded half up to two decimals. Returns
    /// `None` if `whole` is not positive, if this amount is negative, or if the result exceeds the
    /// bounds.
    pub fn percent_of(self, whole: Self) -> Option<Self> {
        let exponent = self.exponent.min(whole.exponent);
        let aligned = |amount: Self| {
            let shift = (amount.exponent - exponent) as u32;
            amount.digits.checked_mul(10_i128.checked_pow(shift)?)
        };
        let (part, whole) = (aligned(self)?, aligned(whole)?);
        if whole <= 0 || part < 0 {
            return None;
        }
        let doubled = part.checked_mul(20_000)?.checked_add(whole)?;
        Self::new(doubled / whole.checked_mul(2)?, -2)
    }

    /// Returns the digits, whose absolute value is below 10^28, and the exponent.
    pub(super) fn parts(self) -> (i128, i16) {
        (self.digits, self.exponent)
    }

    /// Returns the amount as an integer, or `None` if it is negative or has a fraction.
    pub fn as_count(self) -> Option<u64> {
        let scale = 10_i128.checked_pow(u32::try_from(self.exponent).ok()?)?;
        u64::try_from(self.digits.checked_mul(scale)?).ok()
    }

    /// Appends the plain decimal form, without exponent or trailing zeros.
    pub fn write_to(self, out: &mut Vec<u8>) {
        if self.digits < 0 {
            out.push(b'-');
        }
        let mut buffer = itoa::Buffer::new();
        // Almost every amount fits into 64 bits, where division is many times cheaper.
        let size = self.digits.unsigned_abs();
        let digits = match u64::try_from(size) {
            Ok(size) => buffer.format(size),
            Err(_) => buffer.format(size),
        };
        self.write_digits(digits.as_bytes(), out);
    }

    fn write_digits(self, digits: &[u8], out: &mut Vec<u8>) {
        if self.exponent >= 0 {
            out.extend_from_slice(digits);
            out.resize(out.len() + self.exponent as usize, b'0');
            return;
        }
        let decimals = usize::from(self.exponent.unsigned_abs());
        if digits.len() > decimals {
            let (whole, fraction) = digits.split_at(digits.len() - decimals);
            out.extend_from_slice(whole);
            out.push(b'.');
            out.extend_from_slice(fraction);
        } else {
            out.extend_from_slice(b"0.");
            out.resize(out.len() + decimals - digits.len(), b'0');
            out.extend_from_slice(digits);
        }
    }
}

impl From<u64> for Amount {
    fn from(value: u64) -> Self {
        let (mut digits, mut exponent) = (i128::from(value), 0);
        while digits != 0 && digits % 10 == 0 {
            digits /= 10;
            exponent += 1;
        }
        Self { digits, exponent }
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = Vec::with_capacity(40);
        self.write_to(&mut out);
        f.write_str(&String::from_utf8_lossy(&out))
    }
}

impl FromStr for Amount {
    type Err = AmountError;

    /// Parses `[+-]digits[.digits][e[+-]digits]`. This covers numbers in JSON, and `xs:decimal` and
    /// `xs:double` in documents.
    fn from_str(text: &str) -> Result<Self, AmountError> {
        let (mantissa, exponent) = match text.find(['e', 'E']) {
            Some(at) => (&text[..at], parse_exponent(&text[at + 1..])?),
            None => (text, 0),
        };
        let negative = mantissa.starts_with('-');
        let unsigned = mantissa.strip_prefix(['-', '+']).unwrap_or(mantissa);
        let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
        let all_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if whole.len() + fraction.len() == 0 || !all_digits(whole) || !all_digits(fraction) {
            return Err(AmountError::NotANumber);
        }
        let mut digits: i128 = 0;
        // Zeros are held back until another digit follows. Trailing zeros therefore count neither
        // as significant digits nor towards the bounds.
        let mut held_zeros: u32 = 0;
        for byte in whole.bytes().chain(fraction.bytes()) {
            if byte == b'0' {
                held_zeros = held_zeros.saturating_add(u32::from(digits != 0));
                continue;
            }
            let shift = held_zeros + 1;
            if shift > MAX_DIGITS || digits >= 10_i128.pow(MAX_DIGITS - shift) {
                return Err(AmountError::TooManyDigits);
            }
            digits = digits * 10_i128.pow(shift) + i128::from(byte - b'0');
            held_zeros = 0;
        }
        let exponent = exponent
            .saturating_sub(fraction.len() as i64)
            .saturating_add(i64::from(held_zeros));
        let exponent = if digits == 0 { 0 } else { exponent };
        let exponent = i32::try_from(exponent).map_err(|_| AmountError::OutOfRange)?;
        let signed = if negative { -digits } else { digits };
        Self::new(signed, exponent).ok_or(AmountError::OutOfRange)
    }
}

/// Saturates, because an exponent that does not fit is out of bounds anyway.
fn parse_exponent(text: &str) -> Result<i64, AmountError> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(AmountError::NotANumber);
    }
    let value = digits.parse::<i64>().unwrap_or(i64::from(i32::MAX));
    Ok(if text.starts_with('-') { -value } else { value })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(input: &str, expected: &str) {
        assert_eq!(
            input.parse::<Amount>().map(|amount| amount.to_string()),
            Ok(expected.to_owned()),
            "{input}"
        );
    }

    #[test]
    fn an_amount_that_no_text_gives_is_damaged() {
        let stored = |digits: i128, exponent: i16| {
            let bytes = postcard::to_stdvec(&(digits, exponent)).expect("bytes");
            postcard::from_bytes::<Amount>(&bytes).ok()
        };
        for text in ["0", "-1", "0.1", "551100", "9999999999999999999999999999"] {
            let amount: Amount = text.parse().expect("an amount");
            assert_eq!(
                stored(amount.digits, amount.exponent),
                Some(amount),
                "{text}"
            );
        }
        for (digits, exponent) in [
            (0, 1),
            (0, -1),
            (10, 0),
            (10_i128.pow(25), 0),
            (10_i128.pow(28) + 1, 0),
            (i128::MIN, 0),
            (1, 1000),
            (1, i16::MIN),
        ] {
            assert_eq!(stored(digits, exponent), None, "{digits}e{exponent}");
        }
    }

    #[test]
    fn prints_the_exact_value_without_exponent_or_trailing_zeros() {
        check("551100", "551100");
        check("551100.00", "551100");
        check("772465.68", "772465.68");
        check("0.10", "0.1");
        check("12345678901234567.89", "12345678901234567.89");
        check("12894.50284174137", "12894.50284174137");
        check("1.518971519E7", "15189715.19");
        check("1e-7", "0.0000001");
        check("1E+2", "100");
        check("-0.00", "0");
        check("-12.50", "-12.5");
        check("+5", "5");
        check(".5", "0.5");
        check("5.", "5");
        check("0007", "7");
        check("0e99999999999999999999", "0");
        check(
            "1234567890123456789012345678",
            "1234567890123456789012345678",
        );
        check(
            "10000000000000000000000000000000",
            "10000000000000000000000000000000",
        );
        check(
            "0.0000000000000000000000000000000001",
            "0.0000000000000000000000000000000001",
        );
        check("1.00000000000000000000000000000000000000", "1");
    }

    #[test]
    fn refuses_other_texts_and_amounts_over_the_bounds() {
        for text in [
            "", "-", ".", "e5", "1e", "1e+", "1,5", "0x10", " 1", "1 ", "NaN", "1.2.3", "--1",
        ] {
            assert_eq!(
                text.parse::<Amount>(),
                Err(AmountError::NotANumber),
                "{text}"
            );
        }
        for text in [
            "12345678901234567890123456789",
            "1.2345678901234567890123456789",
            "1000000000000000000000000000001",
        ] {
            assert_eq!(
                text.parse::<Amount>(),
                Err(AmountError::TooManyDigits),
                "{text}"
            );
        }
        for text in ["1e1000", "1e-1000", "1e99999999999999999999"] {
            assert_eq!(
                text.parse::<Amount>(),
                Err(AmountError::OutOfRange),
                "{text}"
            );
        }
    }

    #[test]
    fn computes_exactly() {
        let amount = |text: &str| text.parse::<Amount>().expect("an amount");
        assert_eq!(
            amount("0.1").checked_add(amount("0.2")),
            Some(amount("0.3"))
        );
        assert_eq!(
            amount("0.46").checked_mul(amount("1.518971519E7")),
            Some(amount("6987268.9874"))
        );
        assert_eq!(amount("1234.5").percent(), Some(amount("12.345")));
        assert_eq!(amount("1").percent_of(amount("3")), Some(amount("33.33")));
        assert_eq!(amount("2").percent_of(amount("3")), Some(amount("66.67")));
        assert_eq!(amount("1").percent_of(amount("0")), None);
        assert_eq!(amount("1e27").checked_add(amount("0.01")), None);
        assert_eq!(amount("1e100").checked_add(amount("1e-100")), None);
    }

    #[test]
    fn counts_differ_from_other_numbers() {
        let count = |text: &str| text.parse::<Amount>().expect("an amount").as_count();
        assert_eq!(count("3"), Some(3));
        assert_eq!(count("3.0"), Some(3));
        assert_eq!(count("1e3"), Some(1000));
        assert_eq!(count("18446744073709551615"), Some(u64::MAX));
        for text in ["3.5", "-1", "18446744073709551616", "1e300"] {
            assert_eq!(count(text), None, "{text}");
        }
    }
}

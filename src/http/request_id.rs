//! Request ids. Users quote the id from a response, and operators find it in the log.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

/// Maximum length of an id accepted from a proxy.
pub const MAX_TAKEN_OVER: usize = 64;

/// Length of an API key: 32 bytes in base64url.
const KEY_LENGTH: usize = 43;

/// Generates ids that are unique across processes: 64 random bits for the process, followed by the
/// number of the request, permuted with a secret so that clients cannot tell how many requests
/// there are.
pub struct RequestIds {
    process: String,
    secret: [u32; ROUNDS],
    next: AtomicU64,
}

const ROUNDS: usize = 4;

impl RequestIds {
    fn new(process: u64, secret: [u32; ROUNDS]) -> Self {
        let mut digits = String::new();
        push_base32(&mut digits, process);
        Self {
            process: digits,
            secret,
            next: AtomicU64::new(0),
        }
    }

    /// Creates a generator of ids for this process.
    ///
    /// # Errors
    /// Returns an error if the system provides no random numbers.
    pub fn random() -> io::Result<Self> {
        let random = || getrandom::u64().map_err(|error| io::Error::other(error.to_string()));
        let (first, last) = (random()?, random()?);
        let secret = [first, first >> 32, last, last >> 32].map(|bits| bits as u32);
        Ok(Self::new(random()?, secret))
    }

    /// Returns a new id: lower-case letters, digits and a hyphen, at most 27 characters.
    pub fn next(&self) -> String {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let mut id = String::with_capacity(self.process.len() + 1 + LONGEST_NUMBER);
        id.push_str(&self.process);
        id.push('-');
        push_base32(&mut id, permuted(number, &self.secret));
        id
    }
}

/// Permutes 64-bit numbers with a Feistel network whose round function is a multiplication.
fn permuted(number: u64, secret: &[u32; ROUNDS]) -> u64 {
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
    let [mut left, mut right] = [(number >> 32) as u32, number as u32];
    for key in secret {
        let mixed = (u64::from(right ^ key).wrapping_mul(ODD) >> 29) as u32;
        (left, right) = (right, left ^ mixed);
    }
    u64::from(left) << 32 | u64::from(right)
}

/// Number of base-32 digits of the largest 64-bit number.
const LONGEST_NUMBER: usize = 13;

/// Appends a number in Crockford's base 32, which lacks i, l, o and u, so that an id can be read
/// aloud.
fn push_base32(text: &mut String, number: u64) {
    const DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
    let count = (u64::BITS - number.leading_zeros()).div_ceil(5).max(1);
    for digit in (0..count).rev() {
        if let Some(value) = DIGITS.get((number >> (5 * digit) & 31) as usize) {
            text.push(char::from(*value));
        }
    }
}

/// Returns whether to accept an id from a trusted proxy: at most 64 characters out of A-Z, a-z,
/// 0-9, `.`, `_` and `-`. The proxy may be passing on its client's id, and ids are logged, so ids
/// that could contain an API key are rejected.
pub fn can_be_taken_over(id: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    (1..=MAX_TAKEN_OVER).contains(&id.len())
        && id.bytes().all(allowed)
        && !id.split('.').any(could_hold_a_key)
}

/// Returns whether a word could be an API key: it has the length of a key, and contains characters
/// that ids of that length usually lack. Only 1 in 10^25 keys contains none of them.
pub(super) fn could_hold_a_key(part: &str) -> bool {
    let usual = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f' | b'-');
    part.len() >= KEY_LENGTH && !part.bytes().all(usual)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn ids_are_short_and_distinct() {
        let ids = RequestIds::new(u64::MAX, [1, 2, 3, 4]);
        assert!(ids.next().starts_with("fzzzzzzzzzzzz-"));
        let others = RequestIds::random().expect("random numbers");
        let all: Vec<String> = (0..5_000)
            .flat_map(|_| [ids.next(), others.next()])
            .collect();
        let distinct: HashSet<&String> = all.iter().collect();
        assert_eq!(distinct.len(), all.len());
        assert!(all.iter().all(|id| can_be_taken_over(id) && id.len() <= 27));
    }

    #[test]
    fn ids_are_not_predictable_from_earlier_ones() {
        let ids = RequestIds::random().expect("random numbers");
        let numbers: Vec<u64> = (0..1_000).map(|n| permuted(n, &ids.secret)).collect();
        let steps = numbers.windows(2).map(|pair| pair[1].wrapping_sub(pair[0]));
        let distinct: HashSet<u64> = steps.collect();
        assert!(distinct.len() > 990, "{}", distinct.len());
        let rising = numbers.windows(2).filter(|pair| pair[0] < pair[1]).count();
        assert!((300..700).contains(&rising), "{rising}");
    }

    #[test]
    fn only_harmless_ids_are_adopted() {
        for good in [
            "a",
            "0b5e7a3c-6a0b-4f0e-9d55-0d9fb6e2a111",
            "4BF92F3577B34DA6.a_b-c",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            &"0".repeat(64),
        ] {
            assert!(can_be_taken_over(good), "{good}");
        }
        for bad in [
            "",
            " ",
            "a b",
            "a\nb",
            "a=b",
            "a\"b",
            "я",
            &"0".repeat(65),
            "kM3v9Qx_Zr0aB1cD2eF3gH4iJ5kL6mN7oP8qR9sT0uV",
            "id-kM3v9Qx_Zr0aB1cD2eF3gH4iJ5kL6mN7oP8qR9sT0uV",
            "id.kM3v9Qx_Zr0aB1cD2eF3gH4iJ5kL6mN7oP8qR9sT0uV.x",
        ] {
            assert!(!can_be_taken_over(bad), "{bad}");
        }
    }
}

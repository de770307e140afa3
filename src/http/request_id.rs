//! Ids of requests. A client's report names the id of its line in the log.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

/// The longest id that is accepted from a proxy.
pub const MAX_TAKEN_OVER: usize = 64;

/// The length of an API key: 32 bytes in base64url.
const KEY_LENGTH: usize = 43;

/// Makes ids that are unique among all processes: 64 random bits for the process, and the number of
/// the request.
pub struct RequestIds {
    process: String,
    next: AtomicU64,
}

impl RequestIds {
    /// Returns ids that begin with `process`, 64 random bits.
    pub fn new(process: u64) -> Self {
        let mut digits = String::new();
        push_base32(&mut digits, process);
        Self {
            process: digits,
            next: AtomicU64::new(0),
        }
    }

    /// Returns ids for this process.
    ///
    /// # Errors
    /// The system provides no random numbers.
    pub fn random() -> io::Result<Self> {
        let process = getrandom::u64().map_err(|error| io::Error::other(error.to_string()))?;
        Ok(Self::new(process))
    }

    /// Returns a new id of lower-case letters, digits and a hyphen, at most 27 characters.
    pub fn next(&self) -> String {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let mut id = String::with_capacity(self.process.len() + 1 + LONGEST_NUMBER);
        id.push_str(&self.process);
        id.push('-');
        push_base32(&mut id, number);
        id
    }
}

/// The most base-32 digits of a number.
const LONGEST_NUMBER: usize = 13;

/// Appends a number in base 32 without the letters i, l, o and u (Crockford), so that people can
/// read it out.
fn push_base32(text: &mut String, number: u64) {
    const DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
    let count = (u64::BITS - number.leading_zeros()).div_ceil(5).max(1);
    for digit in (0..count).rev() {
        let value = DIGITS.get((number >> (5 * digit) & 31) as usize);
        text.extend(value.copied().map(char::from));
    }
}

/// Returns whether an id from a trusted proxy is accepted: at most 64 of the characters A-Z, a-z,
/// 0-9, `.`, `_` and `-`. A proxy may pass on its client's id, and ids are logged, so an id that
/// could be an API key is refused.
pub fn can_be_taken_over(id: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    (1..=MAX_TAKEN_OVER).contains(&id.len())
        && id.bytes().all(allowed)
        && !id.split('.').any(could_hold_a_key)
}

/// Returns whether a word could be an API key. A key has this length, and only 1 in 10^25 keys has
/// no other characters than long ids usually do.
pub(super) fn could_hold_a_key(part: &str) -> bool {
    let usual = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f' | b'-');
    part.len() >= KEY_LENGTH && !part.bytes().all(usual)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn ids_are_short_and_no_two_are_the_same() {
        let ids = RequestIds::new(u64::MAX);
        assert_eq!(ids.next(), "fzzzzzzzzzzzz-0");
        assert_eq!(ids.next(), "fzzzzzzzzzzzz-1");
        let others = RequestIds::random().expect("random numbers");
        let all: Vec<String> = (0..5_000)
            .flat_map(|_| [ids.next(), others.next()])
            .collect();
        let distinct: HashSet<&String> = all.iter().collect();
        assert_eq!(distinct.len(), all.len());
        assert!(all.iter().all(|id| can_be_taken_over(id) && id.len() <= 27));
    }

    #[test]
    fn only_what_can_do_no_harm_is_taken_over() {
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

//! Receipts: the request, the data it was answered from, and the hash of the body, so that a
//! saved response can be compared with the data again. The request stands in it in its
//! canonical spelling. A response with a receipt is neither cached nor a 304, as the hash is
//! of the body before it is packed.
//!
//! ```text
//! v1; data=IDENTITY-REVISION; updated=YYYY-MM-DDTHH:MM:SSZ; day=YYYY-MM-DD; sha256=HEX; ask=/path?query
//! ```

use std::fmt;
use std::io::{self, Read};

use sha2::{Digest, Sha256};

use super::data_state::version_word;
use crate::model::{Date, timestamp};
use crate::store::DataVersion;

/// The longest receipt that is read, in bytes: 200 INNs and what is beside them are less
/// than half of it.
pub const LONGEST: usize = 8 << 10;

/// A request and its response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receipt {
    /// Which data was answered from: its identity and revision, in one word.
    pub data: String,
    /// The time of the last import that had changed anything: `YYYY-MM-DDTHH:MM:SSZ`.
    pub updated: String,
    /// The day that the response is about: `asOf`, else the day in Moscow.
    pub day: Date,
    /// SHA-256 of the body before any encoding, as hexadecimal digits.
    pub sha256: String,
    /// The request: path and parameters in their canonical spelling, without the key.
    pub ask: String,
}

impl Receipt {
    /// The receipt of `body`, the response to a request whose canonical text is `ask`.
    pub(super) fn new(version: DataVersion, day: Date, ask: &str, body: &[u8]) -> Self {
        Self {
            data: version_word(version.identity, version.revision),
            updated: timestamp(version.updated),
            day,
            sha256: sha256(body),
            ask: ask.to_owned(),
        }
    }

    /// Reads a receipt: the text itself, the header it came in, or a file of headers with
    /// it among them.
    ///
    /// # Errors
    /// A sentence that says what is wrong.
    pub fn parse(text: &str) -> Result<Self, String> {
        let line = text
            .trim_start_matches('\u{feff}')
            .lines()
            .map(str::trim)
            .find_map(|line| match line.split_once(':') {
                Some((name, value)) if name.eq_ignore_ascii_case("X-Receipt") => Some(value.trim()),
                _ => line.starts_with("v1;").then_some(line),
            });
        let line =
            line.ok_or("there is no receipt in it: a line `v1; data=…` or `X-Receipt: …`")?;
        let rest = line
            .strip_prefix("v1;")
            .ok_or("it is no receipt of version 1 (v1)")?;
        // The request is last, and may have anything in it.
        let (parts, ask) = rest.split_once("ask=").ok_or("it has no ask=")?;
        let part = |name: &str| {
            parts
                .split(';')
                .find_map(|part| part.trim().strip_prefix(name)?.strip_prefix('='))
                .ok_or_else(|| format!("it has no {name}="))
        };
        let day = part("day")?;
        let sha256 = part("sha256")?.to_ascii_lowercase();
        if sha256.len() != 64 || !sha256.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err("its sha256 is not 64 hexadecimal digits".to_owned());
        }
        Ok(Self {
            data: part("data")?.to_owned(),
            updated: part("updated")?.to_owned(),
            day: Date::parse_iso(day).ok_or_else(|| format!("{day} is no day YYYY-MM-DD"))?,
            sha256,
            ask: ask.trim().to_owned(),
        })
    }
}

impl fmt::Display for Receipt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            data,
            updated,
            day,
            sha256,
            ask,
        } = self;
        write!(
            f,
            "v1; data={data}; updated={updated}; day={day}; sha256={sha256}; ask={ask}"
        )
    }
}

/// SHA-256 of `bytes`, as lower-case hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

/// The same of what `from` gives, a piece at a time.
///
/// # Errors
/// It cannot be read.
pub fn sha256_of(mut from: impl Read) -> io::Result<String> {
    let mut hash = Sha256::new();
    let mut piece = [0; 1 << 14];
    loop {
        match from.read(&mut piece)? {
            0 => return Ok(hexadecimal(&hash.finalize())),
            length => hash.update(piece.get(..length).unwrap_or_default()),
        }
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ASK: &str = "/contract/monitor-supplier44?format=json&supplierINN=7707083893&limit=5";

    fn receipt() -> Receipt {
        let version = DataVersion {
            identity: -2,
            revision: 7,
            updated: 0,
        };
        let day = Date::parse_iso("2025-06-15").expect("a day");
        Receipt::new(version, day, ASK, b"abc")
    }

    #[test]
    fn a_receipt_says_what_was_asked_and_comes_back() {
        let receipt = receipt();
        assert_eq!(
            receipt.to_string(),
            "v1; data=fffffffffffffffe-7; updated=1970-01-01T00:00:00Z; day=2025-06-15; \
             sha256=ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad; \
             ask=/contract/monitor-supplier44?format=json&supplierINN=7707083893&limit=5"
        );
        for text in [
            receipt.to_string(),
            format!("x-receipt: {receipt}\r\n"),
            format!("HTTP/1.1 200 OK\r\nETag: \"x\"\r\nX-Receipt: {receipt}\r\nA: b\r\n\r\n"),
        ] {
            assert_eq!(Receipt::parse(&text), Ok(receipt.clone()), "{text}");
        }
    }

    #[test]
    fn what_is_no_receipt_is_told_so() {
        let whole = receipt().to_string();
        for (text, expected) in [
            ("", "no receipt"),
            ("ETag: \"x\"", "no receipt"),
            ("X-Receipt: v2; ask=/", "version 1"),
            (&whole.replace("ask=", "ask:"), "no ask="),
            (&whole.replace("day=", "dai="), "no day="),
            (&whole.replace("2025-06-15", "2025-06-31"), "no day YYYY"),
            (&whole.replace("15ad", "15a"), "64 hex"),
        ] {
            let error = Receipt::parse(text).expect_err(text);
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}

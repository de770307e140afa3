//! Receipts: a signed line that states the server, request, time, data and body of a response. The
//! server's public key suffices to verify one; neither the server nor the data is needed.
//!
//! ```text
//! v2; server=NAME; key=FINGERPRINT; time=YYYY-MM-DDTHH:MM:SSZ; data=IDENTITY-REVISION; day=YYYY-MM-DD; registries=44=complete:2026-11-20, 223=partial, 615=none; request=/path?query; sha256=HEX; sig=BASE64
//! ```
//!
//! The signature covers the bytes before `; sig=`. No field can contain `; ` or a line break: the
//! server's name is checked, the request is percent-encoded, and the program generates all others.
//! A response with a receipt is never cached and never a 304, because the hash covers the
//! uncompressed body.

use std::io::{self, Read};

use super::super::data::state::version_word;
use super::hexadecimal;
use super::signing_key::{PublicKey, SigningKey};
use crate::model::{Date, Sha256, timestamp};
use crate::store::DataVersion;

/// Maximum number of bytes read from a file with receipts. The receipts for a list of 10,000
/// suppliers take 200 KB.
pub const LONGEST_FILE: u64 = 4 << 20;

/// Maximum length of a server's name, in characters.
pub const MAX_SERVER_NAME: usize = 100;

const VERSION: &str = "v2";

/// Returns the current time in seconds since 1970.
pub type Clock = Box<dyn Fn() -> i64 + Send + Sync>;

pub struct Signer {
    key: SigningKey,
    server: String,
    now: Clock,
}

/// The parts of a response that a receipt states.
pub(crate) struct Signed<'a> {
    pub version: DataVersion,
    /// The day that the response depends on, if any.
    pub day: Option<Date>,
    /// State of each registry, if the response depends on the registries.
    pub registries: Option<&'a str>,
    /// The canonical text of the request.
    pub request: &'a str,
    /// SHA-256 of the uncompressed body.
    pub sha256: &'a str,
}

impl Signer {
    /// Creates a signer that signs with `key` in the name of `server` (see [`server_name`]).
    pub fn new(key: SigningKey, server: String, now: Clock) -> Self {
        Self { key, server, now }
    }

    /// Returns the public key for verifying the receipts.
    pub fn public_key(&self) -> &PublicKey {
        self.key.public()
    }

    /// Returns the server's name in the receipts.
    pub fn server(&self) -> &str {
        &self.server
    }

    /// Returns the value of `X-Receipt`.
    pub(crate) fn receipt(&self, signed: &Signed<'_>) -> String {
        let text = format!(
            "{VERSION}; server={}; key={}; time={}; data={}; day={}; registries={}; request={}; \
             sha256={}",
            self.server,
            self.key.public().fingerprint(),
            timestamp((self.now)()),
            version_word(signed.version.identity, signed.version.revision),
            signed.day.map_or(String::new(), |day| day.to_string()),
            signed.registries.unwrap_or_default(),
            signed.request,
            signed.sha256,
        );
        let signature = self.key.sign(&text);
        text + "; sig=" + &signature
    }
}

/// Checks the name of a server: printable ASCII without `;`.
///
/// # Errors
/// Returns a sentence that says what is wrong.
pub fn server_name(text: &str) -> Result<String, String> {
    let is_plain = |byte: u8| matches!(byte, b' '..=b'~') && byte != b';';
    let is_name = (1..=MAX_SERVER_NAME).contains(&text.len())
        && text.trim() == text
        && text.bytes().all(is_plain);
    match is_name {
        true => Ok(text.to_owned()),
        false => Err(format!(
            "a server's name has 1 to {MAX_SERVER_NAME} ASCII characters, no `;` among them"
        )),
    }
}

/// A receipt whose signature has not been verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receipt {
    text: String,
    signature: String,
}

/// The fields of a receipt with a valid signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claims<'a> {
    pub server: &'a str,
    pub key: &'a str,
    pub time: &'a str,
    pub data: &'a str,
    pub day: &'a str,
    pub registries: &'a str,
    pub request: &'a str,
    pub sha256: &'a str,
}

impl Receipt {
    /// Finds the receipts in a file. A receipt is either a line or the value of a header of a
    /// response.
    ///
    /// # Errors
    /// Returns an error if there is no receipt, or one is malformed. The message is a sentence
    /// without its subject, which the caller adds.
    pub fn all(file: &[u8]) -> Result<Vec<Self>, &'static str> {
        const NONE: &str = "has no receipt, which is a line `v2; server=…; sig=…`";
        let file = std::str::from_utf8(file).map_err(|_| NONE)?;
        let lines = file.trim_start_matches('\u{feff}').lines().map(str::trim);
        let receipts = lines.filter_map(|line| match line.split_once(':') {
            Some((name, value)) if name.eq_ignore_ascii_case("X-Receipt") => Some(value.trim()),
            _ => line.starts_with("v2;").then_some(line),
        });
        let receipts = receipts.map(|line| {
            let (text, signature) = line
                .rsplit_once("; sig=")
                .ok_or("has a receipt without its signature, `; sig=…`")?;
            Ok(Self {
                text: text.to_owned(),
                signature: signature.to_owned(),
            })
        });
        let receipts = receipts.collect::<Result<Vec<_>, &'static str>>()?;
        (!receipts.is_empty()).then_some(receipts).ok_or(NONE)
    }

    /// Verifies the signature with `key`.
    ///
    /// # Errors
    /// Returns a sentence without its subject, which the caller adds.
    pub fn verify(&self, key: &PublicKey) -> Result<Claims<'_>, String> {
        let claims = self.claims();
        let given = key.fingerprint();
        if !key.has_signed(&self.text, &self.signature) {
            return Err(match claims.is_some_and(|claims| claims.key == given) {
                true => "was altered: its signature does not match".to_owned(),
                false => format!(
                    "is not signed with this key: it was altered, or signed with another key (the \
                     fingerprint of this key is {given})"
                ),
            });
        }
        claims
            .ok_or_else(|| "is signed with this key, but is not a receipt of version 2".to_owned())
    }

    /// Returns the fields if all are present, in order.
    fn claims(&self) -> Option<Claims<'_>> {
        let mut parts = self.text.split("; ");
        let version = parts.next();
        let mut field = |name| parts.next()?.strip_prefix(name);
        let claims = Claims {
            server: field("server=")?,
            key: field("key=")?,
            time: field("time=")?,
            data: field("data=")?,
            day: field("day=")?,
            registries: field("registries=")?,
            request: field("request=")?,
            sha256: field("sha256=")?,
        };
        (version == Some(VERSION) && parts.next().is_none()).then_some(claims)
    }
}

/// Formats a SHA-256 for receipts, in lower-case hexadecimal.
pub fn sha256_digits(hash: &[u8; 32]) -> String {
    hexadecimal(hash)
}

/// Returns the SHA-256 of `bytes` in lower-case hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::of(bytes))
}

/// Returns the SHA-256 of a stream in lower-case hexadecimal.
///
/// # Errors
/// Returns an error if the stream is unreadable.
pub fn sha256_of(from: impl Read) -> io::Result<String> {
    Ok(hexadecimal(&Sha256::of_stream(from)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const REQUEST: &str = "/rnp/check-supplier?format=json&supplierINN=7707083893";

    fn signer() -> Signer {
        let key = SigningKey::generate().expect("a key");
        let key = SigningKey::parse(&key).expect("its own PEM");
        Signer::new(key, "lookup.example.org".to_owned(), Box::new(|| 1))
    }

    fn receipt(signer: &Signer) -> String {
        signer.receipt(&Signed {
            version: DataVersion {
                identity: -2,
                revision: 7,
                updated: 0,
            },
            day: Date::parse_iso("2025-06-15"),
            registries: Some("44=complete:2025-06-01, 223=partial, 615=none"),
            request: REQUEST,
            sha256: &sha256(b"abc"),
        })
    }

    fn verify(file: &[u8], key: &PublicKey) -> Result<(), String> {
        let receipts = Receipt::all(file)?;
        receipts
            .iter()
            .try_for_each(|one| one.verify(key).map(drop))
    }

    #[test]
    fn a_receipt_is_one_line_that_can_be_parsed() {
        let signer = signer();
        let line = receipt(&signer);
        let fingerprint = signer.public_key().fingerprint();
        let (text, signature) = line.rsplit_once("; sig=").expect("a signature");
        assert_eq!(
            text,
            format!(
                "v2; server=lookup.example.org; key={fingerprint}; time=1970-01-01T00:00:01Z; \
                 data=fffffffffffffffe-7; day=2025-06-15; \
                 registries=44=complete:2025-06-01, 223=partial, 615=none; \
                 request={REQUEST}; \
                 sha256=ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
            )
        );
        assert_eq!(signature.len(), 88);
        for file in [
            line.clone(),
            format!("\u{feff}{line}\r\n"),
            format!("x-receipt: {line}\r\n"),
            format!("HTTP/1.1 200 OK\r\nETag: \"x\"\r\nX-Receipt: {line}\r\nA: b\r\n\r\n"),
        ] {
            let receipts = Receipt::all(file.as_bytes()).expect(&file);
            let claims = receipts[0].verify(signer.public_key()).expect(&file);
            assert_eq!(claims.request, REQUEST);
            assert_eq!(claims.day, "2025-06-15");
        }
        let twice = format!("{line}\n\n{line}\n");
        assert_eq!(Receipt::all(twice.as_bytes()).map(|all| all.len()), Ok(2));
    }

    #[test]
    fn any_flipped_bit_is_detected() {
        let signer = signer();
        let line = receipt(&signer).into_bytes();
        for at in 0..line.len() {
            for bit in 0..8 {
                let mut flipped = line.clone();
                flipped[at] ^= 1 << bit;
                let verified = verify(&flipped, signer.public_key());
                let words = verified.expect_err("a flipped bit");
                let is_said = ["was altered", "has no receipt", "without its signature"];
                assert!(is_said.iter().any(|one| words.contains(one)), "{words}");
            }
        }
    }

    #[test]
    fn another_key_is_distinguished_from_an_alteration() {
        let (one, other) = (signer(), signer());
        let line = receipt(&one);
        let wrong_key = verify(line.as_bytes(), other.public_key()).expect_err("another key");
        assert!(
            wrong_key.contains(&other.public_key().fingerprint()),
            "{wrong_key}"
        );
        let later = line.replace("day=2025", "day=2026");
        let changed = verify(later.as_bytes(), one.public_key()).expect_err("a change");
        assert_eq!(changed, "was altered: its signature does not match");
    }

    #[test]
    fn signed_texts_of_other_versions_are_refused() {
        let signer = signer();
        let line = receipt(&signer);
        let (text, _) = line.rsplit_once("; sig=").expect("a signature");
        for other in [
            text.replace("; day=2025-06-15", ""),
            text.replace("server=", "sender="),
            format!("{text}; more=1"),
        ] {
            let line = format!("{other}; sig={}", signer.key.sign(&other));
            let error = verify(line.as_bytes(), signer.public_key()).expect_err(&other);
            assert!(error.contains("not a receipt of version 2"), "{error}");
        }
    }

    #[test]
    fn a_file_without_a_receipt_is_reported() {
        let key = signer();
        for (file, expected) in [
            (&b""[..], "has no receipt"),
            (b"ETag: \"x\"", "has no receipt"),
            (b"v1; data=1; ask=/", "has no receipt"),
            (b"v2; \xff; sig=", "has no receipt"),
            (b"v2; server=x", "without its signature"),
            (b"X-Receipt: v2; server=x", "without its signature"),
        ] {
            let error = verify(file, key.public_key()).expect_err(expected);
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn a_server_name_cannot_contain_separators() {
        for name in ["lookup.example.org", "127.0.0.1:8044", "Office 2, [::1]"] {
            assert_eq!(server_name(name).as_deref(), Ok(name));
        }
        let long = "x".repeat(MAX_SERVER_NAME + 1);
        for name in [
            "",
            " x",
            "x ",
            "a; key=1",
            "a\nb",
            "a\u{7f}",
            "сервер",
            &long,
        ] {
            assert!(server_name(name).is_err(), "{name}");
        }
    }
}

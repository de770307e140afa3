//! The key pair for receipts: Ed25519 (RFC 8032) in PEM, as PKCS#8 and SubjectPublicKeyInfo (RFC
//! 8410), which OpenSSL can read and generate.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use ring::signature::{ED25519, Ed25519KeyPair, KeyPair, UnparsedPublicKey};

use super::hexadecimal;
use crate::model::Sha256;

/// DER prefix of the 32 bytes of a private key.
const PRIVATE: [u8; 16] = [
    0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
];

/// DER prefix of the 32 bytes of a public key.
const PUBLIC: [u8; 12] = [
    0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00,
];

/// `Content-Type` of a key in PEM.
pub const PEM: &str = "application/x-pem-file";

const PRIVATE_LABEL: &str = "PRIVATE KEY";
const PUBLIC_LABEL: &str = "PUBLIC KEY";

/// Length of a private or public key, in bytes.
const LENGTH: usize = 32;

/// Number of bytes of the public key's SHA-256 that make up its fingerprint.
const FINGERPRINT: usize = 8;

/// A private key. `Debug` does not show it.
pub struct SigningKey {
    pair: Ed25519KeyPair,
    public: PublicKey,
}

/// The public half of a private key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicKey([u8; LENGTH]);

impl SigningKey {
    /// Generates a key as PKCS#8 in PEM. The returned text is the only copy of the secret.
    ///
    /// # Errors
    /// Returns an error if the system provides no random bytes.
    pub fn generate() -> Result<String, String> {
        let mut secret = [0; LENGTH];
        getrandom::fill(&mut secret)
            .map_err(|error| format!("the system provides no random bytes: {error}"))?;
        Ok(to_pem(PRIVATE_LABEL, &[&PRIVATE[..], &secret].concat()))
    }

    /// Parses PKCS#8 in PEM.
    ///
    /// # Errors
    /// Returns a sentence that quotes no part of the text.
    pub fn parse(pem: &str) -> Result<Self, &'static str> {
        const WRONG: &str = "it is not an Ed25519 key as PKCS#8 in PEM; \
                             `procurement-lookup keys signing-key` makes one";
        let der = from_pem(PRIVATE_LABEL, pem).ok_or(WRONG)?;
        let pair = Ed25519KeyPair::from_pkcs8_maybe_unchecked(&der).map_err(|_| WRONG)?;
        let public = pair.public_key().as_ref().try_into().map_err(|_| WRONG)?;
        Ok(Self {
            pair,
            public: PublicKey(public),
        })
    }

    pub fn public(&self) -> &PublicKey {
        &self.public
    }

    /// Returns the signature over `text`: 64 bytes in base64.
    pub fn sign(&self, text: &str) -> String {
        BASE64.encode(self.pair.sign(text.as_bytes()))
    }
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SigningKey(…)")
    }
}

impl PublicKey {
    /// Parses SubjectPublicKeyInfo in PEM.
    ///
    /// # Errors
    /// Returns a sentence for the user.
    pub fn parse(pem: &str) -> Result<Self, &'static str> {
        let der = from_pem(PUBLIC_LABEL, pem);
        let key = der.as_deref().and_then(|der| der.strip_prefix(&PUBLIC));
        let key = key.and_then(|key| key.try_into().ok());
        key.map(Self).ok_or(
            "it is not an Ed25519 public key in PEM, as /signing-key.pem and \
             `procurement-lookup keys signing-key` give it",
        )
    }

    /// Returns SubjectPublicKeyInfo in PEM.
    pub fn pem(&self) -> String {
        to_pem(PUBLIC_LABEL, &self.der())
    }

    /// Returns the first 16 hexadecimal digits of the SHA-256 of the SubjectPublicKeyInfo in DER.
    pub fn fingerprint(&self) -> String {
        let hash = Sha256::of(self.der());
        let start = hash.first_chunk::<FINGERPRINT>();
        start.map(|start| hexadecimal(start)).unwrap_or_default()
    }

    /// Returns whether `signature`, in base64, is this key's signature over `text`.
    pub(super) fn has_signed(&self, text: &str, signature: &str) -> bool {
        let key = UnparsedPublicKey::new(&ED25519, self.0);
        BASE64
            .decode(signature)
            .is_ok_and(|signature| key.verify(text.as_bytes(), &signature).is_ok())
    }

    fn der(&self) -> Vec<u8> {
        [&PUBLIC[..], &self.0].concat()
    }
}

/// Encodes a key as PEM. The base64 of either kind of key fits on one line.
fn to_pem(label: &str, der: &[u8]) -> String {
    let digits = BASE64.encode(der);
    format!("-----BEGIN {label}-----\n{digits}\n-----END {label}-----\n")
}

/// Returns the content of the first PEM block with this label.
fn from_pem(label: &str, text: &str) -> Option<Vec<u8>> {
    let (_, rest) = text.split_once(&format!("-----BEGIN {label}-----"))?;
    let (block, _) = rest.split_once(&format!("-----END {label}-----"))?;
    let digits: String = block.split_whitespace().collect();
    BASE64.decode(digits).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example keys in RFC 8410, 10.3 and 10.1.
    const PRIVATE_PEM: &str = "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC\n-----END PRIVATE KEY-----\n";
    const PUBLIC_PEM: &str = "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n-----END PUBLIC KEY-----\n";

    #[test]
    fn the_keys_of_rfc_8410_are_read_and_written() {
        let key = SigningKey::parse(PRIVATE_PEM).expect("a key");
        assert_eq!(key.public().pem(), PUBLIC_PEM);
        assert_eq!(PublicKey::parse(PUBLIC_PEM).as_ref(), Ok(key.public()));
        let windows = PRIVATE_PEM.replace('\n', "\r\n");
        let windows = SigningKey::parse(&windows).expect("a key");
        assert_eq!(windows.public(), key.public());
        assert_eq!(format!("{key:?}"), "SigningKey(…)");
    }

    #[test]
    fn new_keys_differ_and_sign_only_their_text() {
        let keys = [(); 2].map(|()| {
            let pem = SigningKey::generate().expect("a key");
            SigningKey::parse(&pem).expect("its own PEM")
        });
        let [one, other] = keys;
        assert_ne!(one.public(), other.public());
        assert_ne!(one.public().fingerprint(), other.public().fingerprint());
        let signature = one.sign("text");
        assert!(one.public().has_signed("text", &signature));
        assert!(!one.public().has_signed("texs", &signature));
        assert!(!other.public().has_signed("text", &signature));
        assert!(!one.public().has_signed("text", "no base64"));
    }

    #[test]
    fn other_files_are_refused_without_quoting_them() {
        for wrong in ["", PUBLIC_PEM, &PRIVATE_PEM.replace("MC4C", "MC4D")] {
            let error = SigningKey::parse(wrong).expect_err(wrong);
            assert!(error.contains("Ed25519"), "{error}");
        }
        for wrong in ["", PRIVATE_PEM, &PUBLIC_PEM.replace("VwAy", "VwAz")] {
            let error = PublicKey::parse(wrong).expect_err(wrong);
            assert!(error.contains("public key"), "{error}");
        }
    }
}

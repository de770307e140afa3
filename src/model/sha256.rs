use std::io::{self, Read};

use ring::digest::{Context, SHA256};

#[derive(Clone)]
pub struct Sha256(Context);

impl Sha256 {
    pub fn new() -> Self {
        Self(Context::new(&SHA256))
    }

    pub fn of(bytes: impl AsRef<[u8]>) -> [u8; 32] {
        let mut hash = Self::new();
        hash.update(bytes);
        hash.finish()
    }

    /// Hashes a stream to its end.
    ///
    /// # Errors
    /// Returns an error if the stream cannot be read.
    pub fn of_stream(mut from: impl Read) -> io::Result<[u8; 32]> {
        let mut hash = Self::new();
        let mut piece = vec![0; 1 << 16];
        loop {
            match from.read(&mut piece)? {
                0 => return Ok(hash.finish()),
                length => hash.update(&piece[..length]),
            }
        }
    }

    pub fn update(&mut self, bytes: impl AsRef<[u8]>) {
        self.0.update(bytes.as_ref());
    }

    pub fn finish(self) -> [u8; 32] {
        let mut hash = [0; 32];
        hash.copy_from_slice(self.0.finish().as_ref());
        hash
    }
}

impl Default for Sha256 {
    fn default() -> Self {
        Self::new()
    }
}

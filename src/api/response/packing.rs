//! Compresses bodies.
//!
//! The levels are based on measurements (`tests/benches/RESULTS.md`). At higher levels, compressing
//! takes about as much more time as a 100 Mbit/s link would take to carry the saved bytes.

use std::io::{self, BufWriter, Read, Write};

use flate2::write::GzEncoder;
use flate2::{Compress, Compression, FlushCompress, Status};
use zstd::bulk::Compressor;

use super::super::request::accept::{AcceptEncoding, Encoding};

/// Minimum length at which a body is compressed, unless the client rejects unencoded bodies. A
/// shorter answer fits into one packet on most networks.
pub const WORTH_IT: usize = 1 << 10;

/// Compression level; the maximum is 9.
const GZIP_LEVEL: u32 = 3;

/// Compression level; the maximum is 22.
const ZSTD_LEVEL: i32 = 1;

/// Level for bodies that are compressed once and sent often. The highest levels save another tenth,
/// but the first client would wait for a second.
const ZSTD_LEVEL_ONCE: i32 = 12;

/// Maximum size of a buffer that is kept for the next body, in bytes.
const LARGEST_REUSED: usize = 1 << 20;

/// Compresses one body after another, reusing a state of a few hundred KB.
#[derive(Default)]
pub struct Packer {
    gzip: Option<Compress>,
    zstd: Option<Compressor<'static>>,
    /// Buffer for compressed bytes. Kept for the next body unless it exceeds [`LARGEST_REUSED`].
    packed: Vec<u8>,
}

impl Packer {
    /// Compresses a body with the accepted encoding if that makes the body shorter, or if the
    /// client rejects unencoded bodies. Returns the encoding of the result.
    ///
    /// # Errors
    /// Returns an error if compression fails, which happens only if memory runs out.
    pub fn pack(&mut self, accept: AcceptEncoding, body: &mut Vec<u8>) -> io::Result<Encoding> {
        let length = body.len();
        if accept.encoding == Encoding::Identity || (length < WORTH_IT && !accept.always) {
            return Ok(Encoding::Identity);
        }
        // Upper bound on the size of incompressible data with either encoding.
        let most = length + length / 128 + 512;
        if self.packed.len() < most {
            self.packed.resize(most, 0);
        }
        let packed = match accept.encoding {
            Encoding::Gzip => self.gzip(body)?,
            _ => self.zstd(body)?,
        };
        let encoding = if packed < length || accept.always {
            body.clear();
            let packed = self.packed.get(..packed).unwrap_or_default();
            body.extend_from_slice(packed);
            accept.encoding
        } else {
            Encoding::Identity
        };
        if self.packed.len() > LARGEST_REUSED {
            self.packed = Vec::new();
        }
        Ok(encoding)
    }

    fn gzip(&mut self, body: &[u8]) -> io::Result<usize> {
        let gzip = self
            .gzip
            .get_or_insert_with(|| Compress::new_gzip(Compression::new(GZIP_LEVEL), 15));
        gzip.reset();
        let status = gzip.compress(body, &mut self.packed, FlushCompress::Finish)?;
        if status != Status::StreamEnd {
            return Err(io::Error::other("gzip did not finish"));
        }
        Ok(usize::try_from(gzip.total_out()).unwrap_or(usize::MAX))
    }

    fn zstd(&mut self, body: &[u8]) -> io::Result<usize> {
        let zstd = match &mut self.zstd {
            Some(zstd) => zstd,
            none => none.insert(Compressor::new(ZSTD_LEVEL)?),
        };
        zstd.compress_to_buffer(body, self.packed.as_mut_slice())
    }
}

/// Compresses a long body from one file into another, piece by piece. Without an encoding, copies
/// the body.
///
/// # Errors
/// Returns an error if a file cannot be read or written.
pub fn copy(encoding: Encoding, mut from: impl Read, to: impl Write) -> io::Result<()> {
    let mut to = BufWriter::new(to);
    match encoding {
        Encoding::Identity => drop(io::copy(&mut from, &mut to)?),
        Encoding::Gzip => {
            let mut gzip = GzEncoder::new(&mut to, Compression::new(GZIP_LEVEL));
            io::copy(&mut from, &mut gzip)?;
            gzip.finish()?;
        }
        Encoding::Zstd => zstd::stream::copy_encode(from, &mut to, ZSTD_LEVEL)?,
    }
    to.flush()
}

/// Compresses a body that is sent often, at a slow and strong level.
///
/// # Errors
/// Returns an error if compression fails, which happens only if memory runs out.
pub fn compress_once(encoding: Encoding, body: &[u8]) -> io::Result<Vec<u8>> {
    match encoding {
        Encoding::Identity => Ok(body.to_vec()),
        Encoding::Gzip => {
            let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
            gzip.write_all(body)?;
            gzip.finish()
        }
        Encoding::Zstd => zstd::bulk::compress(body, ZSTD_LEVEL_ONCE),
    }
}

#[cfg(test)]
#[path = "packing/tests.rs"]
mod tests;

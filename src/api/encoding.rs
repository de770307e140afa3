//! Encodings of a body: which one a request accepts (RFC 9110, 12.5.3), and packing.
//!
//! The levels are chosen by measurement (`tests/benches/RESULTS.md`): a level
//! more saves hardly more bytes a microsecond than a link of 100 Mbit/s carries.

use std::io::{self, Write};

use flate2::write::GzEncoder;
use flate2::{Compress, Compression, FlushCompress, Status};
use zstd::bulk::Compressor;

/// Bodies below it are not packed, unless they may not be sent as they are: the whole
/// answer fits into one packet of most networks as it is.
pub const WORTH_IT: usize = 1 << 10;

/// The level of gzip, of 9.
const GZIP_LEVEL: u32 = 3;

/// The level of zstd, of 22.
const ZSTD_LEVEL: i32 = 1;

/// The level of zstd for what is packed once and sent often: what the highest ones save
/// beyond it is a tenth, and takes the first client a second.
const ZSTD_LEVEL_ONCE: i32 = 12;

/// The largest buffer that is reused for the next body, in bytes.
const LARGEST_REUSED: usize = 1 << 20;

/// How a body is encoded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// Not at all.
    #[default]
    Identity,
    Gzip,
    Zstd,
}

impl Encoding {
    /// What `Content-Encoding` says of it; nothing where there is no such header.
    pub fn name(self) -> Option<&'static str> {
        match self {
            Self::Identity => None,
            Self::Gzip => Some("gzip"),
            Self::Zstd => Some("zstd"),
        }
    }
}

/// The encoding that a request accepts: the body is a function of it, however the header
/// is worded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct AcceptEncoding {
    /// The encoding that suits the client best.
    pub encoding: Encoding,
    /// A body is to be encoded though it is short, as it may not be sent as it is.
    pub always: bool,
}

impl AcceptEncoding {
    /// What is accepted for a body that packing makes no shorter: none, unless it may not be
    /// sent as it is.
    pub fn if_required(self) -> Self {
        if self.always { self } else { Self::default() }
    }

    /// A number for each, for hashing.
    pub fn number(self) -> u8 {
        let encoding = match self.encoding {
            Encoding::Identity => 0,
            Encoding::Gzip => 1,
            Encoding::Zstd => 2,
        };
        encoding << 1 | u8::from(self.always)
    }

    /// Reads the values of `Accept-Encoding`. Of encodings that are as welcome the one that
    /// packs best is taken. Where none of the encodings here is accepted, a body is sent as
    /// it is; so it is without such a header.
    pub fn parse<'a>(values: impl Iterator<Item = &'a str>) -> Self {
        let mut weights = Weights::default();
        for item in values.flat_map(|value| value.split(',')) {
            weights.read(item);
        }
        let of = |weight: Option<u16>| weight.or(weights.any).unwrap_or(0);
        let (gzip, zstd) = (of(weights.gzip), of(weights.zstd));
        let (encoding, weight) = if zstd >= gzip {
            (Encoding::Zstd, zstd)
        } else {
            (Encoding::Gzip, gzip)
        };
        // Where it is not named it is welcome, but less than what is.
        if weight == 0 || weights.identity.is_some_and(|identity| identity > weight) {
            return Self::default();
        }
        Self {
            encoding,
            always: weights.identity.or(weights.any) == Some(0),
        }
    }
}

/// The weights of the encodings that there are, in thousandths.
#[derive(Default)]
struct Weights {
    gzip: Option<u16>,
    zstd: Option<u16>,
    identity: Option<u16>,
    any: Option<u16>,
}

impl Weights {
    /// Reads an item of the list: `gzip`, `gzip;q=0.5`. A malformed one is ignored.
    fn read(&mut self, item: &str) {
        let (name, weight) = match item.split_once(';') {
            None => (item, Some(1000)),
            Some((name, parameter)) => (name, weight(parameter)),
        };
        let name = name.trim();
        let is = |known: &str| name.eq_ignore_ascii_case(known);
        let slot = if is("gzip") || is("x-gzip") {
            &mut self.gzip
        } else if is("zstd") {
            &mut self.zstd
        } else if is("identity") {
            &mut self.identity
        } else if name == "*" {
            &mut self.any
        } else {
            return;
        };
        *slot = weight.or(*slot);
    }
}

/// The weight of `q=0.123`, in thousandths; up to three digits, at most 1.
pub fn weight(parameter: &str) -> Option<u16> {
    let (name, value) = parameter.split_once('=')?;
    if !name.trim().eq_ignore_ascii_case("q") {
        return None;
    }
    let value = value.trim();
    let (whole, part) = value.split_once('.').unwrap_or((value, ""));
    if part.len() > 3 || !part.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let thousandths = format!("{part:0<3}").parse::<u16>().ok()?;
    match whole {
        "0" => Some(thousandths),
        "1" if thousandths == 0 => Some(1000),
        _ => None,
    }
}

/// Packs bodies, one after another: its state is some hundred KB, which are not allocated
/// anew for each.
#[derive(Default)]
pub struct Packer {
    gzip: Option<Compress>,
    zstd: Option<Compressor<'static>>,
    /// Where the packed bytes go first; it only grows.
    packed: Vec<u8>,
}

impl Packer {
    /// Packs a body as it is accepted, where that makes it shorter; how it is encoded then.
    ///
    /// # Errors
    /// The packing failed, which only a lack of memory explains.
    pub fn pack(&mut self, accept: AcceptEncoding, body: &mut Vec<u8>) -> io::Result<Encoding> {
        let length = body.len();
        if accept.encoding == Encoding::Identity || (length < WORTH_IT && !accept.always) {
            return Ok(Encoding::Identity);
        }
        // Neither makes a body longer by more than this.
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
            return Err(io::Error::other("gzip did not come to an end"));
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

/// Packs what is packed once and sent often, at levels that take their time.
///
/// # Errors
/// The packing failed, which only a lack of memory explains.
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
#[path = "encoding/tests.rs"]
mod tests;

//! Encodings of a body, and which one a request accepts (RFC 9110, 12.5.3).

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

#[cfg(test)]
#[path = "encoding/tests.rs"]
mod tests;

//! Encodings of a body, and their negotiation (RFC 9110, 12.5.3).

/// The encoding of a body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// No encoding.
    #[default]
    Identity,
    Gzip,
    Zstd,
}

impl Encoding {
    /// Returns the value of `Content-Encoding`; none for an unencoded body.
    pub fn name(self) -> Option<&'static str> {
        match self {
            Self::Identity => None,
            Self::Gzip => Some("gzip"),
            Self::Zstd => Some("zstd"),
        }
    }
}

/// The encoding that a request accepts. The body depends only on it, not on the wording of the
/// header.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct AcceptEncoding {
    /// The best encoding for the client.
    pub encoding: Encoding,
    /// Whether even a short body must be encoded, because the client refuses an unencoded one.
    pub always: bool,
}

impl AcceptEncoding {
    /// Returns the accepted encoding for a body that packing makes no shorter: none, unless the
    /// client refuses an unencoded one.
    pub fn if_required(self) -> Self {
        if self.always { self } else { Self::default() }
    }

    /// Returns a number for hashing, different for each value.
    pub fn number(self) -> u8 {
        let encoding = match self.encoding {
            Encoding::Identity => 0,
            Encoding::Gzip => 1,
            Encoding::Zstd => 2,
        };
        encoding << 1 | u8::from(self.always)
    }

    /// Reads the values of `Accept-Encoding`. Among encodings of equal weight it takes the one
    /// that packs best. A body is sent unencoded if no supported encoding is accepted or the
    /// header is missing.
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
        // An unencoded body that is not named is accepted, but with less weight than the named
        // encodings.
        if weight == 0 || weights.identity.is_some_and(|identity| identity > weight) {
            return Self::default();
        }
        Self {
            encoding,
            always: weights.identity.or(weights.any) == Some(0),
        }
    }
}

/// The weights of the supported encodings, in thousandths.
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

/// Reads the weight of `q=0.123`, in thousandths: at most three digits and at most 1.
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

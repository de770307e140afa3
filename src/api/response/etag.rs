//! Entity tags: a hash of everything that a response's bytes depend on.

use super::super::request::accept::AcceptEncoding;
use super::super::request::reader::SharedParameters;
use super::hexadecimal;
use crate::model::{Date, Moment, Sha256};
use crate::render;
use crate::store::DataVersion;

/// An entity tag: the first half of a SHA-256 hash. That is long enough that clients cannot find
/// two requests with equal tags and different responses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EntityTag([u8; 16]);

/// Number of bytes of the tag that clients see.
const SHOWN: usize = 12;

impl EntityTag {
    /// Returns the tag of the response to a request with the given parameters. The tag changes with
    /// the data, the rendering version, and the accepted encoding.
    pub fn new(version: DataVersion, shared: &SharedParameters, accept: AcceptEncoding) -> Self {
        let (max_age, canonical) = (shared.max_age, shared.canonical());
        let when = (shared.day, shared.minute);
        Self::rendered_by(render::VERSION, version, max_age, canonical, when, accept)
    }

    fn rendered_by(
        rendering: u32,
        version: DataVersion,
        max_age: u64,
        canonical: &str,
        (day, minute): (Option<Date>, Option<Moment>),
        accept: AcceptEncoding,
    ) -> Self {
        let mut hash = Sha256::new();
        hash.update(rendering.to_le_bytes());
        hash.update(version.identity.to_le_bytes());
        hash.update(version.revision.to_le_bytes());
        // The response headers contain the time of the last update.
        hash.update(version.updated.to_le_bytes());
        hash.update([accept.number()]);
        hash.update(day.map_or(0, Date::number).to_le_bytes());
        hash.update(minute.map_or(0, minute_number).to_le_bytes());
        hash.update(max_age.to_le_bytes());
        // This part is hashed last, because only it has a variable length.
        hash.update(canonical);
        Self::from_hash(hash)
    }

    /// Returns the tag of a resource with this content in the accepted encoding.
    pub fn from_content(content: &[u8], accept: AcceptEncoding) -> Self {
        let mut hash = Sha256::new();
        hash.update(b"content");
        hash.update([accept.number()]);
        hash.update(content);
        Self::from_hash(hash)
    }

    fn from_hash(hash: Sha256) -> Self {
        Self(hash.finish().first_chunk().copied().unwrap_or_default())
    }

    /// Returns the tag as clients see it, with quotes.
    pub fn text(self) -> String {
        let shown = self.0.get(..SHOWN).unwrap_or_default();
        ["\"", &hexadecimal(shown), "\""].concat()
    }
}

/// Returns a number that identifies the minute within the day and is never 0.
fn minute_number(moment: Moment) -> u16 {
    let (hour, minute) = moment.time().unwrap_or((24, 0));
    1 + u16::from(hour) * 60 + u16::from(minute)
}

/// The responses that a client already has, according to `If-None-Match` (RFC 9110, 13.1.2).
#[derive(Debug, Default)]
pub struct IfNoneMatch<'a>(Vec<&'a str>);

impl<'a> IfNoneMatch<'a> {
    pub fn parse(values: impl Iterator<Item = &'a str>) -> Self {
        Self(values.flat_map(tags).collect())
    }

    /// Returns whether the client has the response with this tag. Weak tags match as well.
    pub fn has(&self, etag: &str) -> bool {
        self.is_any() || self.0.contains(&etag)
    }

    /// Returns whether the header is `*`, which matches any response that exists.
    pub fn is_any(&self) -> bool {
        self.0.contains(&"*")
    }
}

/// Splits a list into tags, with quotes and without `W/`. A tag may contain commas.
fn tags(list: &str) -> impl Iterator<Item = &str> {
    let mut rest = list;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches([' ', '\t', ',']);
        if rest.is_empty() {
            return None;
        }
        let strong = rest.strip_prefix("W/").unwrap_or(rest);
        let length = match strong.strip_prefix('"') {
            Some(inner) => inner.find('"').map_or(strong.len(), |end| end + 2),
            None => strong.find(',').unwrap_or(strong.len()),
        };
        let (tag, after) = strong.split_at(length);
        rest = after;
        Some(tag.trim_end())
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::super::super::request::accept::Encoding;
    use super::*;

    #[test]
    fn everything_that_a_response_depends_on_changes_the_tag() {
        let version = DataVersion {
            identity: 1,
            revision: 2,
            updated: 3,
        };
        let accept = AcceptEncoding {
            encoding: Encoding::Identity,
            always: false,
        };
        let packed = AcceptEncoding {
            always: true,
            ..accept
        };
        let later = DataVersion {
            updated: 4,
            ..version
        };
        let day = Date::parse_iso("2026-11-21");
        let minute = |time| Moment::parse_dotted(&format!("21.11.2026 {time}"));
        let tag = EntityTag::rendered_by;
        let first = tag(1, version, 30, "/path?a=b", (None, None), accept);
        assert_eq!(
            tag(1, version, 30, "/path?a=b", (None, None), accept),
            first
        );
        let others = [
            tag(2, version, 30, "/path?a=b", (None, None), accept),
            tag(1, later, 30, "/path?a=b", (None, None), accept),
            tag(1, version, 31, "/path?a=b", (None, None), accept),
            tag(1, version, 30, "/path?a=c", (None, None), accept),
            tag(1, version, 30, "/path?a=b", (day, None), accept),
            tag(1, version, 30, "/path?a=b", (day, minute("10:00")), accept),
            tag(1, version, 30, "/path?a=b", (day, minute("10:01")), accept),
            tag(1, version, 30, "/path?a=b", (None, None), packed),
        ];
        let tags: HashSet<String> = others
            .iter()
            .chain([&first])
            .map(|tag| tag.text())
            .collect();
        assert_eq!(tags.len(), others.len() + 1);
    }
}

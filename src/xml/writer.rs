//! Writes XML elements and escapes text.
//!
//! The content of an element is written by a closure, so no end tag can be forgotten. Tag names are
//! literals. Text may contain any characters; the output is always well-formed XML 1.0.

/// The XML declaration, at the start of every document.
pub const DECLARATION: &str = r#"<?xml version="1.0" encoding="UTF-8"?>"#;

/// The tags of an element. Made by `tag!`.
#[derive(Clone, Copy, Debug)]
pub struct Tag {
    /// `<name>`
    pub start: &'static str,
    /// `</name>`
    pub end: &'static str,
    /// `<name/>`
    pub empty: &'static str,
}

/// Makes the [`Tag`] of a literal name.
macro_rules! tag {
    ($name:literal) => {
        $crate::xml::Tag {
            start: concat!("<", $name, ">"),
            end: concat!("</", $name, ">"),
            empty: concat!("<", $name, "/>"),
        }
    };
}
pub(crate) use tag;

/// Writes an element, whose content is whatever `content` appends. If that is nothing, the element
/// is self-closing.
#[inline(always)]
pub fn element(out: &mut Vec<u8>, tag: &Tag, content: impl FnOnce(&mut Vec<u8>)) {
    element_by(out, tag, |out| out, |out| content(out));
}

/// Like [`element`], for a writer that contains the output buffer. `out` returns that buffer.
#[inline(always)]
pub fn element_by<W: ?Sized>(
    writer: &mut W,
    tag: &Tag,
    out: impl Fn(&mut W) -> &mut Vec<u8>,
    content: impl FnOnce(&mut W),
) {
    out(writer).extend_from_slice(tag.start.as_bytes());
    let start = out(writer).len();
    content(writer);
    let out = out(writer);
    if out.len() == start {
        out.truncate(start - tag.start.len());
        out.extend_from_slice(tag.empty.as_bytes());
    } else {
        out.extend_from_slice(tag.end.as_bytes());
    }
}

/// Appends character data.
///
/// Escapes markup. Writes a carriage return as `&#13;`, because XML parsers turn a literal one into
/// a line feed. Replaces characters that XML 1.0 forbids (`Char` in section 2.2) with U+FFFD.
#[inline(never)]
pub fn text(out: &mut Vec<u8>, text: &str) {
    let bytes = text.as_bytes();
    if any_byte(bytes, |byte| {
        // `<` and `>` differ only in bit 1, so one comparison covers both.
        (byte < b' ') | (byte == b'&') | (byte | 2 == b'>') | (byte == 0xef)
    }) {
        escaped_text(out, bytes);
    } else {
        out.extend_from_slice(bytes);
    }
}

#[cold]
fn escaped_text(out: &mut Vec<u8>, bytes: &[u8]) {
    let mut written = 0;
    for (at, &byte) in bytes.iter().enumerate() {
        let (replacement, length): (&[u8], usize) = match byte {
            b'&' => (b"&amp;", 1),
            b'<' => (b"&lt;", 1),
            b'>' => (b"&gt;", 1),
            b'\r' => (b"&#13;", 1),
            b'\t' | b'\n' => continue,
            0..=0x1f => (REPLACEMENT, 1),
            // U+FFFE and U+FFFF are the only non-ASCII characters in a `str` that XML forbids.
            0xef if matches!(bytes.get(at + 1..at + 3), Some([0xbf, 0xbe | 0xbf])) => {
                (REPLACEMENT, 3)
            }
            _ => continue,
        };
        out.extend_from_slice(&bytes[written..at]);
        out.extend_from_slice(replacement);
        written = at + length;
    }
    out.extend_from_slice(&bytes[written..]);
}

/// Returns whether `is_special` holds for any byte. Special bytes are rare, so the loop checks 32
/// bytes at a time without exiting early. The compiler vectorizes it if `is_special` does not
/// branch.
#[inline(always)]
pub fn any_byte(bytes: &[u8], is_special: impl Fn(u8) -> bool) -> bool {
    const AT_ONCE: usize = 32;
    let any = |block: &[u8; AT_ONCE]| {
        block
            .iter()
            .fold(false, |found, byte| found | is_special(*byte))
    };
    let (blocks, rest) = bytes.as_chunks::<AT_ONCE>();
    if blocks.iter().any(any) {
        return true;
    }
    // Pad the remaining bytes with spaces, which are never special.
    let mut last = [b' '; AT_ONCE];
    if let Some(start) = last.get_mut(..rest.len()) {
        start.copy_from_slice(rest);
    }
    any(&last)
}

const REPLACEMENT: &[u8] = "\u{fffd}".as_bytes();

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use xml::reader::{EventReader, XmlEvent};

    use super::*;

    fn written(value: &str) -> String {
        let mut out = DECLARATION.as_bytes().to_vec();
        element(&mut out, &tag!("a"), |out| text(out, value));
        String::from_utf8(out).expect("UTF-8")
    }

    fn read_back(document: &str) -> String {
        let mut read = String::new();
        for event in EventReader::from_str(document) {
            match event.unwrap_or_else(|error| panic!("{error} in {document:?}")) {
                XmlEvent::Characters(text) | XmlEvent::Whitespace(text) | XmlEvent::CData(text) => {
                    read.push_str(&text)
                }
                _ => {}
            }
        }
        read
    }

    /// The value after every character that XML forbids has been replaced with U+FFFD.
    fn expected(value: &str) -> String {
        let allowed = |c: char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
        value
            .chars()
            .map(|c| if allowed(c) { c } else { '\u{fffd}' })
            .collect()
    }

    #[test]
    fn escapes_markup() {
        assert_eq!(
            written("a<b>&\"c'\r\n\t]]>\u{1}\u{ffff}\u{7f}\u{85}"),
            format!(
                "{DECLARATION}<a>a&lt;b&gt;&amp;\"c'&#13;\n\t]]&gt;\u{fffd}\u{fffd}\u{7f}\u{85}</a>"
            )
        );
    }

    #[test]
    fn writes_an_element_without_content_as_one_tag() {
        assert_eq!(written(""), format!("{DECLARATION}<a/>"));
        let mut out = Vec::new();
        element(&mut out, &tag!("outer"), |out| {
            element(out, &tag!("inner"), |_| {})
        });
        assert_eq!(out, b"<outer><inner/></outer>");
    }

    proptest! {
        #[test]
        fn any_text_survives_an_independent_reader(value in any::<String>()) {
            prop_assert_eq!(read_back(&written(&value)), expected(&value));
        }

        #[test]
        fn awkward_characters_survive_an_independent_reader(
            value in proptest::collection::vec(
                proptest::sample::select(vec![
                    "<", ">", "&", "]]>", "\r", "\n", "\r\n", "\t", " ", "\"", "'", "\0", "\u{b}",
                    "\u{1f}", "\u{7f}", "\u{85}", "\u{2028}", "\u{fffd}", "\u{fffe}", "\u{ffff}",
                    "\u{10ffff}", "\u{feff}", "<![CDATA[", "&amp;", "&#13;", "Ж", "a",
                ]),
                0..40,
            ).prop_map(|parts| parts.concat())
        ) {
            prop_assert_eq!(read_back(&written(&value)), expected(&value));
        }
    }
}

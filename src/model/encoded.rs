//! The encoding of values in stored records. A value is stored as the text that responses contain,
//! so that rendering copies bytes instead of formatting.
//!
//! ```text
//! (length << 2 | form) as LEB128 | bytes
//! ```
//!
//! A value that consists of digits and `-`, `.`, `/`, `:`, `;` (a number, date or code) is packed
//! into half a byte per character. For any other value, the form says whether it may contain
//! characters that JSON or XML must escape. Rendering scans only the values that may.

use std::array;
use std::borrow::Cow;

/// First and last of the characters that fit into half a byte. A character is stored as the
/// difference from the first.
const FIRST: u8 = b'-';
const LAST: u8 = b';';

/// How a value is stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EncodedForm {
    /// Half a byte per character, the low half first.
    #[default]
    Halves,
    /// UTF-8 without characters that XML or JSON escapes.
    Plain,
    /// UTF-8 with quotation marks or backslashes, which only JSON escapes.
    Quoted,
    /// UTF-8 with any characters.
    Any,
}

/// For each byte, the narrowest form that may contain it, as a bit; 0 means
/// [`EncodedForm::Halves`].
const REQUIRED_FORM: [u8; 256] = {
    let mut required = [PLAIN; 256];
    let mut byte = 0;
    while byte < required.len() {
        required[byte] = match byte as u8 {
            FIRST..=LAST => 0,
            b'"' | b'\\' => QUOTED,
            // U+FFFE and U+FFFF, which XML forbids, start with 0xef.
            0..=0x1f | b'&' | b'<' | b'>' | 0xef => ANY,
            _ => PLAIN,
        };
        byte += 1;
    }
    required
};
const PLAIN: u8 = 1;
const QUOTED: u8 = 2;
const ANY: u8 = 4;

impl EncodedForm {
    fn new(text: &[u8]) -> Self {
        let form = text
            .iter()
            .fold(0, |form, byte| form | REQUIRED_FORM[usize::from(*byte)]);
        match form {
            0 => Self::Halves,
            PLAIN => Self::Plain,
            ANY.. => Self::Any,
            _ => Self::Quoted,
        }
    }
}

fn head_of(length: usize, form: EncodedForm) -> u64 {
    let form = match form {
        EncodedForm::Halves => 0,
        EncodedForm::Plain => 1,
        EncodedForm::Quoted => 2,
        EncodedForm::Any => 3,
    };
    (length as u64) << 2 | form
}

/// Appends a value.
pub fn encode_text(out: &mut Vec<u8>, text: &str) {
    encode_bytes(out, text.as_bytes());
}

/// Appends a value that is known to be UTF-8.
pub fn encode_bytes(out: &mut Vec<u8>, text: &[u8]) {
    let form = EncodedForm::new(text);
    encode_number(out, head_of(text.len(), form));
    match form {
        EncodedForm::Halves => {
            let half = |byte: &u8| byte - FIRST;
            let pairs = text.chunks(2);
            out.extend(pairs.map(|pair| half(&pair[0]) | pair.get(1).map_or(0, half) << 4));
        }
        _ => out.extend_from_slice(text),
    }
}

/// Appends a number in LEB128.
pub fn encode_number(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// A value in a stored record. The default is an empty value.
#[derive(Clone, Copy, Debug, Default)]
pub struct Encoded<'a> {
    /// The record from the value's first byte to the record's end.
    bytes: &'a [u8],
    /// Length of the text in bytes, and the form: `length << 2 | form`.
    head: u64,
}

impl<'a> Encoded<'a> {
    /// Makes a value from a text in which nothing needs escaping, such as a number.
    pub fn plain(text: &'a str) -> Self {
        Self {
            bytes: text.as_bytes(),
            head: head_of(text.len(), EncodedForm::Plain),
        }
    }

    #[inline(always)]
    pub fn form(self) -> EncodedForm {
        match self.head & 3 {
            0 => EncodedForm::Halves,
            1 => EncodedForm::Plain,
            2 => EncodedForm::Quoted,
            _ => EncodedForm::Any,
        }
    }

    /// Returns how many bytes of the record the value takes up.
    #[inline(always)]
    fn size(self) -> usize {
        let is_packed = self.head & 3 == 0;
        self.length() - if is_packed { self.length() / 2 } else { 0 }
    }

    /// Returns the length of the text in bytes.
    #[inline(always)]
    fn length(self) -> usize {
        (self.head >> 2) as usize
    }

    #[inline]
    pub fn is_empty(self) -> bool {
        self.length() == 0
    }

    /// Returns the text. Invalid UTF-8, which only a damaged record contains, becomes U+FFFD.
    pub fn text(self) -> Cow<'a, str> {
        if self.form() == EncodedForm::Halves {
            let mut out = Vec::new();
            self.write_to(&mut out);
            Cow::Owned(String::from_utf8_lossy(&out).into_owned())
        } else {
            String::from_utf8_lossy(self.bytes())
        }
    }

    /// Returns the bytes of the text, or nothing if the value is packed ([`EncodedForm::Halves`]).
    #[inline]
    pub fn bytes(self) -> &'a [u8] {
        match self.form() {
            EncodedForm::Halves => &[],
            // In bounds, because [`EncodedValues::value`] checked the length.
            _ => &self.bytes[..self.length()],
        }
    }

    /// Appends the text without escaping. Only short texts, which are the usual ones, are copied
    /// inline.
    #[inline(always)]
    pub fn write_to(self, out: &mut Vec<u8>) {
        let length = self.length();
        let end = out.len() + length;
        match self.form() {
            EncodedForm::Halves
                if length <= 16
                    && let Some(packed) = self.bytes.first_chunk::<8>() =>
            {
                out.extend_from_slice(unpacked(packed).as_flattened());
                out.truncate(end);
            }
            EncodedForm::Halves => self.write_halves_to(out),
            // Copying a fixed 64 bytes and truncating is several times cheaper than copying a
            // variable number of bytes.
            _ if length <= 64
                && let Some(head) = self.bytes.first_chunk::<64>() =>
            {
                out.extend_from_slice(head);
                out.truncate(end);
            }
            _ => self.write_bytes_to(out),
        }
    }

    #[inline(never)]
    fn write_halves_to(self, out: &mut Vec<u8>) {
        let end = out.len() + self.length();
        let mut bytes = self.bytes;
        while out.len() < end {
            let (packed, rest) = next_packed(bytes);
            out.extend_from_slice(unpacked(&packed).as_flattened());
            bytes = rest;
        }
        out.truncate(end);
    }

    #[inline(never)]
    fn write_bytes_to(self, out: &mut Vec<u8>) {
        out.extend_from_slice(self.bytes());
    }
}

#[inline(always)]
fn next_packed(bytes: &[u8]) -> ([u8; 16], &[u8]) {
    match bytes.split_first_chunk() {
        Some((packed, rest)) => (*packed, rest),
        None => (last_packed(bytes), &[]),
    }
}

#[cold]
fn last_packed(bytes: &[u8]) -> [u8; 16] {
    let mut packed = [0; 16];
    for (to, from) in packed.iter_mut().zip(bytes) {
        *to = *from;
    }
    packed
}

/// Unpacks each byte into two characters. The compiler turns this into a few vector instructions,
/// unlike most other ways of writing it.
#[inline(always)]
fn unpacked<const N: usize>(packed: &[u8; N]) -> [[u8; 2]; N] {
    array::from_fn(|at| [(packed[at] & 0xf) + FIRST, (packed[at] >> 4) + FIRST])
}

/// Reads the values of a record one after another.
#[derive(Clone, Copy, Debug, Default)]
pub struct EncodedValues<'a> {
    bytes: &'a [u8],
}

impl<'a> EncodedValues<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    pub fn rest(&self) -> &'a [u8] {
        self.bytes
    }

    /// Returns whether all input has been consumed.
    pub fn is_at_end(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Reads a number. Returns `None` at the end of the record, or if the number has more than 56
    /// bits.
    #[inline(always)]
    pub fn number(&mut self) -> Option<u64> {
        let (&first, rest) = self.bytes.split_first()?;
        if first < 0x80 {
            self.bytes = rest;
            return Some(first.into());
        }
        // The head of a text of 32 bytes or more has two bytes.
        if let Some((&second, rest)) = rest.split_first()
            && second < 0x80
        {
            self.bytes = rest;
            return Some(u64::from(first & 0x7f) | u64::from(second) << 7);
        }
        self.long_number()
    }

    fn long_number(&mut self) -> Option<u64> {
        let mut value = 0;
        for (place, byte) in self.bytes.iter().enumerate().take(8) {
            value |= u64::from(byte & 0x7f) << (7 * place);
            if *byte < 0x80 {
                self.bytes = &self.bytes[place + 1..];
                return Some(value);
            }
        }
        None
    }

    /// Reads the next value. Returns `None` at the end of the record, or if the record is damaged.
    #[inline(always)]
    pub fn value(&mut self) -> Option<Encoded<'a>> {
        let value = Encoded {
            head: self.number()?,
            bytes: self.bytes,
        };
        self.bytes = value.bytes.get(value.size()..)?;
        Some(value)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(text: &str, form: EncodedForm) {
        let mut bytes = Vec::new();
        encode_text(&mut bytes, text);
        for behind in [0, 5, 20] {
            let bytes = [bytes.clone(), vec![b'!'; behind]].concat();
            let mut values = EncodedValues::new(&bytes);
            let value = values.value().expect("a value");
            assert_eq!((value.form(), value.text().as_ref()), (form, text));
            assert_eq!(value.is_empty(), text.is_empty());
            let mut out = b"before".to_vec();
            value.write_to(&mut out);
            assert_eq!(out, [b"before", text.as_bytes()].concat());
            assert_eq!(values.bytes.len(), behind);
        }
    }

    #[test]
    fn the_encoding_of_a_value_follows_from_its_characters() {
        for text in [
            "",
            "0",
            "-1",
            "772465.68",
            "2026-01-31",
            "26.20.17.110-00000007",
            "251770989550961674300100288850000244",
            "1/2:3;4",
        ] {
            check(text, EncodedForm::Halves);
        }
        for text in ["a", "ООО «НОВОСТРОЙ»", "1,5", "<".trim_start_matches('<')] {
            let form = if text.is_empty() {
                EncodedForm::Halves
            } else {
                EncodedForm::Plain
            };
            check(text, form);
        }
        check("ООО \"НОВОСТРОЙ\"", EncodedForm::Quoted);
        check("a\\b", EncodedForm::Quoted);
        for text in [
            "a&b", "<", ">", "\n", "\u{1}", "\u{ffff}", "\u{feff}", "\"&\"",
        ] {
            check(text, EncodedForm::Any);
        }
    }

    proptest! {
        #[test]
        fn any_texts_round_trip(texts in proptest::collection::vec(".{0,40}|[-./0-9:;]{0,40}", 0..8)) {
            let mut bytes = Vec::new();
            for text in &texts {
                encode_text(&mut bytes, text);
            }
            let mut values = EncodedValues::new(&bytes);
            for text in &texts {
                let value = values.value().expect("a value");
                let mut out = Vec::new();
                value.write_to(&mut out);
                prop_assert_eq!(&out, text.as_bytes());
                prop_assert_eq!(value.text(), text.as_str());
            }
            prop_assert!(values.is_at_end());
        }

        #[test]
        fn any_bytes_are_decoded_or_refused(bytes in any::<Vec<u8>>()) {
            let mut values = EncodedValues::new(&bytes);
            let mut out = Vec::new();
            while let Some(value) = values.value() {
                value.write_to(&mut out);
                value.text();
            }
            while values.number().is_some() {}
        }
    }
}

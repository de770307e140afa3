//! A line of JSON scanned once: a flat list of its values, each with its position in the
//! text; an object's members and an array's elements follow it.
//!
//! The scan accepts exactly JSON; for a text that it rejects, serde_json reports the error.

use std::cell::Cell;

/// The kind of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueKind {
    /// `{…}`
    Object,
    /// `[…]`
    Array,
    /// `"…"`, without a backslash.
    Plain,
    /// `"…"`, with escapes, whose form alone was checked.
    Escaped,
    /// A number.
    Number,
    /// `true` or `false`.
    Flag,
    /// `null`
    Null,
}

/// A value and, if it is a member, its name.
#[derive(Debug)]
pub struct TapeValue {
    /// What it is.
    pub kind: ValueKind,
    /// Does the name have escapes?
    pub name_is_escaped: bool,
    /// Has it been read?
    pub is_read: Cell<bool>,
    /// The position of the value in the text.
    start: u32,
    end: u32,
    /// The same for the name with its quotes; empty if it is not a member.
    name_start: u32,
    name_end: u32,
    /// The index of the value after it and its contents.
    next: u32,
}

/// A text and its values.
#[derive(Debug)]
pub struct Tape<'a> {
    text: &'a str,
    values: Vec<TapeValue>,
}

impl<'a> Tape<'a> {
    /// The values of a text; none if it is not JSON.
    pub fn scan(text: &'a str) -> Option<Self> {
        // So that positions fit.
        u32::try_from(text.len()).ok()?;
        let mut scan = Scan {
            bytes: text.as_bytes(),
            at: 0,
            values: Vec::with_capacity(text.len() / 24 + 1),
            open: Vec::new(),
        };
        scan.all()?;
        let values = scan.values;
        Some(Self { text, values })
    }

    /// The value at an index; the first is the whole text.
    pub fn value(&self, place: usize) -> Option<&TapeValue> {
        self.values.get(place)
    }

    /// The text of a value.
    pub fn text(&self, value: &TapeValue) -> &'a str {
        let (start, end) = (value.start as usize, value.end as usize);
        self.text.get(start..end).unwrap_or_default()
    }

    /// The name of a member as it is written, with its quotes.
    pub fn quoted_name(&self, value: &TapeValue) -> &'a str {
        let (start, end) = (value.name_start as usize, value.name_end as usize);
        self.text.get(start..end).unwrap_or_default()
    }

    /// The index after the value at `place` and its contents.
    pub fn end_of(&self, place: usize) -> usize {
        self.values
            .get(place)
            .map_or(0, |value| value.next as usize)
    }

    /// The indexes of the direct members or elements of the value at `place`.
    pub fn within(&self, place: usize) -> impl Iterator<Item = usize> {
        let end = self.end_of(place);
        let after = |place: &usize| self.values.get(*place).map(|value| value.next as usize);
        std::iter::successors(Some(place + 1), after).take_while(move |place| *place < end)
    }
}

struct Scan<'a> {
    bytes: &'a [u8],
    at: usize,
    values: Vec<TapeValue>,
    /// The indexes of the open objects and arrays.
    open: Vec<usize>,
}

impl Scan<'_> {
    /// Scans the whole text, which must be one value.
    fn all(&mut self) -> Option<()> {
        let mut name = (0, 0, false);
        loop {
            self.skip_space();
            let start = self.at;
            let kind = self.value()?;
            self.values.push(TapeValue {
                kind,
                name_is_escaped: name.2,
                is_read: Cell::new(false),
                start: start as u32,
                end: self.at as u32,
                name_start: name.0,
                name_end: name.1,
                next: self.values.len() as u32 + 1,
            });
            let mut is_empty = false;
            if let ValueKind::Object | ValueKind::Array = kind {
                self.open.push(self.values.len() - 1);
                self.skip_space();
                is_empty = matches!(self.peek(), Some(b'}' | b']'));
                if !is_empty {
                    name = self.name_within(kind)?;
                    continue;
                }
            }
            match self.go_on(is_empty)? {
                Some(container) => name = self.name_within(container)?,
                None => return Some(()),
            }
        }
    }

    /// Skips what ends after a value. Returns the container of the next one; none at the
    /// end of the text.
    fn go_on(&mut self, mut is_empty: bool) -> Option<Option<ValueKind>> {
        loop {
            self.skip_space();
            let Some(&open) = self.open.last() else {
                return (self.at == self.bytes.len()).then_some(None);
            };
            let next = self.values.len() as u32;
            let container = self.values.get_mut(open)?;
            match (self.bytes.get(self.at)?, container.kind) {
                (b',', kind) if !is_empty => {
                    self.at += 1;
                    self.skip_space();
                    return Some(Some(kind));
                }
                (b'}', ValueKind::Object) | (b']', ValueKind::Array) => {
                    self.at += 1;
                    container.end = self.at as u32;
                    container.next = next;
                    self.open.pop();
                    is_empty = false;
                }
                _ => return None,
            }
        }
    }

    /// Scans the next member's name and the colon, if this is an object.
    fn name_within(&mut self, container: ValueKind) -> Option<(u32, u32, bool)> {
        if container == ValueKind::Array {
            return Some((0, 0, false));
        }
        let start = self.at;
        self.expect(b'"')?;
        let kind = self.string()?;
        let end = self.at;
        self.skip_space();
        self.expect(b':')?;
        Some((start as u32, end as u32, kind == ValueKind::Escaped))
    }

    /// Skips a value, or its opening bracket.
    fn value(&mut self) -> Option<ValueKind> {
        let first = self.peek()?;
        self.at += 1;
        match first {
            b'{' => Some(ValueKind::Object),
            b'[' => Some(ValueKind::Array),
            b'"' => self.string(),
            b'-' | b'0'..=b'9' => {
                self.at -= 1;
                self.number()
            }
            b't' => self.rest(b"rue", ValueKind::Flag),
            b'f' => self.rest(b"alse", ValueKind::Flag),
            b'n' => self.rest(b"ull", ValueKind::Null),
            _ => None,
        }
    }

    fn rest(&mut self, rest: &[u8], kind: ValueKind) -> Option<ValueKind> {
        let end = self.at + rest.len();
        let is_there = self.bytes.get(self.at..end)? == rest;
        self.at = end;
        is_there.then_some(kind)
    }

    /// Skips to after the quote that ends a string.
    fn string(&mut self) -> Option<ValueKind> {
        let mut kind = ValueKind::Plain;
        loop {
            self.at += plain_length(self.bytes.get(self.at..)?);
            match self.peek()? {
                b'"' => {
                    self.at += 1;
                    return Some(kind);
                }
                b'\\' => {
                    kind = ValueKind::Escaped;
                    self.at += self.escape_length()?;
                }
                // A control character.
                _ => return None,
            }
        }
    }

    fn escape_length(&self) -> Option<usize> {
        let escape = self.bytes.get(self.at + 1..)?;
        match escape.first()? {
            b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Some(2),
            b'u' => {
                let digits = escape.get(1..5)?;
                digits.iter().all(u8::is_ascii_hexdigit).then_some(6)
            }
            _ => None,
        }
    }

    fn number(&mut self) -> Option<ValueKind> {
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        match self.peek()? {
            b'0' => self.at += 1,
            _ => self.digits()?,
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.peek() {
            self.at += 1;
            if let Some(b'+' | b'-') = self.peek() {
                self.at += 1;
            }
            self.digits()?;
        }
        Some(ValueKind::Number)
    }

    /// Skips digits, of which there must be at least one.
    fn digits(&mut self) -> Option<()> {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        (self.at > start).then_some(())
    }

    fn expect(&mut self, byte: u8) -> Option<()> {
        let is_there = self.peek() == Some(byte);
        self.at += 1;
        is_there.then_some(())
    }

    fn skip_space(&mut self) {
        while let Some(b' ' | b'\t' | b'\r' | b'\n') = self.peek() {
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }
}

/// The number of bytes before the first quote, backslash or control character.
fn plain_length(bytes: &[u8]) -> usize {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const HIGH: u64 = u64::from_ne_bytes([0x80; 8]);
    // Eight bytes at a time: the high bit is set in at least the first byte that ends it
    // (after "Bit Twiddling Hacks", "Determine if a word has a byte less than n").
    let less = |word: u64, n: u8| word.wrapping_sub(ONES * u64::from(n)) & !word & HIGH;
    let is = |word: u64, byte: u8| less(word ^ (ONES * u64::from(byte)), 1);
    let (words, rest) = bytes.as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        let ends = less(word, 0x20) | is(word, b'"') | is(word, b'\\');
        if ends != 0 {
            return index * 8 + ends.trailing_zeros() as usize / 8;
        }
    }
    let ends = |byte: &u8| matches!(byte, ..0x20 | b'"' | b'\\');
    let length = rest.iter().position(ends).unwrap_or(rest.len());
    words.len() * 8 + length
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::value::RawValue;

    #[test]
    fn values_are_found_with_their_names_and_what_is_within_them() {
        let tape = Tape::scan(r#" {"a" : [1,{"b":null} , []],"c\n":{},"d":"x\"y"} "#);
        let tape = tape.expect("JSON");
        let shown = |place: usize| {
            let value = tape.value(place).expect("a value");
            (tape.quoted_name(value), tape.text(value))
        };
        let within = |place| tape.within(place).map(shown).collect::<Vec<_>>();
        assert_eq!(
            within(0),
            [
                ("\"a\"", "[1,{\"b\":null} , []]"),
                ("\"c\\n\"", "{}"),
                ("\"d\"", r#""x\"y""#)
            ]
        );
        assert_eq!(within(1), [("", "1"), ("", "{\"b\":null}"), ("", "[]")]);
        assert_eq!(within(3), [("\"b\"", "null")]);
        assert!(within(5).is_empty() && within(6).is_empty());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        /// Texts of JSON tokens, valid and invalid.
        #[test]
        fn it_takes_what_serde_json_takes(
            parts in prop::collection::vec(
                prop::sample::select(vec![
                    "{", "}", "[", "]", ",", ":", "\"a\"", "\"", "\\", "\\u00e9", "\\ud800",
                    "\"b\\\"\"", "1", "-", "0", ".5", "e+1", "1.5E-3", "true", "false", "null",
                    " ", "\t", "\u{1}", "Закупка для нужд", "{\"a\":1}", "[1,2]", "nul",
                ]),
                0..12,
            ),
        ) {
            let text = parts.concat();
            let taken = serde_json::from_str::<&RawValue>(&text);
            let tape = Tape::scan(&text);
            prop_assert_eq!(taken.is_ok(), tape.is_some(), "{}", text);
            if let (Ok(raw), Some(tape)) = (taken, tape) {
                let whole = tape.value(0).map(|value| tape.text(value));
                prop_assert_eq!(whole, Some(raw.get()));
            }
        }
    }
}

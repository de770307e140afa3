//! A writer of JSON into bytes that are kept from line to line.

use std::io::Write as _;

use crate::model::Date;

/// The line being written.
#[derive(Debug, Default)]
pub struct JsonLine(Vec<u8>);

impl JsonLine {
    /// What is written.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// Writes a line of a type, in place of the one before.
    pub fn line(&mut self, kind: &str, fields: impl FnOnce(&mut Self)) {
        self.0.clear();
        self.0.push(b'{');
        self.text("type", kind);
        fields(self);
        self.0.extend(b"}\n");
    }

    fn comma(&mut self) {
        if !matches!(self.0.last(), Some(b'{' | b'[')) {
            self.0.push(b',');
        }
    }

    fn name(&mut self, name: &str) {
        self.comma();
        self.0.push(b'"');
        self.0.extend(name.as_bytes());
        self.0.extend(b"\":");
    }

    fn string(&mut self, text: &str) {
        self.0.push(b'"');
        let mut rest = text.as_bytes();
        while let Some(at) = rest
            .iter()
            .position(|byte| matches!(byte, b'"' | b'\\' | ..0x20))
        {
            self.0.extend(&rest[..at]);
            match rest[at] {
                b'\n' => self.0.extend(b"\\n"),
                byte @ (b'"' | b'\\') => self.0.extend([b'\\', byte]),
                _ => self.0.push(b' '),
            }
            rest = &rest[at + 1..];
        }
        self.0.extend(rest);
        self.0.push(b'"');
    }

    /// A text; an empty one is `null`.
    pub fn text(&mut self, name: &str, text: impl AsRef<str>) {
        self.name(name);
        match text.as_ref() {
            "" => self.0.extend(b"null"),
            text => self.string(text),
        }
    }

    /// A text, or `null` where there is none.
    pub fn optional(&mut self, name: &str, text: Option<impl AsRef<str>>) {
        self.text(name, text.as_ref().map_or("", AsRef::as_ref));
    }

    /// No value.
    pub fn none(&mut self, name: &str) {
        self.text(name, "");
    }

    /// A whole number.
    pub fn number(&mut self, name: &str, number: u64) {
        self.name(name);
        let _ = write!(self.0, "{number}");
    }

    /// True or false.
    pub fn flag(&mut self, name: &str, flag: bool) {
        self.name(name);
        self.0.extend(if flag { &b"true"[..] } else { b"false" });
    }

    /// An amount in kopecks, as roubles.
    pub fn amount(&mut self, name: &str, kopecks: impl Into<Option<u64>>) {
        self.name(name);
        match kopecks.into() {
            None => self.0.extend(b"null"),
            Some(kopecks) => roubles(&mut self.0, kopecks),
        }
    }

    /// An amount in kopecks with more digits after them.
    pub fn long_amount(&mut self, name: &str, kopecks: u64, more: u64) {
        self.name(name);
        let _ = write!(self.0, "{}.{:02}{more:09}1", kopecks / 100, kopecks % 100);
    }

    /// An amount in kopecks, as a text with two digits after the point.
    pub fn amount_text(&mut self, name: &str, kopecks: u64) {
        self.name(name);
        let _ = write!(self.0, "\"{}.{:02}\"", kopecks / 100, kopecks % 100);
    }

    /// A day as `YYYY-MM-DD`.
    pub fn day(&mut self, name: &str, day: Option<Date>) {
        self.ascii(name, day.map(Date::iso));
    }

    /// A day as `DD.MM.YYYY`.
    pub fn dotted(&mut self, name: &str, day: Option<Date>) {
        self.ascii(name, day.map(Date::dotted));
    }

    /// Ten characters that need no escape.
    fn ascii(&mut self, name: &str, text: Option<[u8; 10]>) {
        self.name(name);
        match text {
            None => self.0.extend(b"null"),
            Some(text) => {
                self.0.push(b'"');
                self.0.extend(text);
                self.0.push(b'"');
            }
        }
    }

    /// A moment as `DD.MM.YYYY HH:MM`; the time is minutes after midnight.
    pub fn moment(&mut self, name: &str, moment: Option<(Date, u64)>) {
        let Some((day, minutes)) = moment else {
            return self.none(name);
        };
        self.dotted(name, Some(day));
        self.0.pop();
        // Writing into memory does not fail.
        let _ = write!(self.0, " {:02}:{:02}\"", minutes / 60, minutes % 60);
    }

    /// An object, by its fields.
    pub fn object(&mut self, name: &str, fields: impl FnOnce(&mut Self)) {
        self.name(name);
        self.0.push(b'{');
        fields(self);
        self.0.push(b'}');
    }

    /// A list of objects.
    pub fn list<T>(
        &mut self,
        name: &str,
        items: impl IntoIterator<Item = T>,
        mut each: impl FnMut(&mut Self, T),
    ) {
        self.name(name);
        self.0.push(b'[');
        for item in items {
            self.comma();
            self.0.push(b'{');
            each(self, item);
            self.0.push(b'}');
        }
        self.0.push(b']');
    }

    /// A list as cards have it: an object whose one field is the list, as in `lots/lot`.
    pub fn items<T>(
        &mut self,
        path: &str,
        items: impl IntoIterator<Item = T>,
        each: impl FnMut(&mut Self, T),
    ) {
        let (name, item) = path.split_once('/').unwrap_or((path, path));
        self.object(name, |json| json.list(item, items, each));
    }

    /// Texts by their names.
    pub fn texts<const N: usize>(&mut self, names: [&str; N], texts: [impl AsRef<str>; N]) {
        for (name, text) in names.into_iter().zip(texts) {
            self.text(name, text);
        }
    }
}

/// Kopecks as roubles, without zeros at the end.
fn roubles(out: &mut Vec<u8>, kopecks: u64) {
    let (whole, part) = (kopecks / 100, kopecks % 100);
    let _ = match part {
        0 => write!(out, "{whole}"),
        part if part % 10 == 0 => write!(out, "{whole}.{}", part / 10),
        part => write!(out, "{whole}.{part:02}"),
    };
}

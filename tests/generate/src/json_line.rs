//! A writer of JSON into a buffer that is reused from line to line.

use std::fmt::Display;
use std::io::Write as _;

use super::calendar::{Date, dotted};

/// The line being written.
#[derive(Default)]
pub struct JsonLine(Vec<u8>);

impl JsonLine {
    /// The line with its end.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// Writes a line of a type, replacing the previous one.
    pub fn line(&mut self, kind: &str, fields: impl FnOnce(&mut Self)) {
        self.0.clear();
        self.0.push(b'{');
        self.text("type", kind);
        fields(self);
        self.0.extend(b"}\n");
    }

    /// The same for the card of a purchase.
    pub fn card(&mut self, kind: &str, fields: impl FnOnce(&mut Self)) {
        self.line(kind, |json| json.object("purchase", fields));
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

    /// A text; an empty one is `null`.
    pub fn text(&mut self, name: &str, text: impl AsRef<str>) {
        self.name(name);
        match text.as_ref() {
            "" => self.0.extend(b"null"),
            text => drop(serde_json::to_writer(&mut self.0, text)),
        }
    }

    /// A text, or `null` if there is none.
    pub fn optional(&mut self, name: &str, text: Option<impl AsRef<str>>) {
        self.text(name, text.as_ref().map_or("", AsRef::as_ref));
    }

    /// No value.
    pub fn none(&mut self, name: &str) {
        self.text(name, "");
    }

    /// A number, or true or false.
    pub fn value(&mut self, name: &str, value: impl Display) {
        self.name(name);
        // Writing into memory does not fail.
        let _ = write!(self.0, "{value}");
    }

    /// True or false, or `null` where the document states neither.
    pub fn flag(&mut self, name: &str, flag: Option<bool>) {
        match flag {
            Some(flag) => self.value(name, flag),
            None => self.none(name),
        }
    }

    /// An amount in kopecks, as roubles without trailing zeros.
    pub fn amount(&mut self, name: &str, kopecks: impl Into<Option<u64>>) {
        let Some(kopecks) = kopecks.into() else {
            return self.none(name);
        };
        let (whole, part) = (kopecks / 100, kopecks % 100);
        match part {
            0 => self.value(name, whole),
            _ if part % 10 == 0 => self.value(name, format_args!("{whole}.{}", part / 10)),
            _ => self.value(name, format_args!("{whole}.{part:02}")),
        }
    }

    /// A day as `YYYY-MM-DD`.
    pub fn day(&mut self, name: &str, day: Option<Date>) {
        self.optional(name, day.map(|day| day.to_string()));
    }

    /// A day as `DD.MM.YYYY`.
    pub fn dotted(&mut self, name: &str, day: Option<Date>) {
        self.optional(name, day.map(dotted));
    }

    /// A moment as `DD.MM.YYYY HH:MM`; the time is minutes after midnight.
    pub fn moment(&mut self, name: &str, moment: Option<(Date, u64)>) {
        let time = |minutes: u64| format!("{:02}:{:02}", minutes / 60, minutes % 60);
        let moment = moment.map(|(day, minutes)| format!("{} {}", dotted(day), time(minutes)));
        self.optional(name, moment);
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

    /// A list in the form of cards: an object whose one field is the list, as in
    /// `lots/lot`.
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

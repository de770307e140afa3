//! Writes JSON Lines into a reusable buffer.

use std::fmt::Display;
use std::io::Write as _;

use super::calendar::{Date, dotted};

#[derive(Default)]
pub struct JsonLine(Vec<u8>);

impl JsonLine {
    /// The line, including the newline.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// Replaces the line in the buffer with one of this type.
    pub fn line(&mut self, kind: &str, fields: impl FnOnce(&mut Self)) {
        self.0.clear();
        self.0.push(b'{');
        self.text("type", kind);
        fields(self);
        self.0.extend(b"}\n");
    }

    /// Replaces the line in the buffer with a purchase card of this type.
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

    /// Writes a string, or `null` if it is empty.
    pub fn text(&mut self, name: &str, text: impl AsRef<str>) {
        self.name(name);
        match text.as_ref() {
            "" => self.0.extend(b"null"),
            text => drop(serde_json::to_writer(&mut self.0, text)),
        }
    }

    /// Writes a string, or `null` for `None`.
    pub fn optional(&mut self, name: &str, text: Option<impl AsRef<str>>) {
        self.text(name, text.as_ref().map_or("", AsRef::as_ref));
    }

    pub fn null(&mut self, name: &str) {
        self.text(name, "");
    }

    /// Writes a number, `true` or `false`.
    pub fn value(&mut self, name: &str, value: impl Display) {
        self.name(name);
        // Writing to memory cannot fail.
        let _ = write!(self.0, "{value}");
    }

    /// Writes `true`, `false`, or `null` for `None`.
    pub fn flag(&mut self, name: &str, flag: Option<bool>) {
        match flag {
            Some(flag) => self.value(name, flag),
            None => self.null(name),
        }
    }

    /// Writes an amount in kopecks as roubles, without trailing zeros.
    pub fn amount(&mut self, name: &str, kopecks: impl Into<Option<u64>>) {
        let Some(kopecks) = kopecks.into() else {
            return self.null(name);
        };
        let (whole, part) = (kopecks / 100, kopecks % 100);
        match part {
            0 => self.value(name, whole),
            _ if part % 10 == 0 => self.value(name, format_args!("{whole}.{}", part / 10)),
            _ => self.value(name, format_args!("{whole}.{part:02}")),
        }
    }

    /// Writes a day as `YYYY-MM-DD`.
    pub fn day(&mut self, name: &str, day: Option<Date>) {
        self.optional(name, day.map(|day| day.to_string()));
    }

    pub fn dotted(&mut self, name: &str, day: Option<Date>) {
        self.optional(name, day.map(dotted));
    }

    /// Writes a day and minutes after midnight as `DD.MM.YYYY HH:MM`.
    pub fn moment(&mut self, name: &str, moment: Option<(Date, u64)>) {
        let time = |minutes: u64| format!("{:02}:{:02}", minutes / 60, minutes % 60);
        let moment = moment.map(|(day, minutes)| format!("{} {}", dotted(day), time(minutes)));
        self.optional(name, moment);
    }

    pub fn object(&mut self, name: &str, fields: impl FnOnce(&mut Self)) {
        self.name(name);
        self.0.push(b'{');
        fields(self);
        self.0.push(b'}');
    }

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

    /// Writes a list in the form that cards use: an object with the list as its only field. `path`
    /// names both, as in `lots/lot`.
    pub fn items<T>(
        &mut self,
        path: &str,
        items: impl IntoIterator<Item = T>,
        each: impl FnMut(&mut Self, T),
    ) {
        let (name, item) = path.split_once('/').unwrap_or((path, path));
        self.object(name, |json| json.list(item, items, each));
    }

    /// Writes each string under the name at the same position.
    pub fn texts<const N: usize>(&mut self, names: [&str; N], texts: [impl AsRef<str>; N]) {
        for (name, text) in names.into_iter().zip(texts) {
            self.text(name, text);
        }
    }
}

//! Where values come from: the interface that readers of documents are written to.
//!
//! A reader names each field that it fills and the paths where documents have it, once. It
//! is run over two implementations: [`Place`] reads a document, and knows where it stands,
//! so that errors have line and column; [`Listing`](super::listing::Listing) notes what is
//! read from where, which becomes the manual's table "where each field comes from" and is
//! compared with the official schemas. In a list nothing has a value and everything is there
//! once: a reader looks into every place that way if it leaves reading to these methods, and
//! takes the next path where the one before has nothing.
//!
//! A path is names separated by slashes, by local name. `Info*` and `*Info` are the names
//! that begin and end so, `//` is any depth. Of several paths the first that has a text
//! counts.

use std::fmt;

use super::element::Element;
use super::party::{self, PartyFields};
use super::value;
use crate::model::{Amount, CardSupplier, Date, Moment, PurchaseNumber, Regime, is_rouble};

/// What reading returns.
pub type Result<T> = std::result::Result<T, ReadError>;

/// The name of the field of an answer that a value goes to or decides about, as it is on
/// the wire, or one of the four below.
pub type Field = &'static str;

/// The number that a document is about.
pub const NUMBER: Field = "(number)";

/// What of its subject a document is about: the number of a protocol, of a lot, an id.
pub const KEY: Field = "(key)";

/// The version by which the newest document is chosen.
pub const VERSION: Field = "(version)";

/// When it was published, which decides between equal versions.
pub const PUBLISHED: Field = "(published)";

/// Places where a value may stand.
pub type Paths<'p> = &'p [&'p str];

/// A part of a document, or of a list of what documents have.
pub trait Source<'e>: Clone {
    /// The local name of its element.
    fn name(&self) -> &'e str;

    /// The first of `paths` that has a text, as `read` understands it; the error is what the
    /// text should have been.
    ///
    /// # Errors
    /// The text that `read` refuses, with its place.
    fn value<T>(
        &self,
        field: Field,
        paths: Paths<'_>,
        read: impl FnOnce(&'e str) -> std::result::Result<T, &'static str>,
    ) -> Result<Option<T>>;

    /// The first text at any of `paths`, without the white space around it; empty if there
    /// is none.
    fn text(&self, field: Field, paths: Paths<'_>) -> &'e str;

    /// The first text at any of `paths`, with its white space.
    fn words(&self, field: Field, paths: Paths<'_>) -> &'e str;

    /// The first element that there is at any of `paths`; a list always has one.
    fn first(&self, paths: Paths<'_>) -> Option<Self>;

    /// The elements at `paths`, those of the first path first; a list has one.
    fn all(&self, paths: Paths<'_>) -> Vec<Self>;

    /// The first element at any of `paths`, else this one.
    fn within(&self, paths: Paths<'_>) -> Self;

    /// Is there an element at `path`, with or without a text?
    fn has(&self, field: Field, path: &str) -> bool;

    /// The party that this stands for (see [`super::party`]).
    fn party(&self, fields: PartyFields) -> CardSupplier;

    /// Is `expected` the first text at any of `paths`? In a list it is.
    fn says(&self, field: Field, paths: Paths<'_>, expected: &str) -> bool;

    /// What `read` returns of the first element at any depth of which it returns something;
    /// `path` is how a list names these.
    fn find<T>(
        &self,
        field: Field,
        path: &str,
        read: impl Fn(&Element<'_>) -> Option<T>,
    ) -> Option<T>;

    /// How many elements there are at `path`.
    fn number_of(&self, field: Field, path: &str) -> u64;

    /// The value that a reader cannot go on without; a list goes on with `example`.
    ///
    /// # Errors
    /// It is missing.
    fn needed<T>(
        &self,
        value: Option<T>,
        path: &str,
        example: impl FnOnce() -> Option<T>,
    ) -> Result<T>;

    /// An error about what is here.
    fn error(&self, what: impl Into<String>) -> ReadError;

    /// The amount at the first of `paths` that has one. Real documents have numbers in
    /// exponent form.
    ///
    /// # Errors
    /// It is not a decimal number, or has too many digits.
    fn amount(&self, field: Field, paths: Paths<'_>) -> Result<Option<Amount>> {
        self.value(field, paths, value::amount)
    }

    /// The calendar day, as written, whatever time and zone follow it (the manual,
    /// Fields, "Dates and times as written").
    ///
    /// # Errors
    /// It is not a date.
    fn day(&self, field: Field, paths: Paths<'_>) -> Result<Option<Date>> {
        self.value(field, paths, value::day)
    }

    /// The day, with its hour and minute if it has them, all as written.
    ///
    /// # Errors
    /// It is not a date, or not one with a time.
    fn moment(&self, field: Field, paths: Paths<'_>) -> Result<Option<Moment>> {
        self.value(field, paths, value::moment)
    }

    /// The instant, an `xs:dateTime` or `xs:date`, in milliseconds since 1970; without a
    /// zone it is in Moscow time. 0 if there is none.
    ///
    /// # Errors
    /// It is neither.
    fn instant(&self, field: Field, paths: Paths<'_>) -> Result<i64> {
        self.value(field, paths, value::instant)
            .map(Option::unwrap_or_default)
    }

    /// The whole number, which may be negative.
    ///
    /// # Errors
    /// It is not one.
    fn whole(&self, field: Field, paths: Paths<'_>) -> Result<Option<i64>> {
        self.value(field, paths, |text| {
            text.parse().map_err(|_| "a whole number")
        })
    }

    /// The number, from 0 on.
    ///
    /// # Errors
    /// It is not one.
    fn count(&self, field: Field, paths: Paths<'_>) -> Result<Option<u64>> {
        self.value(field, paths, |text| {
            text.parse().map_err(|_| "a whole number from 0 on")
        })
    }

    /// The flag, if it is stated.
    ///
    /// # Errors
    /// It is neither true nor false.
    fn stated_flag(&self, field: Field, paths: Paths<'_>) -> Result<Option<bool>> {
        self.value(field, paths, value::flag)
    }

    /// The flag; false if it is not stated.
    ///
    /// # Errors
    /// It is neither true nor false.
    fn flag(&self, field: Field, paths: Paths<'_>) -> Result<bool> {
        self.stated_flag(field, paths)
            .map(Option::unwrap_or_default)
    }

    /// The version; 0 if there is none.
    ///
    /// # Errors
    /// It is not a whole number.
    fn version(&self, paths: Paths<'_>) -> Result<i64> {
        self.whole(VERSION, paths).map(Option::unwrap_or_default)
    }

    /// The text, which must be there.
    ///
    /// # Errors
    /// It is not.
    fn required(&self, field: Field, paths: Paths<'_>) -> Result<&'e str> {
        let text = self.text(field, paths);
        let there = Some(text).filter(|text| !text.is_empty());
        self.needed(there, element_of(paths), || Some(""))
    }

    /// The purchase that the document is about.
    ///
    /// # Errors
    /// It is missing, or not a number of `regime`.
    fn purchase_number(&self, paths: Paths<'_>, regime: Regime) -> Result<PurchaseNumber> {
        let number = self.value(NUMBER, paths, |text| {
            let number = PurchaseNumber::parse(text);
            let own = number.filter(|number| number.regime() == regime);
            own.ok_or(match regime {
                Regime::Fz44 => "a number of 44-FZ, of 19 digits",
                Regime::Fz223 => "a number of 223-FZ, of 11 digits, the first a 3",
                Regime::Pp615 => "a number of PP-615, of 18 digits",
            })
        })?;
        self.needed(number, element_of(paths), || {
            PurchaseNumber::parse(match regime {
                Regime::Fz44 => "0000000000000000000",
                Regime::Fz223 => "30000000000",
                Regime::Pp615 => "000000000000000000",
            })
        })
    }

    /// The amount in roubles: at the first of `converted`, else that at the first of
    /// `original` where the currency at `currency` is the rouble or not stated.
    ///
    /// # Errors
    /// As [`Source::amount`].
    fn roubles(
        &self,
        field: Field,
        converted: Paths<'_>,
        original: Paths<'_>,
        currency: &str,
    ) -> Result<Option<Amount>> {
        if let Some(converted) = self.amount(field, converted)? {
            return Ok(Some(converted));
        }
        let in_roubles = is_rouble(self.text(field, &[currency]));
        Ok(self.amount(field, original)?.filter(|_| in_roubles))
    }

    /// What `read` returns of each of the elements at `paths`.
    ///
    /// # Errors
    /// The first of them that cannot be read.
    fn read_all<T>(&self, paths: Paths<'_>, read: impl FnMut(Self) -> Result<T>) -> Result<Vec<T>> {
        self.all(paths).into_iter().map(read).collect()
    }
}

/// The element that an error names, whose path differs between schemas: its place is told by
/// line and column.
fn element_of<'p>(paths: Paths<'p>) -> &'p str {
    let path = paths.first().copied().unwrap_or_default();
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// What is wrong in a document, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// The address of the element's name in memory, a part of the file's text.
    address: usize,
    what: String,
}

impl ReadError {
    /// An error at the element whose name, a part of the file's text, is `at`.
    pub fn new(at: &str, what: impl Into<String>) -> Self {
        Self {
            address: at.as_ptr() as usize,
            what: what.into(),
        }
    }

    /// The offset of the element in the file that it was read from.
    pub fn offset_in(&self, xml: &str) -> usize {
        self.address.wrapping_sub(xml.as_ptr() as usize)
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

/// An element of a document.
#[derive(Debug)]
pub struct Place<'e, 'd>(pub &'e Element<'d>);

impl Clone for Place<'_, '_> {
    fn clone(&self) -> Self {
        Self(self.0)
    }
}

impl<'e, 'd> Source<'e> for Place<'e, 'd> {
    fn name(&self) -> &'e str {
        self.0.name
    }

    fn value<T>(
        &self,
        _: Field,
        paths: Paths<'_>,
        read: impl FnOnce(&'e str) -> std::result::Result<T, &'static str>,
    ) -> Result<Option<T>> {
        let there = |path: &&str| self.0.at(path).filter(|found| !found.text().is_empty());
        let Some(found) = paths.iter().find_map(there) else {
            return Ok(None);
        };
        let text = found.text();
        read(text).map(Some).map_err(|expected| {
            let what = format!("{}: not {expected}: {}", found.name, value::shown(text));
            Self(found).error(what)
        })
    }

    fn text(&self, _: Field, paths: Paths<'_>) -> &'e str {
        self.0.first_text(paths)
    }

    fn words(&self, _: Field, paths: Paths<'_>) -> &'e str {
        self.0.first_words(paths)
    }

    fn first(&self, paths: Paths<'_>) -> Option<Self> {
        paths.iter().find_map(|path| self.0.at(path)).map(Self)
    }

    fn all(&self, paths: Paths<'_>) -> Vec<Self> {
        let mut found = Vec::new();
        for path in paths {
            self.0
                .each_at(path, &mut |element| found.push(Self(element)));
        }
        found
    }

    fn within(&self, paths: Paths<'_>) -> Self {
        self.first(paths).unwrap_or_else(|| self.clone())
    }

    fn has(&self, _: Field, path: &str) -> bool {
        self.0.at(path).is_some()
    }

    fn party(&self, fields: PartyFields) -> CardSupplier {
        party::read(self, fields)
    }

    fn says(&self, field: Field, paths: Paths<'_>, expected: &str) -> bool {
        self.text(field, paths) == expected
    }

    fn find<T>(&self, _: Field, _: &str, read: impl Fn(&Element<'_>) -> Option<T>) -> Option<T> {
        self.0.find(&read)
    }

    fn number_of(&self, _: Field, path: &str) -> u64 {
        let mut count = 0;
        self.0.each_at(path, &mut |_| count += 1);
        count
    }

    fn needed<T>(&self, value: Option<T>, path: &str, _: impl FnOnce() -> Option<T>) -> Result<T> {
        value.ok_or_else(|| self.error(format!("{path}: is missing")))
    }

    fn error(&self, what: impl Into<String>) -> ReadError {
        ReadError::new(self.0.name, what)
    }
}

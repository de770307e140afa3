//! What a reader reads from where: the other thing that readers are run over.

use std::cell::RefCell;

use super::element::Element;
use super::party::PartyFields;
use super::source::{Field, Paths, ReadError, Result, Source};
use crate::model::CardSupplier;

/// What stands in a path for the elements of a party.
pub const PARTY: &str = "…";

/// A field, and a path at which a reader looks for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The field.
    pub field: Field,
    /// The path, from the document's element on; `{a,b}` is either, `{a,.}` that or nothing.
    pub path: String,
}

/// A place in a document that is only thought of: of everything there is one, and nothing
/// has a text.
#[derive(Clone, Debug)]
pub struct Listing<'l> {
    name: &'l str,
    /// The path that leads here, as in [`Reading::path`]; empty for the document itself.
    here: String,
    readings: &'l RefCell<Vec<Reading>>,
}

impl<'l> Listing<'l> {
    /// A document of this name; what is read of it is added to `readings`.
    pub fn new(name: &'l str, readings: &'l RefCell<Vec<Reading>>) -> Self {
        Self {
            name,
            here: String::new(),
            readings,
        }
    }

    fn below(&self, path: &str) -> String {
        match self.here.as_str() {
            "" => path.to_owned(),
            here if path.starts_with("//") => [here, path].concat(),
            here => [here, "/", path].concat(),
        }
    }

    fn note(&self, field: Field, paths: Paths<'_>) {
        let mut readings = self.readings.borrow_mut();
        for path in paths {
            let path = self.below(path);
            let reading = Reading { field, path };
            if !readings.contains(&reading) {
                readings.push(reading);
            }
        }
    }

    /// What is at any of `paths`.
    fn at(&self, paths: Paths<'_>) -> Self {
        let path = match paths {
            [path] => (*path).to_owned(),
            paths => ["{", &paths.join(","), "}"].concat(),
        };
        Self {
            here: self.below(&path),
            ..self.clone()
        }
    }
}

impl<'l> Source<'l> for Listing<'l> {
    fn name(&self) -> &'l str {
        self.name
    }

    fn value<T>(
        &self,
        field: Field,
        paths: Paths<'_>,
        _: impl FnOnce(&'l str) -> std::result::Result<T, &'static str>,
    ) -> Result<Option<T>> {
        self.note(field, paths);
        Ok(None)
    }

    fn text(&self, field: Field, paths: Paths<'_>) -> &'l str {
        self.note(field, paths);
        ""
    }

    fn words(&self, field: Field, paths: Paths<'_>) -> &'l str {
        self.text(field, paths)
    }

    fn first(&self, paths: Paths<'_>) -> Option<Self> {
        Some(self.at(paths))
    }

    fn all(&self, paths: Paths<'_>) -> Vec<Self> {
        vec![self.at(paths)]
    }

    fn within(&self, paths: Paths<'_>) -> Self {
        self.at(&[paths, &["."]].concat())
    }

    fn has(&self, field: Field, path: &str) -> bool {
        self.note(field, &[path]);
        false
    }

    fn party(&self, fields: PartyFields) -> CardSupplier {
        // What a party has is listed once (`party::readings`).
        for field in [fields.name, fields.inn, fields.kpp] {
            self.note(field, &[PARTY]);
        }
        // One that has a name is there.
        CardSupplier {
            name: PARTY.to_owned(),
            ..CardSupplier::default()
        }
    }

    fn says(&self, field: Field, paths: Paths<'_>, _: &str) -> bool {
        self.note(field, paths);
        true
    }

    fn find<T>(
        &self,
        field: Field,
        path: &str,
        _: impl Fn(&Element<'_>) -> Option<T>,
    ) -> Option<T> {
        self.note(field, &[path]);
        None
    }

    fn number_of(&self, field: Field, path: &str) -> u64 {
        self.note(field, &[path]);
        0
    }

    fn needed<T>(
        &self,
        value: Option<T>,
        path: &str,
        example: impl FnOnce() -> Option<T>,
    ) -> Result<T> {
        let value = value.or_else(example);
        value.ok_or_else(|| self.error(format!("{path}: no example")))
    }

    fn error(&self, what: impl Into<String>) -> ReadError {
        ReadError::new(self.name, what)
    }
}

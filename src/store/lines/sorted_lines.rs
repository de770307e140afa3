//! Lines other than contracts, in the order of what they are about; those about one thing
//! as they came.

use std::path::{Path, PathBuf};

use super::super::error::Result;
use super::line::{ENTRY_KIND, SUPPLIER_KIND, purchase_kind};
use super::runs::{Merged, Sorter};
use super::staging::{no_room, torn};
use crate::model::{Inn, PurchaseNumber};

/// What lines are about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::store) enum About {
    /// The name of a supplier, which lines of all kinds give.
    Name(Inn),
    /// A supplier itself.
    Supplier(Inn),
    /// An RNP entry, by its registration number.
    RnpEntry(String),
    /// A purchase, by its number.
    Purchase(String),
}

impl About {
    /// What the lines are counted as; none where they are counted otherwise.
    pub fn kind(&self) -> Option<&'static str> {
        match self {
            Self::Name(_) => None,
            Self::Supplier(_) => Some(SUPPLIER_KIND),
            Self::RnpEntry(_) => Some(ENTRY_KIND),
            Self::Purchase(number) => {
                PurchaseNumber::parse(number).map(|number| purchase_kind(number.regime()))
            }
        }
    }

    fn to_key(&self) -> (u8, &str) {
        match self {
            Self::Name(inn) => (0, inn.as_str()),
            Self::Supplier(inn) => (1, inn.as_str()),
            Self::RnpEntry(number) => (2, number),
            Self::Purchase(number) => (3, number),
        }
    }

    fn from_key(key: &[u8]) -> Option<Self> {
        let (kind, text) = key.split_first()?;
        let text = std::str::from_utf8(text).ok()?;
        match kind {
            0 => Inn::parse(text).map(Self::Name),
            1 => Inn::parse(text).map(Self::Supplier),
            2 => Some(Self::RnpEntry(text.to_owned())),
            3 => Some(Self::Purchase(text.to_owned())),
            _ => None,
        }
    }
}

/// Takes in what a line says about something.
pub(super) fn push(sorter: &mut Sorter, about: &About, value: &[u8]) -> std::io::Result<()> {
    let (kind, text) = about.to_key();
    sorter.push(&[&[kind], text.as_bytes()], &[value])
}

/// Lines in their order.
#[derive(Debug)]
pub(in crate::store) struct SortedLines {
    path: PathBuf,
    merged: Merged,
    /// What the lines under way are about.
    key: Vec<u8>,
    /// The next line: what it is about, and what it says.
    next: Option<(Vec<u8>, Vec<u8>)>,
}

impl SortedLines {
    /// What was pushed; `path` is that of the database.
    pub fn new(path: &Path, lines: Sorter) -> Result<Self> {
        let merged = lines.merge().map_err(|error| no_room(path, &error))?;
        let mut lines = Self {
            path: path.to_owned(),
            merged,
            key: Vec::new(),
            next: None,
        };
        lines.read_next()?;
        Ok(lines)
    }

    /// What the next lines are about.
    pub fn next_about(&mut self) -> Result<Option<About>> {
        let Some((key, _)) = &self.next else {
            return Ok(None);
        };
        self.key.clone_from(key);
        let about = About::from_key(key).ok_or_else(|| torn(&self.path))?;
        Ok(Some(about))
    }

    /// What the next of these lines says.
    pub fn next_value(&mut self) -> Result<Option<Vec<u8>>> {
        match self.next.take() {
            Some((key, value)) if key == self.key => {
                self.read_next()?;
                Ok(Some(value))
            }
            next => {
                self.next = next;
                Ok(None)
            }
        }
    }

    fn read_next(&mut self) -> Result<()> {
        let next = self.merged.next();
        let next = next.map_err(|error| no_room(&self.path, &error))?;
        self.next = next.map(|(key, value)| (key.to_vec(), value.to_vec()));
        Ok(())
    }
}

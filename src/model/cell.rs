//! One request to EIS: the documents of one type, region and day.

use std::fmt;

use super::{Date, Region};

/// A type of official documents, by its names for the service that gives them out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DocumentType {
    /// The part of EIS, `subsystemType`, such as `RGK`.
    pub subsystem: &'static str,
    /// The element of the documents, `documentType44` or `documentType223`, such as
    /// `contract`.
    pub name: &'static str,
}

impl fmt::Display for DocumentType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.subsystem, self.name)
    }
}

/// One day of one region and one type of documents.
#[derive(Clone, Copy, Debug)]
pub struct Cell {
    /// The day, in the region's time.
    pub day: Date,
    /// The customers' region.
    pub region: &'static Region,
    /// The documents.
    pub documents: DocumentType,
}

impl fmt::Display for Cell {
    /// `2026-11-20 77 RGK/contract`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.day, self.region.code, self.documents)
    }
}

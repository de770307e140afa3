//! The unit of requests to EIS: the documents of one type, region and day.

use std::fmt;

use super::{Date, Region};

/// A type of official documents, under the names that the EIS document service uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DocumentType {
    /// Subsystem of EIS (`subsystemType`), such as `RGK`.
    pub subsystem: &'static str,
    /// Name of the documents' root element (`documentType44` or `documentType223`), such as
    /// `contract`.
    pub name: &'static str,
}

impl fmt::Display for DocumentType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.subsystem, self.name)
    }
}

/// One day of one region and document type.
#[derive(Clone, Copy, Debug)]
pub struct Cell {
    /// In the region's local time.
    pub day: Date,
    pub region: &'static Region,
    pub documents: DocumentType,
}

impl fmt::Display for Cell {
    /// Writes, for example, `2026-11-20 77 RGK/contract`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.day, self.region.code, self.documents)
    }
}

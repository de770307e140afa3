//! The import of one file in memory, on the calling thread, into a database in memory:
//! without files or other threads, and without catching panics. For fuzzing (`tests/fuzz`);
//! the program itself does not use it.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use super::parse::parse_piece;
use super::source::{Piece, PieceContent, read_lines};
use super::{Error, Event, Import, Options, Summary, derive};
use crate::model::LoggedChange;
use crate::store::{DataFile, Result, Tally, Writer};

pub use super::jsonl::{Line, parse_line};

/// SQLite's name of a database in memory.
const IN_MEMORY: &str = ":memory:";

/// The form of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Official documents.
    Documents,
    /// JSON Lines.
    Lines,
}

/// An import in progress, whose contents last until [`BareImport::discard`].
#[derive(Debug)]
pub struct BareImport {
    /// None only during the import of a file, or after that failed.
    writer: Option<Writer>,
}

/// The outcome of the import of one file.
#[derive(Debug)]
pub struct ImportedFile {
    /// The import's summary.
    pub summary: Summary,
    /// The messages about what was skipped.
    pub problems: Vec<String>,
}

impl BareImport {
    /// An import into an empty database.
    ///
    /// # Errors
    /// Out of memory.
    pub fn new() -> Result<Self> {
        let writer = Writer::in_memory()?;
        Ok(Self {
            writer: Some(writer),
        })
    }

    /// Imports a file.
    ///
    /// # Errors
    /// A failure of the whole import, which no input should cause.
    pub fn take(&mut self, form: Form, bytes: &[u8]) -> std::result::Result<ImportedFile, Error> {
        let (options, archives) = (Options::default(), BTreeMap::new());
        let mut problems = Vec::new();
        let mut on_event = |event: Event<'_>| {
            if let Event::Problem(what) = event {
                problems.push(what.to_owned());
            }
        };
        let mut import = Import {
            writer: self.writer.take(),
            summary: Summary::default(),
            options: &options,
            quarantine: None,
            archives: &archives,
            archive: None,
            bytes: 0,
            total: 0,
            records: 0,
            writing: Duration::ZERO,
            on_event: &mut on_event,
        };
        let mut each = |piece| import.take_parsed(parse_piece(piece, true));
        match form {
            Form::Documents => each(Piece {
                place: "documents".to_owned(),
                content: PieceContent::Xml(bytes.to_vec()),
                consumed: bytes.len() as u64,
            }),
            Form::Lines => read_lines("lines", bytes, &mut each),
        }?;
        let Import {
            writer, summary, ..
        } = import;
        self.writer = writer;
        if let Some(writer) = &mut self.writer {
            writer.write(derive::derive)?;
            writer.merge_lines()?;
            writer.declare_registries(None)?;
            writer.extend_coverage(false)?;
        }
        Ok(ImportedFile { summary, problems })
    }

    /// The answers that differ from those of an empty database.
    ///
    /// # Errors
    /// The database cannot be read.
    pub fn changed(&self) -> Result<Vec<LoggedChange>> {
        let changed = self.writer.as_ref().map(Writer::changes);
        Ok(changed.transpose()?.unwrap_or_default())
    }

    /// The database in its current state, for reading.
    ///
    /// # Errors
    /// As [`BareImport::changed`], or it is damaged.
    pub fn database(&mut self) -> Result<DataFile> {
        let image = self.writer.as_mut().map(Writer::image).transpose()?;
        DataFile::from_image(Path::new(IN_MEMORY), &image.unwrap_or_default())
    }

    /// Undoes everything, and returns the tallies by kind.
    ///
    /// # Errors
    /// As [`BareImport::changed`].
    pub fn discard(&mut self) -> Result<BTreeMap<String, Tally>> {
        self.writer
            .as_mut()
            .map_or_else(|| Ok(BTreeMap::new()), Writer::discard)
    }
}

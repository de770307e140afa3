//! The import of one file that is held in memory, on the thread that asks, into a
//! database in memory: no file, no other thread, and nothing that catches a panic. What
//! fuzzing drives (`tests/fuzz`); the program itself does not.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use super::parse::parse_piece;
use super::source::{Piece, PieceContent, read_lines};
use super::{Error, Event, Import, Options, Summary, derive};
use crate::store::{Changed, Database, Result, Tally, Writer};

pub use super::jsonl::{Line, parse_line};

/// What SQLite calls a database in memory.
const IN_MEMORY: &str = ":memory:";

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Official documents.
    Documents,
    /// JSON Lines.
    Lines,
}

/// An import under way; what it takes in is there until [`BareImport::discard`].
#[derive(Debug)]
pub struct BareImport {
    /// None only while a file is taken in, or after that failed.
    writer: Option<Writer>,
}

/// What came of one file.
#[derive(Debug)]
pub struct ImportedFile {
    /// As the import counts.
    pub summary: Summary,
    /// What was told of what was skipped.
    pub problems: Vec<String>,
}

impl BareImport {
    /// One into an empty database.
    ///
    /// # Errors
    /// Out of memory.
    pub fn new() -> Result<Self> {
        let writer = Writer::in_memory()?;
        Ok(Self {
            writer: Some(writer),
        })
    }

    /// Takes a file in.
    ///
    /// # Errors
    /// What would end an import: no file's bytes should.
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
        }
        Ok(ImportedFile { summary, problems })
    }

    /// Whose answers differ from those over an empty database.
    ///
    /// # Errors
    /// The database cannot be read; so for all of these.
    pub fn changed(&self) -> Result<Vec<Changed>> {
        let mut changed = Vec::new();
        if let Some(writer) = &self.writer {
            writer.changes(|one| {
                changed.push(one);
                Ok(())
            })?;
        }
        Ok(changed)
    }

    /// The database as it is now, to read.
    ///
    /// # Errors
    /// As [`BareImport::changed`]; it is also damaged.
    pub fn database(&mut self) -> Result<Database> {
        let image = self.writer.as_mut().map(Writer::image).transpose()?;
        Database::from_image(Path::new(IN_MEMORY), &image.unwrap_or_default())
    }

    /// Undoes everything; what had become of what was taken in, by kind?
    ///
    /// # Errors
    /// As [`BareImport::changed`].
    pub fn discard(&mut self) -> Result<BTreeMap<String, Tally>> {
        self.writer
            .as_mut()
            .map_or_else(|| Ok(BTreeMap::new()), Writer::discard)
    }
}

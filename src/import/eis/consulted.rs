//! Records which paths the readers consult in given documents. Used for the manual's tables, and
//! for the comparison with the official schemas.

use std::rc::Rc;

use super::kind::{Kind, Subject};
use super::kinds::KINDS;
use super::node::{Node, Reading, Recorder};
use super::packet::items;
use crate::xml::{FileError, for_each_document};

/// The paths consulted while reading given documents.
#[derive(Debug)]
pub struct Consulted {
    /// The readings of each kind of document, in the order of the register.
    pub of_kinds: Vec<(&'static Kind, Vec<Reading>)>,
    /// Readings within the elements of parties, which all kinds share.
    pub of_parties: Vec<Reading>,
}

/// The paths at which documents with the same description state a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldSource {
    /// Name of the field, or a pseudo-field such as [`NUMBER`](super::NUMBER).
    pub field: String,
    /// Description of the kind, in Russian and in English.
    pub document: [&'static str; 2],
    /// In the order in which the reader tries them.
    pub paths: Vec<String>,
}

impl Consulted {
    /// Reads `files` and records the paths consulted.
    ///
    /// # Errors
    /// Returns an error if a file is not well-formed.
    pub fn new<'x>(files: impl IntoIterator<Item = &'x str>) -> Result<Self, FileError> {
        let of_parties = Rc::default();
        let recorder = |_| Recorder {
            of_parties: Rc::clone(&of_parties),
            ..Recorder::default()
        };
        let recorders: Vec<Recorder> = KINDS.iter().map(recorder).collect();
        for file in files {
            for_each_document(file, |document| {
                let mut kinds = KINDS.iter().zip(&recorders);
                let Some((kind, recorder)) = kinds.find(|(kind, _)| kind.is_of(&document)) else {
                    return;
                };
                for (path, item) in items(kind, &document) {
                    // If the reader fails, the readings before the error are kept.
                    drop((kind.reader)(kind, &Node::recorded(item, path, recorder)));
                }
            })?;
        }
        let readings = recorders.iter().map(|one| one.readings.take());
        Ok(Self {
            of_kinds: KINDS.iter().zip(readings).collect(),
            of_parties: of_parties.take(),
        })
    }

    /// Returns where documents about `subject` state each field. Kinds are in the order of the
    /// register; within a kind, fields are in the order in which the reader reads them.
    pub fn field_sources(&self, subject: Subject) -> Vec<FieldSource> {
        let mut sources: Vec<FieldSource> = Vec::new();
        let about = self
            .of_kinds
            .iter()
            .filter(|(kind, _)| kind.about == subject);
        for (kind, reading) in about.flat_map(|(kind, all)| all.iter().map(move |one| (kind, one)))
        {
            let same =
                |one: &&mut FieldSource| one.field == reading.field && one.document == kind.what;
            match sources.iter_mut().find(same) {
                Some(source) if source.paths.contains(&reading.path) => {}
                Some(source) => source.paths.push(reading.path.clone()),
                None => sources.push(FieldSource {
                    field: reading.field.clone(),
                    document: kind.what,
                    paths: vec![reading.path.clone()],
                }),
            }
        }
        sources
    }
}

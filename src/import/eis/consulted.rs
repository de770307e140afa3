//! The paths that readers look at, as far as given documents show them: for the manual, and for
//! the comparison with the official schemas.

use super::kind::{Kind, Subject};
use super::kinds::KINDS;
use super::node::{Field, Node, Reading, Recorder};
use super::packet::items;
use crate::xml::{FileError, for_each_document};

/// The paths that readers looked at.
#[derive(Debug)]
pub struct Consulted {
    /// In the documents of each kind, in the order of the register.
    pub of_kinds: Vec<(&'static Kind, Vec<Reading>)>,
    /// In the elements that stand for a party.
    pub of_parties: Vec<Reading>,
}

/// The places of a field in documents of one description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldSource {
    /// The field, or one of the four that are no field of an answer
    /// ([`NUMBER`](super::NUMBER) and so on).
    pub field: Field,
    /// The description of the documents, in Russian and in English.
    pub document: [&'static str; 2],
    /// The paths that are looked at, in their order.
    pub paths: Vec<String>,
}

impl Consulted {
    /// Reads the documents of files.
    ///
    /// # Errors
    /// A file that is not well-formed.
    pub fn new<'x>(files: impl IntoIterator<Item = &'x str>) -> Result<Self, FileError> {
        let mut recorders: Vec<Recorder> = Vec::new();
        recorders.resize_with(KINDS.len(), Recorder::default);
        for file in files {
            for_each_document(file, |document| {
                let is_it = |kind: &Kind| kind.is_of(&document);
                let kind = KINDS.iter().zip(&recorders).find(|(kind, _)| is_it(kind));
                for (path, item) in kind.iter().flat_map(|(kind, _)| items(kind, &document)) {
                    if let Some((kind, recorder)) = kind {
                        // Readings before an error count.
                        drop((kind.reader)(kind, &Node::recorded(item, path, recorder)));
                    }
                }
            })?;
        }
        let mut of_parties: Vec<Reading> = Vec::new();
        for reading in recorders.iter().flat_map(|one| one.of_parties.take()) {
            let same =
                |one: &&mut Reading| (one.field, &one.path) == (reading.field, &reading.path);
            match of_parties.iter_mut().find(same) {
                Some(known) => known.is_consulted |= reading.is_consulted,
                None => of_parties.push(reading),
            }
        }
        let readings = recorders.iter().map(|one| one.readings.take());
        Ok(Self {
            of_kinds: KINDS.iter().zip(readings).collect(),
            of_parties,
        })
    }

    /// The places of the fields in the documents about `subject`: those of a kind together, in
    /// the order of the register and of its reader.
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
                    field: reading.field,
                    document: kind.what,
                    paths: vec![reading.path.clone()],
                }),
            }
        }
        sources
    }
}

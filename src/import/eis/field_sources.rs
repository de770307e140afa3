//! Where each field comes from, as the manual shows it.

use super::kinds::{KINDS, Kind, Subject};
use super::source::Field;

/// Where documents that are called the same have a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldSource {
    /// The field, or one of the four that are no field of an answer
    /// ([`NUMBER`](super::NUMBER) and so on).
    pub field: Field,
    /// What the documents are, in Russian and in English.
    pub document: [&'static str; 2],
    /// The paths that are looked at, in their order; `{a,b}` is either, `{a,.}` that or
    /// nothing.
    pub paths: Vec<String>,
}

/// Where the documents about `subject` have their fields: those of a kind together, in the
/// order of the register and of its reader.
pub fn field_sources(subject: Subject) -> Vec<FieldSource> {
    let mut sources: Vec<FieldSource> = Vec::new();
    for kind in of(subject) {
        for reading in kind.readings() {
            let same =
                |one: &&mut FieldSource| one.field == reading.field && one.document == kind.what;
            match sources.iter_mut().find(same) {
                Some(source) if source.paths.contains(&reading.path) => {}
                Some(source) => source.paths.push(reading.path),
                None => sources.push(FieldSource {
                    field: reading.field,
                    document: kind.what,
                    paths: vec![reading.path],
                }),
            }
        }
    }
    sources
}

fn of(subject: Subject) -> impl Iterator<Item = &'static Kind> {
    KINDS.iter().filter(move |kind| kind.about == subject)
}

//! The register of the kinds of documents that are read, in one file per family. Each family puts
//! what its kinds share into a few constants, and then lists the kinds by name.
//!
//! The register determines the reader of a document, the version of the readers, the manual's
//! tables of kinds and of field sources, the dictionary of the fuzzers, and the document types that
//! `fetch` requests. To add a kind, add a row to its family, a reader (a function over a
//! [`Node`](super::node::Node)), and an invented document with its facts to `data/documents`. Facts
//! that no other kind has also need a variant of [`Facts`](crate::import::facts::Facts) and their
//! derivation in `import/derive`.

mod contracts;
mod notices44;
mod pp615;
mod protocols44;
mod purchases223;
mod rnp;
#[cfg(test)]
mod tests;

use super::generation::Generation;
use super::kind::{Kind, Rule, Subject};
use super::node::{Node, Result};
use crate::import::facts::Fact;
use crate::model::{DocumentType, Regime};

/// All kinds. If several match a document, the first one applies.
pub const KINDS: &[Kind] = &all::<{ count() }>();

const FAMILIES: [&[Kind]; 6] = [
    contracts::KINDS,
    notices44::KINDS,
    protocols44::KINDS,
    purchases223::KINDS,
    pp615::KINDS,
    rnp::KINDS,
];

const fn count() -> usize {
    let (mut count, mut family) = (0, 0);
    while family < FAMILIES.len() {
        count += FAMILIES[family].len();
        family += 1;
    }
    count
}

const fn all<const N: usize>() -> [Kind; N] {
    let mut all = [NEUTRAL; N];
    let (mut at, mut family) = (0, 0);
    while family < FAMILIES.len() {
        let mut row = 0;
        while row < FAMILIES[family].len() {
            all[at] = FAMILIES[family][row];
            (at, row) = (at + 1, row + 1);
        }
        family += 1;
    }
    all
}

/// Base that every family extends. It lacks a name, paths and a reader; a test checks that every
/// kind has them.
const NEUTRAL: Kind = Kind {
    name: "",
    having: None,
    label: None,
    subsystem: "",
    is_current: false,
    about: Subject::Contract,
    is_packet: false,
    generation: Generation::Fcs,
    rule: Rule::Usual,
    ends: false,
    registries: &[],
    number: &[],
    version: &[],
    published: &[],
    what: ["", ""],
    reader: no_reader,
};

fn no_reader(_: &Kind, document: &Node<'_>) -> Result<Vec<Fact>> {
    Err(document.error("has no reader"))
}

/// Returns the document types that make up each law's registry of unfair suppliers.
pub fn registry_documents() -> [(Regime, Vec<DocumentType>); 3] {
    Regime::ALL.map(|law| {
        let kinds = KINDS.iter().filter(|kind| kind.registries.contains(&law));
        let types = kinds.map(|kind| DocumentType {
            subsystem: kind.subsystem,
            name: kind.name,
        });
        (law, types.collect())
    })
}

// Descriptions shared by several families.
const NOTICE: [&str; 2] = ["извещение о закупке", "the notice of a purchase"];
const CANCELLATION: [&str; 2] = [
    "отмена закупки или лота",
    "cancellation of a purchase or a lot",
];
const PROTOCOL: [&str; 2] = ["протокол", "a protocol"];
const PROTOCOL_CANCEL: [&str; 2] = ["отмена протокола", "cancellation of a protocol"];
const CONTRACT: [&str; 2] = ["договор", "a contract"];
const EVASION: [&str; 2] = [
    "уклонение или отказ от заключения договора",
    "failure to sign a contract, because of evasion or refusal",
];

//! The register of the kinds of documents that are read: one file a family.
//!
//! The rest follows from it: the choice of a document's reader, the version of the readers, the
//! manual's tables of kinds and of the sources of fields, the fuzzers' words, and the types of
//! documents to fetch. To add a kind, add its row to its family, its reader (a function over a
//! [`Node`](super::node::Node)), and an invented document with its facts in `data/documents`. A
//! kind with facts that no other kind has also needs a variant of
//! [`Facts`](crate::import::facts::Facts) and its derivation in `import/derive`.
//!
//! A family has a few constants, each of which states all that its kinds share, and then the kinds
//! by name.

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

/// All kinds. Of several that match a document the first counts.
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

/// What a family begins with: it has no name, no paths and no reader.
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

/// The types of documents that each law's registry of unfair suppliers consists of.
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

// Descriptions that several families use.
const NOTICE: [&str; 2] = ["извещение о закупке", "the notice of a purchase"];
const CANCELLATION: [&str; 2] = [
    "отмена закупки или лота",
    "cancellation of a purchase or a lot",
];
const PROTOCOL: [&str; 2] = ["протокол", "a protocol"];
const PROTOCOL_CANCEL: [&str; 2] = ["отмена протокола", "cancellation of a protocol"];
const CONTRACT: [&str; 2] = ["договор", "a contract"];
const EVASION: [&str; 2] = [
    "уклонение от договора, отказ от договора",
    "evasion or refusal of a contract",
];

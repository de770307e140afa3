//! Documents and lines to records: find the files, read them in pieces on all
//! cores, take what they say in, in their order.
//!
//! What cannot be read is told, with its place, and passed by; the rest goes in.

mod eis;
#[allow(dead_code)]
mod facts;
mod jsonl;
mod source;

use std::collections::BTreeMap;
use std::path::PathBuf;

use rayon::prelude::*;

use crate::store::{self, Document, Tally, Writer};
use eis::Reading;
use jsonl::Line;
use source::{Content, Piece, Sources};

pub use eis::{MAX_DEPTH, MAX_ELEMENTS, MAX_TEXT};
pub use jsonl::MAX_LINE;
pub use source::{MAX_DOCUMENT_FILE, MAX_FOLDERS, MAX_RATIO};

/// How many bytes of pieces are read before they are parsed together.
const ROUND_BYTES: usize = 8 << 20;

/// What an import tells while it runs.
#[derive(Debug)]
pub enum Event<'a> {
    /// Something was skipped: its place, and what is wrong with it.
    Problem(&'a str),
    /// How far it is.
    Progress {
        /// Bytes of the files read.
        bytes: u64,
        /// Bytes of all files; 0 where that is not known.
        total: u64,
        /// Documents and lines read.
        records: u64,
    },
}

/// What came of an import.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// By kind of document or line: what became of those taken in, and how many
    /// were skipped.
    pub kinds: BTreeMap<String, (Tally, u64)>,
    /// Documents of kinds that are not taken in, by kind.
    pub passed_over: BTreeMap<String, u64>,
    /// Files that are neither documents, archives nor lines.
    pub other_files: u64,
    /// Documents without a supplier that has an INN: kept, and not to be found.
    pub without_supplier: u64,
    /// All that was skipped.
    pub skipped: u64,
    /// RNP entries that went because they are not in the registry given; none if
    /// that was not asked for, or not done because something was skipped.
    pub rnp_entries_gone: Option<u64>,
}

/// Takes in what `paths` name. With `replace_rnp` the RNP entries among it are
/// the whole registry of their laws, provided nothing is skipped.
///
/// # Errors
/// The database cannot be written; what was written before stays.
pub fn import(
    paths: &[PathBuf],
    writer: Writer,
    replace_rnp: bool,
    tell: &mut dyn FnMut(Event<'_>),
) -> store::Result<Summary> {
    let sources = Sources::find(paths);
    let mut import = Import {
        writer,
        summary: Summary::default(),
        round: Vec::new(),
        round_bytes: 0,
        bytes: 0,
        total: sources.total_bytes,
        records: 0,
        tell,
    };
    sources.read(|piece| import.take_piece(piece))?;
    import.end_round()?;
    import.finish(replace_rnp)
}

struct Import<'a> {
    writer: Writer,
    summary: Summary,
    round: Vec<Piece>,
    round_bytes: usize,
    bytes: u64,
    total: u64,
    records: u64,
    tell: &'a mut dyn FnMut(Event<'_>),
}

/// What one document or line came to.
enum Item {
    Line(Line),
    Document(Box<Document>),
    PassedOver(String),
    OtherFile,
    /// The kind it would have been, and what is wrong where.
    Problem(String, String),
}

impl Import<'_> {
    fn take_piece(&mut self, piece: Piece) -> store::Result<()> {
        self.round_bytes += match &piece.content {
            Content::Xml(bytes) | Content::Lines(_, bytes) => bytes.len(),
            Content::Problem(_) | Content::Other => 0,
        };
        self.round.push(piece);
        if self.round_bytes >= ROUND_BYTES {
            self.end_round()
        } else {
            Ok(())
        }
    }

    /// Parses the pieces of a round on all cores, then takes them in one by one.
    fn end_round(&mut self) -> store::Result<()> {
        self.round_bytes = 0;
        let parsed: Vec<(u64, Vec<Item>)> = std::mem::take(&mut self.round)
            .into_par_iter()
            .map(|piece| (piece.consumed, parse(piece)))
            .collect();
        for (consumed, items) in parsed {
            self.bytes += consumed;
            for item in items {
                self.take_item(item)?;
            }
            let (bytes, total, records) = (self.bytes, self.total, self.records);
            (self.tell)(Event::Progress {
                bytes,
                total,
                records,
            });
        }
        Ok(())
    }

    fn take_item(&mut self, item: Item) -> store::Result<()> {
        self.records += 1;
        match item {
            Item::Line(line) => self.take_line(&line),
            Item::Document(document) => {
                self.summary.without_supplier += u64::from(document.content.suppliers().is_empty());
                self.writer.document(*document)
            }
            Item::PassedOver(kind) => {
                *self
                    .summary
                    .passed_over
                    .entry(source::printable(&kind))
                    .or_default() += 1;
                Ok(())
            }
            Item::OtherFile => {
                self.summary.other_files += 1;
                Ok(())
            }
            Item::Problem(kind, what) => {
                self.summary.skipped += 1;
                self.summary.kinds.entry(kind).or_default().1 += 1;
                (self.tell)(Event::Problem(&source::printable(&what)));
                Ok(())
            }
        }
    }

    fn take_line(&mut self, line: &Line) -> store::Result<()> {
        let kind = line.kind();
        match line {
            Line::Contract(supplier, contract) => self.writer.contract(kind, supplier, contract),
            Line::Purchase(purchase) => self.writer.purchase(kind, purchase),
            Line::RnpEntry(supplier, entry) => self.writer.rnp_entry(kind, supplier, entry),
            Line::Supplier(supplier) => self.writer.supplier(kind, supplier),
        }
    }

    fn finish(self, replace_rnp: bool) -> store::Result<Summary> {
        let mut summary = self.summary;
        let tallies = if replace_rnp && summary.skipped == 0 {
            let (tallies, gone) = self.writer.finish_replacing_rnp()?;
            summary.rnp_entries_gone = Some(gone);
            tallies
        } else {
            self.writer.finish()?
        };
        for (kind, tally) in tallies {
            summary.kinds.entry(kind.to_owned()).or_default().0 = tally;
        }
        Ok(summary)
    }
}

fn parse(piece: Piece) -> Vec<Item> {
    let Piece { place, content, .. } = piece;
    match content {
        Content::Xml(bytes) => parse_documents(&place, &bytes),
        Content::Lines(first, bytes) => parse_lines(&place, first, &bytes),
        Content::Problem(what) => {
            vec![Item::Problem("file".to_owned(), format!("{place}: {what}"))]
        }
        Content::Other => vec![Item::OtherFile],
    }
}

fn parse_documents(place: &str, bytes: &[u8]) -> Vec<Item> {
    let mut items = Vec::new();
    let outcome = eis::read_file(bytes, |reading| {
        items.push(match reading {
            Reading::Document(document) => Item::Document(document),
            Reading::PassedOver(kind) => Item::PassedOver(kind),
            Reading::Problem(kind, what) => Item::Problem(kind, format!("{place}: {what}")),
        });
    });
    if let Err(problem) = outcome {
        items.push(Item::Problem(
            "file".to_owned(),
            format!("{place}{problem}"),
        ));
    }
    items
}

fn parse_lines(place: &str, first: u64, bytes: &[u8]) -> Vec<Item> {
    let lines = bytes
        .strip_suffix(b"\n")
        .unwrap_or(bytes)
        .split(|byte| *byte == b'\n');
    let item = |(number, line)| match jsonl::parse_line(line) {
        Ok(None) => None,
        Ok(Some(line)) => Some(Item::Line(line)),
        Err(problem) => Some(Item::Problem(
            "JSON line".to_owned(),
            format!("{place}:{number}: {problem}"),
        )),
    };
    (first..).zip(lines).filter_map(item).collect()
}

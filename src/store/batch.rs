//! What has been taken in and not yet written. Of several lines about one thing the last
//! counts, of several versions of a document the newest; what became of each is counted by
//! what it changed, wherever batches end: the same files again change nothing, and all in
//! them is unchanged. Lines wait elsewhere ([`super::lines`]).

use super::document::{Document, Fate};

/// What became of the lines or documents of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// About something that was not there.
    pub new: u64,
    /// Replaced what was there.
    pub newer: u64,
    /// Said what was there already, or less than what outranks it.
    pub unchanged: u64,
}

impl Tally {
    /// Counts what another counts, too.
    pub(super) fn add(&mut self, other: Self) {
        self.new += other.new;
        self.newer += other.newer;
        self.unchanged += other.unchanged;
    }

    pub(super) fn count(&mut self, fate: Fate) {
        match fate {
            Fate::New => self.new += 1,
            Fate::Newer => self.newer += 1,
            Fate::Unchanged => self.unchanged += 1,
        }
    }
}

/// Documents taken in since the last batch was written.
#[derive(Debug, Default)]
pub(super) struct Batch {
    /// Each with the kind it is counted as; none if it is not counted.
    documents: Vec<(Option<String>, Document)>,
    bytes: usize,
}

/// What a document is reckoned to need in memory beside its facts.
const OVERHEAD: usize = 300;

impl Batch {
    /// About how much memory it takes, in bytes.
    pub fn size(&self) -> usize {
        self.bytes
    }

    /// Takes a document in; `kind` is what it is counted as, if it is.
    pub fn document(&mut self, kind: Option<&str>, document: Document) {
        self.bytes += document.facts.len() + OVERHEAD;
        self.documents.push((kind.map(str::to_owned), document));
    }

    /// The documents in the order of the file's index, those with one identity as they
    /// came.
    pub fn into_documents(mut self) -> Vec<(Option<String>, Document)> {
        self.documents
            .sort_by(|(_, a), (_, b)| a.identity().cmp(&b.identity()));
        self.documents
    }
}

/// Lines about one thing, each of which replaces the one before it.
#[derive(Debug)]
pub(super) struct Successive<V> {
    /// What the file has.
    stored: Option<V>,
    /// Does an official document outrank them all?
    outranked: bool,
    last: Option<V>,
    tally: Tally,
}

impl<V: PartialEq> Successive<V> {
    /// None yet, about something of which the file has `stored`.
    pub fn new(stored: Option<V>, outranked: bool) -> Self {
        Self {
            stored,
            outranked,
            last: None,
            tally: Tally::default(),
        }
    }

    /// The next line.
    pub fn add(&mut self, value: V) {
        let fate = match self.last.as_ref().or(self.stored.as_ref()) {
            None => Fate::New,
            Some(before) if *before == value => Fate::Unchanged,
            Some(_) => Fate::Newer,
        };
        self.tally.count(fate);
        self.last = Some(value);
    }

    /// What is to be written, if anything, and what became of the lines. Where the last
    /// one says what is there already, none of them changed anything.
    pub fn end(self) -> (Option<V>, Tally) {
        if self.outranked || self.last == self.stored {
            let Tally {
                new,
                newer,
                unchanged,
            } = self.tally;
            let tally = Tally {
                unchanged: new + newer + unchanged,
                ..Tally::default()
            };
            return (None, tally);
        }
        (self.last, self.tally)
    }
}

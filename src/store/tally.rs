//! What became of lines and documents: how many of a kind were new, newer, unchanged.

/// How many lines or documents of one kind changed something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// About something that was not there.
    pub new: u64,
    /// Replaced what was there.
    pub newer: u64,
    /// Equal to what was there, or outranked by it.
    pub unchanged: u64,
}

impl Tally {
    /// Adds another tally.
    pub(super) fn add(&mut self, other: Self) {
        self.new += other.new;
        self.newer += other.newer;
        self.unchanged += other.unchanged;
    }

    pub(super) fn count(&mut self, change: DocumentChange) {
        match change {
            DocumentChange::New => self.new += 1,
            DocumentChange::Newer => self.newer += 1,
            DocumentChange::Unchanged => self.unchanged += 1,
        }
    }
}

/// What a document changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DocumentChange {
    New,
    Newer,
    Unchanged,
}

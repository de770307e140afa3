//! Tallies of lines and documents: how many were new, newer or unchanged.

/// Numbers of lines or documents of one kind, by effect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Lines or documents about a new subject.
    pub new: u64,
    /// Lines or documents that replaced stored data.
    pub newer: u64,
    /// Lines or documents equal to stored data, or outranked by it.
    pub unchanged: u64,
}

impl Tally {
    pub(super) fn add(&mut self, other: Self) {
        self.new += other.new;
        self.newer += other.newer;
        self.unchanged += other.unchanged;
    }

    pub(super) fn count(&mut self, effect: Effect) {
        match effect {
            Effect::New => self.new += 1,
            Effect::Newer => self.newer += 1,
            Effect::Unchanged => self.unchanged += 1,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    New,
    Newer,
    Unchanged,
}

//! The two generations of documents under 44-FZ, which name and nest their elements differently.

use super::node::Paths;

/// A generation of documents under 44-FZ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Generation {
    /// `fcs*`, from 2014 to 2021: fields at the top of the document and in its lots.
    Fcs,
    /// `ep*`, since 2018, and `cp*`: `commonInfo`, and `notificationInfo` or `protocolInfo` in
    /// place of a lot.
    Ep,
}

/// The paths of a field in documents of each generation.
#[derive(Clone, Copy, Debug)]
pub struct ByGeneration {
    pub fcs: Paths<'static>,
    pub ep: Paths<'static>,
}

impl ByGeneration {
    /// The paths in documents of one generation.
    pub const fn of(self, generation: Generation) -> Paths<'static> {
        match generation {
            Generation::Fcs => self.fcs,
            Generation::Ep => self.ep,
        }
    }
}

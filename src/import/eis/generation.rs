//! The two generations of documents under 44-FZ. Their elements differ in names and nesting.

use super::node::Paths;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Generation {
    /// `fcs*`, 2014–2021: fields are at the top of the document and in its lots.
    Fcs,
    /// `ep*` (since 2018) and `cp*`: fields are in `commonInfo`, and in `notificationInfo` or
    /// `protocolInfo` instead of lots.
    Ep,
}

/// Paths of one field in each generation.
#[derive(Clone, Copy, Debug)]
pub struct ByGeneration {
    pub fcs: Paths<'static>,
    pub ep: Paths<'static>,
}

impl ByGeneration {
    pub const fn of(self, generation: Generation) -> Paths<'static> {
        match generation {
            Generation::Fcs => self.fcs,
            Generation::Ep => self.ep,
        }
    }
}

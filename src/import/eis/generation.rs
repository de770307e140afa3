//! The two generations of documents under 44-FZ, which name and nest their elements differently.

use super::node::Paths;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Generation {
    /// `fcs*`, 2014–2021: fields at the top of the document and in its lots.
    Fcs,
    /// `ep*` (since 2018) and `cp*`: `commonInfo`, and `notificationInfo` or `protocolInfo` instead
    /// of lots.
    Ep,
}

/// The paths of a field in each generation.
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

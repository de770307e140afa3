//! Rates of requests.

/// A rate, and the burst that is let through before it counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// Requests a second; 0 is no limit.
    pub per_second: u32,
    /// Requests at once after a pause; 0 counts as 1.
    pub burst: u32,
}

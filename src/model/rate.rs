#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// Requests per second; 0 means unlimited.
    pub per_second: u32,
    /// How many requests are accepted at once after a pause; 0 counts as 1.
    pub burst: u32,
}

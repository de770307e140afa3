//! Who is let through: the key, the limits of load, programs of other origins.

pub(super) mod cors;
pub(super) mod keys;
pub(super) mod limits;

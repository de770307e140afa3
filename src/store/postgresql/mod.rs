//! PostgreSQL as a place to answer from.

pub mod address;
pub mod client;

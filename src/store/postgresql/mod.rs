//! PostgreSQL as a place to answer from.

pub mod address;
pub mod client;
pub mod cluster;
mod passfile;
mod settings;
mod tls;

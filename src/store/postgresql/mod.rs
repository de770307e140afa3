//! PostgreSQL as a place to answer from.

pub mod address;
pub mod client;
pub mod cluster;
mod keys;
mod passfile;
mod settings;
mod tls;

pub use address::ServerAddress;
pub use cluster::Cluster;
pub use keys::{FollowedKeys, KeyTables};

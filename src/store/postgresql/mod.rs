//! PostgreSQL as a place to answer from.

pub mod address;
mod answers;
mod begin;
pub mod client;
pub mod cluster;
mod filter;
mod keys;
mod log;
mod pages;
mod passfile;
mod reader;
mod scan;
mod settings;
mod summary;
mod tls;

pub use address::ServerAddress;
pub use cluster::Cluster;
pub use keys::{FollowedKeys, KeyTables};
pub use reader::ServerData;

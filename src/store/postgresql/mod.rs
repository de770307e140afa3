//! PostgreSQL as a place to answer from.

pub mod address;
mod answers;
mod begin;
pub mod client;
pub mod cluster;
mod compare;
mod copies;
mod copy;
mod filter;
mod keys;
mod log;
mod pages;
mod passfile;
mod publication;
mod publish;
mod publish_all;
mod publish_changes;
mod publish_failure;
mod publish_progress;
mod reader;
mod rows;
mod scan;
mod settings;
mod summary;
mod tls;

pub use address::ServerAddress;
pub use client::LOGS_OF_SERVERS;
pub use cluster::Cluster;
pub use keys::{FollowedKeys, KeyTables};
pub use publish::{Published, publish};
pub use publish_changes::SentChanges;
pub use reader::ServerData;

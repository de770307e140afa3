//! PostgreSQL as a place to answer from.

pub mod address;
pub mod client;
pub mod cluster;
mod compare;
mod copies;
mod copy;
mod passfile;
mod publication;
mod publish;
mod publish_all;
mod publish_changes;
mod publish_failure;
mod publish_progress;
mod rows;
mod settings;
mod tls;

pub use publish::{Published, publish};
pub use publish_changes::SentChanges;

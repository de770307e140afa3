//! PostgreSQL as a place to answer from.

pub mod address;
mod answers;
mod begin;
pub mod client;
pub mod cluster;
mod filter;
mod log;
mod pages;
mod passfile;
pub mod reader;
mod scan;
mod settings;
mod summary;
mod tls;

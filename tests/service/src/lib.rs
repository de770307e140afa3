//! Simulates the SOAP service from which official EIS documents are downloaded, for tests and
//! demonstrations.
//!
//! Responses follow the schema of the real service; the documents are configurable ([`Contents`]).
//! Faults can be simulated for selections and links ([`Service::fault`]), and every request is
//! recorded ([`Service::requests`]).
//!
//! ```no_run
//! use eis_service::{Config, Fault, Service, Times};
//!
//! # fn main() -> std::io::Result<()> {
//! let service = Service::start(Config::default())?;
//! service.fault("*/77/RGK/contract", Fault::Echo, Times::First(1));
//! // … a client sends requests to `service.endpoint()` …
//! assert_eq!(service.count("*/77/RGK/contract"), 2);
//! # Ok(())
//! # }
//! ```
//!
//! A selection is identified by a key such as `2026-11-20/77/RGK/contract` (day, region, subsystem,
//! type) or `number/RGK/3960100124525000118`. The key of the link to its first archive has `#0`
//! appended. In a pattern, `*` stands for any part of a key; `*` alone matches all selections, and
//! `*#*` all links.

#![forbid(unsafe_code)]

mod answer;
mod contents;
mod delivery;
mod fault;
mod http;
mod patterns;
mod proxy;
mod service;
mod soap;
mod tls;

pub use contents::{Archive, Contents, Document};
pub use fault::{Fault, Times};
pub use http::Request;
pub use proxy::Proxy;
pub use service::{Config, Service};
pub use tls::{Authority, Certificate, Tls};

//! The SOAP service of EIS that gives out official documents, simulated: for tests and
//! demonstrations.
//!
//! It answers in the form of the service's schema; what it has is made up ([`Contents`]). Faults
//! are asked for by selection or by link ([`Service::fault`]), and every request is remembered
//! ([`Service::requests`]).
//!
//! ```no_run
//! use eis_service::{Config, Fault, Service, Times};
//!
//! # fn main() -> std::io::Result<()> {
//! let service = Service::start(Config::default())?;
//! service.fault("*/77/RGK/contract", Fault::Echo, Times::First(1));
//! // … a client asks `service.endpoint()` …
//! assert_eq!(service.count("*/77/RGK/contract"), 2);
//! # Ok(())
//! # }
//! ```
//!
//! A selection's key is `2026-11-20/77/RGK/contract` (day, region, subsystem, type) or
//! `number/RGK/3960100124525000118`; the link to its first archive has that key and `#0`. A
//! `*` in a pattern stands for any part: `*` matches all selections, `*#*` all links.

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

//! Descriptions of the answers: XML schemas, JSON schemas, and the table of fields in the
//! documentation.
//!
//! Each description follows from the fields that a completely filled example writes (`samples.rs`,
//! [`tree`]) and from their meanings ([`meanings`](super::meanings)). So all descriptions have
//! exactly the fields that are written.

mod answer_schema;
mod examples;
pub mod json_schema;
mod samples;
mod samples44;
pub mod tree;
pub mod xsd;

pub use answer_schema::{Answer, AnswerSchema};
pub use examples::answers;

#[cfg(test)]
mod tests;

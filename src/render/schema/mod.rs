//! Descriptions of the answers: XML schemas, JSON schemas, and the table of fields in the
//! documentation.
//!
//! Each description follows from what the record of a completely filled example
//! (`samples.rs`) writes ([`tree`]), and from the meanings of its fields ([`meanings`](super::meanings)). So
//! a field that is written is in all of them, and one that is not is in none.

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

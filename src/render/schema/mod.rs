//! Describes the answers: XML schemas, JSON schemas, and the tables of fields in the documentation.
//!
//! Descriptions are derived from examples in which every field has a value (`samples.rs`,
//! [`tree`]), and from the meanings of fields ([`meanings`](super::meanings)). Therefore they list
//! exactly the fields that answers contain.

mod answer_schema;
mod examples;
pub mod json_schema;
mod outputs;
mod samples;
mod samples44;
pub mod tree;
pub mod xsd;

pub use answer_schema::{Answer, AnswerSchema};
pub use examples::answers;
pub use outputs::outputs;

#[cfg(test)]
mod tests;

//! The code of the fuzz targets. `tests/fuzz/fuzz_targets` runs it with inputs from libFuzzer,
//! `tests/answers/fuzz.rs` with seeds and past failures.
//!
//! The `run` of each target takes an input and panics if the program misbehaves. To add a target, add
//! a module here, a line in [`TARGETS`], a binary in `fuzz_targets` and `Cargo.toml`, and seeds in
//! [`seeds`].

pub mod archives;
pub mod connections;
pub mod documents;
pub mod emitter;
pub mod lines;
pub mod query;
pub mod seeds;

mod answers;
#[allow(dead_code, reason = "only the golden tests use all of this module")]
#[allow(
    clippy::duplicate_mod,
    reason = "the fuzzing programs have no golden tests"
)]
#[path = "../../answers/golden/read_back.rs"]
mod read_back;

/// A target's name and its `run` function.
pub type Target = (&'static str, fn(&[u8]));

pub const TARGETS: [Target; 6] = [
    ("query", query::run),
    ("emitter", emitter::run),
    ("lines", lines::run),
    ("documents", documents::run),
    ("archives", archives::run),
    ("connections", connections::run),
];

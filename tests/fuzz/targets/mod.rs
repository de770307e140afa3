//! The bodies of the fuzz targets: `tests/fuzz/fuzz_targets` drives them with inputs
//! that libFuzzer makes, `tests/answers/fuzz.rs` with those that are kept.
//!
//! Each has a `run` that panics where the program does what it must not do. To add
//! one: a module here, its line in [`TARGETS`], its program in `fuzz_targets` and
//! `Cargo.toml`, its seeds in [`seeds`].

pub mod archives;
pub mod connections;
pub mod documents;
pub mod emitter;
pub mod lines;
pub mod query;
pub mod seeds;

mod answers;
#[allow(dead_code, reason = "the golden tests use more of it")]
#[allow(
    clippy::duplicate_mod,
    reason = "the fuzzing programs have no golden tests"
)]
#[path = "../../answers/golden/read_back.rs"]
mod read_back;

/// A target: its name, and what it does with one input.
pub type Target = (&'static str, fn(&[u8]));

/// All of them.
pub const TARGETS: [Target; 6] = [
    ("query", query::run),
    ("emitter", emitter::run),
    ("lines", lines::run),
    ("documents", documents::run),
    ("archives", archives::run),
    ("connections", connections::run),
];

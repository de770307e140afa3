//! Tests of the library, called in this process: responses, imports, descriptions. `tests/program`
//! runs the program as a user does.

mod api;
mod bad_inputs;
mod demo;
mod described;
mod documents;
#[cfg(target_os = "linux")]
mod engine;
mod files;
mod filters;
#[cfg(target_os = "linux")]
mod fuzz;
mod generate;
mod golden;
mod import;
mod manual;
mod names;
#[cfg(feature = "postgresql")]
mod postgresql;
mod properties;
#[cfg(feature = "postgresql")]
mod publishing;
#[path = "../released.rs"]
mod released;
mod rooms;
mod searching;
mod service;
mod source;
#[cfg(feature = "postgresql")]
mod sources;
mod verdicts;
mod versions;
mod web;
mod workbook;

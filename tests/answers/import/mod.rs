//! Imports of JSON Lines: how invalid lines are reported, which lines replace others, what
//! `--replace-rnp` ends, and that exported lines can be imported again. `tests/program/import`
//! tests the command.

mod bad_lines;
mod coverage;
mod file_form;
pub mod folder;
mod items;
pub mod log;
mod registries;
mod replacing;
mod round_trip;

use procurement_lookup::api::Endpoint;
use procurement_lookup::import::{MAX_LINE, Options, Summary};
use procurement_lookup::store::{self, ReplacedAsOf, Tally};
use proptest::prelude::*;
use serde::Deserialize;
use serde_json::value::RawValue;

use folder::*;

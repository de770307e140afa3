//! Importing JSON Lines: how a bad line is reported, what replaces what, that a repeated
//! import changes nothing, what `--replace-rnp` removes, and that exported lines can be
//! imported. `tests/program/import` has what it does as a command.

mod bad_lines;
mod coverage;
mod file_form;
pub mod folder;
pub mod log;
mod registries;
mod replace_rnp;
mod replacing;
mod round_trip;

use std::fs;

use generate::CASES;
use procurement_lookup::api::{DataSource, Endpoint};
use procurement_lookup::import::{MAX_LINE, Options, Summary, import};
use procurement_lookup::store::{self, Database, ReplacedAsOf, Tally, Writer};
use proptest::prelude::*;
use serde::Deserialize;
use serde_json::value::RawValue;

use folder::*;

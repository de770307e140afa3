//! The migrations of each kind of file, in the order of formats. Released steps never change,
//! because a file of any release goes through all later steps.
//!
//! To change a stored form, add a step here, raise the format of the kind in `file.rs` (or
//! `fetch_ledger.rs` for the ledger), and add the new tables to the schema. The statements of a
//! step describe its own format, and share no code with anything that may change later.

use super::format_2;
use super::migration::Migration;
#[cfg(feature = "trial-format")]
use super::trial_format;

pub(super) const DATA_STEPS: &[Migration] = &[
    format_2::OF_DATA,
    #[cfg(feature = "trial-format")]
    trial_format::OF_DATA,
];

pub(super) const KEYS_STEPS: &[Migration] = &[
    #[cfg(feature = "trial-format")]
    trial_format::OF_KEYS,
];

pub(super) const LEDGER_STEPS: &[Migration] = &[
    #[cfg(feature = "trial-format")]
    trial_format::OF_LEDGER,
];

//! The migrations of each kind of file, in the order of their formats. Released steps never change:
//! a file of any release goes through all that follow it.
//!
//! A change of a stored form is a step here, a raised format of the kind in `file.rs` (for the
//! ledger in `fetch_ledger.rs`), and the new tables in its schema. A step has the
//! statements of its own format; it shares no code with what may change later.

use super::format_2;
use super::migration::Migration;
#[cfg(feature = "trial-format")]
use super::trial_format;

/// Steps of data files.
pub(super) const DATA_STEPS: &[Migration] = &[
    format_2::OF_DATA,
    #[cfg(feature = "trial-format")]
    trial_format::OF_DATA,
];

/// Steps of keys files.
pub(super) const KEYS_STEPS: &[Migration] = &[
    #[cfg(feature = "trial-format")]
    trial_format::OF_KEYS,
];

/// Steps of the ledger of `fetch`.
pub(super) const LEDGER_STEPS: &[Migration] = &[
    #[cfg(feature = "trial-format")]
    trial_format::OF_LEDGER,
];

//! The state of the data, for operators.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use crate::model::{Coverage, Date, RegionCoverage, Registries, UnreadEntries, timestamp};
use crate::store::{self, DataVersion, DiskState, UpdateStatus};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataState {
    /// A random number, replaced by every import that changes anything.
    pub identity: i64,
    /// Number of imports that changed anything.
    pub revision: i64,
    /// Time of the last import that changed anything, in seconds since 1970. For an empty file, the
    /// time of its creation.
    pub updated: i64,
    /// Time of the last import that changed contracts or purchases, in seconds since 1970; `None`
    /// if unknown.
    pub contracts_updated: Option<i64>,
    pub registries: Registries,
    /// Days whose official documents were imported, as sorted and joined runs.
    pub coverage: Arc<[Coverage]>,
    /// RNP inclusions that could not be parsed.
    pub unread: UnreadEntries,
    /// Number of contracts for whose items only codes and sums are known.
    pub contracts_without_items: u64,
    /// Outcome of the last `update`, if there was one.
    pub update: Option<UpdateStatus>,
    /// Size of the file and free space on its disk; `None` if the data is not in a file.
    pub disk: Option<DiskState>,
    /// State of a file that is to replace the current one but is not in use.
    pub new_file: Option<NewFile>,
    /// Number of replacements since the start.
    pub switched: u64,
    /// Number of replacement files that were refused.
    pub refused: u64,
    /// Whether the data is readable now. If no server is reachable, the other fields are those last
    /// known.
    pub is_reachable: bool,
}

/// What is at the data's path while the previous file stays in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NewFile {
    Checking,
    /// The file is unusable, or the path could not be resolved.
    Refused,
    Missing,
}

impl NewFile {
    /// Returns the name used in metrics and in the response of `/readyz`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Checking => "checking",
            Self::Refused => "refused",
            Self::Missing => "missing",
        }
    }
}

impl DataState {
    pub(crate) fn new(
        version: DataVersion,
        registries: Registries,
        coverage: Arc<[Coverage]>,
    ) -> Self {
        Self {
            identity: version.identity,
            revision: version.revision,
            updated: version.updated,
            contracts_updated: None,
            registries,
            coverage,
            unread: UnreadEntries::default(),
            contracts_without_items: 0,
            update: None,
            disk: None,
            new_file: None,
            switched: 0,
            refused: 0,
            is_reachable: true,
        }
    }

    /// Returns `IDENTITY-REVISION`, with the identity in hexadecimal. This text changes whenever
    /// the data changes.
    pub fn version(&self) -> String {
        version_word(self.identity, self.revision)
    }

    /// Returns [`DataState::updated`] as `YYYY-MM-DDTHH:MM:SSZ`, in UTC.
    pub fn updated_at(&self) -> String {
        timestamp(self.updated)
    }

    /// Returns the age of the oldest complete registry, in whole days of Moscow time. Returns `None`
    /// if no registry is complete, or for the demonstration data, whose registries are complete for
    /// every day.
    pub fn registry_age(&self, now: SystemTime) -> Option<Duration> {
        let oldest = self.registries.oldest_complete();
        let complete = oldest.filter(|_| !self.registries.of_every_day)?;
        let days = Date::in_moscow(now).days_since_1970() - complete.days_since_1970();
        let days = u64::try_from(days).unwrap_or(0);
        Some(Duration::from_secs(days.saturating_mul(86_400)))
    }

    /// Groups the coverage by EIS subsystem and region.
    pub fn regions(&self) -> Vec<RegionCoverage<'_>> {
        RegionCoverage::all(&self.coverage)
    }

    /// Returns the time since the last change, in seconds. The time is negative if the clock has
    /// been set back to before the last change.
    pub fn age_seconds(&self, now: SystemTime) -> i64 {
        store::seconds(now).saturating_sub(self.updated)
    }
}

pub(crate) fn version_word(identity: i64, revision: i64) -> String {
    format!("{identity:016x}-{revision}")
}

//! The data as operators see it.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use crate::model::{Coverage, Date, RegionCoverage, Registries, UnreadEntries, timestamp};
use crate::store::{self, DataVersion, DiskState, UpdateStatus};

/// The data as operators see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataState {
    /// A random number that each effective import replaces.
    pub identity: i64,
    /// The number of imports that changed anything.
    pub revision: i64,
    /// The time of the last import that changed anything, in seconds since 1970. For an empty file
    /// it is the time of its creation.
    pub updated: i64,
    /// The known state of the registries of unfair suppliers.
    pub registries: Registries,
    /// The coverage of the obtained documents: sorted, joined runs of days.
    pub coverage: Arc<[Coverage]>,
    /// The inclusions in registries that could not be read.
    pub unread: UnreadEntries,
    /// The number of contracts of whose items nothing but codes and sums is known.
    pub contracts_without_items: u64,
    /// The outcome of the last `update`, if there was one.
    pub update: Option<UpdateStatus>,
    /// The size of the file and the free space on its disk; none if the data is in no file.
    pub disk: Option<DiskState>,
    /// The state of a replacement file that is not in use.
    pub new_file: Option<NewFile>,
    /// The number of replacements since the start.
    pub switched: u64,
    /// The number of refused replacement files.
    pub refused: u64,
    /// Whether the data can be read now. An unreachable server may return later, with this data or
    /// newer.
    pub is_reachable: bool,
}

/// The state of the data's path while the previous file goes on being used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NewFile {
    /// The file is being checked.
    Checking,
    /// The file cannot be used, or the path cannot be followed.
    Refused,
    /// There is no file.
    Missing,
}

impl NewFile {
    /// Returns the name in metrics and readiness.
    pub fn name(self) -> &'static str {
        match self {
            Self::Checking => "checking",
            Self::Refused => "refused",
            Self::Missing => "missing",
        }
    }
}

impl DataState {
    /// Returns readable data that was neither updated nor replaced.
    pub(crate) fn new(
        version: DataVersion,
        registries: Registries,
        coverage: Arc<[Coverage]>,
    ) -> Self {
        Self {
            identity: version.identity,
            revision: version.revision,
            updated: version.updated,
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

    /// Returns the version as `IDENTITY-REVISION`, the identity in hexadecimal digits. It changes
    /// with every change of the data.
    pub fn version(&self) -> String {
        version_word(self.identity, self.revision)
    }

    /// Returns the time of the last effective import: `YYYY-MM-DDTHH:MM:SSZ`.
    pub fn updated_at(&self) -> String {
        timestamp(self.updated)
    }

    /// Returns the age of the oldest complete registry at `now`, in whole days of Moscow; none if
    /// no registry is declared complete.
    pub fn registry_age(&self, now: SystemTime) -> Option<Duration> {
        let oldest = self.registries.oldest_complete();
        let complete = oldest.filter(|_| !self.registries.of_every_day)?;
        let days = Date::in_moscow(now).days_since_1970() - complete.days_since_1970();
        let days = u64::try_from(days).unwrap_or(0);
        Some(Duration::from_secs(days.saturating_mul(86_400)))
    }

    /// Returns the coverage of the documents by part of EIS and region.
    pub fn regions(&self) -> Vec<RegionCoverage<'_>> {
        RegionCoverage::all(&self.coverage)
    }

    /// Returns the age of the data at `now`, in seconds. It is negative if the clock has gone back
    /// past the last change.
    pub fn age_seconds(&self, now: SystemTime) -> i64 {
        store::seconds(now).saturating_sub(self.updated)
    }
}

/// Formats the version of data.
pub(crate) fn version_word(identity: i64, revision: i64) -> String {
    format!("{identity:016x}-{revision}")
}

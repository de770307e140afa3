//! The data as an operator sees it.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use crate::model::{Coverage, Date, RegionCoverage, Registries, timestamp};
use crate::store::{self, DataVersion, DiskState, UpdateStatus};

/// The data as an operator sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataState {
    /// A random number that each import that changes anything gives it anew.
    pub identity: i64,
    /// How many imports have changed anything in it.
    pub revision: i64,
    /// The time of the last import that changed anything (of an empty file: when it was
    /// made), in seconds since 1970.
    pub updated: i64,
    /// What is known of the registries of unfair suppliers.
    pub registries: Registries,
    /// Which official documents were obtained: runs of days, sorted and joined.
    pub coverage: Arc<[Coverage]>,
    /// The outcome of the last `update`, if there was one.
    pub update: Option<UpdateStatus>,
    /// The size of its file and the room on that disk; none where it is in no file.
    pub disk: Option<DiskState>,
    /// What is known of a file that is to take its place and has not.
    pub new_file: Option<NewFile>,
    /// How often another file has taken its place since the start.
    pub switched: u64,
    /// How many files were refused that were to.
    pub refused: u64,
    /// Can it be read now? A server that cannot be reached may be reached later, and then has
    /// this data or newer.
    pub is_reachable: bool,
}

/// A file at the data's path that is not answered from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NewFile {
    /// It is being checked.
    Checking,
    /// It cannot be answered from.
    Refused,
}

impl NewFile {
    /// In operators' words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Checking => "checking",
            Self::Refused => "refused",
        }
    }
}

impl DataState {
    /// Data that can be read, and was neither updated nor replaced.
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
            update: None,
            disk: None,
            new_file: None,
            switched: 0,
            refused: 0,
            is_reachable: true,
        }
    }

    /// Which data it is, in one word: `IDENTITY-REVISION`, the identity in hexadecimal
    /// digits. It changes whenever the data does.
    pub fn version(&self) -> String {
        version_word(self.identity, self.revision)
    }

    /// When an import last changed anything: `YYYY-MM-DDTHH:MM:SSZ`.
    pub fn updated_at(&self) -> String {
        timestamp(self.updated)
    }

    /// How long ago at `now` the oldest of the complete registries was complete, in whole
    /// days of Moscow; none where none is declared.
    pub fn registry_age(&self, now: SystemTime) -> Option<Duration> {
        let oldest = self.registries.oldest_complete();
        let complete = oldest.filter(|_| !self.registries.of_every_day)?;
        let days = Date::in_moscow(now).days_since_1970() - complete.days_since_1970();
        let days = u64::try_from(days).unwrap_or(0);
        Some(Duration::from_secs(days.saturating_mul(86_400)))
    }

    /// How far the documents reach that were obtained, by part of EIS and region.
    pub fn regions(&self) -> Vec<RegionCoverage<'_>> {
        RegionCoverage::all(&self.coverage)
    }

    /// How old the data is at `now`, in seconds; negative where the clock has gone back to before
    /// the last change.
    pub fn age_seconds(&self, now: SystemTime) -> i64 {
        store::seconds(now).saturating_sub(self.updated)
    }
}

/// Which data it is, in one word.
pub(crate) fn version_word(identity: i64, revision: i64) -> String {
    format!("{identity:016x}-{revision}")
}

//! Where responses come from in the tests: from a file, or, with `ANSWERS_FROM=postgresql`, from a
//! server to which the file is published.

use std::path::{Path, PathBuf};

use procurement_lookup::api::DataSource;

#[cfg(feature = "postgresql")]
use crate::postgresql::PublishedFile;

pub fn is_server() -> bool {
    std::env::var_os("ANSWERS_FROM").is_some()
}

pub enum Source {
    File(PathBuf),
    #[cfg(feature = "postgresql")]
    Server(PublishedFile),
}

impl Source {
    /// Returns the source for the file at `path`.
    pub fn new(path: &Path) -> Self {
        match std::env::var("ANSWERS_FROM") {
            #[cfg(feature = "postgresql")]
            Ok(from) if from == "postgresql" => Self::Server(PublishedFile::new(path)),
            Ok(from) => panic!("ANSWERS_FROM={from}: not in this build"),
            Err(_) => Self::File(path.to_owned()),
        }
    }

    pub fn data(&self) -> DataSource {
        match self {
            Self::File(path) => DataSource::File(path.clone()),
            #[cfg(feature = "postgresql")]
            Self::Server(published) => published.data(),
        }
    }

    /// Switches to the current file at the path.
    pub fn follow(&self) {
        match self {
            Self::File(_) => {}
            #[cfg(feature = "postgresql")]
            Self::Server(published) => published.follow(),
        }
    }

    /// If responses come from a server, executes a statement on it and returns the number of
    /// changed rows.
    #[cfg_attr(
        not(feature = "postgresql"),
        allow(unused_variables, reason = "there is no server then")
    )]
    pub fn sql_on_server(&self, statement: &str) -> Option<usize> {
        match self {
            Self::File(_) => None,
            #[cfg(feature = "postgresql")]
            Self::Server(published) => Some(published.sql(statement)),
        }
    }
}

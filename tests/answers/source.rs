//! Where the tests' answers come from: the file itself or, with `ANSWERS_FROM=postgresql` in the
//! environment, a server that the file is published to.

use std::path::{Path, PathBuf};

use procurement_lookup::api::DataSource;

#[cfg(feature = "postgresql")]
use crate::postgresql::PublishedFile;

/// Whether answers come from a server.
pub fn is_server() -> bool {
    std::env::var_os("ANSWERS_FROM").is_some()
}

/// The source of the answers from a file.
pub enum Source {
    File(PathBuf),
    #[cfg(feature = "postgresql")]
    Server(PublishedFile),
}

impl Source {
    /// Of the file at `path`, which is there.
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

    /// From now on answers are from the file that is there now.
    pub fn follow(&self) {
        match self {
            Self::File(_) => {}
            #[cfg(feature = "postgresql")]
            Self::Server(published) => published.follow(),
        }
    }

    /// Executes a statement on the server, if answers come from one. Returns how many rows that
    /// changed.
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

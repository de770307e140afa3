use std::io::{self, Read};

use super::super::error::Checked;
use super::LookupResult;
use super::file_body::LargeBody;
use crate::model::Ground;
use crate::render::RowCount;

#[derive(Debug)]
pub struct Answered {
    pub body: AnswerBody,
    pub findings: Findings,
    /// What the verdicts are based on, for the receipt. `None` if there are no verdicts.
    pub ground: Option<Ground>,
}

/// A response body, before or after compression.
#[derive(Debug)]
pub enum AnswerBody {
    Memory(Vec<u8>),
    /// A table that is too large for memory.
    Large(LargeBody),
}

/// What an answer says outside the body: in headers and in the audit trail.
#[derive(Clone, Debug)]
pub struct Findings {
    pub result: LookupResult,
    /// The next cursor, if only a header can contain it.
    pub next: Option<String>,
    /// The verdict, if only a header can contain it.
    pub checked: Option<Checked>,
}

impl Answered {
    /// Creates an answer whose body says everything.
    pub fn new(body: AnswerBody, result: LookupResult) -> Self {
        Self {
            body,
            findings: Findings {
                result,
                next: None,
                checked: None,
            },
            ground: None,
        }
    }
}

impl Findings {
    /// Returns the row counts of an answer that may contain only some of the rows found. Returns
    /// `None` for other answers.
    pub fn rows(&self) -> Option<RowCount> {
        match self.result {
            LookupResult::Rows(rows) => Some(rows),
            _ => None,
        }
    }
}

impl AnswerBody {
    /// Clears the body, because the client already has it.
    pub fn clear(&mut self) {
        match self {
            // Keep the buffer for the next answer.
            Self::Memory(body) => body.clear(),
            Self::Large(_) => *self = Self::Memory(Vec::new()),
        }
    }

    /// Returns the whole body.
    ///
    /// # Errors
    /// Returns an error if the body is in a file that is unreadable.
    pub fn into_bytes(self) -> io::Result<Vec<u8>> {
        match self {
            Self::Memory(body) => Ok(body),
            Self::Large(LargeBody::Unwritten | LargeBody::Abandoned) => Ok(Vec::new()),
            Self::Large(LargeBody::File(file)) => {
                let mut body = Vec::new();
                file.reader()?.read_to_end(&mut body)?;
                Ok(body)
            }
        }
    }
}

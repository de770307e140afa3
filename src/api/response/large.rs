//! Large answers: who may make one, and where it goes.
//!
//! A large answer is a table that is written to a file, or an answer based on very many contracts
//! ([`CONTRACTS_OUT_OF_TURN`]). It occupies a [`Place`] from the moment the request turns out to
//! need one until the client has read the answer (`places.rs`).
//!
//! A server makes fewer large answers at a time than it has workers. Each request comes with a
//! [`Turn`]. The first attempt at a large answer takes a place and stops before making anything.
//! The request then waits, and the second attempt uses that place.

use std::cell::RefCell;
use std::fs::File;
use std::sync::Arc;

use super::super::error::{ErrorKind, Failure};
use super::Quota;
use super::answered::AnswerBody;
use super::file_body::{FileBody, LargeBody};
use super::places::{Place, Places};
use crate::render::{RenderError, TableFile};

/// An answer that reads the facets of more contracts than this has to wait for its turn. Reading
/// that many takes about 30 ms.
pub const CONTRACTS_OUT_OF_TURN: u64 = 20_000;

/// A request's permission to make a large answer: whether it may make one now, and the [`Place`]
/// that it has already taken, if any.
pub struct Turn<'a> {
    attempt: Attempt,
    place: RefCell<Option<Place>>,
    is_gone: &'a (dyn Fn() -> bool + Sync),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Attempt {
    /// The only attempt: no server is involved.
    Only,
    /// The first attempt: a large answer has to wait.
    First,
    /// The second attempt: the request has waited, and a large answer may be made.
    Second,
}

impl<'a> Turn<'a> {
    /// Returns the turn of a request that is answered immediately, outside of a server.
    pub fn now() -> Self {
        Self {
            attempt: Attempt::Only,
            place: RefCell::default(),
            is_gone: &|| false,
        }
    }

    /// Returns the turn of a request to a server. Without a `place`, this is the first attempt;
    /// with the place that the first attempt took, it is the second. `is_gone` tells whether the
    /// client has disconnected.
    pub fn new(place: Option<Place>, is_gone: &'a (dyn Fn() -> bool + Sync)) -> Self {
        Self {
            attempt: match place {
                None => Attempt::First,
                Some(_) => Attempt::Second,
            },
            place: RefCell::new(place),
            is_gone,
        }
    }

    /// Returns how many contracts may be read now; `None` means any number.
    pub(in crate::api) fn most_contracts(&self) -> Option<u64> {
        (self.attempt == Attempt::First).then_some(CONTRACTS_OUT_OF_TURN)
    }

    /// Returns whether the request has waited for its turn, in which case it was already counted.
    pub(in crate::api) fn has_come(&self) -> bool {
        self.attempt == Attempt::Second
    }

    /// Returns whether the client has disconnected while the request was waiting, so that nobody
    /// would read an answer.
    pub(in crate::api) fn is_abandoned(&self) -> bool {
        self.has_come() && (self.is_gone)()
    }

    /// The key's quota as of when the request was counted, if the request has waited.
    pub(in crate::api) fn quota(&self) -> Option<Quota> {
        self.place.borrow().as_ref().and_then(|place| place.quota)
    }

    /// Returns the place that the request holds while it waits; `None` if the request was answered.
    /// `quota` is the key's quota from when the request was counted.
    pub(in crate::api) fn waiting(self, quota: Option<Quota>) -> Option<Place> {
        let is_first = self.attempt == Attempt::First;
        let mut place = self.place.take().filter(|_| is_first)?;
        place.quota = quota;
        Some(place)
    }
}

/// What a handler needs in order to make a large answer.
#[derive(Clone, Copy)]
pub struct Large<'a> {
    pub turn: &'a Turn<'a>,
    pub places: &'a Arc<Places>,
    /// Name of the client's key; `None` for an offline lookup.
    pub key: Option<&'a Arc<str>>,
    /// `false` for a HEAD request, or if the client already has the body.
    pub needs_body: bool,
}

impl<'a> Large<'a> {
    /// Returns whether anyone still waits for the body.
    pub fn is_wanted(&self) -> bool {
        self.needs_body && !(self.turn.is_gone)()
    }

    /// Reserves disk space for the large answer that the caller is about to make.
    ///
    /// # Errors
    /// Fails if too many large answers are in progress, or if the request has to wait for its turn.
    pub fn begin(&self) -> Result<(), Failure> {
        let Some(key) = self.key else {
            return Ok(());
        };
        let mut place = self.take_place(key);
        let room = place.take_room();
        room.map_err(Failure::from)?;
        *self.turn.place.borrow_mut() = Some(place);
        match self.turn.attempt {
            // Nobody sees this failure: it only makes the request wait.
            Attempt::First => Err(ErrorKind::Server.into()),
            Attempt::Only | Attempt::Second => Ok(()),
        }
    }

    /// Makes the request wait for its turn, because the answer is based on more than
    /// [`CONTRACTS_OUT_OF_TURN`] contracts.
    pub fn wait(&self) {
        if let Some(key) = self.key {
            let place = self.take_place(key);
            *self.turn.place.borrow_mut() = Some(place);
        }
    }

    fn take_place(&self, key: &Arc<str>) -> Place {
        let taken = self.turn.place.take();
        taken.unwrap_or_else(|| self.places.take(key))
    }

    pub fn file(self) -> LargeFile<'a> {
        LargeFile {
            large: self,
            file: None,
            failure: None,
        }
    }
}

/// Creates the temporary file of a large table on demand. Keeps the failure if the answer is refused
/// or has to wait for its turn.
pub struct LargeFile<'a> {
    large: Large<'a>,
    file: Option<File>,
    failure: Option<Failure>,
}

impl TableFile for LargeFile<'_> {
    fn open(&mut self) -> Result<File, RenderError> {
        if !self.large.is_wanted() {
            return Err(RenderError::Stopped);
        }
        if let Err(failure) = self.large.begin() {
            self.failure = Some(failure);
            return Err(RenderError::Stopped);
        }
        let failed = |error| RenderError::NotWritten(format!("a temporary file: {error}"));
        let file = tempfile::tempfile().map_err(failed)?;
        self.file = Some(file.try_clone().map_err(failed)?);
        Ok(file)
    }

    fn is_unwanted(&self) -> &(dyn Fn() -> bool + Sync) {
        self.large.turn.is_gone
    }
}

impl LargeFile<'_> {
    /// Returns the body after the table has been written; `None` if the table stayed in memory.
    ///
    /// # Errors
    /// Returns an error if the table could not be written, or has to wait for its turn.
    pub fn finish(self, written: Result<(), RenderError>) -> Result<Option<AnswerBody>, Failure> {
        match (written, self.failure, self.file) {
            (_, Some(failure), _) => Err(failure),
            (Err(RenderError::Stopped), None, _) => {
                Ok(Some(AnswerBody::Large(LargeBody::Unwritten)))
            }
            (Err(error), None, _) => Err(error.into()),
            (Ok(()), None, None) => Ok(None),
            (Ok(()), None, Some(file)) => {
                let place = self.large.turn.place.take();
                let body = FileBody::new(file, place)?;
                Ok(Some(AnswerBody::Large(LargeBody::File(body))))
            }
        }
    }
}

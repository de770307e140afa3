//! Large answers: who may make one, and where it goes.
//!
//! A large answer is a table that is written to a file, or an answer from very many contracts
//! ([`CONTRACTS_OUT_OF_TURN`]). It has a [`Place`] from the time when its request is known to need one until its
//! client has read it (`places.rs`).
//!
//! A server also makes fewer large answers at once than it has workers. It passes a [`Turn`] with
//! each request: the first attempt takes a place and ends before anything is made; the request
//! then waits, and the second attempt has that place.

use std::cell::RefCell;
use std::fs::File;
use std::sync::Arc;

use super::super::error::{ErrorKind, Failure};
use super::Quota;
use super::answered::AnswerBody;
use super::file_body::{FileBody, LargeBody};
use super::places::{Place, Places};
use crate::render::{RenderError, TableFile};

/// The most contracts whose facets are read for an answer that has not waited for its turn. To read
/// as many takes some 30 ms.
pub const CONTRACTS_OUT_OF_TURN: u64 = 20_000;

/// The turn of a request whose answer may be large.
pub struct Turn<'a> {
    attempt: Attempt,
    place: RefCell<Option<Place>>,
    is_gone: &'a (dyn Fn() -> bool + Sync),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Attempt {
    /// The only one, outside of a server.
    Only,
    /// A large answer is not made now, but when its turn has come.
    First,
    /// The turn has come.
    Second,
}

impl<'a> Turn<'a> {
    /// Returns the turn of a request that is answered at once, outside of a server.
    pub fn now() -> Self {
        Self {
            attempt: Attempt::Only,
            place: RefCell::default(),
            is_gone: &|| false,
        }
    }

    /// Returns the turn of a request to a server: the first attempt, or the second one with the
    /// `place` that the first took. `is_gone` tells whether the client is gone.
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

    /// Returns the most contracts whose facets may be read now; `None` for any number.
    pub(in crate::api) fn most_contracts(&self) -> Option<u64> {
        (self.attempt == Attempt::First).then_some(CONTRACTS_OUT_OF_TURN)
    }

    /// Returns whether the request has waited for its turn. It was counted before.
    pub(in crate::api) fn has_come(&self) -> bool {
        self.attempt == Attempt::Second
    }

    /// Returns the quota of the key when the request was counted, if it has waited.
    pub(in crate::api) fn quota(&self) -> Option<Quota> {
        self.place.borrow().as_ref().and_then(|place| place.quota)
    }

    /// Returns the place with which the request has to wait for its turn; `None` if it was answered.
    /// `quota` is the one that it was counted with.
    pub(in crate::api) fn waiting(self, quota: Option<Quota>) -> Option<Place> {
        let is_first = self.attempt == Attempt::First;
        let mut place = self.place.take().filter(|_| is_first)?;
        place.quota = quota;
        Some(place)
    }
}

/// How a large answer to one request is made.
#[derive(Clone, Copy)]
pub struct Large<'a> {
    pub turn: &'a Turn<'a>,
    pub places: &'a Arc<Places>,
    /// The name of the client's key; none for someone who can read the database file.
    pub key: Option<&'a Arc<str>>,
    /// Whether the client needs the body: not for HEAD, nor if the client has it.
    pub needs_body: bool,
}

impl<'a> Large<'a> {
    /// Returns whether somebody waits for a large answer: the client needs its body, and is there.
    pub fn is_wanted(&self) -> bool {
        self.needs_body && !(self.turn.is_gone)()
    }

    /// Begins to make a large answer on the disk.
    ///
    /// # Errors
    /// There is no place, or the request has to wait for its turn.
    pub fn begin(&self) -> Result<(), Failure> {
        let Some(key) = self.key else {
            return Ok(());
        };
        let mut place = self.take_place(key);
        let room = place.take_room();
        room.map_err(Failure::from)?;
        *self.turn.place.borrow_mut() = Some(place);
        match self.turn.attempt {
            // Nobody sees the failure: the request waits.
            Attempt::First => Err(ErrorKind::Server.into()),
            Attempt::Only | Attempt::Second => Ok(()),
        }
    }

    /// Takes a place for an answer from too many contracts to be made out of turn.
    pub fn wait(&self) {
        if let Some(key) = self.key {
            let place = self.take_place(key);
            *self.turn.place.borrow_mut() = Some(place);
        }
    }

    /// Returns the request's place, or a new one.
    fn take_place(&self, key: &Arc<str>) -> Place {
        let taken = self.turn.place.take();
        taken.unwrap_or_else(|| self.places.take(key))
    }

    /// Returns the file of a table that may become large.
    pub fn file(self) -> LargeFile<'a> {
        LargeFile {
            large: self,
            file: None,
            failure: None,
        }
    }
}

/// The file of a table that may become large.
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
    /// Returns the body after the table was written; none if it stayed in memory.
    ///
    /// # Errors
    /// The table could not be written, or has to wait for its turn.
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

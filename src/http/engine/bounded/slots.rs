//! The table of connections: each stands in its slot while no worker has it.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::connection::Connection;
use super::deadlines::NEVER;
use super::state::State;

/// A table of fixed size.
pub struct Slots {
    slots: Box<[Mutex<Slot>]>,
    vacant: Mutex<Vec<u32>>,
}

#[derive(Default)]
struct Slot {
    /// How often the slot was given away: an event for a connection that had it before has
    /// another number.
    generation: u32,
    /// Until when the connection may stand here.
    deadline: u64,
    connection: Option<Box<Connection>>,
    /// An event came while a worker had the connection.
    has_missed: bool,
}

/// A slot, as one connection has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    index: u32,
    generation: u32,
}

impl Token {
    /// It as a number that fits an event; the topmost bit is not set.
    pub fn to_u64(self) -> u64 {
        u64::from(self.index) << 32 | u64::from(self.generation)
    }

    /// The token that [`Token::to_u64`] made a number of.
    pub fn from_u64(number: u64) -> Self {
        Self {
            index: (number >> 32) as u32,
            generation: number as u32,
        }
    }
}

impl Slots {
    /// A table with `count` slots.
    pub fn new(count: u32) -> Self {
        Self {
            slots: (0..count).map(|_| Mutex::default()).collect(),
            // The lowest are given away first.
            vacant: Mutex::new((0..count).rev().collect()),
        }
    }

    /// How many slots there are.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    fn slot(&self, index: usize) -> Option<MutexGuard<'_, Slot>> {
        let slot = self.slots.get(index)?;
        Some(slot.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn slot_of(&self, token: Token) -> Option<MutexGuard<'_, Slot>> {
        let slot = self.slot(token.index as usize)?;
        (slot.generation == token.generation).then_some(slot)
    }

    fn vacant(&self) -> MutexGuard<'_, Vec<u32>> {
        self.vacant.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A slot for a new connection; none where all are taken.
    pub fn take_vacant(&self) -> Option<Token> {
        let index = self.vacant().pop()?;
        let mut slot = self.slot(index as usize)?;
        slot.generation = slot.generation.wrapping_add(1);
        slot.has_missed = false;
        let generation = slot.generation;
        Some(Token { index, generation })
    }

    /// The slot of a connection that is no more.
    pub fn vacate(&self, token: Token) {
        self.vacant().push(token.index);
    }

    /// Leaves a connection in its slot until `deadline`. `arm` makes sure that its next event
    /// comes; it is passed whether one was missed while a worker had the connection.
    ///
    /// # Errors
    /// The error of `arm`, with the connection.
    pub fn put<E>(
        &self,
        token: Token,
        connection: Box<Connection>,
        deadline: u64,
        arm: impl FnOnce(&mut Connection, bool) -> Result<(), E>,
    ) -> Result<(), (E, Box<Connection>)> {
        let Some(mut slot) = self.slot_of(token) else {
            debug_assert!(false, "a connection without its slot");
            return Ok(());
        };
        let mut connection = connection;
        let has_missed = std::mem::take(&mut slot.has_missed);
        // Under the lock: a worker that gets the event waits until the connection is here.
        if let Err(error) = arm(&mut connection, has_missed) {
            return Err((error, connection));
        }
        slot.deadline = deadline;
        slot.connection = Some(connection);
        Ok(())
    }

    /// Takes a connection out because of an event. If a worker has it, there is none, and the
    /// event is noted for when it is put back.
    pub fn take(&self, token: Token) -> Option<Box<Connection>> {
        let mut slot = self.slot_of(token)?;
        let connection = slot.connection.take();
        slot.has_missed = connection.is_none();
        connection
    }

    /// Takes the connection of slot `index`, if its deadline is at `now` or before.
    ///
    /// # Errors
    /// It is later: the deadline, [`NEVER`] where there is no connection.
    pub fn take_due(&self, index: usize, now: u64) -> Result<(Token, Box<Connection>), u64> {
        let mut slot = self.slot(index).ok_or(NEVER)?;
        if slot.connection.is_some() && slot.deadline > now {
            return Err(slot.deadline);
        }
        let connection = slot.connection.take().ok_or(NEVER)?;
        let token = Token {
            index: index as u32,
            generation: slot.generation,
        };
        Ok((token, connection))
    }

    /// Takes the connection whose response has waited longest for its client, if its
    /// deadline is before `before`.
    pub fn take_most_stalled(&self, before: u64) -> Option<(Token, Box<Connection>)> {
        let waiting = |index: usize| {
            let slot = self.slot(index)?;
            let state = slot.connection.as_ref()?.state;
            let stalled = matches!(state, State::Writing(_)) && slot.deadline < before;
            stalled.then_some((slot.deadline, index))
        };
        let (deadline, index) = (0..self.len()).filter_map(waiting).min()?;
        // It may have moved on in between; then there is none at this deadline.
        self.take_due(index, deadline).ok()
    }
}

//! The table of connections. Every connection is in its slot, except while a worker is handling it.

use std::sync::{Mutex, MutexGuard};

use super::connection::Connection;
use super::deadlines::NEVER;
use super::state::State;
use crate::http::lock::locked;

pub struct Slots {
    slots: Box<[Mutex<Slot>]>,
    vacant: Mutex<Vec<u32>>,
}

#[derive(Default)]
struct Slot {
    /// Number of connections that have used the slot. Events of earlier connections carry a lower
    /// number.
    generation: u32,
    deadline: u64,
    connection: Option<Box<Connection>>,
    /// Whether an event arrived while a worker had the connection out of its slot.
    has_missed: bool,
}

/// Identifies one connection's use of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    index: u32,
    generation: u32,
}

impl Token {
    /// Returns the token as a number for epoll. The highest bit is always clear.
    pub fn to_u64(self) -> u64 {
        u64::from(self.index) << 32 | u64::from(self.generation)
    }

    pub fn from_u64(number: u64) -> Self {
        Self {
            index: (number >> 32) as u32,
            generation: number as u32,
        }
    }
}

impl Slots {
    pub fn new(count: u32) -> Self {
        Self {
            slots: (0..count).map(|_| Mutex::default()).collect(),
            // Slots with low indexes are used first.
            vacant: Mutex::new((0..count).rev().collect()),
        }
    }

    pub fn len(&self) -> usize {
        self.slots.len()
    }

    fn slot(&self, index: usize) -> Option<MutexGuard<'_, Slot>> {
        let slot = self.slots.get(index)?;
        Some(locked(slot))
    }

    fn slot_of(&self, token: Token) -> Option<MutexGuard<'_, Slot>> {
        let slot = self.slot(token.index as usize)?;
        (slot.generation == token.generation).then_some(slot)
    }

    /// Reserves a slot for a new connection. Returns `None` if all slots are taken.
    pub fn take_vacant(&self) -> Option<Token> {
        let index = locked(&self.vacant).pop()?;
        let mut slot = self.slot(index as usize)?;
        slot.generation = slot.generation.wrapping_add(1);
        slot.has_missed = false;
        let generation = slot.generation;
        Some(Token { index, generation })
    }

    pub fn vacate(&self, token: Token) {
        locked(&self.vacant).push(token.index);
    }

    /// Puts a connection into its slot until `deadline`. `arm` requests the next event of the
    /// socket. Its argument says whether an event arrived while a worker had the connection.
    ///
    /// # Errors
    /// Returns the error of `arm` together with the connection.
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
        // Arm the event while the slot is locked, so that a worker that gets the event finds the
        // connection in its slot.
        if let Err(error) = arm(&mut connection, has_missed) {
            return Err((error, connection));
        }
        slot.deadline = deadline;
        slot.connection = Some(connection);
        Ok(())
    }

    /// Takes a connection out to handle an event. If a worker already has the connection, records
    /// the event and returns `None`.
    pub fn take(&self, token: Token) -> Option<Box<Connection>> {
        let mut slot = self.slot_of(token)?;
        let connection = slot.connection.take();
        slot.has_missed = connection.is_none();
        connection
    }

    /// Takes the connection in slot `index` if its deadline has passed.
    ///
    /// # Errors
    /// Returns the slot's deadline if it has not passed, or [`NEVER`] if the slot is empty.
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

    /// Takes the connection whose client has gone longest without reading, if the client has been
    /// stalled since `before`.
    pub fn take_most_stalled(&self, before: u64) -> Option<(Token, Box<Connection>)> {
        let stalled_since = |slot: &Slot| {
            let connection = slot.connection.as_ref()?;
            let is_stalled =
                matches!(connection.state, State::Writing(_)) && connection.took_at <= before;
            is_stalled.then_some(connection.took_at)
        };
        let waiting = |index: usize| {
            let slot = self.slot(index)?;
            Some((stalled_since(&slot)?, index))
        };
        let (since, index) = (0..self.len()).filter_map(waiting).min()?;
        let mut slot = self.slot(index)?;
        // Another worker may have taken the connection in the meantime and sent something.
        stalled_since(&slot).filter(|now| *now == since)?;
        let token = Token {
            index: index as u32,
            generation: slot.generation,
        };
        Some((token, slot.connection.take()?))
    }
}

//! The table of connections. Each is in its slot while no worker has it.

use std::sync::{Mutex, MutexGuard};

use super::connection::Connection;
use super::deadlines::NEVER;
use super::state::State;
use crate::http::lock::locked;

/// A table of fixed size.
pub struct Slots {
    slots: Box<[Mutex<Slot>]>,
    vacant: Mutex<Vec<u32>>,
}

#[derive(Default)]
struct Slot {
    /// The number of connections that had the slot. An event for an earlier one has another number.
    generation: u32,
    /// The deadline of the connection in this slot.
    deadline: u64,
    connection: Option<Box<Connection>>,
    /// Whether an event came while a worker had the connection.
    has_missed: bool,
}

/// A slot in its use by one connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    index: u32,
    generation: u32,
}

impl Token {
    /// Returns a number for events, without the topmost bit.
    pub fn to_u64(self) -> u64 {
        u64::from(self.index) << 32 | u64::from(self.generation)
    }

    /// Returns the token with this number from [`Token::to_u64`].
    pub fn from_u64(number: u64) -> Self {
        Self {
            index: (number >> 32) as u32,
            generation: number as u32,
        }
    }
}

impl Slots {
    /// Returns a table with `count` slots.
    pub fn new(count: u32) -> Self {
        Self {
            slots: (0..count).map(|_| Mutex::default()).collect(),
            // The lowest are given away first.
            vacant: Mutex::new((0..count).rev().collect()),
        }
    }

    /// Returns the number of slots.
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

    /// Takes a slot for a new connection; none if all are taken.
    pub fn take_vacant(&self) -> Option<Token> {
        let index = locked(&self.vacant).pop()?;
        let mut slot = self.slot(index as usize)?;
        slot.generation = slot.generation.wrapping_add(1);
        slot.has_missed = false;
        let generation = slot.generation;
        Some(Token { index, generation })
    }

    /// Frees the slot of a closed connection.
    pub fn vacate(&self, token: Token) {
        locked(&self.vacant).push(token.index);
    }

    /// Puts a connection in its slot until `deadline`. `arm` requests its next event; its argument
    /// tells whether one came while a worker had the connection.
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
        // Under the lock, so that a worker with the event waits for the connection.
        if let Err(error) = arm(&mut connection, has_missed) {
            return Err((error, connection));
        }
        slot.deadline = deadline;
        slot.connection = Some(connection);
        Ok(())
    }

    /// Takes a connection out for an event. If a worker has it, returns none and notes the event.
    pub fn take(&self, token: Token) -> Option<Box<Connection>> {
        let mut slot = self.slot_of(token)?;
        let connection = slot.connection.take();
        slot.has_missed = connection.is_none();
        connection
    }

    /// Takes the connection of slot `index`, if its deadline is at `now` or before.
    ///
    /// # Errors
    /// The later deadline; [`NEVER`] without a connection.
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

    /// Takes the connection whose client has read nothing for the longest time, if that is since
    /// `before`.
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
        // Another worker may have taken it meanwhile, and sent something.
        stalled_since(&slot).filter(|now| *now == since)?;
        let token = Token {
            index: index as u32,
            generation: slot.generation,
        };
        Some((token, slot.connection.take()?))
    }
}

//! The table of connections: where each is while no worker holds it, and until
//! when it may be there.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::connection::{Connection, State};

/// No deadline; nobody there.
pub const NEVER: u64 = u64::MAX;

/// A table of fixed size.
pub struct Slots {
    slots: Box<[Slot]>,
    free: Mutex<Vec<u32>>,
}

#[derive(Default)]
struct Slot {
    /// The connection's deadline, in milliseconds of the server, for a look
    /// without the lock: twice it, and one more where an answer waits.
    due: AtomicU64,
    held: Mutex<Held>,
}

#[derive(Default)]
struct Held {
    /// How often the slot has been given away, so that an event for one that had
    /// it before is told apart.
    generation: u32,
    connection: Option<Box<Connection>>,
}

/// A slot, as one connection has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    index: u32,
    generation: u32,
}

impl Token {
    /// As a number that fits an event; the topmost bit is not set.
    pub fn to_u64(self) -> u64 {
        u64::from(self.index) << 32 | u64::from(self.generation)
    }

    /// The token of a number.
    pub fn of_u64(number: u64) -> Self {
        // Each half fits by its making.
        Self {
            index: (number >> 32) as u32,
            generation: number as u32,
        }
    }
}

impl Slots {
    /// A table with `count` slots.
    pub fn new(count: u32) -> Self {
        let slots: Box<[Slot]> = (0..count).map(|_| Slot::default()).collect();
        for slot in &slots {
            slot.due.store(NEVER, Ordering::Relaxed);
        }
        Self {
            slots,
            // The lowest first, so that a look over all stays within few.
            free: Mutex::new((0..count).rev().collect()),
        }
    }

    fn held(&self, token: Token) -> Option<(&Slot, MutexGuard<'_, Held>)> {
        let slot = self.slots.get(token.index as usize)?;
        let held = slot.held.lock().unwrap_or_else(PoisonError::into_inner);
        (held.generation == token.generation).then_some((slot, held))
    }

    /// A slot for a new connection; none where all are taken.
    pub fn vacant(&self) -> Option<Token> {
        let index = {
            let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
            free.pop()?
        };
        let slot = self.slots.get(index as usize)?;
        let mut held = slot.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.generation = held.generation.wrapping_add(1);
        Some(Token {
            index,
            generation: held.generation,
        })
    }

    /// Leaves a connection in its slot until `deadline`; `arm` has the events come
    /// that call for it.
    ///
    /// # Errors
    /// What `arm` has, with the connection.
    pub fn put<E>(
        &self,
        token: Token,
        connection: Box<Connection>,
        deadline: u64,
        arm: impl FnOnce(&mut Connection) -> Result<(), E>,
    ) -> Result<(), (E, Box<Connection>)> {
        let Some((slot, mut held)) = self.held(token) else {
            debug_assert!(false, "a connection without its slot");
            return Ok(());
        };
        let writes = connection.state == State::Writing;
        let connection = held.connection.insert(connection);
        let due = deadline.min(NEVER / 2 - 1) << 1 | u64::from(writes);
        // Ordered with what tells when the next look is (see `Server::look_by`).
        slot.due.store(due, Ordering::SeqCst);
        // Under the lock: whoever gets the event waits until all is in its place.
        let armed = arm(connection);
        match armed {
            Ok(()) => Ok(()),
            Err(error) => {
                slot.due.store(NEVER, Ordering::Relaxed);
                match held.connection.take() {
                    Some(connection) => Err((error, connection)),
                    None => Ok(()),
                }
            }
        }
    }

    /// Takes a connection out to use it; none where another was quicker.
    pub fn take(&self, token: Token) -> Option<Box<Connection>> {
        let (slot, mut held) = self.held(token)?;
        let connection = held.connection.take()?;
        slot.due.store(NEVER, Ordering::Relaxed);
        Some(connection)
    }

    /// The slot of a connection that has been taken out and does not come back.
    pub fn vacate(&self, token: Token) {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        free.push(token.index);
    }

    /// Gives `each` the connections whose deadline is at `now` or before; the
    /// next deadline after it.
    pub fn take_due(&self, now: u64, mut each: impl FnMut(Token, Box<Connection>)) -> u64 {
        let mut next = NEVER;
        for (index, slot) in self.slots.iter().enumerate() {
            let due = slot.due.load(Ordering::SeqCst);
            if due == NEVER {
                continue;
            }
            if due >> 1 > now {
                next = next.min(due >> 1);
                continue;
            }
            let mut held = slot.held.lock().unwrap_or_else(PoisonError::into_inner);
            // Somebody may have used it in between.
            if slot.due.load(Ordering::Relaxed) >> 1 > now {
                continue;
            }
            if let Some(connection) = held.connection.take() {
                slot.due.store(NEVER, Ordering::Relaxed);
                let token = Token {
                    index: index as u32,
                    generation: held.generation,
                };
                drop(held);
                each(token, connection);
            }
        }
        next
    }

    /// The connection whose answer has waited longest for its client, if it
    /// waits since before its deadline was `before`.
    pub fn take_most_stalled(&self, before: u64) -> Option<(Token, Box<Connection>)> {
        let waiting = |(index, slot): (usize, &Slot)| {
            let due = slot.due.load(Ordering::Relaxed);
            (due != NEVER && due & 1 == 1 && due >> 1 < before).then_some((due, index))
        };
        let (due, index) = self.slots.iter().enumerate().filter_map(waiting).min()?;
        let slot = self.slots.get(index)?;
        let mut held = slot.held.lock().unwrap_or_else(PoisonError::into_inner);
        if slot.due.load(Ordering::Relaxed) != due {
            return None;
        }
        let connection = held.connection.take()?;
        slot.due.store(NEVER, Ordering::Relaxed);
        let token = Token {
            index: index as u32,
            generation: held.generation,
        };
        Some((token, connection))
    }

    /// Gives `each` all connections that nobody holds.
    pub fn take_all(&self, each: impl FnMut(Token, Box<Connection>)) {
        self.take_due(NEVER / 2, each);
    }
}

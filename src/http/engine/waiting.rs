//! Bytes of answers that wait for their clients, all together: how many there are, and
//! who makes room.

use std::sync::atomic::Ordering;
use std::time::Duration;

use super::bounds::Refusal;
use super::connection::Connection;
use super::server::Server;

/// How long a client must have taken nothing of its answer to make room for
/// another's.
const STALLED: Duration = Duration::from_secs(1);

impl Server {
    /// Sets how many bytes wait for this connection's client.
    pub(super) fn account(&self, connection: &mut Connection, waiting: usize) {
        let before = std::mem::replace(&mut connection.waiting, waiting);
        if waiting > before {
            let more = waiting - before;
            self.counts.waiting.fetch_add(more, Ordering::Relaxed);
        } else if waiting < before {
            let less = before - waiting;
            self.counts.waiting.fetch_sub(less, Ordering::Relaxed);
        }
    }

    /// Is there room for so many bytes more to wait? Those make room that have
    /// waited longest for a client that takes nothing.
    pub(super) fn make_room(&self, more: usize) -> bool {
        let fits = || {
            let waiting = self.counts.waiting.load(Ordering::Relaxed);
            // An answer that is larger than the bound may wait alone.
            more == 0 || waiting == 0 || waiting.saturating_add(more) <= self.bounds.pending
        };
        while !fits() {
            let stalled = self.bounds.write_time.saturating_sub(STALLED);
            let Some((token, connection)) = self.slots.take_most_stalled(self.after(stalled))
            else {
                return false;
            };
            self.counts.refuse(Refusal::Pending);
            connection.cut();
            self.close(token, connection);
        }
        true
    }
}

//! Counters of the server.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use super::refusal::Refusal;
use crate::http::engine::Figures;

/// The counters are updated one by one, so they may be momentarily inconsistent.
#[derive(Default)]
pub struct Counts {
    /// Open connections, including those being refused or closed.
    pub open: AtomicUsize,
    /// Connections that count towards the connection limit.
    pub admitted: AtomicUsize,
    pub accepted: AtomicU64,
    pub sent: AtomicU64,
    /// Response bytes that clients have not read yet.
    pub waiting: AtomicUsize,
    refused: [AtomicU64; Refusal::ALL.len()],
}

impl Counts {
    pub fn refuse(&self, refusal: Refusal) {
        if let Some(count) = self.refused.get(refusal.number()) {
            count.fetch_add(1, Ordering::Relaxed);
        }
    }

    pub fn figures(&self) -> Figures {
        let refused = Refusal::ALL.iter().zip(&self.refused);
        Figures {
            open: self.open.load(Ordering::Relaxed) as u64,
            accepted: self.accepted.load(Ordering::Relaxed),
            sent: self.sent.load(Ordering::Relaxed),
            waiting: self.waiting.load(Ordering::Relaxed) as u64,
            refused: refused
                .map(|(refusal, count)| (refusal.name(), count.load(Ordering::Relaxed)))
                .collect(),
        }
    }
}

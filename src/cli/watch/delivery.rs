//! Delivers events by POST: each at least once, in order.

use std::thread;
use std::time::{Duration, Instant};

use crate::api::response::signing_key::SigningKey;
use crate::fetch::{DELIVERY_TIMEOUT, PostFailure, Receiver};

/// Header with the signature over the body.
pub const SIGNATURE: &str = "X-Signature-Ed25519";

pub const EVENT_ID: &str = "X-Event-Id";

/// Maximum pause between two attempts.
pub const MAX_PAUSE: Duration = Duration::from_secs(300);

pub struct Delivery {
    pub receiver: Receiver,
    /// The key that signs the request bodies, if there is one.
    pub key: Option<SigningKey>,
    /// How long to try to deliver one event. Zero means a single attempt, which may take
    /// [`DELIVERY_TIMEOUT`].
    pub span: Duration,
    /// The pause after the first failure. It doubles with each further failure, up to
    /// [`MAX_PAUSE`].
    pub first_pause: Duration,
}

impl Delivery {
    /// Posts an event until the receiver accepts it, [`Self::span`] is over, or the receiver's
    /// certificate is not accepted.
    ///
    /// # Errors
    /// Returns a sentence about the last failure.
    pub fn deliver(&self, id: &str, json: &str) -> Result<(), String> {
        let signature = self.key.as_ref().map(|key| key.sign(json));
        let mut headers = vec![(EVENT_ID, id)];
        headers.extend(signature.as_deref().map(|signature| (SIGNATURE, signature)));
        if self.span.is_zero() {
            let posted = self.receiver.post(json, &headers, DELIVERY_TIMEOUT);
            return posted.map_err(PostFailure::into_text);
        }
        let end = Instant::now() + self.span;
        let mut pause = self.first_pause;
        loop {
            let rest = end.saturating_duration_since(Instant::now());
            let failure = match self.receiver.post(json, &headers, rest) {
                Ok(()) => return Ok(()),
                Err(PostFailure::Certificate(what)) => return Err(what),
                Err(PostFailure::Passing(what)) => what,
            };
            let rest = end.saturating_duration_since(Instant::now());
            if rest <= pause {
                return Err(failure);
            }
            let shown = humantime::format_duration(pause);
            eprintln!("{failure}; trying again in {shown}");
            thread::sleep(pause);
            pause = (pause * 2).min(MAX_PAUSE);
        }
    }
}

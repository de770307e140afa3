//! Records the last day on which each key was used. This happens on a separate thread, so that no
//! request waits for it or fails because of it.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::api::{Api, KeyHash};
use crate::cli::today;
use crate::model::{Date, Throttled};
use crate::store::KeyStore;

const INTERVAL: Duration = Duration::from_secs(1);

/// Delay before retrying a failed write.
const RETRY_DELAY: Duration = Duration::from_secs(60);

pub struct KeyUse {
    running: Sender<()>,
    thread: JoinHandle<()>,
}

impl KeyUse {
    /// Starts recording the use of the keys of `api`, which are stored in `store`.
    ///
    /// # Errors
    /// Returns an error if the thread cannot be started.
    pub fn begin(api: &Arc<Api>, store: KeyStore) -> std::io::Result<Self> {
        let (running, ended) = mpsc::channel();
        let recorder = Recorder {
            api: Arc::clone(api),
            store,
            written: HashMap::new(),
            pending: HashMap::new(),
            failed_at: None,
            failure: Throttled::once(),
        };
        let thread = thread::Builder::new().name("key-use".to_owned());
        let thread = thread.spawn(move || recorder.run(&ended))?;
        Ok(Self { running, thread })
    }

    /// Writes the pending days and stops the thread.
    pub fn end(self) {
        drop(self.running);
        // A panic of the thread was already logged.
        let _ = self.thread.join();
    }
}

struct Recorder {
    api: Arc<Api>,
    store: KeyStore,
    /// The last day stored for each key.
    written: HashMap<KeyHash, Date>,
    /// Days that are still to be stored.
    pending: HashMap<KeyHash, Date>,
    failed_at: Option<Instant>,
    failure: Throttled<()>,
}

impl Recorder {
    fn run(mut self, ended: &Receiver<()>) {
        while ended.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
            let is_due = |at: Instant| at.elapsed() >= RETRY_DELAY;
            self.collect();
            if self.failed_at.is_none_or(is_due) {
                self.write();
            }
        }
        self.collect();
        self.write();
    }

    fn collect(&mut self) {
        let today = today();
        for key in self.api.used_keys() {
            if self.written.get(&key) != Some(&today) {
                self.pending.insert(key, today);
            }
        }
    }

    fn write(&mut self) {
        if self.pending.is_empty() {
            return;
        }
        match self.store.note_use(&self.pending) {
            Ok(()) => {
                self.written.extend(self.pending.drain());
                self.failed_at = None;
                if self.failure.ends() {
                    log::info!("recording when keys were last used works again");
                }
            }
            Err(error) => {
                let now = Instant::now();
                self.failed_at = Some(now);
                if self.failure.occurs((), now).is_some() {
                    log::warn!(
                        "cannot record when keys were last used; requests are not affected: {error}"
                    );
                }
            }
        }
    }
}

//! Records the last day of each key's use on a separate thread. No request waits for it or fails
//! with it.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::api::{Api, KeyHash};
use crate::cli::today;
use crate::model::{Date, Throttled};
use crate::store::KeyStore;

/// The interval between two collections of used keys.
const EVERY: Duration = Duration::from_secs(1);

/// The wait after a failure.
const RETRY: Duration = Duration::from_secs(60);

/// The thread.
pub struct KeyUse {
    running: Sender<()>,
    thread: JoinHandle<()>,
}

impl KeyUse {
    /// Starts recording the use of the keys of `api`, which are in `store`.
    ///
    /// # Errors
    /// The thread cannot be started.
    pub fn begin(api: &Arc<Api>, store: KeyStore) -> std::io::Result<Self> {
        let (running, ended) = mpsc::channel();
        let noting = Noting {
            api: Arc::clone(api),
            store,
            noted: HashMap::new(),
            due: HashMap::new(),
            failed_at: None,
            failure: Throttled::once(),
        };
        let thread = thread::Builder::new().name("key-use".to_owned());
        let thread = thread.spawn(move || noting.run(&ended))?;
        Ok(Self { running, thread })
    }

    /// Ends the thread after it has written the rest.
    pub fn end(self) {
        drop(self.running);
        // A panic there was already logged.
        let _ = self.thread.join();
    }
}

struct Noting {
    api: Arc<Api>,
    store: KeyStore,
    /// The written days.
    noted: HashMap<KeyHash, Date>,
    /// The days still to write.
    due: HashMap<KeyHash, Date>,
    failed_at: Option<Instant>,
    failure: Throttled<()>,
}

impl Noting {
    fn run(mut self, ended: &Receiver<()>) {
        while ended.recv_timeout(EVERY) == Err(RecvTimeoutError::Timeout) {
            let is_due = |at: Instant| at.elapsed() >= RETRY;
            self.collect();
            if self.failed_at.is_none_or(is_due) {
                self.write();
            }
        }
        self.collect();
        self.write();
    }

    /// Collects the keys that were used today and are not yet written.
    fn collect(&mut self) {
        let today = today();
        for key in self.api.used_keys() {
            if self.noted.get(&key) != Some(&today) {
                self.due.insert(key, today);
            }
        }
    }

    fn write(&mut self) {
        if self.due.is_empty() {
            return;
        }
        match self.store.note_use(&self.due) {
            Ok(()) => {
                self.noted.extend(self.due.drain());
                self.failed_at = None;
                if self.failure.ends() {
                    log::info!("the last days of use of keys are noted again");
                }
            }
            Err(error) => {
                let now = Instant::now();
                self.failed_at = Some(now);
                if self.failure.occurs((), now).is_some() {
                    log::warn!(
                        "the last days of use of keys cannot be noted, which harms no request: {error}"
                    );
                }
            }
        }
    }
}

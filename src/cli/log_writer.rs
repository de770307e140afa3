//! Writes the log to standard error from a separate thread, so that no request waits for whatever
//! reads the log. If the reader stops reading, log lines are dropped, but the server keeps
//! answering.

use std::io::{self, BufWriter, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender, TrySendError};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

/// Capacity of the queue, in lines. Further lines are dropped.
pub const WAITING: usize = 4096;

/// Maximum size of a single write to standard error, in bytes.
const WRITE_BYTES: usize = 64 << 10;

/// How long the thread lets lines accumulate after the first one. Waking the thread for every line
/// would take longer than computing the response that the line is about.
const BATCH_DELAY: Duration = Duration::from_millis(2);

const FLUSH_TIMEOUT: Duration = Duration::from_secs(1);

enum Message {
    Line(Vec<u8>),
    /// Asks for a reply once all earlier lines have been written.
    Flush(SyncSender<()>),
}

/// Sends lines to the thread; never blocks and never fails.
pub struct LogWriter {
    messages: SyncSender<Message>,
    dropped: Arc<AtomicU64>,
}

/// The queue of the thread, through which [`flush`] sends its request.
static MESSAGES: OnceLock<SyncSender<Message>> = OnceLock::new();

impl LogWriter {
    /// Starts the thread that writes to standard error. `dropped_line` formats the line that
    /// reports how many lines were dropped.
    ///
    /// # Errors
    /// Returns an error if the thread cannot be started.
    pub fn start(dropped_line: impl Fn(u64) -> String + Send + 'static) -> io::Result<Self> {
        let (messages, received) = mpsc::sync_channel(WAITING);
        let dropped = Arc::<AtomicU64>::default();
        let counted = Arc::clone(&dropped);
        thread::Builder::new()
            .name("log".to_owned())
            .spawn(move || write_all(&received, &counted, dropped_line, io::stderr()))?;
        // This fails only if a log was already started, which never happens.
        let _ = MESSAGES.set(messages.clone());
        Ok(Self { messages, dropped })
    }
}

impl Write for LogWriter {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let sent = self.messages.try_send(Message::Line(line.to_vec()));
        if sent.is_err() {
            self.dropped.fetch_add(1, Ordering::Relaxed);
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Waits until all logged lines have been written, for at most a second.
pub fn flush() {
    let Some(messages) = MESSAGES.get() else {
        return;
    };
    let deadline = Instant::now() + FLUSH_TIMEOUT;
    let (done, is_done) = mpsc::sync_channel(1);
    let mut flush = Message::Flush(done);
    while let Err(TrySendError::Full(back)) = messages.try_send(flush) {
        if Instant::now() >= deadline {
            return;
        }
        flush = back;
        thread::sleep(Duration::from_millis(10));
    }
    // Whatever reads the log may have stopped reading.
    let _ = is_done.recv_timeout(deadline.saturating_duration_since(Instant::now()));
}

fn write_all(
    received: &Receiver<Message>,
    dropped: &AtomicU64,
    dropped_line: impl Fn(u64) -> String,
    out: impl Write,
) {
    // An error in writing the log cannot be logged, so it is ignored.
    let mut out = BufWriter::with_capacity(WRITE_BYTES, out);
    loop {
        let message = received.try_recv().or_else(|_| {
            let missing = dropped.swap(0, Ordering::Relaxed);
            if missing > 0 {
                let _ = out.write_all(dropped_line(missing).as_bytes());
            }
            let _ = out.flush();
            let first = received.recv();
            thread::sleep(BATCH_DELAY);
            first
        });
        match message {
            Ok(Message::Line(line)) => {
                let _ = out.write_all(&line);
            }
            Ok(Message::Flush(done)) => {
                let _ = out.flush();
                // The waiting thread may have given up.
                let _ = done.send(());
            }
            Err(_) => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    /// A writer that blocks while the test holds the lock.
    #[derive(Clone, Default)]
    struct Slow(Arc<Mutex<Vec<u8>>>);

    impl Write for Slow {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().expect("the lock").write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn lines_beyond_the_capacity_are_dropped_and_counted() {
        let (messages, received) = mpsc::sync_channel(2);
        let dropped = Arc::<AtomicU64>::default();
        let mut writer = LogWriter {
            messages: messages.clone(),
            dropped: Arc::clone(&dropped),
        };
        for line in ["a\n", "b\n", "c\n", "d\n"] {
            writer.write_all(line.as_bytes()).expect("never an error");
        }
        let out = Slow::default();
        let written = Arc::clone(&out.0);
        let dropped_line = |missing| format!("{missing} missing\n");
        let thread = thread::spawn(move || write_all(&received, &dropped, dropped_line, out));
        drop((writer, messages));
        thread.join().expect("no panic");
        let written = written.lock().expect("the lock").clone();
        assert_eq!(
            String::from_utf8(written).expect("text"),
            "a\nb\n2 missing\n"
        );
    }
}

//! Writes lines on a separate thread, so that a hanging disk does not block a worker.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::api::Throttled;
use crate::http::lock::locked;

/// Upper bound on the bytes of pending lines. Further lines are dropped.
pub const MAX_WAITING: usize = 4 << 20;

/// A line that waits longer than this counts as late. A healthy disk takes microseconds, a busy one
/// up to a second.
pub const LATE: Duration = Duration::from_secs(5);

/// Minimum time between log lines about the same problem.
const REMINDER: Duration = Duration::from_secs(60);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrailState {
    /// Lines are written as they arrive.
    Current,
    /// A line has waited for longer than [`LATE`].
    Late,
    /// The most recent line could not be written.
    Failing,
}

impl TrailState {
    /// Returns the name used in metrics and health reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Current => "current",
            Self::Late => "late",
            Self::Failing => "failing",
        }
    }
}

pub struct Writer {
    shared: Arc<Shared>,
    /// Disconnects when the thread ends.
    running: Mutex<Receiver<()>>,
}

struct Shared {
    queue: Mutex<Queue>,
    /// Notified of new lines and of shutdown.
    changed: Condvar,
    /// Number of lines that were not written.
    failed: AtomicU64,
    is_failing: AtomicBool,
    trouble: Throttled<String>,
}

#[derive(Default)]
struct Queue {
    waiting: VecDeque<QueuedLine>,
    /// Bytes of all lines, including the one being written.
    bytes: usize,
    /// When the line being written was queued.
    writing_since: Option<Instant>,
    next: u64,
    has_ended: bool,
}

struct QueuedLine {
    number: u64,
    text: Vec<u8>,
    since: Instant,
    /// Tells a waiting caller whether the line was written.
    written: Option<SyncSender<bool>>,
}

impl Queue {
    fn is_late(&self, now: Instant) -> bool {
        let oldest = self
            .writing_since
            .or(self.waiting.front().map(|line| line.since));
        oldest.is_some_and(|oldest| now.saturating_duration_since(oldest) > LATE)
    }
}

impl Writer {
    /// Starts a thread that writes each line to `out` in a single call.
    ///
    /// # Errors
    /// Returns an error if the thread cannot be started.
    pub fn start(out: impl Write + Send + 'static) -> io::Result<Self> {
        let shared = Arc::new(Shared {
            queue: Mutex::default(),
            changed: Condvar::new(),
            failed: AtomicU64::new(0),
            is_failing: AtomicBool::new(false),
            trouble: Throttled::every(REMINDER),
        });
        let (end, running) = mpsc::sync_channel(1);
        let writing = Arc::clone(&shared);
        thread::Builder::new()
            .name("audit".to_owned())
            .spawn(move || {
                writing.write_all(out);
                drop::<SyncSender<()>>(end);
            })?;
        let running = Mutex::new(running);
        Ok(Self { shared, running })
    }

    pub fn failed(&self) -> u64 {
        self.shared.failed.load(Ordering::Relaxed)
    }

    pub fn state(&self, now: Instant) -> TrailState {
        if locked(&self.shared.queue).is_late(now) {
            TrailState::Late
        } else if self.shared.is_failing.load(Ordering::Relaxed) {
            TrailState::Failing
        } else {
            TrailState::Current
        }
    }

    /// Queues a line without waiting. The line is dropped if the queue is full.
    pub fn add(&self, text: Vec<u8>, now: Instant) {
        self.push(text, now, None);
    }

    /// Queues a line and waits up to `patience` for it to be written. Does not wait while lines are
    /// late. Returns whether the line was written. A line that was not written in time is
    /// withdrawn, unless its write has already begun.
    pub fn write(&self, text: Vec<u8>, now: Instant, patience: Duration) -> bool {
        if locked(&self.shared.queue).is_late(now) {
            self.shared
                .lose("no line has been written for some seconds".to_owned(), now);
            return false;
        }
        let (written, is_written) = mpsc::sync_channel(1);
        let Some(number) = self.push(text, now, Some(written)) else {
            return false;
        };
        match is_written.recv_timeout(patience) {
            Ok(is_written) => is_written,
            Err(_) => {
                self.withdraw(number);
                false
            }
        }
    }

    /// Queues a line. Returns its number, or `None` if the queue is full or the writer is shutting
    /// down.
    fn push(&self, text: Vec<u8>, now: Instant, written: Option<SyncSender<bool>>) -> Option<u64> {
        let mut queue = locked(&self.shared.queue);
        let is_late = queue.is_late(now);
        if queue.has_ended || queue.bytes + text.len() > MAX_WAITING {
            drop(queue);
            self.shared
                .lose("too many lines are waiting".to_owned(), now);
            return None;
        }
        let number = queue.next;
        queue.next += 1;
        queue.bytes += text.len();
        queue.waiting.push_back(QueuedLine {
            number,
            text,
            since: now,
            written,
        });
        drop(queue);
        self.shared.changed.notify_one();
        if is_late {
            self.shared
                .complain("no line has been written for some seconds".to_owned(), now);
        }
        Some(number)
    }

    /// Removes a line whose write has not begun, and counts it as lost.
    fn withdraw(&self, number: u64) {
        let mut queue = locked(&self.shared.queue);
        let at = queue.waiting.iter().position(|line| line.number == number);
        let Some(line) = at.and_then(|at| queue.waiting.remove(at)) else {
            return;
        };
        queue.bytes -= line.text.len();
        drop(queue);
        self.shared
            .lose("a line was not written in time".to_owned(), Instant::now());
    }

    /// Stops the thread after it has written the pending lines, waiting at most `patience`. Returns
    /// the number of lines left.
    pub fn end(&self, patience: Duration) -> usize {
        locked(&self.shared.queue).has_ended = true;
        self.shared.changed.notify_one();
        // Nothing is ever sent on this channel: `recv_timeout` returns when the thread drops its
        // sender.
        let _ = locked(&self.running).recv_timeout(patience);
        let queue = locked(&self.shared.queue);
        queue.waiting.len() + usize::from(queue.writing_since.is_some())
    }
}

impl Shared {
    fn write_all(&self, mut out: impl Write) {
        while let Some(line) = self.next() {
            let written = out.write_all(&line.text);
            let mut queue = locked(&self.queue);
            queue.bytes -= line.text.len();
            queue.writing_since = None;
            drop(queue);
            if let Some(reply) = &line.written {
                // The waiting thread may have given up.
                let _ = reply.send(written.is_ok());
            }
            self.is_failing.store(written.is_err(), Ordering::Relaxed);
            match written {
                Ok(()) => {
                    if self.trouble.ends() {
                        let failed = self.failed.load(Ordering::Relaxed);
                        log::info!(failed; "the audit trail is written again");
                    }
                }
                Err(error) => self.lose(error.to_string(), Instant::now()),
            }
        }
    }

    /// Waits for the next line. Returns `None` at shutdown.
    fn next(&self) -> Option<QueuedLine> {
        let queue = locked(&self.queue);
        let is_idle = |queue: &mut Queue| queue.waiting.is_empty() && !queue.has_ended;
        let waited: Result<MutexGuard<'_, _>, _> = self.changed.wait_while(queue, is_idle);
        let mut queue = waited.unwrap_or_else(PoisonError::into_inner);
        let line = queue.waiting.pop_front()?;
        queue.writing_since = Some(line.since);
        Some(line)
    }

    fn lose(&self, why: String, now: Instant) {
        self.failed.fetch_add(1, Ordering::Relaxed);
        self.complain(why, now);
    }

    fn complain(&self, why: String, now: Instant) {
        let complaint = format!("the audit trail cannot be written: {why}");
        if self.trouble.occurs(why, now).is_some() {
            log::error!("{complaint}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A disk on which the test determines when a write ends and with what result.
    struct Disk {
        outcomes: Receiver<io::Result<()>>,
        /// Receives each line as its write begins.
        begun: mpsc::Sender<String>,
    }

    impl Write for Disk {
        fn write(&mut self, line: &[u8]) -> io::Result<usize> {
            let text = String::from_utf8(line.to_vec()).expect("UTF-8");
            // The test may have ended.
            let _ = self.begun.send(text);
            let outcome = self.outcomes.recv().unwrap_or(Ok(()));
            outcome.map(|()| line.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn disk() -> (Writer, mpsc::Sender<io::Result<()>>, Receiver<String>) {
        let (tell, outcomes) = mpsc::channel();
        let (begun, lines) = mpsc::channel();
        let writer = Writer::start(Disk { outcomes, begun }).expect("a thread");
        (writer, tell, lines)
    }

    const PATIENCE: Duration = Duration::from_secs(30);

    #[test]
    fn a_hanging_disk_blocks_no_optional_line() {
        let (writer, tell, lines) = disk();
        let start = Instant::now();
        for number in 0..3 {
            writer.add(number.to_string().into_bytes(), start);
        }
        assert_eq!(lines.recv_timeout(PATIENCE).as_deref(), Ok("0"));
        assert_eq!(writer.state(start), TrailState::Current);
        assert_eq!(writer.state(start + LATE), TrailState::Current);
        let late = start + LATE + Duration::from_millis(1);
        assert_eq!(writer.state(late), TrailState::Late);
        assert_eq!(writer.failed(), 0);
        for _ in 0..3 {
            tell.send(Ok(())).expect("the disk");
        }
        assert_eq!(writer.end(PATIENCE), 0);
        assert_eq!(lines.iter().collect::<Vec<_>>(), ["1", "2"]);
        assert_eq!(writer.state(late), TrailState::Current);
    }

    #[test]
    fn lines_beyond_the_bound_are_counted_and_dropped() {
        let (writer, _tell, lines) = disk();
        let now = Instant::now();
        writer.add(vec![b'0'], now);
        lines.recv_timeout(PATIENCE).expect("its write has begun");
        let line = vec![b'1'; 1 << 20];
        for _ in 0..10 {
            writer.add(line.clone(), now);
        }
        // Three lines of 1 MB fit into the queue beside the first line, which has one byte.
        assert_eq!(writer.failed(), 7);
        assert!(locked(&writer.shared.queue).bytes <= MAX_WAITING);
        writer.add(b"short".to_vec(), now);
        assert_eq!(writer.failed(), 7);
    }

    #[test]
    fn a_required_line_is_awaited_and_withdrawn_on_timeout() {
        let (writer, tell, lines) = disk();
        let now = Instant::now();
        tell.send(Ok(())).expect("the disk");
        assert!(writer.write(b"1".to_vec(), now, PATIENCE));
        tell.send(Err(io::Error::other("full"))).expect("the disk");
        assert!(!writer.write(b"2".to_vec(), now, PATIENCE));
        // The caller is told before the failure is counted. Once line 3 has begun, line 2 has been
        // counted.
        writer.add(b"3".to_vec(), now);
        let begun: Vec<_> = (0..3).map(|_| lines.recv_timeout(PATIENCE)).collect();
        assert_eq!(begun, ["1", "2", "3"].map(|line| Ok(line.to_owned())));
        assert_eq!(
            (writer.failed(), writer.state(now)),
            (1, TrailState::Failing)
        );
        // The disk hangs on the third line.
        assert!(!writer.write(b"4".to_vec(), now, Duration::from_millis(1)));
        assert_eq!(writer.failed(), 2);
        assert_eq!(locked(&writer.shared.queue).waiting.len(), 0);
        // Once lines are late, nobody waits any longer.
        let late = now + 2 * LATE;
        assert!(!writer.write(b"5".to_vec(), late, PATIENCE));
        assert_eq!((writer.failed(), writer.state(late)), (3, TrailState::Late));
        drop(tell);
        assert_eq!(writer.end(PATIENCE), 0);
        assert_eq!(lines.iter().count(), 0, "what was withdrawn is not written");
        assert_eq!(writer.state(late), TrailState::Current);
    }

    #[test]
    fn shutdown_does_not_wait_forever() {
        let (writer, _tell, lines) = disk();
        let now = Instant::now();
        writer.add(b"1".to_vec(), now);
        writer.add(b"2".to_vec(), now);
        lines.recv_timeout(PATIENCE).expect("its write has begun");
        assert_eq!(writer.end(Duration::from_millis(1)), 2);
        writer.add(b"3".to_vec(), now);
        assert_eq!(writer.failed(), 1);
    }
}

//! A load at a fixed rate: the latency of each answer is counted from when its request was
//! due, so that a server that is slow for a moment is not spared the requests it would have
//! had in that moment.
//!
//! The list has requests as they go over the wire, one after the other; they are asked
//! in turn, so many a second, evenly, each over whichever connection is free (none is:
//! as soon as one is). One thread asks and reads. The first fifth of the time is to
//! warm up and is not counted. The result is one line of JSON, times in microseconds:
//! latency from when a request was due; as `late_…` by how much it was sent later than
//! that although a connection was free, which is the load generator's own doing; and as
//! `net_…` the latency without that: from when the request was due if it had to wait
//! for a connection, from when it was sent if it had not.

use std::collections::VecDeque;
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::event::epoll::{self, CreateFlags, EventData, EventFlags};
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::Result;

/// An answer's head is that long at most.
const MAX_HEAD: usize = 16 << 10;
/// How long after the last request its answers may take.
const PATIENCE: Duration = Duration::from_secs(5);

#[derive(Clone, Copy)]
struct Asked {
    number: u64,
    /// When it was sent, or, if it had to wait for a connection, when it was due.
    since: u64,
}

struct Connection {
    stream: TcpStream,
    /// The request that waits for its answer.
    asked: Option<Asked>,
    /// The head of the answer as far as it has come, and what is left of its body once
    /// the head is complete.
    head: Vec<u8>,
    body: Option<usize>,
}

impl Connection {
    fn open(address: &str) -> Result<Self> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        stream.set_nonblocking(true)?;
        Ok(Self {
            stream,
            asked: None,
            head: Vec::new(),
            body: None,
        })
    }

    fn ask(&mut self, asked: Asked, request: &[u8]) -> Result<()> {
        // A request is far smaller than a socket's buffer, which is empty now.
        if self.stream.write(request)? != request.len() {
            return Err("a request was not taken whole".into());
        }
        self.asked = Some(asked);
        Ok(())
    }

    /// Reads what is there; the request if its answer is complete.
    fn read(&mut self, buffer: &mut [u8]) -> Result<Option<Asked>> {
        let read = match self.stream.read(buffer) {
            Ok(0) => return Err("a connection was closed".into()),
            Ok(read) => read,
            Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let mut bytes = &buffer[..read];
        if self.body.is_none() {
            let before = self.head.len();
            self.head.extend_from_slice(&bytes[..read.min(MAX_HEAD)]);
            let Some(end) = find(&self.head, b"\r\n\r\n") else {
                let too_long = self.head.len() > MAX_HEAD;
                return if too_long {
                    Err("a head is too long".into())
                } else {
                    Ok(None)
                };
            };
            self.body = Some(length(&self.head[..end])?);
            bytes = &bytes[end + 4 - before..];
        }
        let left = self.body.unwrap_or(0);
        let Some(left) = left.checked_sub(bytes.len()) else {
            return Err("more came than was asked for".into());
        };
        self.body = Some(left);
        if left > 0 {
            return Ok(None);
        }
        self.body = None;
        self.head.clear();
        self.asked
            .take()
            .map(Some)
            .ok_or_else(|| "an answer without a request".into())
    }
}

/// The length of the body that follows a head, which must say 200 or 304.
fn length(head: &[u8]) -> Result<usize> {
    let head = std::str::from_utf8(head)?;
    match head.get(9..12) {
        Some("200") => {}
        Some("304") => return Ok(0),
        _ => return Err(format!("answered: {}", head.lines().next().unwrap_or("")).into()),
    }
    let headers = head.lines().filter_map(|line| line.split_once(':'));
    for (name, value) in headers {
        if name.eq_ignore_ascii_case("content-length") {
            return Ok(value.trim().parse()?);
        }
    }
    Err("an answer without Content-Length".into())
}

fn find(text: &[u8], what: &[u8]) -> Option<usize> {
    text.windows(what.len()).position(|window| window == what)
}

/// The requests of a list, each with the empty line that ends it.
fn requests(list: &[u8]) -> Vec<&[u8]> {
    let mut rest = list;
    let mut requests = Vec::new();
    while let Some(end) = find(rest, b"\r\n\r\n") {
        let (request, after) = rest.split_at(end + 4);
        requests.push(request);
        rest = after;
    }
    requests
}

/// When requests are due, in nanoseconds from the beginning.
struct Plan {
    began: Instant,
    rate: u64,
    count: u64,
}

impl Plan {
    fn due(&self, number: u64) -> u64 {
        // Both are far below the 2^63 at which this would overflow.
        number * 1_000_000 / self.rate * 1_000 + number * 1_000_000 % self.rate * 1_000 / self.rate
    }

    fn now(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_nanos()).unwrap_or(u64::MAX)
    }
}

/// What was seen, in nanoseconds, of the requests that count.
#[derive(Default)]
struct Seen {
    latency: Vec<u64>,
    net: Vec<u64>,
    late: Vec<u64>,
}

fn drive(address: &str, list: &[&[u8]], plan: &mut Plan, connections: usize) -> Result<Seen> {
    let set = epoll::create(CreateFlags::CLOEXEC)?;
    let mut all = Vec::new();
    for token in 0..connections {
        let connection = Connection::open(address)?;
        epoll::add(
            &set,
            &connection.stream,
            EventData::new_u64(token as u64),
            EventFlags::IN,
        )?;
        all.push(connection);
    }
    let mut free: VecDeque<usize> = (0..connections).collect();
    // Since when a connection has been free without a break.
    let mut free_since = 0;
    let mut events = Vec::with_capacity(connections);
    let mut buffer = vec![0; 256 << 10];
    let (mut next, mut answered, mut seen) = (0, 0, Seen::default());
    plan.began = Instant::now();
    let warm = plan.count / 5;
    let end = plan.due(plan.count) + PATIENCE.as_nanos() as u64;
    while answered < plan.count {
        let mut now = plan.now();
        if now > end {
            return Err(format!("{} requests unanswered", plan.count - answered).into());
        }
        while next < plan.count && plan.due(next) <= now {
            let Some(token) = free.pop_front() else { break };
            let due = plan.due(next);
            let has_waited = due < free_since;
            let since = if has_waited { due } else { now };
            let asked = Asked {
                number: next,
                since,
            };
            all[token].ask(asked, list[(next % list.len() as u64) as usize])?;
            if next >= warm && !has_waited {
                seen.late.push(now - due);
            }
            next += 1;
            now = plan.now();
        }
        // None free, or all sent: an answer is what comes next.
        let waits = next < plan.count && !free.is_empty();
        let until = if waits { plan.due(next) } else { end };
        let wait = Timespec::try_from(Duration::from_nanos(until.saturating_sub(now)))?;
        // epoll's own wait may know only whole milliseconds.
        poll(&mut [PollFd::new(&set, PollFlags::IN)], Some(&wait))?;
        events.clear();
        let room = rustix::buffer::spare_capacity(&mut events);
        epoll::wait(&set, room, Some(&Timespec::default()))?;
        for event in &events {
            let token = event.data.u64() as usize;
            let Some(asked) = all[token].read(&mut buffer)? else {
                continue;
            };
            let now = plan.now();
            if free.is_empty() {
                free_since = now;
            }
            free.push_back(token);
            answered += 1;
            if asked.number >= warm {
                seen.latency.push(now - plan.due(asked.number));
                seen.net.push(now - asked.since);
            }
        }
    }
    Ok(seen)
}

/// The value below which so many of a thousand are, in microseconds. Sorted.
fn permille(sorted: &[u64], of_thousand: usize) -> f64 {
    let at = (sorted.len() * of_thousand / 1000).min(sorted.len().saturating_sub(1));
    // Of none, none.
    sorted.get(at).map_or(0.0, |&time| time as f64 / 1000.0)
}

/// Asks a server, and prints what was seen.
pub fn run(address: &str, list: &Path, rate: u64, connections: usize, seconds: f64) -> Result<()> {
    let text = std::fs::read(list)?;
    let list = requests(&text);
    let count = (rate as f64 * seconds) as u64;
    if list.is_empty() || !(100..=100_000_000).contains(&count) || rate > 10_000_000 {
        return Err("no requests, or fewer than 100 or more than 100,000,000 to send".into());
    }
    // The timer may otherwise wake it 50 µs late. It is only a wish.
    let _ = std::fs::write("/proc/self/timerslack_ns", "1");
    let mut plan = Plan {
        began: Instant::now(),
        rate,
        count,
    };
    let mut seen = drive(address, &list, &mut plan, connections)?;
    let mut told = vec![format!("\"answers\": {}", seen.latency.len())];
    for (name, times) in [
        ("", &mut seen.latency),
        ("net_", &mut seen.net),
        ("late_", &mut seen.late),
    ] {
        times.sort_unstable();
        for (end, of_thousand) in [("p50", 500), ("p99", 990), ("max", 1000)] {
            told.push(format!(
                "\"{name}{end}\": {:.1}",
                permille(times, of_thousand)
            ));
        }
    }
    println!("{{{}}}", told.join(", "));
    Ok(())
}

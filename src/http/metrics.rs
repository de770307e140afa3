//! The figures of the service, and how `/metrics` shows them. Labels are the
//! service's own paths and statuses: nothing a client sends makes another.
//!
//! Each worker counts in figures of its own, with relaxed atomics that no other
//! worker writes: counting a request takes some tens of nanoseconds, however many
//! workers there are. Who reads adds them up.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, SystemTime};

use super::engine::Figures;
use super::exposition::{Exposition, Kind, seconds};
use crate::api::CacheFigures;

/// The label of paths that are not the service's.
const NO_ENDPOINT: &str = "-";

/// The statuses that are counted one by one; any other is `other`.
const CODES: [(u16, &str); 8] = [
    (200, "200"),
    (304, "304"),
    (400, "400"),
    (401, "401"),
    (404, "404"),
    (405, "405"),
    (429, "429"),
    (500, "500"),
];

/// The upper ends of the histogram's buckets: microseconds, and seconds as a label.
const BUCKETS: [(u64, &str); 16] = [
    (100, "0.0001"),
    (250, "0.00025"),
    (500, "0.0005"),
    (1_000, "0.001"),
    (2_500, "0.0025"),
    (5_000, "0.005"),
    (10_000, "0.01"),
    (25_000, "0.025"),
    (50_000, "0.05"),
    (100_000, "0.1"),
    (250_000, "0.25"),
    (500_000, "0.5"),
    (1_000_000, "1"),
    (2_500_000, "2.5"),
    (5_000_000, "5"),
    (10_000_000, "10"),
];

/// What has been counted since the start.
pub struct Metrics {
    started: SystemTime,
    /// The labels; the last is [`NO_ENDPOINT`].
    endpoints: Vec<&'static str>,
    workers: Vec<WorkerFigures>,
}

/// What one worker has counted. Aligned so that no two workers write to the same
/// cache line.
#[repr(align(128))]
struct WorkerFigures {
    under_way: AtomicBool,
    broken: AtomicU64,
    endpoints: Vec<EndpointFigures>,
}

#[derive(Default)]
#[repr(align(128))]
struct EndpointFigures {
    codes: [AtomicU64; CODES.len() + 1],
    /// How many in each bucket alone; the last has no end.
    buckets: [AtomicU64; BUCKETS.len() + 1],
    micros: AtomicU64,
    bytes: AtomicU64,
}

/// A request that has been answered.
#[derive(Clone, Copy, Debug)]
pub struct Answered {
    /// The path, if it is one of the service's.
    pub endpoint: Option<&'static str>,
    /// The HTTP status.
    pub status: u16,
    /// Bytes of the body.
    pub bytes: usize,
    /// From its arrival at a worker to the end of writing.
    pub duration: Duration,
    /// The client went away before all was written.
    pub broken: bool,
}

/// A request is under way until this goes.
pub struct UnderWay<'a>(&'a AtomicBool);

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        self.0.store(false, Relaxed);
    }
}

impl Metrics {
    /// Figures of a process that started at `started` and answers at `endpoints` with
    /// so many workers.
    pub fn new(
        started: SystemTime,
        endpoints: impl IntoIterator<Item = &'static str>,
        workers: usize,
    ) -> Self {
        let endpoints: Vec<_> = endpoints.into_iter().chain([NO_ENDPOINT]).collect();
        let figures = || WorkerFigures {
            under_way: AtomicBool::new(false),
            broken: AtomicU64::new(0),
            endpoints: endpoints
                .iter()
                .map(|_| EndpointFigures::default())
                .collect(),
        };
        Self {
            started,
            workers: (0..workers).map(|_| figures()).collect(),
            endpoints,
        }
    }

    /// A worker has taken a request.
    pub fn begin(&self, worker: usize) -> Option<UnderWay<'_>> {
        let under_way = &self.workers.get(worker)?.under_way;
        under_way.store(true, Relaxed);
        Some(UnderWay(under_way))
    }

    /// A worker has answered a request.
    pub fn record(&self, worker: usize, answered: &Answered) {
        let endpoint = answered.endpoint.unwrap_or(NO_ENDPOINT);
        let known = self.endpoints.iter().position(|label| *label == endpoint);
        let place = known.unwrap_or(self.endpoints.len().saturating_sub(1));
        let Some(worker) = self.workers.get(worker) else {
            return;
        };
        if answered.broken {
            worker.broken.fetch_add(1, Relaxed);
        }
        let Some(figures) = worker.endpoints.get(place) else {
            return;
        };
        let micros = u64::try_from(answered.duration.as_micros()).unwrap_or(u64::MAX);
        let code = CODES.iter().position(|(code, _)| *code == answered.status);
        let bucket = BUCKETS.partition_point(|(end, _)| *end < micros);
        let code = figures.codes.get(code.unwrap_or(CODES.len()));
        for counter in code.into_iter().chain(figures.buckets.get(bucket)) {
            counter.fetch_add(1, Relaxed);
        }
        figures.micros.fetch_add(micros, Relaxed);
        figures.bytes.fetch_add(answered.bytes as u64, Relaxed);
    }

    /// The text of `/metrics`.
    pub fn render(&self, others: &Others, now: SystemTime) -> String {
        let mut out = Exposition::default();
        self.render_process(&mut out);
        self.render_requests(&mut out);
        self.render_durations(&mut out);
        if let Some(engine) = &others.engine {
            engine.render(&mut out);
        }
        render_limits(&mut out, &others.limits);
        render_answers(&mut out, &others.answers);
        render_data(&mut out, others.data.as_ref(), now);
        out.text()
    }

    fn render_process(&self, out: &mut Exposition) {
        let name = "procurement_lookup_build_info";
        out.family(
            name,
            Kind::Gauge,
            "Always 1; the label is the version of the program.",
        );
        out.sample(name, &[("version", env!("CARGO_PKG_VERSION"))], 1);
        let started = since_1970(self.started);
        out.single(
            "process_start_time_seconds",
            Kind::Gauge,
            "When the process started, in seconds since 1970.",
            format_args!("{}.{:03}", started.as_secs(), started.subsec_millis()),
        );
        out.single(
            "procurement_lookup_requests_in_progress",
            Kind::Gauge,
            "Requests that workers are answering now.",
            self.workers
                .iter()
                .filter(|worker| worker.under_way.load(Relaxed))
                .count(),
        );
        out.single(
            "procurement_lookup_workers",
            Kind::Gauge,
            "Workers, each of which answers one request at a time.",
            self.workers.len(),
        );
    }

    fn render_requests(&self, out: &mut Exposition) {
        let name = "procurement_lookup_requests_total";
        out.family(
            name,
            Kind::Counter,
            "Requests answered, by path and HTTP status.",
        );
        for (place, endpoint) in self.endpoints.iter().enumerate() {
            let codes = CODES.iter().map(|(_, code)| *code).chain(["other"]);
            for (number, code) in codes.enumerate() {
                let count = self.sum(place, |figures| figures.codes.get(number));
                if count > 0 {
                    out.sample(name, &[("endpoint", endpoint), ("code", code)], count);
                }
            }
        }
        let name = "procurement_lookup_response_bytes_total";
        out.family(
            name,
            Kind::Counter,
            "Bytes of the bodies that were sent, by path.",
        );
        for (place, endpoint) in self.endpoints.iter().enumerate() {
            let bytes = self.sum(place, |figures| Some(&figures.bytes));
            out.sample(name, &[("endpoint", endpoint)], bytes);
        }
        out.single(
            "procurement_lookup_responses_broken_total",
            Kind::Counter,
            "Answers whose client went away before all was written.",
            self.workers
                .iter()
                .map(|worker| worker.broken.load(Relaxed))
                .sum::<u64>(),
        );
    }

    fn render_durations(&self, out: &mut Exposition) {
        let name = "procurement_lookup_request_duration_seconds";
        out.family(
            name,
            Kind::Histogram,
            "From a request's arrival at a worker to the end of writing, by path.",
        );
        let [bucket, sum, number] = ["_bucket", "_sum", "_count"].map(|end| format!("{name}{end}"));
        for (place, endpoint) in self.endpoints.iter().enumerate() {
            let endpoint = ("endpoint", *endpoint);
            let mut count = 0;
            let ends = BUCKETS.iter().map(|(_, end)| *end).chain(["+Inf"]);
            for (number, end) in ends.enumerate() {
                count += self.sum(place, |figures| figures.buckets.get(number));
                out.sample(&bucket, &[endpoint, ("le", end)], count);
            }
            let micros = self.sum(place, |figures| Some(&figures.micros));
            out.sample(&sum, &[endpoint], seconds(micros));
            out.sample(&number, &[endpoint], count);
        }
    }

    /// A figure of an endpoint, of all workers together.
    fn sum(&self, place: usize, figure: impl Fn(&EndpointFigures) -> Option<&AtomicU64>) -> u64 {
        let figures = self
            .workers
            .iter()
            .filter_map(|worker| worker.endpoints.get(place));
        figures
            .filter_map(figure)
            .map(|figure| figure.load(Relaxed))
            .sum()
    }
}

/// What `/metrics` shows beside what the workers count.
#[derive(Clone, Debug, Default)]
pub struct Others {
    /// Of the engine, if it counts.
    pub engine: Option<Figures>,
    /// How many requests each limit of load has refused, by its name.
    pub limits: Vec<(&'static str, u64)>,
    /// Of the answers that are kept.
    pub answers: CacheFigures,
    /// Of the data, if it can be read.
    pub data: Option<DataFigures>,
}

/// The data as an operator sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataFigures {
    /// Which data it is, in one word.
    pub version: String,
    /// The last import that changed anything.
    pub updated: SystemTime,
    /// How long ago the oldest of the registries was complete that are declared so, in
    /// whole days.
    pub registry_age: Option<Duration>,
    /// How many imports have changed anything in the file.
    pub revision: i64,
    /// How often another file has taken its place since the start.
    pub switched: u64,
    /// How many files were refused that were to.
    pub refused: u64,
}

impl DataFigures {
    /// How old the data is at `now`; nothing if that is before its time.
    pub fn age(&self, now: SystemTime) -> Duration {
        now.duration_since(self.updated).unwrap_or_default()
    }
}

impl Figures {
    fn render(&self, out: &mut Exposition) {
        out.single(
            "procurement_lookup_connections",
            Kind::Gauge,
            "Connections that are open now.",
            self.open,
        );
        out.single(
            "procurement_lookup_connections_accepted_total",
            Kind::Counter,
            "Connections that were accepted.",
            self.accepted,
        );
        out.single(
            "procurement_lookup_sent_bytes_total",
            Kind::Counter,
            "Bytes sent, heads of answers included.",
            self.sent,
        );
        out.single(
            "procurement_lookup_waiting_bytes",
            Kind::Gauge,
            "Bytes of answers that wait for their clients.",
            self.waiting,
        );
        let name = "procurement_lookup_refused_total";
        out.family(
            name,
            Kind::Counter,
            "Connections and requests that were past a bound or malformed, by which.",
        );
        for (bound, count) in &self.refused {
            out.sample(name, &[("bound", bound)], count);
        }
    }
}

fn render_limits(out: &mut Exposition, limits: &[(&'static str, u64)]) {
    let name = "procurement_lookup_rate_limited_total";
    out.family(
        name,
        Kind::Counter,
        "Requests answered 429, by which limit of load.",
    );
    for (limit, count) in limits {
        out.sample(name, &[("limit", limit)], count);
    }
}

fn render_answers(out: &mut Exposition, answers: &CacheFigures) {
    out.single(
        "procurement_lookup_answer_cache_hits_total",
        Kind::Counter,
        "Answers that were kept from before.",
        answers.hits,
    );
    out.single(
        "procurement_lookup_answer_cache_misses_total",
        Kind::Counter,
        "Answers that were looked for among those kept and had to be read.",
        answers.misses,
    );
    out.single(
        "procurement_lookup_answer_cache_bytes",
        Kind::Gauge,
        "Memory of the answers that are kept.",
        answers.bytes,
    );
}

fn render_data(out: &mut Exposition, data: Option<&DataFigures>, now: SystemTime) {
    out.single(
        "procurement_lookup_data_readable",
        Kind::Gauge,
        "Can the data be read (1) or not (0)?",
        u8::from(data.is_some()),
    );
    let Some(data) = data else {
        return;
    };
    out.single(
        "procurement_lookup_data_updated_timestamp_seconds",
        Kind::Gauge,
        "The last import that changed anything, in seconds since 1970.",
        since_1970(data.updated).as_secs(),
    );
    out.single(
        "procurement_lookup_data_age_seconds",
        Kind::Gauge,
        "The time since the last import that changed anything.",
        data.age(now).as_secs(),
    );
    out.single(
        "procurement_lookup_data_revision",
        Kind::Gauge,
        "How many imports have changed anything in the data.",
        data.revision,
    );
    out.single(
        "procurement_lookup_data_switches_total",
        Kind::Counter,
        "How often another database file has taken the place of the one before.",
        data.switched,
    );
    out.single(
        "procurement_lookup_data_switches_refused_total",
        Kind::Counter,
        "Database files that were to take that place and were refused.",
        data.refused,
    );
}

fn since_1970(instant: SystemTime) -> Duration {
    instant
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap_or_default()
}

#[cfg(test)]
#[path = "metrics/tests.rs"]
mod tests;

//! Metrics of the service and their form at `/metrics`. Labels come from the service's own paths
//! and statuses, so clients cannot add any.
//!
//! Each worker has its own counters: relaxed atomics that no other worker writes. Counting a
//! request takes a few tens of nanoseconds whatever the number of workers. Readers add up the
//! counters.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, SystemTime};

use super::engine::Figures;
use super::exposition::{Exposition, seconds};
use super::lock::locked;
use super::process::ProcessFigures;
use crate::api::{
    CacheFigures, DataState, KeyState, NewFile, RefusedCounts, RefusedPlaces, Status,
};

/// Label of requests for unknown paths.
const NO_ENDPOINT: &str = "-";

/// Upper bounds of the histogram's buckets, in microseconds.
const BUCKETS: [u64; 16] = [
    100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000,
    1_000_000, 2_500_000, 5_000_000, 10_000_000,
];

/// Counters since the process started.
pub struct Metrics {
    started: SystemTime,
    /// Labels of the endpoints; the last one is [`NO_ENDPOINT`].
    endpoints: Vec<&'static str>,
    workers: Vec<WorkerCounters>,
}

/// The counters of one worker. Aligned so that no two workers write to the same cache line.
#[repr(align(128))]
struct WorkerCounters {
    broken: AtomicU64,
    endpoints: Vec<EndpointCounters>,
}

#[derive(Default)]
#[repr(align(128))]
struct EndpointCounters {
    codes: [AtomicU64; Status::ALL.len()],
    /// Number of responses with status 200 and an error in the body, by error code.
    errors: Mutex<BTreeMap<String, u64>>,
    /// Number of responses per bucket, not cumulative. The last bucket has no upper bound.
    buckets: [AtomicU64; BUCKETS.len() + 1],
    micros: AtomicU64,
    bytes: AtomicU64,
}

/// Figures that are read from elsewhere when the metrics are rendered.
pub struct Observed {
    /// `None` if the system does not provide them.
    pub process: Option<ProcessFigures>,
    /// Workers that are handling a request.
    pub busy_workers: usize,
    /// `None` if the engine has no counters.
    pub engine: Option<Figures>,
    pub refused: RefusedCounts,
    pub large: LargeFigures,
    pub cache: CacheFigures,
    /// Lines of the audit trail that were lost.
    pub unaudited: u64,
    pub is_audit_late: bool,
    pub keys: KeyState,
    /// Whether every client needs a key.
    pub needs_keys: bool,
    /// `None` if the data is unreadable.
    pub data: Option<DataState>,
}

/// Number of large answers in progress, and of large answers refused since the start.
#[derive(Clone, Copy, Debug, Default)]
pub struct LargeFigures {
    /// All admitted large answers: waiting, being made or being sent.
    pub all: usize,
    /// Large answers that wait for their turn.
    pub waiting: usize,
    /// Large answers that a worker is making.
    pub in_turn: usize,
    pub refused: RefusedPlaces,
}

/// A request and the outcome of answering it.
#[derive(Clone, Copy, Debug)]
pub struct Exchange<'a> {
    /// The request's path, if it is one of the service's own.
    pub endpoint: Option<&'static str>,
    /// Error code in the body, if any.
    pub error: Option<&'a str>,
    pub status: Status,
    /// Length of the body, in bytes.
    pub bytes: u64,
    /// Time from the arrival at a worker until the response is written.
    pub duration: Duration,
    /// Whether the client disconnected before the response was complete.
    pub broken: bool,
}

impl Metrics {
    /// Creates the metrics of a process that was started at `started`.
    pub fn new(
        started: SystemTime,
        endpoints: impl IntoIterator<Item = &'static str>,
        workers: usize,
    ) -> Self {
        let endpoints: Vec<_> = endpoints.into_iter().chain([NO_ENDPOINT]).collect();
        let figures = || WorkerCounters {
            broken: AtomicU64::new(0),
            endpoints: endpoints
                .iter()
                .map(|_| EndpointCounters::default())
                .collect(),
        };
        Self {
            started,
            workers: (0..workers).map(|_| figures()).collect(),
            endpoints,
        }
    }

    /// Counts a request that a worker has answered.
    pub fn record(&self, worker: usize, exchange: &Exchange<'_>) {
        let endpoint = exchange.endpoint.unwrap_or(NO_ENDPOINT);
        let index = self.endpoints.iter().position(|label| *label == endpoint);
        let index = index.unwrap_or(self.endpoints.len().saturating_sub(1));
        let Some(worker) = self.workers.get(worker) else {
            return;
        };
        if exchange.broken {
            worker.broken.fetch_add(1, Relaxed);
        }
        let Some(figures) = worker.endpoints.get(index) else {
            return;
        };
        let micros = u64::try_from(exchange.duration.as_micros()).unwrap_or(u64::MAX);
        let bucket = BUCKETS.partition_point(|end| *end < micros);
        let code = figures.codes.get(exchange.status.index());
        for counter in code.into_iter().chain(figures.buckets.get(bucket)) {
            counter.fetch_add(1, Relaxed);
        }
        if let Some(error) = exchange.error
            && exchange.status == Status::Ok
        {
            let mut errors = locked(&figures.errors);
            match errors.get_mut(error) {
                Some(count) => *count += 1,
                None => drop(errors.insert(error.to_owned(), 1)),
            }
        }
        figures.micros.fetch_add(micros, Relaxed);
        figures.bytes.fetch_add(exchange.bytes, Relaxed);
    }

    pub fn render(&self, observed: &Observed, now: SystemTime) -> String {
        let mut out = Exposition::default();
        self.render_process(&mut out, observed);
        self.render_requests(&mut out);
        self.render_durations(&mut out);
        if let Some(engine) = &observed.engine {
            render_engine(&mut out, engine);
        }
        render_limits(&mut out, &observed.refused);
        render_large(&mut out, &observed.large);
        render_cache(&mut out, &observed.cache);
        out.counter(
            "procurement_lookup_audit_failed_total",
            "Audit lines that could not be written.",
            observed.unaudited,
        );
        out.gauge(
            "procurement_lookup_audit_late",
            "1 while an audit line has been waiting for more than 5 seconds, else 0.",
            u8::from(observed.is_audit_late),
        );
        render_keys(&mut out, &observed.keys, observed.needs_keys);
        render_data(&mut out, observed.data.as_ref(), now);
        out.text()
    }

    fn render_process(&self, out: &mut Exposition, observed: &Observed) {
        let name = "procurement_lookup_build_info";
        let help = "Always 1; the label has the version of the program.";
        out.family(name, "gauge", help);
        out.sample(name, &[("version", env!("CARGO_PKG_VERSION"))], 1);
        let started = self.started.duration_since(SystemTime::UNIX_EPOCH);
        let started = started.unwrap_or_default();
        out.gauge(
            "process_start_time_seconds",
            "When the process started, in seconds since 1970.",
            format_args!("{}.{:03}", started.as_secs(), started.subsec_millis()),
        );
        if let Some(process) = &observed.process {
            render_system(out, process);
        }
        out.gauge(
            "procurement_lookup_requests_in_progress",
            "Requests being answered.",
            observed.busy_workers,
        );
        out.gauge(
            "procurement_lookup_workers",
            "Workers, each answering one request at a time.",
            self.workers.len(),
        );
    }

    fn render_requests(&self, out: &mut Exposition) {
        let name = "procurement_lookup_requests_total";
        let help = "Requests answered, by path (-: any other) and HTTP status. The label error \
             has the code of an error answered with status 200.";
        out.family(name, "counter", help);
        for (index, endpoint) in self.endpoints.iter().enumerate() {
            let endpoint = ("endpoint", *endpoint);
            let errors = self.errors(index);
            for status in Status::ALL {
                let mut count = self.sum(index, |figures| figures.codes.get(status.index()));
                if status == Status::Ok {
                    count = count.saturating_sub(errors.values().sum());
                }
                if count > 0 {
                    out.sample(name, &[endpoint, ("code", status.digits())], count);
                }
            }
            let code = ("code", Status::Ok.digits());
            for (error, count) in &errors {
                out.sample(name, &[endpoint, code, ("error", error)], count);
            }
        }
        let name = "procurement_lookup_response_bytes_total";
        let help = "Response body bytes sent, by path.";
        out.family(name, "counter", help);
        for (index, endpoint) in self.endpoints.iter().enumerate() {
            let bytes = self.sum(index, |figures| Some(&figures.bytes));
            out.sample(name, &[("endpoint", endpoint)], bytes);
        }
        let broken = self
            .workers
            .iter()
            .map(|worker| worker.broken.load(Relaxed));
        out.counter(
            "procurement_lookup_responses_broken_total",
            "Answers whose clients disconnected before they were sent completely.",
            broken.sum::<u64>(),
        );
    }

    fn render_durations(&self, out: &mut Exposition) {
        let name = "procurement_lookup_request_duration_seconds";
        out.family(
            name,
            "histogram",
            "Time from the arrival of a request at a worker to the end of writing, by path.",
        );
        let [bucket, sum, number] = ["_bucket", "_sum", "_count"].map(|end| format!("{name}{end}"));
        for (index, endpoint) in self.endpoints.iter().enumerate() {
            let endpoint = ("endpoint", *endpoint);
            let mut count = 0;
            let ends = BUCKETS.map(seconds);
            let ends = ends
                .iter()
                .map(|end| end.trim_end_matches('0').trim_end_matches('.'));
            for (number, end) in ends.chain(["+Inf"]).enumerate() {
                count += self.sum(index, |figures| figures.buckets.get(number));
                out.sample(&bucket, &[endpoint, ("le", end)], count);
            }
            let micros = self.sum(index, |figures| Some(&figures.micros));
            out.sample(&sum, &[endpoint], seconds(micros));
            out.sample(&number, &[endpoint], count);
        }
    }

    fn errors(&self, index: usize) -> BTreeMap<String, u64> {
        let mut sums = BTreeMap::new();
        for counters in self.counters(index) {
            for (error, count) in locked(&counters.errors).iter() {
                *sums.entry(error.clone()).or_default() += count;
            }
        }
        sums
    }

    fn sum(&self, index: usize, figure: impl Fn(&EndpointCounters) -> Option<&AtomicU64>) -> u64 {
        let figures = self.counters(index).filter_map(figure);
        figures.map(|figure| figure.load(Relaxed)).sum()
    }

    fn counters(&self, index: usize) -> impl Iterator<Item = &EndpointCounters> {
        let workers = self.workers.iter();
        workers.filter_map(move |worker| worker.endpoints.get(index))
    }
}

fn render_system(out: &mut Exposition, process: &ProcessFigures) {
    out.counter(
        "process_cpu_seconds_total",
        "Processor time, in seconds.",
        seconds(process.cpu_micros),
    );
    out.gauge(
        "process_resident_memory_bytes",
        "Resident memory, in bytes, including the part of the database in memory.",
        process.resident_bytes,
    );
    out.gauge(
        "process_open_fds",
        "Open files and sockets.",
        process.open_fds,
    );
    if let Some(most) = process.max_fds {
        out.gauge(
            "process_max_fds",
            "Maximum number of open files and sockets.",
            most,
        );
    }
}

fn render_engine(out: &mut Exposition, engine: &Figures) {
    out.gauge(
        "procurement_lookup_connections",
        "Open connections.",
        engine.open,
    );
    out.counter(
        "procurement_lookup_connections_accepted_total",
        "Connections accepted.",
        engine.accepted,
    );
    out.counter(
        "procurement_lookup_sent_bytes_total",
        "Bytes sent, headers included.",
        engine.sent,
    );
    out.gauge(
        "procurement_lookup_waiting_bytes",
        "Bytes of answers waiting to be read by their clients.",
        engine.waiting,
    );
    let name = "procurement_lookup_refused_total";
    let help = "Connections and requests refused because they exceeded a bound or were malformed.";
    out.family(name, "counter", help);
    for (bound, count) in &engine.refused {
        out.sample(name, &[("bound", bound)], count);
    }
}

fn render_limits(out: &mut Exposition, refused: &RefusedCounts) {
    let name = "procurement_lookup_rate_limited_total";
    let help = "Requests answered 429, by rate limit: rnp, key, wrong_key, open (without a key).";
    out.family(name, "counter", help);
    for (limit, count) in [
        ("rnp", refused.rnp),
        ("key", refused.key),
        ("wrong_key", refused.wrong_key),
        ("open", refused.open),
    ] {
        out.sample(name, &[("limit", limit)], count);
    }
}

fn render_large(out: &mut Exposition, large: &LargeFigures) {
    let LargeFigures {
        all,
        waiting,
        in_turn,
        refused,
    } = *large;
    let name = "procurement_lookup_large_answers";
    let help = "Large answers in progress, by state: waiting (for a worker), written, sent (or \
         waiting to be read).";
    out.family(name, "gauge", help);
    // The figures are read one after another, so they may be inconsistent.
    let sent = all.saturating_sub(waiting + in_turn);
    for (state, count) in [("waiting", waiting), ("written", in_turn), ("sent", sent)] {
        out.sample(name, &[("state", state)], count);
    }
    let name = "procurement_lookup_large_answers_refused_total";
    let help = "Large answers refused with 429, by limit: key (too many for one key), all.";
    out.family(name, "counter", help);
    for (limit, count) in [("key", refused.of_key), ("all", refused.of_all)] {
        out.sample(name, &[("limit", limit)], count);
    }
}

fn render_cache(out: &mut Exposition, cache: &CacheFigures) {
    out.counter(
        "procurement_lookup_answer_cache_hits_total",
        "Answers with data that came from the cache.",
        cache.hits,
    );
    out.counter(
        "procurement_lookup_answer_cache_misses_total",
        "Answers with data that had to be read; of 304 responses only RNP checks count.",
        cache.misses,
    );
    out.gauge(
        "procurement_lookup_answer_cache_bytes",
        "Memory of cached answers, in bytes.",
        cache.bytes,
    );
}

fn render_keys(out: &mut Exposition, keys: &KeyState, are_needed: bool) {
    if keys.valid == 0 && keys.failing.is_none() && !are_needed {
        return;
    }
    out.gauge(
        "procurement_lookup_keys_valid",
        "Valid keys, when they were last read.",
        keys.valid,
    );
    out.gauge(
        "procurement_lookup_keys_readable",
        "1 if the keys can be read, else 0, also if their file is missing.",
        u8::from(keys.failing.is_none() && !keys.is_missing),
    );
    let name = "procurement_lookup_key_expires_timestamp_seconds";
    let help = "When the last key of a name expires, in seconds since 1970; reported until a \
         week later.";
    out.family(name, "gauge", help);
    for (holder, end) in &keys.ending {
        out.sample(name, &[("name", holder)], end);
    }
}

fn render_data(out: &mut Exposition, data: Option<&DataState>, now: SystemTime) {
    out.gauge(
        "procurement_lookup_data_readable",
        "1 if the data can be read, else 0. If no PostgreSQL server can be reached, other metrics \
         of the data keep their last values; otherwise they are missing.",
        u8::from(data.is_some_and(|data| data.is_reachable)),
    );
    let Some(data) = data else {
        return;
    };
    out.gauge(
        "procurement_lookup_data_updated_timestamp_seconds",
        "When an import last changed anything, in seconds since 1970.",
        data.updated.max(0),
    );
    out.gauge(
        "procurement_lookup_data_age_seconds",
        "Time since an import last changed anything, in seconds; negative if the clock was set \
         back.",
        data.age_seconds(now),
    );
    out.gauge(
        "procurement_lookup_data_revision",
        "Number of imports that changed the data.",
        data.revision,
    );
    out.counter(
        "procurement_lookup_data_switches_total",
        "New database files and publications taken into use.",
        data.switched,
    );
    out.counter(
        "procurement_lookup_data_switches_refused_total",
        "New database files refused.",
        data.refused,
    );
    let name = "procurement_lookup_data_new_file";
    let help = "1 if the file at the path of the database is not in use, by state: checking \
         (--check-new), refused, missing. The previous file stays in use.";
    out.family(name, "gauge", help);
    for state in [NewFile::Checking, NewFile::Refused, NewFile::Missing] {
        let is_so = u8::from(data.new_file == Some(state));
        out.sample(name, &[("state", state.name())], is_so);
    }
    if let Some(disk) = &data.disk {
        out.gauge(
            "procurement_lookup_data_file_bytes",
            "Size of the database file, in bytes; an import needs as much space again.",
            disk.file_bytes,
        );
        out.gauge(
            "procurement_lookup_data_disk_available_bytes",
            "Free space on the disk of the database, in bytes.",
            disk.available_bytes,
        );
    }
    render_registries(out, data);
    render_coverage(out, data);
    render_update(out, data);
}

fn render_registries(out: &mut Exposition, data: &DataState) {
    let name = "procurement_lookup_registry_complete_timestamp_seconds";
    let help = "Last day as of which the registry of unfair suppliers of a law is known to be \
         complete: start of that day in UTC, in seconds since 1970.";
    out.family(name, "gauge", help);
    // The registries of the demonstration data have no last day.
    for registry in data
        .registries
        .all
        .iter()
        .filter(|_| !data.registries.of_every_day)
    {
        if let Some(days) = registry.complete {
            let labels = [("law", registry.law.code())];
            out.sample(name, &labels, days.as_of.days_since_1970() * 86_400);
        }
    }
}

fn render_coverage(out: &mut Exposition, data: &DataState) {
    let regions = data.regions();
    let name = "procurement_lookup_coverage_to_timestamp_seconds";
    let help = "Last day for which official documents were fetched, by subsystem of EIS and \
         region, for the document type furthest behind: start of that day in UTC, in seconds \
         since 1970.";
    out.family(name, "gauge", help);
    for one in &regions {
        let seconds = one.to.days_since_1970() * 86_400;
        out.sample(
            name,
            &[("subsystem", one.subsystem), ("region", one.region)],
            seconds,
        );
    }
    let name = "procurement_lookup_coverage_gaps";
    let help = "Gaps in the days for which official documents were fetched, by subsystem of EIS \
         and region, counted for each document type.";
    out.family(name, "gauge", help);
    for one in &regions {
        out.sample(
            name,
            &[("subsystem", one.subsystem), ("region", one.region)],
            one.gaps,
        );
    }
}

fn render_update(out: &mut Exposition, data: &DataState) {
    let update = data.update.as_slice();
    let name = "procurement_lookup_update_finished_timestamp_seconds";
    let help = "When the last update ended, in seconds since 1970.";
    out.family(name, "gauge", help);
    for update in update {
        out.sample(name, &[], update.finished);
    }
    let name = "procurement_lookup_update_failed";
    let help = "1 if the last update left anything to be fetched or imported, else 0.";
    out.family(name, "gauge", help);
    for update in update {
        out.sample(name, &[], u8::from(update.is_failed));
    }
    let name = "procurement_lookup_update_cells";
    let help = "Cells (a day, a region, a document type) of the last update, by outcome: \
         obtained, without documents, failed, not requested because it ended early.";
    out.family(name, "gauge", help);
    for update in update {
        for (state, cells) in [
            ("done", update.done),
            ("empty", update.empty),
            ("failed", update.failed),
            ("left", update.left),
        ] {
            out.sample(name, &[("state", state)], cells);
        }
    }
}

#[cfg(test)]
#[path = "metrics/tests.rs"]
mod tests;

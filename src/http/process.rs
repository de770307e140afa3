//! Metrics of this process, under the names that Prometheus' client libraries use.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProcessFigures {
    /// CPU time, in microseconds.
    pub cpu_micros: u64,
    /// Resident memory in bytes, including the resident pages of mapped files.
    pub resident_bytes: u64,
    pub open_fds: u64,
    /// Limit on open files and sockets, if any.
    pub max_fds: Option<u64>,
}

impl ProcessFigures {
    /// Reads the current figures. `None` if the system does not provide them.
    #[cfg(target_os = "linux")]
    pub fn read() -> Option<Self> {
        use std::fs;

        use rustix::process::{Resource, getrlimit};
        use rustix::time::{ClockId, clock_gettime};

        let cpu = clock_gettime(ClockId::ProcessCPUTime);
        let micros = u64::try_from(cpu.tv_nsec).ok()? / 1_000;
        let status = fs::read_to_string("/proc/self/status").ok()?;
        let resident = status
            .lines()
            .find_map(|line| line.strip_prefix("VmRSS:"))?;
        let resident_kb: u64 = resident.split_whitespace().next()?.parse().ok()?;
        // One of the descriptors is that of the directory being read.
        let files = fs::read_dir("/proc/self/fd").ok()?.count();
        Some(Self {
            cpu_micros: u64::try_from(cpu.tv_sec).ok()?.checked_mul(1_000_000)? + micros,
            resident_bytes: resident_kb.checked_mul(1024)?,
            open_fds: u64::try_from(files.saturating_sub(1)).ok()?,
            max_fds: getrlimit(Resource::Nofile).current,
        })
    }

    /// Returns `None`: other systems do not provide these figures.
    #[cfg(not(target_os = "linux"))]
    pub fn read() -> Option<Self> {
        None
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::fs::File;

    use super::*;

    #[test]
    fn a_process_reports_time_memory_and_files() {
        let before = ProcessFigures::read().expect("figures");
        assert!(before.cpu_micros > 0 && before.resident_bytes > 1 << 20);
        assert!(before.max_fds.is_none_or(|most| most > before.open_fds));
        // These are more files than concurrent tests could close in the meantime.
        let open: Vec<File> = (0..500)
            .filter_map(|_| File::open("/proc/self/status").ok())
            .collect();
        let during = ProcessFigures::read().expect("figures");
        assert!(during.open_fds >= open.len() as u64);
    }
}

//! The limit on open files. It is raised to what the bounds need, or if that is not possible, the
//! bounds are lowered to fit.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::http::engine::Bounds;

/// Files other than connections that may be opened after the start: the database (three per
/// worker), the keys file, the log, and files of long bodies (16, and one more during compression).
const RESERVE: u64 = 56;

/// Upper bound on connections that are being refused at the same time.
const MAX_SPARE: u64 = 64;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// Connections that are served.
    pub connections: u64,
    /// Connections that are accepted only to be refused.
    pub spare: u64,
}

/// Returns how many connections the process can have open at once.
pub fn room(bounds: &Bounds) -> Room {
    let open = std::fs::read_dir("/proc/self/fd").map_or(64, |files| files.count() as u64);
    let wanted = Room {
        connections: bounds.connections as u64,
        spare: MAX_SPARE.min(bounds.connections as u64),
    };
    let needed = open + RESERVE + wanted.connections + wanted.spare;
    let limit = raised(needed);
    let room = fit(wanted, limit.saturating_sub(open));
    if room.connections < wanted.connections {
        log::warn!(
            "the limit on open files is {limit}, which allows {} connections instead of {}; \
             a limit of {needed} would suffice (ulimit -n, or LimitNOFILE= in a systemd unit)",
            room.connections,
            wanted.connections
        );
    }
    room
}

/// Raises the soft limit on open files towards `needed`. Returns the resulting limit.
fn raised(needed: u64) -> u64 {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let (now, most) = (current.unwrap_or(u64::MAX), maximum.unwrap_or(u64::MAX));
    let wanted = needed.min(most);
    if wanted <= now {
        return now;
    }
    let raised = Rlimit {
        current: Some(wanted),
        maximum,
    };
    match setrlimit(Resource::Nofile, raised) {
        Ok(()) => {
            log::info!("raised the limit on open files from {now} to {wanted}");
            wanted
        }
        Err(_) => now,
    }
}

/// Reduces the numbers of connections to fit into `left` files that can still be opened.
fn fit(wanted: Room, left: u64) -> Room {
    let usable = left.saturating_sub(RESERVE);
    if wanted.connections + wanted.spare <= usable {
        return wanted;
    }
    let spare = wanted.spare.min(usable / 8).max(1);
    Room {
        connections: wanted.connections.min(usable.saturating_sub(spare)).max(1),
        spare,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_lowered_to_the_descriptor_limit() {
        let wanted = Room {
            connections: 4096,
            spare: 64,
        };
        assert_eq!(fit(wanted, 10_000), wanted);
        let check = |left, connections, spare| {
            assert_eq!(fit(wanted, left), Room { connections, spare }, "{left}");
        };
        check(1024, 904, 64);
        check(82, 23, 3);
        check(0, 1, 1);
    }
}

//! The limit of open files. It is raised to the needs of the bounds, or the bounds are lowered to
//! it.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::http::engine::Bounds;

/// Files beside connections that are opened after the start: the database's (three for each
/// worker), the keys', the log's, and those of long bodies (16, and one more while it is packed).
const RESERVE: u64 = 56;

/// The most connections that are refused at the same time.
const MAX_SPARE: u64 = 64;

/// The number of served connections, and of further ones that are only refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// Served connections.
    pub connections: u64,
    /// Refused connections.
    pub spare: u64,
}

/// Returns the room that the process has for connections of a server with `bounds`.
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
            "the limit of open files is {limit}, so there can be {} connections instead of {}; \
             {needed} open files would do (ulimit -n, or LimitNOFILE= of a unit)",
            room.connections,
            wanted.connections
        );
    }
    room
}

/// Raises the limit of open files to `needed`, as far as possible. Returns the limit.
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
            log::info!("the limit of open files is raised from {now} to {wanted}");
            wanted
        }
        Err(_) => now,
    }
}

/// Returns the room if `left` files can still be opened.
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
    fn bounds_are_lowered_to_what_the_limit_allows() {
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

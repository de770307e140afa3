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
    if room != wanted {
        log::warn!("{}", warning(wanted, room, limit, needed));
    }
    room
}

/// Returns a warning with the lowered bound and a sufficient limit of open files.
fn warning(wanted: Room, room: Room, limit: u64, needed: u64) -> String {
    let effect = match room.connections < wanted.connections {
        true => format!(
            "there can be {} connections instead of {}",
            room.connections, wanted.connections
        ),
        false => format!(
            "of the connections beyond {} only {} at a time are told why they are refused",
            room.connections, room.spare
        ),
    };
    format!(
        "the limit of open files is {limit}, so {effect}; {needed} open files would do \
         (ulimit -n, or LimitNOFILE= of a unit)"
    )
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

    #[test]
    fn the_warning_never_says_that_there_are_as_many_connections_instead_of_as_many() {
        let wanted = Room {
            connections: 16,
            spare: 16,
        };
        let room = fit(wanted, 76);
        assert_eq!(room.connections, wanted.connections);
        let said = warning(wanted, room, 64, 76);
        assert!(!said.contains("instead of"), "{said}");
        assert!(warning(wanted, fit(wanted, 62), 64, 76).contains("5 connections instead of 16"));
    }
}

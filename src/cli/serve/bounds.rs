//! Options for the bounds of the HTTP engine.

use std::ops::RangeInclusive;
use std::time::Duration;

use clap::value_parser;

use crate::cli::values::{duration_in, size_in};
use crate::http::engine::Bounds;

/// Maximum configurable number of connections. Each takes a few kilobytes.
pub const MAX_CONNECTIONS: i64 = 100_000;

/// Range of the timeouts.
pub const LEAST_TIME: Duration = Duration::from_millis(10);
pub const MOST_TIME: Duration = Duration::from_secs(3600);

/// Range of `--max-head-size`. With less than 1 KB, real clients would be rejected.
pub const HEAD_SIZES: RangeInclusive<usize> = 1 << 10..=1 << 20;

/// Range of the memory for unread responses, which must hold at least one page of results.
pub const PENDING_SIZES: RangeInclusive<usize> = 1 << 20..=1 << 36;

#[derive(Clone, Copy, Debug, clap::Args)]
#[command(next_help_heading = "Bounds")]
pub struct BoundArgs {
    /// Maximum number of connections
    #[arg(long, value_name = "N", default_value = "4096", value_parser = value_parser!(u32).range(1..=MAX_CONNECTIONS))]
    max_connections: u32,
    /// Maximum number of connections from one address (in IPv6, from one /64); addresses of
    /// --trust-proxy are exempt
    #[arg(long, value_name = "N", default_value = "1024", value_parser = value_parser!(u32).range(1..=MAX_CONNECTIONS))]
    max_connections_per_address: u32,
    /// Maximum size of the request line and headers
    #[arg(long, value_name = "SIZE", default_value = "16KB", value_parser = size_in(HEAD_SIZES))]
    max_head_size: usize,
    /// How long the request line and headers may take to arrive
    #[arg(long, value_name = "SPAN", default_value = "10s", value_parser = duration_in(LEAST_TIME..=MOST_TIME))]
    head_timeout: Duration,
    /// How long a connection may be idle between requests
    #[arg(long, value_name = "SPAN", default_value = "30s", value_parser = duration_in(LEAST_TIME..=MOST_TIME))]
    idle_timeout: Duration,
    /// Period over which a client must read its answer at 8 KB per second or faster
    #[arg(long, value_name = "SPAN", default_value = "20s", value_parser = duration_in(LEAST_TIME..=MOST_TIME))]
    write_timeout: Duration,
    /// Memory for answers that clients have not read yet, over all connections
    #[arg(long, value_name = "SIZE", default_value = "64MB", value_parser = size_in(PENDING_SIZES))]
    max_pending_bytes: usize,
}

impl BoundArgs {
    pub fn bounds(&self) -> Bounds {
        Bounds {
            connections: self.max_connections as usize,
            connections_of_address: self.max_connections_per_address as usize,
            head: self.max_head_size,
            head_time: self.head_timeout,
            idle_time: self.idle_timeout,
            write_time: self.write_timeout,
            pending: self.max_pending_bytes,
            ..Bounds::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct TestCli {
        #[command(flatten)]
        bounds: BoundArgs,
    }

    fn given(line: &str) -> Bounds {
        let given = TestCli::try_parse_from(line.split(' ')).expect("options");
        given.bounds.bounds()
    }

    #[test]
    fn each_option_sets_the_bound_of_its_name() {
        let line = "serve --max-connections 1 --max-connections-per-address 2 \
                    --max-head-size 3KB --head-timeout 6s --idle-timeout 7 \
                    --write-timeout 800ms --max-pending-bytes 9MB";
        let expected = Bounds {
            connections: 1,
            connections_of_address: 2,
            head: 3 << 10,
            head_time: Duration::from_secs(6),
            idle_time: Duration::from_secs(7),
            write_time: Duration::from_millis(800),
            pending: 9 << 20,
            ..Bounds::default()
        };
        assert_eq!(given(line), expected);
    }

    #[test]
    fn bounds_that_would_refuse_everything_or_limit_nothing_are_rejected() {
        for (option, value) in [
            ("--max-connections", "0"),
            ("--max-connections", "100001"),
            ("--max-connections-per-address", "-1"),
            ("--max-head-size", "100"),
            ("--max-head-size", "2MB"),
            ("--head-timeout", "0"),
            ("--idle-timeout", "2h"),
            ("--write-timeout", "1 parsec"),
            ("--max-pending-bytes", "1KB"),
        ] {
            assert!(
                TestCli::try_parse_from(["serve", option, value]).is_err(),
                "{option} {value}"
            );
        }
    }
}

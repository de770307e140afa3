//! The bounds of the engine, as options.

use std::ops::RangeInclusive;
use std::time::Duration;

use crate::cli::values;
use crate::http::engine::Bounds;

/// The most connections that can be asked for: each takes some kilobytes.
const MAX_CONNECTIONS: u64 = 100_000;

/// What a head may be bounded to; below it real clients are refused.
const HEAD: RangeInclusive<usize> = 1 << 10..=1 << 20;

/// What the bytes that wait may be bounded to; a whole page must have room.
const PENDING: RangeInclusive<usize> = 1 << 20..=1 << 36;

/// What times may be bounded to: a bound that never comes would be none.
const TIME: RangeInclusive<Duration> = Duration::from_millis(10)..=Duration::from_secs(3600);

/// How many clients there may be, what they may send, and how long they may take.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(next_help_heading = "Bounds")]
pub struct BoundArgs {
    /// Connections in all
    #[arg(long, value_name = "N", env = "PROCUREMENT_LOOKUP_MAX_CONNECTIONS", hide_env = true, default_value = "4096", value_parser = connections)]
    max_connections: usize,
    /// Connections from one address
    #[arg(long, value_name = "N", env = "PROCUREMENT_LOOKUP_MAX_CONNECTIONS_PER_ADDRESS", hide_env = true, default_value = "1024", value_parser = connections)]
    max_connections_per_address: usize,
    /// Size of a request's head: its first line and its headers
    #[arg(long, value_name = "SIZE", env = "PROCUREMENT_LOOKUP_MAX_HEAD_SIZE", hide_env = true, default_value = "16KB", value_parser = head)]
    max_head_size: usize,
    /// How long a request's head may take to arrive
    #[arg(long, value_name = "TIME", env = "PROCUREMENT_LOOKUP_HEAD_TIMEOUT", hide_env = true, default_value = "10s", value_parser = time)]
    head_timeout: Duration,
    /// How long a connection may be idle between requests
    #[arg(long, value_name = "TIME", env = "PROCUREMENT_LOOKUP_IDLE_TIMEOUT", hide_env = true, default_value = "30s", value_parser = time)]
    idle_timeout: Duration,
    /// How long a client may take nothing of its answer
    #[arg(long, value_name = "TIME", env = "PROCUREMENT_LOOKUP_WRITE_TIMEOUT", hide_env = true, default_value = "20s", value_parser = time)]
    write_timeout: Duration,
    /// Answers, of all connections together, that wait for their clients
    #[arg(long, value_name = "SIZE", env = "PROCUREMENT_LOOKUP_MAX_PENDING_BYTES", hide_env = true, default_value = "64MB", value_parser = pending)]
    max_pending_bytes: usize,
}

impl BoundArgs {
    /// The bounds, as the engine takes them.
    pub fn bounds(&self) -> Bounds {
        Bounds {
            connections: self.max_connections,
            connections_of_address: self.max_connections_per_address,
            uncounted: Vec::new(),
            head: self.max_head_size,
            head_time: self.head_timeout,
            idle_time: self.idle_timeout,
            write_time: self.write_timeout,
            pending: self.max_pending_bytes,
        }
    }
}

fn connections(text: &str) -> Result<usize, String> {
    let number = text
        .parse()
        .ok()
        .filter(|number| (1..=MAX_CONNECTIONS).contains(number));
    number
        .and_then(|number| usize::try_from(number).ok())
        .ok_or_else(|| format!("give a number from 1 to {MAX_CONNECTIONS}"))
}

fn size(text: &str, range: &RangeInclusive<usize>) -> Result<usize, String> {
    let size = values::bytes(text)?;
    if range.contains(&size) {
        return Ok(size);
    }
    Err(format!("give {} to {} bytes", range.start(), range.end()))
}

fn head(text: &str) -> Result<usize, String> {
    size(text, &HEAD)
}

fn pending(text: &str) -> Result<usize, String> {
    size(text, &PENDING)
}

fn time(text: &str) -> Result<Duration, String> {
    let time = values::duration(text)?;
    if TIME.contains(&time) {
        return Ok(time);
    }
    Err("give a span of time from 10ms to 1h".to_owned())
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Alone {
        #[command(flatten)]
        bounds: BoundArgs,
    }

    fn given(line: &str) -> Bounds {
        let given = Alone::try_parse_from(line.split(' ')).expect("options");
        given.bounds.bounds()
    }

    #[test]
    fn without_options_the_bounds_are_the_default_ones() {
        assert_eq!(given("serve"), Bounds::default());
    }

    #[test]
    fn each_option_sets_its_bound() {
        let line = "serve --max-connections 1 --max-connections-per-address 2 \
                    --max-head-size 3KB --head-timeout 6s \
                    --idle-timeout 7 --write-timeout 800ms --max-pending-bytes 9MB";
        let expected = Bounds {
            connections: 1,
            connections_of_address: 2,
            uncounted: Vec::new(),
            head: 3 << 10,
            head_time: Duration::from_secs(6),
            idle_time: Duration::from_secs(7),
            write_time: Duration::from_millis(800),
            pending: 9 << 20,
        };
        assert_eq!(given(line), expected);
    }

    #[test]
    fn bounds_that_would_refuse_everything_or_bound_nothing_are_refused() {
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
                Alone::try_parse_from(["serve", option, value]).is_err(),
                "{option} {value}"
            );
        }
    }
}

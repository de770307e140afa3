//! Parsers of option values: durations and sizes.

use std::ops::RangeInclusive;
use std::time::Duration;

/// Parses a duration: `10s`, `500ms`, `2m`, `7days`. A bare number is seconds.
pub fn duration(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().map(Duration::from_secs);
    seconds
        .or_else(|_| humantime::parse_duration(text))
        .map_err(|_| "give a duration such as 10s, 500ms, 2m or 7days".to_owned())
}

/// Parses a duration within `range`.
pub fn duration_in(
    range: RangeInclusive<Duration>,
) -> impl Fn(&str) -> Result<Duration, String> + Clone + Send + Sync + 'static {
    move |text| {
        let span = duration(text)?;
        if range.contains(&span) {
            return Ok(span);
        }
        let [least, most] =
            [range.start(), range.end()].map(|end| humantime::format_duration(*end));
        Err(format!("give a duration from {least} to {most}"))
    }
}

/// Parses a number of bytes: `16384`, `16KB`, `64MB`, `1GB`. The units are powers of 1,024.
pub fn size(text: &str) -> Result<usize, String> {
    let upper = text.to_ascii_uppercase();
    let (digits, unit) = [("KB", 10), ("MB", 20), ("GB", 30)]
        .into_iter()
        .find_map(|(suffix, shift)| Some((upper.strip_suffix(suffix)?, 1_usize << shift)))
        .unwrap_or((&upper, 1));
    let number = digits.trim_end().parse::<usize>().ok();
    number
        .and_then(|number| number.checked_mul(unit))
        .ok_or_else(|| "give a number of bytes such as 16384, 16KB or 64MB".to_owned())
}

/// Parses a number of bytes within `range`.
pub fn size_in(
    range: RangeInclusive<usize>,
) -> impl Fn(&str) -> Result<usize, String> + Clone + Send + Sync + 'static {
    move |text| {
        let size = size(text)?;
        if range.contains(&size) {
            return Ok(size);
        }
        Err(format!("give {} to {} bytes", range.start(), range.end()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_without_a_unit_is_in_seconds() {
        assert_eq!(duration("10s"), Ok(Duration::from_secs(10)));
        assert_eq!(duration("10"), Ok(Duration::from_secs(10)));
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("7days"), Ok(Duration::from_secs(7 * 86_400)));
        for bad in [
            "",
            "s",
            "-1",
            "-1s",
            "1.5",
            "10 parsecs",
            "99999999999999999999",
        ] {
            assert!(duration(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_size_without_a_unit_is_in_bytes() {
        assert_eq!(size("16384"), Ok(16_384));
        assert_eq!(size("16KB"), Ok(16_384));
        assert_eq!(size("64 mb"), Ok(64 << 20));
        for bad in [
            "",
            "KB",
            "-1",
            "1.5KB",
            "1TB",
            "99999999999999999999",
            "9999999999999GB",
        ] {
            assert!(size(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_value_out_of_range_is_refused_and_the_range_includes_both_ends() {
        let span = duration_in(Duration::from_millis(10)..=Duration::from_secs(3600));
        assert_eq!(span("10ms"), Ok(Duration::from_millis(10)));
        assert_eq!(span("1h"), Ok(Duration::from_secs(3600)));
        let refused = "give a duration from 10ms to 1h";
        assert_eq!(span("3601"), Err(refused.to_owned()));
        let size = size_in(1 << 10..=1 << 20);
        assert_eq!(size("1MB"), Ok(1 << 20));
        assert_eq!(size("1023"), Err("give 1024 to 1048576 bytes".to_owned()));
    }
}

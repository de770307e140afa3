//! Values of options that are more than a number: spans of time and sizes.

use std::time::Duration;

/// A span of time: `10s`, `500ms`, `2m`, `7days`; a bare number is seconds.
pub fn duration(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().map(Duration::from_secs);
    seconds
        .or_else(|_| humantime::parse_duration(text))
        .map_err(|_| "give a span of time such as 10s, 500ms, 2m or 7days".to_owned())
}

/// A number of bytes: `16384`, `16KB`, `64MB`; KB and MB are 1,024 and 1,048,576.
pub fn bytes(text: &str) -> Result<usize, String> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_of_time_have_a_unit_or_are_seconds() {
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
    fn sizes_have_a_unit_or_are_bytes() {
        assert_eq!(bytes("16384"), Ok(16_384));
        assert_eq!(bytes("16KB"), Ok(16_384));
        assert_eq!(bytes("64 mb"), Ok(64 << 20));
        for bad in [
            "",
            "KB",
            "-1",
            "1.5KB",
            "1TB",
            "99999999999999999999",
            "9999999999999GB",
        ] {
            assert!(bytes(bad).is_err(), "{bad}");
        }
    }
}

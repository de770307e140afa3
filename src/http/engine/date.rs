//! The date of a response.

use std::cell::RefCell;
use std::time::{SystemTime, UNIX_EPOCH};

/// Writes an instant as `Date` has it (RFC 9110, 5.6.7):
/// `Sun, 06 Nov 1994 08:49:37 GMT`.
pub fn write(out: &mut Vec<u8>, instant: SystemTime) {
    with(instant, |date| out.extend_from_slice(date.as_bytes()));
}

/// Calls `use_it` with what [`write()`] writes. Each thread keeps the last one.
pub fn with(instant: SystemTime, use_it: impl FnOnce(&str)) {
    thread_local! {
        static LAST: RefCell<(u64, String)> = const { RefCell::new((u64::MAX, String::new())) };
    }
    let second = instant
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_secs());
    LAST.with_borrow_mut(|(last, text)| {
        if *last != second {
            *text = format(instant);
            *last = second;
        }
        use_it(text);
    });
}

fn format(instant: SystemTime) -> String {
    let instant = time::OffsetDateTime::from(instant);
    let (hour, minute, second) = instant.to_hms();
    let (weekday, month) = (instant.weekday().to_string(), instant.month().to_string());
    format!(
        "{weekday:.3}, {:02} {month:.3} {:04} {hour:02}:{minute:02}:{second:02} GMT",
        instant.day(),
        instant.year()
    )
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn dates_have_the_fixed_form() {
        for (second, expected) in [
            (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
            (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
            (784_111_778, "Sun, 06 Nov 1994 08:49:38 GMT"),
        ] {
            let mut out = b"Date: ".to_vec();
            write(&mut out, UNIX_EPOCH + Duration::from_secs(second));
            assert_eq!(out, [b"Date: ", expected.as_bytes()].concat());
        }
    }
}

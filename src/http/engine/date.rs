//! Formats the `Date` header of responses (RFC 9110, 5.6.7).

use std::cell::RefCell;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Calls `use_it` with an instant formatted as `Sun, 06 Nov 1994 08:49:37 GMT`. Each thread caches
/// the text for the current second.
pub fn with(instant: SystemTime, use_it: impl FnOnce(&str)) {
    thread_local! {
        static LAST: RefCell<(u64, String)> = const { RefCell::new((u64::MAX, String::new())) };
    }
    let second = instant
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_secs());
    LAST.with_borrow_mut(|(last, text)| {
        if *last != second {
            *text = httpdate::fmt_http_date(UNIX_EPOCH + Duration::from_secs(second));
            *last = second;
        }
        use_it(text);
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_have_the_fixed_form() {
        for (second, expected) in [
            (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
            (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
            (784_111_778, "Sun, 06 Nov 1994 08:49:38 GMT"),
        ] {
            with(UNIX_EPOCH + Duration::from_secs(second), |date| {
                assert_eq!(date, expected);
            });
        }
    }
}

//! Parses values in the formats of documents: dates with a time zone, publication times, amounts.
//! An error is the expected form, worded to follow "not".

use std::borrow::Borrow;
use std::collections::BTreeSet;

use crate::model::{Amount, Date, Moment};

type Result<T> = std::result::Result<T, &'static str>;

/// Parses an amount, which may have an exponent.
pub fn amount(text: &str) -> Result<Amount> {
    text.parse()
        .map_err(|_| "a decimal number of up to 28 digits")
}

/// Returns the calendar day as written, ignoring any time and time zone after it.
pub fn day(text: &str) -> Result<Date> {
    day_of(text).ok_or("a date")
}

fn day_of(text: &str) -> Option<Date> {
    let (day, rest) = text.split_at_checked(10)?;
    let followed_well = rest.is_empty() || rest.starts_with(['T', 'Z', '+', '-']);
    Date::parse_iso(day).filter(|_| followed_well)
}

/// Returns the day as written, with hour and minute if stated.
pub fn moment(text: &str) -> Result<Moment> {
    moment_of(text).ok_or("a date and time")
}

fn moment_of(text: &str) -> Option<Moment> {
    let date = day_of(text)?;
    let Some(clock) = text.get(10..)?.strip_prefix('T') else {
        return Some(Moment::from_day(date));
    };
    let (hour, rest) = clock.split_at_checked(2)?;
    let (minute, rest) = rest.strip_prefix(':')?.split_at_checked(2)?;
    let hour = u8::try_from(number(hour, 23)?).ok()?;
    let minute = u8::try_from(number(minute, 59)?).ok()?;
    let moment = Moment::at(date, hour, minute);
    moment.filter(|_| rest.is_empty() || rest.starts_with([':', 'Z', '+', '-']))
}

/// Returns an `xs:dateTime` or `xs:date` in milliseconds since 1970. Without a time zone, Moscow
/// time applies.
pub fn instant(text: &str) -> Result<i64> {
    instant_of(text).ok_or("a date and time")
}

fn instant_of(text: &str) -> Option<i64> {
    let day = day_of(text)?;
    let rest = text.get(10..)?;
    let (clock, zone) = match rest.strip_prefix('T') {
        None => ("00:00:00", rest),
        Some(rest) => rest.split_at(rest.find(['Z', '+', '-']).unwrap_or(rest.len())),
    };
    let (whole, fraction) = clock.split_once('.').unwrap_or((clock, ""));
    let [hours, minutes, seconds] = whole.split(':').collect::<Vec<_>>()[..] else {
        return None;
    };
    let (hours, minutes) = (number(hours, 24)?, number(minutes, 59)?);
    let seconds = number(seconds, 60)?;
    let milliseconds = match fraction.get(..3.min(fraction.len()))? {
        "" => 0,
        digits => number(digits, 999)? * [100, 10, 1].get(digits.len() - 1)?,
    };
    let offset = match zone {
        "Z" => 0,
        "" => 3 * 60,
        zone => {
            let sign = if zone.starts_with('-') { -1 } else { 1 };
            let (hours, minutes) = zone.get(1..)?.split_once(':')?;
            sign * (number(hours, 14)? * 60 + number(minutes, 59)?)
        }
    };
    let seconds = (day.days_since_1970() * 24 + hours) * 3600 + (minutes - offset) * 60 + seconds;
    Some(seconds * 1000 + milliseconds)
}

/// Returns the hour and minute of an `xs:time` as `HH:MM`.
pub fn time(text: &str) -> Result<String> {
    time_of(text).ok_or("a time")
}

fn time_of(text: &str) -> Option<String> {
    let (hour, rest) = text.split_at_checked(2)?;
    let (minute, rest) = rest.strip_prefix(':')?.split_at_checked(2)?;
    let is_time = number(hour, 23).is_some() && number(minute, 59).is_some();
    (is_time && rest.starts_with(':')).then(|| format!("{hour}:{minute}"))
}

fn number(text: &str, most: i64) -> Option<i64> {
    let is_number = text.len() <= 4 && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = text.parse().ok();
    number.filter(|number| is_number && *number <= most)
}

pub fn flag(text: &str) -> Result<bool> {
    match text {
        "false" | "0" => Ok(false),
        "true" | "1" => Ok(true),
        _ => Err("true or false"),
    }
}

pub fn joined<P: Borrow<str>>(parts: impl IntoIterator<Item = P>, separator: &str) -> String {
    let parts = parts.into_iter();
    let there: Vec<P> = parts.filter(|part| !part.borrow().is_empty()).collect();
    there.join(separator)
}

/// In characters.
const MAX_SUBJECT: usize = 2000;

/// Makes a subject for a purchase or contract that states none. Consists of the distinct `names` of
/// its objects; if too long, it is cut between words.
pub fn subject<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    let mut seen = BTreeSet::new();
    let mut subject = String::new();
    for name in names {
        let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        if name.is_empty() || seen.contains(&name) {
            continue;
        }
        if !subject.is_empty() {
            subject.push_str("; ");
        }
        subject.push_str(&name);
        seen.insert(name);
        // A character has at most four bytes, so anything beyond this would be cut off.
        if subject.len() > 4 * MAX_SUBJECT {
            break;
        }
    }
    cut_at_word(&subject)
}

fn cut_at_word(text: &str) -> String {
    let Some((end, _)) = text.char_indices().nth(MAX_SUBJECT) else {
        return text.to_owned();
    };
    let head = &text[..end];
    let at_word = text[end..].starts_with(' ');
    let cut = if at_word {
        head
    } else {
        head.rsplit_once(' ').map_or(head, |(words, _)| words)
    };
    cut.trim_end_matches([' ', ';']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_day_is_as_written_whatever_the_zone() {
        for text in [
            "2025-11-13",
            "2025-11-13+03:00",
            "2025-11-13Z",
            "2025-11-13T23:59:59.999-10:00",
        ] {
            assert_eq!(
                day_of(text).map(|day| day.to_string()).as_deref(),
                Some("2025-11-13"),
                "{text}"
            );
        }
        for text in [
            "2025-11-31",
            "13.11.2025",
            "2025-11-13 10:00",
            "2025-11-1",
            "дддддддддд",
        ] {
            assert_eq!(day_of(text), None, "{text}");
        }
    }

    #[test]
    fn moments_are_as_written() {
        let shown = |text| {
            moment_of(text).map(|moment| {
                let mut out = Vec::new();
                moment.write_dotted(&mut out);
                String::from_utf8_lossy(&out).into_owned()
            })
        };
        assert_eq!(
            shown("2021-04-22T09:05:00+10:00").as_deref(),
            Some("22.04.2021 09:05")
        );
        assert_eq!(
            shown("2021-04-22T09:05").as_deref(),
            Some("22.04.2021 09:05")
        );
        assert_eq!(shown("2021-04-22+03:00").as_deref(), Some("22.04.2021"));
        for text in [
            "2021-04-22T9:05:00",
            "2021-04-22T24:00:00",
            "2021-04-22Tдд:00",
        ] {
            assert_eq!(shown(text), None, "{text}");
        }
    }

    #[test]
    fn times_of_day_have_hours_and_minutes() {
        for text in ["09:05:00", "09:05:00.5+03:00"] {
            assert_eq!(time_of(text).as_deref(), Some("09:05"), "{text}");
        }
        for text in ["9:05:00", "24:00:00", "09:05", "дд:00:00", "-1:00:00"] {
            assert_eq!(time_of(text), None, "{text}");
        }
    }

    #[test]
    fn instants_are_compared_across_zones() {
        let at = |text| instant_of(text).unwrap_or_else(|| panic!("{text}"));
        assert_eq!(at("1970-01-01T00:00:00Z"), 0);
        assert_eq!(at("2017-01-16T19:12:06.771+03:00"), 1_484_583_126_771);
        assert_eq!(
            at("2017-01-16T16:12:06.771Z"),
            at("2017-01-16T19:12:06.771+03:00")
        );
        assert_eq!(
            at("2017-01-16T19:12:06.771"),
            at("2017-01-16T19:12:06.771+03:00")
        );
        assert_eq!(at("2017-01-16T19:12:06.7"), at("2017-01-16T19:12:06.700"));
        assert_eq!(at("2017-01-16+03:00"), at("2017-01-16T00:00:00+03:00"));
        for text in [
            "2017-01-16T19:12",
            "2017-01-16T25:00:00Z",
            "2017-01-16T00:00:00+3",
            "2017-01-16T::Z",
        ] {
            assert_eq!(instant_of(text), None, "{text}");
        }
    }
}

//! Values in the documents' own formats: dates with a zone, times of publication, amounts.

use super::element::Element;
use crate::model::{Amount, ContractStage, Date, Moment};

/// What reading a value returns; the error names the element and what it should be.
pub type Result<T> = std::result::Result<T, String>;

/// The stage of a contract in a document (`currentContractStage`).
pub fn stage(document: &Element<'_>) -> Result<Option<ContractStage>> {
    match document.text_at("currentContractStage") {
        "" => Ok(None),
        code => ContractStage::from_code(code)
            .map(Some)
            .ok_or_else(|| format!("currentContractStage: not {}", ContractStage::EXPECTED)),
    }
}

/// The amount at `path`, if there is one. Real documents have numbers in exponent form.
pub fn amount(element: &Element<'_>, path: &str) -> Result<Option<Amount>> {
    let text = element.text_at(path);
    if text.is_empty() {
        return Ok(None);
    }
    text.parse()
        .map(Some)
        .map_err(|error| format!("{path}: {error}: {}", shown(text)))
}

/// The first amount at any of `paths`.
pub fn first_amount(element: &Element<'_>, paths: &[&str]) -> Result<Option<Amount>> {
    for path in paths {
        if let Some(value) = amount(element, path)? {
            return Ok(Some(value));
        }
    }
    Ok(None)
}

/// The calendar day at `path`, if there is one: as written, whatever time and zone follow
/// it ("Day and time as written" in the mapping's section 7).
pub fn day(element: &Element<'_>, path: &str) -> Result<Option<Date>> {
    let text = element.text_at(path);
    if text.is_empty() {
        return Ok(None);
    }
    day_of(text)
        .map(Some)
        .ok_or_else(|| format!("{path}: not a date: {}", shown(text)))
}

fn day_of(text: &str) -> Option<Date> {
    let (day, rest) = text.split_at_checked(10)?;
    let followed_well = rest.is_empty() || rest.starts_with(['T', 'Z', '+', '-']);
    Date::parse_iso(day).filter(|_| followed_well)
}

/// The day at `path`, with its hour and minute if it has them, all as written ("Day and
/// time as written" in the mapping's section 7).
pub fn moment(element: &Element<'_>, path: &str) -> Result<Option<Moment>> {
    let text = element.text_at(path);
    if text.is_empty() {
        return Ok(None);
    }
    moment_of(text)
        .map(Some)
        .ok_or_else(|| format!("{path}: not a date and time: {}", shown(text)))
}

/// The first moment at any of `paths`.
pub fn first_moment(element: &Element<'_>, paths: &[&str]) -> Result<Option<Moment>> {
    for path in paths {
        if let Some(value) = moment(element, path)? {
            return Ok(Some(value));
        }
    }
    Ok(None)
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

/// The instant at `path`, an `xs:dateTime` or `xs:date`, in milliseconds since 1970;
/// without a zone it is in Moscow time. 0 if missing.
pub fn instant(element: &Element<'_>, path: &str) -> Result<i64> {
    let text = element.text_at(path);
    if text.is_empty() {
        return Ok(0);
    }
    instant_of(text).ok_or_else(|| format!("{path}: not a date and time: {}", shown(text)))
}

fn instant_of(text: &str) -> Option<i64> {
    let day = day_of(text)?;
    let rest = text.get(10..)?;
    let (clock, zone) = match rest.strip_prefix('T') {
        None => ("00:00:00", rest),
        Some(rest) => rest.split_at(rest.find(['Z', '+', '-']).unwrap_or(rest.len())),
    };
    let (whole, fraction) = clock.split_once('.').unwrap_or((clock, ""));
    let (hours, minutes, seconds) = match whole.split(':').collect::<Vec<_>>()[..] {
        [hours, minutes, seconds] => (
            number(hours, 24)?,
            number(minutes, 59)?,
            number(seconds, 60)?,
        ),
        _ => return None,
    };
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

fn number(text: &str, most: i64) -> Option<i64> {
    let digits =
        !text.is_empty() && text.len() <= 4 && text.bytes().all(|byte| byte.is_ascii_digit());
    digits
        .then(|| text.parse().ok())
        .flatten()
        .filter(|value| *value <= most)
}

/// The version at the first of `paths` that has one; 0 if none has.
pub fn version(element: &Element<'_>, paths: &[&str]) -> Result<i64> {
    match element.first_text(paths) {
        "" => Ok(0),
        text => text.parse().map_err(|_| {
            let path = paths.first().copied().unwrap_or_default();
            format!("{path}: not a whole number")
        }),
    }
}

/// The name of the person in `element`: last, first and middle name, as far as present.
pub fn person_name(element: &Element<'_>) -> String {
    let parts = ["lastName", "firstName", "middleName"].map(|part| element.text_at(part));
    parts
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

/// The flag at `path`; false if missing.
pub fn flag(element: &Element<'_>, path: &str) -> Result<bool> {
    match element.text_at(path) {
        "" | "false" | "0" => Ok(false),
        "true" | "1" => Ok(true),
        text => Err(format!("{path}: neither true nor false: {}", shown(text))),
    }
}

/// A value from outside for an error message: cut, but long enough to recognise it.
pub fn shown(text: &str) -> String {
    let head: String = text.chars().take(60).collect();
    format!("{head:?}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_day_is_the_one_written_whatever_its_zone() {
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

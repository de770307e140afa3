//! The format that a request prefers by its header `Accept` (RFC 9110, 12.5.1).

use super::encoding::weight;
use crate::render::Format;

/// The weights of the formats, in thousandths.
#[derive(Default)]
struct Weights {
    json: Option<u16>,
    csv: Option<u16>,
    xml: Option<u16>,
    /// `application/*`
    application: Option<u16>,
    /// `*/*`
    any: Option<u16>,
}

/// The format that the values of `Accept` name and prefer over XML; none where XML is as
/// welcome, however it is named: browsers and most programs take anything.
pub fn preferred_format<'a>(values: impl Iterator<Item = &'a str>) -> Option<Format> {
    let mut weights = Weights::default();
    for item in values.flat_map(|value| value.split(',')) {
        weights.read(item);
    }
    let Weights {
        xml,
        application,
        any,
        ..
    } = weights;
    let xml = xml.or(application).or(any).unwrap_or(0);
    let (json, csv) = (weights.json.unwrap_or(0), weights.csv.unwrap_or(0));
    match () {
        () if json > xml && json >= csv => Some(Format::Json),
        () if csv > xml => Some(Format::Csv),
        () => None,
    }
}

impl Weights {
    /// Reads an item of the list: `application/json;q=0.5`. A malformed one is ignored, as
    /// are parameters of a type.
    fn read(&mut self, item: &str) {
        let (range, mut parameters) = match item.split_once(';') {
            None => (item, "".split(';')),
            Some((range, parameters)) => (range, parameters.split(';')),
        };
        let is_weight = |parameter: &&str| {
            let name = parameter.split('=').next().unwrap_or_default();
            name.trim().eq_ignore_ascii_case("q")
        };
        let weight = parameters.find(is_weight).map_or(Some(1000), weight);
        let range = range.trim();
        let is = |known: &str| range.eq_ignore_ascii_case(known);
        let slot = if is("application/json") {
            &mut self.json
        } else if is("text/csv") {
            &mut self.csv
        } else if is("application/xml") || is("text/xml") {
            &mut self.xml
        } else if is("application/*") {
            &mut self.application
        } else if range == "*/*" {
            &mut self.any
        } else {
            return;
        };
        *slot = weight.or(*slot);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_is_taken_that_is_named_and_preferred_over_xml() {
        let check = |accepted: &'static str, expected| {
            let found = preferred_format(accepted.split('|'));
            assert_eq!(found, expected, "{accepted}");
        };
        let (json, csv) = (Some(Format::Json), Some(Format::Csv));
        for (accepted, expected) in [
            ("application/json", json),
            ("APPLICATION/JSON ; charset=utf-8", json),
            ("application/json, */*;q=0.1", json),
            ("application/json;q=0.9, application/xml;q=0.8", json),
            ("application/json;q=0.5, application/xml;q=0, */*", json),
            ("text/csv", csv),
            ("text/csv;q=0.9, application/json;q=0.8", csv),
            ("text/csv, application/json", json),
            ("text/html, application/json;charset=x;q=0.3", json),
            ("text/html|application/json", json),
            // XML is as welcome, or nothing is named.
            ("", None),
            ("*/*", None),
            ("application/*", None),
            ("text/*", None),
            ("application/json, */*", None),
            ("application/json, application/*", None),
            ("application/json, application/xml", None),
            ("application/json;q=0.5, text/xml", None),
            ("application/json;q=0", None),
            ("application/json;q=x", None),
            ("application/jsonp", None),
            (
                "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8",
                None,
            ),
        ] {
            check(accepted, expected);
        }
    }
}

//! Names for files with answers, made from the subject, the filters and the day.

use super::super::request::parameter::{InFileName, ParameterRow};
use super::super::request::reader::SharedParameters;
use crate::model::Date;
use crate::render::RowCount;

/// Maximum length of a name in bytes, without the extension.
const MAX_LENGTH: usize = 150;

/// Returns the name for a file with an answer, without the extension. The name consists of `what`,
/// the subject's number, the period, the stages, the other filters with their names, the number of
/// rows and the total (if rows are missing), and the day. It contains only letters, digits and
/// `-._`. If it would be too long, the filters are cut short.
pub fn file_name(
    what: &str,
    rows: impl Iterator<Item = &'static ParameterRow> + Clone,
    shared: &SharedParameters,
    count: Option<RowCount>,
    day: Option<Date>,
) -> String {
    let mut parts = vec![what.to_owned()];
    let (mut values, mut others) = (Vec::new(), Vec::new());
    let (mut from, mut to) = (None, None);
    for (name, value) in shared.pairs() {
        let row = rows.clone().find(|row| row.name == name);
        match row.map_or(InFileName::Omitted, |row| row.in_file_name) {
            InFileName::Omitted => {}
            InFileName::Value => values.push(safe(value)),
            InFileName::Count => values.push(format!("{}_suppliers", value.split("%2C").count())),
            InFileName::FirstDay => from = Some(safe(value)),
            InFileName::LastDay => to = Some(safe(value)),
            InFileName::Named => others.push([name, &safe(value)].join("_")),
        }
    }
    let mut values = values.into_iter();
    // The subject's number comes before all other values.
    parts.extend(values.next());
    parts.extend(match (from, to) {
        (None, None) => None,
        (Some(from), None) => Some(["from_", &from].concat()),
        (None, Some(to)) => Some(["to_", &to].concat()),
        (Some(from), Some(to)) => Some([from, to].join("_")),
    });
    parts.extend(values.chain(others));
    let mut name = parts.join("-");
    let part = count.filter(|count| count.is_part());
    let part = part.map(|count| format!("-{}_of_{}", count.rows, count.total));
    let day = day.map(|day| format!("-{day}"));
    let end = [part, day].map(Option::unwrap_or_default).concat();
    name.truncate(MAX_LENGTH - end.len());
    name + &end
}

/// Replaces each run of percent-encoded bytes with one `_`.
fn safe(value: &str) -> String {
    let mut safe = String::new();
    let mut rest = value.chars();
    while let Some(letter) = rest.next() {
        if letter != '%' {
            safe.push(letter);
            continue;
        }
        // Skip the two hexadecimal digits.
        rest.next();
        rest.next();
        if !safe.ends_with('_') {
            safe.push('_');
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::super::super::endpoints::Endpoint;
    use super::super::super::request::parameter::Defaults;
    use super::super::super::request::query::Query;
    use super::*;
    use crate::model::Moment;

    #[test]
    fn a_file_name_states_subject_filters_and_day() {
        let check = |endpoint: &Endpoint, query: &str, expected: &str| {
            let query = Query::parse(query);
            let day = Date::parse_iso("2026-11-22").expect("a day");
            let asked = endpoint.read(&query, Defaults::default(), Moment::from_day(day));
            let shared = asked.unwrap_or_else(|failure| panic!("{failure:?}")).shared;
            let name = file_name(
                endpoint.file,
                endpoint.parameters(),
                &shared,
                None,
                Some(day),
            );
            assert_eq!(name, expected);
            let count = Some(RowCount::new(224, 0, 20));
            let part = file_name(
                endpoint.file,
                endpoint.parameters(),
                &shared,
                count,
                Some(day),
            );
            let (before, day) = expected.split_at(expected.len() - "-2026-11-22".len());
            assert_eq!(part, [before, "-20_of_224", day].concat());
        };
        for (query, expected) in [
            ("format=csv", "contracts-9602003012-2026-11-22"),
            (
                "signedFrom=2024-01-01&signedTo=2024-12-31&stage=EC&lang=en&format=xlsx",
                "contracts-9602003012-2024-01-01_2024-12-31-EC-2026-11-22",
            ),
            (
                "signedFrom=2024-01-01&stage=E,EC&skip=100&sort=-contractPrice",
                "contracts-9602003012-from_2024-01-01-EC_E-skip_100-sort_-contractPrice-2026-11-22",
            ),
            (
                "signedTo=2024-12-31&customerInn=1&priceFrom=1.5",
                "contracts-9602003012-to_2024-12-31-customerInn_1-priceFrom_1.5-2026-11-22",
            ),
        ] {
            let query = ["supplierINN=9602003012&", query].concat();
            check(Endpoint::CONTRACTS, &query, expected);
        }
        check(
            Endpoint::CUSTOMER_CONTRACTS,
            "customerINN=9601001012&stage=EC",
            "customer-contracts-9601001012-EC-2026-11-22",
        );
        check(Endpoint::FIND, "q=лес", "find-2026-11-22");
        check(
            Endpoint::RNP_CHECK,
            "supplierINN=9602003012&asOf=2026-11-22",
            "rnp-9602003012-2026-11-22",
        );
        check(
            Endpoint::PURCHASE_44,
            "purchaseNumber=0296200019924000003",
            "purchase-0296200019924000003-2026-11-22",
        );
        check(
            Endpoint::RNP_CHECK_MANY,
            "supplierINN=9602003012,%22ж&history=1",
            "rnp-2_suppliers-history_1-2026-11-22",
        );
    }
}

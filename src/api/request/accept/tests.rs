use super::*;

#[track_caller]
fn check(values: &[&str], encoding: Encoding, always: bool) {
    let accept = AcceptEncoding::parse(values.iter().copied());
    assert_eq!(accept, AcceptEncoding { encoding, always }, "{values:?}");
}

#[test]
fn the_best_encoding_of_those_preferred_is_chosen() {
    use Encoding::{Gzip, Identity, Zstd};
    check(&[], Identity, false);
    check(&[""], Identity, false);
    check(&["br, deflate"], Identity, false);
    for gzip in ["gzip", "GZip", "x-gzip", " gzip ;Q=0.001", "gzip;q=1.000"] {
        check(&[gzip], Gzip, false);
    }
    check(&["gzip, deflate, br, zstd"], Zstd, false);
    check(&["gzip", "zstd"], Zstd, false);
    check(&["zstd;q=0.9, gzip;q=0.91"], Gzip, false);
    check(&["*"], Zstd, false);
    check(&["*, zstd;q=0"], Gzip, false);
    check(&["gzip;q=0, *;q=0.5"], Zstd, false);
    check(&["gzip;q=0"], Identity, false);
    check(&["gzip;q=0.5, identity"], Identity, false);
    check(&["gzip;q=0.5, identity;q=0.5"], Gzip, false);
}

#[test]
fn a_short_body_is_encoded_if_identity_is_refused() {
    use Encoding::{Gzip, Identity, Zstd};
    check(&["gzip, identity;q=0"], Gzip, true);
    check(&["gzip, *;q=0"], Gzip, true);
    check(&["identity;q=0, *"], Zstd, true);
    check(&["gzip, *;q=0, identity;q=0.1"], Gzip, false);
    // The client rejects unencoded bodies as well as every supported encoding.
    check(&["identity;q=0"], Identity, false);
    check(&["*;q=0"], Identity, false);
}

#[test]
fn malformed_headers_are_ignored() {
    for value in [
        "gzip;q=2",
        "gzip;q=1.001",
        "gzip;q=0.1234",
        "gzip;q=",
        "gzip;q=.5",
        "gzip;q=-1",
        "gzip;q=0,5",
        "gzip;x=1",
        "gzip;",
        "gzip q=1",
        "g zip",
        ";q=1",
        ",,",
    ] {
        check(&[value], Encoding::Identity, false);
    }
    check(&["gzip;q=2, zstd;q=0.1"], Encoding::Zstd, false);
}

#[test]
fn the_preferred_language_is_chosen() {
    let check = |query: &str, accepted: &'static str, expected| {
        let found = language(&Query::parse(query), [accepted].into_iter());
        assert_eq!(found, expected, "{query} {accepted}");
    };
    let (russian, english) = (Some(Language::Russian), Some(Language::English));
    check("", "", None);
    check("", "de, fr;q=0.5", None);
    check("", "en-US,en;q=0.9", english);
    check("", "ru-RU, en;q=0.9", russian);
    check("", "ru;q=0.5, en;q=0.9", english);
    check("", "en;q=0, ru;q=0.1", russian);
    check("", "en;q=x", None);
    check("", "EN", english);
    check("lang=ru", "en", russian);
    check("lang=EN", "ru", english);
    check("lang=de", "ru", russian);
}

#[test]
fn a_format_is_chosen_if_it_is_the_only_one_named() {
    let check = |accepted: &'static str, expected| {
        let found = only_format(accepted.split('|'));
        assert_eq!(found, expected, "{accepted}");
    };
    let (json, csv, xlsx) = (Some(Format::Json), Some(Format::Csv), Some(Format::Xlsx));
    for (accepted, expected) in [
        ("application/json", json),
        ("APPLICATION/JSON ; charset=utf-8", json),
        ("application/json;q=0.5", json),
        ("application/json;q=x", json),
        ("application/json, application/json;charset=utf-8", json),
        ("application/json|application/json", json),
        (", application/json,", json),
        ("text/csv; header=present", csv),
        (
            "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            xlsx,
        ),
        // A type with weight 0 is rejected, so it is ignored.
        ("application/json, */*;q=0", json),
        ("application/json, application/xml; a=b; Q = 0.000", json),
        ("text/csv, application/json;q=0.0", csv),
        ("application/json;q=0", None),
        // The header also allows another type or a wildcard, whatever the weight.
        ("application/json, */*;q=0.1", None),
        ("application/json, text/plain, */*", None),
        ("application/json, application/*;q=0.001", None),
        ("application/json;q=0.9, application/xml;q=0.8", None),
        ("application/json, text/csv", None),
        ("text/html|application/json", None),
        // The header allows nothing, or no supported type.
        ("", None),
        ("*/*", None),
        ("application/*", None),
        ("application/xml", None),
        ("application/jsonp", None),
        (
            "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8",
            None,
        ),
    ] {
        check(accepted, expected);
    }
}

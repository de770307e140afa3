//! Compressed bodies.

use std::collections::BTreeSet;
use std::io::Read;

use procurement_lookup::api::Response;

use super::{PAGE, outcome};
use crate::service::{Service, header};

/// Returns a service for a supplier with enough contracts to make a page worth compressing.
fn large() -> Service {
    let line = |number: usize| {
        format!(
            r#"{{"type":"contract","supplier":{{"inn":"9600000002","name":"А"}},"contract":{{"regNum":"{number}","purchaseObjectInfo":"Поставка № {number}"}}}}"#
        )
    };
    let lines: Vec<String> = (0..30).map(line).collect();
    Service::over(&lines.join("\n"))
}

pub fn unpacked(response: &Response) -> Vec<u8> {
    let mut out = Vec::new();
    match header(response, "Content-Encoding") {
        None => out.extend_from_slice(&response.body),
        Some("gzip") => {
            let mut reader = flate2::read::GzDecoder::new(&response.body[..]);
            reader.read_to_end(&mut out).expect("gzip");
        }
        Some("zstd") => out = zstd::stream::decode_all(&response.body[..]).expect("zstd"),
        Some(other) => panic!("{other}"),
    }
    out
}

fn encoding(response: &Response) -> &str {
    header(response, "Content-Encoding").unwrap_or("none")
}

#[test]
fn pages_are_compressed_on_request_but_short_answers_are_not() {
    let mut service = large();
    let whole = service.get(PAGE);
    assert_eq!(encoding(&whole), "none");
    assert!(whole.body.len() > 20_000);
    for (asked, expected) in [
        ("gzip", "gzip"),
        ("zstd", "zstd"),
        ("gzip, deflate, br, zstd", "zstd"),
        ("br", "none"),
        ("identity, gzip;q=0.9", "none"),
    ] {
        // The second response comes from the cache.
        for _ in 0..2 {
            let response = service.ask("GET", PAGE, &[("accept-encoding", asked)]);
            assert_eq!(encoding(&response), expected, "{asked}");
            assert_eq!(unpacked(&response), &whole.body[..], "{asked}");
            if expected != "none" {
                assert!(response.body.len() * 5 < whole.body.len(), "{asked}");
            }
            assert_eq!(header(&response, "Vary"), Some("Accept-Encoding, Accept"));
            let head = service.ask("HEAD", PAGE, &[("accept-encoding", asked)]);
            assert_eq!(head, response, "{asked}");
        }
        let short = format!("{PAGE}&limit=0");
        let response = service.ask("GET", &short, &[("Accept-Encoding", asked)]);
        assert_eq!(encoding(&response), "none");
        assert_eq!(header(&response, "Vary"), Some("Accept-Encoding, Accept"));
    }
}

#[test]
fn each_encoding_has_its_own_tag_and_304() {
    let mut service = large();
    let asks = ["", "gzip", "zstd", "gzip, identity;q=0"];
    let mut tags = Vec::new();
    for asked in asks {
        let response = service.ask("GET", PAGE, &[("Accept-Encoding", asked)]);
        tags.push(header(&response, "ETag").expect("a tag").to_owned());
    }
    let distinct: BTreeSet<&String> = tags.iter().collect();
    assert_eq!(distinct.len(), asks.len(), "{tags:?}");
    for (asked, own) in asks.iter().zip(&tags) {
        for tag in &tags {
            let headers = [("Accept-Encoding", *asked), ("If-None-Match", tag.as_str())];
            let response = service.ask("GET", PAGE, &headers);
            let expected = if tag == own { "304" } else { "200" };
            assert_eq!(response.status.to_string(), expected, "{asked} {tag}");
            assert_eq!(header(&response, "Vary"), Some("Accept-Encoding, Accept"));
            if response.status == 304 {
                assert_eq!(outcome(&response), "304");
                assert_eq!(encoding(&response), "none");
            }
        }
    }
    // Different headers that select the same encoding yield the same tag.
    let other = [("Accept-Encoding", "br;q=1, GZIP;q=0.5, deflate")];
    let response = service.ask("GET", PAGE, &other);
    assert_eq!(header(&response, "ETag"), Some(tags[1].as_str()));
}

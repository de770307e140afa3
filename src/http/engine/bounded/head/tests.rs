use proptest::prelude::*;

use super::*;

/// The longest target that the bounds of these tests allow.
const URL: usize = 8 << 10;

/// Parses `bytes` as they arrive `step` at a time. Returns each request as `METHOD TARGET
/// [name=value …] persistence`, followed by the refusal or by what is still missing.
fn read_in(bytes: &[u8], step: usize, bounds: &Bounds) -> Vec<String> {
    let mut inbox = Inbox::default();
    let mut found = Vec::new();
    for piece in bytes.chunks(step) {
        inbox.buffer(piece.len()).extend_from_slice(piece);
        loop {
            match inbox.next(bounds) {
                Ok(None) => break,
                Err(refusal) => {
                    found.push(format!("{refusal:?}"));
                    return found;
                }
                Ok(Some(head)) => found.push(shown(&inbox, &head)),
            }
        }
    }
    if !inbox.is_blank() {
        found.push("more".to_owned());
    }
    found
}

fn shown(inbox: &Inbox, head: &ReceivedHead) -> String {
    let mut text = format!("{} {}", inbox.method(head), inbox.target(head));
    for (name, value) in inbox.headers(head) {
        text += &format!(" {name}={}", String::from_utf8_lossy(value));
    }
    text += &format!(" {:?}", head.persistence);
    if head.has_body {
        text += " body";
    }
    text
}

fn check(bytes: &str, expected: &[&str]) {
    let bounds = Bounds::default();
    for step in [bytes.len().max(1), 1, 7] {
        let found = read_in(bytes.as_bytes(), step, &bounds);
        assert_eq!(found, expected, "{bytes:?} in pieces of {step}");
    }
}

fn refused(bytes: &str, with: &str) {
    let found = read_in(bytes.as_bytes(), 5, &Bounds::default());
    let last = found.last().map(String::as_str).unwrap_or_default();
    assert!(
        found.len() == 1 && last.starts_with(with),
        "{bytes:?}: {found:?} instead of {with}"
    );
}

#[test]
fn requests_are_parsed() {
    check("", &[]);
    check("\r\n\r\n", &[]);
    check("GET /a?b=c HTTP/1.1\r\nHost: h\r\n", &["more"]);
    check(
        "GET /a?b=c HTTP/1.1\r\nHost: h:80\r\nX-Y:  z\t \r\nE:\r\n\r\n",
        &["GET /a?b=c Host=h:80 X-Y=z E= KeepAlive"],
    );
    check(
        "\r\n\r\nHEAD / HTTP/1.1\r\nhost:h\r\n\r\nGET http://h/x HTTP/1.1\r\nHOST: [::1]:8\r\n\r\nG",
        &[
            "HEAD / host=h KeepAlive",
            "GET http://h/x HOST=[::1]:8 KeepAlive",
            "more",
        ],
    );
    check(
        "OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n",
        &["OPTIONS * Host=h KeepAlive"],
    );
}

#[test]
fn keep_alive_follows_version_and_header() {
    for (version, value, expected) in [
        ("1.1", "x", "KeepAlive"),
        ("1.1", "Close", "Close"),
        ("1.1", "foo, close", "Close"),
        ("1.1", "closed", "KeepAlive"),
        ("1.0", "x", "Close"),
        ("1.0", "Keep-Alive", "KeepAlive"),
        ("1.0", "keep-alive, close", "Close"),
    ] {
        check(
            &format!("GET / HTTP/{version}\r\nHost: h\r\nConnection: {value}\r\n\r\n"),
            &[&format!("GET / Host=h Connection={value} {expected}")],
        );
    }
    check("GET / HTTP/1.0\r\n\r\n", &["GET / Close"]);
}

#[test]
fn lines_end_only_in_cr_lf() {
    for bytes in [
        "GET / HTTP/1.1\nHost: h\n\n",
        "\nGET / HTTP/1.1\r\nHost: h\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: h\n\r\n",
        "GET / HTTP/1.1\r\nHost: h\r\n\n",
        "GET / HTTP/1.1\r\nHost: h\rX: y\r\n\r\n",
        "GET / HTTP/1.1\rHost: h\r\n\r\n",
        "GET / HTTP/1.1\r\nX: a\r\r\nHost: h\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: h\r\n\r\r\n",
        "\r\rGET / HTTP/1.1\r\nHost: h\r\n\r\n",
    ] {
        refused(bytes, "Malformed");
    }
}

#[test]
fn other_input_is_refused() {
    for bytes in [
        "GET /\r\n\r\n",
        "GET / HTTP/1.1 \r\nHost: h\r\n\r\n",
        "GET  / HTTP/1.1\r\nHost: h\r\n\r\n",
        "GET /x a HTTP/1.1\r\nHost: h\r\n\r\n",
        "GET /  HTTP/1.1\r\nHost: h\r\n\r\n",
        " GET / HTTP/1.1\r\nHost: h\r\n\r\n",
        "GET\t/ HTTP/1.1\r\nHost: h\r\n\r\n",
        "GET / FTP/1.1\r\nHost: h\r\n\r\n",
        "GET / http/1.1\r\nHost: h\r\n\r\n",
        "GET / HTTP/1\r\nHost: h\r\n\r\n",
        "GET / HTTP/11.1\r\nHost: h\r\n\r\n",
        "G@T / HTTP/1.1\r\nHost: h\r\n\r\n",
        "GET a HTTP/1.1\r\nHost: h\r\n\r\n",
        "GET ftp://h/ HTTP/1.1\r\nHost: h\r\n\r\n",
        "GET http:// HTTP/1.1\r\nHost: h\r\n\r\n",
        "GET http:///a HTTP/1.1\r\nHost: h\r\n\r\n",
        "GET * HTTP/1.1\r\nHost: h\r\n\r\n",
        "GET /\u{436} HTTP/1.1\r\nHost: h\r\n\r\n",
        "GET /\u{7f} HTTP/1.1\r\nHost: h\r\n\r\n",
        "GET /\0 HTTP/1.1\r\nHost: h\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: h\r\nA b: c\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: h\r\nA : c\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: h\r\nno colon\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: h\r\n: c\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: h\r\nA: b\r\n c\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: h\r\nA: b\r\n\tc\r\n\r\n",
        "GET / HTTP/1.1\r\n A: b\r\nHost: h\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: h\r\nA: b\0c\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: h\r\nA: b\u{1}\r\n\r\n",
    ] {
        refused(bytes, "Malformed");
    }
}

#[test]
fn input_that_cannot_become_a_request_is_refused_at_once() {
    for bytes in ["\u{16}\u{3}\u{1}\0", "\r\n\0", " GET", "\t"] {
        refused(bytes, "Malformed");
    }
    for bytes in ["G", "\r", "\r\n\r"] {
        let found = read_in(bytes.as_bytes(), 1, &Bounds::default());
        assert!(
            !found.iter().any(|found| found.starts_with("Malformed")),
            "{bytes:?}"
        );
    }
}

#[test]
fn refused_head_requests_are_recognized() {
    let bounds = Bounds::default();
    for rest in [
        format!("/{} HTTP/1.1\r\nHost: h\r\n\r\n", "a".repeat(URL)),
        format!("/{}", "a".repeat(URL + 100)),
        format!("/ HTTP/1.1\r\nA: {}", "a".repeat(bounds.head)),
        format!(
            "/ HTTP/1.1\r\n{}\r\n",
            "A: b\r\n".repeat(Bounds::HEADERS + 1)
        ),
        "/ HTTP/2.0\r\n\r\n".to_owned(),
        "/ HTTP/1.1\r\nA b\r\n\r\n".to_owned(),
        "/ HTTP/1.1\n".to_owned(),
        "/ HTTP/1.1\r\n\r\n".to_owned(),
    ] {
        for method in ["HEAD", "GET"] {
            let mut inbox = Inbox::default();
            let bytes = format!("\r\n{method} {rest}");
            inbox.buffer(0).extend_from_slice(bytes.as_bytes());
            let next = inbox.next(&bounds);
            assert!(next.is_err(), "{bytes:?}: {next:?}");
            assert_eq!(inbox.is_of_head(), method == "HEAD", "{bytes:?}");
        }
    }
}

#[test]
fn other_versions_are_refused_by_name() {
    for version in ["0.9", "2.0", "3.0", "9.9"] {
        refused(
            &format!("GET / HTTP/{version}\r\nHost: h\r\n\r\n"),
            "Version",
        );
    }
    refused("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "Version");
}

#[test]
fn later_http_1_versions_are_read_as_1_1() {
    for minor in 2..=9 {
        check(
            &format!("\r\nGET /a HTTP/1.{minor}\r\nHost: h\r\n\r\n"),
            &["GET /a Host=h KeepAlive"],
        );
    }
    refused("GET / HTTP/1.2\r\n\r\n", "Malformed(\"no Host\")");
    refused(
        "GET / a HTTP/1.2\r\nHost: h\r\n\r\n",
        "Malformed(\"no version in the request line\")",
    );
}

#[test]
fn invalid_targets_are_explained() {
    for (target, what) in [
        (
            "/find?q=\u{43e}",
            "percent-encode the request target, it has raw bytes",
        ),
        ("find", "the target of a GET begins with a slash"),
    ] {
        let head = format!("GET {target} HTTP/1.1\r\nHost: h\r\n\r\n");
        refused(&head, &format!("Malformed({what:?})"));
    }
}

#[test]
fn exactly_one_host_is_required() {
    refused("GET / HTTP/1.1\r\n\r\n", "Malformed(\"no Host\")");
    refused(
        "GET / HTTP/1.1\r\nHost: h\r\nhost: h\r\n\r\n",
        "Malformed(\"two of Host\")",
    );
    refused(
        "GET / HTTP/1.0\r\nHost: h\r\nHost: i\r\n\r\n",
        "Malformed(\"two of Host\")",
    );
    for host in [
        "a b", "a/b", "a@b", "h:x", "h:1:2", "[::1", "a\"", "\u{436}", "a?b", "a#b", "", ":80",
        "[]", "[]:80",
    ] {
        refused(
            &format!("GET / HTTP/1.1\r\nHost: {host}\r\n\r\n"),
            "Malformed(\"the value of Host\")",
        );
    }
    for host in [
        "h",
        "h:",
        "h:80",
        "1.2.3.4:5",
        "[::1]",
        "[fe80::1%25a]:1",
        "a_b.c~d",
    ] {
        check(
            &format!("GET / HTTP/1.1\r\nHost: {host}\r\n\r\n"),
            &[&format!("GET / Host={host} KeepAlive")],
        );
    }
}

#[test]
fn bodies_are_refused() {
    let request =
        |method: &str, header: &str| format!("{method} / HTTP/1.1\r\nHost: h\r\n{header}\r\n\r\n");
    for header in [
        "Content-Length: 1",
        "Content-Length: 1000000000000",
        "Content-Length: 99999999999999999999999999999999999999",
        "Transfer-Encoding: chunked",
        "Transfer-Encoding: CHUNKED",
    ] {
        refused(&request("GET", header), "Body");
        refused(&request("HEAD", header), "Body");
        let found = read_in(request("POST", header).as_bytes(), 9, &Bounds::default());
        assert!(found[0].ends_with(" Close body"), "{found:?}");
    }
    for header in ["Content-Length: 0", "Content-Length: 000"] {
        let found = read_in(request("GET", header).as_bytes(), 9, &Bounds::default());
        assert!(found[0].ends_with(" KeepAlive"), "{found:?}");
    }
}

#[test]
fn two_parsers_cannot_see_different_bodies() {
    for headers in [
        "Content-Length: 1\r\nTransfer-Encoding: chunked",
        "Transfer-Encoding: chunked\r\nContent-Length: 0",
        "Content-Length: 0\r\nContent-Length: 0",
        "Content-Length: 0, 0",
        "Content-Length: +0",
        "Content-Length: -1",
        "Content-Length: 0x0",
        "Content-Length: 1 1",
        "Content-Length:",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
        "Transfer-Encoding: chunked, chunked",
        "Transfer-Encoding: gzip, chunked",
        "Transfer-Encoding: xchunked",
        "Transfer-Encoding: identity",
        "Transfer-Encoding:",
    ] {
        for method in ["GET", "POST"] {
            let bytes = format!("{method} / HTTP/1.1\r\nHost: h\r\n{headers}\r\n\r\n");
            refused(&bytes, "Malformed");
        }
    }
    refused(
        "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n",
        "Malformed",
    );
}

#[test]
fn expectations_are_known_or_refused() {
    check(
        "GET / HTTP/1.1\r\nHost: h\r\nExpect: 100-Continue\r\n\r\n",
        &["GET / Host=h Expect=100-Continue KeepAlive"],
    );
    refused(
        "GET / HTTP/1.1\r\nHost: h\r\nExpect: a miracle\r\n\r\n",
        "Expectation",
    );
}

#[test]
fn sizes_of_heads_are_bounded() {
    let bounds = Bounds {
        head: 12_000,
        ..Bounds::default()
    };
    let check = |bytes: String, expected: &str| {
        for step in [bytes.len(), 1, 13] {
            let found = read_in(bytes.as_bytes(), step, &bounds);
            assert!(
                found.len() == 1 && found[0].starts_with(expected),
                "{found:?} instead of {expected}"
            );
        }
    };
    let target = |length: usize| {
        format!(
            "GET /{} HTTP/1.1\r\nHost: h\r\n\r\n",
            "a".repeat(length - 1)
        )
    };
    check(target(URL), "GET /a");
    check(target(URL + 1), "Url");
    // The longest line for which the parser waits, with its line end split in two.
    let longest = URL + MAX_METHOD - "GET /".len();
    check(format!("GET /{}\r\nA", "a".repeat(longest)), "more");
    check(format!("GET /{}\r\nA", "a".repeat(longest + 1)), "Url");
    check(target(11_000), "Url");
    check(format!("GET /{}", "a".repeat(9_000)), "Url");
    let headers = |count: usize| {
        let headers = "A: b\r\n".repeat(count - 1);
        format!("GET / HTTP/1.1\r\nHost: h\r\n{headers}\r\n")
    };
    check(headers(Bounds::HEADERS), "GET /");
    check(headers(Bounds::HEADERS + 1), "Headers");
    let head = |length: usize| {
        let start = "GET / HTTP/1.1\r\nHost: h\r\nA: ";
        let value = "b".repeat(length - start.len() - 4);
        format!("{start}{value}\r\n\r\n")
    };
    check(head(12_000), "GET /");
    check(head(12_001), "Head");
    check(head(12_000).replace("\r\n\r\n", &"c".repeat(9000)), "Head");
    check("\r\n".repeat(6_500), "Head");
}

#[test]
fn a_url_is_at_most_as_long_as_a_head() {
    let bounds = Bounds {
        head: 1 << 10,
        ..Bounds::default()
    };
    let found = read_in(
        format!("GET /{}", "a".repeat(1100)).as_bytes(),
        2000,
        &bounds,
    );
    assert_eq!(found, ["Url"]);
}

#[test]
fn many_headers_are_read() {
    let headers: String = (0..99)
        .map(|number| format!("N{number}: {number}\r\n"))
        .collect();
    let found = read_in(
        format!("GET / HTTP/1.1\r\nHost: h\r\n{headers}\r\n").as_bytes(),
        100,
        &Bounds::default(),
    );
    assert!(found[0].ends_with(" N98=98 KeepAlive"), "{found:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// The result does not depend on how the bytes are split.
    #[test]
    fn heads_may_arrive_in_pieces(
        parts in prop::collection::vec(prop::sample::select(vec![
            "GET ", "HEAD ", "POST ", "/a", " HTTP/1.1", " HTTP/1.0", "\r\n", "\r\n\r\n", "\r", "\n",
            "Host: h\r\n", "Content-Length: 5\r\n", "Connection: close\r\n", "A: b", " ", ":",
            "GET / HTTP/1.1\r\nHost: h\r\n\r\n", "\u{0}", "ж",
        ]), 0..30),
        step in 1_usize..40,
    ) {
        let bytes = parts.concat();
        let bounds = Bounds { head: 120, ..Bounds::default() };
        // If several things are wrong, which one is noticed first depends on how much has arrived.
        // The accepted requests do not.
        let requests = |step| -> Vec<String> {
            let found = read_in(bytes.as_bytes(), step, &bounds).into_iter();
            found.filter(|found| found.contains(' ') && !found.starts_with("Malformed")).collect()
        };
        prop_assert_eq!(requests(bytes.len().max(1)), requests(step));
    }

    /// No input makes the parser panic, or buffer more than a head may have.
    #[test]
    fn any_bytes_are_survived(
        bytes in prop_oneof![
            prop::collection::vec(any::<u8>(), 0..600),
            prop::collection::vec(prop::sample::select(b"GET / HTP1.:a\r\n".to_vec()), 0..600),
            prop::collection::vec(prop::sample::select(vec!["GET / HTTP/1.1\r\n", "Host: h\r\n", "a: b\r\n", "\r\n"]), 0..60)
                .prop_map(|lines| lines.concat().into_bytes()),
        ],
        step in 1_usize..50,
    ) {
        let bounds = Bounds { head: 100, ..Bounds::default() };
        let mut inbox = Inbox::default();
        for piece in bytes.chunks(step) {
            inbox.buffer(piece.len()).extend_from_slice(piece);
            let next = loop {
                match inbox.next(&bounds) {
                    Ok(Some(_)) => {}
                    next => break next,
                }
            };
            if next.is_err() {
                break;
            }
            let kept = inbox.bytes.len() - inbox.start;
            prop_assert!(kept <= bounds.head, "{kept} bytes wait");
        }
    }
}

//! Sends raw requests, most of them malformed, to each engine. `raw.txt` contains the bytes, the
//! required outcome, and each deviation with its reason.

use super::*;

const TABLE: &str = include_str!("raw.txt");

struct Case {
    name: &'static str,
    request: Vec<u8>,
    /// The outcomes that the standard allows.
    should: Vec<&'static str>,
    deviations: Vec<Deviation>,
}

/// Outcome of one engine that differs from the allowed ones.
struct Deviation {
    engine: &'static str,
    outcome: &'static str,
    reason: &'static str,
}

/// Returns the cases of the table, and the names of the reasons for deviations.
fn table() -> (Vec<Case>, Vec<&'static str>) {
    let (mut cases, mut reasons) = (Vec::<Case>::new(), Vec::new());
    for line in TABLE.lines() {
        let (first, rest) = line.split_once(' ').unwrap_or((line, ""));
        let last = cases.last_mut();
        match (first, last) {
            ("" | "#", _) => {}
            ("reason", _) => reasons.push(rest.split(": ").next().expect("a name")),
            (">", Some(case)) => case.request = bytes(rest),
            ("should", Some(case)) => case.should = rest.split(" | ").collect(),
            ("bounded" | "tiny-http", Some(case)) => {
                let (outcome, reason) = rest.split_once(": ").expect("a reason");
                case.deviations.push(Deviation {
                    engine: first,
                    outcome,
                    reason,
                });
            }
            _ => cases.push(Case {
                name: line,
                request: Vec::new(),
                should: Vec::new(),
                deviations: Vec::new(),
            }),
        }
    }
    (cases, reasons)
}

/// Decodes the notation of the table: `\r`, `\n`, `\t`, `\0`, `\xHH`, and `{N*TEXT}` for a string
/// that is repeated N times.
fn bytes(text: &str) -> Vec<u8> {
    let (mut out, mut rest) = (Vec::new(), text);
    while let Some(next) = rest.chars().next() {
        let after = &rest[next.len_utf8()..];
        if next == '{' {
            let (count, after) = after.split_once('*').expect("a number");
            let (inner, after) = after.split_once('}').expect("the end");
            out.extend(bytes(inner).repeat(count.parse().expect("a number")));
            rest = after;
        } else if next == '\\' {
            let (byte, length) = match after.as_bytes()[0] {
                b'r' => (b'\r', 1),
                b'n' => (b'\n', 1),
                b't' => (b'\t', 1),
                b'0' => (0, 1),
                b'x' => (u8::from_str_radix(&after[1..3], 16).expect("digits"), 3),
                other => panic!("{text}: \\{other}"),
            };
            out.push(byte);
            rest = &after[length..];
        } else {
            out.extend_from_slice(next.to_string().as_bytes());
            rest = after;
        }
    }
    out
}

/// Returns the outcome in the notation of the table: the statuses of as many responses as
/// `expected` has, and what happens to the connection afterwards.
fn outcome(server: &TestServer, request: &[u8], expected: &str) -> String {
    let mut client = server.client();
    // The server may close the connection before it has read everything.
    let _ = client.stream().write_all(request);
    let is_head = request.starts_with(b"HEAD ");
    let mut found = Vec::new();
    let (statuses, last) = expected.rsplit_once(' ').unwrap_or(("", expected));
    for _ in statuses.split_whitespace() {
        match client.try_answer_to(is_head) {
            Ok(answer) => found.push(answer.status.to_string()),
            Err(_) => return format!("{} close", found.join(" ")),
        }
    }
    match last {
        "open" | "refuse" => drop(client.stream().write_all(get("/next").as_bytes())),
        "end" => drop(client.stream().shutdown(std::net::Shutdown::Write)),
        _ => {}
    }
    found.push(match client.try_answer() {
        Ok(answer) if last == "open" && answer.text().starts_with("GET /next ") => {
            "open".to_owned()
        }
        Ok(answer) if last == "refuse" && answer.status == 400 => "refuse".to_owned(),
        Ok(answer) => format!("{} and more", answer.status),
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => "open".to_owned(),
        Err(_) if last == "end" => "end".to_owned(),
        Err(_) => "close".to_owned(),
    });
    found.join(" ")
}

#[test]
fn each_request_in_the_table_has_the_listed_outcome() {
    let (cases, reasons) = table();
    assert!(cases.len() >= 150, "{}", cases.len());
    let mut used = Vec::new();
    let mut wrong = Vec::new();
    for engine in Engine::ALL {
        let server = TestServer::new(*engine, 2, Bounds::default());
        for case in &cases {
            let mut deviations = case.deviations.iter();
            let deviation = deviations.find(|one| one.engine == engine.name());
            let expected = match deviation {
                Some(deviation) => {
                    used.push(deviation.reason);
                    if deviation.outcome == "untried" {
                        continue;
                    }
                    vec![deviation.outcome]
                }
                None => case.should.clone(),
            };
            let found = expected
                .iter()
                .map(|one| outcome(&server, &case.request, one));
            let found: Vec<_> = found.collect();
            if !expected.iter().zip(&found).any(|(one, found)| one == found) {
                wrong.push(format!("{}: {} {found:?}", case.name, engine.name()));
            }
        }
    }
    assert_eq!(wrong, [] as [&str; 0]);
    for reason in &used {
        assert!(
            reasons.contains(reason),
            "{reason} is no reason of the table"
        );
    }
    assert!(
        reasons.iter().all(|reason| used.contains(reason)),
        "each reason is used"
    );
}

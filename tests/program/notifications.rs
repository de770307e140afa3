//! Notifications of `watch`: events as JSON, in a feed, and sent by POST to receivers that fail in
//! various ways. Also a process that is killed between delivering an event and storing the cursor.

use std::net::TcpListener;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use eis_service::{Certificate, Tls};
use procurement_lookup::model::Language;
use procurement_lookup::web;
use ring::signature::{ED25519, UnparsedPublicKey};
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use serde_json::Value;

use super::summaries::follows;
use super::*;

const SAD: &str = "9602003012";
const LES: &str = "9602006662";
const POLE: &str = "9602007779";

/// Returns the words for a verdict on the page.
fn short(language: Language, verdict: &str) -> &'static str {
    web::text(language, &format!("verdict.{verdict}.short"))
}

/// How a receiver responds to a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Behaviour {
    Accept,
    /// Responds with this status.
    Status(u16),
    /// Redirects to another path.
    Redirect,
    /// Sends the response byte by byte.
    Slow,
    /// Starts a response, and then sends one header byte every 10 ms until the client is gone.
    Dribble,
    /// Accepts the request, and announces a response body that it never sends.
    EndlessBody,
    /// Closes the connection without a response.
    Close,
    /// Sends nothing and keeps the connection open until the test ends.
    Hang,
}

#[derive(Debug)]
struct ReceivedRequest {
    head: String,
    body: String,
}

impl ReceivedRequest {
    fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines().filter_map(|line| line.split_once(": "));
        let mut found = lines.filter(|(header, _)| header.eq_ignore_ascii_case(name));
        found.next().map(|(_, value)| value)
    }

    /// Parses the event and validates it against its schema.
    fn json(&self) -> Value {
        event(&self.body)
    }
}

#[track_caller]
fn event(line: &str) -> Value {
    let event = serde_json::from_str(line).expect("JSON");
    follows(&event, "watch-event");
    event
}

/// A receiver that responds to the first requests as listed, and accepts all later ones.
struct Hook {
    scheme: &'static str,
    port: u16,
    requests: Receiver<ReceivedRequest>,
}

impl Hook {
    fn start(behaviours: &[Behaviour]) -> Self {
        Self::at(0, behaviours, None)
    }

    fn over_tls(tls: &Tls) -> Self {
        Self::at(0, &[], Some(tls.server_config()))
    }

    fn at(port: u16, behaviours: &[Behaviour], tls: Option<Arc<ServerConfig>>) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", port)).expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let (sender, requests) = channel();
        let behaviours = behaviours.to_vec();
        let scheme = if tls.is_some() { "https" } else { "http" };
        thread::spawn(move || serve(&listener, tls.as_ref(), behaviours, &sender));
        Self {
            scheme,
            port,
            requests,
        }
    }

    fn url(&self) -> String {
        let Self { scheme, port, .. } = self;
        format!("{scheme}://127.0.0.1:{port}/hook?secret=1")
    }

    /// Returns the requests received since the last call.
    fn received(&self) -> Vec<ReceivedRequest> {
        self.requests.try_iter().collect()
    }

    /// Returns the supplier and the revision of each request received since the last call.
    fn subjects(&self) -> Vec<(String, u64)> {
        let subject = |request: ReceivedRequest| {
            let event = request.json();
            let inn = event["supplierINN"].as_str().expect("an INN").to_owned();
            (inn, event["revision"].as_u64().expect("a revision"))
        };
        self.received().into_iter().map(subject).collect()
    }
}

trait Stream: Read + Write {}

impl<T: Read + Write> Stream for T {}

fn serve(
    listener: &TcpListener,
    tls: Option<&Arc<ServerConfig>>,
    behaviours: Vec<Behaviour>,
    sender: &Sender<ReceivedRequest>,
) {
    let mut kept = Vec::new();
    let mut behaviours = behaviours.into_iter();
    for stream in listener.incoming() {
        let stream = stream.expect("a connection");
        let mut stream: Box<dyn Stream> = match tls {
            None => Box::new(stream),
            Some(config) => {
                let session = ServerConnection::new(Arc::clone(config)).expect("a session");
                Box::new(StreamOwned::new(session, stream))
            }
        };
        let Some(request) = read(&mut stream) else {
            continue;
        };
        let behaviour = behaviours.next().unwrap_or(Behaviour::Accept);
        if sender.send(request).is_err() {
            return;
        }
        let answer = match behaviour {
            Behaviour::Close => continue,
            Behaviour::Hang => {
                kept.push(stream);
                continue;
            }
            Behaviour::Dribble => {
                let begun = stream.write_all(b"HTTP/1.1 200 X\r\nX: ");
                let mut is_there = begun.is_ok();
                while is_there {
                    thread::sleep(Duration::from_millis(10));
                    is_there = stream.write_all(b"x").is_ok();
                }
                continue;
            }
            Behaviour::EndlessBody => {
                let _ = stream.write_all(b"HTTP/1.1 200 X\r\nContent-Length: 1000000\r\n\r\n");
                kept.push(stream);
                continue;
            }
            Behaviour::Accept | Behaviour::Slow => "204 No Content".to_owned(),
            Behaviour::Status(status) => format!("{status} X"),
            Behaviour::Redirect => "307 X\r\nLocation: /elsewhere".to_owned(),
        };
        let answer = format!("HTTP/1.1 {answer}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        let step = if behaviour == Behaviour::Slow {
            1
        } else {
            answer.len()
        };
        for piece in answer.as_bytes().chunks(step) {
            // The client may have closed the connection.
            let _ = stream.write_all(piece).and_then(|()| stream.flush());
            thread::yield_now();
        }
    }
}

/// Reads a request with a body. Returns `None` if the client closed the connection.
fn read(stream: &mut impl Read) -> Option<ReceivedRequest> {
    let mut input = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if input.read_line(&mut head).ok()? == 0 {
            return None;
        }
    }
    let mut request = ReceivedRequest {
        head,
        body: String::new(),
    };
    let length = request.header("content-length")?.trim().parse().ok()?;
    let mut body = vec![0; length];
    input.read_exact(&mut body).ok()?;
    request.body = String::from_utf8(body).expect("UTF-8");
    Some(request)
}

/// Creates a folder with data, a list of suppliers, and a file with the cursor of the current
/// state.
fn begin() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let supplier = |inn: &str| {
        format!(r#"{{"type":"supplier","supplier":{{"inn":"{inn}","name":"ООО «Лес»"}}}}"#)
    };
    let lines = [contract("1", SAD), supplier(LES), supplier(POLE)];
    import(folder.path(), &lines.join("\n"));
    let list = format!("{SAD}\n{LES}\n{POLE}\n");
    fs::write(folder.path().join("list"), list).expect("a list");
    assert_eq!(watch(folder.path(), "").status.code(), Some(0));
    folder
}

fn watch(folder: &Path, options: &str) -> Output {
    let watch = format!("watch --database data.sqlite --list list --since @last {options}");
    run(folder, &watch)
}

fn post(folder: &Path, hook: &Hook, options: &str) -> Output {
    watch(
        folder,
        &format!("--pause 1ms --post {} {options}", hook.url()),
    )
}

fn entry(number: &str, end: &str) -> String {
    format!(
        r#"{{"type":"rnpEntry","supplier":{{"inn":"{LES}","name":"ООО «Лес»"}},"entry":{{"registrationNumber":"{number}","registrationDate":"2020-01-01","federalLaw":"44","excludeDate":"{end}"}}}}"#
    )
}

/// Runs three imports: a contract for SAD, an entry for LES, and another name for POLE.
fn change(folder: &Path) {
    import(folder, &contract("2", SAD));
    import(folder, &entry("РНП.1", ""));
    let renamed =
        format!(r#"{{"type":"supplier","supplier":{{"inn":"{POLE}","name":"ООО «Поле»"}}}}"#);
    import(folder, &renamed);
}

fn all() -> Vec<(String, u64)> {
    [(SAD, 2), (LES, 3), (POLE, 4)]
        .map(|(inn, revision)| (inn.to_owned(), revision))
        .to_vec()
}

#[test]
fn an_event_has_the_changes_both_verdicts_and_contracts_by_stage() {
    let folder = begin();
    let folder = folder.path();
    import(folder, &entry("РНП.1", ""));
    let stage = |reg_num: &str, stage: &str| {
        contract(reg_num, SAD).replace("}}", &format!(r#","contractStage":"{stage}"}}}}"#))
    };
    import(folder, &[stage("2", "E"), stage("3", "ET")].join("\n"));
    let output = watch(folder, "--format json");
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    let events: Vec<Value> = stdout(&output).lines().map(event).collect();
    assert_eq!(events.len(), 2);
    let (listed, contracts) = (&events[0], &events[1]);
    assert_eq!(listed["supplierINN"], LES);
    assert_eq!(listed["verdicts"]["before"], "undetermined");
    assert_eq!(listed["verdicts"]["after"], "listed");
    assert_eq!(listed["entries"][0]["change"], "came");
    assert_eq!(listed["entries"][0]["registrationNumber"], "РНП.1");
    let text = listed["changes"][0]["text"].as_str().expect("a text");
    assert_eq!(text, "new entry РНП.1 (Law 44-FZ) of 2020-01-01");
    let counts = &contracts["contracts"];
    assert_eq!(
        (&counts["new"], &counts["before"]["total"]),
        (&2.into(), &1.into())
    );
    assert_eq!(
        (
            &counts["after"]["inExecution"],
            &counts["after"]["terminated"]
        ),
        (&1.into(), &1.into())
    );
    // The entry gets an end date. This report is in the other language.
    import(folder, &entry("РНП.1", "2025-06-30"));
    let output = watch(folder, "--lang ru");
    let text = stdout(&output);
    let words = ["undetermined", "listed"].map(|verdict| short(Language::Russian, verdict));
    let verdicts = format!("заключение: {}; прежде: {}", words[0], words[1]);
    let change =
        "запись РНП.1 (44-ФЗ) от 01.01.2020 больше не действует, последний день 30.06.2025";
    assert!(text.contains(change), "{text}");
    assert!(text.contains(&verdicts), "{text}");
    assert!(
        text.starts_with(&format!("строка 2: {LES} ООО «Лес»\n")),
        "{text}"
    );
}

#[test]
fn only_an_event_about_a_new_name_has_the_previous_one() {
    let folder = begin();
    change(folder.path());
    let output = watch(folder.path(), "--format json");
    let names: Vec<Value> = stdout(&output)
        .lines()
        .map(|line| event(line)["previousName"].clone())
        .collect();
    assert_eq!(names, [Value::Null, Value::Null, "ООО «Лес»".into()]);
}

#[test]
fn without_an_earlier_state_an_event_has_the_current_state() {
    let folder = begin();
    let path = folder.path();
    change(path);
    // Release 0.1.0 stored only the cursor in this file.
    let last = fs::read_to_string(path.join("last")).expect("the file");
    let cursor = last.lines().next().expect("a cursor");
    fs::write(path.join("last"), format!("{cursor}\n")).expect("written");
    let text = stdout(&watch(path, ""));
    assert!(
        text.contains("  RNP entries of any date: 1\n  RNP: "),
        "{text}"
    );
    assert!(
        text.contains("  contracts: total 2; in execution 0,"),
        "{text}"
    );
    let day = "watch --database data.sqlite --list list --since 2020-01-01 --format json";
    let events = stdout(&run(path, day));
    assert_eq!(events.lines().map(event).count(), 3, "{events}");
    import(path, &contract("3", SAD));
    let text = stdout(&watch(path, ""));
    assert!(
        text.contains("  contracts: new 1, total 3 (was 2);"),
        "{text}"
    );
}

#[test]
fn each_event_is_delivered_once_in_order_and_signed() {
    let folder = begin();
    let folder = folder.path();
    let pem = succeed(folder, "keys signing-key --database data.sqlite");
    change(folder);
    let hook = Hook::start(&[]);
    let output = post(folder, &hook, "");
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert_eq!(stdout(&output), "");
    let requests = hook.received();
    let der = BASE64
        .decode(pem.lines().nth(1).expect("a line"))
        .expect("base64");
    let key = UnparsedPublicKey::new(&ED25519, &der[der.len() - 32..]);
    let mut subjects = Vec::new();
    for request in &requests {
        assert!(
            request.head.starts_with("POST /hook?secret=1 HTTP/1.1\r\n"),
            "{}",
            request.head
        );
        let signature = request.header("x-signature-ed25519").expect("a signature");
        let signature = BASE64.decode(signature).expect("base64");
        key.verify(request.body.as_bytes(), &signature)
            .expect("it is signed");
        let event = request.json();
        assert_eq!(request.header("x-event-id"), event["id"].as_str());
        subjects.push((
            event["supplierINN"].as_str().expect("an INN").to_owned(),
            event["revision"].as_u64().expect("a revision"),
        ));
    }
    assert_eq!(subjects, all());
    assert_eq!(post(folder, &hook, "").status.code(), Some(0));
    assert_eq!(hook.subjects(), []);
}

#[test]
fn delivery_is_repeated_after_errors_closed_connections_and_redirects() {
    let folder = begin();
    change(folder.path());
    let hook = Hook::start(&[
        Behaviour::Status(500),
        Behaviour::Close,
        Behaviour::Redirect,
        Behaviour::Status(404),
        Behaviour::Slow,
    ]);
    let output = post(folder.path(), &hook, "");
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    let mut expected = vec![all()[0].clone(); 4];
    expected.extend(all());
    assert_eq!(hook.subjects(), expected, "redirects are not followed");
    let message = stderr(&output);
    let port = hook.port;
    for words in [
        format!("http://127.0.0.1:{port} answered with status 500; trying again in 1ms"),
        "trying again in 2ms".to_owned(),
        "status 307; no redirect is followed; trying again in 4ms".to_owned(),
        "answered with status 404; trying again in 8ms".to_owned(),
    ] {
        assert!(message.contains(&words), "{words}: {message}");
    }
    assert!(!message.contains("secret"), "{message}");
}

#[test]
fn delivery_to_an_unresponsive_receiver_ends_and_the_next_run_resumes_with_its_event() {
    let folder = begin();
    let path = folder.path();
    change(path);
    // The receiver accepts one request and then hangs.
    let hook = Hook::start(&[Behaviour::Accept, Behaviour::Hang]);
    let output = post(path, &hook, "--for 300ms");
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let words = "1 of 3 events were delivered; the next run continues with the one that failed";
    assert!(stderr(&output).contains(words), "{}", stderr(&output));
    assert_eq!(hook.subjects(), all()[..2]);
    // Nothing listens on this port.
    let closed = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = closed.local_addr().expect("an address").port();
    drop(closed);
    let address = format!("--post http://localhost:{port}/ --for 1ms");
    assert_eq!(watch(path, &address).status.code(), Some(1));
    // A later change is merged into the pending event of the same supplier. Changes of other
    // suppliers become new events.
    import(path, &entry("РНП.2", ""));
    import(path, &contract("3", SAD));
    let hook = Hook::start(&[]);
    assert_eq!(post(path, &hook, "").status.code(), Some(3));
    let rest = [(POLE, 4), (LES, 5), (SAD, 6)].map(|(inn, revision)| (inn.to_owned(), revision));
    assert_eq!(hook.subjects(), rest);
    assert_eq!(post(path, &hook, "").status.code(), Some(0));
}

#[test]
fn with_no_time_to_retry_there_is_one_attempt_per_event() {
    let folder = begin();
    let path = folder.path();
    change(path);
    let hook = Hook::start(&[Behaviour::Accept, Behaviour::Status(500)]);
    let output = post(path, &hook, "--for 0s");
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(
        said.contains("answered with status 500; 1 of 3 events were delivered"),
        "{said}"
    );
    assert!(!said.contains("trying again"), "{said}");
    assert_eq!(hook.subjects(), all()[..2]);
    let output = post(path, &hook, "--for 0s");
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert_eq!(hook.subjects(), all()[1..]);
}

#[test]
fn an_endless_response_head_is_a_failure_and_a_response_body_is_not_read() {
    let folder = begin();
    let path = folder.path();
    change(path);
    let hook = Hook::start(&[Behaviour::EndlessBody, Behaviour::Dribble]);
    let start = Instant::now();
    let output = post(path, &hook, "--for 500ms");
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let said = stderr(&output);
    assert!(said.contains("no answer came within "), "{said}");
    assert!(said.contains("1 of 3 events were delivered"), "{said}");
    assert!(start.elapsed() < PATIENCE, "{:?}", start.elapsed());
    assert_eq!(hook.subjects(), all()[..2]);
    assert_eq!(post(path, &hook, "").status.code(), Some(3));
    assert_eq!(hook.subjects(), all()[1..]);
}

#[test]
fn a_receiver_that_comes_back_in_time_gets_all_events_in_the_same_run() {
    let folder = begin();
    let path = folder.path();
    change(path);
    let gone = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = gone.local_addr().expect("an address").port();
    drop(gone);
    let line = format!(
        "watch --database data.sqlite --list list --since @last --pause 10ms --for 1m \
         --post http://127.0.0.1:{port}/"
    );
    let mut child = program(path)
        .args(line.split_whitespace())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut said = String::new();
    let mut log = BufReader::new(child.stderr.take().expect("its errors"));
    while !said.contains("no connection could be made: ") {
        assert!(log.read_line(&mut said).expect("a line") > 0, "{said}");
    }
    let hook = Hook::at(port, &[], None);
    log.read_to_string(&mut said).expect("its errors");
    let status = child.wait().expect("its end");
    assert_eq!(status.code(), Some(3), "{said}");
    assert_eq!(hook.subjects(), all());
}

#[test]
fn over_tls_only_certificates_of_trusted_authorities_are_accepted() {
    let folder = begin();
    let path = folder.path();
    change(path);
    let tls = Tls::default();
    fs::write(path.join("ca.pem"), tls.authority.pem()).expect("a file");
    let remembered = || {
        let text = fs::read_to_string(path.join("last")).expect("the file");
        text.trim_end().to_owned()
    };
    let before = remembered();
    let refused = |hook: &Hook, options: &str, words: &str| {
        let mut command = program(path);
        let line = format!(
            "watch --database data.sqlite --list list --since @last --for 1m --pause 1ms --post {} {options}",
            hook.url()
        );
        // `SSL_CERT_FILE` must have no effect.
        command.env("SSL_CERT_FILE", path.join("ca.pem"));
        let output = command.args(line.split_whitespace()).output();
        let output = output.expect("the program runs");
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{said}");
        let words = format!(
            "the certificate of https://127.0.0.1:{} was not accepted: {words}",
            hook.port
        );
        assert!(said.contains(&words), "{words}: {said}");
        assert!(said.contains("0 of 3 events were delivered"), "{said}");
        assert!(!said.contains("trying again"), "{said}");
        assert_eq!(hook.received().len(), 0);
        assert_eq!(remembered(), before);
    };
    let hook = Hook::over_tls(&tls);
    let unknown = "it is signed by an unknown authority; give the root certificate of the \
                   authority with --ca-file";
    refused(&hook, "", unknown);
    for (certificate, words) in [
        (Certificate::Expired, "it has expired"),
        (Certificate::NotYetValid, "it is not valid yet"),
        (
            Certificate::OtherName,
            "it is for another host; check the address",
        ),
        (Certificate::UnknownAuthority, unknown),
        (
            Certificate::OfAuthority,
            "it is the certificate of an authority, not of a server",
        ),
    ] {
        let hook = Hook::over_tls(&tls.clone().with(certificate));
        refused(&hook, "--ca-file ca.pem", words);
    }
    for (options, words) in [
        (
            "--ca-file list",
            "list: there is no PEM certificate in this file",
        ),
        ("--ca-file none.pem", "none.pem: "),
    ] {
        let output = post(path, &hook, options);
        assert_eq!(output.status.code(), Some(1));
        assert!(stderr(&output).contains(words), "{}", stderr(&output));
    }
    let output = post(path, &hook, "--ca-file ca.pem");
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert_eq!(hook.subjects(), all());
    assert_eq!(post(path, &hook, "").status.code(), Some(0));
}

#[test]
fn after_a_kill_between_delivery_and_cursor_the_event_is_delivered_again_with_the_same_id() {
    let folder = begin();
    let path = folder.path();
    change(path);
    let hook = Hook::start(&[Behaviour::Accept, Behaviour::Hang]);
    let mut command = program(path);
    let line = format!(
        "watch --database data.sqlite --list list --since @last --post {}",
        hook.url()
    );
    let mut child = command
        .args(line.split(' '))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    // The receiver has got the second event, but does not respond.
    let first = hook.requests.recv_timeout(PATIENCE).expect("an event");
    let second = hook.requests.recv_timeout(PATIENCE).expect("an event");
    // While an event is being delivered, another run is refused.
    let other = Hook::start(&[]);
    let output = post(path, &other, "");
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).contains("last: another `watch` is delivering events with this file"),
        "{}",
        stderr(&output)
    );
    child.kill().expect("killed");
    child.wait().expect("its end");
    assert_eq!(other.subjects(), []);
    // An incomplete last line is ignored.
    let mut last = fs::OpenOptions::new()
        .append(true)
        .open(path.join("last"))
        .expect("the file");
    last.write_all(br#"{"inn":"9602007779","sta"#)
        .expect("written");
    drop(last);
    let output = post(path, &other, "");
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    let again = other.received();
    let ids: Vec<_> = again
        .iter()
        .map(|request| request.json()["id"].clone())
        .collect();
    assert_eq!(again.len(), 2, "{ids:?}");
    assert_eq!(ids[0], second.json()["id"]);
    assert_eq!(again[0].body, second.body);
    assert!(!ids.contains(&first.json()["id"]));
    assert_eq!(post(path, &other, "").status.code(), Some(0));
}

#[test]
fn a_receiver_without_tls_must_be_local_and_a_feed_needs_a_file() {
    let folder = begin();
    for (options, words) in [
        (
            "--post http://203.0.113.7/",
            "give a loopback or private address",
        ),
        ("--post ftp://127.0.0.1/", "begins with https:// or http://"),
        (
            "--post http://u:p@127.0.0.1/",
            "without a user's name or password",
        ),
        (
            "--post https://example.org/ --format json",
            "cannot be used with",
        ),
        ("--format atom", "--format atom needs --out FILE"),
        ("--lang de", "give ru or en"),
    ] {
        let output = watch(folder.path(), options);
        assert_eq!(output.status.code(), Some(2), "{options}");
        assert!(
            stderr(&output).contains(words),
            "{options}: {}",
            stderr(&output)
        );
    }
    let day =
        "watch --database data.sqlite --list list --since 2026-01-01 --post https://x.example/";
    let output = run(folder.path(), day);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("--post needs --since @FILE"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn a_feed_keeps_the_events_of_earlier_reports() {
    let folder = begin();
    let path = folder.path();
    let feed = || {
        let output = watch(path, "--format atom --out feed.xml --lang ru");
        let text = fs::read_to_string(path.join("feed.xml")).expect("the feed");
        (output.status.code(), text)
    };
    let (status, empty) = feed();
    assert_eq!((status, empty.matches("<entry>").count()), (Some(0), 0));
    change(path);
    let (status, three) = feed();
    assert_eq!((status, three.matches("<entry>").count()), (Some(3), 3));
    import(path, &contract("3", SAD));
    let (_, four) = feed();
    assert_eq!(four.matches("<entry>").count(), 4);
    let id = |text: &str| text.lines().nth(2).expect("an id").to_owned();
    assert_eq!(id(&empty), id(&four));
    let newest = four
        .find("<entry>")
        .map(|at| &four[at..])
        .expect("an entry");
    assert!(
        newest.contains("контракты: новых 1, всего 3 (было 2)"),
        "{newest}"
    );
    let [before, after] =
        ["undetermined", "listed"].map(|verdict| short(Language::Russian, verdict));
    let listed = format!(
        "новая запись РНП.1 (44-ФЗ) от 01.01.2020&#10;заключение: {after}; прежде: {before}"
    );
    assert!(four.contains(&listed), "{four}");
    fs::write(path.join("feed.xml"), "notes").expect("another file");
    let (status, kept) = feed();
    assert_eq!((status, kept.as_str()), (Some(1), "notes"));
}

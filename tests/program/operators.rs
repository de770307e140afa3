//! The server from the operators' point of view: logs, request ids, proxies, the admin server, and
//! the audit trail.

use procurement_lookup::model::Date;
use serde_json::Value;

use super::*;

fn ask(server: &Server, target: &str, headers: &[(&str, &str)]) -> String {
    let headers: String = headers
        .iter()
        .map(|(name, value)| format!("{name}: {value}\r\n"))
        .collect();
    server.exchange(&format!(
        "GET {target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{headers}\r\n"
    ))
}

fn header<'a>(answer: &'a str, name: &str) -> Option<&'a str> {
    let (head, _) = answer.split_once("\r\n\r\n")?;
    let mut lines = head.lines().filter_map(|line| line.split_once(": "));
    lines
        .find(|(given, _)| *given == name)
        .map(|(_, value)| value)
}

fn lines(log: &str) -> Vec<Value> {
    let read = |line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
    log.lines().map(read).collect()
}

fn access(log: &str) -> Vec<Value> {
    let of_requests = |line: &Value| line["target"] == "access";
    lines(log).into_iter().filter(of_requests).collect()
}

/// Issues a key, because a server without keys is not ready.
fn issue_key(folder: &Path) -> String {
    let key = succeed(folder, "keys issue office --database data.sqlite");
    key.trim_end().to_owned()
}

/// Starts a server with an admin server. Also returns the address of the admin server.
fn with_admin(folder: &Path, options: &str) -> (Server, String) {
    let options = format!("--admin-listen 127.0.0.1:0 --log-format json {options}");
    let server = Server::start(folder, &options);
    let address = admin_address(&server);
    (server, address)
}

fn admin_address(server: &Server) -> String {
    let log = fs::read_to_string(&server.log).expect("its log");
    let lines = lines(&log);
    let mut addresses = lines.iter().filter_map(|line| line["address"].as_str());
    let address = addresses.next().unwrap_or_else(|| panic!("{log}"));
    address.to_owned()
}

/// Sends a secret in every part of a request that can contain one.
fn send_everywhere(server: &Server, secret: &str) {
    let bearer = format!("Bearer {secret}");
    for target in [
        format!("{CONTRACTS}&apikey={secret}"),
        format!("{CONTRACTS}&api_key={secret}&apikey=x"),
        format!("/{secret}/{secret}?{secret}={secret}"),
        format!("{RNP}&limit={secret}&{secret}"),
    ] {
        ask(server, &target, &[]);
    }
    for (name, value) in [
        ("X-API-Key", secret),
        ("Authorization", &bearer),
        ("X-Forwarded-For", secret),
        ("User-Agent", secret),
        (secret, secret),
    ] {
        ask(server, CONTRACTS, &[(name, value)]);
    }
    server.exchange(&format!(
        "{secret} / HTTP/1.1\r\nHost: {secret}\r\nConnection: close\r\n\r\n"
    ));
}

#[test]
fn keys_never_appear_in_logs_or_metrics_wherever_they_were_sent() {
    let folder = folder();
    let key = &issue_key(folder.path());
    let wrong = "wrong-key-0123456789";
    let has_none = |text: &str| assert!(!text.contains(key) && !text.contains(wrong), "{text}");
    let options = "--database data.sqlite --trust-proxy 127.0.0.1";
    let (server, admin) = with_admin(folder.path(), options);
    send_everywhere(&server, key);
    send_everywhere(&server, wrong);
    // The trusted proxy passes on the request id of its client.
    for id in [key, &format!("id-{key}"), &format!("id.{key}.x")] {
        let answer = ask(&server, CONTRACTS, &[("X-Request-Id", id)]);
        assert!(header(&answer, "X-Request-Id").is_some(), "{answer}");
        has_none(&answer);
    }
    let metrics = until(&admin, "/metrics", |metrics| {
        metrics.contains("code=\"404\"} ")
    });
    has_none(&metrics);
    let (status, log) = server.terminate();
    assert_eq!(status, Some(0));
    has_none(&log);
    assert!(
        access(&log).iter().any(|line| line["key"] == "office"),
        "{log}"
    );
}

/// Repeats a request to the admin server until the response fulfils the condition. The server only
/// counts a request after it has written the response.
#[track_caller]
fn until(admin: &str, path: &str, wanted: impl Fn(&str) -> bool) -> String {
    let start = Instant::now();
    loop {
        let answer = get(admin, path);
        if wanted(&answer) {
            return answer;
        }
        assert!(start.elapsed() < PATIENCE, "{answer}");
        crate::pause();
    }
}

#[test]
fn an_access_line_has_client_endpoint_and_outcome() {
    let folder = folder();
    let server = Server::start(folder.path(), "--log-format json");
    let answers = [
        ask(&server, &format!("{RNP}&apikey=demo"), &[]),
        ask(&server, RNP, &[]),
        ask(&server, "/nowhere", &[]),
    ];
    let (_, log) = server.terminate();
    let lines = access(&log);
    assert_eq!(lines.len(), 3, "{log}");
    let logged = answers.map(|answer| {
        // The order of lines from different workers is not defined.
        let id = header(&answer, "X-Request-Id").expect("an id");
        let mut found = lines.iter().filter(|line| line["id"] == id);
        let line = found.next().unwrap_or_else(|| panic!("{id}: {log}"));
        assert_eq!(line["client"], "127.0.0.1");
        assert_eq!(line["method"], "GET");
        assert_eq!(line["level"], "info");
        assert!(line["us"].is_u64(), "{line}");
        let (_, body) = answer.split_once("\r\n\r\n").expect("a head");
        assert_eq!(line["bytes"], body.len());
        assert_eq!(line.get("broken"), None);
        let fields = ["endpoint", "status", "error", "key"];
        fields.map(|field| line[field].to_string()).join(" ")
    });
    let expected = [
        r#""/rnp/check-supplier" 200 null "demo""#,
        r#""/rnp/check-supplier" 401 "401" null"#,
        r#"null 404 "404" null"#,
    ];
    assert_eq!(logged, expected);
}

#[test]
fn clients_cannot_forge_lines_or_fields_of_the_log() {
    let folder = folder();
    let forged = "level=error target=access msg=forged status=forged";
    for format in ["logfmt", "json"] {
        let options = format!("--log-format {format} --trust-proxy 127.0.0.1");
        let server = Server::start(folder.path(), &options);
        for target in [
            format!("{RNP}&apikey=x%0A{}", forged.replace(' ', "%20")),
            format!(
                "/{}%0D%0A{}",
                forged.replace(' ', "+"),
                forged.replace(' ', "+")
            ),
            format!("{RNP}\u{2028}{}", forged.replace(' ', "\u{a0}")),
        ] {
            ask(&server, &target, &[]);
        }
        ask(
            &server,
            RNP,
            &[("X-Forwarded-For", forged), ("X-Request-Id", forged)],
        );
        ask(
            &server,
            RNP,
            &[("X-Request-Id", "\"x\\n"), ("X-API-Key", forged)],
        );
        server.exchange(&format!(
            "STATUS=FORGED /x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{forged}: x\r\n\r\n"
        ));
        let (_, log) = server.terminate();
        assert!(!log.to_ascii_lowercase().contains("forged"), "{log}");
        if format == "json" {
            assert!(!access(&log).is_empty(), "{log}");
        } else {
            let whole = |line: &str| line.starts_with("time=2") && line.contains(" level=");
            assert!(log.lines().all(whole), "{log}");
        }
    }
}

#[test]
fn health_readiness_and_metrics_are_served_on_a_separate_port() {
    let folder = folder();
    issue_key(folder.path());
    let (server, admin) = with_admin(folder.path(), "--database data.sqlite");
    let answer = get(&admin, "/healthz");
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
    assert!(answer.ends_with("\r\n\r\nok\n"), "{answer}");
    assert_eq!(header(&answer, "Cache-Control"), Some("no-store"));
    let answer = get(&admin, "/readyz");
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
    let (_, body) = answer.split_once("\r\n\r\n").expect("a head");
    let readiness: Value = serde_json::from_str(body).expect("JSON");
    assert_eq!(readiness["ready"], true);
    assert!(readiness["age_seconds"].is_i64(), "{body}");
    for path in ["/healthz", "/readyz", "/metrics"] {
        let answer = server.get(path);
        assert!(answer.starts_with("HTTP/1.1 404 "), "{answer}");
    }
    let count = "procurement_lookup_requests_total{endpoint=\"-\",code=\"404\"} 3\n";
    until(&admin, "/metrics", |metrics| metrics.contains(count));
    let answer = get(&admin, RNP);
    assert!(answer.starts_with("HTTP/1.1 404 "), "{answer}");
    let (status, _) = server.terminate();
    assert_eq!(status, Some(0));
}

#[test]
fn the_health_command_reports_the_readiness() {
    let folder = folder();
    let (server, admin) = with_admin(folder.path(), "--database data.sqlite");
    let health = format!("health --admin-listen {admin}");
    let output = run(folder.path(), &health);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stdout(&output).contains("no key is valid"),
        "{}",
        stdout(&output)
    );
    issue_key(folder.path());
    until(&admin, "/readyz", |answer| answer.contains("200 OK"));
    assert!(succeed(folder.path(), &health).contains(r#""ready":true"#));
    server.terminate();
    let output = run(folder.path(), &health);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains(&admin), "{}", stderr(&output));
}

#[test]
fn a_server_with_old_data_or_registries_is_not_ready_but_answers() {
    let folder = folder();
    issue_key(folder.path());
    let declared = r#"{"type":"registry","federalLaw":"44","completeAsOf":"2024-02-29"}"#;
    import(folder.path(), declared);
    for (options, reason) in [
        // The demonstration data is older than this build.
        ("--max-data-age 1s", "older than --max-data-age"),
        (
            "--database data.sqlite --max-registry-age 36h",
            "older than --max-registry-age",
        ),
    ] {
        let (server, admin) = with_admin(folder.path(), options);
        let answer = get(&admin, "/readyz");
        assert!(answer.starts_with("HTTP/1.1 503 "), "{answer}");
        assert!(answer.contains(reason), "{answer}");
        assert!(server.get(RNP).starts_with("HTTP/1.1 401 "));
    }
}

#[test]
fn a_log_that_is_not_read_does_not_delay_responses() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut child = program(folder.path())
        .args(["serve", "--listen", "127.0.0.1:0"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut line = String::new();
    let mut out = BufReader::new(child.stdout.take().expect("its output"));
    out.read_line(&mut line).expect("a line");
    let address = line.trim_end().strip_prefix("listening on http://");
    let address = address.expect("an address").to_owned();
    // Cause far more log lines than a pipe can hold.
    let request = "GET /nothing?apikey=demo HTTP/1.1\r\nHost: x\r\n\r\n";
    let last = "GET /nothing?apikey=demo HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    for _ in 0..80 {
        let answers = exchange(&address, &(request.repeat(99) + last));
        assert_eq!(answers.matches("HTTP/1.1 404 ").count(), 100);
    }
    kill(&child, "TERM");
    assert_eq!(child.wait().expect("its end").code(), Some(0));
    let mut log = String::new();
    let mut pipe = child.stderr.take().expect("its log");
    pipe.read_to_string(&mut log)
        .expect("the lines in the pipe");
    assert!(log.contains("endpoint=- status=404"), "{log}");
}

#[test]
fn the_log_of_a_start_names_the_data_its_size_and_the_number_of_keys() {
    let folder = folder();
    let folder = folder.path();
    for action in ["issue office", "issue other", "issue gone", "revoke gone"] {
        succeed(folder, &format!("keys {action}"));
    }
    let server = Server::start(folder, "--log-format json --database data.sqlite");
    // A background thread counts the records.
    let log = lines(&server.logged("records counted", 1));
    let find = |message: &str| {
        let mut found = log.iter().filter(|line| line["msg"] == message);
        let line = found.next().unwrap_or_else(|| panic!("{message}: {log:?}"));
        assert_eq!(line["level"], "info", "{line}");
        line
    };
    let data = find("answering from a database");
    assert_eq!(data["file"], "data.sqlite");
    let bytes = fs::metadata(folder.join("data.sqlite"))
        .expect("the file")
        .len();
    assert_eq!(data["bytes"], bytes);
    assert_eq!(data["registries"], "44=none, 223=none, 615=none");
    assert!(
        data["updated"]
            .as_str()
            .is_some_and(|time| time.ends_with('Z'))
    );
    let keys = find("keys");
    assert_eq!(
        (&keys["file"], &keys["valid"]),
        (&"keys.sqlite".into(), &2.into())
    );
    let counts = find("records counted");
    let counts = ["suppliers", "contracts", "purchases", "rnp_entries"].map(|name| &counts[name]);
    assert_eq!(
        counts,
        [&1.into(), &1.into(), &Value::from(0), &Value::from(0)]
    );
}

#[test]
fn a_start_with_demonstration_data_warns_of_it_and_names_its_key() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path(), "--log-format json");
    let log = lines(&server.logged("records counted", 1));
    let is_warning = |line: &Value| {
        let text = line["msg"].as_str().unwrap_or_default();
        line["level"] == "warn"
            && text.contains("demonstration data")
            && text.contains("its key is demo")
    };
    assert!(log.iter().any(is_warning), "{log:?}");
}

#[test]
fn the_audit_trail_gets_a_line_before_each_lookup_is_answered() {
    let folder = folder();
    let folder = folder.path();
    let key = issue_key(folder);
    let server = Server::start(
        folder,
        "--database data.sqlite --audit audit.jsonl --audit-required",
    );
    let trail = || lines(&fs::read_to_string(folder.join("audit.jsonl")).expect("the trail"));
    assert_eq!(
        trail(),
        [] as [Value; 0],
        "the file is created at the start"
    );
    let answer = ask(&server, CONTRACTS, &[("X-API-Key", &key)]);
    let trail = trail();
    assert_eq!(trail.len(), 1);
    assert_eq!(trail[0]["key"], "office");
    assert_eq!(
        trail[0]["id"],
        header(&answer, "X-Request-Id").expect("an id")
    );
    let (_, log) = server.terminate();
    assert!(!log.contains("target=audit"), "{log}");
}

#[test]
fn by_default_the_audit_trail_is_next_to_the_database_or_in_the_logs_directory() {
    let folder = folder();
    let logs = tempfile::tempdir().expect("a folder");
    for (place, variable) in [(folder.path(), None), (logs.path(), Some(logs.path()))] {
        let mut command = program(folder.path());
        command.envs(variable.map(|folder| ("LOGS_DIRECTORY", folder)));
        command.args(["serve", "--listen", "127.0.0.1:0", "--audit"]);
        let database = folder.path().join("data.sqlite");
        let server = Server::spawn(command.arg("--database").arg(database), folder.path());
        assert!(place.join("audit.jsonl").exists());
        drop(server);
        fs::remove_file(place.join("audit.jsonl")).expect("removed");
    }
}

#[test]
fn only_user_names_from_a_trusted_proxy_are_in_the_audit_trail() {
    let folder = folder();
    for (proxy, is_trusted) in [("192.0.2.1", false), ("127.0.0.1", true)] {
        let options = "--database data.sqlite --audit audit.jsonl --audit-required --user-header X-Remote-User";
        let options = format!("{options} --trust-proxy {proxy}");
        let (server, admin) = with_admin(folder.path(), &options);
        let headers = [
            ("X-Remote-User", "ivanov"),
            ("X-Forwarded-For", "127.0.0.1"),
        ];
        let answer = ask(&server, RNP, &headers);
        assert_eq!(answer.starts_with("HTTP/1.1 401"), !is_trusted, "{answer}");
        // If a trusted proxy names users, the server is ready without any key.
        let ready = get(&admin, "/readyz");
        assert!(ready.starts_with("HTTP/1.1 200"), "{ready}");
        let metrics = get(&admin, "/metrics");
        let keys = "procurement_lookup_keys_valid";
        assert!(!metrics.contains(keys), "{metrics}");
    }
    let trail = lines(&fs::read_to_string(folder.path().join("audit.jsonl")).expect("the trail"));
    let names: Vec<_> = trail.iter().map(|line| &line["key"]).collect();
    assert_eq!(names, ["ivanov"]);
}

#[test]
fn a_key_can_have_a_limit_and_its_last_day_of_use_is_listed() {
    let folder = folder();
    let keys = |line| {
        succeed(
            folder.path(),
            &format!("keys {line} --database data.sqlite"),
        )
    };
    let key = keys("issue system --expires 90d --rate 1 --burst 3");
    let server = Server::start(folder.path(), "--database data.sqlite");
    let headers = [("X-API-Key", key.trim_end())];
    let answers = [(); 5].map(|()| ask(&server, CONTRACTS, &headers));
    assert_eq!(header(&answers[0], "RateLimit-Limit"), Some("3"));
    let refused = answers
        .iter()
        .filter(|answer| answer.starts_with("HTTP/1.1 429"));
    assert!(refused.count() >= 1, "{answers:?}");
    let (status, log) = server.terminate();
    assert_eq!(status, Some(0), "{log}");
    let list = keys("list");
    let today = Date::in_moscow(std::time::SystemTime::now());
    let days = [today, today.minus_days(1)].map(|day| day.to_string());
    let line = list.lines().nth(1).expect("a key");
    let words: Vec<&str> = line.split_whitespace().collect();
    let [name, _, ends, revoked, used, rate, burst] = words[..] else {
        panic!("{list}")
    };
    assert_eq!(
        [name, revoked, rate, burst],
        ["system", "-", "1", "3"],
        "{list}"
    );
    assert!(
        ends.ends_with('Z') && days.iter().any(|day| day == used),
        "{list}"
    );
    let log = keys("log");
    assert!(
        log.contains("issued   system: ends ") && !log.contains(key.trim_end()),
        "{log}"
    );
}

#[test]
fn a_server_does_not_start_if_the_audit_trail_cannot_be_written() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("trail")).expect("a folder");
    for bad in ["trail", "nowhere/audit"] {
        let serve = format!("serve --listen 127.0.0.1:0 --audit {bad}");
        let output = run(folder.path(), &serve);
        assert_eq!(output.status.code(), Some(1));
        let words = format!("error: {bad}: the audit trail cannot be written: ");
        assert!(stderr(&output).contains(&words), "{}", stderr(&output));
    }
    let output = run(folder.path(), "serve --listen 127.0.0.1:0 --audit log");
    let words = "the audit trail is always a file";
    assert!(stderr(&output).contains(words), "{}", stderr(&output));
}

#[test]
fn lost_audit_lines_are_counted_and_if_required_prevent_answers() {
    let folder = tempfile::tempdir().expect("a folder");
    let trail = folder.path().join("trail");
    for (option, status) in [("", "200"), ("--audit-required", "503")] {
        fs::create_dir(&trail).expect("a folder");
        let options = format!("--audit trail/audit {option}");
        let (server, admin) = with_admin(folder.path(), &options);
        fs::remove_dir_all(&trail).expect("removed");
        let check = |status: &str| {
            let answer = ask(&server, &format!("{RNP}&apikey=demo"), &[]);
            let head = format!("HTTP/1.1 {status} ");
            assert!(answer.starts_with(&head), "{answer}");
            assert_eq!(answer.contains("inRNP"), status == "200", "{answer}");
            let says_why = answer.contains("could not be recorded in the audit trail");
            assert_eq!(says_why, status == "503", "{answer}");
        };
        check(status);
        until(&admin, "/metrics", |metrics| {
            metrics.contains("procurement_lookup_audit_failed_total 1\n")
        });
        fs::create_dir(&trail).expect("a folder");
        check("200");
        let _ = server.terminate();
        let lines = lines(&fs::read_to_string(trail.join("audit")).expect("the trail"));
        assert_eq!(lines.len(), 1);
        fs::remove_dir_all(&trail).expect("removed");
    }
}

#[test]
fn readiness_and_metrics_show_damaged_or_missing_keys_and_errors_with_status_200() {
    let folder = folder();
    let path = folder.path().join("keys.sqlite");
    issue_key(folder.path());
    let (server, admin) = with_admin(folder.path(), "--database data.sqlite");
    let has = |valid: u8, readable: u8| {
        let valid = format!("procurement_lookup_keys_valid {valid}\n");
        let readable = format!("procurement_lookup_keys_readable {readable}\n");
        move |metrics: &str| metrics.contains(&valid) && metrics.contains(&readable)
    };
    until(&admin, "/metrics", has(1, 1));
    let good = fs::read(&path).expect("the keys");
    fs::write(&path, "damaged").expect("written");
    // Until the file is repaired, the last keys that could be read stay valid.
    until(&admin, "/metrics", has(1, 0));
    assert!(get(&admin, "/readyz").contains("200 OK"));
    fs::remove_file(&path).expect("removed");
    until(&admin, "/metrics", has(0, 0));
    let answer = get(&admin, "/readyz");
    assert!(answer.contains("no key is valid"), "{answer}");
    ask(&server, CONTRACTS, &[("X-API-Key", "x")]);
    let refused = "{endpoint=\"/contract/monitor-supplier44\",code=\"200\",error=\"";
    until(&admin, "/metrics", |metrics| metrics.contains(refused));
    fs::write(&path, good).expect("written");
    until(&admin, "/metrics", has(1, 1));
    until(&admin, "/readyz", |answer| answer.contains("200 OK"));
}

#[test]
fn a_flood_of_refused_requests_is_summarised_in_the_log() {
    let folder = folder();
    let server = Server::start(folder.path(), "--log-format json");
    let head = "HTTP/1.1\r\nHost: x\r\n\r\n";
    let kinds = format!("GET {RNP} {head}GET /nowhere {head}POST /about.json {head}");
    let request = kinds.repeat(500);
    let last = "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    let start = Instant::now();
    server.exchange(&format!("{request}{last}"));
    let seconds = usize::try_from(start.elapsed().as_secs()).expect("a small number");
    let (_, log) = server.terminate();
    let lines = access(&log);
    let count = |statuses: &[u64], kind: &str| {
        let is_single = |line: &&Value| {
            line["status"]
                .as_u64()
                .is_some_and(|status| statuses.contains(&status))
        };
        let single = lines.iter().filter(is_single).count();
        assert!(single <= seconds + 2, "{log}");
        let summed = lines.iter().filter(|line| line["refused"] == kind);
        let summed = summed.filter_map(|line| line["more"].as_u64());
        summed.sum::<u64>() + single as u64
    };
    assert_eq!(count(&[401], "unauthorized"), 500, "{log}");
    let unknown = count(&[404, 405], "unknown");
    // Beyond the rate limit for open resources, unknown paths are refused like other requests.
    assert_eq!(unknown + count(&[429], "limited"), 1_000, "{log}");
}

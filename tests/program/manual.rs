//! Runs every command line in the manual and the READMEs: the lines of `sh` blocks, whole `bash`
//! blocks, and lines after `$ ` in `text` blocks, which may be followed by the expected output. The
//! program's own commands run in the order of the text, in a separate folder that has the
//! repository's `data`. `fetch` and `update` use a simulated EIS service with the documents of
//! `data/documents`; token and certificate are files in the folder. `curl` requests go to the
//! service that the text has started, otherwise to one with the demonstration data on a fixed day.
//! [`ELSEWHERE`] lists commands that cannot run here.

use std::fs;
use std::net::Ipv4Addr;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, LazyLock, Mutex};
use std::time::SystemTime;

use eis_service::{Config, Contents, Tls};
use procurement_lookup::api::response::signing_key::SigningKey;
use procurement_lookup::api::{Api, DataSource, Endpoint, Signer};
use procurement_lookup::cli;
use procurement_lookup::http::engine::{Bounds, Engine};
use procurement_lookup::http::{Address, Proxies, Running, Telemetry, Trust, listen};
use procurement_lookup::manual::CHAPTERS;
use procurement_lookup::model::{Date, Language, Moment};
use procurement_lookup::store::KeyRing;
use tempfile::TempDir;

use super::{PROGRAM, Server, clean, program, run};

/// First words of lines and scripts that cannot run here, grouped by the file that runs them
/// instead.
const ELSEWHERE: &[(&str, &[&str])] = &[
    (".ci/run", &["cargo test"]),
    (
        "scripts/checking/description",
        &[
            "npm install openapi-fetch",
            "npx openapi-typescript",
            "openapi-python-client generate",
            "pip install openapi-python-client",
        ],
    ),
    (
        "scripts/checking/recipes",
        &["soffice --headless --infilter="],
    ),
    (
        "scripts/deploy/build-static",
        &["cargo build --profile dist"],
    ),
    (
        "scripts/deploy/try-deb",
        &[
            "/usr/lib/procurement-lookup/listen-at",
            "apt-get install ./procurement-lookup",
            "runuser -u procurement-lookup",
            "scripts/deploy/build-deb",
            "systemctl enable --now procurement-lookup-update.timer",
            "systemctl reload procurement-lookup",
            "systemctl start procurement-lookup",
            "systemctl status procurement-lookup-update",
            "systemctl stop procurement-lookup.socket",
        ],
    ),
    (
        "scripts/deploy/try-nginx",
        &["procurement-lookup serve --listen unix:"],
    ),
    (
        "scripts/deploy/try-postgresql",
        &[
            "procurement-lookup keys issue office --keys postgresql:",
            "procurement-lookup publish --database",
            "procurement-lookup serve --database postgresql:",
        ],
    ),
    (
        "scripts/deploy/try-release",
        &[
            "install -m 0755 -D -t /usr/local/bin procurement-lookup",
            "scripts/deploy/build-static",
            "useradd --system",
            "version=0.2.0",
        ],
    ),
    (
        "scripts/deploy/try-replicas",
        &[
            "cargo run --release -p generate",
            "exec 9> /srv/import.lock",
        ],
    ),
    (
        "tests/answers/api/keys.rs",
        &["procurement-lookup keys list --keys postgresql:"],
    ),
    (
        "tests/program/export.rs",
        &["procurement-lookup export --database procurement.sqlite --format csv"],
    ),
    (
        "tests/program/watch.rs",
        &["systemctl enable --now watch-suppliers.timer"],
    ),
];

/// Languages of the other blocks, which contain nothing to run, or which another test runs.
const SHOWN: [&str; 7] = ["json", "nginx", "python", "r", "sql", "text", "yaml"];

/// Programs that lines may use in addition to `procurement-lookup` and `curl`.
const ORDINARY: [&str; 9] = [
    "cat", "cp", "echo", "head", "mkdir", "mv", "openssl", "sed", "tr",
];

/// The address used in the manual and the READMEs. When a line runs, it is replaced with the
/// address of the test's service.
const ADDRESS: &str = "127.0.0.1:8044";

/// The day on which the manual was written, and on which the outputs in it are based.
const DAY: &str = "2026-11-21";

/// The token of the simulated service, written to the file `token` in each folder.
const TOKEN: &str = "0f6e3c1a-52d7-4b8e-9c40-7a1b2c3d4e5f";

/// Marks a part of an output that the document leaves out.
const ELLIPSIS: &str = "…";

/// A command line or a script, with the output if the document shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Line {
    command: String,
    is_script: bool,
    output: Option<String>,
}

/// Returns the paths of the manual's chapters and the READMEs, relative to the repository.
fn texts() -> Vec<String> {
    let file = |language: Language| {
        let folder = format!("src/manual/{}", language.code());
        CHAPTERS
            .iter()
            .map(move |chapter| format!("{folder}/{}.md", chapter.topic))
    };
    let chapters = Language::ALL.into_iter().flat_map(file);
    chapters
        .chain(["README.md", "README.ru.md"].map(str::to_owned))
        .collect()
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Returns the code blocks of a document: the word after the backquotes, and the lines.
fn blocks(text: &str) -> Vec<(&str, Vec<&str>)> {
    let (mut blocks, mut open) = (Vec::new(), None::<(&str, Vec<&str>)>);
    for line in text.lines() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(kind), None) => open = Some((kind, Vec::new())),
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (None, Some((_, lines))) => lines.push(line),
            (None, None) => {}
        }
    }
    blocks
}

/// Returns the command lines and scripts of a document that the test runs.
fn lines(text: &str) -> Vec<Line> {
    let mut found = Vec::new();
    let mut add = |command: &str, is_script, output: Option<&str>| {
        found.push(Line {
            command: command.to_owned(),
            is_script,
            output: output.map(str::to_owned),
        });
    };
    for (kind, block) in blocks(text) {
        let joined = block.join("\n");
        match kind {
            "sh" => {
                let joined = joined.replace("\\\n", " ");
                let commands = joined.lines().map(str::trim);
                commands
                    .filter(|line| !line.is_empty() && !line.starts_with('#'))
                    .for_each(|command| add(command, false, None));
            }
            "text" => {
                let shown = joined.strip_prefix("$ ").into_iter();
                for part in shown.flat_map(|rest| rest.split("\n$ ")) {
                    match part.split_once('\n') {
                        Some((command, output)) => add(command, false, Some(output)),
                        None => add(part, false, None),
                    }
                }
            }
            "bash" => add(&joined, true, None),
            shown => assert!(SHOWN.contains(&shown), "is a block of {shown} to run?"),
        }
    }
    found
}

/// Splits a shell line into simple commands and these into words. Each `|`, `>`, `<`, `&` and `;`
/// starts another command.
fn simple_commands(line: &str) -> Vec<Vec<String>> {
    let (mut commands, mut words, mut word) = (Vec::new(), Vec::new(), None::<String>);
    let mut quote = None;
    for c in line.chars() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), c) => word.get_or_insert_default().push(c),
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, ' ') => words.extend(word.take()),
            (None, '|' | '>' | ';' | '&' | '<') => {
                words.extend(word.take());
                commands.push(std::mem::take(&mut words));
            }
            (None, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    commands.push(words);
    commands.retain(|words: &Vec<String>| !words.is_empty());
    commands
}

/// Returns the program's arguments if a simple command runs it, otherwise `None`. `cargo run -p`
/// runs another package.
fn arguments(words: &[String]) -> Option<&[String]> {
    match words {
        [cargo, ..] if cargo == "cargo" && words.iter().any(|word| word == "-p") => None,
        [first, rest @ ..] if first == "procurement-lookup" => Some(rest),
        [cargo, run, rest @ ..] if cargo == "cargo" && run == "run" => {
            let dashes = rest.iter().position(|word| word == "--");
            Some(dashes.map_or(&[][..], |at| &rest[at + 1..]))
        }
        _ => None,
    }
}

#[test]
fn the_program_can_parse_each_of_its_command_lines() {
    let mut count = 0;
    for file in texts() {
        for (_, block) in blocks(&read(&file)) {
            for line in block {
                let line = line
                    .trim_start()
                    .trim_start_matches("$ ")
                    .trim_end_matches('\\');
                for command in simple_commands(line) {
                    let Some(given) = arguments(&command) else {
                        continue;
                    };
                    let words = ["procurement-lookup".to_owned()].into_iter();
                    let parsed =
                        cli::command().try_get_matches_from(words.chain(given.iter().cloned()));
                    assert!(parsed.is_ok(), "{file}: {line}: {}", parsed.unwrap_err());
                    count += 1;
                }
            }
        }
    }
    assert!(count > 30, "the texts were not understood: {count}");
}

/// Returns whether another script or test runs a line.
fn is_elsewhere(command: &str) -> bool {
    let mut starts = ELSEWHERE.iter().flat_map(|(_, starts)| *starts);
    starts.any(|start| command.starts_with(start))
}

#[test]
fn lines_of_other_programs_are_run_elsewhere() {
    let all: Vec<Line> = texts().iter().flat_map(|file| lines(&read(file))).collect();
    for (script, starts) in ELSEWHERE {
        assert!(root().join(script).exists(), "{script}");
        for start in *starts {
            let is_there = all.iter().any(|line| line.command.starts_with(start));
            assert!(is_there, "no text has {start}");
        }
    }
    for Line { command, .. } in all.iter().filter(|line| !line.is_script) {
        for words in simple_commands(command) {
            let is_known = arguments(&words).is_some()
                || words[0] == "curl"
                || ORDINARY.contains(&words[0].as_str())
                // After `>`, there is only the name of a file.
                || words.len() == 1;
            assert!(is_known || is_elsewhere(command), "nothing tries {command}");
        }
    }
}

#[test]
fn both_languages_have_the_same_command_lines() {
    for chapter in CHAPTERS {
        let [russian, english] = Language::ALL.map(|language| lines(chapter.text(language)));
        assert_eq!(russian, english, "{}", chapter.topic);
    }
}

#[test]
fn a_request_to_every_endpoint_is_shown_with_its_answer() {
    let all: Vec<Line> = texts().iter().flat_map(|file| lines(&read(file))).collect();
    for endpoint in Endpoint::ALL {
        let target = format!("{ADDRESS}{}?", endpoint.path);
        let is_shown = |line: &Line| line.command.contains(&target) && line.output.is_some();
        assert!(all.iter().any(is_shown), "{}", endpoint.path);
    }
}

/// Returns the address of a server with the demonstration data as of [`DAY`]. The server runs until
/// the tests end.
fn demonstration() -> String {
    static RUNNING: LazyLock<(Mutex<Running>, String)> = LazyLock::new(|| {
        let day = Date::parse_iso(DAY).expect("a date");
        let mut api = Api::new(
            DataSource::Bundled,
            KeyRing::empty(),
            Box::new(move || Moment::from_day(day)),
        );
        let key = SigningKey::generate().expect("a key");
        let key = SigningKey::parse(&key).expect("its own PEM");
        api.signer = Some(Signer::new(key, "test".to_owned(), Box::new(|| 0)));
        let answerer = Arc::new(api).answerer().expect("the demonstration data");
        let listening = listen(&Address::Tcp((Ipv4Addr::LOCALHOST, 0).into())).expect("a port");
        let address = listening.address().to_string();
        let telemetry = Telemetry::new(SystemTime::now(), 1);
        let trust = Arc::new(Trust::new(Proxies::default(), None));
        let telemetry = Arc::new(telemetry.expect("random numbers"));
        let running = listening.serve(
            vec![answerer],
            &telemetry,
            &trust,
            Engine::default(),
            Bounds::default(),
        );
        (Mutex::new(running.expect("a server")), address)
    });
    RUNNING.1.clone()
}

/// Starts a service that has the documents of `data/documents` on every day. Chapters do not share
/// one, because the service lets links expire after a few requests.
fn eis() -> eis_service::Service {
    static CONTENTS: LazyLock<Contents> = LazyLock::new(|| {
        let documents = root().join("data/documents");
        Contents::documents(&documents).expect("documents")
    });
    let config = Config {
        tls: Some(Tls::default()),
        contents: CONTENTS.clone(),
        ..Config::default()
    };
    eis_service::Service::start(config).expect("a service")
}

/// The folder and the services with which the lines of a document run.
struct Place {
    folder: TempDir,
    eis: eis_service::Service,
    service: Option<Server>,
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path();
        symlink(root().join("data"), path.join("data")).expect("a link");
        let bin = path.join("bin");
        fs::create_dir(&bin).expect("a folder");
        symlink(PROGRAM, bin.join("procurement-lookup")).expect("a link");
        let cargo = bin.join("cargo");
        let script = "#!/bin/sh\nwhile [ \"$1\" != -- ]; do shift; done\nshift\n\
                      exec procurement-lookup \"$@\"\n";
        fs::write(&cargo, script).expect("a script");
        fs::set_permissions(&cargo, fs::Permissions::from_mode(0o755)).expect("its mode");
        let token = path.join("token");
        fs::write(&token, TOKEN).expect("a token");
        fs::set_permissions(&token, fs::Permissions::from_mode(0o600)).expect("its mode");
        let eis = eis();
        fs::write(path.join("ca.pem"), eis.ca_pem().expect("TLS")).expect("a certificate");
        Self {
            folder,
            eis,
            service: None,
        }
    }

    /// Returns the address to which `curl` must send requests at the moment.
    fn address(&self) -> String {
        let started = self.service.as_ref();
        started.map_or_else(demonstration, |service| service.address.clone())
    }

    /// Returns a shell command that runs a line or a script in this folder.
    fn shell(&self, shell: &str, line: &str) -> Command {
        let mut shell = clean(Command::new(shell), self.folder.path());
        let path = std::env::var_os("PATH").unwrap_or_default();
        if line.contains("--token-file") {
            shell
                .env("PROCUREMENT_LOOKUP_ENDPOINT", self.eis.endpoint())
                .env("PROCUREMENT_LOOKUP_PER_MINUTE", "0");
        }
        let paths = [self.folder.path().join("bin")].into_iter();
        let paths = paths.chain(std::env::split_paths(&path).collect::<Vec<PathBuf>>());
        shell
            .env("PATH", std::env::join_paths(paths).expect("paths"))
            .env("RUST_LOG", "warn")
            .args(["-c", line]);
        shell
    }

    /// Runs a line and compares its output with the one in the document.
    fn run(&mut self, file: &str, line: &Line) {
        let command = line.command.replace(ADDRESS, &self.address());
        let is_serve = |words: &Vec<String>| {
            arguments(words).is_some_and(|given| given.first().is_some_and(|word| word == "serve"))
        };
        if simple_commands(&command).iter().any(is_serve) {
            return self.serve(&command);
        }
        let shell = if line.is_script { "bash" } else { "sh" };
        // Scripts that compare two services get the same one twice.
        let service = format!("http://{}", demonstration());
        let output = self
            // The expected output includes standard error.
            .shell(shell, &format!("exec 2>&1\n{command}"))
            .envs([("OLD", service.as_str()), ("OLD_KEY", "demo")])
            .envs([("NEW", service.as_str()), ("NEW_KEY", "demo")])
            .output()
            .expect("a shell");
        let printed = String::from_utf8_lossy(&output.stdout).replace("\r\n", "\n");
        match &line.output {
            Some(shown) => assert!(
                is_shown(&printed, shown),
                "{file}: {}\n{printed}",
                line.command
            ),
            None => assert!(
                output.status.success() && !printed.contains("differs "),
                "{file}: {}\n{printed}",
                line.command
            ),
        }
    }

    /// Starts the service on a free port.
    fn serve(&mut self, command: &str) {
        self.service = None;
        let mut shell = self.shell("sh", &format!("exec {command}"));
        shell.env("PROCUREMENT_LOOKUP_LISTEN", "127.0.0.1:0");
        let service = Server::spawn(&mut shell, self.folder.path());
        // Requests for the demonstration data go to the server with the fixed day instead.
        if command.contains("--database") {
            self.service = Some(service);
        }
    }
}

/// Returns whether `printed` equals `shown`. Each `…` in `shown` stands for any characters.
fn is_shown(printed: &str, shown: &str) -> bool {
    let (printed, shown) = (printed.trim_end(), shown.trim_end());
    let Some((first, left)) = shown.split_once(ELLIPSIS) else {
        return printed == shown;
    };
    let (middle, last) = left.rsplit_once(ELLIPSIS).unwrap_or(("", left));
    let within = printed
        .strip_prefix(first)
        .and_then(|rest| rest.strip_suffix(last));
    let Some(mut rest) = within else {
        return false;
    };
    middle.split(ELLIPSIS).all(|part| {
        let found = rest.split_once(part);
        rest = found.map_or("", |(_, after)| after);
        found.is_some()
    })
}

#[test]
fn every_line_has_the_described_effect() {
    // A text and its translation have the same lines, which run once.
    let mut distinct: Vec<(String, Vec<Line>)> = Vec::new();
    for file in texts() {
        let lines = lines(&read(&file));
        if !distinct.iter().any(|(_, known)| *known == lines) {
            distinct.push((file, lines));
        }
    }
    let has_openssl = Command::new("openssl").arg("version").output().is_ok();
    if !has_openssl {
        eprintln!("skipped, as openssl is not installed: the lines that check a receipt with it");
    }
    std::thread::scope(|scope| {
        for (file, lines) in &distinct {
            scope.spawn(move || {
                let mut place = Place::new();
                let lines = lines.iter().filter(|line| !is_elsewhere(&line.command));
                for line in lines.filter(|line| has_openssl || !line.command.contains("openssl")) {
                    place.run(file, line);
                }
            });
        }
    });
}

/// Returns the Python programs that contain `part`, one per language.
fn python_programs(part: &str) -> [String; Language::ALL.len()] {
    let of_text = |file: &String| {
        let text = read(file);
        let blocks = blocks(&text).into_iter();
        let clients = blocks.filter(|(kind, _)| *kind == "python");
        clients
            .map(|(_, lines)| lines.join("\n"))
            .filter(|program| program.contains(part))
            .collect::<Vec<_>>()
    };
    let programs: Vec<String> = texts().iter().flat_map(of_text).collect();
    programs.try_into().expect("one per language")
}

#[test]
fn the_python_program_counts_the_purchases_in_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/demo.sqlite");
    fs::copy(data, folder.path().join("procurement.sqlite")).expect("a copy");
    for program in python_programs("v_purchase") {
        let mut python = clean(Command::new("python3"), folder.path());
        let Ok(output) = python.args(["-c", &program]).output() else {
            eprintln!("skipped: there is no python3");
            return;
        };
        let printed = String::from_utf8_lossy(&output.stdout);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(printed.contains("('223', "), "{printed}{errors}");
    }
}

#[test]
fn the_python_client_reads_json_and_reports_errors() {
    let clients = python_programs("X-API-Key");
    let run = |client: &str| {
        let mut python = Command::new("python3");
        python.args(["-c", client]).output().ok().map(|output| {
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace("\r\n", "\n");
            (text(&output.stdout), text(&output.stderr))
        })
    };
    let clients = clients.map(|client| client.replace(ADDRESS, &demonstration()));
    for client in &clients {
        let Some((printed, errors)) = run(client) else {
            eprintln!("skipped: there is no python3");
            return;
        };
        assert_eq!(
            printed,
            "3960100101224000001 2024-04-22 709564.02\n\
             9602006662 listed\n7707083893 not-listed\n",
            "{errors}"
        );
    }
    for (right, wrong, expected) in [
        ("\"demo\"", "\"wrong\"", "401: Некорректный API_KEY.\n"),
        (
            "\"9602003012\"",
            "\"1\"",
            "400: Некорректный ИНН поставщика.\n",
        ),
    ] {
        let (printed, errors) = run(&clients[0].replace(right, wrong)).expect("python3");
        assert_eq!((printed.as_str(), errors.as_str()), ("", expected));
    }
}

#[test]
fn an_unknown_topic_is_wrong_use_and_the_topics_are_listed() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = run(folder.path(), "manual nothing");
    assert_eq!(output.status.code(), Some(2));
    let errors = String::from_utf8_lossy(&output.stderr);
    for chapter in CHAPTERS {
        assert!(errors.contains(chapter.topic), "{errors}");
    }
}

#[test]
fn the_manual_is_printed_in_the_language_of_the_environment() {
    let folder = tempfile::tempdir().expect("a folder");
    let printed = |variables: &[(&str, &str)], arguments: &str| {
        let mut command = program(folder.path());
        for name in ["LC_ALL", "LC_MESSAGES", "LANG"] {
            command.env_remove(name);
        }
        let output = command
            .envs(variables.iter().copied())
            .arg("manual")
            .args(arguments.split_whitespace())
            .output()
            .expect("the program runs");
        assert!(output.status.success(), "{variables:?} {arguments:?}");
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    let start = &CHAPTERS[0];
    let title = |language| format!("# {}\n", start.title(language));
    let (russian, english) = (title(Language::Russian), title(Language::English));
    let russian_lang = ("LANG", "ru_RU.UTF-8");
    for (variables, arguments, expected) in [
        (&[][..], "start", &english),
        (&[russian_lang], "start", &russian),
        (&[russian_lang, ("LC_ALL", "C")], "start", &english),
        (
            &[("LANG", "en_GB.UTF-8"), ("LC_MESSAGES", "ru_RU")],
            "start",
            &russian,
        ),
        (&[russian_lang], "start --lang en", &english),
    ] {
        let text = printed(variables, arguments);
        assert!(text.starts_with(expected.as_str()), "{variables:?}: {text}");
        assert!(!text.contains("<!-- generated"), "{text}");
    }
    let topics = printed(&[], "");
    assert_eq!(topics.lines().count(), CHAPTERS.len(), "{topics}");
    for (line, chapter) in topics.lines().zip(CHAPTERS) {
        let title = chapter.title(Language::English);
        assert!(
            line.starts_with(chapter.topic) && line.ends_with(title),
            "{line}"
        );
    }
}

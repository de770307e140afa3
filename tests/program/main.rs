//! Runs the program as a process. Tests exit statuses, sockets, logs and files, and whether the
//! manual describes them correctly.

#[cfg(target_os = "linux")]
mod attack;
mod commands;
mod export;
mod fetch;
mod import;
mod life;
mod manual;
mod mcp;
mod notifications;
mod operators;
#[cfg(feature = "postgresql")]
#[path = "../answers/postgresql.rs"]
#[allow(dead_code, reason = "the tests in process use more of it")]
mod postgresql;
mod receipts;
mod replacing;
mod servers;
mod serving;
mod shells;
#[path = "../answers/source.rs"]
#[allow(dead_code, reason = "the tests in process use more of it")]
mod source;
mod starts;
mod summaries;
mod troubles;
mod upgrade;
mod watch;

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::time::{Duration, Instant};

use rusqlite::Connection;
use tempfile::TempDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_procurement-lookup");

/// Time limit for each single step of a test.
const PATIENCE: Duration = Duration::from_secs(20);

/// Leaves the processor to the process that a test is waiting for.
fn pause() {
    std::thread::sleep(Duration::from_millis(1));
}

fn program(folder: &Path) -> Command {
    clean(Command::new(PROGRAM), folder)
}

/// Sets the working folder of a command, and removes environment variables of the program that may
/// be set where the tests run.
fn clean(mut command: Command, folder: &Path) -> Command {
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("PROCUREMENT_LOOKUP_")) {
        command.env_remove(name);
    }
    // These may be set if a service manager runs the tests.
    for name in [
        "NOTIFY_SOCKET",
        "WATCHDOG_USEC",
        "WATCHDOG_PID",
        "LISTEN_FDS",
    ] {
        command.env_remove(name);
    }
    command
        .env("RUST_LOG", "info")
        .current_dir(folder)
        .stdin(Stdio::null());
    command
}

/// Runs the program. The words of `line` are its arguments.
fn run(folder: &Path, line: &str) -> Output {
    program(folder)
        .args(line.split_whitespace())
        .output()
        .expect("the program runs")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}

#[track_caller]
fn succeed(folder: &Path, line: &str) -> String {
    let output = run(folder, line);
    assert!(output.status.success(), "{line}: {}", stderr(&output));
    stdout(&output)
}

/// Creates a folder with a database of one supplier and one contract.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    import(folder.path(), &contract("1", "9602003012"));
    folder
}

fn contract(reg_num: &str, inn: &str) -> String {
    format!(
        r#"{{"type":"contract","supplier":{{"inn":"{inn}","name":"ООО «Сад»"}},"contract":{{"regNum":"{reg_num}"}}}}"#
    )
}

fn import(folder: &Path, lines: &str) {
    fs::write(folder.join("lines.jsonl"), lines).expect("a file");
    succeed(folder, "import --database data.sqlite lines.jsonl");
}

/// Sends bytes and reads until the connection is closed.
fn exchange(address: &str, bytes: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("a connection");
    stream
        .set_read_timeout(Some(PATIENCE))
        .expect("a time limit");
    stream.write_all(bytes.as_bytes()).expect("written");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    answer
}

fn get(address: &str, target: &str) -> String {
    let head = format!("GET {target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    exchange(address, &head)
}

fn kill(child: &Child, signal: &str) {
    let kill = format!("kill -{signal} {}", child.id());
    let status = Command::new("sh").args(["-c", &kill]).status();
    assert!(status.expect("kill").success());
}

/// A server that is killed at the end of the test.
struct Server {
    child: Child,
    /// The address that the server announced, without `http://`.
    address: String,
    log: PathBuf,
}

impl Server {
    fn start(folder: &Path, options: &str) -> Self {
        let mut command = program(folder);
        command.args(["serve", "--listen", "127.0.0.1:0"]);
        command.args(options.split_whitespace());
        Self::spawn(&mut command, folder)
    }

    /// Starts a server from a script for `sh`, in which `$0` is the program.
    #[allow(dead_code, reason = "tiny_http is not tested under limits")]
    fn start_through(folder: &Path, script: &str, options: &str) -> Self {
        let mut command = clean(Command::new("sh"), folder);
        command.args(["-c", script, PROGRAM, "serve", "--listen", "127.0.0.1:0"]);
        Self::spawn(command.args(options.split_whitespace()), folder)
    }

    fn spawn(command: &mut Command, folder: &Path) -> Self {
        let log = folder.join("log");
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(fs::File::create(&log).expect("a log"))
            .spawn()
            .expect("the program starts");
        let mut line = String::new();
        let out = child.stdout.take().expect("its output");
        BufReader::new(out).read_line(&mut line).expect("a line");
        let address = line.strip_prefix("listening on ").map(str::trim_end);
        let address = address.unwrap_or_else(|| panic!("{line:?}"));
        let address = address.trim_start_matches("http://").to_owned();
        Self {
            child,
            address,
            log,
        }
    }

    fn exchange(&self, bytes: &str) -> String {
        exchange(&self.address, bytes)
    }

    fn get(&self, target: &str) -> String {
        get(&self.address, target)
    }

    /// Repeats a request until the response fulfils the condition. The last request must start
    /// within `most`, however slow the machine is.
    #[track_caller]
    fn until(&self, target: &str, most: Duration, wanted: impl Fn(&str) -> bool) {
        let start = Instant::now();
        loop {
            let in_time = start.elapsed() <= most;
            let answer = self.get(target);
            if wanted(&answer) {
                return;
            }
            assert!(in_time, "{answer}");
            pause();
        }
    }

    /// Waits until the log contains these words `count` times, and returns the log.
    #[track_caller]
    fn logged(&self, words: &str, count: usize) -> String {
        let start = Instant::now();
        loop {
            let log = fs::read_to_string(&self.log).expect("its log");
            if log.matches(words).count() >= count && log.ends_with('\n') {
                return log;
            }
            assert!(start.elapsed() < PATIENCE, "{words}: {log}");
            pause();
        }
    }

    /// Waits for the process to end. Returns the status and the log.
    fn ended(mut self) -> (ExitStatus, String) {
        let status = self.child.wait().expect("its end");
        (status, fs::read_to_string(&self.log).expect("its log"))
    }

    fn terminate(self) -> (Option<i32>, String) {
        self.end("TERM")
    }

    fn end(self, signal: &str) -> (Option<i32>, String) {
        kill(&self.child, signal);
        let (status, log) = self.ended();
        assert!(
            !log.contains("were not answered"),
            "it ends immediately: {log}"
        );
        (status.code(), log)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

const RNP: &str = "/rnp/check-supplier?supplierINN=9602003012&format=json";
const CONTRACTS: &str = "/contract/monitor-supplier44?supplierINN=9602003012&format=json";

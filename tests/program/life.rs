//! The life of a service: signals, systemd.

use std::net::TcpListener;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

use super::*;

/// Takes a listener from standard input to where systemd puts it, then starts the
/// program; the process stays the same.
const HAND_OVER: &str = r#"exec env LISTEN_FDS=1 LISTEN_PID=$$ "$@" 3<&0 0</dev/null"#;

/// The same listener twice, to be told apart by names.
const HAND_OVER_TWICE: &str = r#"exec env LISTEN_FDS=2 LISTEN_PID=$$ "$@" 3<&0 4<&0 0</dev/null"#;

/// A service whose log is read as it comes.
struct Service {
    child: Child,
    address: String,
    log: BufReader<UnixStream>,
}

impl Service {
    fn start(folder: &Path, arguments: &[&str]) -> Self {
        let mut command = program(folder);
        command.arg("serve").args(arguments);
        Self::of(command)
    }

    fn of(mut command: Command) -> Self {
        let (log, its_log) = UnixStream::pair().expect("a pair");
        log.set_read_timeout(Some(PATIENCE)).expect("a time limit");
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::from(OwnedFd::from(its_log)))
            .spawn()
            .expect("the program starts");
        // It holds the other end of the log, whose end would not be seen otherwise.
        drop(command);
        let mut line = String::new();
        let out = child.stdout.take().expect("its output");
        BufReader::new(out).read_line(&mut line).expect("a line");
        let address = line.strip_prefix("listening on http://").map(str::trim_end);
        let log = BufReader::new(log);
        let address = address.unwrap_or_else(|| panic!("{line:?}")).to_owned();
        Self {
            child,
            address,
            log,
        }
    }

    fn signal(&self, name: &str) {
        let kill = format!("kill -{name} {}", self.child.id());
        let status = Command::new("sh").args(["-c", &kill]).status();
        assert!(status.expect("kill").success());
    }

    /// The next line of the log with `words` in it.
    #[track_caller]
    fn logged(&mut self, words: &str) -> String {
        let mut passed = String::new();
        loop {
            let mut line = String::new();
            let read = self.log.read_line(&mut line);
            assert!(read.is_ok_and(|read| read > 0), "no {words:?} in {passed}");
            if line.contains(words) {
                return line;
            }
            passed += &line;
        }
    }

    /// How it ended, and the rest of its log.
    fn ended(mut self) -> (ExitStatus, String) {
        let mut rest = String::new();
        self.log.read_to_string(&mut rest).expect("its log");
        (self.child.wait().expect("its end"), rest)
    }

    fn terminate(self) -> (ExitStatus, String) {
        self.signal("TERM");
        self.ended()
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

const LISTEN: [&str; 2] = ["--listen", "127.0.0.1:0"];

#[test]
fn a_variable_of_the_environment_counts_and_the_command_line_before_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let grace = |variable: Option<&str>, arguments: &[&str]| {
        let mut command = program(folder.path());
        command.envs(variable.map(|value| ("PROCUREMENT_LOOKUP_GRACE", value)));
        command.arg("serve").args(LISTEN).args(arguments);
        let (status, log) = Service::of(command).terminate();
        assert_eq!(status.code(), Some(0), "{log}");
        let (_, rest) = log.split_once("for at most ").expect("a grace period");
        rest.split(';').next().expect("a span").to_owned()
    };
    assert_eq!(grace(None, &[]), "10s");
    assert_eq!(grace(Some("2s"), &[]), "2s");
    assert_eq!(grace(Some("2s"), &["--grace", "1s"]), "1s");
}

#[test]
fn sighup_ends_nothing_and_the_log_says_what_has_to_be_restarted_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut service = Service::start(folder.path(), &LISTEN);
    for _ in 0..2 {
        service.signal("HUP");
        let line = service.logged("SIGHUP is ignored");
        assert!(
            line.contains("options and environment at a restart"),
            "{line}"
        );
    }
    let answer = get(&service.address, &format!("{RNP}&apikey=demo"));
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    let (status, _) = service.terminate();
    assert_eq!(status.code(), Some(0));
}

fn get(address: &str, target: &str) -> String {
    exchange(
        address,
        &format!("GET {target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"),
    )
}

/// A client that asks for more than any socket holds, and reads but the first byte.
fn reader_of_nothing(address: &str) -> TcpStream {
    let page = "/contract/monitor-supplier44?supplierINN=9602000445&apikey=demo&limit=200";
    let mut stream = TcpStream::connect(address).expect("a connection");
    stream
        .set_read_timeout(Some(PATIENCE))
        .expect("a time limit");
    let requests = format!("GET {page} HTTP/1.1\r\nHost: x\r\n\r\n").repeat(200);
    stream.write_all(requests.as_bytes()).expect("written");
    stream.read_exact(&mut [0]).expect("a byte");
    stream
}

#[test]
fn when_the_grace_period_is_over_it_ends_and_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let arguments = [LISTEN.as_slice(), &["--grace", "300ms"]].concat();
    let service = Service::start(folder.path(), &arguments);
    let _client = reader_of_nothing(&service.address);
    let (status, log) = service.terminate();
    assert_eq!(status.code(), Some(0));
    assert!(log.contains("not answered within 300ms"), "{log}");
}

#[test]
fn a_second_signal_ends_it_at_once_as_it_ends_any_process() {
    let folder = tempfile::tempdir().expect("a folder");
    let arguments = [LISTEN.as_slice(), &["--grace", "1h"]].concat();
    for (signal, number) in [("TERM", 15), ("INT", 2)] {
        let mut service = Service::start(folder.path(), &arguments);
        let _client = reader_of_nothing(&service.address);
        service.signal("TERM");
        service.logged("ending: ");
        service.signal(signal);
        let (status, _) = service.ended();
        assert_eq!(status.signal(), Some(number), "{status}");
    }
}

#[cfg(target_os = "linux")]
mod systemd {
    use std::os::unix::net::{UnixDatagram, UnixListener, UnixStream};

    use super::*;

    /// What systemd is in these tests: it hears what the service says of itself.
    struct Manager(UnixDatagram);

    impl Manager {
        fn new(folder: &Path) -> Self {
            let socket = UnixDatagram::bind(folder.join("notify")).expect("a socket");
            socket
                .set_read_timeout(Some(PATIENCE))
                .expect("a time limit");
            Self(socket)
        }

        fn start(folder: &Path, environment: &[(&str, &str)]) -> Service {
            let mut command = program(folder);
            command
                .env("NOTIFY_SOCKET", folder.join("notify"))
                .envs(environment.iter().copied())
                .arg("serve")
                .args(LISTEN);
            Service::of(command)
        }

        fn next(&self) -> String {
            let mut buffer = [0; 4096];
            let length = self.0.recv(&mut buffer).expect("a message");
            String::from_utf8_lossy(&buffer[..length]).into_owned()
        }
    }

    #[test]
    fn it_is_notified_of_readiness_and_the_end() {
        let folder = tempfile::tempdir().expect("a folder");
        let manager = Manager::new(folder.path());
        let service = Manager::start(folder.path(), &[]);
        let ready = format!("READY=1\nSTATUS=answering on http://{}\n", service.address);
        assert_eq!(manager.next(), ready);
        let (status, _) = service.terminate();
        assert_eq!(status.code(), Some(0));
        let stopping = manager.next();
        assert!(stopping.starts_with("STOPPING=1\n"), "{stopping}");
        assert!(
            stopping.contains("EXTEND_TIMEOUT_USEC=12000000\n"),
            "{stopping}"
        );
    }

    #[test]
    fn the_watchdog_is_answered_again_and_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let manager = Manager::new(folder.path());
        let _service = Manager::start(folder.path(), &[("WATCHDOG_USEC", "200000")]);
        assert!(manager.next().starts_with("READY=1\n"));
        for _ in 0..3 {
            assert_eq!(manager.next(), "WATCHDOG=1\n");
        }
    }

    /// A program that is handed `listener` as systemd does it.
    fn handed(folder: &Path, listener: &TcpListener, script: &str) -> Command {
        let plain = program(folder);
        let mut command = Command::new("sh");
        command.args(["-c", script, "sh"]).arg(PROGRAM).arg("serve");
        for (name, value) in plain.get_envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        let listener = listener.try_clone().expect("a listener");
        command
            .current_dir(folder)
            .stdin(Stdio::from(OwnedFd::from(listener)));
        command
    }

    #[test]
    fn a_client_that_comes_during_a_restart_is_answered_after_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address").to_string();
        let start = || Service::of(handed(folder.path(), &listener, HAND_OVER));
        let target = format!("{RNP}&apikey=demo");

        let mut first = start();
        assert_eq!(first.address, address);
        first.logged("handed over");
        assert!(get(&address, &target).starts_with("HTTP/1.1 200"));
        let (status, _) = first.terminate();
        assert_eq!(status.code(), Some(0));

        let mut waiting = TcpStream::connect(&address).expect("the socket listens still");
        waiting
            .set_read_timeout(Some(PATIENCE))
            .expect("a time limit");
        write!(waiting, "GET {target} HTTP/1.0\r\n\r\n").expect("written");
        let _second = start();
        let mut answer = String::new();
        waiting.read_to_string(&mut answer).expect("an answer");
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }

    #[test]
    fn a_unix_socket_handed_over_is_answered_on_and_its_file_stays() {
        for engine in ["bounded", "tiny-http"] {
            let folder = tempfile::tempdir().expect("a folder");
            let path = folder.path().join("socket");
            let listener = UnixListener::bind(&path).expect("a socket");
            let other = TcpListener::bind("127.0.0.1:0").expect("a port");
            let mut child = handed(folder.path(), &other, HAND_OVER)
                .args(["--engine", engine])
                .stdin(Stdio::from(OwnedFd::from(listener)))
                .stdout(Stdio::piped())
                .stderr(Stdio::null())
                .spawn()
                .expect("the program starts");
            let mut line = String::new();
            let out = child.stdout.take().expect("its output");
            BufReader::new(out).read_line(&mut line).expect("a line");
            assert_eq!(line, format!("listening on unix:{}\n", path.display()));
            let mut stream = UnixStream::connect(&path).expect("a connection");
            stream.set_read_timeout(Some(PATIENCE)).expect("a limit");
            write!(stream, "GET {RNP}&apikey=demo HTTP/1.0\r\n\r\n").expect("written");
            let mut answer = String::new();
            stream.read_to_string(&mut answer).expect("an answer");
            assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
            let kill = format!("kill -TERM {}", child.id());
            let killed = Command::new("sh").args(["-c", &kill]).status();
            assert!(killed.expect("kill").success());
            assert_eq!(child.wait().expect("its end").code(), Some(0));
            assert!(path.exists(), "it is the service manager's");
        }
    }

    #[test]
    fn sockets_handed_over_are_known_by_their_names() {
        let folder = tempfile::tempdir().expect("a folder");
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address").to_string();
        let mut command = handed(folder.path(), &listener, HAND_OVER_TWICE);
        command.env("LISTEN_FDNAMES", "admin:http");
        assert_eq!(Service::of(command).address, address);
        let mut command = handed(folder.path(), &listener, HAND_OVER_TWICE);
        let output = command.env("LISTEN_FDNAMES", "a.socket:b.socket").output();
        let output = output.expect("the program runs");
        assert_eq!(output.status.code(), Some(1));
        assert!(stderr(&output).contains("FileDescriptorName="));
    }

    #[test]
    fn sockets_of_another_process_are_left_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address").to_string();
        let script = HAND_OVER.replace("$$", "1");
        let mut command = handed(folder.path(), &listener, &script);
        command.args(LISTEN);
        assert_ne!(Service::of(command).address, address);
    }

    #[test]
    fn a_socket_that_does_not_listen_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        let connection = TcpStream::connect(address).expect("a connection");
        let mut command = handed(folder.path(), &listener, HAND_OVER);
        let output = command
            .stdin(Stdio::from(OwnedFd::from(connection)))
            .output();
        let output = output.expect("the program runs");
        assert_eq!(output.status.code(), Some(1));
        assert!(
            stderr(&output).contains("does not listen"),
            "{}",
            stderr(&output)
        );
    }
}

//! The life cycle of a service: options, signals, and systemd.

use std::net::TcpListener;
use std::os::fd::OwnedFd;
use std::os::unix::process::ExitStatusExt;

use super::*;

#[test]
fn options_come_from_the_environment_unless_given_on_the_command_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let grace = |variable: Option<&str>, arguments: &[&str]| {
        let mut command = program(folder.path());
        command.envs(variable.map(|value| ("PROCUREMENT_LOOKUP_GRACE", value)));
        command.args(["serve", "--listen", "127.0.0.1:0"]);
        let server = Server::spawn(command.args(arguments), folder.path());
        let (status, log) = server.terminate();
        assert_eq!(status, Some(0), "{log}");
        let (_, rest) = log.split_once("for at most ").expect("a grace period");
        rest.split(';').next().expect("a span").to_owned()
    };
    assert_eq!(grace(None, &[]), "10s");
    assert_eq!(grace(Some("2s"), &[]), "2s");
    assert_eq!(grace(Some("2s"), &["--grace", "1s"]), "1s");
}

#[test]
fn sighup_is_ignored_and_the_log_says_what_needs_a_restart() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path(), "");
    for time in 1..=2 {
        kill(&server.child, "HUP");
        let log = server.logged("SIGHUP is ignored", time);
        assert!(log.contains("options and environment variables are read only at a start"));
    }
    let answer = server.get(&format!("{RNP}&apikey=demo"));
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert_eq!(server.terminate().0, Some(0));
}

/// Connects a client that requests more than socket buffers can hold, and reads only the first byte
/// of the response.
fn stalled_client(address: &str) -> TcpStream {
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
fn a_server_ends_after_the_grace_period_and_logs_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path(), "--grace 300ms");
    let _client = stalled_client(&server.address);
    kill(&server.child, "TERM");
    let (status, log) = server.ended();
    assert_eq!(status.code(), Some(0));
    assert!(log.contains("not answered within 300ms"), "{log}");
}

#[test]
fn a_second_signal_ends_a_server_immediately() {
    let folder = tempfile::tempdir().expect("a folder");
    for (signal, number) in [("TERM", 15), ("INT", 2)] {
        let server = Server::start(folder.path(), "--grace 1h");
        let _client = stalled_client(&server.address);
        kill(&server.child, "TERM");
        server.logged("stopping: ", 1);
        kill(&server.child, signal);
        let (status, _) = server.ended();
        assert_eq!(status.signal(), Some(number), "{status}");
    }
}

#[cfg(target_os = "linux")]
mod systemd {
    use std::os::unix::net::{UnixDatagram, UnixListener, UnixStream};

    use super::*;

    /// Script that moves a listener from standard input to the descriptor that systemd uses, and
    /// then executes the program in the same process.
    const HAND_OVER: &str = r#"exec env LISTEN_FDS=1 LISTEN_PID=$$ "$@" 3<&0 0</dev/null"#;

    /// Script that passes the same listener twice: the server tells sockets apart by name.
    const HAND_OVER_TWICE: &str =
        r#"exec env LISTEN_FDS=2 LISTEN_PID=$$ "$@" 3<&0 4<&0 0</dev/null"#;

    /// Starts a service whose notifications go to a test socket instead of systemd.
    fn notifying(folder: &Path, environment: &[(&str, &str)]) -> (Server, UnixDatagram) {
        let path = folder.join("notify");
        let socket = UnixDatagram::bind(&path).expect("a socket");
        socket
            .set_read_timeout(Some(PATIENCE))
            .expect("a time limit");
        let mut command = program(folder);
        command
            .env("NOTIFY_SOCKET", path)
            .envs(environment.iter().copied())
            .args(["serve", "--listen", "127.0.0.1:0"]);
        (Server::spawn(&mut command, folder), socket)
    }

    fn next(socket: &UnixDatagram) -> String {
        let mut buffer = [0; 4096];
        let length = socket.recv(&mut buffer).expect("a message");
        String::from_utf8_lossy(&buffer[..length]).into_owned()
    }

    #[test]
    fn systemd_is_notified_of_readiness_and_stopping() {
        let folder = tempfile::tempdir().expect("a folder");
        let (server, socket) = notifying(folder.path(), &[]);
        let ready = format!("READY=1\nSTATUS=answering on http://{}\n", server.address);
        assert_eq!(next(&socket), ready);
        assert_eq!(server.terminate().0, Some(0));
        let stopping = next(&socket);
        assert!(stopping.starts_with("STOPPING=1\n"), "{stopping}");
        assert!(
            stopping.contains("EXTEND_TIMEOUT_USEC=12000000\n"),
            "{stopping}"
        );
    }

    #[test]
    fn the_watchdog_is_notified_repeatedly() {
        let folder = tempfile::tempdir().expect("a folder");
        let (_server, socket) = notifying(folder.path(), &[("WATCHDOG_USEC", "200000")]);
        assert!(next(&socket).starts_with("READY=1\n"));
        for _ in 0..3 {
            assert_eq!(next(&socket), "WATCHDOG=1\n");
        }
    }

    /// Returns a command that receives `socket` as if from systemd.
    fn handed(folder: &Path, socket: impl Into<OwnedFd>, script: &str) -> Command {
        let socket: OwnedFd = socket.into();
        let mut command = clean(Command::new("sh"), folder);
        command
            .args(["-c", script, "sh", PROGRAM, "serve"])
            .stdin(socket);
        command
    }

    fn listener() -> (TcpListener, String) {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address").to_string();
        (listener, address)
    }

    #[test]
    fn a_client_that_connects_during_a_restart_is_answered_afterwards() {
        let folder = tempfile::tempdir().expect("a folder");
        let (listener, address) = listener();
        let start = || {
            let listener = listener.try_clone().expect("a listener");
            Server::spawn(
                &mut handed(folder.path(), listener, HAND_OVER),
                folder.path(),
            )
        };
        let target = format!("{RNP}&apikey=demo");
        let first = start();
        assert_eq!(first.address, address);
        first.logged("inherited socket", 1);
        assert!(first.get(&target).starts_with("HTTP/1.1 200"));
        assert_eq!(first.terminate().0, Some(0));

        let mut waiting = TcpStream::connect(&address).expect("the socket still listens");
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
    fn a_unix_socket_from_the_service_manager_is_used_and_its_file_stays() {
        for engine in ["bounded", "tiny-http"] {
            let folder = tempfile::tempdir().expect("a folder");
            let path = folder.path().join("socket");
            let listener = UnixListener::bind(&path).expect("a socket");
            let mut command = handed(folder.path(), listener, HAND_OVER);
            let server = Server::spawn(command.args(["--engine", engine]), folder.path());
            assert_eq!(server.address, format!("unix:{}", path.display()));
            let mut stream = UnixStream::connect(&path).expect("a connection");
            stream.set_read_timeout(Some(PATIENCE)).expect("a limit");
            write!(stream, "GET {RNP}&apikey=demo HTTP/1.0\r\n\r\n").expect("written");
            let mut answer = String::new();
            stream.read_to_string(&mut answer).expect("an answer");
            assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
            assert_eq!(server.terminate().0, Some(0));
            assert!(path.exists(), "the file belongs to the service manager");
        }
    }

    #[test]
    fn sockets_from_the_service_manager_are_identified_by_name() {
        let folder = tempfile::tempdir().expect("a folder");
        let (listener, address) = listener();
        let named = |names| {
            let listener = listener.try_clone().expect("a listener");
            let mut command = handed(folder.path(), listener, HAND_OVER_TWICE);
            command.env("LISTEN_FDNAMES", names);
            command
        };
        let server = Server::spawn(&mut named("admin:http"), folder.path());
        assert_eq!(server.address, address);
        let output = named("a.socket:b.socket").output();
        let output = output.expect("the program runs");
        assert_eq!(output.status.code(), Some(1));
        assert!(stderr(&output).contains("FileDescriptorName="));
    }

    #[test]
    fn sockets_meant_for_another_process_are_ignored() {
        let folder = tempfile::tempdir().expect("a folder");
        let (listener, address) = listener();
        let script = HAND_OVER.replace("$$", "1");
        let mut command = handed(folder.path(), listener, &script);
        let server = Server::spawn(command.args(["--listen", "127.0.0.1:0"]), folder.path());
        assert_ne!(server.address, address);
    }

    #[test]
    fn a_socket_that_does_not_listen_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let (_listener, address) = listener();
        let connection = TcpStream::connect(address).expect("a connection");
        let output = handed(folder.path(), connection, HAND_OVER).output();
        let output = output.expect("the program runs");
        assert_eq!(output.status.code(), Some(1));
        let message = stderr(&output);
        assert!(message.contains("does not listen"), "{message}");
    }
}

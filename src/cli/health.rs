//! `health`: asks a running server whether it is ready, for containers without curl or the like.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::os::unix::net::UnixStream;
use std::process::ExitCode;
use std::time::Duration;

use super::Outcome;
use crate::http::Address;

/// Ask a running server whether it is ready to answer, at its /readyz.
///
/// For health checks in containers that contain no other program. Prints the reply of /readyz. The
/// exit status is 1 if the server is not ready or does not answer within 5 seconds.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The operators' address of the running server, as given in its --admin-listen
    #[arg(long, value_name = "ADDR:PORT", default_value = "127.0.0.1:8045", value_parser = Address::parse)]
    admin_listen: Address,
}

/// Timeout for connecting, and for each read of the response.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Maximum number of response bytes that are read. A real response has less than 1 KB.
const LONGEST_ANSWER: u64 = 16 << 10;

const REQUEST: &[u8] = b"GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

pub fn run(args: &Args) -> Outcome {
    let address = &args.admin_listen;
    let answer = ask(address).map_err(|error| match error.kind() {
        ErrorKind::ConnectionRefused | ErrorKind::NotFound => {
            format!("{address}: {error}; is `serve` running with --admin-listen {address}?")
        }
        _ => format!("{address}: {error}"),
    })?;
    let answer = String::from_utf8_lossy(&answer);
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or_default();
    if head.is_empty() {
        return Err(format!("{address}: the answer is not HTTP").into());
    }
    println!("{}", body.trim_end());
    match head.starts_with("HTTP/1.1 200 ") {
        true => Ok(ExitCode::SUCCESS),
        false => Ok(ExitCode::FAILURE),
    }
}

fn ask(address: &Address) -> io::Result<Vec<u8>> {
    match address {
        Address::Tcp(address) => {
            let stream = TcpStream::connect_timeout(&reachable(*address), TIMEOUT)?;
            stream.set_read_timeout(Some(TIMEOUT))?;
            exchange(stream)
        }
        Address::Unix(path) => {
            let stream = UnixStream::connect(path)?;
            stream.set_read_timeout(Some(TIMEOUT))?;
            exchange(stream)
        }
    }
}

fn exchange(mut stream: impl Read + Write) -> io::Result<Vec<u8>> {
    stream.write_all(REQUEST)?;
    let mut answer = Vec::new();
    stream.take(LONGEST_ANSWER).read_to_end(&mut answer)?;
    Ok(answer)
}

/// Returns the address at which to reach a server that listens on `address`. If the server listens
/// on all addresses of the machine, this is the loopback address.
fn reachable(address: SocketAddr) -> SocketAddr {
    let host = match address.ip() {
        IpAddr::V4(host) if host.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(host) if host.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        host => host,
    };
    SocketAddr::new(host, address.port())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_listens_on_all_addresses_is_reached_over_loopback() {
        for (listening, expected) in [
            ("0.0.0.0:8045", "127.0.0.1:8045"),
            ("[::]:8045", "[::1]:8045"),
            ("192.0.2.10:8045", "192.0.2.10:8045"),
        ] {
            let address = listening.parse().expect("an address");
            assert_eq!(reachable(address).to_string(), expected);
        }
    }
}

//! Accepted and rejected certificates, tested with a server that accepts any login over TLS.

use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

use eis_service::{Certificate, Tls as ServerTls};
use rustls::ServerConnection;

use super::super::super::error::Error;
use super::super::address::ServerAddress;
use super::super::client::Session;
use super::*;

/// The messages `AuthenticationOk` and `ReadyForQuery`.
const WELCOME: [u8; 15] = *b"R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I";

/// Starts a server for one connection, which either uses TLS or refuses it. Returns the port.
fn server(tls: Option<&ServerTls>) -> u16 {
    let config = tls.map(ServerTls::server_config);
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    thread::spawn(move || {
        let (mut socket, _) = listener.accept().expect("a connection");
        let mut request = [0; 8];
        socket.read_exact(&mut request).expect("a request for TLS");
        let Some(config) = config else {
            return socket.write_all(b"N");
        };
        socket.write_all(b"S")?;
        let mut tls = ServerConnection::new(config).expect("a configuration");
        answer(rustls::Stream::new(&mut tls, &mut socket))
    });
    port
}

fn answer(mut stream: rustls::Stream<'_, ServerConnection, TcpStream>) -> std::io::Result<()> {
    let _startup = stream.read(&mut [0; 1000])?;
    stream.write_all(&WELCOME)?;
    let _end = stream.read(&mut [0; 1000]);
    Ok(())
}

fn connect(host: &str, tls: &ServerTls, port: u16) -> Result<(), Error> {
    let folder = tempfile::tempdir().expect("a folder");
    let roots = folder.path().join("ca.pem");
    fs::write(&roots, tls.authority.pem()).expect("a file");
    let text = format!(
        "postgresql://reader@{host}:{port}/eis?sslmode=verify-full&sslrootcert={}",
        roots.display()
    );
    let address = ServerAddress::parse(&text, &|_| None).expect("an address");
    let connected = Session::connect(&address.hosts()[0], Duration::from_secs(5));
    connected.map(drop)
}

#[test]
fn certificates_are_verified_for_the_name_or_address_of_the_host() {
    let tls = ServerTls::default();
    for host in ["localhost", "127.0.0.1"] {
        connect(host, &tls, server(Some(&tls))).expect(host);
    }
}

#[test]
fn certificates_that_are_invalid_or_for_another_host_are_refused() {
    for certificate in [
        Certificate::OtherName,
        Certificate::UnknownAuthority,
        Certificate::Expired,
        Certificate::NotYetValid,
        Certificate::OfAuthority,
    ] {
        let tls = ServerTls::default().with(certificate);
        let error = connect("localhost", &tls, server(Some(&tls))).expect_err("refused");
        assert!(!error.is_unreachable(), "{certificate:?}: {error}");
        let refusal = ": its certificate is not accepted: ";
        assert!(error.to_string().contains(refusal), "{error}");
    }
}

#[test]
fn a_server_without_tls_is_refused_if_verification_is_required() {
    let tls = ServerTls::default();
    let error = connect("localhost", &tls, server(None)).expect_err("refused");
    assert!(!error.is_unreachable(), "{error}");
    let refusal = ": server does not support TLS";
    assert!(error.to_string().ends_with(refusal), "{error}");
}

#[test]
fn a_server_that_fails_to_speak_tls_is_refused() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    thread::spawn(move || {
        let (mut socket, _) = listener.accept().expect("a connection");
        let _request = socket.read(&mut [0; 8]);
        let _hello = socket
            .write_all(b"S")
            .and_then(|()| socket.read(&mut [0; 1000]));
        let _answer = socket.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n");
        let _end = socket.read(&mut [0; 1000]);
    });
    let error = connect("localhost", &ServerTls::default(), port).expect_err("refused");
    let is_refused = !error.is_unreachable() && error.to_string().contains(": TLS cannot");
    assert!(is_refused, "{error}");
}

#[test]
fn a_file_without_certificates_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("ca.pem");
    let text = path.display().to_string();
    let certificate = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
    for (bytes, words) in [
        ("", "no certificate in PEM"),
        ("a text", "no certificate in PEM"),
        (certificate, "ca.pem: "),
    ] {
        fs::write(&path, bytes).expect("a file");
        let error = tls_config(&text).expect_err(words);
        assert!(error.contains(words), "{error}");
    }
    assert!(tls_config("/nowhere/ca.pem").is_err_and(|error| error.contains("/nowhere/ca.pem: ")));
}

//! TLS with each certificate, and the proxy by names of hosts.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;

use eis_service::{Certificate, Config, Proxy, Service, Tls};
use rustls::crypto::ring;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

const WSDL: &str = "/eis-integration/services/getDocsIP?wsdl";

fn service(tls: Tls) -> Service {
    let config = Config {
        tls: Some(tls),
        ..Config::default()
    };
    Service::start(config).expect("a service")
}

/// What a client that trusts the authority gets by a name, over a connection.
fn get(socket: TcpStream, tls: &Tls, name: &str) -> Result<String, std::io::Error> {
    let mut roots = RootCertStore::empty();
    let pem = tls.authority.pem().as_bytes();
    let root = CertificateDer::from_pem_slice(pem).expect("a certificate");
    roots.add(root).expect("an authority");
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("versions that ring has")
        .with_root_certificates(roots)
        .with_no_client_auth();
    let server = name.to_owned().try_into().expect("a name");
    let client = ClientConnection::new(Arc::new(config), server).expect("a client");
    let mut stream = StreamOwned::new(client, socket);
    write!(
        stream,
        "GET {WSDL} HTTP/1.1\r\nHost: {name}\r\nConnection: close\r\n\r\n"
    )?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    Ok(answer)
}

fn connect(address: SocketAddr) -> TcpStream {
    TcpStream::connect(address).expect("a connection")
}

#[test]
fn a_good_certificate_verifies_for_its_names() {
    let tls = Tls::default().for_name("int.zakupki.gov.ru");
    let service = service(tls.clone());
    for name in ["127.0.0.1", "localhost", "int.zakupki.gov.ru"] {
        let answer = get(connect(service.address()), &tls, name).expect("verified");
        let address = format!("https://{name}/eis-integration/services/getDocsIP");
        assert!(answer.contains(&address), "{answer}");
    }
    assert!(get(connect(service.address()), &tls, "else.example").is_err());
}

#[test]
fn other_certificates_do_not_verify() {
    for (certificate, why) in [
        (Certificate::Expired, "expired"),
        (Certificate::NotYetValid, "not valid yet"),
        (Certificate::OtherName, "not valid for name"),
        (Certificate::UnknownAuthority, "UnknownIssuer"),
    ] {
        let tls = Tls::default().with(certificate);
        let service = service(tls.clone());
        let error = get(connect(service.address()), &tls, "localhost");
        let error = error.expect_err("no trust").to_string();
        assert!(error.contains(why), "{certificate:?}: {error}");
    }
}

#[test]
fn the_proxy_leads_every_host_to_the_service() {
    let tls = Tls::default().for_name("int.zakupki.gov.ru");
    let service = service(tls.clone());
    let proxy = Proxy::start(None, service.address()).expect("a proxy");
    let address = proxy.url().replace("http://", "");
    let mut socket = connect(address.parse().expect("an address"));
    write!(socket, "CONNECT int.zakupki.gov.ru:443 HTTP/1.1\r\n\r\n").expect("sent");
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        socket.read_exact(&mut byte).expect("a head");
        head.push(byte[0]);
    }
    assert!(head.starts_with(b"HTTP/1.1 200"));
    let answer = get(socket, &tls, "int.zakupki.gov.ru").expect("verified");
    assert!(answer.contains("targetNamespace"));
    assert_eq!(proxy.hosts(), ["int.zakupki.gov.ru:443"]);
}

#[test]
fn the_proxy_passes_plain_requests_on() {
    let service = Service::start(Config::default()).expect("a service");
    let proxy = Proxy::start(None, service.address()).expect("a proxy");
    let address = proxy.url().replace("http://", "");
    let mut socket = connect(address.parse().expect("an address"));
    write!(
        socket,
        "GET http://else.example{WSDL} HTTP/1.1\r\nHost: else.example\r\nConnection: close\r\n\r\n"
    )
    .expect("sent");
    let mut answer = String::new();
    socket.read_to_string(&mut answer).expect("an answer");
    assert!(answer.contains("targetNamespace"), "{answer}");
    assert_eq!(proxy.hosts(), ["else.example"]);
    assert_eq!(service.requests()[0].target, WSDL);
}

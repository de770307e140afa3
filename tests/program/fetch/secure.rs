//! Where requests and the token may be sent: certificates, links, redirects, proxy and tunnel.

use eis_service::{Certificate, Proxy, Tls};

use super::*;

fn over_tls(tls: Tls, link_base: Option<&str>) -> Fetching {
    Fetching::with(Config {
        tls: Some(tls),
        link_base: link_base.map(str::to_owned),
        ..Config::default()
    })
}

#[test]
fn an_invalid_certificate_ends_the_run_before_the_token_is_sent() {
    for (certificate, words) in [
        (Certificate::Expired, "expired"),
        (Certificate::NotYetValid, "not valid yet"),
        (Certificate::OtherName, "another host"),
        (Certificate::UnknownAuthority, "--ca-file"),
        (Certificate::OfAuthority, "the certificate of an authority"),
    ] {
        let fetching = over_tls(Tls::default().with(certificate), None);
        let ca = fetching.ca_file().expect("TLS");
        let mut command = fetching.day_command();
        let outcome = Outcome::of(command.args(["--ca-file", &ca])).fails("certificate");
        assert!(outcome.err.contains(words), "{words}: {}", outcome.err);
        assert_eq!(fetching.service.requests().len(), 0);
    }
    let fetching = over_tls(Tls::default(), None);
    fetching.run_day().fails("--ca-file");
    assert_eq!(fetching.service.requests().len(), 0);
}

#[test]
fn a_file_without_a_certificate_is_refused() {
    let fetching = Fetching::start();
    fs::write(fetching.folder.path().join("ca.pem"), "none").expect("a file");
    for file in ["ca.pem", "none.pem"] {
        let options = format!("{OF_DAY} --ca-file {file}");
        fetching.run(&options).fails(file);
    }
}

#[test]
fn links_and_redirects_to_other_hosts_are_not_followed() {
    let elsewhere = Service::start(Config::default()).expect("a service");
    let fetching = Fetching::with(Config {
        link_base: Some(elsewhere.url()),
        ..Config::default()
    });
    fetching.run_day().fails("leads elsewhere");
    assert_eq!(fetching.service.count("*#*"), 0);
    for pattern in ["*", "*#*"] {
        for (to, words) in [
            (Some(elsewhere.endpoint()), "where the token must not go"),
            (None, "more than 5 redirects"),
        ] {
            let fetching = Fetching::faulty(pattern, Fault::Redirect(to), Times::Always);
            fetching.run_day().fails(words);
        }
        let fetching = Fetching::faulty(pattern, Fault::Redirect(None), Times::First(1));
        fetching.run_day().succeeds();
    }
    assert_eq!(elsewhere.requests().len(), 0);
}

#[test]
fn the_given_proxy_is_used_for_all_hosts_of_the_domain() {
    const NAME: &str = "int.zakupki.gov.ru";
    const OTHER: &str = "other.zakupki.gov.ru";
    let tls = Tls::default().for_name(NAME).for_name(OTHER);
    let fetching = over_tls(tls, Some(&format!("https://{OTHER}")));
    // Only the proxy can connect to hosts with these names.
    let proxy = Proxy::start(fetching.service.address()).expect("a proxy");
    let ca = fetching.ca_file().expect("TLS");
    let endpoint = format!("https://{NAME}/eis-integration/services/getDocsIP");
    let mut command = fetching.bare_command("fetch");
    command
        .args(OF_DAY.split(' '))
        .args(["--ca-file", &ca, "--endpoint", &endpoint])
        .args(["--proxy", &proxy.url()])
        .env("HTTPS_PROXY", "http://127.0.0.1:1")
        .env("NO_PROXY", NAME);
    Outcome::of(&mut command).succeeds();
    assert_eq!(fetching.archives().len(), types());
    let mut hosts = proxy.hosts();
    hosts.sort();
    hosts.dedup();
    assert_eq!(hosts, [NAME, OTHER].map(|host| format!("{host}:443")));
}

#[test]
fn the_proxy_of_the_environment_is_not_used() {
    let fetching = Fetching::start();
    let mut command = fetching.day_command();
    let names = ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"];
    command.envs(names.map(|name| (name, "http://127.0.0.1:1")));
    Outcome::of(&mut command).succeeds();
}

#[test]
fn a_tunnel_replaces_all_hosts_and_needs_no_token() {
    let fetching = Fetching::with(Config {
        link_base: Some("https://int44-ttls-cert.zakupki.gov.ru".to_owned()),
        ..Config::default()
    });
    let endpoint = "https://int44-ttls-cert.zakupki.gov.ru/eis-integration/services/getDocsLE";
    let mut command = fetching.bare_command("fetch");
    command
        .args(OF_DAY.split(' '))
        .args(["--endpoint", endpoint, "--tunnel", &fetching.service.url()])
        .env_remove("PROCUREMENT_LOOKUP_TOKEN");
    Outcome::of(&mut command).succeeds();
    assert_eq!(fetching.archives().len(), types());
    let requests = fetching.service.requests();
    assert!(requests.iter().all(|request| request.token.is_none()));
    assert_eq!(requests[0].path(), "/eis-integration/services/getDocsLE");
}

#[test]
fn a_run_ends_with_an_error_if_nothing_answers() {
    let fetching = Fetching::start();
    for nobody in [
        "http://127.0.0.1:1/getDocsIP",
        "http://nobody.invalid/getDocsIP",
    ] {
        let mut command = fetching.bare_command("fetch");
        command.args(OF_DAY.split(' ')).args(["--endpoint", nobody]);
        let outcome = Outcome::of(&mut command).fails("for 3 cells in a row");
        assert_eq!(
            outcome.err.matches("no connection to").count(),
            4,
            "{outcome:?}"
        );
    }
}

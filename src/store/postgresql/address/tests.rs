//! Accepted and rejected addresses. Messages about rejected ones must not quote anything that could
//! be secret.

use std::fs;
use std::path::Path;

use super::*;

/// Looks up a variable in an environment with a user but without a home folder.
fn no_files(name: &str) -> Option<String> {
    (name == "USER").then(|| "reader".to_owned())
}

fn parse(text: &str) -> Result<ServerAddress, String> {
    ServerAddress::parse(text, &no_files)
}

fn parts(address: &ServerAddress) -> String {
    let first = &address.hosts()[0];
    let hosts: Vec<_> = address.hosts().iter().map(ToString::to_string).collect();
    let user = first.login.get_user().unwrap_or_default();
    let database = first.login.get_dbname().unwrap_or_default();
    format!("{user} {} {database}", hosts.join(","))
}

#[test]
fn an_address_names_hosts_ports_user_and_database() {
    let check = |text: &str, expected: &str| {
        let address = parse(text).expect(text);
        assert_eq!(parts(&address), expected, "{text}");
        assert_eq!(address.to_string(), text);
    };
    check("postgresql://localhost", "reader localhost:5432 reader");
    check("postgres://localhost/eis", "reader localhost:5432 eis");
    check(
        "postgresql://me@localhost:5433/eis",
        "me localhost:5433 eis",
    );
    check("postgresql://me@localhost", "me localhost:5432 me");
    check(
        "postgresql://127.0.0.1:1,localhost,[::1]:3/eis",
        "reader 127.0.0.1:1,localhost:5432,[::1]:3 eis",
    );
    check("postgresql://[::1]/eis", "reader [::1]:5432 eis");
    let socket = "reader /var/run/postgresql:5432 eis";
    check("postgresql://%2Fvar%2Frun%2Fpostgresql/eis", socket);
    check("postgresql:///eis?host=/var/run/postgresql", socket);
    check("postgresql://u@%2Ftmp:1/d", "u /tmp:1 d");
    check(
        "postgresql://a%40b@localhost/c%2Fd",
        "a@b localhost:5432 c/d",
    );
    let hosts = vec!["localhost"; MAX_HOSTS].join(",");
    assert!(parse(&format!("postgresql://{hosts}/d")).is_ok());
    assert!(parse(&format!("postgresql://{hosts},localhost/d")).is_err());
    let long = "d".repeat(MAX_ADDRESS);
    assert!(parse(&format!("postgresql://localhost/{long}")).is_err());
    let by_variable = |name: &str| (name == "PGUSER").then(|| "me".to_owned());
    let address = ServerAddress::parse("postgresql://localhost", &by_variable);
    assert_eq!(parts(&address.expect("an address")), "me localhost:5432 me");
}

#[test]
fn malformed_addresses_are_refused_with_a_message() {
    for (text, words) in [
        ("host=localhost", "an address is"),
        ("postgresql://", "names no host"),
        ("postgresql:///eis", "names no host"),
        ("postgresql://localhost,/eis", "an address is"),
        ("postgresql://localhost:0/eis", "1 to 65535"),
        ("postgresql://localhost:65536/eis", "1 to 65535"),
        ("postgresql://localhost:five/eis", "1 to 65535"),
        ("postgresql://::1/eis", "[IPv6 ADDRESS]"),
        ("postgresql://[::1/eis", "[IPv6 ADDRESS]"),
        ("postgresql://[::1]5/eis", "[IPv6 ADDRESS]"),
        ("postgresql://localhost/%FF", "an address is"),
        ("postgresql://localhost/d?sslrootcert=%FF", "an address is"),
        (
            "postgresql://localhost/d?connect_timeout=3",
            "parameter that is not known",
        ),
        ("postgresql://localhost/d?sslmode=require", "verify-full"),
        (
            "postgresql://localhost/d?sslmode=verify-full&sslrootcert=/nowhere/ca",
            "/nowhere/ca: ",
        ),
    ] {
        let error = parse(text).expect_err(text);
        assert!(error.contains(words), "{text}: {error}");
    }
    let nobody = ServerAddress::parse("postgresql://localhost/eis", &|_| None);
    assert!(nobody.is_err_and(|error| error.contains("PGUSER")));
}

#[test]
fn a_password_in_an_address_is_refused_and_not_shown() {
    for text in [
        "postgresql://me:hunter2@localhost/eis",
        "postgresql://me:hunter2@localhost",
        "postgresql://:hunter2@localhost/eis",
        "postgresql://me:hun@ter2@localhost/eis",
        "postgresql://localhost/eis?password=hunter2",
        "postgresql://localhost/eis?user=me&password=hunter2",
        // The slash should have been percent-encoded.
        "postgresql://me:hun/ter2@localhost/eis",
        "postgresql://me:9/hunter2@localhost/eis",
        "postgresql://me:hun?ter2@localhost/eis",
        "postgresql://me:hun?hunter2=a@localhost/eis",
        "postgresql://me:1?hunter_=2@localhost/eis",
        "postgresql://me:hun#ter2@localhost/eis",
        "postgresql://localhost/eis?hunter2",
        "postgresql://localhost/eis?sslmode=hunter2",
        "postgresql://localhost:hunter2/eis",
    ] {
        let error = parse(text).expect_err(text);
        assert!(
            !error.contains("hun") && !error.contains("ter2"),
            "{text}: {error}"
        );
    }
}

#[test]
fn tls_is_verified_except_on_this_machine() {
    // The system that runs this test may have no certificates.
    let modes = |mode: Option<&str>| {
        let hosts = [
            "db.example",
            "10.0.0.1",
            "localhost",
            "127.0.0.2",
            "::1",
            "/tmp",
        ];
        hosts.map(|host| is_verified(mode, host).expect("a mode"))
    };
    assert_eq!(modes(None), [true, true, false, false, false, false]);
    assert_eq!(
        modes(Some("verify-full")),
        [true, true, true, true, true, false]
    );
    assert_eq!(modes(Some("disable")), [false; 6]);
}

/// A home folder with files, and an environment that names them.
struct Home {
    folder: tempfile::TempDir,
    variables: Vec<(&'static str, String)>,
}

impl Home {
    fn with(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::write(&path, text).expect("a file");
            make_private(&path);
        }
        let home = folder.path().display().to_string();
        Self {
            folder,
            variables: vec![("HOME", home), ("USER", "reader".to_owned())],
        }
    }

    fn set(mut self, name: &'static str, value: &str) -> Self {
        let value = value.replace("HOME", &self.folder.path().display().to_string());
        self.variables.insert(0, (name, value));
        self
    }

    fn parse(&self, text: &str) -> Result<ServerAddress, String> {
        ServerAddress::parse(text, &|name| {
            let mut variables = self.variables.iter();
            let found = variables.find(|(variable, _)| *variable == name)?;
            Some(found.1.clone())
        })
    }

    fn passwords(&self, text: &str) -> Vec<Option<String>> {
        let address = self.parse(text).expect("an address");
        let hosts = address.hosts().iter();
        hosts
            .map(|endpoint| {
                let password = endpoint.login.get_password()?;
                Some(String::from_utf8_lossy(password).into_owned())
            })
            .collect()
    }
}

#[cfg(unix)]
fn make_private(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o600)).expect("permissions");
}

#[cfg(not(unix))]
fn make_private(_: &Path) {}

#[test]
fn a_password_comes_from_the_variable_then_a_passfile_and_is_never_shown() {
    let some = |password: &str| Some(password.to_owned());
    let files = [
        (
            ".pgpass",
            "localhost:5432:eis:reader:first\n*:*:*:*:other\n",
        ),
        ("pass", "*:*:*:*:named\n"),
    ];
    let home = || Home::with(&files);
    let two = "postgresql://localhost,127.0.0.1/eis";
    assert_eq!(home().passwords(two), [some("first"), some("other")]);
    let by_variable = || home().set("PGPASSFILE", "HOME/pass");
    assert_eq!(by_variable().passwords(two), [some("named"), some("named")]);
    let given = by_variable().set("PGPASSWORD", "given");
    assert_eq!(given.passwords(two), [some("given"), some("given")]);
    let empty = by_variable().set("PGPASSWORD", "");
    assert_eq!(empty.passwords(two), [some("named"), some("named")]);
    assert_eq!(Home::with(&[]).passwords(two), [None, None]);
    let missing = Home::with(&[]).set("PGPASSFILE", "HOME/missing").parse(two);
    assert!(missing.is_err_and(|error| error.contains("missing: ")));
    let address = given.parse(two).expect("an address");
    assert!(!format!("{address} {address:?}").contains("given"));
}

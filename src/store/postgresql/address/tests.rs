//! What addresses say, and what is refused of them, without a word of what may be secret.

use std::fs;

use super::*;

/// The environment of a test: a user without a home.
fn no_files(name: &str) -> Option<String> {
    (name == "USER").then(|| "reader".to_owned())
}

fn parse(text: &str) -> Result<ServerAddress, String> {
    ServerAddress::parse(text, &no_files)
}

#[test]
fn an_address_names_hosts_ports_user_and_database() {
    let check = |text: &str, expected: &str| {
        let shown = parse(text).map(|address| address.to_string());
        let expected = format!("postgresql://{expected}");
        assert_eq!(shown.as_deref(), Ok(expected.as_str()), "{text}");
    };
    check("postgresql://localhost", "reader@localhost:5432/reader");
    check("postgres://localhost/eis", "reader@localhost:5432/eis");
    check(
        "postgresql://me@localhost:5433/eis",
        "me@localhost:5433/eis",
    );
    check("postgresql://me@localhost", "me@localhost:5432/me");
    check(
        "postgresql://127.0.0.1:1,localhost,[::1]:3/eis",
        "reader@127.0.0.1:1,localhost:5432,[::1]:3/eis",
    );
    check("postgresql://[::1]/eis", "reader@[::1]:5432/eis");
    let socket = "reader@%2Fvar%2Frun%2Fpostgresql:5432/eis";
    check("postgresql://%2Fvar%2Frun%2Fpostgresql/eis", socket);
    check("postgresql:///eis?host=/var/run/postgresql", socket);
    check(
        "postgresql:///?host=%2Ftmp&port=1&user=u&dbname=d",
        "u@%2Ftmp:1/d",
    );
    check(
        "postgresql:///d?host=localhost,::1&port=1,2",
        "reader@localhost:1,[::1]:2/d",
    );
    check(
        "postgresql:///d?host=localhost,::1&port=7",
        "reader@localhost:7,[::1]:7/d",
    );
    check(
        "postgresql://a%40b@localhost/c%2Fd",
        "a%40b@localhost:5432/c%2Fd",
    );
    let hosts = vec!["localhost"; MAX_HOSTS].join(",");
    assert!(parse(&format!("postgresql://{hosts}/d")).is_ok());
    assert!(parse(&format!("postgresql://{hosts},localhost/d")).is_err());
    assert!(
        parse(&format!(
            "postgresql://localhost/{}",
            "d".repeat(MAX_ADDRESS)
        ))
        .is_err()
    );
}

#[test]
fn what_is_malformed_is_refused_with_a_sentence() {
    for (text, words) in [
        ("postgresql://", "names no host"),
        ("postgresql:///eis", "names no host"),
        ("postgresql://localhost,/eis", "empty host"),
        ("postgresql://localhost:0/eis", "1 to 65535"),
        ("postgresql://localhost:65536/eis", "1 to 65535"),
        ("postgresql://localhost:five/eis", "1 to 65535"),
        ("postgresql://::1/eis", "[IPv6 ADDRESS]"),
        ("postgresql://[::1/eis", "[IPv6 ADDRESS]"),
        ("postgresql://[::1]5/eis", "[IPv6 ADDRESS]"),
        ("postgresql://localhost/eis/more", "%2F"),
        ("postgresql://localhost/%FF", "UTF-8"),
        ("postgresql://localhost/a%00b", "UTF-8"),
        ("postgresql:///d?host=a,b,c&port=1,2", "as many ports"),
        ("postgresql://localhost/d?dbname=e", "dbname twice"),
        ("postgresql://localhost/d?user=a&user=b", "user twice"),
        (
            "postgresql://localhost/d?connect_timeout=3",
            "parameter that is not known",
        ),
        ("postgresql://localhost/d?sslmode=require", "verify-full"),
        (
            "postgresql://localhost/d?sslmode=on",
            "verify-full or disable",
        ),
        (
            "postgresql://localhost/d?sslmode=verify-full&sslrootcert=/nowhere/ca",
            "/nowhere/ca: ",
        ),
        (
            "postgresql://localhost/d?passfile=/nowhere/pass",
            "/nowhere/pass: ",
        ),
        ("postgresql://localhost/d?service=none", "no service file"),
    ] {
        let error = parse(text).expect_err(text);
        assert!(error.contains(words), "{text}: {error}");
    }
    let nobody = ServerAddress::parse("postgresql://localhost/eis", &|_| None);
    assert!(nobody.is_err_and(|error| error.contains("PGUSER")));
}

#[test]
fn a_password_in_an_address_is_refused_and_never_shown() {
    for text in [
        "postgresql://me:hunter2@localhost/eis",
        "postgresql://me:hunter2@localhost",
        "postgresql://:hunter2@localhost/eis",
        "postgresql://me:hun@ter2@localhost/eis",
        "postgresql://localhost/eis?password=hunter2",
        "postgresql://localhost/eis?user=me&password=hunter2",
        // Not percent-encoded as it would have to be.
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
fn tls_is_verified_but_on_this_machine() {
    // The certificates of a system may be missing where this is tested.
    let modes = |mode: Option<&str>| {
        let mode = TlsMode::parse(mode).expect("a mode");
        [
            "db.example",
            "10.0.0.1",
            "localhost",
            "127.0.0.2",
            "::1",
            "/tmp",
        ]
        .map(|host| mode.is_verified(host))
    };
    assert_eq!(modes(None), [true, true, false, false, false, false]);
    assert_eq!(
        modes(Some("verify-full")),
        [true, true, true, true, true, false]
    );
    assert_eq!(modes(Some("disable")), [false; 6]);
}

/// A folder with files, and an environment that leads to them.
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
        ServerAddress::parse(
            &text.replace("HOME", &self.folder.path().display().to_string()),
            &|name| {
                let mut variables = self.variables.iter();
                let found = variables.find(|(variable, _)| *variable == name)?;
                Some(found.1.clone())
            },
        )
    }

    /// The passwords for the hosts of an address.
    fn passwords(&self, text: &str) -> Vec<Option<String>> {
        let address = self.parse(text).expect("an address");
        let endpoints = address.endpoints().iter();
        endpoints
            .map(|endpoint| Some(endpoint.password.clone()?.0))
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
fn a_password_comes_from_the_variable_then_a_service_then_a_passfile() {
    let some = |password: &str| Some(password.to_owned());
    let files = [
        (
            ".pgpass",
            "localhost:5432:eis:reader:first\n*:*:*:*:other\n",
        ),
        ("pass", "*:*:*:*:named\n"),
        (
            ".pg_service.conf",
            "[eis]\nhost=localhost\ndbname=eis\npassword=of service\n",
        ),
    ];
    let home = || Home::with(&files);
    let two = "postgresql://localhost,127.0.0.1/eis";
    assert_eq!(home().passwords(two), [some("first"), some("other")]);
    let named = "postgresql://localhost/eis?passfile=HOME/pass";
    assert_eq!(home().passwords(named), [some("named")]);
    let by_variable = home().set("PGPASSFILE", "HOME/pass");
    assert_eq!(by_variable.passwords(two), [some("named"), some("named")]);
    let of_service = "postgresql://?service=eis";
    assert_eq!(home().passwords(of_service), [some("of service")]);
    let given = home().set("PGPASSWORD", "given");
    assert_eq!(given.passwords(of_service), [some("given")]);
    let empty = home().set("PGPASSWORD", "");
    assert_eq!(empty.passwords(named), [some("named")]);
    assert_eq!(Home::with(&[]).passwords(two), [None, None]);
    let missing = Home::with(&[]).set("PGPASSFILE", "HOME/missing").parse(two);
    assert!(missing.is_err_and(|error| error.contains("missing: ")));
}

#[test]
fn a_service_gives_what_the_address_does_not() {
    let service = "[eis]\nhost=localhost,127.0.0.1\nport=1,2\nuser=of_service\ndbname=eis\n";
    let home = Home::with(&[(".pg_service.conf", service)]).set("PGSERVICE", "eis");
    let check = |text: &str, expected: &str| {
        let shown = home.parse(text).expect("an address").to_string();
        assert_eq!(shown, format!("postgresql://{expected}"), "{text}");
    };
    check("postgresql://", "of_service@localhost:1,127.0.0.1:2/eis");
    check("postgresql://me@/mine", "me@localhost:1,127.0.0.1:2/mine");
    // The ports are those of the service's own hosts.
    check("postgresql://[::1]", "of_service@[::1]:5432/eis");
    let variables = Home::with(&[])
        .set("PGUSER", "me")
        .set("PGDATABASE", "mine");
    let shown = variables
        .parse("postgresql://localhost")
        .map(|address| address.to_string());
    assert_eq!(shown.as_deref(), Ok("postgresql://me@localhost:5432/mine"));
}

#[test]
fn what_is_shown_stands_for_the_same_and_has_no_password() {
    let files = [
        ("a pass&word", "*:*:*:*:hunter2\n"),
        (".pg_service.conf", "[of me]\npassword=hunter2\nuser=he\n"),
    ];
    let home = Home::with(&files);
    for parameters in [
        "",
        "?sslmode=disable",
        "?passfile=HOME/a%20pass%26word&sslmode=disable",
        "?service=of%20me",
    ] {
        let given = home.parse(&format!("postgresql://localhost/eis{parameters}"));
        let shown = given.as_ref().map(ToString::to_string).expect("an address");
        let folder = home.folder.path().display().to_string();
        assert!(
            shown.ends_with(&parameters.replace("HOME", &folder)) && !shown.contains("hunter2"),
            "{shown}"
        );
        assert_eq!(home.parse(&shown), given);
        assert!(!format!("{given:?}").contains("hunter2"));
    }
}

//! Runs the commands `keys`, `check` and `lookup` as processes, also with wrong arguments.

use procurement_lookup::store;

use super::*;

#[test]
fn keys_are_issued_listed_and_revoked_with_one_valid_key_per_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let key = succeed(folder, "keys issue бюро");
    assert_eq!(key.trim_end().len(), 43, "32 bytes in base64url: {key}");
    let file = fs::read(folder.join("keys.sqlite")).expect("the file");
    let needle = key.trim_end().as_bytes();
    assert!(
        !file.windows(needle.len()).any(|part| part == needle),
        "only a hash is stored"
    );
    for line in ["keys issue бюро", "keys revoke nobody"] {
        let output = run(folder, line);
        assert_eq!(output.status.code(), Some(1), "{line}");
        assert!(stdout(&output).is_empty() && stderr(&output).contains("keys.sqlite"));
    }
    succeed(folder, "keys revoke бюро");
    succeed(folder, "keys issue бюро");
    let list = succeed(folder, "keys list");
    let lines: Vec<Vec<&str>> = list
        .lines()
        .map(|line| line.split_whitespace().collect())
        .collect();
    let columns = "name issued ends revoked last used rate burst";
    assert_eq!(lines[0].join(" "), columns);
    assert_eq!(lines.len(), 3);
    assert!(
        lines[1][3].ends_with('Z') && lines[1][3].len() == 20,
        "{list}"
    );
    assert_eq!(lines[2][3], "-");
    let none = succeed(folder, "keys list --keys none.sqlite");
    let words: Vec<&str> = none.split_whitespace().collect();
    assert_eq!(words.join(" "), columns);
    assert!(!folder.join("none.sqlite").exists());
}

#[test]
fn the_old_and_the_new_key_are_valid_until_the_overlap_ends() {
    let folder = folder();
    let folder = folder.path();
    let keys = |line: &str| {
        let output = run(folder, &format!("keys {line} --database data.sqlite"));
        (stdout(&output).trim_end().to_owned(), stderr(&output))
    };
    let (old, _) = keys("issue office");
    let server = Server::start(folder, "--database data.sqlite");
    let (new, message) = keys("rotate office --overlap 1s");
    assert!(
        message.contains("The old one is valid until 2"),
        "{message}"
    );
    let (list, _) = keys("list");
    let ends: Vec<&str> = list
        .lines()
        .skip(1)
        .filter_map(|line| line.split_whitespace().nth(2))
        .collect();
    assert!(ends.len() == 2 && ends[0].ends_with('Z'), "{list}");
    assert_eq!(ends[1], "-", "{list}");
    // Request contracts, because RNP requests are rate-limited.
    let is_valid = |answer: &str| answer.contains("\"totalcount\":1,");
    let [old, new] = [old, new].map(|key| format!("{CONTRACTS}&apikey={key}"));
    server.until(&new, Duration::from_secs(1), is_valid);
    server.until(&old, Duration::from_secs(3), |answer| !is_valid(answer));
    assert!(is_valid(&server.get(&new)));
}

#[test]
fn an_unknown_environment_variable_causes_a_warning_only() {
    let folder = folder();
    for (name, is_warned_of) in [("DATABSE", true), ("KEYS", false)] {
        let mut command = program(folder.path());
        command.env(format!("PROCUREMENT_LOOKUP_{name}"), "none.sqlite");
        let output = command.args(["keys", "list"]).output();
        let output = output.expect("the program runs");
        let message = stderr(&output);
        assert!(output.status.success(), "{message}");
        let words = "unknown environment variable PROCUREMENT_LOOKUP_DATABSE; did you mean \
                     PROCUREMENT_LOOKUP_DATABASE?";
        assert_eq!(message.contains(words), is_warned_of, "{message}");
    }
}

#[test]
fn an_unusable_database_is_reported_with_advice_and_left_unchanged() {
    let folder = folder();
    let folder = folder.path();
    let whole = fs::read(folder.join("data.sqlite")).expect("the database");
    let altered = |at: usize, with: &[u8]| {
        let mut bytes = whole.clone();
        bytes[at..at + with.len()].copy_from_slice(with);
        bytes
    };
    succeed(folder, "keys issue office --keys keys.sqlite");
    let keys = fs::read(folder.join("keys.sqlite")).expect("the keys");
    let text = b"not a database, but long enough to be examined as one".repeat(20);
    for (bytes, words) in [
        (whole[..whole.len() / 2].to_vec(), "the file is damaged ("),
        (text, "not a SQLite file"),
        (
            keys,
            "this is a procurement-lookup keys file, not a procurement-lookup database file",
        ),
        (altered(68, &[1]), "not a procurement-lookup database file"),
        (
            altered(63, &[0]),
            "its format is 0, which no release writes; ",
        ),
        (
            altered(60, &[0x80, 0, 0, 1]),
            "its format is -2147483647, which no release writes; ",
        ),
        (
            altered(68, b"pRLD"),
            "import the documents again into another file",
        ),
    ] {
        fs::write(folder.join("bad"), &bytes).expect("a file");
        for command in [
            "serve --listen 127.0.0.1:0",
            "lookup contracts 9602003012",
            "check",
            "import lines.jsonl",
        ] {
            let output = run(folder, &format!("{command} --database bad"));
            assert_eq!(output.status.code(), Some(1), "{command}");
            let error = stderr(&output);
            assert!(error.starts_with("error: bad: "), "{error}");
            assert!(
                error.contains(words) && error.lines().count() == 1,
                "{error}"
            );
            assert!(stdout(&output).is_empty());
        }
        assert!(fs::read(folder.join("bad")).expect("the file") == bytes);
        assert!(!folder.join("bad-building").exists());
    }
}

/// Runs SQL on a database file, with the `row_sum` function registered.
fn alter(file: &Path, sql: &str) {
    let file = Connection::open(file).expect("SQLite");
    store::register_row_sum(&file).expect("the function");
    file.execute_batch(sql).expect("altered");
}

#[test]
fn a_file_of_a_later_release_is_refused_naming_the_release_to_use() {
    let folder = folder();
    let folder = folder.path();
    succeed(folder, "keys issue office --keys keys.sqlite");
    let release = "UPDATE release SET version = '9.1.0', sum = row_sum('9.1.0')";
    for (name, commands) in [
        (
            "data.sqlite",
            &[
                "serve --listen 127.0.0.1:0 --database data.sqlite",
                "lookup contracts 9602003012 --database data.sqlite",
                "check --database data.sqlite",
                "export --database data.sqlite",
                "import lines.jsonl --database data.sqlite",
            ][..],
        ),
        (
            "keys.sqlite",
            &[
                "keys list --keys keys.sqlite",
                "keys issue x --keys keys.sqlite",
            ][..],
        ),
    ] {
        let file = folder.join(name);
        for (sql, words) in [
            (
                release,
                "release 9.1.0 wrote it, in format 99, and this is release",
            ),
            (
                "UPDATE release SET version = 'a\u{1b}[2J', sum = row_sum('a\u{1b}[2J')",
                "a later release wrote it, in format 99, and this is release",
            ),
        ] {
            alter(&file, &format!("PRAGMA user_version = 99; {sql}"));
            let before = fs::read(&file).expect("the file");
            for command in commands {
                let output = run(folder, command);
                let error = stderr(&output);
                assert_eq!(output.status.code(), Some(1), "{command}: {error}");
                assert!(
                    error.contains(words) && error.lines().count() == 1,
                    "{command}: {error}"
                );
            }
            assert!(fs::read(&file).expect("the file") == before);
        }
    }
}

#[test]
fn an_import_never_derives_by_older_rules_than_the_file_has() {
    let folder = folder();
    let folder = folder.path();
    let file = folder.join("data.sqlite");
    alter(
        &file,
        "UPDATE release SET version = '9.1.0', sum = row_sum('9.1.0'); \
         UPDATE derivation SET rules = 1000, sum = row_sum(1000)",
    );
    let before = fs::read(&file).expect("the file");
    let output = run(folder, "import lines.jsonl --database data.sqlite");
    let error = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{error}");
    let words = "release 9.1.0 derived its records by rules 1000, and this is release";
    assert!(error.contains(words), "{error}");
    assert!(fs::read(&file).expect("the file") == before);
    assert!(!folder.join("data.sqlite-building").exists());
    let message = succeed(folder, "check --database data.sqlite");
    assert!(
        message.contains("it cannot import into this database"),
        "{message}"
    );
    // Responses do not depend on which release derived the records.
    succeed(folder, "lookup contracts 9602003012 --database data.sqlite");
}

#[test]
fn check_finds_damage_that_sqlite_does_not() {
    let folder = folder();
    let folder = folder.path();
    let contents = succeed(folder, "check --database data.sqlite");
    assert!(
        contents.ends_with("ok\n") && contents.contains("contracts                1\n"),
        "{contents}"
    );
    let other = Connection::open(folder.join("data.sqlite")).expect("SQLite");
    other
        .execute_batch("UPDATE contract_facet SET reg_num = reg_num + 1")
        .expect("damage");
    drop(other);
    let output = run(folder, "check --database data.sqlite");
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("facets that do not match the record of the contract"));
}

#[test]
fn lookup_prints_exactly_the_body_of_the_response() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let server = Server::start(folder, "");
    for (line, target, status) in [
        (
            "contracts 9602000445 --skip 7 --limit 3",
            "/contract/monitor-supplier44?supplierINN=9602000445&skip=7&limit=3",
            0,
        ),
        (
            "purchase 0396300010124000017 --format JSON",
            "/purchase/demo44?purchaseNumber=0396300010124000017&format=json",
            0,
        ),
        (
            "purchase 32515902214",
            "/purchase/demo223?purchaseNumber=32515902214",
            0,
        ),
        (
            "purchase 029620004102400014",
            "/purchase/demo223?purchaseNumber=029620004102400014",
            0,
        ),
        (
            "supplier 9602006662 --as-of 2028-10-16",
            "/rnp/check-supplier?supplierINN=9602006662&asOf=2028-10-16",
            0,
        ),
        (
            "contract-by-number 2983157756225000018 --format csv",
            "/contract/by-number?regNum=2983157756225000018&format=csv",
            0,
        ),
        ("contract-by-number 1", "/contract/by-number?regNum=1", 1),
        ("purchase 42", "/purchase/demo44?purchaseNumber=42", 1),
        // This number has as many digits as a purchase number under 223-FZ.
        (
            "won 32515902214",
            "/purchase/won-by-supplier?supplierINN=32515902214",
            1,
        ),
        (
            "contracts 9602000445 --limit 500",
            "/contract/monitor-supplier44?supplierINN=9602000445&limit=500",
            1,
        ),
        (
            "supplier 0000000000 --format json",
            "/rnp/check-supplier?supplierINN=0000000000&format=json",
            1,
        ),
    ] {
        let output = run(folder, &format!("lookup {line}"));
        assert_eq!(output.status.code(), Some(status), "{line}");
        let answer = server.get(&format!("{target}&apikey=demo"));
        let (_, body) = answer.split_once("\r\n\r\n").expect("a head");
        assert_eq!(stdout(&output), body, "{line}");
    }
    let commands = succeed(folder, "lookup --help");
    let commands: Vec<_> = commands.split_whitespace().collect();
    let commands = commands.join(" ");
    assert!(commands.contains(" purchase The card of a purchase; "));
    assert!(commands.contains(" won Purchases under 223-FZ and PP-615 that"));
}

#[test]
fn wrong_use_exits_with_status_2_and_a_message() {
    let folder = tempfile::tempdir().expect("a folder");
    let no_name = program(folder.path()).args(["keys", "issue", ""]).output();
    let mut outputs = vec![("a key without a name", no_name.expect("the program runs"))];
    for line in [
        "",
        "fly",
        "serve --listen nowhere",
        "serve --workers 0",
        "serve --engine hyper",
        "serve --log-format xml",
        "import",
        "keys",
        "keys issue",
        "lookup",
        "lookup contracts",
        "lookup contracts 9602000445 --limit many",
        "lookup contracts 9602000445 --skip -1",
        "lookup supplier 9602000445 --as-of 2025-02-30",
        "lookup supplier 9602000445 --format pdf",
        "check",
    ] {
        outputs.push((line, run(folder.path(), line)));
    }
    for (line, output) in outputs {
        assert_eq!(output.status.code(), Some(2), "{line}");
        assert!(
            stdout(&output).is_empty() && !stderr(&output).is_empty(),
            "{line}"
        );
    }
    assert_eq!(
        fs::read_dir(folder.path()).expect("a folder").count(),
        0,
        "no file is created"
    );
}

#[test]
fn a_flag_is_set_by_its_variable_unless_the_value_is_negative() {
    let folder = folder();
    for (value, is_set) in [
        ("1", true),
        ("true", true),
        ("yes", true),
        ("0", false),
        ("false", false),
        ("no", false),
        ("", false),
    ] {
        let mut command = program(folder.path());
        let output = command
            .env("PROCUREMENT_LOOKUP_HISTORY", value)
            .args("lookup suppliers 9602006662 --as-of 2028-10-17".split(' '))
            .output();
        let printed = stdout(&output.expect("the program runs"));
        let has_history = printed.contains("<previousEntries>");
        assert_eq!(has_history, is_set, "{value}: {printed}");
    }
}

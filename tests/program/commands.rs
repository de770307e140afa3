//! The other commands, from outside.

use super::*;

#[test]
fn keys_are_issued_listed_and_revoked_one_a_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let key = succeed(folder, &["keys", "issue", "бюро"]);
    assert_eq!(key.trim_end().len(), 43, "32 bytes in base64url: {key}");
    let file = fs::read(folder.join("keys.sqlite")).expect("the file");
    let needle = key.trim_end().as_bytes();
    assert!(
        !file.windows(needle.len()).any(|part| part == needle),
        "only a hash is kept"
    );
    for arguments in [["keys", "issue", "бюро"], ["keys", "revoke", "nobody"]] {
        let output = run(folder, &arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        assert!(stdout(&output).is_empty() && stderr(&output).contains("keys.sqlite"));
    }
    succeed(folder, &["keys", "revoke", "бюро"]);
    succeed(folder, &["keys", "issue", "бюро"]);
    let list = succeed(folder, &["keys", "list"]);
    let lines: Vec<Vec<&str>> = list
        .lines()
        .map(|line| line.split_whitespace().collect())
        .collect();
    let columns = [
        "name", "issued", "ends", "revoked", "last", "used", "rate", "burst",
    ];
    assert_eq!(lines[0], columns);
    assert_eq!(lines.len(), 3);
    assert!(
        lines[1][3].ends_with('Z') && lines[1][3].len() == 20,
        "{list}"
    );
    assert_eq!(lines[2][3], "-");
    let none = succeed(folder, &["keys", "list", "--keys", "none.sqlite"]);
    let words: Vec<&str> = none.split_whitespace().collect();
    assert_eq!(words, columns);
    assert!(!folder.join("none.sqlite").exists());
}

#[test]
fn a_rotated_key_and_the_one_before_are_valid_until_the_overlap_ends() {
    let folder = folder();
    let folder = folder.path();
    let keys = |arguments: &[&str]| {
        let database = ["--database", "data.sqlite"];
        let output = run(folder, &[&["keys"], arguments, &database].concat());
        (stdout(&output).trim_end().to_owned(), stderr(&output))
    };
    let (old, _) = keys(&["issue", "office"]);
    let server = Server::start(folder, &["--database", "data.sqlite"]);
    let (new, said) = keys(&["rotate", "office", "--overlap", "2s"]);
    assert!(said.contains("The old one is valid until 2"), "{said}");
    let (list, _) = keys(&["list"]);
    let ends: Vec<&str> = list
        .lines()
        .skip(1)
        .filter_map(|line| line.split_whitespace().nth(2))
        .collect();
    assert!(ends.len() == 2 && ends[0].ends_with('Z'), "{list}");
    assert_eq!(ends[1], "-", "{list}");
    // Contracts, as a rate limit is on the RNP.
    let is_valid = |answer: &str| answer.contains("\"totalcount\":1,");
    let [old, new] = [old, new].map(|key| format!("{CONTRACTS}&apikey={key}"));
    server.until(&new, Duration::from_secs(1), is_valid);
    server.until(&old, Duration::from_secs(3), |answer| !is_valid(answer));
    assert!(is_valid(&server.get(&new)));
}

#[test]
fn a_server_does_not_start_with_a_damaged_file_of_keys() {
    let folder = folder();
    let folder = folder.path();
    let database = ["--database", "data.sqlite"];
    succeed(
        folder,
        &[&["keys", "issue", "office"][..], &database].concat(),
    );
    let whole = fs::read(folder.join("keys.sqlite")).expect("the keys");
    fs::write(folder.join("keys.sqlite"), &whole[..whole.len() / 2]).expect("half of them");
    let serve = ["serve", "--listen", "127.0.0.1:0"];
    let output = run(folder, &[&serve[..], &database].concat());
    assert_eq!(output.status.code(), Some(1));
    let said = stderr(&output);
    assert!(
        said.contains("keys.sqlite: the file is damaged ("),
        "{said}"
    );
}

#[test]
fn a_variable_that_means_nothing_is_warned_of_and_the_command_goes_on() {
    let folder = folder();
    for (arguments, known) in [
        (&["check", "--database", "data.sqlite"][..], false),
        (&["keys", "list"], false),
        (&["check", "--database", "data.sqlite"], true),
    ] {
        let mut command = program(folder.path());
        let name = if known { "KEYS" } else { "DATABSE" };
        command.env(format!("PROCUREMENT_LOOKUP_{name}"), "none.sqlite");
        let output = command.args(arguments).output().expect("the program runs");
        let said = stderr(&output);
        assert!(output.status.success(), "{said}");
        let words = "PROCUREMENT_LOOKUP_DATABSE means nothing; did you mean \
                     PROCUREMENT_LOOKUP_DATABASE?";
        assert_eq!(said.contains(words), !known, "{said}");
    }
}

/// Every command that reads a database says what is wrong with it, in one sentence
/// that names the file.
#[track_caller]
fn check_unusable(folder: &Path, file: &str, words: &str) {
    for arguments in [
        vec!["serve", "--listen", "127.0.0.1:0"],
        vec!["lookup", "contracts", "9602003012"],
        vec!["check"],
    ] {
        let output = run(
            folder,
            &[arguments.as_slice(), &["--database", file]].concat(),
        );
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        let error = stderr(&output);
        assert!(error.starts_with(&format!("error: {file}: ")), "{error}");
        assert!(
            error.contains(words) && error.lines().count() == 1,
            "{error}"
        );
        assert!(stdout(&output).is_empty());
    }
}

#[test]
fn a_database_that_cannot_be_used_is_named_with_the_remedy() {
    let folder = folder();
    let folder = folder.path();
    check_unusable(folder, "missing.sqlite", "there is no such file");

    let whole = fs::read(folder.join("data.sqlite")).expect("the database");
    fs::write(folder.join("cut.sqlite"), &whole[..whole.len() / 2]).expect("a file");
    check_unusable(folder, "cut.sqlite", "the file is damaged (");

    fs::write(
        folder.join("text.sqlite"),
        "no database, but long enough to be looked at as one".repeat(20),
    )
    .expect("a file");
    check_unusable(folder, "text.sqlite", "not a SQLite file");

    fs::write(folder.join("empty.sqlite"), "").expect("a file");
    check_unusable(
        folder,
        "empty.sqlite",
        "not a procurement-lookup database file",
    );

    succeed(
        folder,
        &["keys", "issue", "office", "--keys", "keys.sqlite"],
    );
    let words = "this is a procurement-lookup keys file, not a procurement-lookup database file";
    check_unusable(folder, "keys.sqlite", words);
    let output = run(
        folder,
        &["import", "--database", "keys.sqlite", "lines.jsonl"],
    );
    assert_eq!(output.status.code(), Some(1));

    fs::copy(folder.join("data.sqlite"), folder.join("newer.sqlite")).expect("a copy");
    let newer = Connection::open(folder.join("newer.sqlite")).expect("SQLite");
    newer
        .pragma_update(None, "user_version", 99)
        .expect("a version");
    drop(newer);
    check_unusable(folder, "newer.sqlite", "its format is 99");
}

#[test]
fn a_second_import_is_told_so_and_the_file_is_left_alone() {
    let folder = folder();
    let folder = folder.path();
    let mut other = program(folder)
        .args(["import", "--database", "data.sqlite", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .expect("the program starts");
    let start = Instant::now();
    while fs::metadata(folder.join("data.sqlite-building")).map_or(0, |file| file.len()) == 0 {
        assert!(start.elapsed() < PATIENCE, "the import does not begin");
        std::thread::yield_now();
    }
    let output = run(
        folder,
        &["import", "--database", "data.sqlite", "lines.jsonl"],
    );
    assert_eq!(output.status.code(), Some(1));
    let error = stderr(&output);
    assert!(
        error.contains("data.sqlite: another process is changing it"),
        "{error}"
    );
    // Readers go on meanwhile.
    succeed(
        folder,
        &[
            "lookup",
            "contracts",
            "9602003012",
            "--database",
            "data.sqlite",
        ],
    );
    // It goes on, and loses nothing.
    let mut input = other.stdin.take().expect("its input");
    writeln!(input, "{}", contract("2", "9602003012")).expect("written");
    drop(input);
    assert!(other.wait().expect("its end").success());
    assert_eq!(total(folder, "9602003012"), 2);
}

#[test]
fn check_finds_what_sqlite_itself_would_not() {
    let folder = folder();
    let folder = folder.path();
    let contents = succeed(folder, &["check", "--database", "data.sqlite"]);
    assert!(
        contents.ends_with("ok\n") && contents.contains("contracts                1\n"),
        "{contents}"
    );
    let other = Connection::open(folder.join("data.sqlite")).expect("SQLite");
    other
        .execute_batch("DELETE FROM contract_key")
        .expect("damage");
    drop(other);
    let output = run(folder, &["check", "--database", "data.sqlite"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("the contracts of supplier 9602003012 are not in order"));
}

#[test]
fn lookup_prints_the_body_of_the_endpoint_and_nothing_more() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let server = Server::start(folder, &[]);
    for (arguments, target, status) in [
        (
            vec!["contracts", "9602000445", "--skip", "7", "--limit", "3"],
            "/contract/monitor-supplier44?supplierINN=9602000445&skip=7&limit=3",
            0,
        ),
        (
            vec!["purchase", "0396300010124000017", "--format", "JSON"],
            "/purchase/demo44?purchaseNumber=0396300010124000017&format=json",
            0,
        ),
        (
            vec!["purchase", "32515902214"],
            "/purchase/demo223?purchaseNumber=32515902214",
            0,
        ),
        (
            vec!["purchase", "029620004102400014"],
            "/purchase/demo223?purchaseNumber=029620004102400014",
            0,
        ),
        (
            vec!["supplier", "9602006662"],
            "/rnp/check-supplier?supplierINN=9602006662",
            0,
        ),
        (
            vec!["purchase", "42"],
            "/purchase/demo44?purchaseNumber=42",
            1,
        ),
        (
            vec!["contracts", "9602000445", "--limit", "500"],
            "/contract/monitor-supplier44?supplierINN=9602000445&limit=500",
            1,
        ),
        (
            vec!["supplier", "0000000000", "--format", "json"],
            "/rnp/check-supplier?supplierINN=0000000000&format=json",
            1,
        ),
    ] {
        let output = run(folder, &[&["lookup"], arguments.as_slice()].concat());
        assert_eq!(output.status.code(), Some(status), "{arguments:?}");
        let answer = server.get(&format!("{target}&apikey=demo"));
        let (_, body) = answer.split_once("\r\n\r\n").expect("a head");
        assert_eq!(stdout(&output), body, "{arguments:?}");
    }
}

#[test]
fn lookup_answers_as_of_a_day() {
    let folder = tempfile::tempdir().expect("a folder");
    let as_of = |day| {
        let arguments = [
            "lookup",
            "supplier",
            "9602006662",
            "--format",
            "json",
            "--as-of",
            day,
        ];
        succeed(folder.path(), &arguments)
    };
    assert!(as_of("2028-10-16").contains(r#""inRNP":true"#));
    assert!(as_of("2028-10-17").contains(r#""inRNP":false"#));
}

#[test]
fn wrong_use_is_status_2_and_a_sentence() {
    let folder = tempfile::tempdir().expect("a folder");
    for arguments in [
        vec![],
        vec!["fly"],
        vec!["serve", "--listen", "nowhere"],
        vec!["serve", "--workers", "0"],
        vec!["serve", "--engine", "hyper"],
        vec!["serve", "--log-format", "xml"],
        vec!["import"],
        vec!["keys"],
        vec!["keys", "issue"],
        vec!["keys", "issue", ""],
        vec!["lookup"],
        vec!["lookup", "contracts"],
        vec!["lookup", "contracts", "9602000445", "--limit", "many"],
        vec!["lookup", "contracts", "9602000445", "--skip", "-1"],
        vec!["lookup", "supplier", "9602000445", "--as-of", "2025-02-30"],
        vec!["lookup", "supplier", "9602000445", "--format", "pdf"],
        vec!["check"],
    ] {
        let output = run(folder.path(), &arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(
            stdout(&output).is_empty() && !stderr(&output).is_empty(),
            "{arguments:?}"
        );
    }
    assert_eq!(
        fs::read_dir(folder.path()).expect("a folder").count(),
        0,
        "no file is made"
    );
}

/// What a command prints where options come as environment variables, by their names.
#[track_caller]
fn with_variables(folder: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> String {
    let mut command = program(folder);
    for (option, value) in variables {
        command.env(format!("PROCUREMENT_LOOKUP_{option}"), value);
    }
    let output = command.args(arguments).output().expect("the program runs");
    assert!(output.status.success(), "{}", stderr(&output));
    stdout(&output)
}

#[test]
fn options_of_every_command_come_from_the_environment_too() {
    let folder = folder();
    let folder = folder.path();
    let database = ("DATABASE", "data.sqlite");
    for (arguments, variables, expected) in [
        (
            &["lookup", "contracts", "9602003012"][..],
            &[database, ("FORMAT", "json"), ("LIMIT", "7")][..],
            r#""totalcount":1,"skip":0,"limit":7"#,
        ),
        (
            &["lookup", "contracts", "9602003012", "--format", "xml"],
            &[database, ("FORMAT", "json")],
            "<totalcount>1<",
        ),
        (&["import", "lines.jsonl"], &[database], "contract "),
        (&["check"], &[database], "ok\n"),
        (
            &["export"],
            &[database, ("FORMAT", "csv"), ("WHAT", "suppliers")],
            "9602003012,",
        ),
        (&["keys", "issue", "office"], &[database], "\n"),
        (&["keys", "list"], &[("KEYS", "keys.sqlite")], "office"),
    ] {
        let printed = with_variables(folder, arguments, variables);
        assert!(printed.contains(expected), "{arguments:?}: {printed}");
    }
}

#[test]
fn a_flag_is_set_by_its_variable_unless_that_says_no() {
    let folder = folder();
    let import = ["import", "lines.jsonl", "--database", "data.sqlite"];
    let many = ["lookup", "suppliers", "9602006662", "--as-of", "2028-10-17"];
    for value in ["1", "true", "yes"] {
        let printed = with_variables(folder.path(), &import, &[("DRY_RUN", value)]);
        assert!(!printed.contains("unchanged"), "{value}: {printed}");
        let printed = with_variables(folder.path(), &many, &[("HISTORY", value)]);
        assert!(printed.contains("<previousEntries>"), "{value}: {printed}");
    }
    for value in ["0", "false", "no", ""] {
        let printed = with_variables(folder.path(), &import, &[("DRY_RUN", value)]);
        assert!(printed.contains("unchanged"), "{value}: {printed}");
        let printed = with_variables(folder.path(), &many, &[("HISTORY", value)]);
        assert!(!printed.contains("<previousEntries>"), "{value}: {printed}");
    }
}

/// How many contracts of a supplier the database has.
#[track_caller]
fn total(folder: &Path, inn: &str) -> u64 {
    let page = succeed(
        folder,
        &["lookup", "contracts", inn, "--database", "data.sqlite"],
    );
    let (_, rest) = page.split_once("<totalcount>").expect("a page");
    let digits = rest.split('<').next().expect("a number");
    digits.parse().expect("a number")
}

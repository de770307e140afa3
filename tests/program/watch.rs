//! `watch` reports what imports have changed for the suppliers in a list since the previous night.

use serde_json::Value;

use super::*;

const SAD: &str = "9602003012";
const LES: &str = "9602006662";
const POLE: &str = "9602007779";

/// Creates a folder with data and a list of three suppliers.
fn begin() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let supplier = |inn: &str| {
        format!(r#"{{"type":"supplier","supplier":{{"inn":"{inn}","name":"ООО «Лес»"}}}}"#)
    };
    let lines = [contract("1", SAD), supplier(LES), supplier(POLE)];
    import(folder.path(), &lines.join("\n"));
    fs::write(
        folder.path().join("list"),
        format!("{SAD}\n{LES}\n{POLE}\n"),
    )
    .expect("a list");
    folder
}

const ENTRY: &str = r#"{"type":"rnpEntry","supplier":{"inn":"9602006662","name":"ООО «Лес»"},"entry":{"registrationNumber":"РНП.1","registrationDate":"2020-01-01","federalLaw":"44"}}"#;

const RENAMED: &str = r#"{"type":"supplier","supplier":{"inn":"9602007779","name":"ООО «Поле»"}}"#;

fn watch_list(folder: &Path, list: &str, since: &str, format: &str) -> Output {
    let watch = format!("watch --database data.sqlite --list {list} --since {since} {format}");
    run(folder, &watch)
}

/// Returns the exit status and the changes that are reported as JSON Lines, in the form `row INN
/// what revision contracts verdict`.
fn watch(folder: &Path, list: &str, since: &str) -> (Vec<String>, Option<i32>) {
    let output = watch_list(folder, list, since, "--format jsonl");
    let report = stdout(&output);
    let lines = report.lines().map(|line| {
        let change: Value = serde_json::from_str(line).expect("JSON");
        let text = |name: &str| change[name].as_str().expect("a text").to_owned();
        assert!(
            text("changedAt").ends_with('Z') && text("asOf").len() == 10,
            "{line}"
        );
        format!(
            "{} {} {} {} {} {}",
            change["row"],
            text("supplierINN"),
            text("what"),
            change["revision"],
            change["contracts"],
            text("verdict")
        )
    });
    (lines.collect(), output.status.code())
}

#[test]
fn each_change_is_reported_once_even_if_a_night_is_skipped() {
    let folder = begin();
    let folder = folder.path();
    let tonight = || watch(folder, "list", "@last");
    let nothing = (Vec::new(), Some(0));
    assert_eq!(tonight(), nothing, "the first run stores the cursor");
    fs::copy(folder.join("last"), folder.join("first")).expect("a copy");
    import(folder, &contract("2", SAD));
    let expected = format!("1 {SAD} contracts 2 2 undetermined");
    assert_eq!(tonight(), (vec![expected.clone()], Some(3)));
    assert_eq!(tonight(), nothing);
    fs::copy(folder.join("last"), folder.join("second")).expect("a copy");
    // Two imports take place between reports.
    import(folder, ENTRY);
    import(folder, RENAMED);
    let later = vec![
        format!("2 {LES} rnp 3 0 listed"),
        format!("3 {POLE} name 4 0 undetermined"),
    ];
    assert_eq!(tonight(), (later.clone(), Some(3)));
    assert_eq!(tonight(), nothing);
    assert_eq!(watch(folder, "list", "@second"), (later, Some(3)));
    let (all, status) = watch(folder, "list", "@first");
    assert_eq!((all.len(), status), (3, Some(3)));
    for file in ["first", "second"] {
        assert_eq!(watch(folder, "list", &format!("@{file}")), nothing);
    }
}

#[test]
fn a_cursor_of_later_data_is_refused_and_kept() {
    let folder = begin();
    let folder = folder.path();
    let last = || fs::read_to_string(folder.join("last")).expect("a cursor");
    assert_eq!(watch(folder, "list", "@last").1, Some(0));
    let backup = folder.join("backup");
    fs::copy(folder.join("data.sqlite"), &backup).expect("a copy");
    import(folder, RENAMED);
    assert_eq!(watch(folder, "list", "@last").0.len(), 1);
    fs::rename(&backup, folder.join("data.sqlite")).expect("it is restored");
    let words = "last: the cursor belongs to another database or to a later state";
    let before = last();
    refused(folder, "list", "@last", words);
    assert_eq!(last(), before);
}

/// Checks that `watch` fails with a message that contains these words, and reports nothing.
#[track_caller]
fn refused(folder: &Path, list: &str, since: &str, words: &str) {
    let output = watch_list(folder, list, since, "");
    assert_eq!(output.status.code(), Some(1), "{since}");
    assert_eq!(stdout(&output), "");
    assert!(stderr(&output).contains(words), "{}", stderr(&output));
}

#[test]
fn days_are_in_moscow_time_and_a_time_before_the_log_is_refused() {
    let folder = begin();
    import(folder.path(), &contract("2", SAD));
    // In Moscow time, the first import was at 23:59:59 on 9 March, and the second at midnight.
    alter(
        folder.path(),
        "UPDATE revision SET time = unixepoch('2026-03-09 20:59:58') + number, \
         sum = row_sum(number, unixepoch('2026-03-09 20:59:58') + number, identity)",
    );
    let changes = |day| watch(folder.path(), "list", day).0.len();
    assert_eq!(changes("2026-03-10"), 1);
    assert!(changes("2026-03-09") > 1);
    assert!(changes("2020-01-01") > 1, "all imports are later");
    assert_eq!(changes("2026-03-11"), 0);
    alter(folder.path(), "DELETE FROM revision WHERE number < 2");
    let words = "changes are kept only since 2026-03-09T21:00:00Z; check the suppliers again";
    refused(folder.path(), "list", "2026-03-10", words);
    refused(folder.path(), "list", "@list", "list: not a cursor; give");
    assert_eq!(
        watch(folder.path(), "list", "2026-03-11"),
        (Vec::new(), Some(0))
    );
}

/// Runs SQL on the database, with the `row_sum` function registered.
fn alter(folder: &Path, sql: &str) {
    let connection = Connection::open(folder.join("data.sqlite")).expect("the database");
    procurement_lookup::store::register_row_sum(&connection).expect("the function");
    connection.execute(sql, ()).expect("the statement");
}

#[test]
fn invalid_inns_are_listed_and_the_others_reported() {
    let folder = begin();
    let list = format!("Имя;ИНН\r\n\"Са;д\";{SAD}\r\nЛес;96\r\nПоле;{POLE}\r\n");
    fs::write(folder.path().join("list.csv"), list).expect("a list");
    let (report, status) = watch(folder.path(), "list.csv", "@last");
    assert_eq!((report.len(), status), (0, Some(1)));
    import(folder.path(), &contract("2", SAD));
    let output = watch_list(folder.path(), "list.csv", "@last", "");
    assert_eq!(output.status.code(), Some(1));
    let error = stderr(&output);
    assert!(
        error.contains("list.csv:3: \"96\" is not an INN"),
        "{error}"
    );
    let report = stdout(&output);
    assert!(
        report.starts_with(&format!("row 2: {SAD} ООО «Сад»\n  contracts: ")),
        "{report}"
    );
    assert!(
        report.contains("  RNP: ") && report.contains(", as before\n"),
        "{report}"
    );
    assert!(
        report.contains("registries imported: 44=none, 223=none, 615=none"),
        "{report}"
    );
    assert_eq!(watch(folder.path(), "list", "@last"), (Vec::new(), Some(0)));
    fs::write(folder.path().join("bad"), [0xff]).expect("a list");
    for (list, expected) in [
        ("bad", "UTF-8"),
        ("nowhere", "nowhere: "),
        ("lines.jsonl", "there is no INN"),
    ] {
        refused(folder.path(), list, "2020-01-01", expected);
    }
}

#[test]
fn a_table_has_headings_even_without_changes() {
    let folder = begin();
    let table = || watch_list(folder.path(), "list", "@last", "--format csv");
    let heading = "\u{feff}row,supplierINN,supplierName,what,revision,changedAt,contracts,verdict,inRNP,registry44,registry223,registry615,asOf,dataUpdated\r\n";
    let none = table();
    assert_eq!(
        (none.status.code(), stdout(&none).as_str()),
        (Some(0), heading)
    );
    import(folder.path(), RENAMED);
    let one = table();
    assert_eq!(one.status.code(), Some(3));
    let rows = stdout(&one);
    assert!(
        rows.starts_with(&format!("{heading}3,{POLE},ООО «Поле»,name,2,")),
        "{rows}"
    );
    assert_eq!(rows.lines().count(), 2, "{rows}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_report_that_could_not_be_written_is_repeated() {
    let folder = begin();
    assert_eq!(watch(folder.path(), "list", "@last").1, Some(0));
    import(folder.path(), RENAMED);
    let full = fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .expect("a full device");
    let watch_list = "watch --database data.sqlite --list list --since @last";
    let output = program(folder.path())
        .args(watch_list.split(' '))
        .stdout(full)
        .output()
        .expect("a run");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(watch(folder.path(), "list", "@last").0.len(), 1);
}

#[test]
#[cfg(unix)]
fn the_service_in_the_manual_mails_changes_and_keeps_unsent_reports() {
    let folder = begin();
    let path = folder.path();
    let chapter = procurement_lookup::manual::Chapter::on("watch").expect("a chapter");
    let text = chapter.text(procurement_lookup::model::Language::English);
    let (_, rest) = text.split_once("ExecStart=sh -c '").expect("a script");
    let (script, _) = rest.split_once('\'').expect("its end");
    let script = script
        .replace("\\\n", " ")
        .replace("$$", "$")
        .replace("/var/lib/procurement-lookup/data.sqlite", "data.sqlite")
        .replace("/srv/suppliers.csv", "list")
        .replace("procurement-lookup watch", "$PROGRAM watch");
    // Runs the script with `mail` replaced by this command. Returns the exit status.
    let morning = |mail: &str| {
        let mut shell = clean(Command::new("sh"), path);
        shell
            .args(["-c", &format!("mail() {{ {mail}; }}\n{script}")])
            .envs([("PROGRAM", Path::new(PROGRAM)), ("STATE_DIRECTORY", path)]);
        shell.output().expect("a shell").status.code()
    };
    let works = "cat >> mails";
    let mails = || fs::read_to_string(path.join("mails")).unwrap_or_default();
    assert_eq!((morning(works), mails()), (Some(0), String::new()));
    import(path, &contract("2", SAD));
    assert_eq!(morning(works), Some(3));
    assert_eq!(mails().matches("row ").count(), 1);
    assert_eq!(morning(works), Some(0));
    import(path, RENAMED);
    assert_eq!(morning("false"), Some(1));
    // If nothing has changed since, only the report that could not be mailed is mailed, and only
    // once.
    for _ in 0..2 {
        assert_eq!(morning(works), Some(0));
        assert_eq!(mails().matches("row ").count(), 2, "{}", mails());
    }
}

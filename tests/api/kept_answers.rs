//! Answers that are kept: they are given again, and never when anything was committed
//! since.

use std::fs::{self, File};
use std::process::Command;
use std::time::{Duration, SystemTime};

use procurement_lookup::api::{CacheFigures, Reply};
use rusqlite::Connection;

use super::common::{Service, body, header};
use super::{GOOD, LINES, P615, service};

/// A supplier's name that changes with each commit, as the answer shows it.
const NAMED: &str = GOOD[0];

fn line(name: &str) -> String {
    format!(r#"{{"type":"supplier","supplier":{{"inn":"9600000002","name":"{name}"}}}}"#)
}

#[track_caller]
fn check_name(service: &mut Service, name: &str) {
    // Twice: the first may find the answer kept that was of the data before.
    for _ in 0..2 {
        let reply = service.get(NAMED);
        let shown = format!("<supplierIName>{name}</supplierIName>");
        assert!(body(&reply).contains(&shown), "{name}: {reply:?}");
    }
}

/// A connection that writes as the import does: what it changes raises the revision.
fn writer(service: &Service) -> Connection {
    let connection = Connection::open(service.database()).expect("the database");
    connection
        .busy_timeout(Duration::from_secs(5))
        .expect("a timeout");
    connection
}

/// What renames the supplier, within a transaction or not.
fn rename(connection: &Connection, name: &str) {
    let statements = format!(
        "UPDATE supplier SET given_name = '{name}' WHERE inn = '9600000002'; \
         UPDATE meta SET revision = revision + 1;"
    );
    connection.execute_batch(&statements).expect("renamed");
}

fn figures(service: &Service) -> (u64, u64) {
    let CacheFigures { hits, misses, .. } = service.api.cache_figures();
    (hits, misses)
}

#[test]
fn an_answer_is_given_again_without_reading_and_is_the_same() {
    let mut service = service();
    let mut first = Vec::new();
    // `/purchase/demo615` is another path to the card before.
    for target in GOOD.iter().filter(|target| !target.starts_with(P615)) {
        for format in ["xml", "json"] {
            let target = format!("{target}&format={format}");
            let reply = service.get(&target);
            assert_eq!(reply.status, 200);
            first.push((target, reply));
        }
    }
    let read = first.len() as u64;
    assert_eq!(figures(&service), (0, read));
    for (target, first) in &first {
        assert_eq!(service.get(target), *first, "{target}");
        assert_eq!(service.ask("HEAD", target, &[]), *first, "{target}");
    }
    assert_eq!(figures(&service), (2 * read, read));
}

#[test]
fn nothing_is_read_for_an_answer_that_is_kept() {
    let mut service = service();
    let kept: Vec<Reply> = GOOD.iter().map(|target| service.get(target)).collect();
    service.sql("UPDATE contract SET record = x'ff'");
    service.sql("UPDATE purchase SET record = x'ff'");
    service.sql("UPDATE rnp_entry SET record = x'ff'");
    for (target, kept) in GOOD.iter().zip(&kept) {
        assert_eq!(service.get(target), *kept, "{target}");
    }
    assert_eq!(service.get(&format!("{}&limit=2", GOOD[0])).status, 500);
}

#[test]
fn errors_are_not_kept() {
    let mut service = service();
    let unknown = "/rnp/check-supplier?supplierINN=9600000039&apikey=KEY";
    assert_eq!(service.get(unknown).status, 404);
    assert_eq!(service.get(unknown).status, 404);
    assert_eq!(figures(&service), (0, 2));
    assert_eq!(service.api.cache_figures().bytes, 0);
}

#[test]
fn a_key_and_a_limit_are_asked_for_before_an_answer_that_is_kept() {
    let mut service = service();
    service.get(NAMED);
    let without = service.get(&NAMED.replace("KEY", "nonsense"));
    assert!(body(&without).contains("401"), "{without:?}");
    assert_eq!(figures(&service), (0, 1));
}

#[test]
fn what_is_kept_stays_within_its_bound() {
    let lines: Vec<String> = (0..40)
        .map(|number| {
            let text = "длинный текст ".repeat(1_000);
            format!(
                r#"{{"type":"purchase44","purchase":{{"purchaseNumber":"09600000000250001{number:02}","purchaseObjectInfo":"{text}"}}}}"#
            )
        })
        .collect();
    let mut service = Service::over(&lines.join("\n"));
    for round in 0..3 {
        for number in 0..40 {
            let target =
                format!("/purchase/demo44?purchaseNumber=09600000000250001{number:02}&apikey=KEY");
            let reply = service.get(&target);
            assert!((20_000..60_000).contains(&reply.body.len()), "{round}");
            assert!(service.api.cache_figures().bytes <= 1 << 20);
        }
    }
    assert!(service.api.cache_figures().bytes > 1 << 19);
}

#[test]
fn each_of_many_commits_in_quick_succession_counts_from_the_next_request_on() {
    let mut service = service();
    let connection = writer(&service);
    for number in 0..500 {
        let name = format!("N{number}");
        rename(&connection, &name);
        check_name(&mut service, &name);
    }
    for number in 0..20 {
        let name = format!("I{number}");
        service.import(&line(&name));
        check_name(&mut service, &name);
    }
}

#[test]
fn an_import_of_another_process_counts_from_the_next_request_on() {
    let mut service = service();
    let folder = tempfile::tempdir().expect("a folder");
    let lines = folder.path().join("lines.jsonl");
    for number in 0..5 {
        let name = format!("P{number}");
        fs::write(&lines, line(&name)).expect("the lines");
        let status = Command::new(env!("CARGO_BIN_EXE_procurement-lookup"))
            .arg("import")
            .arg("--database")
            .arg(service.database())
            .arg(&lines)
            .output()
            .expect("the program runs")
            .status;
        assert!(status.success());
        check_name(&mut service, &name);
    }
}

#[test]
fn a_commit_counts_however_long_ago_its_pages_were_written_and_not_before() {
    let mut service = service();
    rename(&writer(&service), "OLD");
    check_name(&mut service, "OLD");
    let connection = writer(&service);
    // Pages that find no room in the cache go to the log before the commit.
    connection
        .execute_batch("PRAGMA cache_size = 2; BEGIN IMMEDIATE;")
        .expect("a transaction");
    let log = service.database().with_file_name("data.sqlite-wal");
    let before = fs::metadata(&log).expect("a log").len();
    connection
        .execute_batch(
            "CREATE TABLE filler (text TEXT); \
             WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) \
             INSERT INTO filler SELECT hex(randomblob(500)) FROM n; DROP TABLE filler;",
        )
        .expect("filled");
    rename(&connection, "NEW");
    assert!(fs::metadata(&log).expect("a log").len() > before);
    check_name(&mut service, "OLD");
    connection.execute_batch("COMMIT").expect("committed");
    check_name(&mut service, "NEW");
    connection.execute_batch("BEGIN IMMEDIATE").expect("again");
    rename(&connection, "NEVER");
    check_name(&mut service, "NEW");
    connection.execute_batch("ROLLBACK").expect("taken back");
    check_name(&mut service, "NEW");
}

#[test]
fn a_commit_counts_though_the_log_was_begun_anew_or_is_new() {
    let mut service = service();
    for (number, mode) in ["PASSIVE", "RESTART", "TRUNCATE"]
        .iter()
        .cycle()
        .take(30)
        .enumerate()
    {
        let connection = writer(&service);
        let name = format!("C{number}");
        rename(&connection, &name);
        check_name(&mut service, &name);
        let checkpoint = format!("PRAGMA wal_checkpoint({mode})");
        let busy = connection.query_row(&checkpoint, (), |row| row.get::<_, i64>(0));
        assert_eq!(busy, Ok(0), "{mode}");
        check_name(&mut service, &name);
        let again = format!("D{number}");
        rename(&connection, &again);
        check_name(&mut service, &again);
    }
    // Nobody but the service has it open by now.
    service.import(&line("LAST"));
    check_name(&mut service, "LAST");
}

#[test]
fn a_commit_counts_whatever_the_clocks_say() {
    let mut service = service();
    let connection = writer(&service);
    for number in 0..10 {
        let name = format!("T{number}");
        rename(&connection, &name);
        for path in ["data.sqlite", "data.sqlite-wal", "data.sqlite-shm"] {
            let path = service.database().with_file_name(path);
            let file = File::options().append(true).open(path).expect("the file");
            let an_hour = Duration::from_secs(3600);
            file.set_modified(SystemTime::UNIX_EPOCH + an_hour)
                .expect("the time is set");
        }
        check_name(&mut service, &name);
    }
}

#[test]
fn a_served_database_cannot_be_taken_out_of_the_mode_that_tells_of_commits() {
    let mut service = service();
    check_name(&mut service, "ООО \"А\"");
    let connection = writer(&service);
    connection.busy_timeout(Duration::ZERO).expect("no waiting");
    let mode = connection.query_row("PRAGMA journal_mode = DELETE", (), |row| {
        row.get::<_, String>(0)
    });
    assert_ne!(mode.ok().as_deref(), Some("delete"));
}

#[test]
fn a_database_without_a_log_is_read_each_time() {
    let mut service = Service::over(LINES);
    service.close();
    let connection = writer(&service);
    let mode = connection.query_row("PRAGMA journal_mode = DELETE", (), |row| {
        row.get::<_, String>(0)
    });
    assert_eq!(mode.as_deref(), Ok("delete"));
    service.open();
    for number in 0..20 {
        let name = format!("R{number}");
        rename(&connection, &name);
        check_name(&mut service, &name);
    }
}

#[test]
fn a_tag_is_of_the_data_it_came_with_also_where_a_commit_came_in_between() {
    let mut service = service();
    let connection = writer(&service);
    for number in 0..50 {
        let name = format!("E{number}");
        rename(&connection, &name);
        let reply = service.get(NAMED);
        let tag = header(&reply, "ETag").expect("a tag").to_owned();
        let known = service.ask("GET", NAMED, &[("If-None-Match", &tag)]);
        assert_eq!(known.status, 304);
        rename(&connection, "OTHER");
        let other = service.ask("GET", NAMED, &[("If-None-Match", &tag)]);
        assert_eq!(other.status, 200);
    }
}

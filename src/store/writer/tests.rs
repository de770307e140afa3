use super::super::query::Source;
use super::*;
use crate::model::{Contract, Inn, RnpEntry};

const TASK: &str = "these";

fn add_supplier(writer: &mut Writer, inn: &str) -> Result<()> {
    let supplier = Supplier {
        inn: Inn::parse(inn).expect("an INN"),
        name: String::new(),
    };
    writer.line(PackedLine::supplier(supplier))?;
    writer.write()?;
    writer.commit()
}

fn version(path: &Path) -> (i64, i64) {
    let version = DataFile::open(path, None).expect("the file").version;
    (version.identity, version.revision)
}

#[test]
fn data_and_resume_state_are_committed_together() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("data.sqlite");
    let mut writer = Writer::open(&path).expect("a writer");
    add_supplier(&mut writer, "9600000001").expect("added");
    writer.finish().expect("the import ends");
    let before = version(&path);

    let mut writer = Writer::open_for(&path, TASK).expect("a writer");
    let file = std::fs::metadata(&path).expect("a file");
    let file = ArchiveFile::new(&path, &file);
    writer
        .archive_done(&file, &[1; 32], 1, &[], 0)
        .expect("noted");
    writer.commit().expect("committed, with nothing changed");
    // Make writing the resume state fail, as on a full disk. The effect is the same as if the
    // process were killed there.
    let full = "CREATE TEMP TRIGGER full BEFORE INSERT ON resume_state \
                BEGIN SELECT raise(ABORT, 'full'); END";
    writer.file.batch(full).expect("a trigger");
    add_supplier(&mut writer, "9600000002").expect_err("the disk is full");
    drop(writer);

    let mut writer = Writer::open_for(&path, TASK).expect("a writer");
    assert!(
        writer.is_written(),
        "the import resumes from the first commit"
    );
    add_supplier(&mut writer, "9600000002").expect("added");
    writer.finish().expect("the import ends");
    let inn = Inn::parse("9600000002").expect("an INN");
    let file = DataFile::open(&path, None).expect("the file");
    assert!(file.supplier(&inn).expect("it is read").is_some());
    assert_ne!(
        version(&path),
        before,
        "answers have changed, so the identity has too"
    );
}

/// Imports contracts of suppliers and days in random order. Returns what was reported at the end.
fn import_contracts(path: &Path) -> Vec<FinishProgress> {
    let mut writer = Writer::open(path).expect("a writer");
    for at in 0..2_000_u64 {
        let supplier = Supplier {
            inn: Inn::parse(&format!("96{:08}", at * 7_919 % 100)).expect("an INN"),
            name: String::new(),
        };
        let contract = Contract {
            reg_num: format!("{:019}", at * 7_919 % 2_003),
            sign_date: Some(Date::from_days_since_1970(
                20_000 + at as i64 * 7_919 % 1_000,
            )),
            ..Contract::default()
        };
        let line = PackedLine::contract(supplier, &contract).expect("packed");
        writer.line(line).expect("added");
        if at % 50 == 0 {
            writer.write().expect("written");
        }
    }
    writer.write().expect("written");
    let mut reported = Vec::new();
    let finished = writer.finish_with(&mut |progress| reported.push(progress));
    finished.expect("the import ends");
    reported
}

fn length(path: &Path) -> u64 {
    std::fs::metadata(path).expect("a file").len()
}

#[test]
fn a_first_import_reports_its_last_steps() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("data.sqlite");
    let mut reported = import_contracts(&path);
    reported.dedup();
    let total = 2_000;
    let contents = |done| RebuildProgress::Contents { done, total };
    // There are 100 suppliers and one customer, who has no INN.
    let names = RebuildProgress::Names {
        done: 0,
        total: 101,
    };
    let expected = [
        FinishProgress::Rebuilding(contents(0)),
        FinishProgress::Rebuilding(contents(total)),
        FinishProgress::RewritingPages,
        FinishProgress::Rebuilding(names),
    ];
    assert_eq!(reported, expected);
}

#[test]
fn a_file_that_has_more_than_doubled_is_rewritten_with_full_pages() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("data.sqlite");
    let leftover = ["-anew", "-anew-journal"]
        .map(|end| folder.path().join(format!("data.sqlite-building{end}")));
    for leftover in &leftover {
        std::fs::write(leftover, "half of a file").expect("written");
    }
    import_contracts(&path);
    assert!(!leftover.iter().any(|leftover| leftover.exists()));
    super::super::check(&path).expect("it is sound");
    let full = folder.path().join("full.sqlite");
    let file = DATA.open_to_read(&path).expect("the file");
    let name = full.to_str().expect("a path");
    file.execute("VACUUM INTO ?1", [name]).expect("a copy");
    assert!(length(&path) < length(&full) * 103 / 100);
}

#[test]
fn a_file_that_cannot_be_rewritten_stays_as_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("data.sqlite");
    let taken = folder.path().join("data.sqlite-building-anew");
    let full = folder.path().join("full.sqlite");
    import_contracts(&full);
    std::fs::create_dir_all(taken.join("of another")).expect("a folder");
    import_contracts(&path);
    super::super::check(&path).expect("it is sound");
    assert!(length(&path) > length(&full));
}

#[test]
fn all_entries_of_a_whole_registry_are_recorded_as_seen() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("data.sqlite");
    let mut writer = Writer::open(&path).expect("a writer");
    for number in 1..=5 {
        let supplier = Supplier {
            inn: Inn::parse("9600000001").expect("an INN"),
            name: String::new(),
        };
        let entry = RnpEntry {
            registration_number: number.to_string(),
            federal_law: Regime::Fz44.code().to_owned(),
            ..RnpEntry::default()
        };
        let line = PackedLine::rnp_entry(supplier, &entry).expect("packed");
        writer.line(line).expect("added");
    }
    writer.write().expect("written");
    let day = Date::parse_iso("2026-11-01").expect("a day");
    let replaced = Some(ReplacedAsOf::Given(day));
    writer.declare_registries(replaced).expect("declared");
    writer.finish().expect("the import ends");
    let file = DATA.open_to_read(&path).expect("the file");
    let sql = "SELECT count(*) FROM rnp_entry WHERE seen = 20261101";
    let seen: u64 = file.value(sql, (), |row| row.get(0)).expect("a count");
    assert_eq!(seen, 5);
}

#[test]
fn a_change_of_a_registry_is_logged_even_if_the_import_is_killed_after_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let [plain, killed] = ["plain.sqlite", "killed.sqlite"].map(|name| folder.path().join(name));
    let day = Date::parse_iso("2026-11-01").expect("a day");
    let settled = |path: &Path| {
        let mut writer = Writer::open_for(path, TASK).expect("a writer");
        let line = PackedLine::registry(Regime::Fz44, day);
        writer.line(line).expect("added");
        add_supplier(&mut writer, "9600000001").expect("added");
        writer.declare_registries(None).expect("declared");
        writer.settle_registries(&[]).expect("settled");
        writer
    };
    let changes = |path: &Path| -> Vec<(i64, String)> {
        let file = DATA.open_to_read(path).expect("the file");
        let sql = "SELECT part, CAST(subject AS TEXT) FROM change ORDER BY part, subject";
        let read = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?));
        file.all(sql, (), read).expect("the changes")
    };
    settled(&plain).finish().expect("the import ends");
    let mut writer = settled(&killed);
    writer.commit().expect("committed");
    drop(writer);
    settled(&killed).finish().expect("the import ends");
    assert_eq!(changes(&killed), changes(&plain));
}

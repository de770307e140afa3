//! Kills imports while they derive records, and runs them again.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use rusqlite::Connection;
use rusqlite::types::Value;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::import::{Event, Options, Summary, import};
use crate::store::{self, Writer};

const CONTRACTS: usize = 90;

/// Notices, contracts and procedures. In the second version, some contracts name a different
/// purchase, a different supplier, or the same supplier under a different name, and some notices
/// have a different subject.
fn documents(version: usize) -> String {
    let mut all = String::new();
    for at in 0..CONTRACTS {
        let is_other = |every: usize| version > 1 && at % every == 0;
        let purchase_number = |purchase: usize| format!("0396{purchase:015}");
        // One purchase has too many contracts to be derived as a whole.
        let purchase = if at % 3 == 0 { 0 } else { at };
        let purchase = purchase_number(purchase + usize::from(is_other(10)));
        let (number, day) = (format!("2960000003025{at:06}"), at % 28 + 1);
        let published = format!("2025-0{version}-{day:02}T10:00:00+03:00");
        if at % 5 != 1 && (version == 1 || is_other(4)) {
            all += &format!(
                "<epNotificationEF2020><versionNumber>{version}</versionNumber><commonInfo>\
                 <purchaseNumber>{}</purchaseNumber><publishDTInEIS>{published}</publishDTInEIS>\
                 <purchaseObjectInfo>Парты {at} {version}</purchaseObjectInfo></commonInfo>\
                 </epNotificationEF2020>",
                purchase_number(at)
            );
        }
        let supplier = at * at % 37 + if is_other(6) { 100 } else { 0 };
        all += &format!(
            "<contract><id>{at}</id><regNum>{number}</regNum><publishDate>{published}</publishDate>\
             <versionNumber>{version}</versionNumber>\
             <foundation><fcsOrder><order><notificationNumber>{purchase}</notificationNumber>\
             <lotNumber>1</lotNumber></order></fcsOrder></foundation>\
             <customer><fullName>Школа {0} {version}</fullName><inn>960000{0:04}</inn></customer>\
             <signDate>2025-02-{day:02}</signDate><contractSubject>Стулья {at}</contractSubject>\
             <priceInfo><price>{at}.5</price><priceRUR>{at}.5</priceRUR></priceInfo><suppliers>\
             <supplier><legalEntityRF><INN>961000{supplier:04}</INN>\
             <fullName>Ромашка {at} {version}</fullName></legalEntityRF></supplier></suppliers>\
             </contract>\
             <contractProcedure><id>{at}</id><regNum>{number}</regNum>\
             <publishDate>{published}</publishDate>\
             <currentContractStage>EC</currentContractStage></contractProcedure>",
            at % 11,
        );
    }
    format!("<export>{all}</export>")
}

/// Lines about contracts and a card. Those of the second version replace those of the first.
fn lines(version: usize) -> String {
    let contracts = (0..30).map(|at| {
        format!(
            "{{\"type\":\"contract\",\"supplier\":{{\"inn\":\"9600000002\",\"name\":\"ООО {version}\"}},\
             \"contract\":{{\"regNum\":\"{at}\",\"customerName\":\"Школа {version}\"}}}}\n"
        )
    });
    let card = format!(
        "{{\"type\":\"purchase44\",\"purchase\":{{\"purchaseNumber\":\"0960000000025000001\",\
         \"purchaseObjectInfo\":\"Парты {version}\"}}}}\n"
    );
    contracts.chain([card]).collect()
}

/// The rows of each table. Identities and times differ from import to import, so `meta` is left
/// out, and `revision` has only the numbers.
fn rows(database: &Path) -> Vec<(String, Vec<Vec<Value>>)> {
    let file = Connection::open(database).expect("the file opens");
    let sql = "SELECT name, sql FROM sqlite_schema WHERE sql LIKE 'CREATE TABLE%' \
               AND name NOT IN ('meta', 'revision') ORDER BY name";
    let mut tables = file.prepare(sql).expect("the schema");
    let tables = tables.query_map((), |row| Ok((row.get(0)?, row.get(1)?)));
    let tables = tables.expect("tables").map(|table| table.expect("one"));
    let all_of = |(name, sql): (String, String)| {
        let order = if sql.contains("WITHOUT ROWID") {
            "1"
        } else {
            "rowid"
        };
        let sql = format!("SELECT * FROM \"{name}\" ORDER BY {order}");
        let mut rows = file.prepare(&sql).expect("a table");
        let columns = rows.column_count();
        let rows = rows.query_map((), |row| (0..columns).map(|at| row.get(at)).collect());
        let rows = rows.expect("rows").map(|row| row.expect("a row"));
        (name, rows.collect())
    };
    let mut all: Vec<_> = tables.map(all_of).collect();
    let revisions = "SELECT number FROM revision ORDER BY number";
    let mut revisions = file.prepare(revisions).expect("a table");
    let revisions = revisions.query_map((), |row| Ok(vec![row.get(0)?]));
    let revisions = revisions.expect("rows").map(|row| row.expect("a row"));
    all.push(("revision".to_owned(), revisions.collect()));
    all
}

struct Folder {
    folder: tempfile::TempDir,
    paths: Vec<PathBuf>,
}

impl Folder {
    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes the files to import. With `official`, adds the documents in `data/documents`.
    fn write(&mut self, version: usize, official: bool) {
        let file = fs::File::create(self.file("x.zip")).expect("an archive");
        let mut zip = ZipWriter::new(file);
        let mut add = |name: &str, content: &[u8]| {
            zip.start_file(name, SimpleFileOptions::default())
                .expect("a document");
            zip.write_all(content).expect("it is written");
        };
        add("a.xml", documents(version).as_bytes());
        if official {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/documents");
            for file in fs::read_dir(folder).expect("a folder") {
                let path = file.expect("a file").path();
                let name = path.file_name().expect("a name").to_string_lossy();
                add(&name, &fs::read(&path).expect("it is read"));
            }
        }
        zip.finish().expect("an archive");
        fs::write(self.file("x.jsonl"), lines(version)).expect("written");
        self.paths = vec![self.file("x.zip"), self.file("x.jsonl")];
    }

    fn import(&self, on_deriving: &mut dyn FnMut()) -> Summary {
        let database = self.file("data.sqlite");
        let writer = Writer::open_for(&database, "task").expect("the database opens");
        let summary = import(
            &self.paths,
            writer,
            &Options::default(),
            &mut |event| match event {
                Event::Problem(what) => panic!("{what}"),
                Event::Progress { .. } | Event::Finishing(_) => {}
                Event::Deriving(_) => on_deriving(),
            },
        );
        summary.expect("the import ends")
    }
}

/// The file that an import writes to, and the file's journal.
const BUILDING: [&str; 2] = ["data.sqlite-building", "data.sqlite-building-journal"];

/// Checks that an import gives the same result if it is killed while deriving, at any moment, and
/// then run again.
fn check(mut folder: Folder) {
    let database = folder.file("data.sqlite");
    let before = fs::read(&database).ok();
    folder.write(2, true);
    // The files that a process killed at a `Deriving` event would leave behind, for each event.
    let mut left: Vec<[Option<Vec<u8>>; 2]> = Vec::new();
    let whole = folder.import(&mut || {
        left.push(BUILDING.map(|name| fs::read(folder.file(name)).ok()));
    });
    assert!(left.len() > 10, "{}", left.len());
    let expected = rows(&database);
    store::check(&database).expect("the database is as it must be");
    let (mut checked, mut resumed, mut rolled_back) = (0, 0, 0);
    for (moment, left) in left.iter().enumerate().step_by(5) {
        match &before {
            Some(before) => fs::write(&database, before).expect("written"),
            None => fs::remove_file(&database).expect("removed"),
        }
        for (name, left) in BUILDING.iter().zip(left) {
            if let Some(left) = left {
                fs::write(folder.file(name), left).expect("written");
            }
        }
        checked += 1;
        rolled_back += u64::from(left[1].is_some());
        let again = folder.import(&mut || {});
        resumed += again.archives_unchanged;
        for (found, expected) in rows(&database).iter().zip(&expected) {
            assert!(found == expected, "{moment}: {}", expected.0);
        }
        assert_eq!(again.changed, whole.changed, "{moment}");
        assert!(!folder.file(BUILDING[0]).exists() && !folder.file(BUILDING[1]).exists());
        store::check(&database).expect("the database is as it must be");
    }
    // Some runs start over. Others continue from a commit, most of them after rolling back a
    // transaction.
    assert!((2..checked).contains(&resumed), "{resumed} of {checked}");
    assert!(rolled_back > 1, "{rolled_back}");
}

fn folder() -> Folder {
    Folder {
        folder: tempfile::tempdir().expect("a folder"),
        paths: Vec::new(),
    }
}

#[test]
fn an_import_that_is_killed_while_it_derives_loses_nothing_and_logs_nothing_twice() {
    let mut folder = folder();
    folder.write(1, false);
    folder.import(&mut || {});
    check(folder);
}

#[test]
fn neither_does_a_first_import() {
    check(folder());
}

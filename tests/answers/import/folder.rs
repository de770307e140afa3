//! A folder with files to import and a database, and helpers to write lines.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use procurement_lookup::api::{Answerer, Api, Endpoint};
use procurement_lookup::import::{Event, Options, Summary, import};
use procurement_lookup::model::{Date, Ground, Moment, VerdictRules};
use procurement_lookup::store::{self, DataVersion, Database, KeyRing, ReplacedAsOf, Writer};
use tempfile::TempDir;

use crate::source::Source;

pub const INN: &str = "9600000002";
pub const OTHER: &str = "9600000027";

pub fn day(text: &str) -> Date {
    Date::parse_iso(text).expect("a day")
}

/// Imports files into a database. Returns the summary and the problems reported.
pub fn import_into(
    database: &Path,
    paths: &[PathBuf],
    options: &Options<'_>,
) -> (Summary, Vec<String>) {
    let writer = Writer::open(database).expect("the database opens");
    let mut problems = Vec::new();
    let summary = import(paths, writer, options, &mut |event| {
        if let Event::Problem(what) = event {
            problems.push(what.to_owned());
        }
    });
    (summary.expect("the import ends well"), problems)
}

pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder"))
    }

    #[cfg(feature = "postgresql")]
    pub fn with_lines(lines: &str) -> Self {
        let folder = Self::new();
        folder.take(lines);
        folder
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    pub fn database(&self) -> PathBuf {
        self.file("data.sqlite")
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.file(name);
        let parent = path.parent().expect("a folder");
        fs::create_dir_all(parent).expect("the folder is made");
        fs::write(&path, content).expect("the file is written");
        path
    }

    /// Imports files of this folder. Returns the summary and the problems reported, in which the
    /// path of the folder is left out.
    pub fn import_files(&self, names: &[&str], replace_rnp: bool) -> (Summary, Vec<String>) {
        let paths: Vec<PathBuf> = names.iter().map(|name| self.file(name)).collect();
        self.import_paths(&paths, replace_rnp)
    }

    /// Like [`Self::import_files`], but replaces the registry as of a day.
    pub fn import_replacing(
        &self,
        names: &[&str],
        replace_rnp: Option<ReplacedAsOf>,
    ) -> (Summary, Vec<String>) {
        let paths: Vec<PathBuf> = names.iter().map(|name| self.file(name)).collect();
        let options = Options {
            replace_rnp,
            ..Options::default()
        };
        self.import_with(&paths, &options)
    }

    pub fn import_paths(&self, paths: &[PathBuf], replace_rnp: bool) -> (Summary, Vec<String>) {
        let today = ReplacedAsOf::Today(day("2026-11-20"));
        let options = Options {
            replace_rnp: replace_rnp.then_some(today),
            ..Options::default()
        };
        self.import_with(paths, &options)
    }

    pub fn import_with(&self, paths: &[PathBuf], options: &Options<'_>) -> (Summary, Vec<String>) {
        let (summary, problems) = import_into(&self.database(), paths, options);
        if self.database().exists() {
            store::check(&self.database()).expect("the database is as it must be");
        }
        let prefix = format!("{}/", self.path().display());
        let problems = problems.iter();
        let problems = problems.map(|what| what.strip_prefix(&prefix).unwrap_or(what).to_owned());
        (summary, problems.collect())
    }

    pub fn import(&self, content: impl AsRef<[u8]>) -> (Summary, Vec<String>) {
        self.write("x.jsonl", content);
        self.import_files(&["x.jsonl"], false)
    }

    /// Imports lines, all of which must be valid.
    pub fn take(&self, content: impl AsRef<[u8]>) -> Summary {
        let (summary, problems) = self.import(content);
        assert_eq!(problems, [""; 0]);
        assert_eq!(summary.skipped, 0);
        summary
    }

    pub fn answers(&self) -> Answers {
        Answers::at(&self.database())
    }

    /// Returns the state of the registries, in the form `44=complete:2026-11-20 223=partial
    /// 615=none`.
    pub fn registries(&self) -> String {
        let database = Database::open(&self.database()).expect("the database opens");
        let (registries, unread) = (database.registries(), database.unread_entries());
        let rules = VerdictRules::default();
        let ground = Ground::new(&registries, &unread, day("2026-11-20"), rules);
        ground.to_string().replace(',', "")
    }

    pub fn version(&self) -> DataVersion {
        Database::open(&self.database())
            .expect("the database opens")
            .version()
    }
}

pub struct Answers {
    answerer: Answerer,
    source: Source,
}

impl Answers {
    pub fn at(path: &Path) -> Self {
        Self::on("2025-06-15", Source::new(path))
    }

    pub fn on(day: &str, source: Source) -> Self {
        let day = Date::parse_iso(day).expect("a day");
        let api = Api::new(
            source.data(),
            KeyRing::empty(),
            Box::new(move || Moment::from_day(day)),
        );
        Self {
            answerer: Arc::new(api).answerer().expect("the data opens"),
            source,
        }
    }

    pub fn ask(&mut self, endpoint: &'static Endpoint, parameters: &[(&str, &str)]) -> String {
        self.source.follow();
        let body = self.answerer.look_up_offline(endpoint, parameters);
        let body = body.unwrap_or_else(|error| error);
        String::from_utf8(body).expect("UTF-8")
    }

    pub fn page(&mut self, inn: &str) -> String {
        let parameters = [("format", "json"), ("supplierINN", inn), ("limit", "200")];
        self.ask(Endpoint::CONTRACTS, &parameters)
    }

    pub fn contracts(&mut self, inn: &str) -> Vec<String> {
        members_of(&self.page(inn), "regNum")
    }

    pub fn name(&mut self, inn: &str) -> String {
        let names = members_of(&self.page(inn), "supplierIName");
        names.into_iter().next().unwrap_or_default()
    }

    pub fn rnp(&mut self, inn: &str) -> String {
        let parameters = [("format", "json"), ("supplierINN", inn)];
        self.ask(Endpoint::RNP_CHECK, &parameters)
    }

    pub fn entries(&mut self, inn: &str) -> Vec<String> {
        members_of(&self.rnp(inn), "registrationNumber")
    }

    pub fn card(&mut self, number: &str, format: &str) -> String {
        let endpoint = if number.len() == 19 {
            Endpoint::PURCHASE_44
        } else {
            Endpoint::PURCHASE_223
        };
        let parameters = [("format", format), ("purchaseNumber", number)];
        self.ask(endpoint, &parameters)
    }
}

/// Returns the string values of all members called `name`, at any depth.
pub fn members_of(json: &str, name: &str) -> Vec<String> {
    fn collect(value: &serde_json::Value, name: &str, found: &mut Vec<String>) {
        match value {
            serde_json::Value::Object(members) => {
                for (key, value) in members {
                    match value {
                        serde_json::Value::String(text) if key == name => found.push(text.clone()),
                        value => collect(value, name, found),
                    }
                }
            }
            serde_json::Value::Array(items) => {
                for item in items {
                    collect(item, name, found);
                }
            }
            _ => {}
        }
    }
    let mut found = Vec::new();
    let value = serde_json::from_str(json).expect("JSON");
    collect(&value, name, &mut found);
    found
}

pub fn contract(inn: &str, number: &str, fields: &str) -> String {
    format!(
        r#"{{"type":"contract","supplier":{{"inn":"{inn}"}},"contract":{{"regNum":"{number}"{fields}}}}}"#
    ) + "\n"
}

pub fn supplier(inn: &str, name: &str) -> String {
    format!(r#"{{"type":"supplier","supplier":{{"inn":"{inn}","name":"{name}"}}}}"#) + "\n"
}

pub fn entry(inn: &str, number: &str, law: &str) -> String {
    format!(
        r#"{{"type":"rnpEntry","supplier":{{"inn":"{inn}","name":"ООО А"}},"entry":{{"registrationNumber":"{number}","registrationDate":"2025-01-01","federalLaw":"{law}"}}}}"#
    ) + "\n"
}

pub fn complete(law: &str, day: &str) -> String {
    format!(r#"{{"type":"registry","federalLaw":"{law}","completeAsOf":"{day}"}}"#) + "\n"
}

pub fn purchase(kind: &str, number: &str, fields: &str) -> String {
    format!(r#"{{"type":"purchase{kind}","purchase":{{"purchaseNumber":"{number}"{fields}}}}}"#)
        + "\n"
}

pub const N44: &str = "0960000000025000001";

pub const N223: &str = "39600000001";

pub const N615: &str = "096000000000000001";

/// Returns a folder with the entries 1 and 2 under 44-FZ and 3 under 223-FZ, and the INN of the
/// supplier of each. The second supplier also has a contract.
pub fn registry() -> (Folder, [&'static str; 3]) {
    let folder = Folder::new();
    let inns = ["9600000010", "9600000027", "9600000034"];
    folder.take(
        entry(inns[0], "1", "44")
            + &entry(inns[1], "2", "44")
            + &entry(inns[2], "3", "223")
            + &contract(inns[1], "1", ""),
    );
    (folder, inns)
}

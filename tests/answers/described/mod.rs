//! The schemas and the OpenAPI document equal their golden files, and cover every route, parameter,
//! error and field.
//!
//! After an intended change, rewrite the files and read the difference:
//!
//! ```text
//! GOLDEN=bless cargo test --test answers described
//! ```
//!
//! `scripts/checking/description` validates responses against the schemas with external tools.

mod complete;
mod order;
mod served;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use procurement_lookup::api::described;
use procurement_lookup::model::Language;

use crate::released::is_golden;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/answers/described/golden")
}

fn file_of(path: &str) -> PathBuf {
    folder().join(path.trim_start_matches('/'))
}

#[test]
fn descriptions_equal_their_golden_files() {
    let bless = is_golden("bless");
    let (mut files, mut wrong) = (BTreeSet::new(), Vec::new());
    for document in described::files().filter(|one| one.path != "/docs") {
        let path = document.path;
        let body = (document.body)(Language::English);
        let file = file_of(&path);
        if bless {
            fs::create_dir_all(file.parent().expect("a folder")).expect("the folder is made");
            fs::write(&file, &*body).expect("the file is written");
        } else if fs::read_to_string(&file).is_ok_and(|there| there == body) {
        } else {
            wrong.push(path);
        }
        files.insert(file);
    }
    assert!(wrong.is_empty(), "not as blessed: {wrong:#?}");
    let schemas = fs::read_dir(folder().join("schemas")).expect("a folder");
    for entry in schemas {
        let file = entry.expect("an entry").path();
        assert!(
            files.contains(&file),
            "nothing is served of {}",
            file.display()
        );
    }
}

/// Returns the strings between each `before` and the next quote.
pub fn quoted<'a>(html: &'a str, before: &str) -> Vec<&'a str> {
    let rest = html.split(before).skip(1);
    rest.map(|rest| rest.split('"').next().unwrap_or_default())
        .collect()
}

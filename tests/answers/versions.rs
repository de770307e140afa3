//! Digests that may change only if a version is raised (`tests/released.rs`). Each file
//! `NAME.version` has one line: the version and the digest.
//!
//! After a merge, the file may contain one line from each branch. Bless it to combine them.

use std::path::Path;

use procurement_lookup::model::Sha256;

use crate::released::check_form;

/// Checks that the file states this version and the digest of the contents.
pub fn check(file: &Path, name: &str, version: i64, contents: impl IntoIterator<Item = Vec<u8>>) {
    let mut hash = Sha256::new();
    for content in contents {
        hash.update(content.len().to_le_bytes());
        hash.update(content);
    }
    let digest = hash.finish().into_iter();
    let digest: String = digest.map(|byte| format!("{byte:02x}")).collect();
    let form = format!("{version} {digest}\n");
    assert_eq!(check_form(name, version, file, &form, "bless"), Ok(()));
}

//! Versions of the last release, and checks that golden files change only if their version was
//! raised. Used by the unit tests of the library and by `tests/answers`.

use std::fs;
use std::path::Path;

/// The versions of the last release: the file formats by kind, and those of rendering and of rules.
///
/// A change that affects what a version covers can be blessed only after that version was raised:
/// `GOLDEN=bless` writes responses and derived records, `GOLDEN=stored` writes stored forms.
/// Raising the version of a file format also needs a step in `store/migrations.rs`. Each release
/// updates this list.
pub const RELEASED: &[(&str, i64)] = &[
    ("procurement-lookup database", 2),
    ("procurement-lookup keys", 1),
    ("procurement-lookup fetch", 1),
    ("render::VERSION", 2),
    ("import::RULES", 2),
    ("model::WORDS_VERSION", 1),
    ("model::NAMES_VERSION", 1),
];

/// The files of each release in `tests/files`, by `VERSION/NAME`, with their SHA-256. They never
/// change, and every later release reads them (`tests/answers/files.rs`).
#[allow(dead_code, reason = "the tests of the library have no files")]
pub const FROZEN: &[(&str, &str)] = &[
    (
        "0.1.0/data.sqlite",
        "862c40236730f10c9e438ff854dd778f04bbd78e3e1ffa17a032175ff9448c9e",
    ),
    (
        "0.1.0/keys.sqlite",
        "245797cc50eb8f22001f88a244482d3bb94164b434d9a0ccc7f85cfe83c4e922",
    ),
    (
        "0.1.0/fetch.sqlite",
        "960b4966657ef1bef2720f4faf3063760d0eaaae82ef9e43ccfd96d646be35c4",
    ),
    (
        "0.1.0/contents.txt",
        "87f0e7e4dfdbfd6e88a78d2ef0635f00cb12e294667269f9da1242ace30554b2",
    ),
    (
        "0.2.0/data.sqlite",
        "c32a07a595549d02843deb4704c8b4b7350647a724a514b43d3945c8c3d95db6",
    ),
    (
        "0.2.0/keys.sqlite",
        "93608a9c8bdaf9c13aa140c69fb10d16ced1000dc4c08709fd0af4b08ce3b175",
    ),
    (
        "0.2.0/fetch.sqlite",
        "43018619a479e11193685147db4f0bfbe4a16e8a703c617b48d86f4ccd12668a",
    ),
    (
        "0.2.0/contents.txt",
        "c27f2d7270f95459c43ded09f2c0eb83a825da5bc22950c28e377b4204819d25",
    ),
];

/// Returns whether the environment variable `GOLDEN` asks to write these golden files: `stored` for
/// stored forms, `files` for the files of a release, `bless` for all others.
pub fn is_golden(what: &str) -> bool {
    std::env::var("GOLDEN").is_ok_and(|value| value == what)
}

/// Checks that the file contains `form`, which is covered by the version called `name`. If `GOLDEN`
/// is set to `asked`, writes the form to the file, provided that the version was raised since the
/// last release.
pub fn check_form(
    name: &str,
    version: i64,
    file: &Path,
    form: &str,
    asked: &str,
) -> Result<(), String> {
    let mut released = RELEASED.iter().filter(|(released, _)| *released == name);
    let released = released.next().map(|(_, version)| *version);
    let checked = check_or_bless(file, form, is_golden(asked), version, released);
    checked.map_err(|what| format!("{name}: {what}; GOLDEN={asked} writes it"))
}

/// Like [`check_form`], but the caller also passes the version of the last release (`released`), and
/// whether to write the form to the file (`bless`).
pub fn check_or_bless(
    file: &Path,
    form: &str,
    bless: bool,
    version: i64,
    released: Option<i64>,
) -> Result<(), String> {
    if fs::read_to_string(file).is_ok_and(|golden| golden == form) {
        return Ok(());
    }
    let what = format!("{} has changed", file.display());
    if released.is_some_and(|released| released >= version) {
        return Err(format!(
            "{what}, and version {version} is released: raise it"
        ));
    }
    match bless {
        true => fs::write(file, form).map_err(|error| error.to_string()),
        false => Err(what),
    }
}

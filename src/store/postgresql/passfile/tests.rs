//! Passfiles: the first matching line, escapes, and rejected files.

use std::path::PathBuf;

use super::*;

fn file(text: &[u8]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("pass");
    fs::write(&path, text).expect("a file");
    set_mode(&path, 0o600);
    (folder, path)
}

#[cfg(unix)]
fn set_mode(path: &Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("permissions");
}

#[cfg(not(unix))]
fn set_mode(_: &Path, _: u32) {}

#[test]
fn the_first_matching_line_counts() {
    let text = "# a comment\n\nno entry\n\
        db1:5432:eis:reader:one\n\
        db1:5432:eis:*:two\n\
        \\*:*:*:*:star\n\
        /tmp:5433:*:*:folder\n\
        localhost:5432:*:*:local\n\
        \\:\\:1:*:*:*:six\n\
        db2:*:*:back\\\\slash:a\\:b\\\\c:ignored\n\
        db3:*:*:*:\n";
    let (_folder, path) = file(text.as_bytes());
    let passfile = read_passfile(&path).expect("a passfile");
    let check = |host: &str, port: u16, user: &str, expected: Option<&str>| {
        let found = find_password(&passfile, &[host, &port.to_string(), "eis", user]);
        assert_eq!(found.as_deref(), expected, "{host}");
    };
    check("db1", 5432, "reader", Some("one"));
    check("db1", 5432, "other", Some("two"));
    check("db1", 5433, "reader", None);
    check("*", 1, "reader", Some("star"));
    check("/tmp", 5433, "reader", Some("folder"));
    check("/tmp", 5432, "reader", Some("local"));
    check("localhost", 5432, "reader", Some("local"));
    check("::1", 5432, "reader", Some("six"));
    check("db2", 1, "back\\slash", Some("a:b\\c"));
    check("db3", 1, "reader", Some(""));
}

#[test]
fn files_that_are_binary_or_readable_by_others_are_refused() {
    let refused = |text: &[u8], mode: u32, words: &str| {
        let (_folder, path) = file(text);
        set_mode(&path, mode);
        let error = read_passfile(&path).expect_err(words);
        assert!(
            error.contains(words) && !error.contains("hunter2"),
            "{error}"
        );
    };
    refused(b"*:*:*:*:hunter2\xFF", 0o600, "not UTF-8");
    refused(
        "#".repeat(65 << 10).as_bytes(),
        0o600,
        "more than 65536 bytes",
    );
    #[cfg(unix)]
    for mode in [0o644, 0o604, 0o620, 0o610] {
        refused(b"*:*:*:*:hunter2", mode, "chmod 600");
    }
}

#[cfg(unix)]
#[test]
fn only_files_of_root_may_be_readable_by_their_group() {
    let private = |owner: u32| {
        [0o600, 0o400, 0o640, 0o440, 0o660, 0o450, 0o644, 0o404]
            .map(|mode| is_mode_private(0o100_000 | mode, owner))
    };
    let mut expected = [true, true, true, true, false, false, false, false];
    assert_eq!(private(0), expected);
    expected[2..4].fill(false);
    assert_eq!(private(1000), expected);
}

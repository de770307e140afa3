//! `serve --check`: what a start would fail on is said before a restart.

use super::*;

#[track_caller]
fn refused(folder: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> String {
    let mut command = program(folder);
    command.args(["serve", "--check"]).args(arguments);
    let output = command.envs(variables.iter().copied()).output();
    let output = output.expect("the program runs");
    assert!(!output.status.success(), "{arguments:?} {variables:?}");
    stderr(&output)
}

#[test]
fn a_check_opens_nothing_and_finds_what_a_start_would_fail_on() {
    let folder = folder();
    let path = folder.path();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let taken = taken.local_addr().expect("its address").to_string();
    let good = ["--database", "data.sqlite", "--audit", "audit.jsonl"];
    let check = ["serve", "--check", "--listen", &taken];
    succeed(path, &[&check, &good[..]].concat());
    assert!(!path.join("audit.jsonl").exists());

    let database = ["--database", "data.sqlite"];
    let said = refused(path, &database, &[("PROCUREMENT_LOOKUP_RNP_RATE", "ten")]);
    assert!(said.contains("--rnp-rate"), "{said}");
    let said = refused(path, &["--database", "none.sqlite"], &[]);
    assert!(said.contains("none.sqlite"), "{said}");
    let said = refused(path, &[&database[..], &["--audit", "none/a"]].concat(), &[]);
    assert!(said.contains("--audit"), "{said}");
    fs::write(path.join("keys.sqlite"), "no keys").expect("a file");
    let said = refused(path, &database, &[]);
    assert!(said.contains("keys.sqlite"), "{said}");
}

#[test]
#[cfg(unix)]
fn keys_that_root_makes_name_the_user_of_the_folder_and_the_command_that_gives_them_to_it() {
    use std::os::unix::fs::{MetadataExt, chown};

    let folder = folder();
    let path = folder.path();
    let issue = ["keys", "issue", "office", "--database", "data.sqlite"];
    let is_root = path.metadata().expect("a folder").uid() == 0;
    // Only root can make a folder another user's.
    if !is_root || chown(path, Some(65_534), Some(65_534)).is_err() {
        return;
    }
    let output = run(path, &issue);
    let said = stderr(&output);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("`chown nobody:"), "{said}");
}

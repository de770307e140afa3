//! What an administrator does before a start: `serve --check`, and keys where disks are full and
//! folders are another user's.

use super::*;

#[track_caller]
fn refused(folder: &Path, options: &str, variables: &[(&str, &str)]) -> String {
    let mut command = program(folder);
    command.args(["serve", "--check"]).envs(variables.to_vec());
    let output = command.args(options.split_whitespace()).output();
    let output = output.expect("the program runs");
    assert!(!output.status.success(), "{options:?} {variables:?}");
    stderr(&output)
}

#[test]
fn a_check_opens_nothing_and_finds_what_a_start_would_fail_on() {
    let folder = folder();
    let path = folder.path();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let taken = taken.local_addr().expect("its address");
    let good = "--database data.sqlite --audit audit.jsonl";
    succeed(path, &format!("serve --check --listen {taken} {good}"));
    assert!(!path.join("audit.jsonl").exists());
    let database = "--database data.sqlite";
    for (options, variables, words) in [
        (
            database,
            &[("PROCUREMENT_LOOKUP_RNP_RATE", "ten")][..],
            "--rnp-rate",
        ),
        ("--database none.sqlite", &[], "none.sqlite"),
        ("--database data.sqlite --audit none/a", &[], "--audit"),
    ] {
        let said = refused(path, options, variables);
        assert!(said.contains(words), "{said}");
    }
    fs::write(path.join("keys.sqlite"), "no keys").expect("a file");
    let said = refused(path, database, &[]);
    assert!(said.contains("keys.sqlite"), "{said}");
}

#[test]
fn a_check_reads_all_of_a_database_whose_new_files_are_checked() {
    let folder = folder();
    let path = folder.path();
    succeed(path, "serve --check --check-new --database data.sqlite");
    Connection::open(path.join("data.sqlite"))
        .and_then(|file| file.execute("DELETE FROM contract", ()))
        .expect("damage");
    succeed(path, "serve --check --database data.sqlite");
    let check_new = [("PROCUREMENT_LOOKUP_CHECK_NEW", "1")];
    let said = refused(path, "--database data.sqlite", &check_new);
    assert!(said.contains("data.sqlite: the file is damaged"), "{said}");
}

#[test]
#[cfg(unix)]
fn keys_that_root_makes_name_the_user_of_the_folder_and_the_command_that_gives_them_to_it() {
    use std::os::unix::fs::{MetadataExt, chown};

    let folder = folder();
    let path = folder.path();
    let is_root = path.metadata().expect("a folder").uid() == 0;
    // Only root can make a folder another user's.
    if !is_root || chown(path, Some(65_534), Some(65_534)).is_err() {
        return;
    }
    let output = run(path, "keys issue office --database data.sqlite");
    let said = stderr(&output);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("`chown nobody:"), "{said}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_key_is_revoked_where_the_disk_is_full_and_none_is_issued() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = r#"mkdir full && mount -t tmpfs -o size=256k tmpfs full || exit 77
        "$0" keys issue office --keys full/keys.sqlite || exit 1
        cat /dev/zero > full/filler
        "$0" keys issue other --keys full/keys.sqlite && exit 2
        "$0" keys revoke office --keys full/keys.sqlite"#;
    let mut command = Command::new("unshare");
    command.args(["--mount", "sh", "-c", script, PROGRAM]);
    // Without the right to mount there is no small disk.
    let Ok(output) = command.current_dir(folder.path()).output() else {
        return;
    };
    let said = stderr(&output);
    let is_refused = output.status.code() == Some(77) || said.starts_with("unshare");
    assert!(is_refused || output.status.success(), "{said}");
}

#[test]
#[cfg(unix)]
fn a_key_that_nobody_is_told_is_not_issued_where_the_folder_cannot_be_synced() {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;

    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("keys");
    fs::create_dir(&path).expect("a folder");
    let mut command = program(folder.path());
    if std::os::unix::fs::chown(&path, Some(65_534), None).is_ok() {
        // Root may read any folder.
        command.uid(65_534);
        let open = fs::Permissions::from_mode(0o755);
        fs::set_permissions(folder.path(), open).expect("rights");
    }
    fs::set_permissions(&path, fs::Permissions::from_mode(0o300)).expect("rights");
    let issue = ["keys", "issue", "office", "--keys", "keys/keys.sqlite"];
    // The other user may not be let to the program itself.
    let Ok(output) = command.args(issue).output() else {
        return;
    };
    assert_eq!(output.status.success(), path.join("keys.sqlite").exists());
}

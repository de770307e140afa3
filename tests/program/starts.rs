//! What can be checked before the server starts: `serve --check`, and issuing keys when the disk is
//! full or the folder belongs to another user.

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
fn a_check_listens_nowhere_and_finds_problems_that_would_prevent_a_start() {
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
        let message = refused(path, options, variables);
        assert!(message.contains(words), "{message}");
    }
    fs::write(path.join("keys.sqlite"), "no keys").expect("a file");
    let message = refused(path, database, &[]);
    assert!(message.contains("keys.sqlite"), "{message}");
}

#[test]
fn with_check_new_a_check_reads_the_whole_database() {
    let folder = folder();
    let path = folder.path();
    succeed(path, "serve --check --check-new --database data.sqlite");
    Connection::open(path.join("data.sqlite"))
        .and_then(|file| file.execute("DELETE FROM contract", ()))
        .expect("damage");
    succeed(path, "serve --check --database data.sqlite");
    let check_new = [("PROCUREMENT_LOOKUP_CHECK_NEW", "1")];
    let message = refused(path, "--database data.sqlite", &check_new);
    assert!(
        message.contains("data.sqlite: the file is damaged"),
        "{message}"
    );
}

#[test]
#[cfg(unix)]
fn keys_issued_by_root_in_the_folder_of_another_user_advise_chown() {
    use std::os::unix::fs::{MetadataExt, chown};

    let folder = folder();
    let path = folder.path();
    let is_root = path.metadata().expect("a folder").uid() == 0;
    // Only root can change the owner of a folder.
    if !is_root || chown(path, Some(65_534), Some(65_534)).is_err() {
        return;
    }
    let output = run(path, "keys issue office --database data.sqlite");
    let message = stderr(&output);
    assert!(output.status.success(), "{message}");
    assert!(message.contains("`chown nobody:"), "{message}");
}

#[test]
#[cfg(target_os = "linux")]
fn on_a_full_disk_a_key_can_be_revoked_but_not_issued() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = r#"mkdir full && mount -t tmpfs -o size=256k tmpfs full || exit 77
        "$0" keys issue office --keys full/keys.sqlite || exit 1
        cat /dev/zero > full/filler
        "$0" keys issue other --keys full/keys.sqlite && exit 2
        "$0" keys revoke office --keys full/keys.sqlite"#;
    let mut command = Command::new("unshare");
    command.args(["--mount", "sh", "-c", script, PROGRAM]);
    // The test is skipped if it has no permission to mount.
    let Ok(output) = command.current_dir(folder.path()).output() else {
        return;
    };
    let message = stderr(&output);
    let is_refused = output.status.code() == Some(77) || message.starts_with("unshare");
    assert!(is_refused || output.status.success(), "{message}");
}

#[test]
#[cfg(unix)]
fn no_key_is_stored_unless_it_is_printed_even_if_the_folder_cannot_be_synced() {
    use std::os::unix::fs::PermissionsExt;

    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("keys");
    fs::create_dir(&path).expect("a folder");
    let mut command = program_without_root(folder.path(), &path);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o300)).expect("rights");
    let issue = ["keys", "issue", "office", "--keys", "keys/keys.sqlite"];
    // The other user may not have access to the program.
    let Ok(output) = command.args(issue).output() else {
        return;
    };
    assert_eq!(output.status.success(), path.join("keys.sqlite").exists());
}

/// Returns a command that runs the program in `folder` as the owner of `path`. The owner must not
/// be root, who could write to any folder.
#[cfg(unix)]
fn program_without_root(folder: &Path, path: &Path) -> Command {
    use std::os::unix::fs::{PermissionsExt, chown};
    use std::os::unix::process::CommandExt;

    let mut command = program(folder);
    if chown(path, Some(65_534), None).is_ok() {
        command.uid(65_534);
        let open = fs::Permissions::from_mode(0o755);
        fs::set_permissions(folder, open).expect("rights");
    }
    command
}

#[test]
#[cfg(target_os = "linux")]
fn a_folder_that_cannot_be_entered_is_named() {
    use std::os::unix::fs::PermissionsExt;

    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("closed");
    fs::create_dir(&path).expect("a folder");
    for file in ["data.sqlite", "keys.sqlite", "signing.pem"] {
        fs::write(path.join(file), "").expect("written");
    }
    for options in [
        ["serve", "--check", "--database", "closed/data.sqlite"],
        ["serve", "--check", "--keys", "closed/keys.sqlite"],
        ["serve", "--check", "--signing-key", "closed/signing.pem"],
        [
            "import",
            "closed/lines.jsonl",
            "--database",
            "closed/data.sqlite",
        ],
    ] {
        let mut command = program_without_root(folder.path(), &path);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).expect("rights");
        let output = command.args(options).output();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o700)).expect("rights");
        // The other user may not have access to the program.
        let Ok(output) = output else {
            return;
        };
        let message = stderr(&output);
        assert!(!output.status.success(), "{message}");
        assert!(
            message.contains("this user may not enter the folder closed"),
            "{options:?} {message}"
        );
    }
}

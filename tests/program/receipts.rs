//! Receipts: the signing key, a server that signs, and `verify`.

#[cfg(unix)]
use std::os::unix::fs::PermissionsExt;

use super::*;

/// Default path of the signing key of a server with the demonstration data, relative to the current
/// folder.
const KEY: &str = "signing.pem";

/// Checks that `verify` exits with this status and prints a single sentence that contains these
/// words.
#[track_caller]
fn check(folder: &Path, files: &str, status: i32, words: &str) {
    let output = run(folder, &format!("verify {files} --public-key public.pem"));
    let printed = stdout(&output) + &stderr(&output);
    assert_eq!(output.status.code(), Some(status), "{printed}");
    assert!(printed.contains(words), "{printed}");
    assert_eq!(printed.lines().count(), 1, "{printed}");
}

#[test]
fn a_receipt_is_verified_with_the_server_key_and_the_answer() {
    let place = tempfile::tempdir().expect("a folder");
    let folder = place.path();
    let public = succeed(folder, "keys signing-key");
    let server = Server::start(folder, "--server-name desk-2");
    let response = server.get(&format!("{RNP}&apikey=demo&receipt=1"));
    let (head, body) = response.split_once("\r\n\r\n").expect("a head");
    let line = head.split("X-Receipt: ").nth(1).expect("a receipt");
    let line = line.lines().next().expect("a line");
    for (file, content) in [
        ("public.pem", public.as_str()),
        ("head", head),
        ("body", body),
        ("line", &format!("{line}\n")),
        ("empty", ""),
        (
            "changed-head",
            &head.replace("server=desk-2", "server=desk-3"),
        ),
        ("changed-body", &body.replace("false", "true")),
    ] {
        fs::write(folder.join(file), content).expect("a file");
    }
    for (files, status, words) in [
        ("head", 0, "valid: desk-2 answered /rnp/"),
        ("head body", 0, ", with body"),
        ("line body", 0, "valid: "),
        ("empty", 1, "has no receipt"),
        ("none", 1, "error: none: "),
        ("head none", 1, "error: none: "),
        ("head changed-body", 1, "changed-body is not the answer"),
        ("changed-head body", 1, "the receipt was altered"),
    ] {
        check(folder, files, status, words);
    }
    check_several_receipts(folder, &server);
    let other = succeed(folder, "keys signing-key --signing-key other.pem");
    fs::write(folder.join("public.pem"), other).expect("a file");
    check(folder, "head body", 1, "not signed with this key");
    fs::copy(folder.join(KEY), folder.join("public.pem")).expect("a copy");
    let words = "error: public.pem: it is not an Ed25519";
    check(folder, "head", 1, words);
}

/// Checks that a file of receipts is valid only if every receipt in it is valid and the receipts
/// together cover every line of the responses.
fn check_several_receipts(folder: &Path, server: &Server) {
    let [mut receipts, mut answers] = [String::new(), String::new()];
    for inn in ["9602000445", "9602003485"] {
        let path = format!("/rnp/check-suppliers?supplierINN={inn}&format=json&apikey=demo");
        let response = server.get(&format!("{path}&receipt=1"));
        let (head, body) = response.split_once("\r\n\r\n").expect("a head");
        let line = head.split("X-Receipt: ").nth(1).expect("a receipt");
        receipts += &format!("{}\n", line.lines().next().expect("a line"));
        answers += &format!("{body}\n");
    }
    for (file, content) in [
        ("receipts", receipts.clone()),
        ("answers", answers.clone()),
        ("more", format!("{answers}{{}}\n")),
        ("fewer", answers.lines().take(1).collect()),
        ("bent", receipts.replacen("9602003485", "9602003486", 1)),
    ] {
        fs::write(folder.join(file), content).expect("a file");
    }
    for (files, status, words) in [
        (
            "receipts answers",
            0,
            "valid: 2 receipts: desk-2 answered /rnp/",
        ),
        ("receipts answers", 0, ", with answers"),
        ("receipts", 0, "supplierINN=9602003485"),
        (
            "receipts more",
            1,
            "line 3 of more is not an answer that a receipt names",
        ),
        (
            "receipts fewer",
            1,
            "not the answer that receipt 2 of 2 names",
        ),
        ("bent answers", 1, "receipt 2 of 2 was altered"),
    ] {
        check(folder, files, status, words);
    }
}

#[test]
fn the_key_is_created_once_and_its_public_key_is_served() {
    let place = tempfile::tempdir().expect("a folder");
    let folder = place.path();
    fs::create_dir(folder.join("data")).expect("a folder");
    let make = "keys signing-key --database data/data.sqlite";
    let public = succeed(folder, make);
    let private = || fs::read_to_string(folder.join("data").join(KEY)).expect("the key");
    let first = private();
    assert!(first.starts_with("-----BEGIN PRIVATE KEY-----\n"));
    assert!(public.starts_with("-----BEGIN PUBLIC KEY-----\n"));
    for again in [make, "keys signing-key --keys data/keys.sqlite"] {
        assert_eq!(succeed(folder, again), public);
        assert_eq!(private(), first);
    }
    let server = Server::start(folder, "--signing-key data/signing.pem");
    let response = server.get("/signing-key.pem");
    assert!(response.ends_with(&public), "{response}");
}

#[cfg(unix)]
#[test]
fn a_missing_key_or_one_that_others_may_use_is_refused() {
    let place = tempfile::tempdir().expect("a folder");
    let folder = place.path();
    succeed(folder, "keys signing-key");
    let path = folder.join(KEY);
    let mode = fs::metadata(&path).expect("the key").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    for open in [0o640, 0o604, 0o620, 0o601] {
        fs::set_permissions(&path, fs::Permissions::from_mode(open)).expect("its mode");
        for line in ["keys signing-key", "serve"] {
            let output = run(folder, line);
            assert_eq!(output.status.code(), Some(1), "{open:o}");
            let printed = stderr(&output);
            assert!(
                printed.contains("signing.pem: other users can access this file"),
                "{printed}"
            );
        }
    }
    let output = run(folder, "serve --signing-key none.pem");
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("error: none.pem: "));
}

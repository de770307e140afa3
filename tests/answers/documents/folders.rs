//! Special files, and links to folders.

use super::*;

#[cfg(unix)]
#[test]
fn a_pipe_is_reported_without_blocking() {
    let folder = Folder::new();
    let inner = folder.path().join("in");
    fs::create_dir(&inner).expect("a folder");
    let made = std::process::Command::new("mkfifo")
        .arg(inner.join("pipe.xml"))
        .status();
    assert!(made.expect("mkfifo").success());
    fs::write(inner.join("good.xml"), GOOD).expect("it is written");
    let (summary, problems) = folder.import_paths(std::slice::from_ref(&inner), false);
    assert_eq!(
        problems,
        ["in/pipe.xml: neither a regular file nor a folder"]
    );
    assert_eq!(summary.kinds["contract"].0.new, 1);
}

#[cfg(unix)]
#[test]
fn folders_with_several_links_are_read_once() {
    let folder = Folder::new();
    let inner = folder.path().join("in");
    fs::create_dir_all(inner.join("a/b")).expect("a folder");
    for name in ["x", "y", "a/x", "a/b/x", "a/b/y"] {
        std::os::unix::fs::symlink(&inner, inner.join(name)).expect("a link");
    }
    fs::write(inner.join("a/b/good.xml"), GOOD).expect("it is written");
    let (summary, problems) = folder.import_paths(&[inner.clone(), inner], false);
    assert_eq!(problems, [""; 0]);
    // The folder is read once for each argument.
    let (tally, _) = summary.kinds["contract"];
    assert_eq!((tally.new, tally.unchanged), (1, 1));
}

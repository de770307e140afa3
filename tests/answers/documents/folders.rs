//! Files and folders that are not what they seem.

use super::*;

#[cfg(unix)]
#[test]
fn a_pipe_is_named_and_not_waited_for() {
    let folder = Folder::new();
    let inner = folder.0.path().join("in");
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
fn folders_that_links_lead_to_again_are_read_once() {
    let folder = Folder::new();
    let inner = folder.0.path().join("in");
    fs::create_dir_all(inner.join("a/b")).expect("a folder");
    for name in ["x", "y", "a/x", "a/b/x", "a/b/y"] {
        std::os::unix::fs::symlink(&inner, inner.join(name)).expect("a link");
    }
    fs::write(inner.join("a/b/good.xml"), GOOD).expect("it is written");
    let (summary, problems) = folder.import_paths(&[inner.clone(), inner], false);
    assert_eq!(problems, [""; 0]);
    // Once an argument.
    let (tally, _) = summary.kinds["contract"];
    assert_eq!((tally.new, tally.unchanged), (1, 1));
}

#[test]
fn the_quarantine_is_not_read_where_it_lies_in_a_folder_that_is() {
    let folder = Folder::new();
    let inner = folder.0.path().join("in");
    fs::create_dir(&inner).expect("a folder");
    fs::write(inner.join("bad.xml"), "<contract>").expect("it is written");
    let options = Options {
        quarantine: Some(inner.join("quarantine")),
        ..Options::default()
    };
    for _ in 0..2 {
        let writer = Writer::open(&folder.database()).expect("the database opens");
        let paths = [inner.clone()];
        let summary = import(&paths, writer, &options, &mut |_| {}).expect("an import");
        assert_eq!(summary.skipped, 1);
    }
    assert_eq!(
        fs::read_dir(inner.join("quarantine")).expect("it").count(),
        2
    );
}

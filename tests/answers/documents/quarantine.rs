//! The quarantine of what is skipped; and the list of changed answers.

use super::archives::archive;
use super::*;

/// The files of a folder, and what is in them.
fn files(folder: &Path) -> BTreeMap<String, String> {
    let entries = fs::read_dir(folder).expect("the folder is there");
    entries
        .map(|entry| {
            let path = entry.expect("an entry").path();
            let name = path
                .file_name()
                .expect("a name")
                .to_string_lossy()
                .into_owned();
            (name, fs::read_to_string(path).expect("it is read"))
        })
        .collect()
}

fn import_with(folder: &Folder, path: PathBuf, options: &Options<'_>) -> Summary {
    let writer = Writer::open(&folder.database()).expect("the database opens");
    import(&[path], writer, options, &mut |_| {}).expect("the import ends well")
}

#[test]
fn what_is_skipped_is_kept_with_its_reason() {
    let folder = Folder::new();
    let quarantine = folder.0.path().join("quarantine");
    let bad = "<export><contract><regNum>1</regNum><signDate>x</signDate></contract></export>";
    let lines = format!("{}x\n{}\n{}", line(A, "7"), line(A, "8"), "{}\n");
    let many = format!("{}\n", "{}").repeat(400_000);
    let entries: [(&str, &[u8]); 5] = [
        ("good.xml", GOOD.as_bytes()),
        ("folder/bad.xml", bad.as_bytes()),
        ("../bad.xml", bad.as_bytes()),
        ("lines.jsonl", lines.as_bytes()),
        ("many.jsonl", many.as_bytes()),
    ];
    let path = folder.0.path().join("x.zip");
    fs::write(&path, archive(&entries, CompressionMethod::Stored)).expect("it is written");
    let options = Options {
        quarantine: Some(quarantine.clone()),
        ..Options::default()
    };
    let mut first = None;
    // The second time the same files are overwritten.
    for _ in 0..2 {
        let summary = import_with(&folder, path.clone(), &options);
        assert_eq!(summary.skipped, 4 + 400_000);
        let files = files(&quarantine);
        let of = |part: &str, extension: &str| -> Vec<&str> {
            let named = |name: &str| name.contains(part) && name.ends_with(extension);
            files
                .iter()
                .filter(|(name, _)| named(name))
                .map(|(_, content)| content.as_str())
                .collect()
        };
        assert_eq!(of("folder_bad_xml", ".xml"), [bad]);
        let reasons = of("folder_bad_xml", ".reason.txt");
        assert!(
            reasons.len() == 1 && reasons[0].contains("signDate: not a date: \"x\"\n"),
            "{reasons:?}"
        );
        assert_eq!(
            of("lines_jsonl", ".jsonl"),
            [format!("{}x\n{}\n", line(A, "7"), "{}")]
        );
        assert_eq!(of("lines_jsonl", ".reason.txt")[0].lines().count(), 2);
        // A file of more than one piece.
        assert_eq!(of("many_jsonl", ".jsonl"), [many.as_str()]);
        assert_eq!(of("many_jsonl", ".reason.txt")[0].lines().count(), 400_000);
        // Unreadable: there is only the reason.
        assert_eq!(files.len(), 7, "{:?}", files.keys());
        assert!(!folder.0.path().join("bad.xml").exists());
        match &first {
            None => first = Some(files),
            Some(first) => assert!(*first == files),
        }
    }
}

#[test]
fn a_quarantine_that_cannot_be_written_is_told_before_anything_is_read() {
    let folder = Folder::new();
    folder.take(GOOD);
    let options = Options {
        quarantine: Some(folder.0.path().join("x.xml").join("q")),
        ..Options::default()
    };
    let version = folder.version();
    let writer = Writer::open(&folder.database()).expect("the database opens");
    let path = folder.0.path().join("y.xml");
    fs::write(&path, GOOD.replace(">1<", ">2<")).expect("it is written");
    let error = import(&[path], writer, &options, &mut |_| {}).expect_err("no import");
    assert!(error.to_string().contains("x.xml/"), "{error}");
    assert_eq!(folder.version(), version);
}

#[test]
fn the_log_names_the_answers_that_an_import_changed() {
    let folder = Folder::new();
    let import_text = |name: &str, text: &str| {
        let path = folder.0.path().join(name);
        fs::write(&path, text).expect("it is written");
        let summary = import_with(&folder, path, &Options::default());
        (summary.changed, changes_of(&folder))
    };
    let named = GOOD.replace("<inn>", "<organizationName>А</organizationName><inn>");
    let both = named.clone() + "\n";
    let (count, changes) = import_text("x.xml", &both);
    assert_eq!((count.suppliers, count.purchases), (1, 0));
    let of = |what: &str| format!("supplier {A} {what}");
    assert_eq!(changes, ["contracts", "rnp", "name"].map(of));
    // Again it changes nothing.
    let (count, again) = import_text("x.xml", &both);
    assert_eq!((count.suppliers, count.purchases), (0, 0));
    assert_eq!(again, changes);

    // Another contract changes the page alone; an entry the registry alone; both lines of
    // a card once.
    let (_, changes) = import_text("x.xml", &named.replace(">1<", ">2<"));
    assert_eq!(changes, [of("contracts")]);
    let entry = format!(
        "{{\"type\":\"rnpEntry\",\"supplier\":{{\"inn\":\"{A}\"}},\"entry\":{{\"registrationNumber\":\"1\",\"federalLaw\":\"44\"}}}}\n"
    );
    let cards = "{\"type\":\"purchase44\",\"purchase\":{\"purchaseNumber\":\"0396000000125000001\"}}\n\
                 {\"type\":\"purchase44\",\"purchase\":{\"purchaseNumber\":\"0396000000125000001\",\"href\":\"x\"}}\n\
                 {\"type\":\"purchase615\",\"purchase\":{\"purchaseNumber\":\"039600000012500001\"}}\n";
    let (count, changes) = import_text("x.jsonl", &(entry.clone() + cards));
    assert_eq!((count.suppliers, count.purchases), (1, 2));
    let expected = [
        of("rnp"),
        "purchase44 0396000000125000001 card".to_owned(),
        "purchase615 039600000012500001 card".to_owned(),
        "registry 44 state".to_owned(),
    ];
    assert_eq!(changes, expected);
    // An entry that moves to another supplier changes both.
    let moved = entry.replace(A, "9600000023");
    let (count, _) = import_text("x.jsonl", &moved);
    assert_eq!(count.suppliers, 2);
}

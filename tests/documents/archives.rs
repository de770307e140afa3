//! Archives.

use super::*;

pub fn archive(entries: &[(&str, &[u8])], method: CompressionMethod) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(method);
    for (name, content) in entries {
        if name.ends_with('/') {
            archive.add_directory(*name, options).expect("a folder");
        } else {
            archive.start_file(*name, options).expect("an entry");
            archive.write_all(content).expect("its content");
        }
    }
    archive.finish().expect("an archive").into_inner()
}

#[test]
fn every_document_of_an_archive_goes_in() {
    let folder = Folder::new();
    let (four, eleven) = (sample("contract_4.5.xml"), sample("unfairSupplier_11.xml"));
    let lines = line(A, "5");
    let content = archive(
        &[
            ("folder/", b""),
            ("folder/one.xml", four.as_bytes()),
            ("folder/notes.txt", b"not for us"),
            (
                "bulk.XML",
                format!("<export>{GOOD}{}</export>", GOOD.replace(">1<", ">2<")).as_bytes(),
            ),
            ("lines.jsonl", lines.as_bytes()),
            ("rnp.xml", eleven.as_bytes()),
        ],
        CompressionMethod::Deflated,
    );
    let (summary, problems) = folder.import("x.zip", &content);
    assert_eq!(problems, [""; 0]);
    assert_eq!((summary.skipped, summary.counted.other_files), (0, 1));
    assert_eq!(summary.kinds["contract"].0.new, 3);
    assert_eq!(summary.kinds["unfairSupplier"].0.new, 1);
    let mut answers = folder.answers_on("2022-01-01");
    assert_eq!(answers.page("9600000023").contracts.len(), 1);
    assert_eq!(answers.page(A).contracts.len(), 3);
    assert!(answers.registry("9600000062").listed);
    let version = folder.version();
    let (again, _) = folder.import("x.zip", &content);
    assert_eq!(again.kinds["contract"].0.unchanged, 3);
    assert_eq!(folder.version(), version);
}

#[test]
fn a_bad_entry_of_an_archive_is_named_and_the_others_go_in() {
    let other = GOOD.replace(">1<", ">2<");
    let third = GOOD.replace(">1<", ">3<");
    let inner = archive(&[("a.xml", third.as_bytes())], CompressionMethod::Stored);
    let spaces = format!("<export>{}</export>", " ".repeat(4 << 20));
    let marked = GOOD.replace(">1<", "><!--here--><");
    for method in [CompressionMethod::Deflated, CompressionMethod::Stored] {
        let entries: [(&str, &[u8]); 6] = [
            ("a.xml", GOOD.as_bytes()),
            ("b.xml", b"<export>\n<contract></export>"),
            ("c.zip", &inner),
            ("d.xml", spaces.as_bytes()),
            ("e.xml", marked.as_bytes()),
            ("f.xml", other.as_bytes()),
        ];
        let mut content = archive(&entries, method);
        // The entry e is damaged: found by what it is in the archive.
        let needle = match method {
            CompressionMethod::Stored => b"<!--here-->".to_vec(),
            _ => {
                let alone = archive(&[("e.xml", marked.as_bytes())], method);
                let name = find(&alone, b"e.xml") + 5;
                alone[name + 20..name + 50].to_vec()
            }
        };
        let at = find(&content, &needle);
        content[at + 4] ^= 0xff;
        let folder = Folder::new();
        let (summary, problems) = folder.import("x.zip", content);
        let expected = [
            "x.zip/b.xml:2:",
            "x.zip/d.xml: grows more than 300 times",
            "x.zip/e.xml",
        ];
        let expected: Vec<&str> = match method {
            CompressionMethod::Stored => [&expected[..1], &expected[2..]].concat(),
            _ => expected.to_vec(),
        };
        assert_eq!(problems.len(), expected.len(), "{problems:#?}");
        for (problem, expected) in problems.iter().zip(&expected) {
            assert!(problem.starts_with(expected), "{expected}: {problem}");
        }
        assert_eq!(summary.skipped, expected.len() as u64);
        assert_eq!(folder.answers().page(A).contracts.len(), 3);
    }
    assert_eq!(MAX_RATIO, 300, "as the message has it");
}

fn find(bytes: &[u8], needle: &[u8]) -> usize {
    let mut windows = bytes.windows(needle.len());
    windows
        .position(|window| window == needle)
        .expect("it is in there")
}

#[test]
fn what_is_no_archive_is_named() {
    let whole = archive(&[("a.xml", GOOD.as_bytes())], CompressionMethod::Deflated);
    for content in [
        &b""[..],
        b"not an archive",
        GOOD.as_bytes(),
        &whole[..whole.len() / 2],
    ] {
        let folder = Folder::new();
        let (summary, problems) = folder.import("x.zip", content);
        assert_eq!((summary.skipped, problems.len()), (1, 1));
        assert!(
            problems[0].starts_with("x.zip: not a zip archive"),
            "{problems:?}"
        );
    }
    let folder = Folder::new();
    let empty = archive(&[], CompressionMethod::Deflated);
    let (summary, problems) = folder.import("x.zip", empty);
    assert_eq!((summary.skipped, problems.len()), (0, 0));
}

#[test]
fn a_folder_is_read_to_its_depths() {
    let folder = Folder::new();
    let deep = folder.0.path().join("all/2014/10");
    fs::create_dir_all(&deep).expect("folders");
    fs::write(deep.join("a.xml"), GOOD).expect("a file");
    fs::write(deep.join("readme.md"), "not for us").expect("a file");
    let zipped = archive(
        &[("b.xml", GOOD.replace(">1<", ">2<").as_bytes())],
        CompressionMethod::Deflated,
    );
    fs::write(folder.0.path().join("all/b.zip"), zipped).expect("a file");
    let (summary, problems) = folder.import_paths(&[folder.0.path().join("all")], false);
    assert_eq!(problems, [""; 0]);
    assert_eq!(summary.counted.other_files, 1);
    assert_eq!(folder.answers().page(A).contracts.len(), 2);
}

use std::fmt::Write as _;

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
fn every_document_of_an_archive_is_imported() {
    let folder = Folder::new();
    let (four, eleven) = (sample("contract-4.5.xml"), sample("unfairSupplier-11.xml"));
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
    let (summary, problems) = folder.import_file("x.zip", &content);
    assert_eq!(problems, [""; 0]);
    assert_eq!((summary.skipped, summary.counted.other_files), (0, 1));
    assert_eq!(summary.kinds["contract"].0.new, 3);
    assert_eq!(summary.kinds["unfairSupplier"].0.new, 1);
    let mut answers = folder.answers_on("2022-01-01");
    assert_eq!(answers.contract_page("9600000023").contracts.len(), 1);
    assert_eq!(answers.contract_page(A).contracts.len(), 3);
    assert!(answers.registry("9600000062").listed);
    let version = folder.version();
    let (again, _) = folder.import_file("x.zip", &content);
    assert_eq!(again.kinds["contract"].0.unchanged, 3);
    assert_eq!(folder.version(), version);
}

#[test]
fn a_bad_entry_of_an_archive_is_reported_and_others_are_imported() {
    let other = GOOD.replace(">1<", ">2<");
    let third = GOOD.replace(">1<", ">3<");
    let inner = archive(&[("a.xml", third.as_bytes())], CompressionMethod::Stored);
    let spaces = format!("<export>{}</export>", " ".repeat(4 << 20));
    let marked = GOOD.replace(">1<", "><!--here--><");
    let entries: [(&str, &[u8]); 6] = [
        ("a.xml", GOOD.as_bytes()),
        ("b.xml", b"<export>\n<contract></export>"),
        ("c.zip", &inner),
        ("d.xml", spaces.as_bytes()),
        ("e.xml", marked.as_bytes()),
        ("f.xml", other.as_bytes()),
    ];
    let mut content = archive(&entries, CompressionMethod::Deflated);
    // Damage entry `e`: take its compressed bytes from an archive that contains nothing else, and
    // find them in `content`.
    let alone = archive(&[("e.xml", marked.as_bytes())], CompressionMethod::Deflated);
    let start = find(&alone, b"e.xml") + 25;
    let at = find(&content, &alone[start..start + 30]);
    content[at + 4] ^= 0xff;
    let folder = Folder::new();
    let (summary, problems) = folder.import_file("x.zip", content);
    let expected = [
        "x.zip/b.xml:2:",
        "x.zip/d.xml: grows more than 300 times",
        "x.zip/e.xml",
    ];
    assert_eq!(problems.len(), expected.len(), "{problems:#?}");
    for (problem, expected) in problems.iter().zip(expected) {
        assert!(problem.starts_with(expected), "{expected}: {problem}");
    }
    assert_eq!(summary.skipped, 3);
    assert_eq!(folder.answers().contract_page(A).contracts.len(), 3);
    assert_eq!(MAX_RATIO, 300, "as the message has it");
}

fn find(bytes: &[u8], needle: &[u8]) -> usize {
    let mut windows = bytes.windows(needle.len());
    windows
        .position(|window| window == needle)
        .expect("it is in there")
}

#[test]
fn other_files_are_reported() {
    let whole = archive(&[("a.xml", GOOD.as_bytes())], CompressionMethod::Deflated);
    for content in [
        &b""[..],
        b"not an archive",
        GOOD.as_bytes(),
        &whole[..whole.len() / 2],
    ] {
        let folder = Folder::new();
        let (summary, problems) = folder.import_file("x.zip", content);
        assert_eq!((summary.skipped, problems.len()), (1, 1));
        assert!(
            problems[0].starts_with("x.zip: not a zip archive"),
            "{problems:?}"
        );
    }
    let folder = Folder::new();
    let empty = archive(&[], CompressionMethod::Deflated);
    let (summary, problems) = folder.import_file("x.zip", empty);
    assert_eq!((summary.skipped, problems.len()), (0, 0));
}

#[test]
fn nested_archives_are_read_to_a_bounded_depth() {
    let nested = |depth: usize| {
        let mut content = archive(&[("a.xml", GOOD.as_bytes())], CompressionMethod::Deflated);
        for _ in 1..depth {
            content = archive(&[("folder/in.zip", &content)], CompressionMethod::Deflated);
        }
        content
    };
    let folder = Folder::new();
    let (summary, problems) = folder.import_file("x.zip", nested(MAX_NESTED));
    assert_eq!(problems, [""; 0]);
    assert_eq!(summary.kinds["contract"].0.new, 1);
    let folder = Folder::new();
    let (summary, problems) = folder.import_file("x.zip", nested(MAX_NESTED + 1));
    let place = "x.zip".to_owned() + &"/folder/in.zip".repeat(MAX_NESTED);
    assert_eq!(
        problems,
        [format!("{place}: archives nested deeper than {MAX_NESTED}")]
    );
    assert_eq!(summary.skipped, 1);
}

#[test]
fn an_entry_with_a_path_outside_its_archive_is_not_read() {
    let bad = [
        "../a.xml",
        "/b.xml",
        "c/../../d.xml",
        "e\\..\\f.xml",
        "C:\\g.xml",
        "h\u{7}.xml",
    ];
    let mut entries: Vec<(&str, &[u8])> = bad.map(|name| (name, GOOD.as_bytes())).to_vec();
    let other = GOOD.replace(">1<", ">2<");
    entries.push(("good.xml", other.as_bytes()));
    let folder = Folder::new();
    let (summary, problems) =
        folder.import_file("x.zip", archive(&entries, CompressionMethod::Stored));
    assert_eq!(problems.len(), bad.len(), "{problems:#?}");
    for problem in &problems {
        assert!(problem.contains(": not read: its name "), "{problem}");
        assert!(!problem.contains('\u{7}'), "{problem:?}");
    }
    assert_eq!(summary.skipped as usize, bad.len());
    assert_eq!(folder.answers().contract_page(A).contracts.len(), 1);
}

#[test]
fn an_entry_with_wrong_metadata_is_reported_and_others_are_imported() {
    let entries: [(&str, &[u8]); 2] = [("a.xml", GOOD.as_bytes()), ("b.xml", GOOD.as_bytes())];
    let good = archive(&entries, CompressionMethod::Deflated);
    // The size of the first entry is at offset 24 of the central directory.
    let list = find(&good, b"PK\x01\x02");
    let with = |offset: usize, value: u32| {
        let mut content = good.clone();
        content[list + offset..list + offset + 4].copy_from_slice(&value.to_le_bytes());
        content
    };
    let size = GOOD.len() as u32;
    for (content, expected) in [
        (with(24, size - 1), "damaged in its archive: its size"),
        (with(24, size + 1), "damaged in its archive: its size"),
        (with(24, 1 << 30), "grows more than 300 times"),
        (with(16, 1), "damaged in its archive: its checksum"),
        (with(10, 99), "compressed with a method other than deflate"),
        (with(8, 1), "encrypted"),
    ] {
        let folder = Folder::new();
        let (summary, problems) = folder.import_file("x.zip", content);
        assert_eq!(problems.len(), 1, "{expected}: {problems:?}");
        assert!(problems[0].contains(expected), "{expected}: {problems:?}");
        assert_eq!((summary.skipped, summary.kinds["contract"].0.new), (1, 1));
    }
    let (summary, problems) = Folder::new().import_file("x.zip", with(20, 1 << 30));
    assert_eq!((summary.skipped, summary.counted.records()), (1, 0));
    assert!(problems[0].contains("its entries overlap"), "{problems:?}");
}

#[test]
fn an_archive_with_overlapping_entries_is_refused() {
    let large = format!("<export>{}</export>", "x".repeat(1 << 20));
    let good = archive(&[("a.xml", large.as_bytes())], CompressionMethod::Stored);
    let list = find(&good, b"PK\x01\x02");
    let end = find(&good, b"PK\x05\x06");
    // All entries of the directory point to the same place and claim to decompress to one byte.
    let mut entry = good[list..end].to_vec();
    entry[24..28].copy_from_slice(&1_u32.to_le_bytes());
    let count = 2000_u16;
    let mut lying = good[..list].to_vec();
    lying.extend(entry.repeat(count.into()));
    let mut tail = good[end..].to_vec();
    tail[8..10].copy_from_slice(&count.to_le_bytes());
    tail[10..12].copy_from_slice(&count.to_le_bytes());
    let length = (entry.len() * usize::from(count)) as u32;
    tail[12..16].copy_from_slice(&length.to_le_bytes());
    lying.extend(tail);
    let folder = Folder::new();
    for _ in 0..2 {
        let (summary, problems) = folder.import_file("x.zip", &lying);
        let expected = "x.zip: its entries overlap, so it decompresses to more than it contains";
        assert_eq!(problems, [expected]);
        assert_eq!((summary.skipped, summary.archives_unchanged), (1, 0));
    }
}

#[test]
fn entries_and_files_over_the_bound_are_reported() {
    let folder = Folder::new();
    let file = folder.path().join("large.xml");
    let large = fs::File::create(&file).expect("a file");
    large.set_len(MAX_DOCUMENT_FILE + 1).expect("a long one");
    let (summary, problems) = folder.import_paths(&[file], false);
    assert_eq!((summary.skipped, problems.len()), (1, 1));
    assert!(
        problems[0].ends_with("large.xml: larger than 64 MiB"),
        "{problems:?}"
    );
    assert_eq!(MAX_DOCUMENT_FILE, 64 << 20, "as the message has it");
}

#[test]
fn an_archive_over_the_total_bound_is_abandoned() {
    // Each document, and the inner archive of forty equal documents, decompresses to less than 300
    // times its size; together they exceed a thousand times.
    let mut random = 1_u32;
    let mut document = "<export><note/>".to_owned();
    while document.len() < 4_000_000 {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let _ = write!(document, "{random:08x}{:>1500}", " ");
    }
    document += "</export>";
    let once = archive(
        &[("a.xml", document.as_bytes())],
        CompressionMethod::Deflated,
    );
    assert!(once.len() < 30_000 && document.len() / once.len() < 250);
    let names: Vec<String> = (0..40).map(|index| format!("{index}.zip")).collect();
    let copies: Vec<(&str, &[u8])> = names
        .iter()
        .map(|name| (name.as_str(), once.as_slice()))
        .collect();
    let copies = archive(&copies, CompressionMethod::Stored);
    let all = archive(&[("in.zip", &copies)], CompressionMethod::Deflated);
    let folder = Folder::new();
    let (summary, problems) = folder.import_file("x.zip", all);
    assert_eq!(problems.len(), 1, "{problems:?}");
    let words = "unpacks to more than 300 times its size";
    assert!(problems[0].contains(words), "{problems:?}");
    let read = summary.counted.passed_over["note"];
    assert!((1..40).contains(&read), "{read}");
}

//! Zip archives: imports any bytes as an archive.

use std::io::{Cursor, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::documents;

pub fn run(data: &[u8]) {
    drop(documents::import("archive.zip", data));
}

/// Archives with documents, lines and nested archives, deflated or stored.
pub fn seeds(documents: &[Vec<u8>], lines: &[u8]) -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    // A sample is enough, because the target `documents` imports all of them.
    for (index, document) in documents.iter().step_by(8).enumerate() {
        let method = match index % 2 {
            0 => CompressionMethod::Deflated,
            _ => CompressionMethod::Stored,
        };
        let single = archive(&[("a.xml", document)], method);
        let entries: [(&str, &[u8]); 4] = [
            ("folder/a.xml", document),
            ("in.zip", &single),
            ("b.jsonl", lines),
            ("readme.txt", b"other"),
        ];
        seeds.extend([archive(&entries, method), single]);
    }
    seeds
}

fn archive(entries: &[(&str, &[u8])], method: CompressionMethod) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(method);
    for (name, content) in entries {
        archive.start_file(*name, options).expect("an entry");
        archive.write_all(content).expect("its content");
    }
    archive.finish().expect("an archive").into_inner()
}

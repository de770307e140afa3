//! The archives that are given out.

use std::io::{Cursor, Write};

use crc32fast::Hasher;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::Body;

/// An archive of documents.
#[derive(Clone, Debug)]
pub enum Archive {
    /// A flat zip of documents.
    Documents(Vec<Document>),
    /// A zip of so many bytes, whatever its size up to 4 GB: documents of an unknown kind,
    /// not compressed, made while they are sent.
    Filler(u64),
    /// Any bytes, as they are.
    Bytes(Vec<u8>),
}

/// A file of an archive.
#[derive(Clone, Debug)]
pub struct Document {
    /// `<type>_<number>_<version>_<32 hex>.xml`.
    pub name: String,
    /// Its XML.
    pub xml: Vec<u8>,
}

impl Archive {
    /// Its bytes. The same archive has the same bytes.
    pub fn body(&self) -> Body {
        match self {
            Self::Documents(documents) => zip(documents).into(),
            Self::Filler(size) => filler(*size),
            Self::Bytes(bytes) => bytes.clone().into(),
        }
    }
}

/// A zip of documents, deflated.
///
/// # Panics
/// Where two documents have one name.
pub fn zip(documents: &[Document]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for document in documents {
        let written = writer
            .start_file(&*document.name, SimpleFileOptions::default())
            .and_then(|()| Ok(writer.write_all(&document.xml)?));
        written.expect("names of their own, bytes in memory");
    }
    let finished = writer.finish().expect("bytes in memory");
    finished.into_inner()
}

const BEGIN: &[u8] = b"<filler>";
const END: &[u8] = b"</filler>";

/// The most that one document of filler is padded by.
const MAX_PADDING: u64 = 16 << 20;

/// Sizes of the records of a zip: the header of a file and its entry in the directory
/// (without its name), and the directory's end.
const HEADER: u64 = 30;
const ENTRY: u64 = 46;
const DIRECTORY_END: u64 = 22;

fn filler(size: u64) -> Body {
    let name_length = filler_name(0).len() as u64;
    let fixed = HEADER + ENTRY + 2 * name_length + (BEGIN.len() + END.len()) as u64;
    let count = size.div_ceil(MAX_PADDING).max(1);
    let padding = size.saturating_sub(DIRECTORY_END + count * fixed);
    let mut body = Body::default();
    let mut directory = Vec::new();
    let mut offset = 0;
    for number in 0..count {
        let padding = padding / count + u64::from(number < padding % count);
        let length = padding + (BEGIN.len() + END.len()) as u64;
        let name = filler_name(number);
        let common = common_fields(filler_crc(padding), length, &name);
        let mut header = b"PK\x03\x04".to_vec();
        header.extend(&common);
        header.extend(name.as_bytes());
        header.extend(BEGIN);
        body = body.bytes(header).run(b' ', padding).bytes(END);
        directory.extend(b"PK\x01\x02\x14\x00");
        directory.extend(&common);
        directory.extend([0; 10]);
        directory.extend(four_bytes(offset));
        directory.extend(name.as_bytes());
        offset += HEADER + name_length + length;
    }
    body.bytes(directory_end(count, directory, offset))
}

fn filler_name(number: u64) -> String {
    format!("filler_{number:010}_1_{number:032x}.xml")
}

/// What the header of a file and its entry in the directory have in common: the version
/// needed, flags, method (stored), time, checksum, sizes, lengths of the name and of extras.
fn common_fields(crc: u32, length: u64, name: &str) -> Vec<u8> {
    let mut fields = vec![0x14, 0, 0, 0, 0, 0, 0, 0, 0x21, 0];
    fields.extend(crc.to_le_bytes());
    fields.extend(four_bytes(length));
    fields.extend(four_bytes(length));
    fields.extend(&four_bytes(name.len() as u64)[..2]);
    fields.extend([0, 0]);
    fields
}

fn directory_end(count: u64, mut directory: Vec<u8>, offset: u64) -> Vec<u8> {
    let length = directory.len() as u64;
    let count = &four_bytes(count)[..2];
    directory.extend(b"PK\x05\x06\0\0\0\0");
    directory.extend(count);
    directory.extend(count);
    directory.extend(four_bytes(length));
    directory.extend(four_bytes(offset));
    directory.extend([0, 0]);
    directory
}

fn four_bytes(number: u64) -> [u8; 4] {
    u32::try_from(number)
        .expect("archives are under 4 GB")
        .to_le_bytes()
}

/// The checksum of a document of filler, put together of those of its parts.
fn filler_crc(padding: u64) -> u32 {
    const BLOCK: u64 = 1 << 20;
    let hasher = |length: u64| {
        let mut hasher = Hasher::new();
        hasher.update(&vec![b' '; length as usize]);
        hasher
    };
    let mut total = Hasher::new();
    total.update(BEGIN);
    if padding >= BLOCK {
        let block = hasher(BLOCK);
        for _ in 0..padding / BLOCK {
            total.combine(&block);
        }
    }
    total.combine(&hasher(padding % BLOCK));
    total.update(END);
    total.finalize()
}

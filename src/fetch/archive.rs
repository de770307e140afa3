//! Saves the body of a response as a complete, readable archive, or not at all.
//!
//! The body is first written to a temporary file (`.part`), which `import` ignores. If the zip
//! arrives compressed with gzip, it is decompressed on the way. Then every entry is read and its
//! checksum verified. Finally, the file is synced to disk and renamed to the SHA-256 of its bytes.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use flate2::read::GzDecoder;

use super::answer::is_html;
use super::failure::{FailureKind, FetchFailure, RequestFailure};
use crate::model::Sha256;
use crate::zip::{Archive, MAX_RATIO};

/// Time within which each [`LEAST_RATE`] bytes of an archive must arrive.
pub const RATE_SPAN: Duration = Duration::from_secs(300);

/// Minimum number of bytes that must arrive within each [`RATE_SPAN`].
pub const LEAST_RATE: u64 = 1 << 20;

/// Upper bound on the bytes of an archive, both as received and after unpacking gzip.
pub const MAX_DOWNLOAD: u64 = 8 << 30;

/// How many bytes of a body are searched for the reason why it is not an archive.
const MAX_TEXT: u64 = 64 << 10;

/// Word in the page that the service returns for a link requested too often.
const BLOCKED: &str = "заблокирован";

const PART: (&str, &str) = (".fetch-", ".part");

/// An archive saved to disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FetchedArchive {
    /// SHA-256 of the file. Also the file's name.
    pub digest: [u8; 32],
    /// In bytes.
    pub length: u64,
}

impl FetchedArchive {
    /// Returns the file name for a digest: hexadecimal digits and `.zip`.
    pub fn file_name(digest: &[u8; 32]) -> String {
        let mut name = String::with_capacity(68);
        for byte in digest {
            for digit in [byte >> 4, byte & 15] {
                name.extend(char::from_digit(digit.into(), 16));
            }
        }
        name.push_str(".zip");
        name
    }
}

impl From<String> for RequestFailure {
    fn from(what: String) -> Self {
        unreadable(&format!("an archive that cannot be read: {what}"))
    }
}

/// Another request may return a readable archive.
fn unreadable(what: &str) -> RequestFailure {
    RequestFailure::new(FailureKind::Passing, what)
}

fn incomplete(error: io::Error) -> RequestFailure {
    RequestFailure::incomplete("the archive", &error)
}

/// Another request would return the same archive.
fn refused(what: &str) -> RequestFailure {
    RequestFailure::new(FailureKind::Lasting, what)
}

fn unwritable(folder: &Path, error: &io::Error) -> RequestFailure {
    RequestFailure::lasting(FetchFailure::Ended(format!(
        "{}: cannot be written: {error}; make room or check the folder, then give the same \
         command again",
        folder.display()
    )))
}

/// Returns whether the path is that of a temporary file. One that is still there was left behind by
/// a killed process.
pub fn is_partial(path: &Path) -> bool {
    let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
    name.starts_with(PART.0) && name.ends_with(PART.1)
}

/// Name, checksum and size of each entry. Names of official documents are unique, so archives with
/// equal contents hold the same documents.
pub type ArchiveContents = HashSet<(String, u32, u64)>;

/// Upper bound on the entries of archives that are compared.
const MAX_COMPARED: usize = 100_000;

/// Returns the entries of an archive, or `None` if they cannot be read or there are too many to
/// compare.
pub fn contents(path: &Path) -> Option<ArchiveContents> {
    let archive = Archive::open(File::open(path).ok()?).ok()?;
    let mut contents = ArchiveContents::new();
    let all = archive.each_entry(|entry| {
        contents.insert((entry.name, entry.checksum, entry.size));
        match contents.len() > MAX_COMPARED {
            true => Err("too many to compare".to_owned()),
            false => Ok(()),
        }
    });
    all.ok().map(|()| contents)
}

/// Saves an archive in `folder`, creating the folder if necessary. Calls `on_bytes` with the number
/// of bytes just written, and with 0 while verifying entries. If the callback returns `true`,
/// saving stops.
pub(super) fn save(
    body: impl Read,
    folder: &Path,
    on_bytes: &mut dyn FnMut(u64) -> bool,
) -> Result<FetchedArchive, RequestFailure> {
    let wrong = |error| unwritable(folder, &error);
    if !folder.exists() {
        fs::create_dir_all(folder).map_err(wrong)?;
        folder.parent().map_or(Ok(()), synced).map_err(wrong)?;
    }
    let mut part = tempfile::Builder::new();
    part.prefix(PART.0).suffix(PART.1);
    #[cfg(unix)]
    part.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut part = part.tempfile_in(folder).map_err(wrong)?;
    let saved = unpacked(body, part.as_file_mut(), folder, on_bytes)?;
    readable(part.as_file(), on_bytes)?;
    part.as_file().sync_all().map_err(wrong)?;
    let path = folder.join(FetchedArchive::file_name(&saved.digest));
    part.persist(path).map_err(|error| wrong(error.error))?;
    synced(folder).map_err(wrong)?;
    Ok(saved)
}

/// Makes an earlier rename within the folder durable.
fn synced(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

fn unpacked(
    body: impl Read,
    file: &mut File,
    folder: &Path,
    on_bytes: &mut dyn FnMut(u64) -> bool,
) -> Result<FetchedArchive, RequestFailure> {
    let mut body = body.take(MAX_DOWNLOAD + 1);
    let start = first_bytes(&mut body)?;
    let mut body = BufReader::with_capacity(1 << 16, start.as_slice().chain(body));
    match start[..] {
        [b'P', b'K'] => copied(&mut body, file, folder, on_bytes),
        [0x1f, 0x8b] => {
            let saved = {
                let unpacked = GzDecoder::new(&mut body).take(MAX_DOWNLOAD + 1);
                copied(unpacked, file, folder, on_bytes)?
            };
            // Read to the end: a body cut off after the gzip data is an error too.
            io::copy(&mut body, &mut io::sink()).map_err(incomplete)?;
            Ok(saved)
        }
        _ => Err(classify(body)),
    }
}

/// Reads the first two bytes, even if they arrive separately. The body may be shorter.
fn first_bytes(body: impl Read) -> Result<Vec<u8>, RequestFailure> {
    let mut start = Vec::new();
    body.take(2).read_to_end(&mut start).map_err(incomplete)?;
    match start.is_empty() {
        true => Err(unreadable("an empty answer instead of an archive")),
        false => Ok(start),
    }
}

fn classify(body: impl Read) -> RequestFailure {
    let mut bytes = Vec::new();
    if let Err(error) = body.take(MAX_TEXT).read_to_end(&mut bytes) {
        return incomplete(error);
    }
    let text = String::from_utf8_lossy(&bytes).to_lowercase();
    if text.contains(BLOCKED) {
        let what = "the service has blocked a link for a few minutes";
        return RequestFailure::new(FailureKind::Blocked, what);
    }
    unreadable(match is_html(&text) {
        true => "an HTML page instead of an archive",
        false => "not a zip archive",
    })
}

fn copied(
    mut from: impl Read,
    file: &mut File,
    folder: &Path,
    on_bytes: &mut dyn FnMut(u64) -> bool,
) -> Result<FetchedArchive, RequestFailure> {
    let wrong = |error| unwritable(folder, &error);
    let mut to = BufWriter::new(file);
    let mut buffer = vec![0; 1 << 16];
    let mut hash = Sha256::new();
    let mut length = 0_u64;
    let (mut since, mut before) = (Instant::now(), 0);
    loop {
        if since.elapsed() >= RATE_SPAN {
            if length - before < LEAST_RATE {
                return Err(incomplete(io::ErrorKind::TimedOut.into()));
            }
            (since, before) = (Instant::now(), length);
        }
        let count = match from.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(incomplete(error)),
        };
        let bytes = &buffer[..count];
        length += count as u64;
        if length > MAX_DOWNLOAD {
            let what = format!("an archive larger than {} GiB", MAX_DOWNLOAD >> 30);
            return Err(refused(&what));
        }
        hash.update(bytes);
        to.write_all(bytes).map_err(wrong)?;
        if on_bytes(count as u64) {
            return Err(RequestFailure::lasting(FetchFailure::Stopped));
        }
    }
    to.flush().map_err(wrong)?;
    Ok(FetchedArchive {
        digest: hash.finish(),
        length,
    })
}

/// Checks that each entry can be unpacked and matches its checksum. Stops early if `on_bytes`
/// returns `true`.
fn readable(file: &File, on_bytes: &mut dyn FnMut(u64) -> bool) -> Result<(), RequestFailure> {
    let file = file.try_clone().map_err(|error| error.to_string())?;
    let archive = Archive::open(file)?;
    let mut left = archive.allowance();
    archive.each_entry(|entry| {
        let refused = |what: &str| refused(&format!("an archive that is not read: {what}"));
        if let Some(what) = entry.unsupported() {
            return Err(refused(&format!("an entry is {what}")));
        }
        let mut unpacked = archive.reader(&entry)?;
        let mut buffer = [0; 1 << 15];
        loop {
            let count = unpacked
                .read(&mut buffer)
                .map_err(|error| error.to_string())?;
            if count == 0 {
                return Ok(());
            }
            if on_bytes(0) {
                return Err(RequestFailure::lasting(FetchFailure::Stopped));
            }
            let what = || {
                refused(&format!(
                    "it decompresses to more than {MAX_RATIO} times its size"
                ))
            };
            left = left.checked_sub(count as u64).ok_or_else(what)?;
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    use std::io::Cursor;

    use flate2::Compression;
    use flate2::write::GzEncoder;
    use tempfile::TempDir;
    use zip::write::SimpleFileOptions;

    fn zip_of(names: &[&str], method: zip::CompressionMethod) -> Vec<u8> {
        let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
        let options = SimpleFileOptions::default().compression_method(method);
        for name in names {
            writer.start_file(*name, options).expect("an entry");
            writer
                .write_all("<export/>".repeat(100).as_bytes())
                .expect("written");
        }
        writer.finish().expect("a zip").into_inner()
    }

    fn deflated() -> Vec<u8> {
        zip_of(&["a.xml", "b.xml"], zip::CompressionMethod::Deflated)
    }

    fn gzipped(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(bytes).expect("written");
        encoder.finish().expect("gzip")
    }

    fn saved(body: &[u8]) -> (Result<FetchedArchive, RequestFailure>, Vec<String>) {
        let folder = TempDir::new().expect("a folder");
        let within = folder.path().join("2026-11-20");
        let result = save(body, &within, &mut |_| false);
        let entries = fs::read_dir(&within).expect("the folder");
        let names = entries.map(|entry| entry.expect("an entry").file_name());
        let names = names
            .map(|name| name.to_string_lossy().into_owned())
            .collect();
        (result, names)
    }

    fn check_failure(body: &[u8], kind: FailureKind, expected: &str) {
        match saved(body) {
            (Err(error), names) => {
                assert_eq!(error.kind, kind);
                assert_eq!(names, Vec::<String>::new());
                match error.failure {
                    FetchFailure::Failed(what) if what.contains(expected) => {}
                    other => panic!("{other:?}, not {expected}"),
                }
            }
            other => panic!("{other:?}"),
        }
    }

    fn check_unreadable(body: &[u8], expected: &str) {
        check_failure(body, FailureKind::Passing, expected);
    }

    #[test]
    fn an_archive_is_named_by_its_hash_even_if_gzipped() {
        for method in [
            zip::CompressionMethod::Deflated,
            zip::CompressionMethod::Stored,
        ] {
            let zip = zip_of(&["a.xml"], method);
            let (plain, names) = saved(&zip);
            let plain = plain.expect("an archive");
            assert_eq!(plain.length, zip.len() as u64);
            assert_eq!(names, [FetchedArchive::file_name(&plain.digest)]);
            let (packed, packed_names) = saved(&gzipped(&zip));
            assert_eq!(packed.expect("an archive"), plain);
            assert_eq!(packed_names, names);
        }
        let empty = zip_of(&[], zip::CompressionMethod::Stored);
        assert!(saved(&empty).0.is_ok());
        let digest = FetchedArchive::file_name(&[0xab; 32]);
        assert_eq!(digest, format!("{}.zip", "ab".repeat(32)));
    }

    #[test]
    fn incomplete_archives_have_no_name() {
        let zip = deflated();
        for end in [1, 2, 30, zip.len() / 2, zip.len() - 1] {
            check_unreadable(&zip[..end], "");
        }
        let at = zip
            .windows(5)
            .position(|bytes| bytes == b"a.xml")
            .expect("a name")
            + 8;
        let mut damaged = zip.clone();
        damaged[at] ^= 0xff;
        check_unreadable(&damaged, "cannot be read");
        check_unreadable(b"", "an empty answer");
        check_unreadable(b"<HTML><body>error</body>", "HTML");
        check_unreadable(b"something", "not a zip");
        check_unreadable(&gzipped(&gzipped(&zip)), "cannot be read");
        check_unreadable(&gzipped(b"text"), "cannot be read");
        let packed = gzipped(&zip);
        check_unreadable(&packed[..packed.len() / 2], "is incomplete");
    }

    #[test]
    fn a_blocked_link_is_recognized_by_its_text() {
        let text = "<html><body>Скачивание архива по данной ссылке Заблокировано</body></html>";
        check_failure(text.as_bytes(), FailureKind::Blocked, "blocked a link");
    }

    #[test]
    fn stopping_leaves_no_file() {
        let folder = TempDir::new().expect("a folder");
        let result = save(&deflated()[..], folder.path(), &mut |_| true);
        let failure = result.map_err(|error| error.failure);
        assert_eq!(failure, Err(FetchFailure::Stopped));
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
    }

    #[test]
    fn an_archive_that_decompresses_to_too_much_is_refused() {
        let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
        let options =
            SimpleFileOptions::default().compression_method(zip::CompressionMethod::Deflated);
        writer.start_file("a.xml", options).expect("an entry");
        let zeros = vec![0; 1 << 20];
        for _ in 0..100 {
            writer.write_all(&zeros).expect("written");
        }
        let bomb = writer.finish().expect("a zip").into_inner();
        check_failure(&bomb, FailureKind::Lasting, "300 times its size");
    }

    #[test]
    fn archives_of_the_same_documents_have_equal_contents() {
        let folder = TempDir::new().expect("a folder");
        let contents_of = |name: &str, bytes: &[u8]| {
            let path = folder.path().join(name);
            fs::write(&path, bytes).expect("written");
            contents(&path)
        };
        let packed = contents_of("a.zip", &deflated()).expect("contents");
        let stored = zip_of(&["b.xml", "a.xml"], zip::CompressionMethod::Stored);
        let stored = contents_of("b.zip", &stored).expect("contents");
        assert_eq!(packed, stored);
        let less = zip_of(&["a.xml"], zip::CompressionMethod::Stored);
        let less = contents_of("c.zip", &less).expect("contents");
        assert!(less.is_subset(&packed) && !packed.is_subset(&less));
        assert_eq!(contents_of("d.zip", b"no archive"), None);
    }
}

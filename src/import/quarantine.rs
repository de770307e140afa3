//! The quarantine: a folder with copies of what was skipped, and the reasons.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::parse::Skipped;

/// How many characters of a place the name of a copy has.
const MAX_NAME: usize = 100;

/// A folder for what is skipped. The name of a copy follows from its place, so that another
/// import of the same files overwrites the copies.
#[derive(Debug)]
pub struct Quarantine {
    folder: PathBuf,
    /// The names that this import has written, by the head of their hash.
    begun: HashSet<u64>,
}

impl Quarantine {
    /// Opens a folder, creating it if there is none.
    ///
    /// # Errors
    /// It cannot be created.
    pub fn open(folder: &Path) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        Ok(Self {
            folder: folder.to_owned(),
            begun: HashSet::new(),
        })
    }

    /// Writes what was skipped, and why: `NAME.xml` or `NAME.jsonl` as far as it could be
    /// read, and `NAME.reason.txt` with a line for each reason.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn keep<'a>(
        &mut self,
        skipped: &Skipped,
        reasons: impl Iterator<Item = &'a str>,
    ) -> io::Result<()> {
        let name = name_of(&skipped.place);
        let again = !self.begun.insert(hash_of(&skipped.place));
        if let Some(bytes) = &skipped.bytes {
            let extension = if skipped.lines { "jsonl" } else { "xml" };
            self.open_file(&name, extension, again)?.write_all(bytes)?;
        }
        let mut file = self.open_file(&name, "reason.txt", again)?;
        for reason in reasons {
            writeln!(file, "{reason}")?;
        }
        Ok(())
    }

    /// The file of one place's lines grows with each of its pieces.
    fn open_file(&self, name: &str, extension: &str, again: bool) -> io::Result<File> {
        let path = self.folder.join(format!("{name}.{extension}"));
        if again {
            OpenOptions::new().create(true).append(true).open(path)
        } else {
            File::create(path)
        }
    }
}

/// The head of the SHA-256 of a place.
fn hash_of(place: &str) -> u64 {
    let hash = Sha256::digest(place);
    u64::from_be_bytes(hash.first_chunk().copied().unwrap_or_default())
}

/// A unique file name that shows the place.
fn name_of(place: &str) -> String {
    let head = format!("{:016x}", hash_of(place));
    let plain = |c: char| if c.is_alphanumeric() { c } else { '_' };
    let shown: Vec<char> = place.chars().map(plain).collect();
    let tail: String = shown
        .iter()
        .skip(shown.len().saturating_sub(MAX_NAME))
        .collect();
    format!("{}-{head}", tail.trim_matches('_'))
}

#[cfg(test)]
mod tests {
    use super::name_of;

    #[test]
    fn names_are_of_one_folder_and_differ_where_places_do() {
        let (a, b) = (
            name_of("/x/../a b.zip/c.xml"),
            name_of("/x/__/a b.zip/c.xml"),
        );
        assert_ne!(a, b);
        assert!(a.starts_with("x____a_b_zip_c_xml-"), "{a}");
        assert!(!a.contains(['/', '.', ' ']));
        assert!(name_of(&"я".repeat(10_000)).len() < 255);
    }
}

//! The quarantine: a folder with a copy of what was skipped, and the reason beside it.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::parse::Skipped;

/// How much of a place is in the name of a copy, in characters.
const MAX_NAME: usize = 100;

/// A folder for what is skipped. The name of a copy follows from where it was found,
/// so that another import of the same files writes the same copies again.
#[derive(Debug)]
pub struct Quarantine {
    folder: PathBuf,
    /// The names that this import has written, by the head of their hash.
    begun: HashSet<u64>,
}

impl Quarantine {
    /// Opens a folder, making it if there is none.
    ///
    /// # Errors
    /// It cannot be made.
    pub fn open(folder: &Path) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        Ok(Self {
            folder: folder.to_owned(),
            begun: HashSet::new(),
        })
    }

    /// Keeps what was skipped, and why: `NAME.xml` or `NAME.jsonl` as far as it could be
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

    /// A file of the lines of one place grows with each piece of it.
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

/// A file name that tells the place and no other one has.
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

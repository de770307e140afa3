//! Lists any number of files in bounded memory.

use std::collections::BinaryHeap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, BufReader, Read, Seek, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use tempfile::SpooledTempFile;

use super::Source;

/// Upper bound on the bytes of a list in memory. A longer list moves to a temporary file.
const IN_MEMORY: usize = if cfg!(test) { 100 } else { 4 << 20 };

/// Upper bound on the names of one folder in memory. A folder with more names is listed several
/// times, each time for the next names in order.
const MAX_NAMES: usize = if cfg!(test) { 3 } else { 100_000 };

const MAX_ERRORS: usize = 20;

/// A list of files: first written, then read.
#[derive(Debug)]
pub struct FileList(SpooledTempFile);

impl FileList {
    pub fn new() -> Self {
        Self(SpooledTempFile::new(IN_MEMORY))
    }

    /// Appends a file.
    ///
    /// # Errors
    /// Returns an error if the temporary file cannot be written.
    pub fn push(&mut self, path: &Path, source: &Source) -> io::Result<()> {
        let entry = (path.as_os_str().as_bytes(), source);
        let entry = postcard::to_stdvec(&entry).map_err(io::Error::other)?;
        let length = u32::try_from(entry.len()).map_err(io::Error::other)?;
        self.0.write_all(&length.to_le_bytes())?;
        self.0.write_all(&entry)
    }

    /// Returns the files in the order in which they were added.
    ///
    /// # Errors
    /// Returns an error if the temporary file cannot be read.
    pub fn read(self) -> io::Result<ListedFiles> {
        let mut file = self.0;
        let left = file.stream_position()?;
        file.rewind()?;
        Ok(ListedFiles {
            file: BufReader::new(file),
            left,
        })
    }
}

pub struct ListedFiles {
    file: BufReader<SpooledTempFile>,
    left: u64,
}

impl ListedFiles {
    /// Returns the next file, or `None` at the end of the list.
    ///
    /// # Errors
    /// Returns an error if the temporary file cannot be read.
    pub fn next(&mut self) -> io::Result<Option<(PathBuf, Source)>> {
        if self.left == 0 {
            return Ok(None);
        }
        let mut length = [0; 4];
        self.file.read_exact(&mut length)?;
        let length = u32::from_le_bytes(length);
        let mut entry = Vec::new();
        (&mut self.file)
            .take(length.into())
            .read_to_end(&mut entry)?;
        self.left = self.left.saturating_sub(4 + u64::from(length));
        let (path, source): (Vec<u8>, Source) =
            postcard::from_bytes(&entry).map_err(io::Error::other)?;
        Ok(Some((PathBuf::from(OsString::from_vec(path)), source)))
    }
}

#[derive(Debug, Default)]
pub struct FolderNames {
    pub names: Vec<OsString>,
    /// Whether the folder has more names, which sort after `names`.
    pub has_more: bool,
    pub errors: Vec<io::Error>,
}

/// Returns up to [`MAX_NAMES`] names in a folder, in order, starting after `after`. Errors are
/// returned only by the first listing of a folder, that is, without `after`.
pub fn sorted_names(folder: &Path, after: Option<&OsStr>) -> FolderNames {
    let mut listed = FolderNames::default();
    let mut first = BinaryHeap::new();
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) => {
            listed.errors.push(error);
            return listed;
        }
    };
    for entry in entries {
        match entry.map(|entry| entry.file_name()) {
            Ok(name) if after.is_some_and(|after| *name <= *after) => {}
            Ok(name) => {
                first.push(name);
                if first.len() > MAX_NAMES {
                    first.pop();
                    listed.has_more = true;
                }
            }
            Err(error) if after.is_none() && listed.errors.len() < MAX_ERRORS => {
                listed.errors.push(error);
            }
            Err(_) => {}
        }
    }
    listed.names = first.into_sorted_vec();
    listed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_in_a_temporary_file_is_read_as_it_was_written() {
        let mut list = FileList::new();
        let name =
            |at: usize| PathBuf::from(OsString::from_vec(format!("{at}\u{fc}").into_bytes()));
        let invalid = PathBuf::from(OsString::from_vec(vec![b'a', 0xff]));
        for at in 0..100 {
            list.push(&name(at), &Source::Other).expect("written");
        }
        let problem = Source::Problem("a fault".to_owned());
        list.push(&invalid, &problem).expect("written");
        let mut files = list.read().expect("read");
        for at in 0..100 {
            let (path, source) = files.next().expect("read").expect("a file");
            assert!(matches!(source, Source::Other));
            assert_eq!(path, name(at));
        }
        let (path, source) = files.next().expect("read").expect("a file");
        assert!(matches!(source, Source::Problem(what) if what == "a fault"));
        assert_eq!(path, invalid);
        assert!(files.next().expect("read").is_none());
    }

    #[test]
    fn a_folder_of_many_names_is_listed_in_parts_in_order() {
        let folder = tempfile::tempdir().expect("a folder");
        for at in 0..3 * MAX_NAMES {
            fs::write(folder.path().join(format!("{at:02}")), "").expect("written");
        }
        let (mut all, mut last) = (Vec::new(), None);
        loop {
            let listed = sorted_names(folder.path(), last.as_deref());
            assert!(listed.errors.is_empty() && listed.names.len() <= MAX_NAMES);
            last = listed.names.last().cloned();
            all.extend(listed.names);
            if !listed.has_more {
                break;
            }
        }
        let expected: Vec<OsString> = (0..3 * MAX_NAMES)
            .map(|at| format!("{at:02}").into())
            .collect();
        assert_eq!(all, expected);
    }

    #[test]
    fn a_folder_that_cannot_be_listed_is_an_error() {
        let listed = sorted_names(Path::new("/nowhere/at/all"), None);
        assert_eq!((listed.errors.len(), listed.has_more), (1, false));
    }
}

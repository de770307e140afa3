//! The audit trail's file. The file is opened anew for each line, so that it is created again after
//! log rotation has renamed or removed it.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

pub struct TrailFile {
    path: PathBuf,
    /// Whether the file may end in the middle of a line.
    is_torn: bool,
}

impl TrailFile {
    /// Opens the file at `path` for appending. A missing file is created.
    ///
    /// # Errors
    /// Returns an error if the file is not writable, is not a regular file, or has content that is
    /// not an audit trail.
    pub fn open(path: &Path) -> io::Result<Self> {
        opened(path, OpenOptions::new().append(true).create(true))?;
        let mut first = [0];
        let read = opened(path, OpenOptions::new().read(true))?.read(&mut first)?;
        if read == 1 && first != *b"{" {
            return Err(io::Error::other(
                "the file exists and is not an audit trail",
            ));
        }
        Ok(Self {
            path: path.to_owned(),
            is_torn: false,
        })
    }
}

impl Write for TrailFile {
    /// Appends the whole line. If the previous write was cut short, starts on a new line first.
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let mut file = opened(&self.path, OpenOptions::new().append(true).create(true))?;
        let begin: &[u8] = if self.is_torn { b"\n" } else { b"" };
        // A failed write may leave part of the line in the file.
        self.is_torn = true;
        file.write_all(&[begin, line].concat())?;
        self.is_torn = false;
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The file must be regular: opening or writing to a pipe or device could block until something
/// reads from the other end.
fn opened(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    let options = options.mode(0o640).custom_flags(NONBLOCK);
    let irregular = || io::Error::other("not a regular file");
    let file = options.open(path).map_err(|error| match path.metadata() {
        Ok(metadata) if !metadata.is_file() => irregular(),
        _ => error,
    })?;
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(irregular())
    }
}

/// With this flag, opening a pipe without a reader fails immediately. Regular files ignore the
/// flag.
#[cfg(target_os = "linux")]
const NONBLOCK: i32 = rustix::fs::OFlags::NONBLOCK.bits().cast_signed();

#[cfg(not(target_os = "linux"))]
const NONBLOCK: i32 = 0;

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn lines_are_appended_to_a_replaced_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("audit");
        let mut trail = TrailFile::open(&path).expect("a file");
        trail.write_all(b"{1}\n").expect("written");
        let mut trail = TrailFile::open(&path).expect("the same file");
        trail.write_all(b"{2}\n").expect("written");
        let turned = folder.path().join("audit.1");
        fs::rename(&path, &turned).expect("renamed");
        trail.write_all(b"{3}\n").expect("written");
        assert_eq!(fs::read_to_string(&turned).expect("text"), "{1}\n{2}\n");
        assert_eq!(fs::read_to_string(&path).expect("text"), "{3}\n");
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::metadata(&path).expect("the file").permissions().mode();
        assert_eq!(mode & 0o137, 0, "{mode:o}");
    }

    #[test]
    fn a_truncated_line_is_ended_before_the_next() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("audit");
        fs::write(&path, "{\"time\":").expect("a part of a line");
        let mut trail = TrailFile::open(&path).expect("a file");
        trail.is_torn = true;
        trail.write_all(b"{1}\n").expect("written");
        trail.write_all(b"{2}\n").expect("written");
        let text = fs::read_to_string(&path).expect("the file");
        assert_eq!(text, "{\"time\":\n{1}\n{2}\n");
    }

    #[test]
    fn other_files_and_other_contents_are_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(TrailFile::open(folder.path()).is_err());
        assert!(TrailFile::open(Path::new("/dev/null")).is_err());
        let other = folder.path().join("text");
        fs::write(&other, "text").expect("a file");
        assert!(TrailFile::open(&other).is_err());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_pipe_is_refused_without_blocking() {
        use rustix::fs::{CWD, FileType, Mode, mknodat};
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("audit");
        let mut trail = TrailFile::open(&path).expect("a file");
        fs::remove_file(&path).expect("removed");
        mknodat(CWD, &path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).expect("a pipe");
        let error = trail.write_all(b"{1}\n").expect_err("nobody reads it");
        assert_eq!(error.to_string(), "not a regular file");
        let flags = rustix::fs::OFlags::RDONLY | rustix::fs::OFlags::NONBLOCK;
        let reader = rustix::fs::open(&path, flags, Mode::empty()).expect("a reader");
        let error = trail.write_all(b"{1}\n").expect_err("no file");
        assert_eq!(error.to_string(), "not a regular file");
        drop(reader);
        let error = TrailFile::open(&path).err().expect("a pipe");
        assert_eq!(error.to_string(), "not a regular file");
        fs::remove_file(&path).expect("removed");
        trail.write_all(b"{1}\n").expect("a file again");
    }
}

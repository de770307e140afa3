//! The output of a command: standard output, or a file that appears under its name only once it is
//! complete.

use std::fs::{File, Permissions};
use std::io::{self, BufWriter, ErrorKind, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::ValueEnum;
use signal_hook::consts::signal::{SIGINT, SIGTERM};
use signal_hook::flag;
use tempfile::NamedTempFile;

use super::BoxedError;
use crate::render::{self, Record};
use crate::store;

/// Format of a printed summary.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum SummaryFormat {
    /// For people
    #[default]
    Text,
    /// One line of JSON, for programs.
    Json,
}

pub fn print_json(out: &mut impl Write, summary: &impl Record) -> io::Result<()> {
    let mut line = Vec::new();
    render::output_line(&mut line, summary);
    out.write_all(&line)
}

const BUFFER_BYTES: usize = 1 << 18;

/// Refuses to overwrite a SQLite database (data, keys, or the ledger of `fetch`), and files that
/// belong to one, such as an unfinished import or a journal.
///
/// # Errors
/// Returns a sentence that names the file.
fn refuse_database(path: &Path) -> Result<(), BoxedError> {
    let mut of = vec![path.to_owned()];
    let text = path.to_string_lossy();
    let beside = ["-building", "-building-journal", "-wal", "-shm", "-journal"].into_iter();
    of.extend(beside.filter_map(|end| Some(text.strip_suffix(end)?.into())));
    match of.iter().any(|path| is_database(path)) {
        true => Err(format!(
            "{}: a database exists under this name; give another file",
            path.display()
        )
        .into()),
        false => Ok(()),
    }
}

fn is_database(path: &Path) -> bool {
    let mut head = [0; 16];
    // Opening a pipe would block, so only regular files are opened.
    let file = path.is_file().then(|| File::open(path).ok()).flatten();
    let read = file.map(|mut file| file.read_exact(&mut head));
    matches!(read, Some(Ok(()))) && head == *b"SQLite format 3\0"
}

/// Runs `write` on the file at `path`, or on standard output for `-`, and returns its result.
/// Returns `None` if whatever reads standard output has closed the pipe.
///
/// # Errors
/// Returns an I/O error with the name of the file, or the error of `write`.
pub fn write_to<T>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<T, BoxedError>,
) -> Result<Option<T>, BoxedError> {
    if path == Path::new("-") {
        return match buffered(write, io::stdout().lock()) {
            Ok(written) => Ok(Some(written)),
            Err(error) if is_broken_pipe(&error) => Ok(None),
            Err(error) => Err(named("standard output", error)),
        };
    }
    into_file(path, write).map(Some)
}

fn is_broken_pipe(error: &BoxedError) -> bool {
    let error = error.downcast_ref::<io::Error>();
    error.is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
}

/// I/O errors do not say which file they are about. All other errors already do.
fn named(name: &str, error: BoxedError) -> BoxedError {
    match error.downcast::<io::Error>() {
        Ok(error) => format!("{name}: {error}").into(),
        Err(error) => error,
    }
}

fn buffered<T>(
    write: impl FnOnce(&mut dyn Write) -> Result<T, BoxedError>,
    out: impl Write,
) -> Result<T, BoxedError> {
    let mut out = BufWriter::with_capacity(BUFFER_BYTES, out);
    let written = write(&mut out)?;
    out.flush()?;
    Ok(written)
}

/// Writes to a temporary file beside `path`, and renames it to `path` once it is complete. An
/// existing file is replaced only then, and not at all if anything fails.
fn into_file<T>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<T, BoxedError>,
) -> Result<T, BoxedError> {
    let name = path.display().to_string();
    let io = |error: io::Error| named(&name, error.into());
    if path.is_dir() {
        return Err(format!("{name}: this is a folder; give a file").into());
    }
    refuse_database(path)?;
    // A device or a pipe is written to directly, not replaced.
    if path.exists() && !path.is_file() {
        let file = std::fs::OpenOptions::new().write(true).open(path);
        return buffered(write, file.map_err(io)?).map_err(|error| named(&name, error));
    }
    // A second signal, such as `timeout` sends, must not end the process either, because that would
    // leave the temporary file behind.
    let stopped = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        flag::register(signal, Arc::clone(&stopped)).map_err(io)?;
    }
    let mut file = part_of(path, 0o666).map_err(io)?;
    let stoppable = Stoppable {
        stopped,
        out: file.as_file_mut(),
    };
    let written = buffered(write, stoppable).map_err(|error| named(&name, error))?;
    persist(file, path).map_err(io)?;
    Ok(written)
}

/// Writes to a temporary file, and renames it to `path` once it is complete, whatever signals
/// arrive.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = part_of(path, 0o666)?;
    file.write_all(bytes)?;
    persist(file, path)
}

fn persist(file: NamedTempFile, path: &Path) -> io::Result<()> {
    file.as_file().sync_all()?;
    file.persist(path)?;
    store::sync_folder_of(path)
}

/// Creates a temporary file beside `path`, to be renamed to `path`. The bits of the umask are
/// removed from `mode`.
pub fn part_of(path: &Path, mode: u32) -> io::Result<NamedTempFile> {
    tempfile::Builder::new()
        .prefix(".procurement-lookup-")
        .suffix(".part")
        .permissions(Permissions::from_mode(mode))
        .tempfile_in(folder_of(path))
}

/// Returns the folder of a file, which is `.` for a bare file name.
pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// A writer that fails after a signal to stop, so that the caller removes the incomplete file.
struct Stoppable<W> {
    stopped: Arc<AtomicBool>,
    out: W,
}

impl<W: Write> Write for Stoppable<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.stopped.load(Ordering::Relaxed) {
            return Err(io::Error::other("stopped; the incomplete file was removed"));
        }
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

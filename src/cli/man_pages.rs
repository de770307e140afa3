//! `man-pages`: writes man pages about the program and each command.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap_mangen::Man;

use super::input::named;
use super::{NAME, Outcome, command};

/// Write man pages into a folder: one for the program and one for each command.
///
/// The Debian package installs them, so that `man procurement-lookup-serve` works.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The folder; created if it does not exist
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
}

pub fn run(args: &Args) -> Outcome {
    let folder = &args.folder;
    let mut program = command().disable_help_subcommand(true);
    program.build();
    fs::create_dir_all(folder)
        .and_then(|()| write_pages(program, folder))
        .map_err(|error| named(folder, &error))?;
    Ok(ExitCode::SUCCESS)
}

fn write_pages(command: clap::Command, folder: &Path) -> io::Result<()> {
    for below in command.get_subcommands() {
        write_pages(below.clone(), folder)?;
    }
    // With an empty date, `clap_mangen` would leave out the date, and the source would move into
    // its position in the heading.
    let page = Man::new(command)
        .date(" ")
        .source([NAME, " ", env!("CARGO_PKG_VERSION")].concat())
        .manual(NAME);
    page.render(&mut File::create(folder.join(page.get_filename()))?)
}

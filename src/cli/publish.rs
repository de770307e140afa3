//! `publish`: copies the data of a file to PostgreSQL.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use indicatif::ProgressStyle;

use super::progress_bar::progress_bar;
use super::{Outcome, refuse_address, server_address, wrong_use};

/// Publish the data of a file to PostgreSQL, for servers that answer from there.
///
/// Sends the changes since this file was last published there, or everything if the changes are not
/// known. Readers see either all of a publication or none of it; if it fails or is killed, the
/// previous one stays.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The database to publish
    #[arg(long, value_name = "FILE")]
    database: PathBuf,
    /// Where to publish: postgresql://USER@HOST/DATABASE, with commas between several hosts. The
    /// command writes to the primary. It takes a password from PGPASSWORD or a password file
    #[arg(long, value_name = "ADDRESS")]
    to: String,
    /// Send everything, for example if the published data is damaged
    #[arg(long)]
    full: bool,
}

pub fn run(args: &Args) -> Outcome {
    refuse_address(&args.database);
    let servers = server_address("to", Path::new(&args.to));
    let servers = servers.unwrap_or_else(|| wrong_use(&"--to: give postgresql://HOST/DATABASE"));
    let bar = progress_bar(ProgressStyle::with_template(PROGRESS));
    let published = servers.publish(&args.database, args.full, &mut |done, total| {
        bar.set_length(total);
        bar.set_position(done);
        if done == total {
            bar.set_message("finishing on the server");
        }
    });
    bar.finish_and_clear();
    eprintln!("{}", published?);
    Ok(ExitCode::SUCCESS)
}

const PROGRESS: &str = "{human_pos} of {human_len} rows  {per_sec}  {eta} left  {wide_bar}  {msg}";

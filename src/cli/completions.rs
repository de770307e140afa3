//! `completions`: prints a shell script that completes commands and options.

use std::path::Path;
use std::process::ExitCode;

use clap_complete::Shell;

use super::{NAME, Outcome, command, output};

/// Print a script that lets a shell complete commands and options.
///
/// The Debian package installs the scripts for bash, zsh and fish. Without it, for bash:
/// `procurement-lookup completions bash >
/// ~/.local/share/bash-completion/completions/procurement-lookup`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

pub fn run(args: &Args) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command(), NAME, &mut script);
    output::write_to(Path::new("-"), |out| Ok(out.write_all(&script)?))?;
    Ok(ExitCode::SUCCESS)
}

//! The program: parse, dispatch, print a fatal error, exit status.

use std::process::ExitCode;

use procurement_lookup::cli::{self, Cli};

fn main() -> ExitCode {
    let Cli { command } = cli::parse();
    cli::start_log(&command);
    match cli::run(command) {
        Ok(status) => status,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

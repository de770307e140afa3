//! Entry point: parses the arguments, runs the command, prints a fatal error and sets the exit
//! status.

#![forbid(unsafe_code)]

use std::process::ExitCode;

use procurement_lookup::cli::{self, Cli};

/// musl's allocator serialises all threads on one lock and returns the memory of every large answer
/// to the system. With that allocator, a page of 200 contracts took more than three times as long.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

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

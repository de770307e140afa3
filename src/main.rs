//! The program: parse, dispatch, print a fatal error, exit status.

#![forbid(unsafe_code)]

use std::process::ExitCode;

use procurement_lookup::cli::{self, Cli};

/// musl's own allocator takes one lock for all threads and gives every large answer
/// back to the system: a page of 200 contracts took over three times as long.
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

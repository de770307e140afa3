//! `procurement-lookup import`: input and messages, replacing the file, damaged files, and what
//! killed imports leave behind.

mod as_command;
#[path = "../../answers/import/folder.rs"]
#[allow(dead_code, reason = "the tests in process use more of it")]
mod folder;
mod integrity;
mod killed;
mod place;
mod threads;

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use procurement_lookup::import::{Options, import};
use procurement_lookup::store::{self, Writer};

use folder::*;

use super::{PATIENCE, kill, stderr, stdout};

fn command(folder: &Folder, arguments: &[&str]) -> Command {
    let mut command = super::program(folder.path());
    command
        .env_remove("RUST_LOG")
        .args(["import", "--database", "data.sqlite"])
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Runs an import with this text on standard input.
fn run(folder: &Folder, arguments: &[&str], input: &str) -> Output {
    let mut child = command(folder, arguments)
        .stdin(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("its standard input");
    // The program may have exited without reading its input.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait_with_output().expect("its end")
}

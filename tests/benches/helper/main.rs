//! What `scripts/bench` needs beside the program, one command each:
//!
//! ```text
//! bench-helper documents FOLDER DOCUMENTS SEED
//! bench-helper names FILE SEARCHES SEED
//! bench-helper static-bytes WORKERS ENGINE
//! bench-helper steady-load ADDRESS LIST RATE CONNECTIONS SECONDS
//! ```

mod documents;
mod names;
mod static_bytes;
mod steady_load;

use std::error::Error;

type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["documents", folder, documents, seed] => {
            documents::write(folder.as_ref(), documents.parse()?, seed.parse()?)
        }
        ["names", file, searches, seed] => {
            names::measure(file.as_ref(), searches.parse()?, seed.parse()?)
        }
        ["static-bytes", workers, engine] => static_bytes::serve(workers.parse()?, engine),
        ["steady-load", address, list, rate, connections, seconds] => steady_load::run(
            address,
            list.as_ref(),
            rate.parse()?,
            connections.parse()?,
            seconds.parse()?,
        ),
        _ => Err("the commands stand at the head of tests/benches/helper/main.rs".into()),
    }
}

//! Commands that `scripts/bench` needs besides the program:
//!
//! ```text
//! bench-helper documents FOLDER DOCUMENTS SEED
//! bench-helper names FILE SEARCHES SEED
//! ```

mod documents;
mod names;

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
        _ => Err("the commands stand at the head of tests/benches/helper/main.rs".into()),
    }
}

//! The simulated service as a program, for trials: prints `listening on URL`, and runs until
//! it is ended.

use std::error::Error;
use std::path::PathBuf;

use clap::Parser;
use eis_service::{Config, Contents, Service};

/// A simulated EIS service.
#[derive(Parser)]
struct Arguments {
    /// Give out the documents of this folder, by their type; without, small ones of no known
    /// kind
    #[arg(long, value_name = "DIR")]
    documents: Option<PathBuf>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let contents = match &arguments.documents {
        Some(folder) => Contents::documents(folder)?,
        None => Contents::default(),
    };
    let service = Service::start(Config {
        contents,
        ..Config::default()
    })?;
    println!("listening on {}", service.url());
    loop {
        std::thread::park();
    }
}

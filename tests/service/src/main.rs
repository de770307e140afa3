//! Runs the simulated service. Prints `listening on URL` and runs until it is stopped.

use std::error::Error;
use std::path::PathBuf;

use clap::Parser;
use eis_service::{Config, Contents, Service};

/// A simulated EIS service.
#[derive(Parser)]
struct Arguments {
    /// Serve the XML documents in this folder, by type. Default: small documents of an unknown type
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

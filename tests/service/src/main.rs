//! The simulated service as a program, for trials: prints `listening on URL`, and runs until
//! it is ended.

use std::error::Error;
use std::net::SocketAddr;
use std::path::PathBuf;

use clap::Parser;
use eis_service::{Config, Contents, Service};

/// A simulated EIS service.
#[derive(Parser)]
struct Arguments {
    /// Where to listen
    #[arg(long, value_name = "ADDR:PORT", default_value = "127.0.0.1:0")]
    listen: SocketAddr,
    /// Give out the documents of this folder, by their type; without, small ones of no known
    /// kind
    #[arg(long, value_name = "DIR")]
    documents: Option<PathBuf>,
    /// The only valid token; without, any is
    #[arg(long)]
    token: Option<String>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let contents = match &arguments.documents {
        Some(folder) => Contents::documents(folder)?,
        None => Contents::default(),
    };
    let service = Service::start(Config {
        listen: Some(arguments.listen),
        token: arguments.token,
        contents,
        ..Config::default()
    })?;
    println!("listening on {}", service.url());
    loop {
        std::thread::park();
    }
}

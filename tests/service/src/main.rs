//! The simulated service as a program, for scripts: prints `listening on URL`, and runs until
//! it is ended.

use std::error::Error;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::Parser;
use eis_service::{Config, Contents, Proxy, Service, Tls};

/// A simulated EIS service.
#[derive(Parser)]
struct Arguments {
    /// TLS, with a certificate for localhost, 127.0.0.1 and int.zakupki.gov.ru
    #[arg(long)]
    tls: bool,
    /// Where the certificate of the authority is written, as PEM
    #[arg(long, value_name = "FILE", requires = "tls")]
    ca_out: Option<PathBuf>,
    /// Where to listen
    #[arg(long, value_name = "ADDR:PORT", default_value = "127.0.0.1:0")]
    listen: SocketAddr,
    /// Give out the documents of this folder, by their type; without, small ones of no known
    /// kind
    #[arg(long, value_name = "DIR")]
    documents: Option<PathBuf>,
    /// Give out one archive of so many bytes for each cell
    #[arg(long, value_name = "N", conflicts_with = "documents")]
    archive_bytes: Option<u64>,
    /// Have something on these days only
    #[arg(long, value_name = "FIRST..LAST", value_parser = parse_days)]
    days: Option<(String, String)>,
    /// The only valid token; without, any is
    #[arg(long)]
    token: Option<String>,
    /// Answer more requests for documents a minute by an error
    #[arg(long, value_name = "N")]
    per_minute: Option<usize>,
    /// Be a proxy at this address too, which leads every host here
    #[arg(long, value_name = "ADDR:PORT")]
    proxy: Option<SocketAddr>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let mut contents = match (&arguments.documents, arguments.archive_bytes) {
        (Some(folder), _) => Contents::documents(folder)?,
        (None, Some(bytes)) => Contents::filler(bytes),
        (None, None) => Contents::default(),
    };
    if let Some((first, last)) = arguments.days {
        contents = contents.on_days(first, last);
    }
    let tls = arguments
        .tls
        .then(|| Tls::default().for_name("int.zakupki.gov.ru"));
    if let (Some(tls), Some(file)) = (&tls, &arguments.ca_out) {
        std::fs::write(file, tls.authority.pem())?;
    }
    let minute = Duration::from_secs(60);
    let service = Service::start(Config {
        listen: Some(arguments.listen),
        tls,
        token: arguments.token,
        contents,
        rate_limit: arguments.per_minute.map(|most| (most, minute)),
        ..Config::default()
    })?;
    let proxy = arguments
        .proxy
        .map(|listen| Proxy::start(Some(listen), service.address()))
        .transpose()?;
    if let Some(proxy) = &proxy {
        println!("proxy on {}", proxy.url());
    }
    println!("listening on {}", service.url());
    loop {
        std::thread::park();
    }
}

/// `2026-11-01..2026-11-20`, or one day.
fn parse_days(text: &str) -> Result<(String, String), String> {
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    let is_day =
        |day: &str| day.len() == 10 && day.bytes().all(|b| b.is_ascii_digit() || b == b'-');
    if is_day(first) && is_day(last) {
        Ok((first.to_owned(), last.to_owned()))
    } else {
        Err("days are YYYY-MM-DD..YYYY-MM-DD".to_owned())
    }
}

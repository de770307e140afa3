//! `verify`: check the receipt of an answer, without data and without a server.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::Outcome;
use super::input::{named, read};
use crate::api::response::receipt::{LONGEST_FILE, Receipt, sha256_of};
use crate::api::response::signing_key::PublicKey;

/// Check the receipt of an answer, without data and without a server.
///
/// Prints one sentence. The exit status is 1 if the receipt was changed or is of another key,
/// or if BODY is not the answer that it names.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The file with the receipt: its line alone, or headers saved by curl -D; - is standard
    /// input
    #[arg(value_name = "RECEIPT")]
    receipt: PathBuf,
    /// The file with the answer, as it was saved
    #[arg(value_name = "BODY")]
    body: Option<PathBuf>,
    /// The server's public key in PEM, from /signing-key.pem or `keys signing-key`
    #[arg(long, value_name = "FILE")]
    public_key: PathBuf,
}

pub fn run(args: &Args) -> Outcome {
    let (file, body) = (&args.receipt, args.body.as_deref());
    let key =
        read(&args.public_key, LONGEST_FILE).map_err(|error| named(&args.public_key, &error))?;
    let key = PublicKey::parse(&String::from_utf8_lossy(&key))
        .map_err(|error| named(&args.public_key, &error))?;
    let text = read(file, LONGEST_FILE).map_err(|error| named(file, &error))?;
    let body = body.map(|path| {
        let hash = File::open(path).and_then(sha256_of);
        let hash = hash.map_err(|error| named(path, &error))?;
        Ok::<_, String>((path, hash))
    });
    let (sentence, status) = match sentence(&text, &key, body.transpose()?) {
        Ok(sentence) => (sentence, ExitCode::SUCCESS),
        Err(wrong) => (wrong, ExitCode::FAILURE),
    };
    println!("{sentence}");
    Ok(status)
}

/// Returns the result in one sentence, as an error if anything does not match.
fn sentence(file: &[u8], key: &PublicKey, body: Option<(&Path, String)>) -> Result<String, String> {
    let wrong = |error: &str| format!("not valid: the receipt {error}");
    let receipt = Receipt::parse(file).map_err(|error| format!("not valid: the file {error}"))?;
    let claims = receipt.verify(key).map_err(|error| wrong(&error))?;
    let day = match claims.day {
        "" => String::new(),
        day => format!(" for {day}"),
    };
    let signed = format!(
        "{} answered {}{day} at {}, from the data {}",
        claims.server, claims.request, claims.time, claims.data
    );
    match body {
        Some((body, hash)) if hash != claims.sha256 => Err(format!(
            "not valid: {} is not the answer that the receipt names: {signed}",
            body.display()
        )),
        Some((body, _)) => Ok(format!("valid: {signed}, with {}", body.display())),
        None => Ok(format!(
            "valid: {signed}, with a body whose SHA-256 is {}",
            claims.sha256
        )),
    }
}

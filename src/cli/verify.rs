//! `verify`: checks the receipts of answers, without data and without a server.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::Outcome;
use super::input::{named, read};
use crate::api::response::receipt::{Claims, LONGEST_FILE, Receipt, sha256_digits};
use crate::api::response::signing_key::PublicKey;
use crate::model::Sha256;

/// Check the receipt of an answer, or several, without data and without a server.
///
/// Prints one sentence. The exit status is 1 if a receipt was altered or signed with another key,
/// or if BODY is not the answer that it names.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The file with the receipt: one line or several, or headers saved by curl -D; - is standard
    /// input
    #[arg(value_name = "RECEIPT")]
    receipt: PathBuf,
    /// The file with the answer as it was received; for several receipts, the answers, one per line
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
        let hashes = File::open(path).and_then(Hashes::of);
        let hashes = hashes.map_err(|error| named(path, &error))?;
        Ok::<_, String>((path, hashes))
    });
    let (sentence, status) = match sentence(&text, &key, body.transpose()?) {
        Ok(sentence) => (sentence, ExitCode::SUCCESS),
        Err(wrong) => (wrong, ExitCode::FAILURE),
    };
    println!("{sentence}");
    Ok(status)
}

/// Returns the verdict as a sentence: `Ok` if all receipts are valid and match the body.
fn sentence(file: &[u8], key: &PublicKey, body: Option<(&Path, Hashes)>) -> Result<String, String> {
    let receipts = Receipt::all(file).map_err(|error| format!("not valid: the file {error}"))?;
    let which = |at: usize| match receipts.len() {
        1 => "the receipt".to_owned(),
        all => format!("receipt {} of {all}", at + 1),
    };
    let verified = receipts.iter().enumerate().map(|(at, receipt)| {
        let claims = receipt.verify(key);
        claims.map_err(|error| format!("not valid: {} {error}", which(at)))
    });
    let claims = verified.collect::<Result<Vec<_>, _>>()?;
    let signed: Vec<String> = claims.iter().map(signed_words).collect();
    let many = match receipts.len() {
        1 => String::new(),
        all => format!("{all} receipts: "),
    };
    let Some((path, hashes)) = body else {
        let named = claims.iter().zip(&signed);
        let named = named.map(|(claims, signed)| {
            format!("{signed}, with a body whose SHA-256 is {}", claims.sha256)
        });
        return Ok(format!("valid: {many}{}", list(named)));
    };
    let body = path.display();
    for (at, claims) in claims.iter().enumerate() {
        if !hashes.has(claims.sha256) {
            return Err(format!(
                "not valid: {body} is not the answer that {} names: {}",
                which(at),
                signed[at]
            ));
        }
    }
    let named: HashSet<&str> = claims.iter().map(|claims| claims.sha256).collect();
    if let Some(line) = hashes.first_other(&named) {
        return Err(format!(
            "not valid: line {line} of {body} is not an answer that a receipt names"
        ));
    }
    Ok(format!("valid: {many}{}, with {body}", list(signed)))
}

fn signed_words(claims: &Claims<'_>) -> String {
    let day = match claims.day {
        "" => String::new(),
        day => format!(" for {day}"),
    };
    format!(
        "{} answered {}{day} at {}, from the data {}",
        claims.server, claims.request, claims.time, claims.data
    )
}

fn list(parts: impl IntoIterator<Item = String>) -> String {
    parts.into_iter().collect::<Vec<_>>().join("; ")
}

/// The SHA-256 of a file, and of each of its lines without the line feed.
struct Hashes {
    whole: String,
    /// Number (from 1) and SHA-256 of each line that is not empty.
    lines: Vec<(usize, String)>,
}

const MAX_LINES: usize = 1_000_000;

impl Hashes {
    fn of(mut from: impl Read) -> io::Result<Self> {
        let mut whole = Sha256::new();
        let mut lines = Vec::new();
        let mut line = LineHash::new(1);
        let mut part = vec![0; 64 << 10];
        loop {
            let count = from.read(&mut part)?;
            let read = part.get(..count).unwrap_or_default();
            whole.update(read);
            let mut pieces = read.split(|byte| *byte == b'\n');
            line.update(pieces.next().unwrap_or_default());
            for piece in pieces {
                let next = LineHash::new(line.number + 1);
                lines.extend(std::mem::replace(&mut line, next).finish());
                line.update(piece);
            }
            if lines.len() > MAX_LINES {
                return Err(io::Error::other("the file has more than a million lines"));
            }
            if count == 0 {
                lines.extend(line.finish());
                let whole = sha256_digits(&whole.finish());
                return Ok(Self { whole, lines });
            }
        }
    }

    fn has(&self, sha256: &str) -> bool {
        self.whole == sha256 || self.lines.iter().any(|(_, line)| line == sha256)
    }

    /// Returns the number of the first line whose hash is not among `answers`, or `None` if
    /// `answers` has the hash of the whole file.
    fn first_other(&self, answers: &HashSet<&str>) -> Option<usize> {
        let is_other = |(_, line): &&(usize, String)| !answers.contains(line.as_str());
        let is_whole = answers.contains(self.whole.as_str());
        let other = self.lines.iter().find(is_other).filter(|_| !is_whole);
        other.map(|(number, _)| *number)
    }
}

/// The line that is being read, which may continue in the next chunk.
struct LineHash {
    number: usize,
    is_empty: bool,
    hash: Sha256,
}

impl LineHash {
    fn new(number: usize) -> Self {
        Self {
            number,
            is_empty: true,
            hash: Sha256::new(),
        }
    }

    fn update(&mut self, bytes: &[u8]) {
        self.is_empty &= bytes.is_empty();
        self.hash.update(bytes);
    }

    fn finish(self) -> Option<(usize, String)> {
        (!self.is_empty).then(|| (self.number, sha256_digits(&self.hash.finish())))
    }
}

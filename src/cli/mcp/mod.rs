//! `mcp`: serves the Model Context Protocol over standard input and output.
//!
//! | file | contents |
//! |---|---|
//! | `message` | JSON-RPC messages |
//! | `session` | the methods of the protocol |
//! | `call` | tool calls: turns arguments into a request, and the answer into a result |
//! | `excerpt` | shortens long answers to the first items of lists |

mod call;
mod excerpt;
mod message;
mod session;

use std::io::{self, BufRead, Read, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use super::verdict_args::RegistryAgeArgs;
use super::{Outcome, calendar, data_source};
use crate::api::Api;
use crate::model::VerdictRules;
use crate::store::KeyRing;
use session::Session;

/// Maximum length of a message, in bytes. A message with a list of names or INNs has a few
/// thousand.
const MAX_MESSAGE: u64 = 1 << 20;

/// Serve an AI assistant over standard input and output (Model Context Protocol).
///
/// Speaks revision 2025-06-18 of the protocol. Each endpoint is a read-only tool. Nothing listens
/// on the network; the assistant's provider sees the answers. The command ends when its input ends.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The database to answer from: a file, or postgresql://HOST,…/DATABASE [default: the
    /// bundled demonstration data]
    #[arg(long, value_name = "FILE")]
    database: Option<PathBuf>,
    #[command(flatten)]
    age: RegistryAgeArgs,
}

pub fn run(args: &Args) -> Outcome {
    let mut api = Api::new(
        data_source(args.database.as_deref()),
        KeyRing::empty(),
        calendar(),
    );
    api.defaults.rules = VerdictRules {
        max_age: args.age.days(),
        ..VerdictRules::default()
    };
    let mut session = Session::new(Arc::new(api).answerer()?, args.database.is_none());
    serve(&mut session, io::stdin().lock(), io::stdout().lock())?;
    Ok(ExitCode::SUCCESS)
}

/// Answers the messages of `input`, one per line, until the input ends.
fn serve(session: &mut Session, mut input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    let mut line = Vec::new();
    while read_line(&mut input, &mut line)? {
        let reply = match line.len() as u64 {
            MAX_MESSAGE.. => Some(message::too_long(MAX_MESSAGE)),
            _ if line.trim_ascii().is_empty() => None,
            _ => session.answer(&line),
        };
        if let Some(reply) = reply {
            output.write_all(reply.as_bytes())?;
            output.write_all(b"\n")?;
            output.flush()?;
        }
    }
    Ok(())
}

/// Reads a line. If the line is too long, reads only the beginning and skips the rest. Returns
/// whether there was a line.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    let read = input.take(MAX_MESSAGE).read_until(b'\n', line)?;
    if read as u64 == MAX_MESSAGE && line.last() != Some(&b'\n') {
        input.skip_until(b'\n')?;
    }
    Ok(read > 0)
}

#[cfg(test)]
mod tests;

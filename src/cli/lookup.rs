//! `lookup`: print one answer, without a server.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Subcommand;

use super::{Outcome, calendar, data_source};
use crate::api::{Api, Calendar, Endpoint};
use crate::model::Date;
use crate::render::Format;
use crate::store::KeyRing;

/// Print one answer, without a server.
///
/// Prints exactly the body that the endpoint would answer. Exit status 1 if that
/// is an error.
#[derive(Debug, clap::Args)]
#[command(after_help = super::ENVIRONMENT)]
pub struct Args {
    #[command(subcommand)]
    question: Question,
    /// The database to answer from [default: the bundled demonstration data]
    #[arg(
        long,
        value_name = "FILE",
        env = "PROCUREMENT_LOOKUP_DATABASE",
        hide_env = true,
        global = true
    )]
    database: Option<PathBuf>,
    /// The format of the answer: xml or json
    #[arg(long, value_name = "FORMAT", env = "PROCUREMENT_LOOKUP_FORMAT", hide_env = true, default_value = "xml", value_parser = format, global = true)]
    format: Format,
}

#[derive(Debug, Subcommand)]
enum Question {
    /// The contracts of a supplier, newest first
    Contracts {
        /// The supplier's INN
        inn: String,
        /// How many contracts to pass over
        #[arg(long, value_name = "N", env = "PROCUREMENT_LOOKUP_SKIP", hide_env = true, value_parser = number)]
        skip: Option<String>,
        /// How many contracts to print: at most 200 [default: 100]
        #[arg(long, value_name = "N", env = "PROCUREMENT_LOOKUP_LIMIT", hide_env = true, value_parser = number)]
        limit: Option<String>,
    },
    /// The card of a purchase: its number's length tells the law
    Purchase {
        /// 19 digits (44-FZ), 11 digits (223-FZ) or 18 digits (PP-615)
        number: String,
    },
    /// Is a supplier in the registry of unfair suppliers?
    Supplier {
        /// The supplier's INN
        inn: String,
        /// Answer as of this day, YYYY-MM-DD [default: today in Moscow]
        #[arg(long, value_name = "DATE", env = "PROCUREMENT_LOOKUP_AS_OF", hide_env = true, value_parser = date)]
        as_of: Option<Date>,
    },
}

fn format(text: &str) -> Result<Format, String> {
    Format::parse(text).ok_or_else(|| "give xml, json or csv".to_owned())
}

fn number(text: &str) -> Result<String, String> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if digits {
        Ok(text.to_owned())
    } else {
        Err("give a whole number from 0 on".to_owned())
    }
}

fn date(text: &str) -> Result<Date, String> {
    Date::parse_iso(text).ok_or_else(|| "give a date of the calendar as YYYY-MM-DD".to_owned())
}

pub fn run(args: &Args) -> Outcome {
    let mut parameters = vec![("format", args.format.name())];
    let mut day = calendar();
    let endpoint = match &args.question {
        Question::Contracts { inn, skip, limit } => {
            parameters.push(("supplierINN", inn));
            parameters.extend(skip.as_deref().map(|skip| ("skip", skip)));
            parameters.extend(limit.as_deref().map(|limit| ("limit", limit)));
            Endpoint::Contracts
        }
        Question::Purchase { number } => {
            parameters.push(("purchaseNumber", number));
            endpoint_of(number)
        }
        Question::Supplier { inn, as_of } => {
            parameters.push(("supplierINN", inn));
            if let Some(as_of) = *as_of {
                day = Box::new(move || as_of) as Calendar;
            }
            Endpoint::RnpCheck
        }
    };
    let api = Arc::new(Api::new(
        data_source(args.database.as_deref()),
        KeyRing::empty(),
        day,
    ));
    let (body, status) = match api.answerer()?.look_up_offline(endpoint, &parameters) {
        Ok(body) => (body, ExitCode::SUCCESS),
        Err(body) => (body, ExitCode::FAILURE),
    };
    let mut out = io::stdout().lock();
    out.write_all(&body).and_then(|()| out.flush())?;
    Ok(status)
}

/// The endpoint that a number is asked of: by its length alone, so that a
/// malformed number gets the endpoint's own words.
fn endpoint_of(number: &str) -> Endpoint {
    match number.trim().len() {
        11 | 18 => Endpoint::Purchase223,
        _ => Endpoint::Purchase44,
    }
}

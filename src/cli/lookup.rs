//! `lookup`: print one answer, without a server; and hold a receipt against the data.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Subcommand;

use super::verify::{self, Verify};
use super::{Outcome, calendar, data_source, output};
use crate::api::{Api, Calendar, Endpoint};
use crate::model::Date;
use crate::render::Format;
use crate::store::KeyRing;

/// Print one answer, without a server.
///
/// Prints exactly the body that the endpoint would answer. Exit status 1 if that
/// is an error, or if a receipt is not of what the data answers.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    question: Option<Question>,
    /// The database to answer from [default: the bundled demonstration data]
    #[arg(long, value_name = "FILE", global = true)]
    database: Option<PathBuf>,
    /// The format of the answer: xml, json or csv
    #[arg(long, value_name = "FORMAT", default_value = "xml", value_parser = format, global = true)]
    format: Format,
    /// Write the receipt of the answer there
    #[arg(long, value_name = "FILE", global = true)]
    receipt: Option<PathBuf>,
    #[command(flatten)]
    verify: Verify,
}

#[derive(Debug, Subcommand)]
enum Question {
    /// The contracts of a supplier, newest first
    Contracts {
        /// The supplier's INN
        inn: String,
        /// How many contracts to pass over
        #[arg(long, value_name = "N", value_parser = number)]
        skip: Option<String>,
        /// How many contracts to print: at most 200 [default: 100]
        #[arg(long, value_name = "N", value_parser = number)]
        limit: Option<String>,
        #[command(flatten)]
        filter: Filter,
        /// By what: -signDate, signDate, -contractPrice, contractPrice, -updateDate or
        /// updateDate; - is from the largest down [default: -signDate]
        #[arg(long, value_name = "ORDER", allow_hyphen_values = true)]
        sort: Option<String>,
    },
    /// What the contracts of a supplier come to: by year, by stage, the largest customers
    Summary {
        /// The supplier's INN
        inn: String,
        #[command(flatten)]
        filter: Filter,
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
        #[command(flatten)]
        day: Day,
    },
    /// Are these suppliers in it? A verdict for each
    Suppliers {
        /// Up to 200 INNs
        #[arg(required = true, value_delimiter = ',')]
        inns: Vec<String>,
        #[command(flatten)]
        day: Day,
        /// Tell the entries that are over as well
        #[arg(long)]
        history: bool,
    },
}

/// Which contracts.
#[derive(Debug, clap::Args)]
struct Filter {
    /// Only those in these stages: EC, ET, E or IN, with commas between
    #[arg(long, value_name = "STAGES")]
    stage: Option<String>,
    /// Only those signed on this day or later, YYYY-MM-DD
    #[arg(long, value_name = "DATE", value_parser = date)]
    signed_from: Option<Date>,
    /// Only those signed on this day or earlier, YYYY-MM-DD
    #[arg(long, value_name = "DATE", value_parser = date)]
    signed_to: Option<Date>,
    /// Only those changed on this day or later, YYYY-MM-DD
    #[arg(long, value_name = "DATE", value_parser = date)]
    updated_from: Option<Date>,
    /// Only those of the customer with this INN
    #[arg(long, value_name = "INN")]
    customer_inn: Option<String>,
}

impl Filter {
    fn add(&self, parameters: &mut Parameters) {
        let day = |day: Option<Date>| day.map(|day| day.to_string());
        let named = [
            ("stage", self.stage.clone()),
            ("signedFrom", day(self.signed_from)),
            ("signedTo", day(self.signed_to)),
            ("updatedFrom", day(self.updated_from)),
            ("customerInn", self.customer_inn.clone()),
        ];
        let given = named
            .into_iter()
            .filter_map(|(name, value)| Some((name, value?)));
        parameters.extend(given);
    }
}

#[derive(Debug, clap::Args)]
struct Day {
    /// Answer as of this day, YYYY-MM-DD [default: today in Moscow]
    #[arg(long, value_name = "DATE", value_parser = date)]
    as_of: Option<Date>,
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

/// The parameters of a question, by their names on the wire.
type Parameters = Vec<(&'static str, String)>;

pub fn run(args: &Args) -> Outcome {
    let source = data_source(args.database.as_deref());
    let api = |day: Calendar| Arc::new(Api::new(source, KeyRing::empty(), day));
    let question = match (&args.question, args.verify.receipt()) {
        (Some(question), None) => question,
        (None, Some(receipt)) if args.receipt.is_none() => {
            return verify::run(receipt, &args.verify, api);
        }
        _ => super::wrong_use(&"give lookup either a question or --verify RECEIPT; see --help"),
    };
    let mut parameters = vec![("format", args.format.name().to_owned())];
    let endpoint = question.ask(&mut parameters);
    let parameters: Vec<(&str, &str)> = parameters
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    let mut answerer = api(calendar()).answerer()?;
    let answer = match &args.receipt {
        None => answerer.look_up_offline(endpoint, &parameters),
        Some(path) => match answerer.look_up_with_receipt(endpoint, &parameters) {
            Ok((body, receipt)) => {
                output::write_small(path, &format!("{receipt}\n"))?;
                Ok(body)
            }
            Err(body) => Err(body),
        },
    };
    let (body, status) = match answer {
        Ok(body) => (body, ExitCode::SUCCESS),
        Err(body) => (body, ExitCode::FAILURE),
    };
    let mut out = io::stdout().lock();
    out.write_all(&body).and_then(|()| out.flush())?;
    Ok(status)
}

impl Question {
    /// Adds what is asked to `parameters`; the endpoint that it is asked of.
    fn ask(&self, parameters: &mut Parameters) -> Endpoint {
        let mut add = |name, value: Option<String>| {
            parameters.extend(value.map(|value| (name, value)));
        };
        match self {
            Self::Contracts {
                inn,
                skip,
                limit,
                filter,
                sort,
            } => {
                add("supplierINN", Some(inn.clone()));
                add("skip", skip.clone());
                add("limit", limit.clone());
                add("sort", sort.clone());
                filter.add(parameters);
                Endpoint::Contracts
            }
            Self::Summary { inn, filter } => {
                add("supplierINN", Some(inn.clone()));
                filter.add(parameters);
                Endpoint::ContractSummary
            }
            Self::Purchase { number } => {
                add("purchaseNumber", Some(number.clone()));
                endpoint_of(number)
            }
            Self::Supplier { inn, day } => {
                add("supplierINN", Some(inn.clone()));
                add("asOf", day.as_of.map(|day| day.to_string()));
                Endpoint::RnpCheck
            }
            Self::Suppliers { inns, day, history } => {
                add("supplierINN", Some(inns.join(",")));
                add("asOf", day.as_of.map(|day| day.to_string()));
                add("history", history.then(|| "1".to_owned()));
                Endpoint::RnpCheckMany
            }
        }
    }
}

/// The endpoint that a number is asked of: by its length alone, so that a
/// malformed number gets the endpoint's own words.
fn endpoint_of(number: &str) -> Endpoint {
    match number.trim().len() {
        11 | 18 => Endpoint::Purchase223,
        _ => Endpoint::Purchase44,
    }
}

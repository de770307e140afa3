//! A line of the audit trail: who asked for what, as of which day, and what the answer was.

use std::borrow::Cow;
use std::net::IpAddr;
use std::time::SystemTime;

use percent_encoding::{CONTROLS, utf8_percent_encode};
use serde::Serialize;

use crate::api::{AuditedLookup, LookupResult, Note, Status};
use crate::http::request_id::could_hold_a_key;

/// Replaces words that could be an API key.
const MASK: &str = "***";

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AuditLine<'a> {
    time: String,
    id: &'a str,
    key: Option<&'a str>,
    client: Option<IpAddr>,
    endpoint: &'static str,
    query: Option<Cow<'a, str>>,
    as_of: Option<String>,
    results: Option<u64>,
    verdicts: Option<Vec<SupplierVerdict>>,
    status: u16,
    error: Option<&'a str>,
}

#[derive(Serialize)]
struct SupplierVerdict {
    #[serde(rename = "supplierINN")]
    supplier: String,
    verdict: &'static str,
}

impl<'a> AuditLine<'a> {
    pub fn new(
        id: &'a str,
        client: Option<IpAddr>,
        note: &'a Note,
        lookup: &'a AuditedLookup,
        status: Status,
    ) -> Self {
        let (mut results, mut verdicts) = (None, None);
        match &lookup.result {
            Some(LookupResult::Count(count)) => results = Some(*count),
            Some(LookupResult::Rows(count)) => results = Some(count.total),
            Some(LookupResult::Verdicts(found)) => verdicts = Some(found),
            None => {}
        }
        Self {
            time: humantime::format_rfc3339_millis(SystemTime::now()).to_string(),
            id,
            key: note.key_name.as_deref(),
            client,
            endpoint: lookup.endpoint,
            query: lookup.query.as_deref().map(masked),
            as_of: lookup.day.map(|day| day.to_string()),
            results,
            verdicts: verdicts.map(|verdicts| {
                let pairs = lookup.suppliers.iter().zip(verdicts.iter());
                let paired = pairs.map(|(supplier, verdict)| SupplierVerdict {
                    supplier: encoded(supplier),
                    verdict: verdict.code(),
                });
                paired.collect()
            }),
            status: status.number(),
            error: note.error.as_deref(),
        }
    }
}

/// Percent-encodes a value that the client sent as an INN, as in a query string, and masks words
/// that could be an API key.
fn encoded(text: &str) -> String {
    masked(&utf8_percent_encode(text, CONTROLS).to_string()).into_owned()
}

/// Masks words in a client's text that could be an API key, percent-encoded or not: people paste
/// keys into the wrong fields.
fn masked(text: &str) -> Cow<'_, str> {
    let Some((before, encoded)) = text.split_once('%') else {
        return masked_words(text);
    };
    // Skip the two hex digits of a percent-encoded byte: they do not belong to the next word.
    let (byte, after) = encoded.split_at_checked(2).unwrap_or((encoded, ""));
    [&masked_words(before), "%", byte, &masked(after)]
        .concat()
        .into()
}

fn masked_words(text: &str) -> Cow<'_, str> {
    let is_end = |c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
    if !text.split(is_end).any(could_hold_a_key) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len());
    for part in text.split_inclusive(is_end) {
        let word = part.trim_end_matches(is_end);
        let shown = if could_hold_a_key(word) { MASK } else { word };
        out.push_str(shown);
        out.push_str(part.get(word.len()..).unwrap_or_default());
    }
    out.into()
}

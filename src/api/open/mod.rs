//! Resources that need no key: the lookup page, the manual, and the descriptions of the service.
//! None of them contains records. They have a rate limit per address, because even a 304 costs
//! something.

pub(super) mod static_file;

use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value, json};

use super::request::query::{Query, QueryValue};
use crate::model::{
    Coverage, Date, Language, MissingDocuments, Registries, RegistryDocuments, UnreadEntries,
    UnreadEntry, timestamp,
};
use crate::web;
use static_file::{PackedBody, ServedFile};

pub const HTML: &str = "text/html; charset=utf-8";

pub const JSON: &str = "application/json; charset=utf-8";

const SIGNING_KEY: &str = "/signing-key.pem";

#[derive(Clone, Copy)]
pub enum Open {
    Page,
    About,
    /// The public key for verifying receipts.
    SigningKey,
    /// A file that does not depend on the data.
    Static(&'static ServedFile),
}

/// What the service tells anyone about itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct About {
    pub demo: bool,
    /// Time of the last import that changed anything, in seconds since 1970.
    pub updated: i64,
    /// Time of the last import that changed contracts or purchases, in seconds since 1970; `None`
    /// if unknown.
    pub contracts_updated: Option<i64>,
    pub coverage: Arc<[Coverage]>,
    /// RNP inclusions that could not be parsed.
    pub unread: UnreadEntries,
    /// Number of contracts for whose items only codes and sums are known.
    pub contracts_without_items: u64,
    pub registries: Registries,
    /// The document types from which registries are built.
    pub registry_documents: Arc<RegistryDocuments>,
    pub has_receipts: bool,
}

impl Open {
    /// Names of resources that need no key, as used in metrics and logs.
    pub const LABELS: [&'static str; 7] = [
        "/",
        "/web",
        "/about.json",
        SIGNING_KEY,
        "/docs",
        "/openapi.json",
        "/schemas",
    ];

    pub fn from_path(path: &str) -> Option<Self> {
        match path {
            "/" => Some(Self::Page),
            "/about.json" => Some(Self::About),
            SIGNING_KEY => Some(Self::SigningKey),
            _ => static_file::at(path).map(Self::Static),
        }
    }

    pub fn label(self) -> &'static str {
        match self {
            Self::Page => "/",
            Self::About => "/about.json",
            Self::SigningKey => SIGNING_KEY,
            Self::Static(served) => served.file.label,
        }
    }
}

impl About {
    /// Returns the `Content-Type` and HTML of the lookup page. `parameters` contain the text of a
    /// submitted search, which stays in the form. With `has_user`, a trusted proxy names the user,
    /// and the page asks for no key. The list of imported documents can be long, so the page says
    /// only whether there is one and loads the list from `/about.json`.
    pub fn page(
        &self,
        language: Option<Language>,
        parameters: &Query<'_>,
        has_user: bool,
    ) -> (&'static str, String) {
        let about = self.json(json!({
            "hasCoverage": !self.coverage.is_empty() || !self.unread.all.is_empty(),
            "hasReceipts": self.has_receipts,
            "hasUser": has_user,
        }));
        let query = match parameters.get("q", None) {
            QueryValue::One(query) => query,
            QueryValue::Missing | QueryValue::Malformed => "",
        };
        let page = web::page(&web::Frame {
            language: language.unwrap_or_default(),
            about: &about,
            is_demo: self.demo,
            has_user,
            query,
        });
        (HTML, page)
    }

    pub fn document(&self) -> String {
        let missing = self
            .registries
            .missing(&self.coverage, &self.registry_documents);
        let missing: Vec<Value> = missing.iter().map(missing_json).collect();
        let unread = self.unread.all.iter().take(MAX_UNREAD);
        let unread: Vec<Value> = unread.map(unread_json).collect();
        self.json(json!({
            "coverage": &self.coverage[..],
            "missing": missing,
            "unread": unread,
            "contractsWithoutItems": self.contracts_without_items,
        }))
    }

    /// Returns the earliest of the days as of which the registries are complete. Registries that
    /// are not complete do not count. Returns `None` if none is complete, or for the demonstration
    /// data, whose registries are complete for every day.
    fn registries_as_of(&self) -> Option<Date> {
        let known = self.registries.oldest_complete();
        known.filter(|_| !self.registries.of_every_day)
    }

    /// Returns the members that the page and `/about.json` have in common, followed by `others`.
    fn json(&self, others: Value) -> String {
        let mut about = json!({
            "name": env!("CARGO_PKG_NAME"),
            "version": env!("CARGO_PKG_VERSION"),
            "demo": self.demo,
            "dataUpdated": timestamp(self.updated),
            "contractsUpdated": self.contracts_updated.map(timestamp),
            "registriesAsOf": self.registries_as_of().map(|day| day.to_string()),
        });
        if let (Value::Object(about), Value::Object(others)) = (&mut about, others) {
            about.extend(others);
        }
        about.to_string()
    }
}

/// `/about.json` lists up to this many unparsed inclusions.
const MAX_UNREAD: usize = 100;

fn unread_json(unread: &UnreadEntry) -> Value {
    json!({
        "federalLaw": unread.law.code(),
        "number": unread.number,
        "archive": unread.archive,
        "entry": unread.entry,
    })
}

fn missing_json(missing: &MissingDocuments) -> Value {
    let first = &missing.first;
    json!({
        "federalLaw": missing.law.code(),
        "asOf": missing.as_of.to_string(),
        "days": missing.days,
        "cells": missing.cells,
        "first": {
            "subsystem": first.documents.subsystem,
            "documents": first.documents.name,
            "region": first.region.code,
            "day": first.day.to_string(),
        },
    })
}

/// `/about.json` as last sent. It can be long, so it is written and compressed only once per state
/// of the data.
pub type SentAbout = Mutex<Option<(About, Arc<PackedBody>)>>;

/// Returns the description of the service, compressed anew only if it has changed.
pub fn about_body(sent: &SentAbout, about: About) -> Arc<PackedBody> {
    let mut sent = sent.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((before, body)) = &*sent
        && *before == about
    {
        return Arc::clone(body);
    }
    let body = Arc::new(PackedBody::new(about.document().into_bytes().into()));
    *sent = Some((about, Arc::clone(&body)));
    body
}

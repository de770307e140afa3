//! Resources that need no key: the lookup page, the manual, and the descriptions of the service.
//! They contain no record. They are limited by address, because even a 304 has a cost.

pub(super) mod static_file;

use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value, json};

use super::request::query::{Query, QueryValue};
use crate::model::{
    Coverage, Language, MissingDocuments, Registries, RegistryDocuments, UnreadEntries,
    UnreadEntry, timestamp,
};
use crate::web;
use static_file::{PackedBody, ServedFile};

/// The `Content-Type` of a page.
pub const HTML: &str = "text/html; charset=utf-8";

/// The `Content-Type` of the description of the service.
pub const JSON: &str = "application/json; charset=utf-8";

/// The path of the public key.
const SIGNING_KEY: &str = "/signing-key.pem";

/// A resource that needs no key.
#[derive(Clone, Copy)]
pub enum Open {
    /// The lookup page.
    Page,
    /// The description of the service.
    About,
    /// The public key for checking receipts.
    SigningKey,
    /// A file that does not depend on the data.
    Static(&'static ServedFile),
}

/// The public description of the service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct About {
    /// Whether the data is the demonstration data.
    pub demo: bool,
    /// The time of the last import that changed anything, in seconds since 1970.
    pub updated: i64,
    /// The coverage of the obtained documents.
    pub coverage: Arc<[Coverage]>,
    /// The inclusions in registries that could not be read.
    pub unread: UnreadEntries,
    /// The number of contracts of whose items nothing but codes and sums is known.
    pub contracts_without_items: u64,
    /// The registries of unfair suppliers.
    pub registries: Registries,
    /// The documents that registries consist of.
    pub registry_documents: Arc<RegistryDocuments>,
    /// Whether responses have receipts.
    pub has_receipts: bool,
}

impl Open {
    /// The names under which these resources are counted and logged.
    pub const LABELS: [&'static str; 7] = [
        "/",
        "/web",
        "/about.json",
        SIGNING_KEY,
        "/docs",
        "/openapi.json",
        "/schemas",
    ];

    /// Returns the resource at `path`, if there is one.
    pub fn from_path(path: &str) -> Option<Self> {
        match path {
            "/" => Some(Self::Page),
            "/about.json" => Some(Self::About),
            SIGNING_KEY => Some(Self::SigningKey),
            _ => static_file::at(path).map(Self::Static),
        }
    }

    /// Returns the name under which it is counted and logged.
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
    /// Returns the `Content-Type` and the HTML of the lookup page. The page states whether
    /// documents were obtained; their list may be long and is only in `/about.json`. The form's
    /// field contains the submitted text. A user whom a trusted proxy names needs no key.
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

    /// Returns the description of the service as JSON.
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

    /// Returns a JSON object with the members that the page and `/about.json` share, then `others`.
    fn json(&self, others: Value) -> String {
        let mut about = json!({
            "name": env!("CARGO_PKG_NAME"),
            "version": env!("CARGO_PKG_VERSION"),
            "demo": self.demo,
            "dataUpdated": timestamp(self.updated),
        });
        if let (Value::Object(about), Value::Object(others)) = (&mut about, others) {
            about.extend(others);
        }
        about.to_string()
    }
}

/// The most unread inclusions that are named.
const MAX_UNREAD: usize = 100;

/// Returns an unread inclusion as JSON.
fn unread_json(unread: &UnreadEntry) -> Value {
    json!({
        "federalLaw": unread.law.code(),
        "number": unread.number,
        "archive": unread.archive,
        "entry": unread.entry,
    })
}

/// Returns the documents that a registry lacks as JSON.
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

/// The last sent description of the service. It can be long, so it is written and packed once for
/// each state of the data.
pub type SentAbout = Mutex<Option<(About, Arc<PackedBody>)>>;

/// Returns the description of the service as a body.
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

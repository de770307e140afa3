//! What anyone may read without a key: the lookup page, the manual, what describes the
//! service, and what the service is. No record is among it. It is limited by address, as even a 304 costs
//! something.

pub(super) mod static_resource;

use std::sync::{Arc, Mutex, PoisonError};

use serde::Serialize;

use super::request::query::{Query, QueryValue};
use crate::model::{
    Coverage, Language, MissingDocuments, Registries, RegistryDocuments, timestamp,
};
use crate::web;
use static_resource::{StaticBody, StaticResource};

/// The `Content-Type` of a page.
pub const HTML: &str = "text/html; charset=utf-8";

/// Where the public key is.
const SIGNING_KEY: &str = "/signing-key.pem";

/// A resource that is open to all.
#[derive(Clone, Copy, Debug)]
pub enum Open {
    /// The lookup page.
    Page,
    /// What the service is.
    About,
    /// The public key that receipts are checked with.
    SigningKey,
    /// One that does not depend on the data.
    Static(&'static StaticResource),
}

/// What the service is, as far as anyone may know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct About {
    /// Does it answer from the demonstration data?
    pub demo: bool,
    /// The time of the last import that changed anything, in seconds since 1970.
    pub updated: i64,
    /// Which official documents were obtained.
    pub coverage: Arc<[Coverage]>,
    /// The registries of unfair suppliers.
    pub registries: Registries,
    /// The documents that registries consist of.
    pub registry_documents: Arc<RegistryDocuments>,
    /// Whether responses have receipts.
    pub has_receipts: bool,
}

impl Open {
    /// Under which names they are counted and logged.
    pub const LABELS: [&'static str; 7] = [
        "/",
        "/web",
        "/about.json",
        SIGNING_KEY,
        "/docs",
        "/openapi.json",
        "/schemas",
    ];

    /// The resource at `path`, if there is one there.
    pub fn of_path(path: &str) -> Option<Self> {
        match path {
            "/" => Some(Self::Page),
            "/about.json" => Some(Self::About),
            SIGNING_KEY => Some(Self::SigningKey),
            _ => static_resource::at(path).map(Self::Static),
        }
    }

    /// The name that it is counted and logged under.
    pub fn label(self) -> &'static str {
        match self {
            Self::Page => "/",
            Self::About => "/about.json",
            Self::SigningKey => SIGNING_KEY,
            Self::Static(resource) => resource.label(),
        }
    }
}

impl About {
    /// The lookup page: its `Content-Type`, and what is sent. Whether documents were
    /// obtained stands in it, which ones only in the document, as that may be long. What was
    /// searched for by its form stands in the field.
    pub fn page(
        &self,
        language: Option<Language>,
        parameters: &Query<'_>,
    ) -> (&'static str, String) {
        let about = AboutJson {
            has_coverage: Some(!self.coverage.is_empty()),
            has_receipts: Some(self.has_receipts),
            ..self.json()
        };
        let query = match parameters.get("q", None) {
            QueryValue::One(query) => query,
            QueryValue::Missing | QueryValue::Malformed => "",
        };
        let page = web::page(&web::Frame {
            language: language.unwrap_or_default(),
            about: &about.text(),
            is_demo: self.demo,
            query,
        });
        (HTML, page)
    }

    /// What the service is, as JSON.
    pub fn document(&self) -> String {
        let missing = self
            .registries
            .missing(&self.coverage, &self.registry_documents);
        let about = AboutJson {
            coverage: Some(&self.coverage),
            missing: Some(missing.iter().map(MissingJson::new).collect()),
            ..self.json()
        };
        about.text()
    }

    fn json(&self) -> AboutJson<'_> {
        AboutJson {
            name: env!("CARGO_PKG_NAME"),
            version: env!("CARGO_PKG_VERSION"),
            demo: self.demo,
            data_updated: timestamp(self.updated),
            has_coverage: None,
            has_receipts: None,
            coverage: None,
            missing: None,
        }
    }
}

/// The members of `/about.json`, and of what the page comes with.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct AboutJson<'a> {
    name: &'static str,
    version: &'static str,
    demo: bool,
    data_updated: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    has_coverage: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    has_receipts: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    coverage: Option<&'a [Coverage]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    missing: Option<Vec<MissingJson>>,
}

/// The documents that a registry lacks.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct MissingJson {
    federal_law: &'static str,
    as_of: String,
    days: u64,
    cells: u64,
    first: FirstMissing,
}

/// The first of the missing cells.
#[derive(Serialize)]
struct FirstMissing {
    subsystem: &'static str,
    documents: &'static str,
    region: &'static str,
    day: String,
}

impl MissingJson {
    fn new(missing: &MissingDocuments) -> Self {
        let first = &missing.first;
        Self {
            federal_law: missing.law.code(),
            as_of: missing.as_of.to_string(),
            days: missing.days,
            cells: missing.cells,
            first: FirstMissing {
                subsystem: first.documents.subsystem,
                documents: first.documents.name,
                region: first.region.code,
                day: first.day.to_string(),
            },
        }
    }
}

impl AboutJson<'_> {
    fn text(&self) -> String {
        // Strings, numbers and flags can always be written.
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// What the service is as it was last sent: it is long where many documents were obtained,
/// and made and compressed only once for each state of the data.
#[derive(Default)]
pub struct AboutDocument(Mutex<Option<(About, Arc<StaticBody>)>>);

impl AboutDocument {
    /// The value of its `Content-Type`.
    pub const CONTENT_TYPE: &'static str = "application/json; charset=utf-8";

    /// The body that says `about`.
    pub fn body(&self, about: About) -> Arc<StaticBody> {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((before, body)) = &*last
            && *before == about
        {
            return Arc::clone(body);
        }
        let body = Arc::new(StaticBody::new(about.document().into()));
        *last = Some((about, Arc::clone(&body)));
        body
    }
}

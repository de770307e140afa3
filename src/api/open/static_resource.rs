//! Resources that stay the same until the program ends: the files of the lookup page, the
//! descriptions of the service, and the pages of the manual. The first request makes and
//! compresses a resource and computes its entity tags. A later GET costs a table lookup and a
//! copy, a 304 only the lookup.
//!
//! Their memory is bounded by their tables: some 100 resources, the documents and pages in up to
//! two languages, each plain and in two encodings. They take 7 MB if all of them are requested.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{LazyLock, OnceLock};

use super::super::described::Description;
use super::super::request::accept::{AcceptEncoding, Encoding};
use super::super::response::etag::EntityTag;
use super::super::response::packing;
use crate::manual;
use crate::model::Language;
use crate::web::{self, Asset};

/// A resource that stays the same.
pub struct StaticResource {
    content: ResourceContent,
    /// The bodies by language; a resource without a language has only the first.
    bodies: [OnceLock<StaticBody>; 2],
}

enum ResourceContent {
    Asset(Asset),
    Description(Description),
    Manual(manual::Page),
}

/// A body in each encoding, made on first use.
pub struct StaticBody {
    plain: Representation,
    /// None if compression failed, which only a lack of memory explains.
    gzip: OnceLock<Option<Representation>>,
    zstd: OnceLock<Option<Representation>>,
}

/// A body in one encoding.
pub struct Representation {
    pub encoding: Encoding,
    /// The entity tag, with its quotes.
    pub etag: String,
    pub body: Cow<'static, [u8]>,
}

/// Returns the resource at `path`, if there is one.
pub fn at(path: &str) -> Option<&'static StaticResource> {
    static RESOURCES: LazyLock<HashMap<String, StaticResource>> = LazyLock::new(|| {
        let resource = |content| StaticResource {
            content,
            bodies: Default::default(),
        };
        let assets = web::assets()
            .map(|(name, asset)| (web::path(name), resource(ResourceContent::Asset(asset))));
        let documents = Description::all().map(|document| {
            (
                document.path(),
                resource(ResourceContent::Description(document)),
            )
        });
        let pages =
            manual::Page::all().map(|page| (page.path(), resource(ResourceContent::Manual(page))));
        assets.chain(documents).chain(pages).collect()
    });
    RESOURCES.get(path)
}

impl StaticResource {
    /// Returns the name under which it is counted and logged.
    pub fn label(&self) -> &'static str {
        match self.content {
            ResourceContent::Asset(_) => "/web",
            ResourceContent::Manual(_) | ResourceContent::Description(Description::Reference) => {
                "/docs"
            }
            ResourceContent::Description(Description::Openapi) => "/openapi.json",
            ResourceContent::Description(Description::Xsd(_) | Description::JsonSchema(_)) => {
                "/schemas"
            }
        }
    }

    /// Returns whether it is a file of the pages, whose address names its content.
    pub fn is_asset(&self) -> bool {
        matches!(self.content, ResourceContent::Asset(_))
    }

    /// Returns the value of `Content-Type`.
    pub fn content_type(&self) -> &'static str {
        match &self.content {
            ResourceContent::Asset(asset) => asset.content_type,
            ResourceContent::Description(document) => document.content_type(),
            ResourceContent::Manual(_) => "text/html; charset=utf-8",
        }
    }

    /// Returns the best representation for a client that prefers this language.
    pub fn representation(
        &self,
        language: Option<Language>,
        accept: AcceptEncoding,
    ) -> &Representation {
        let [first, second] = &self.bodies;
        let in_language = |language: Language, make: &dyn Fn() -> String| {
            let place = language.pick(first, second);
            place.get_or_init(|| StaticBody::new(make().into_bytes().into()))
        };
        let body = match &self.content {
            ResourceContent::Asset(asset) => {
                first.get_or_init(|| StaticBody::new(asset.body.as_bytes().into()))
            }
            ResourceContent::Description(document) => {
                let language = document.language(language);
                in_language(language, &|| document.body(language))
            }
            ResourceContent::Manual(page) => {
                let language = language.unwrap_or_default();
                in_language(language, &|| page.html(language))
            }
        };
        body.representation(accept)
    }
}

impl StaticBody {
    pub fn new(body: Cow<'static, [u8]>) -> Self {
        Self {
            plain: Representation::new(Encoding::Identity, body),
            gzip: OnceLock::new(),
            zstd: OnceLock::new(),
        }
    }

    /// Returns the best representation for the client.
    pub fn representation(&self, accept: AcceptEncoding) -> &Representation {
        let place = match accept.encoding {
            Encoding::Identity => return &self.plain,
            Encoding::Gzip => &self.gzip,
            Encoding::Zstd => &self.zstd,
        };
        let plain = &self.plain;
        if plain.body.len() < packing::WORTH_IT && !accept.always {
            return plain;
        }
        let compress = || match packing::compress_once(accept.encoding, &plain.body) {
            Ok(body) => Some(Representation::new(accept.encoding, body.into())),
            Err(error) => {
                log::error!("{error}");
                None
            }
        };
        let compressed = place.get_or_init(compress).as_ref();
        let is_better = |compressed: &&Representation| {
            accept.always || compressed.body.len() < plain.body.len()
        };
        compressed.filter(is_better).unwrap_or(plain)
    }
}

impl Representation {
    fn new(encoding: Encoding, body: Cow<'static, [u8]>) -> Self {
        let always = false;
        let tag = EntityTag::from_content(&body, AcceptEncoding { encoding, always });
        Self {
            encoding,
            etag: tag.text(),
            body,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ptr;

    use super::*;

    #[test]
    fn what_is_sent_is_made_once() {
        for (path, in_languages) in [
            ("/openapi.json", true),
            ("/docs", true),
            ("/docs/", true),
            ("/docs/start", true),
            ("/schemas/error.schema.json", true),
            ("/schemas/error.xsd", false),
            (&web::path("page.js"), false),
        ] {
            let resource = at(path).expect(path);
            let english = Some(Language::English);
            for encoding in [Encoding::Identity, Encoding::Gzip, Encoding::Zstd] {
                let always = true;
                let accept = AcceptEncoding { encoding, always };
                let made = resource.representation(english, accept);
                assert_eq!(made.encoding, encoding);
                let again = at(path).expect(path).representation(english, accept);
                assert!(ptr::eq(made, again), "{path}");
                let russian = resource.representation(Some(Language::Russian), accept);
                assert_eq!(made.etag != russian.etag, in_languages, "{path}");
                assert_eq!(ptr::eq(made, russian), !in_languages, "{path}");
            }
        }
    }

    #[test]
    fn all_of_it_stays_within_the_bound_that_is_stated() {
        let (mut number, mut bytes) = (0, 0);
        let documents = Description::all().map(Description::path);
        let assets = web::assets().map(|(name, _)| web::path(name));
        let pages = manual::Page::all().map(manual::Page::path);
        for path in documents.chain(assets).chain(pages) {
            number += 1;
            let resource = at(&path).expect(&path);
            for language in Language::ALL.map(Some) {
                for encoding in [Encoding::Identity, Encoding::Gzip, Encoding::Zstd] {
                    let always = true;
                    let accept = AcceptEncoding { encoding, always };
                    bytes += resource.representation(language, accept).body.len();
                }
            }
        }
        assert!(number < 110 && bytes < 7 << 20, "{number} {bytes}");
    }
}

//! Serves files that do not change while the program runs: those of the lookup page, the
//! descriptions of the service, and the manual. The first request for a file generates and
//! compresses it and computes its entity tags. After that, a GET costs a table lookup and a copy,
//! and a 304 only the lookup.
//!
//! Memory is bounded by the number of files: under 250, each in up to two languages, unencoded and
//! in two encodings. Together they take at most 12 MB once all have been requested.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{LazyLock, OnceLock};

use super::super::described;
use super::super::request::accept::{AcceptEncoding, Encoding};
use super::super::response::etag::EntityTag;
use super::super::response::packing;
use crate::manual;
use crate::model::Language;
use crate::web::{self, StaticFile};

/// A static file and its bodies by language, generated on first use.
pub struct ServedFile {
    pub file: StaticFile,
    bodies: [OnceLock<PackedBody>; 2],
}

/// A body in each encoding, compressed on first use. An encoding is `None` if compression failed,
/// which happens only if memory runs out.
pub struct PackedBody {
    plain: Representation,
    gzip: OnceLock<Option<Representation>>,
    zstd: OnceLock<Option<Representation>>,
}

pub struct Representation {
    pub encoding: Encoding,
    /// Entity tag, including the quotes.
    pub etag: String,
    pub body: Cow<'static, [u8]>,
}

pub fn at(path: &str) -> Option<&'static ServedFile> {
    static FILES: LazyLock<HashMap<String, ServedFile>> = LazyLock::new(|| {
        all()
            .map(|file| (file.path.clone(), ServedFile::new(file)))
            .collect()
    });
    FILES.get(path)
}

fn all() -> impl Iterator<Item = StaticFile> {
    web::files()
        .chain(described::files())
        .chain(manual::files())
}

impl ServedFile {
    fn new(file: StaticFile) -> Self {
        let bodies = Default::default();
        Self { file, bodies }
    }

    pub fn representation(
        &self,
        language: Option<Language>,
        accept: AcceptEncoding,
    ) -> &Representation {
        let language = (self.file.language)(language);
        let [russian, english] = &self.bodies;
        let body = language.pick(russian, english).get_or_init(|| {
            PackedBody::new(match (self.file.body)(language) {
                Cow::Borrowed(text) => text.as_bytes().into(),
                Cow::Owned(text) => text.into_bytes().into(),
            })
        });
        body.representation(accept)
    }
}

impl PackedBody {
    pub fn new(body: Cow<'static, [u8]>) -> Self {
        Self {
            plain: Representation::new(Encoding::Identity, body),
            gzip: OnceLock::new(),
            zstd: OnceLock::new(),
        }
    }

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
    fn each_encoding_is_compressed_once() {
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
    fn static_files_stay_within_the_stated_bound() {
        let (mut number, mut bytes) = (0, 0);
        for StaticFile { path, .. } in all() {
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
        assert!(number < 250 && bytes < 12 << 20, "{number} {bytes}");
    }
}

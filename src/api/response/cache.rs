//! Sent responses by their tags, shared by all workers.
//!
//! A tag is a hash of everything that a response's bytes depend on, including the version of the
//! data (`etag.rs`). So no entry is ever out of date. Rarely requested entries make room for
//! frequently requested ones.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use quick_cache::sync::{Cache, DefaultLifecycle};
use quick_cache::{DefaultHashBuilder, OptionsBuilder, Weighter};

use super::super::request::accept::Encoding;
use super::answered::{AnswerBody, Findings};
use super::etag::EntityTag;

/// The longest cached body, in bytes. RNP checks and cards have hundreds to some thousands, and
/// the largest packed page has some 50 thousand. An unpacked page takes the room of hundreds of
/// cards and is rarely requested twice.
pub const LONGEST: usize = 64 << 10;

/// The cost of an entry beside its body, in bytes: its tag, its slots in the tables, the
/// allocator's overhead, and its result.
const BESIDE: usize = 200;

/// The usual length of a body, for sizing the tables.
const USUAL: usize = 1 << 10;

/// A sent response.
#[derive(Clone, Debug)]
pub struct CachedResponse {
    pub body: Arc<[u8]>,
    pub encoding: Encoding,
    pub findings: Findings,
}

/// The hits and the size of the cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CacheFigures {
    /// Responses found in the cache.
    pub hits: u64,
    /// Responses not found, which had to be made.
    pub misses: u64,
    /// Used memory in bytes, including the cost beside the bodies.
    pub bytes: u64,
}

/// The cached responses.
#[derive(Default)]
pub struct ResponseCache {
    /// None without a cache.
    cache: Option<Cache<EntityTag, CachedResponse, Size>>,
    hits: AtomicU64,
    misses: AtomicU64,
}

#[derive(Clone)]
struct Size;

impl Weighter<EntityTag, CachedResponse> for Size {
    fn weight(&self, _: &EntityTag, cached: &CachedResponse) -> u64 {
        (cached.body.len() + BESIDE) as u64
    }
}

impl ResponseCache {
    /// Returns a cache of up to `bytes`; 0 means none.
    pub fn with_capacity(bytes: usize) -> Self {
        let plan = OptionsBuilder::new()
            .weight_capacity(bytes as u64)
            .estimated_items_capacity(bytes / USUAL)
            .build();
        let new = |plan| {
            Cache::with_options(
                plan,
                Size,
                DefaultHashBuilder::default(),
                DefaultLifecycle::default(),
            )
        };
        Self {
            cache: plan.ok().filter(|_| bytes > 0).map(new),
            ..Self::default()
        }
    }

    /// Returns the response with that tag, if it is cached.
    pub fn get(&self, tag: EntityTag) -> Option<CachedResponse> {
        let found = self.cache.as_ref()?.get(&tag);
        let counter = if found.is_some() {
            &self.hits
        } else {
            &self.misses
        };
        counter.fetch_add(1, Ordering::Relaxed);
        found
    }

    /// Returns whether the response with that tag is cached. This is not counted.
    pub fn has(&self, tag: EntityTag) -> bool {
        let cache = self.cache.as_ref();
        cache.is_some_and(|cache| cache.contains_key(&tag))
    }

    /// Caches a response if it is not too long.
    pub fn insert(
        &self,
        tag: EntityTag,
        body: &AnswerBody,
        encoding: Encoding,
        findings: &Findings,
    ) {
        if let Some(cache) = &self.cache
            && let AnswerBody::Memory(body) = body
            && body.len() <= LONGEST
        {
            let cached = CachedResponse {
                body: body.as_slice().into(),
                encoding,
                findings: findings.clone(),
            };
            cache.insert(tag, cached);
        }
    }

    /// Returns the figures since the start.
    pub fn figures(&self) -> CacheFigures {
        CacheFigures {
            hits: self.hits.load(Ordering::Relaxed),
            misses: self.misses.load(Ordering::Relaxed),
            bytes: self.cache.as_ref().map_or(0, Cache::weight),
        }
    }
}

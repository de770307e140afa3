//! Recently sent responses by entity tag, shared by all workers.
//!
//! The tag is a hash of everything that a response's bytes depend on, including the version of the
//! data (`etag.rs`), so entries never become stale. Rarely used entries make room for frequently
//! used ones.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use quick_cache::sync::{Cache, DefaultLifecycle};
use quick_cache::{DefaultHashBuilder, OptionsBuilder, Weighter};

use super::super::request::accept::Encoding;
use super::answered::{AnswerBody, Findings};
use super::etag::EntityTag;

/// Maximum length of a cached body, in bytes. RNP checks and cards have a few hundred to a few
/// thousand bytes, and the largest compressed page has about 50,000. An uncompressed page would
/// displace hundreds of cards and is rarely requested twice.
pub const LONGEST: usize = 64 << 10;

/// Memory that an entry takes in addition to the body, in bytes: tag, table slots, allocator
/// overhead, findings.
const BESIDE: usize = 200;

/// Typical length of a body, from which the number of entries is estimated.
const USUAL: usize = 1 << 10;

#[derive(Clone, Debug)]
pub struct CachedResponse {
    pub body: Arc<[u8]>,
    pub encoding: Encoding,
    pub findings: Findings,
}

/// Counters of the cache, and its size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CacheFigures {
    pub hits: u64,
    pub misses: u64,
    /// Memory in use, including overhead.
    pub bytes: u64,
}

#[derive(Default)]
pub struct ResponseCache {
    /// `None` if caching is off.
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
    /// Creates a cache of up to `bytes`; 0 turns caching off.
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

    /// Returns whether the response is cached, without counting a hit or miss.
    pub fn has(&self, tag: EntityTag) -> bool {
        let cache = self.cache.as_ref();
        cache.is_some_and(|cache| cache.contains_key(&tag))
    }

    /// Caches a response unless it is too long.
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

    /// Returns the counters since the start.
    pub fn figures(&self) -> CacheFigures {
        CacheFigures {
            hits: self.hits.load(Ordering::Relaxed),
            misses: self.misses.load(Ordering::Relaxed),
            bytes: self.cache.as_ref().map_or(0, Cache::weight),
        }
    }
}

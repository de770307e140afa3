//! Responses that were sent before, by their tags, for all workers.
//!
//! A tag is a hash of all that a response's bytes depend on, the version of the data
//! included (`etag.rs`): so nothing in here is ever out of date, only out of use. What is
//! hardly requested makes room for what is requested again.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use quick_cache::sync::{Cache, DefaultLifecycle};
use quick_cache::{DefaultHashBuilder, OptionsBuilder, Weighter};

use super::super::error::Checked;
use super::super::request::encoding::Encoding;
use super::Finding;
use super::draft::Draft;
use super::etag::EntityTag;

/// The longest body that is cached, in bytes: an RNP check and a card have hundreds to some
/// thousands, the largest page has some 50 thousand when it is packed. A page that is not
/// packed costs as much to keep as hundreds of cards, and is hardly requested twice.
pub const LONGEST: usize = 64 << 10;

/// What an entry costs beside its body, in bytes: its tag, its place in the tables, the
/// heap's own, and what it says.
const BESIDE: usize = 200;

/// The usual length of a body, for planning the tables.
const USUAL: usize = 1 << 10;

/// A response that was sent: what a handler and the packing have made of a draft.
#[derive(Clone, Debug)]
pub struct CachedResponse {
    body: Arc<[u8]>,
    encoding: Encoding,
    next: Option<String>,
    checked: Option<Checked>,
    finding: Finding,
}

impl CachedResponse {
    /// Fills a draft as it was filled then. Returns what the response says.
    pub fn copy_to(self, draft: &mut Draft) -> Finding {
        draft.body.extend_from_slice(&self.body);
        draft.encoding = self.encoding;
        draft.next = self.next;
        draft.checked = self.checked;
        self.finding
    }
}

/// How often the cache had a response, and how large it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CacheFigures {
    /// Answers that were in it.
    pub hits: u64,
    /// Answers that were not, and had to be read.
    pub misses: u64,
    /// Memory it takes, in bytes, with what it needs beside the bodies.
    pub bytes: u64,
}

/// The cached responses.
#[derive(Default)]
pub struct ResponseCache {
    /// None where nothing is cached.
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
    /// A cache that holds up to `bytes`; none where that is 0.
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

    /// The response with that tag, if it is cached.
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

    /// Returns whether the response with that tag is cached; that is not counted.
    pub fn has(&self, tag: EntityTag) -> bool {
        let cache = self.cache.as_ref();
        cache.is_some_and(|cache| cache.contains_key(&tag))
    }

    /// Caches a response that a draft is filled with, if it is not too long.
    pub fn insert(&self, tag: EntityTag, draft: &Draft, finding: &Finding) {
        if let Some(cache) = &self.cache
            && draft.body.len() <= LONGEST
        {
            let cached = CachedResponse {
                body: draft.body.as_slice().into(),
                encoding: draft.encoding,
                next: draft.next.clone(),
                checked: draft.checked,
                finding: finding.clone(),
            };
            cache.insert(tag, cached);
        }
    }

    /// How it has done so far.
    pub fn figures(&self) -> CacheFigures {
        CacheFigures {
            hits: self.hits.load(Ordering::Relaxed),
            misses: self.misses.load(Ordering::Relaxed),
            bytes: self.cache.as_ref().map_or(0, Cache::weight),
        }
    }
}

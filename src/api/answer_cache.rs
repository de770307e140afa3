//! Answers that were given before, by their tags, for all workers.
//!
//! A tag is a hash of all that an answer's bytes depend on, the version of the data
//! included (`etag.rs`): so nothing in here is ever out of date, only out of use. What is
//! hardly asked for makes room for what is asked for again.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use quick_cache::sync::{Cache, DefaultLifecycle};
use quick_cache::{DefaultHashBuilder, OptionsBuilder, Weighter};

use super::encoding::Encoding;
use super::etag::Tag;

/// The longest body that is kept, in bytes: an RNP check and a card have hundreds to some
/// thousands, the largest page has some 50 thousand when it is packed. A page that is not
/// packed costs as much to keep as hundreds of cards, and is hardly asked for twice.
const LONGEST: usize = 64 << 10;

/// What an entry costs beside its body, in bytes: its tag, its place in the tables, the
/// heap's own.
const BESIDE: usize = 160;

/// How long an answer is taken to be, where the tables are planned.
const USUAL: usize = 1 << 10;

/// A body that was sent.
#[derive(Clone, Debug)]
pub struct Kept {
    /// The bytes as they were sent.
    pub body: Arc<[u8]>,
    /// How they are encoded.
    pub encoding: Encoding,
}

/// What became of the questions to the cache, and how large it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CacheFigures {
    /// Answers that were in it.
    pub hits: u64,
    /// Answers that were not, and had to be read.
    pub misses: u64,
    /// Bytes held, what it needs beside the bodies included.
    pub bytes: u64,
}

/// The answers that are kept.
#[derive(Default)]
pub struct AnswerCache {
    /// None where nothing is kept.
    kept: Option<Cache<Tag, Kept, Size>>,
    hits: AtomicU64,
    misses: AtomicU64,
}

#[derive(Clone)]
struct Size;

impl Weighter<Tag, Kept> for Size {
    fn weight(&self, _: &Tag, kept: &Kept) -> u64 {
        (kept.body.len() + BESIDE) as u64
    }
}

impl AnswerCache {
    /// A cache that holds up to `bytes`; none where that is 0.
    pub fn of(bytes: usize) -> Self {
        let plan = OptionsBuilder::new()
            .weight_capacity(bytes as u64)
            .estimated_items_capacity(bytes / USUAL)
            .build();
        let cache = |plan| {
            Cache::with_options(
                plan,
                Size,
                DefaultHashBuilder::default(),
                DefaultLifecycle::default(),
            )
        };
        Self {
            kept: plan.ok().filter(|_| bytes > 0).map(cache),
            ..Self::default()
        }
    }

    /// The answer with that tag, if it is kept.
    pub fn get(&self, tag: Tag) -> Option<Kept> {
        let found = self.kept.as_ref()?.get(&tag);
        let counter = if found.is_some() {
            &self.hits
        } else {
            &self.misses
        };
        counter.fetch_add(1, Ordering::Relaxed);
        found
    }

    /// Keeps an answer, if it is one that is kept.
    pub fn keep(&self, tag: Tag, body: &[u8], encoding: Encoding) {
        if let Some(kept) = &self.kept
            && body.len() <= LONGEST
        {
            let body = body.into();
            kept.insert(tag, Kept { body, encoding });
        }
    }

    /// How it does.
    pub fn figures(&self) -> CacheFigures {
        CacheFigures {
            hits: self.hits.load(Ordering::Relaxed),
            misses: self.misses.load(Ordering::Relaxed),
            bytes: self.kept.as_ref().map_or(0, Cache::weight),
        }
    }
}

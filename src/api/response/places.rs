//! Limits how many large answers can be in progress, in total and per key. Only answers that need
//! disk space are limited; the number of others is bounded by the number of connections.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use super::super::data::connections::locked;
use super::super::error::{ErrorKind, Failure, Particulars};
use super::Quota;

/// Upper bound on large answers on disk at the same time, whether waiting, being made, or not yet
/// read by the client. Together with [`MAX_TABLE`](crate::render::MAX_TABLE) this bounds the disk
/// space. A table of 100,000 contracts takes 80 MB as CSV, or a sixth of that compressed.
pub const MAX_PLACES: usize = 16;

/// Maximum number of places per key.
pub const MAX_PLACES_OF_KEY: usize = 4;

/// Seconds after which a refused client should retry: about as long as it takes to make a file of
/// 100,000 contracts.
const RETRY_AFTER: u64 = 5;

#[derive(Debug, Default)]
pub struct Places(Mutex<Taken>);

#[derive(Debug, Default)]
struct Taken {
    /// Number of all places, on disk or not.
    all: usize,
    /// Numbers of places on disk, in total and by key.
    on_disk: usize,
    by_key: HashMap<Arc<str>, usize>,
    refused: RefusedPlaces,
}

/// Number of refused requests, by the limit that was reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RefusedPlaces {
    /// The limit per key.
    pub of_key: u64,
    /// The limit for all keys together.
    pub of_all: u64,
}

/// The limit that was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoPlace {
    OfKey,
    OfAll,
}

/// Permission to make one large answer. Dropping the value frees the place.
#[derive(Debug)]
pub struct Place {
    places: Arc<Places>,
    key: Arc<str>,
    /// Whether the place includes disk space.
    is_on_disk: bool,
    /// The key's quota from when the request was counted.
    pub(super) quota: Option<Quota>,
}

impl Places {
    /// Takes a place for the key with this name. There is always a free one; only places on disk
    /// are limited.
    pub fn take(self: &Arc<Self>, key: &Arc<str>) -> Place {
        locked(&self.0).all += 1;
        Place {
            places: Arc::clone(self),
            key: Arc::clone(key),
            is_on_disk: false,
            quota: None,
        }
    }

    /// Returns how many places are taken, and how many requests were refused.
    pub fn figures(&self) -> (usize, RefusedPlaces) {
        let taken = locked(&self.0);
        (taken.all, taken.refused)
    }
}

impl From<NoPlace> for Failure {
    fn from(limit: NoPlace) -> Self {
        let kind = match limit {
            NoPlace::OfKey => ErrorKind::LargeAnswersOfKey,
            NoPlace::OfAll => ErrorKind::LargeAnswers,
        };
        Self {
            kind,
            particulars: Particulars::Wait(RETRY_AFTER),
        }
    }
}

impl Place {
    pub fn key(&self) -> &Arc<str> {
        &self.key
    }

    /// Reserves disk space, unless the place already has it.
    ///
    /// # Errors
    /// Returns the limit if the key, or all keys together, have reached it.
    pub fn take_room(&mut self) -> Result<(), NoPlace> {
        if self.is_on_disk {
            return Ok(());
        }
        let taken = &mut *locked(&self.places.0);
        let of_key = taken.by_key.get(&self.key).copied().unwrap_or(0);
        if of_key >= MAX_PLACES_OF_KEY {
            taken.refused.of_key += 1;
            return Err(NoPlace::OfKey);
        }
        if taken.on_disk >= MAX_PLACES {
            taken.refused.of_all += 1;
            return Err(NoPlace::OfAll);
        }
        taken.on_disk += 1;
        taken.by_key.insert(Arc::clone(&self.key), of_key + 1);
        self.is_on_disk = true;
        Ok(())
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let taken = &mut *locked(&self.places.0);
        taken.all -= 1;
        if !self.is_on_disk {
            return;
        }
        taken.on_disk -= 1;
        if let Some(of_key) = taken.by_key.get_mut(&self.key) {
            *of_key -= 1;
            if *of_key == 0 {
                taken.by_key.remove(&self.key);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_has_a_share_of_the_disk_and_returns_it() {
        let places = Arc::<Places>::default();
        let key = |number: usize| Arc::from(number.to_string());
        let take = |number| {
            let mut place = places.take(&key(number));
            place.take_room().map(|()| place)
        };
        let mut taken: Vec<_> = (0..MAX_PLACES)
            .map(|number| take(number / MAX_PLACES_OF_KEY).expect("a place"))
            .collect();
        assert_eq!(take(0).expect_err("its share is taken"), NoPlace::OfKey);
        assert_eq!(take(99).expect_err("all are taken"), NoPlace::OfAll);
        let refused = RefusedPlaces {
            of_key: 1,
            of_all: 1,
        };
        assert_eq!(places.figures(), (MAX_PLACES, refused));
        // This frees a place of key 0.
        drop(taken.remove(0));
        let _other = take(99).expect("a place");
        assert_eq!(take(0).expect_err("all are taken"), NoPlace::OfAll);
        taken.clear();
        assert_eq!(places.figures().0, 1);
        let mut several: Vec<_> = (0..MAX_PLACES).map(|_| places.take(&key(0))).collect();
        assert_eq!(places.figures().0, MAX_PLACES + 1);
        for (number, place) in several.iter_mut().enumerate() {
            let room = place.take_room().and_then(|()| place.take_room());
            assert_eq!(room.is_ok(), number < MAX_PLACES_OF_KEY, "{number}");
        }
    }
}

//! What a page of some of a supplier's contracts shows, found by their blocks.

use std::ops::Range;

use super::super::contract_id::contract_id;
use super::super::contract_rows::Place;
use super::super::error::{Error, Result};
use super::super::read::{Database, KnownSupplier};
use super::super::record;
use super::best::Best;
use super::block::{Block, Scan};
use super::{BLOCK, block_id};
use crate::model::encoded::encode_text;
use crate::model::{ContractFilter, ContractOrder, EncodedContract, OrderBy};

/// A page of the contracts that match a filter, and how many match.
#[derive(Clone, Debug)]
pub struct Selection {
    count: u64,
    page: Page,
}

impl Selection {
    /// How many contracts match.
    pub fn count(&self) -> u64 {
        self.count
    }
}

/// Which contracts are shown.
#[derive(Clone, Debug)]
enum Page {
    /// Those of a range of places, the newest first.
    Newest(Range<u64>),
    /// Those of two ranges, one after the other, the oldest first in each.
    Oldest([Range<u64>; 2]),
    /// These, in this order.
    Places(Vec<u32>),
}

impl Database {
    /// Which contracts of a supplier the page shows that has up to `limit` of those that
    /// match `filter`, in that order, after the first `skip`.
    ///
    /// Where all are asked for in the order of signing nothing is read. Bounds of the day
    /// of signing take two binary searches. Anything else reads the blocks of the days
    /// that are asked for; memory is then that of the page, or where the order is by a
    /// value, of up to twice as many as stand before the end of the page, 16 bytes each
    /// (and 32 for each price that is no whole kopecks).
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn select(
        &self,
        supplier: &KnownSupplier,
        filter: &ContractFilter,
        order: ContractOrder,
        skip: u64,
        limit: u64,
    ) -> Result<Selection> {
        let signed = self.signed(supplier, filter)?;
        if order.by != OrderBy::SignDate {
            return self.select_by_value(supplier, filter, order, signed, skip, limit);
        }
        let all = filter.is_of_sign_dates();
        let window = Window::new(skip, limit);
        if !order.ascending {
            if all {
                let page = window.of_newest(&signed);
                return Ok(Selection {
                    count: signed.end - signed.start,
                    page: Page::Newest(page),
                });
            }
            return self.select_in_places(supplier, filter, &[signed], false, window);
        }
        let dated = match (filter.signed_from, filter.signed_to) {
            (None, None) => self.first_signed_from(supplier, 1)?,
            _ => signed.start,
        };
        let runs = [dated..signed.end, signed.start..dated];
        if all {
            return Ok(Selection {
                count: signed.end - signed.start,
                page: Page::Oldest(window.of_runs(&runs)),
            });
        }
        self.select_in_places(supplier, filter, &runs, true, window)
    }

    /// Gives the contracts of a selection of the supplier's to `show`, in its order.
    ///
    /// # Errors
    /// The file cannot be read; some may have been given by then.
    pub fn show(
        &self,
        supplier: &KnownSupplier,
        selection: &Selection,
        show: &mut dyn FnMut(&EncodedContract<'_>),
    ) -> Result<()> {
        match &selection.page {
            Page::Newest(places) => {
                let sql = "SELECT record FROM contract WHERE id >= ?1 AND id < ?2 ORDER BY id DESC";
                self.contracts_of(sql, supplier, places.clone(), show)
            }
            Page::Oldest(runs) => {
                let sql = "SELECT record FROM contract WHERE id >= ?1 AND id < ?2 ORDER BY id";
                runs.iter()
                    .try_for_each(|run| self.contracts_of(sql, supplier, run.clone(), show))
            }
            Page::Places(places) => places.iter().try_for_each(|place| {
                self.contract_at(supplier, (*place).into(), |contract| {
                    show(contract);
                    Ok(())
                })
            }),
        }
    }

    /// Gives one contract to `read`.
    pub(super) fn contract_at<T>(
        &self,
        supplier: &KnownSupplier,
        ordinal: u64,
        read: impl FnOnce(&EncodedContract<'_>) -> Result<T>,
    ) -> Result<T> {
        let sql = "SELECT record FROM contract WHERE id = ?1";
        let (mut read, mut outcome) = (Some(read), None);
        self.records(sql, [contract_id(supplier.id, ordinal)], |bytes| {
            let contract = record::contract(&self.path, bytes)?;
            if let Some(read) = read.take() {
                outcome = Some(read(&contract)?);
            }
            Ok(())
        })?;
        outcome.ok_or_else(|| {
            let what = "a supplier has fewer contracts than it counts";
            Error::damaged(&self.path, what)
        })
    }

    /// Where the contracts stand that were signed on the days that are asked for.
    pub(super) fn signed(
        &self,
        supplier: &KnownSupplier,
        filter: &ContractFilter,
    ) -> Result<Range<u64>> {
        let (from, to) = (filter.signed_from, filter.signed_to);
        let start = match (from, to) {
            (None, None) => 0,
            // One without a day is on none.
            (from, _) => {
                let from = from.map_or(1, |day| day.number());
                self.first_signed_from(supplier, from)?
            }
        };
        let end = match to {
            None => supplier.contracts,
            Some(day) => self.first_signed_from(supplier, day.number() + 1)?,
        };
        Ok(start..end.max(start))
    }

    /// Where the first contract stands that was signed on that day, as YYYYMMDD, or later.
    fn first_signed_from(&self, supplier: &KnownSupplier, day: u32) -> Result<u64> {
        let (mut low, mut high) = (0, supplier.contracts);
        while low < high {
            let middle = low + (high - low) / 2;
            let signed = self.contract_at(supplier, middle, |contract| {
                Ok(Place::of_encoded(contract).sign_date)
            })?;
            if signed < day {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        Ok(low)
    }

    /// The page of what matches in `runs` of places, one after the other.
    fn select_in_places(
        &self,
        supplier: &KnownSupplier,
        filter: &ContractFilter,
        runs: &[Range<u64>],
        ascending: bool,
        window: Window,
    ) -> Result<Selection> {
        let (mut count, mut places) = (0_u64, Vec::new());
        for run in runs {
            self.each_match(supplier, filter, run.clone(), ascending, |part| {
                let matches = part.scan.matches.iter();
                let matching = matches.filter(|matches| **matches).count() as u64;
                if window.meets(count, matching) {
                    let mut add = |ordinal| {
                        if window.has(count) {
                            places.push(ordinal);
                        }
                        count += 1;
                    };
                    match ascending {
                        true => part.ordinals().for_each(&mut add),
                        false => part.ordinals().rev().for_each(&mut add),
                    }
                } else {
                    count += matching;
                }
                Ok(())
            })?;
        }
        Ok(Selection {
            count,
            page: Page::Places(places),
        })
    }

    /// The page of what matches, in the order of a value.
    fn select_by_value(
        &self,
        supplier: &KnownSupplier,
        filter: &ContractFilter,
        order: ContractOrder,
        signed: Range<u64>,
        skip: u64,
        limit: u64,
    ) -> Result<Selection> {
        // Past the end there is nothing to put in order.
        let limit = if skip < supplier.contracts { limit } else { 0 };
        let size = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        let skip = size(skip.min(supplier.contracts));
        let mut best = Best::new(order.ascending, skip, size(limit));
        let (mut count, mut codes, mut prices) = (0_u64, Vec::new(), Vec::new());
        self.each_match(supplier, filter, signed, order.ascending, |part| {
            count += part.ordinals().count() as u64;
            if limit == 0 {
                return Ok(());
            }
            if order.by == OrderBy::Price {
                let read = part.block.prices(&mut codes, &mut prices);
                read.ok_or_else(|| self.no_block())?;
                part.with(&prices, |ordinal, price| best.add_price(price, ordinal));
            } else {
                part.block.updated(&mut codes);
                part.with(&codes, |ordinal, day| best.add_day(*day, ordinal));
            }
            Ok(())
        })?;
        Ok(Selection {
            count,
            page: Page::Places(best.page()),
        })
    }

    /// Gives the blocks of `places` to `each`, from the first or the last on, with what
    /// of them matches the filter (the days of signing told by the places).
    pub(super) fn each_match(
        &self,
        supplier: &KnownSupplier,
        filter: &ContractFilter,
        places: Range<u64>,
        ascending: bool,
        mut each: impl FnMut(&Part<'_>) -> Result<()>,
    ) -> Result<()> {
        let mut inn = Vec::new();
        if let Some(customer) = &filter.customer_inn {
            encode_text(&mut inn, customer);
        }
        let mut scan = Scan::default();
        self.each_block(supplier, places.clone(), ascending, |number, block| {
            let first = number * BLOCK;
            let within = |place: u64| place.saturating_sub(first).min(block.len() as u64) as usize;
            scan.begin(block.len(), within(places.start)..within(places.end));
            if filter.customer_inn.is_some() && !block.keep_customer(&inn, &mut scan) {
                return Ok(());
            }
            if !filter.stages.is_any() {
                block.keep_stages(|stage| filter.stages.has(stage), &mut scan);
            }
            if let Some(day) = filter.updated_from {
                block.keep_updated_from(day, &mut scan);
            }
            let scan = &scan;
            each(&Part { first, block, scan })
        })
    }

    /// Gives the blocks of `places` to `each`, with their numbers.
    fn each_block(
        &self,
        supplier: &KnownSupplier,
        places: Range<u64>,
        ascending: bool,
        mut each: impl FnMut(u64, &Block<'_>) -> Result<()>,
    ) -> Result<()> {
        if places.is_empty() {
            return Ok(());
        }
        let (start, end) = (places.start / BLOCK, places.end.div_ceil(BLOCK));
        let sql = match ascending {
            true => "SELECT facets FROM contract_facets WHERE id >= ?1 AND id < ?2 ORDER BY id",
            false => {
                "SELECT facets FROM contract_facets WHERE id >= ?1 AND id < ?2 ORDER BY id DESC"
            }
        };
        let range = [block_id(supplier.id, start), block_id(supplier.id, end)];
        let mut found = 0;
        self.records(sql, range, |bytes| {
            // Row ids differ and are in that range: so many of them are all of it.
            let number = match ascending {
                true => start + found,
                false => end.saturating_sub(found + 1),
            };
            found += 1;
            let count = supplier.contracts.saturating_sub(number * BLOCK).min(BLOCK);
            let block = Block::read(bytes, count).ok_or_else(|| self.no_block())?;
            each(number, &block)
        })?;
        match found == end - start {
            true => Ok(()),
            false => Err(self.no_block()),
        }
    }

    /// What is wrong where a block cannot be read.
    #[cold]
    pub(super) fn no_block(&self) -> Error {
        let what = "the facets of a supplier's contracts: they are not all there, or a checksum or what is in them is wrong";
        Error::damaged(&self.path, what)
    }
}

/// A block, and which of its contracts match.
pub struct Part<'a> {
    /// The ordinal of its first contract.
    first: u64,
    pub block: &'a Block<'a>,
    pub scan: &'a Scan,
}

impl Part<'_> {
    /// The ordinal of the contract at a place in the block.
    pub fn ordinal(&self, at: usize) -> u32 {
        // An ordinal is below 2^32.
        (self.first as u32).wrapping_add(at as u32)
    }

    /// The ordinals of the contracts that match.
    pub fn ordinals(&self) -> impl DoubleEndedIterator<Item = u32> {
        let matches = self.scan.matches.iter().enumerate();
        let matching = matches.filter(|(_, matches)| **matches);
        matching.map(|(at, _)| self.ordinal(at))
    }

    /// Gives the contracts that match to `each`: the ordinal, and what `values` has of it.
    #[inline]
    pub fn with<T>(&self, values: &[T], mut each: impl FnMut(u32, &T)) {
        let contracts = self.scan.matches.iter().zip(values).enumerate();
        for (at, (matches, value)) in contracts {
            if *matches {
                each(self.ordinal(at), value);
            }
        }
    }
}

/// Which of what matches, counted in its order, a page shows.
#[derive(Clone, Copy, Debug)]
struct Window {
    start: u64,
    end: u64,
}

impl Window {
    fn new(skip: u64, limit: u64) -> Self {
        Self {
            start: skip,
            end: skip.saturating_add(limit),
        }
    }

    fn has(self, at: u64) -> bool {
        self.start <= at && at < self.end
    }

    /// Does it have any of `count` from `at` on?
    fn meets(self, at: u64, count: u64) -> bool {
        at < self.end && self.start < at + count
    }

    /// What it has of a run of places, the last one first.
    fn of_newest(self, run: &Range<u64>) -> Range<u64> {
        let end = run.end.saturating_sub(self.start).max(run.start);
        let start = run.end.saturating_sub(self.end).max(run.start);
        start..end
    }

    /// What it has of two runs of places, one after the other.
    fn of_runs(self, runs: &[Range<u64>; 2]) -> [Range<u64>; 2] {
        let mut before = 0;
        runs.clone().map(|run| {
            let place = |at: u64| run.start + at.saturating_sub(before).min(run.end - run.start);
            let part = place(self.start)..place(self.end);
            before += run.end - run.start;
            part
        })
    }
}

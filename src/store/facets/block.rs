//! A block as the bytes the file keeps.
//!
//! ```text
//! contracts | customers, bytes, each INN | five columns | prices that are no whole hundredths | CRC-32
//! ```
//!
//! Numbers are LEB128, texts as in records. A column is `base | width | width bytes for
//! each contract`, codes from the lowest byte on: stage and whether there is a customer's
//! name; which customer; days of signing and of the last change, as YYYYMMDD; price, in
//! hundredths. Of the last three code 0 is none, and others count from the base; code 1
//! is a price that stands among those behind.

use super::making::{FIRST, Facets, NAMED, NONE, OTHER, Price, STAGE, STAGES};
use crate::model::encoded::{Encoded, EncodedValues};
use crate::model::{ContractStage, Date};

fn unzigzag(value: u64) -> i64 {
    (value >> 1) as i64 ^ -((value & 1) as i64)
}

/// A block that is there, to make another of.
#[derive(Debug, Default)]
pub struct Stored {
    inns: Vec<String>,
    states: Vec<u64>,
    customers: Vec<u64>,
    signed: Vec<u64>,
    updated: Vec<u64>,
    prices: Vec<Price>,
}

impl Stored {
    /// What is in these bytes; none if they are damaged.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let count = EncodedValues::new(bytes).number()?;
        let block = Block::read(bytes, count)?;
        let mut stored = Self::default();
        block.prices(&mut stored.states, &mut stored.prices)?;
        block.states(&mut stored.states);
        block.customers(&mut stored.customers);
        block.signed(&mut stored.signed);
        block.updated(&mut stored.updated);
        let inns = block.kept_inns().map(|(inn, _)| inn.text().into_owned());
        stored.inns = inns.collect();
        Some(stored)
    }

    /// What it has of the contract at a place in it, if there is one.
    pub fn get(&self, at: usize) -> Option<Facets<'_>> {
        let customer = usize::try_from(*self.customers.get(at)?).ok()?;
        Some(Facets {
            state: *self.states.get(at)?,
            customer: self.inns.get(customer)?.into(),
            signed: *self.signed.get(at)?,
            updated: *self.updated.get(at)?,
            price: self.prices.get(at)?.clone(),
        })
    }
}

/// A block in the bytes of a row.
#[derive(Clone, Copy, Debug)]
pub struct Block<'a> {
    count: usize,
    inns: EncodedValues<'a>,
    inn_count: u64,
    states: Column<'a>,
    customers: Column<'a>,
    signed: Column<'a>,
    updated: Column<'a>,
    prices: Column<'a>,
    others: EncodedValues<'a>,
}

/// A code for each contract of a block.
#[derive(Clone, Copy, Debug)]
struct Column<'a> {
    base: u64,
    width: usize,
    bytes: &'a [u8],
}

impl<'a> Column<'a> {
    fn read(bytes: &mut &'a [u8], count: usize) -> Option<Self> {
        let mut values = EncodedValues::new(bytes);
        let base = values.number()?;
        let (&width, rest) = values.rest().split_first()?;
        let width = usize::from(width);
        let (codes, rest) = rest.split_at_checked(width.checked_mul(count)?)?;
        *bytes = rest;
        (width <= 8).then_some(Self {
            base,
            width,
            bytes: codes,
        })
    }

    /// The codes of `count` contracts, in place of what is in `out`.
    #[inline]
    fn codes_into(self, count: usize, out: &mut Vec<u64>) {
        out.clear();
        match self.width {
            0 => out.resize(count, 0),
            1 => self.extend::<1>(out),
            2 => self.extend::<2>(out),
            3 => self.extend::<3>(out),
            4 => self.extend::<4>(out),
            5 => self.extend::<5>(out),
            6 => self.extend::<6>(out),
            7 => self.extend::<7>(out),
            _ => self.extend::<8>(out),
        }
    }

    #[inline]
    fn extend<const WIDTH: usize>(self, out: &mut Vec<u64>) {
        out.extend(self.bytes.as_chunks::<WIDTH>().0.iter().map(|bytes| {
            let mut word = [0; 8];
            word[..WIDTH].copy_from_slice(bytes);
            u64::from_le_bytes(word)
        }));
    }
}

impl<'a> Block<'a> {
    /// The block of `count` contracts that `bytes` are; none where they are damaged.
    pub fn read(bytes: &'a [u8], count: u64) -> Option<Self> {
        let (block, sum) = bytes.split_last_chunk()?;
        if crc32fast::hash(block) != u32::from_le_bytes(*sum) {
            return None;
        }
        let mut values = EncodedValues::new(block);
        if values.number()? != count {
            return None;
        }
        let count = usize::try_from(count).ok()?;
        let inn_count = values.number()?;
        let size = usize::try_from(values.number()?).ok()?;
        let (inns, mut rest) = values.rest().split_at_checked(size)?;
        Some(Self {
            count,
            inns: EncodedValues::new(inns),
            inn_count,
            states: Column::read(&mut rest, count)?,
            customers: Column::read(&mut rest, count)?,
            signed: Column::read(&mut rest, count)?,
            updated: Column::read(&mut rest, count)?,
            prices: Column::read(&mut rest, count)?,
            others: EncodedValues::new(rest),
        })
    }

    /// How many contracts there are in it.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Keeps the contracts in a stage that is wanted.
    pub fn keep_stages(&self, has: impl Fn(Option<ContractStage>) -> bool, scan: &mut Scan) {
        let mut wanted = 0_u64;
        let stages = [None].into_iter().chain(STAGES.map(Some));
        for (code, stage) in (0..8).zip(stages) {
            wanted |= u64::from(has(stage)) << code;
        }
        self.states.codes_into(self.count, &mut scan.codes);
        scan.keep(|code| wanted >> (code & STAGE) & 1 == 1);
    }

    /// Keeps the contracts that were last changed on `day` or later.
    pub fn keep_updated_from(&self, day: Date, scan: &mut Scan) {
        let day = u64::from(day.number());
        let first = FIRST + day.saturating_sub(self.updated.base);
        self.updated.codes_into(self.count, &mut scan.codes);
        scan.keep(|code| code >= first);
    }

    /// Keeps the contracts with this customer, `inn` as a record keeps it; false if there
    /// are none.
    pub fn keep_customer(&self, inn: &[u8], scan: &mut Scan) -> bool {
        let Some(wanted) = self.kept_inns().position(|(_, kept)| kept == inn) else {
            return false;
        };
        self.customers.codes_into(self.count, &mut scan.codes);
        scan.keep(|code| code == wanted as u64);
        true
    }

    /// The INNs of the customers in the order of their codes, each also as it is kept.
    pub fn kept_inns(&self) -> impl Iterator<Item = (Encoded<'a>, &'a [u8])> + use<'a> {
        let (mut values, count) = (self.inns, self.inn_count);
        (0..count).map_while(move |_| {
            let before = values.rest();
            let value = values.value()?;
            let size = before.len() - values.rest().len();
            Some((value, before.get(..size)?))
        })
    }

    /// The stages of contracts, and whether each has its customer's name.
    pub fn states(&self, out: &mut Vec<u64>) {
        self.states.codes_into(self.count, out);
    }

    /// Which of [`Block::kept_inns`] their customers are.
    pub fn customers(&self, out: &mut Vec<u64>) {
        self.customers.codes_into(self.count, out);
    }

    /// The days they were signed, as YYYYMMDD, 0 for none.
    pub fn signed(&self, out: &mut Vec<u64>) {
        self.days(self.signed, out);
    }

    /// The days they were last changed, likewise.
    pub fn updated(&self, out: &mut Vec<u64>) {
        self.days(self.updated, out);
    }

    fn days(&self, column: Column<'_>, out: &mut Vec<u64>) {
        column.codes_into(self.count, out);
        for code in out {
            *code = match *code {
                NONE => 0,
                code => column.base.wrapping_add(code).wrapping_sub(FIRST),
            };
        }
    }

    /// Their prices; none where the block is damaged.
    pub fn prices(&self, codes: &mut Vec<u64>, out: &mut Vec<Price>) -> Option<()> {
        let base = unzigzag(self.prices.base);
        let mut others = self.others;
        self.prices.codes_into(self.count, codes);
        out.clear();
        for code in codes {
            out.push(match *code {
                NONE => Price::None,
                OTHER => Price::Other(Box::new(others.value()?.text().parse().ok()?)),
                code => Price::Hundredths(base.wrapping_add_unsigned(code - FIRST)),
            });
        }
        others.is_at_end().then_some(())
    }
}

/// The stage that a code of [`Block::states`] is of, and whether the customer's name is
/// there; none where the block is damaged.
pub fn state(code: u64) -> Option<(Option<ContractStage>, bool)> {
    let stage = match code & STAGE {
        0 => None,
        stage => Some(*STAGES.get(usize::try_from(stage).ok()? - 1)?),
    };
    Some((stage, code & NAMED != 0))
}

/// Which contracts of a block match, as far as was asked, and room to read columns.
#[derive(Debug, Default)]
pub struct Scan {
    /// One for each contract.
    pub matches: Vec<bool>,
    codes: Vec<u64>,
}

impl Scan {
    /// All of `window` match, of so many contracts.
    pub fn begin(&mut self, count: usize, window: std::ops::Range<usize>) {
        self.matches.clear();
        self.matches.resize(count, false);
        if let Some(matches) = self.matches.get_mut(window) {
            matches.fill(true);
        }
    }

    #[inline(always)]
    fn keep(&mut self, mut matches: impl FnMut(u64) -> bool) {
        for (kept, code) in self.matches.iter_mut().zip(&self.codes) {
            *kept &= matches(*code);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::super::contract_record::{decode, encode};
    use super::super::making::Builder;
    use super::*;
    use crate::model::Contract;
    use crate::model::encoded::encode_text;

    fn contract() -> impl Strategy<Value = Contract> {
        let price = prop_oneof![
            4 => "[0-9]{1,9}(\\.[0-9]{1,2})?",
            1 => "-?[0-9]{1,17}\\.[0-9]{1,9}",
            1 => "-?[1-9][0-9]{0,27}e-?[0-9]{1,3}",
        ];
        let price = price.prop_filter_map("an amount", |text| text.parse().ok());
        let date = || {
            let day = (1..=9999_u16, 1..=12_u8, 1..=28_u8);
            proptest::option::of(
                day.prop_map(|(year, month, day)| Date::new(year, month, day).expect("a day")),
            )
        };
        let stages = [None, Some(0), Some(1), Some(2), Some(3)];
        let parts = (
            proptest::option::of(price),
            date(),
            date(),
            proptest::sample::select(stages.to_vec()),
            prop_oneof!["[0-9]{1}", "[0-9]{10}", ".{0,30}"],
            any::<bool>(),
        );
        parts.prop_map(
            |(price, sign_date, update_date, stage, inn, named)| Contract {
                price,
                sign_date,
                update_date,
                stage: stage.map(|stage: usize| STAGES[stage]),
                customer_inn: inn,
                customer_name: if named { "x" } else { "" }.to_owned(),
                ..Contract::default()
            },
        )
    }

    fn block(contracts: &[Contract]) -> Vec<u8> {
        let mut builder = Builder::default();
        for contract in contracts {
            let record = encode(contract);
            let kept = decode(&record).expect("a record");
            builder.add(Facets::of(&kept).expect("facets"));
        }
        builder.finish()
    }

    proptest! {
        #[test]
        fn what_a_block_tells_is_what_its_contracts_are(
            contracts in proptest::collection::vec(contract(), 0..40),
            from in (1..=9999_u16).prop_map(|year| Date::new(year, 1, 1).expect("a day")),
        ) {
            let bytes = block(&contracts);
            let count = contracts.len() as u64;
            let block = Block::read(&bytes, count).expect("a block");
            prop_assert!(Block::read(&bytes, count + 1).is_none());
            let (mut codes, mut prices) = (Vec::new(), Vec::new());
            block.prices(&mut codes, &mut prices).expect("prices");
            for (contract, price) in contracts.iter().zip(prices) {
                let told = match price {
                    Price::None => None,
                    Price::Hundredths(hundredths) => Some(format!("{hundredths}e-2").parse().expect("an amount")),
                    Price::Other(amount) => Some(*amount),
                };
                prop_assert_eq!(told, contract.price);
            }
            let number = |date: Option<Date>| date.map_or(0, |date| u64::from(date.number()));
            block.signed(&mut codes);
            prop_assert!(codes.iter().copied().eq(contracts.iter().map(|one| number(one.sign_date))));
            block.updated(&mut codes);
            prop_assert!(codes.iter().copied().eq(contracts.iter().map(|one| number(one.update_date))));
            block.states(&mut codes);
            prop_assert!(codes.iter().map(|code| state(*code)).eq(contracts
                .iter()
                .map(|one| Some((one.stage, !one.customer_name.is_empty())))));
            block.customers(&mut codes);
            let inns: Vec<_> = block.kept_inns().map(|(inn, _)| inn.text().into_owned()).collect();
            prop_assert!(codes.iter().map(|code| &inns[*code as usize]).eq(contracts.iter().map(|one| &one.customer_inn)));
            let mut scan = Scan::default();
            scan.begin(contracts.len(), 0..contracts.len());
            block.keep_updated_from(from, &mut scan);
            prop_assert!(scan.matches.iter().copied().eq(contracts.iter().map(|one| one.update_date.is_some_and(|day| day >= from))));
            if let Some(first) = contracts.first() {
                let mut inn = Vec::new();
                encode_text(&mut inn, &first.customer_inn);
                scan.begin(contracts.len(), 0..contracts.len());
                prop_assert!(block.keep_customer(&inn, &mut scan));
                prop_assert!(scan.matches.iter().copied().eq(contracts.iter().map(|one| one.customer_inn == first.customer_inn)));
            }
        }

        #[test]
        fn a_block_that_is_cut_or_has_another_bit_is_damaged(
            contracts in proptest::collection::vec(contract(), 1..10),
            at in any::<usize>(),
            bit in 0..8_u32,
        ) {
            let mut bytes = block(&contracts);
            let at = at % bytes.len();
            let count = contracts.len() as u64;
            prop_assert!(Block::read(&bytes[..at], count).is_none());
            bytes[at] ^= 1_u8 << bit;
            prop_assert!(Block::read(&bytes, count).is_none());
        }

        #[test]
        fn no_bytes_with_the_right_sum_do_any_harm(
            contracts in proptest::collection::vec(contract(), 1..10),
            changes in proptest::collection::vec((any::<usize>(), any::<u8>()), 1..4),
        ) {
            let mut bytes = block(&contracts);
            bytes.truncate(bytes.len() - 4);
            for (at, byte) in changes {
                let at = at % bytes.len();
                bytes[at] = byte;
            }
            let sum = crc32fast::hash(&bytes);
            bytes.extend_from_slice(&sum.to_le_bytes());
            if let Some(block) = Block::read(&bytes, contracts.len() as u64) {
                let (mut codes, mut prices) = (Vec::new(), Vec::new());
                let _ = block.prices(&mut codes, &mut prices);
                block.signed(&mut codes);
                block.updated(&mut codes);
                block.states(&mut codes);
                let _: Vec<_> = codes.iter().map(|code| state(*code)).collect();
                let _ = block.kept_inns().count();
            }
        }
    }
}

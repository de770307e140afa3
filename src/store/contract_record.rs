//! A contract as the bytes the file keeps. A page shows 200 of them, so they are read
//! without a copy and without an allocation for each text.
//!
//! ```text
//! length of the texts | flags, stage, dates, amounts, lengths of each text | texts
//! ```
//!
//! Numbers are LEB128. No date is 0, another its number YYYYMMDD; no amount is 0, another
//! is its exponent (zigzag, doubled, + 1 if it is negative) + 1, and its digits. All texts
//! stand together, so that one look tells whether they are UTF-8.

use crate::model::{Amount, Contract, ContractStage, Date, GuaranteeClaim, Product, Termination};

/// The flags, from the lowest bit on; above them the stage, 0 for none.
const FLAGS: u32 = 8;

const STAGES: [ContractStage; 4] = [
    ContractStage::Completed,
    ContractStage::Terminated,
    ContractStage::InExecution,
    ContractStage::Annulled,
];

/// The bytes of a contract.
pub(super) fn encode(contract: &Contract) -> Vec<u8> {
    let mut out = Record::default();
    let termination = contract.termination;
    let flags = [
        contract.has_subcontractors,
        contract.bank_support,
        contract.treasury_support,
        termination.agreement,
        termination.supplier_refusal,
        termination.customer_refusal,
        termination.court_decision,
        termination.unknown,
    ];
    let stage = STAGES
        .iter()
        .zip(1..)
        .find(|(stage, _)| contract.stage == Some(**stage));
    let mut state: u128 = stage.map_or(0, |(_, number)| number << FLAGS);
    for (bit, flag) in flags.into_iter().enumerate() {
        state |= u128::from(flag) << bit;
    }
    out.number(state);
    out.number(contract.stage_count.into());
    for date in [contract.sign_date, contract.end_date, contract.update_date] {
        out.date(date);
    }
    for amount in [
        contract.notification_price,
        contract.price,
        contract.fulfilment_sum,
        contract.paid,
        contract.advance_percent,
        contract.penalties,
        contract.penalties_paid,
        contract.subcontractors_sum,
        contract.notice_guarantee,
        contract.guarantee,
    ] {
        out.amount(amount);
    }
    for text in [
        &contract.reg_num,
        &contract.purchase_number,
        &contract.purchase_code,
        &contract.subject,
        &contract.delivery_term,
        &contract.customer_inn,
        &contract.customer_name,
        &contract.budget_name,
        &contract.oktmo,
    ] {
        out.text(text);
    }
    out.number(contract.products.len() as u128);
    for product in &contract.products {
        out.text(&product.code);
        out.amount(product.sum);
    }
    out.number(contract.guarantee_claims.len() as u128);
    for claim in &contract.guarantee_claims {
        out.amount(claim.amount);
        out.date(claim.publish_date);
        out.date(claim.claim_date);
        out.text(&claim.grounds);
    }
    out.bytes()
}

/// A record that is being made.
#[derive(Default)]
struct Record {
    numbers: Vec<u8>,
    texts: Vec<u8>,
}

impl Record {
    fn number(&mut self, value: u128) {
        leb128(&mut self.numbers, value);
    }

    fn date(&mut self, date: Option<Date>) {
        self.number(date.map_or(0, |date| date.number().into()));
    }

    fn amount(&mut self, amount: Option<Amount>) {
        let Some(amount) = amount else {
            return self.number(0);
        };
        let (digits, exponent) = amount.parts();
        let zigzag = (exponent << 1) ^ (exponent >> 15);
        let kind = u128::from(zigzag.unsigned_abs()) << 1 | u128::from(digits < 0);
        self.number(kind + 1);
        self.number(digits.unsigned_abs());
    }

    fn text(&mut self, text: &str) {
        self.number(text.len() as u128);
        self.texts.extend_from_slice(text.as_bytes());
    }

    fn bytes(self) -> Vec<u8> {
        let mut out = Vec::with_capacity(10 + self.numbers.len() + self.texts.len());
        leb128(&mut out, self.texts.len() as u128);
        out.extend_from_slice(&self.numbers);
        out.extend_from_slice(&self.texts);
        out
    }
}

fn leb128(out: &mut Vec<u8>, mut value: u128) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// The contract that `bytes` are a record of; none where they are damaged.
pub(super) fn decode(bytes: &[u8]) -> Option<Contract<&str>> {
    let mut read = Reader::of_record(bytes)?;
    let state = read.number()?;
    let flag = |bit: u32| state >> bit & 1 == 1;
    let stage = match usize::try_from(state >> FLAGS).ok()? {
        0 => None,
        stage => Some(*STAGES.get(stage - 1)?),
    };
    let stage_count = read.number()?;
    let [sign_date, end_date, update_date] = [read.date()?, read.date()?, read.date()?];
    let contract = Contract {
        notification_price: read.amount()?,
        price: read.amount()?,
        fulfilment_sum: read.amount()?,
        paid: read.amount()?,
        advance_percent: read.amount()?,
        penalties: read.amount()?,
        penalties_paid: read.amount()?,
        subcontractors_sum: read.amount()?,
        notice_guarantee: read.amount()?,
        guarantee: read.amount()?,
        reg_num: read.text()?,
        purchase_number: read.text()?,
        purchase_code: read.text()?,
        subject: read.text()?,
        delivery_term: read.text()?,
        customer_inn: read.text()?,
        customer_name: read.text()?,
        budget_name: read.text()?,
        oktmo: read.text()?,
        products: read.items(|read| {
            Some(Product {
                code: read.text()?,
                sum: read.amount()?,
            })
        })?,
        guarantee_claims: read.items(|read| {
            Some(GuaranteeClaim {
                amount: read.amount()?,
                publish_date: read.date()?,
                claim_date: read.date()?,
                grounds: read.text()?,
            })
        })?,
        sign_date,
        end_date,
        update_date,
        stage,
        stage_count,
        has_subcontractors: flag(0),
        bank_support: flag(1),
        treasury_support: flag(2),
        termination: Termination {
            agreement: flag(3),
            supplier_refusal: flag(4),
            customer_refusal: flag(5),
            court_decision: flag(6),
            unknown: flag(7),
        },
    };
    read.is_at_end().then_some(contract)
}

/// What is left to be read of a record.
struct Reader<'a> {
    /// The record behind the length of its texts.
    bytes: &'a [u8],
    /// Where the next number is, and where the last one ends.
    at: usize,
    end: usize,
    texts: &'a str,
}

impl<'a> Reader<'a> {
    fn of_record(bytes: &'a [u8]) -> Option<Self> {
        let mut whole = Self {
            bytes,
            at: 0,
            end: bytes.len(),
            texts: "",
        };
        let length = whole.length()?;
        let end = bytes.len().checked_sub(length)?;
        let texts = simdutf8::basic::from_utf8(bytes.get(end..)?).ok()?;
        Some(Self {
            end,
            texts,
            ..whole
        })
    }

    /// Was it read to its end, and nothing as a number that is text?
    fn is_at_end(&self) -> bool {
        self.at == self.end && self.texts.is_empty()
    }

    /// The next eight bytes, those behind the end as 0; none where there is none.
    #[inline(always)]
    fn word(&self) -> Option<u64> {
        let rest = self.bytes.get(self.at..)?;
        match rest.first_chunk() {
            Some(word) => Some(u64::from_le_bytes(*word)),
            None => last_word(rest),
        }
    }

    /// A number of at most 64 bits.
    #[inline(always)]
    fn number(&mut self) -> Option<u64> {
        let word = self.word()?;
        if word & 0x80 == 0 {
            self.at += 1;
            return Some(word & 0x7f);
        }
        self.long_number(word)
    }

    /// One of several bytes, of which `word` has the first eight.
    #[inline]
    fn long_number(&mut self, word: u64) -> Option<u64> {
        // The last byte of a number is the one whose highest bit is not set.
        let last = !word & 0x8080_8080_8080_8080;
        if last == 0 {
            return u64::try_from(self.wide_number()?).ok();
        }
        let bits = last.trailing_zeros() + 1;
        self.at += bits as usize / 8;
        let sevens = word & (u64::MAX >> (64 - bits)) & 0x7f7f_7f7f_7f7f_7f7f;
        let pairs = sevens & 0x007f_007f_007f_007f | (sevens & 0x7f00_7f00_7f00_7f00) >> 1;
        let fours = pairs & 0x0000_3fff_0000_3fff | (pairs & 0x3fff_0000_3fff_0000) >> 2;
        Some(fours & 0x0fff_ffff | (fours & 0x0fff_ffff_0000_0000) >> 4)
    }

    /// A number of at most 128 bits.
    #[cold]
    fn wide_number(&mut self) -> Option<u128> {
        let mut value: u128 = 0;
        for (place, &byte) in self.bytes.get(self.at..)?.iter().enumerate().take(19) {
            let part = u128::from(byte & 0x7f);
            value |= part << (7 * place);
            if byte < 0x80 {
                self.at += place + 1;
                let is_whole = place < 18 || part < 4;
                return is_whole.then_some(value);
            }
        }
        None
    }

    #[inline(always)]
    fn length(&mut self) -> Option<usize> {
        usize::try_from(self.number()?).ok()
    }

    /// A date, if there is one; none where there is no such day.
    #[inline]
    fn date(&mut self) -> Option<Option<Date>> {
        match self.number()? {
            0 => Some(None),
            number => Date::from_number(u32::try_from(number).ok()?).map(Some),
        }
    }

    /// An amount, if there is one; none where none is written so.
    #[inline]
    fn amount(&mut self) -> Option<Option<Amount>> {
        let kind = match self.number()? {
            0 => return Some(None),
            number => number - 1,
        };
        let (zigzag, is_negative) = (kind >> 1, kind & 1 == 1);
        let exponent = i32::try_from((zigzag >> 1) as i64 ^ -((zigzag & 1) as i64)).ok()?;
        let size = if !self.word()? & 0x8080_8080_8080_8080 == 0 {
            self.wide_number()?
        } else {
            self.number()?.into()
        };
        Amount::of_size(is_negative, size, exponent).map(Some)
    }

    #[inline(always)]
    fn text(&mut self) -> Option<&'a str> {
        let length = self.length()?;
        let (text, rest) = self.texts.split_at_checked(length)?;
        self.texts = rest;
        Some(text)
    }

    fn items<T>(&mut self, item: impl Fn(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let count = self.length()?;
        // Each takes a byte at least, so that a damaged count asks for no memory.
        let mut items = Vec::with_capacity(count.min(self.end.saturating_sub(self.at)));
        for _ in 0..count {
            items.push(item(self)?);
        }
        Some(items)
    }
}

#[cold]
fn last_word(rest: &[u8]) -> Option<u64> {
    let mut word = [0; 8];
    word.get_mut(..rest.len())?.copy_from_slice(rest);
    (!rest.is_empty()).then_some(u64::from_le_bytes(word))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn amount() -> impl Strategy<Value = Option<Amount>> {
        let texts = prop_oneof![
            "-?[0-9]{1,28}",
            "-?[0-9]{1,12}\\.[0-9]{1,4}",
            "[1-9]e-?[0-9]{1,3}",
        ];
        proptest::option::of(texts.prop_filter_map("an amount", |text| text.parse().ok()))
    }

    fn date() -> impl Strategy<Value = Option<Date>> {
        let day = (1..=9999_u16, 1..=12_u8, 1..=31_u8);
        proptest::option::of(
            day.prop_filter_map("a day", |(year, month, day)| Date::new(year, month, day)),
        )
    }

    prop_compose! {
        fn contract()(
            texts in proptest::array::uniform9(".{0,40}"),
            amounts in proptest::array::uniform10(amount()),
            dates in proptest::array::uniform3(date()),
            flags in any::<[bool; 8]>(),
            stage in proptest::sample::select(vec![
                None, Some(STAGES[0]), Some(STAGES[1]), Some(STAGES[2]), Some(STAGES[3]),
            ]),
            stage_count in prop_oneof![0..200_u64, any::<u64>()],
            products in proptest::collection::vec((".{0,20}", amount()), 0..4),
            claims in proptest::collection::vec((amount(), date(), date(), ".{0,200}"), 0..3),
        ) -> Contract {
            let [reg_num, purchase_number, purchase_code, subject, delivery_term, customer_inn,
                customer_name, budget_name, oktmo] = texts;
            let [notification_price, price, fulfilment_sum, paid, advance_percent, penalties,
                penalties_paid, subcontractors_sum, notice_guarantee, guarantee] = amounts;
            let [sign_date, end_date, update_date] = dates;
            let [has_subcontractors, bank_support, treasury_support, agreement,
                supplier_refusal, customer_refusal, court_decision, unknown] = flags;
            Contract {
                reg_num, purchase_number, purchase_code, subject, notification_price,
                delivery_term, customer_inn, customer_name, price, sign_date, end_date, stage,
                fulfilment_sum, paid, advance_percent, penalties, penalties_paid, stage_count,
                update_date, has_subcontractors, subcontractors_sum, notice_guarantee,
                guarantee, bank_support, treasury_support, budget_name, oktmo,
                products: products.into_iter().map(|(code, sum)| Product { code, sum }).collect(),
                termination: Termination {
                    agreement, supplier_refusal, customer_refusal, court_decision, unknown,
                },
                guarantee_claims: claims.into_iter()
                    .map(|(amount, publish_date, claim_date, grounds)| GuaranteeClaim {
                        amount, publish_date, claim_date, grounds,
                    })
                    .collect(),
            }
        }
    }

    /// It with texts of its own.
    fn owned(contract: &Contract<&str>) -> Contract {
        let bytes = postcard::to_stdvec(contract).expect("bytes");
        postcard::from_bytes(&bytes).expect("a contract")
    }

    proptest! {
        #[test]
        fn any_contract_comes_back(contract in contract()) {
            let bytes = encode(&contract);
            let read = decode(&bytes).map(|read| owned(&read));
            prop_assert_eq!(read, Some(contract));
        }

        #[test]
        fn a_record_that_is_cut_or_longer_is_damaged(contract in contract(), cut in any::<usize>()) {
            let mut bytes = encode(&contract);
            prop_assert!(decode(&bytes[..cut % bytes.len()]).is_none());
            bytes.push(b' ');
            prop_assert!(decode(&bytes).is_none());
        }

        #[test]
        fn any_bytes_are_a_contract_that_can_be_written_or_damaged(
            contract in contract(),
            at in any::<usize>(),
            byte in any::<u8>(),
        ) {
            let mut bytes = encode(&contract);
            let at = at % bytes.len();
            bytes[at] = byte;
            if let Some(read) = decode(&bytes) {
                let again = encode(&owned(&read));
                prop_assert_eq!(decode(&again).map(|read| owned(&read)), Some(owned(&read)));
            }
        }
    }
}

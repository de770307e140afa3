//! A contract as the bytes the file keeps. A page shows 200 of them, so that each value
//! stands there as it is written ([`crate::model::encoded`]) and is read without a copy.
//!
//! ```text
//! flags and stage | values | count, products | count, claims | CRC-32 of all before
//! ```
//!
//! What is copied into an answer is not looked at again: that the bytes are those that
//! were written, with all that their forms promise, the checksum tells.

use crate::model::encoded::{Encoded, EncodedValues, encode_bytes, encode_number, encode_text};
use crate::model::{
    Amount, Contract, ContractStage, Date, EncodedContract, EncodedItems, Termination,
};

/// How many flags there are, from the lowest bit on; above them is the stage, 0 for none.
const FLAGS: u32 = 8;

const STAGES: [ContractStage; 4] = [
    ContractStage::Completed,
    ContractStage::Terminated,
    ContractStage::InExecution,
    ContractStage::Annulled,
];

/// The bytes of a contract.
pub fn encode(contract: &Contract) -> Vec<u8> {
    let mut record = Record::default();
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
    let stages = STAGES.iter().zip(1_u64..);
    let stage = stages.filter(|(stage, _)| contract.stage == Some(**stage));
    let mut state = stage.map(|(_, number)| number << FLAGS).sum();
    for (bit, flag) in flags.into_iter().enumerate() {
        state |= u64::from(flag) << bit;
    }
    record.number(state);
    // In the order of the wire.
    record.text(&contract.reg_num);
    record.text(&contract.purchase_number);
    record.text(&contract.purchase_code);
    record.text(&contract.subject);
    record.amount(contract.notification_price);
    record.text(&contract.delivery_term);
    record.text(&contract.customer_inn);
    record.text(&contract.customer_name);
    record.amount(contract.price);
    record.date(contract.sign_date);
    record.date(contract.end_date);
    record.amount(contract.fulfilment_sum);
    record.amount(contract.paid);
    record.amount(contract.advance_percent);
    record.amount(contract.penalties);
    record.amount(contract.penalties_paid);
    record.amount(Some(contract.stage_count.into()));
    record.date(contract.update_date);
    let subcontractors_sum = contract.subcontractors_sum.unwrap_or(Amount::from(0));
    record.amount(Some(subcontractors_sum));
    record.amount(contract.notice_guarantee);
    record.amount(contract.guarantee);
    record.text(&contract.budget_name);
    record.text(&contract.oktmo);
    record.number(contract.products.len() as u64);
    for product in &contract.products {
        record.text(&product.code);
        record.amount(product.sum);
    }
    record.number(contract.guarantee_claims.len() as u64);
    for claim in &contract.guarantee_claims {
        record.amount(claim.amount);
        record.date(claim.publish_date);
        record.date(claim.claim_date);
        record.text(&claim.grounds);
    }
    record.finish()
}

/// A record that is being made.
#[derive(Default)]
struct Record {
    bytes: Vec<u8>,
    /// The value under way.
    value: Vec<u8>,
}

impl Record {
    fn number(&mut self, value: u64) {
        encode_number(&mut self.bytes, value);
    }

    fn text(&mut self, text: &str) {
        encode_text(&mut self.bytes, text);
    }

    fn date(&mut self, date: Option<Date>) {
        let text = date.map(Date::iso);
        encode_bytes(
            &mut self.bytes,
            text.as_ref().map_or(&[], |text| text.as_slice()),
        );
    }

    fn amount(&mut self, amount: Option<Amount>) {
        self.value.clear();
        if let Some(amount) = amount {
            amount.write_to(&mut self.value);
        }
        encode_bytes(&mut self.bytes, &self.value);
    }

    fn finish(self) -> Vec<u8> {
        let mut bytes = self.bytes;
        let sum = crc32fast::hash(&bytes);
        bytes.extend_from_slice(&sum.to_le_bytes());
        bytes
    }
}

/// The contract that `bytes` are a record of; none where they are damaged.
#[inline(always)]
pub fn decode(bytes: &[u8]) -> Option<EncodedContract<'_>> {
    let (values, sum) = bytes.split_last_chunk()?;
    if crc32fast::hash(values) != u32::from_le_bytes(*sum) {
        return None;
    }
    let mut read = EncodedValues::new(values);
    let state = read.number()?;
    let flag = |bit: u32| state >> bit & 1 == 1;
    let stage = match usize::try_from(state >> FLAGS).ok()? {
        0 => None,
        stage => Some(*STAGES.get(stage - 1)?),
    };
    let mut next = || -> Option<Encoded<'_>> { read.value() };
    let contract = EncodedContract {
        reg_num: next()?,
        purchase_number: next()?,
        purchase_code: next()?,
        subject: next()?,
        notification_price: next()?,
        delivery_term: next()?,
        customer_inn: next()?,
        customer_name: next()?,
        price: next()?,
        sign_date: next()?,
        end_date: next()?,
        fulfilment_sum: next()?,
        paid: next()?,
        advance_percent: next()?,
        penalties: next()?,
        penalties_paid: next()?,
        stage_count: next()?,
        update_date: next()?,
        subcontractors_sum: next()?,
        notice_guarantee: next()?,
        guarantee: next()?,
        budget_name: next()?,
        oktmo: next()?,
        products: EncodedItems::read(&mut read)?,
        guarantee_claims: EncodedItems::read(&mut read)?,
        stage,
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::model::{GuaranteeClaim, Product};

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

    /// The values as they are to be written, in the order of the wire.
    fn expected(contract: &Contract) -> Vec<String> {
        let amount =
            |amount: Option<Amount>| amount.map_or_else(String::new, |amount| amount.to_string());
        let date = |date: Option<Date>| date.map_or_else(String::new, |date| date.to_string());
        let mut values = vec![
            contract.reg_num.clone(),
            contract.purchase_number.clone(),
            contract.purchase_code.clone(),
            contract.subject.clone(),
            amount(contract.notification_price),
            contract.delivery_term.clone(),
            contract.customer_inn.clone(),
            contract.customer_name.clone(),
            amount(contract.price),
            date(contract.sign_date),
            date(contract.end_date),
            amount(contract.fulfilment_sum),
            amount(contract.paid),
            amount(contract.advance_percent),
            amount(contract.penalties),
            amount(contract.penalties_paid),
            contract.stage_count.to_string(),
            date(contract.update_date),
            contract
                .subcontractors_sum
                .map_or_else(|| "0".to_owned(), |sum| sum.to_string()),
            amount(contract.notice_guarantee),
            amount(contract.guarantee),
            contract.budget_name.clone(),
            contract.oktmo.clone(),
        ];
        for product in &contract.products {
            values.extend([product.code.clone(), amount(product.sum)]);
        }
        for claim in &contract.guarantee_claims {
            values.extend([amount(claim.amount), date(claim.publish_date)]);
            values.extend([date(claim.claim_date), claim.grounds.clone()]);
        }
        values
    }

    fn kept(kept: &EncodedContract<'_>) -> Vec<String> {
        let values = [
            kept.reg_num,
            kept.purchase_number,
            kept.purchase_code,
            kept.subject,
            kept.notification_price,
            kept.delivery_term,
            kept.customer_inn,
            kept.customer_name,
            kept.price,
            kept.sign_date,
            kept.end_date,
            kept.fulfilment_sum,
            kept.paid,
            kept.advance_percent,
            kept.penalties,
            kept.penalties_paid,
            kept.stage_count,
            kept.update_date,
            kept.subcontractors_sum,
            kept.notice_guarantee,
            kept.guarantee,
            kept.budget_name,
            kept.oktmo,
        ];
        let values = values.into_iter().chain(kept.products.flatten());
        let values = values.chain(kept.guarantee_claims.flatten());
        values.map(|value| value.text().into_owned()).collect()
    }

    proptest! {
        #[test]
        fn any_contract_comes_back(contract in contract()) {
            let bytes = encode(&contract);
            let read = decode(&bytes).expect("a contract");
            prop_assert_eq!(kept(&read), expected(&contract));
            prop_assert_eq!(read.stage, contract.stage);
            prop_assert_eq!(read.termination, contract.termination);
            prop_assert_eq!(
                [read.has_subcontractors, read.bank_support, read.treasury_support],
                [contract.has_subcontractors, contract.bank_support, contract.treasury_support]
            );
            prop_assert_eq!(read.products.is_empty(), contract.products.is_empty());
            prop_assert_eq!(read.products.count(), contract.products.len());
        }

        #[test]
        fn a_record_that_is_cut_or_longer_or_has_another_bit_is_damaged(
            contract in contract(),
            at in any::<usize>(),
            bit in 0..8_u32,
        ) {
            let mut bytes = encode(&contract);
            let at = at % bytes.len();
            prop_assert!(decode(&bytes[..at]).is_none());
            bytes[at] ^= 1_u8 << bit;
            prop_assert!(decode(&bytes).is_none());
            bytes[at] ^= 1_u8 << bit;
            bytes.push(b' ');
            prop_assert!(decode(&bytes).is_none());
        }

        #[test]
        fn no_bytes_with_the_right_sum_do_any_harm(
            contract in contract(),
            at in any::<usize>(),
            byte in any::<u8>(),
        ) {
            let mut bytes = encode(&contract);
            let end = bytes.len() - 4;
            bytes[at % end] = byte;
            bytes.truncate(end);
            let sum = crc32fast::hash(&bytes);
            bytes.extend_from_slice(&sum.to_le_bytes());
            if let Some(read) = decode(&bytes) {
                kept(&read);
            }
        }
    }
}

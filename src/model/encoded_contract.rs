//! Stored records of contracts. A page shows up to 200 contracts, so values are stored as they are
//! rendered ([`super::encoded`]) and decoded without copying.
//!
//! ```text
//! stage and flags | values | count, products | count, claims
//! ```
//!
//! Fields are in the order of the list in `contract.rs`. The lowest bits of the first number hold
//! the stage (0 if there is none), the bits above them the flags.
//!
//! A record may end early if an earlier release with fewer fields wrote it. The other fields then
//! have no value. Therefore a new field may only be added at the end of the list: existing records
//! stay readable. A truncated record is not mistaken for an older one, because its checksum
//! (`store/record.rs`) does not match.
//!
//! The record contains the code and the sum of each item, which is what the contract page shows.
//! [`Contract::encode_items`] encodes all values of the items separately, as `count, items`.

use super::contract::{
    claim_fields, contract_fields, item_fields, product_fields, termination_fields,
};
use super::encoded::{Encoded, EncodedValues, encode_bytes, encode_number, encode_text};
use super::{Amount, Contract, ContractItem, ContractStage, Date, GuaranteeClaim, Termination};

const STAGE_BITS: u32 = 3;
const _: () = assert!(ContractStage::ALL.len() < 1 << STAGE_BITS);

macro_rules! count_flags {
    ([] $($field:ident $wire:tt: $kind:ident,)*) => {
        0 $(+ count_flags!($kind))*
    };
    (flag) => { 1 };
    ($other:ident) => { 0 };
}

/// Number of flags. They share a number with the stage, and [`EncodedValues::number`] reads at most
/// 56 bits.
const FLAGS: u32 = contract_fields!(count_flags) + termination_fields!(count_flags);
const _: () = assert!(STAGE_BITS + FLAGS <= 56);

macro_rules! encoded {
    (flag) => { bool };
    (stage) => { Option<ContractStage> };
    (termination) => { Termination };
    (products) => { EncodedItems<'a, 2> };
    (claims) => { EncodedItems<'a, 4> };
    ($value:ident) => { Encoded<'a> };
}

macro_rules! define_encoded {
    ([] $($field:ident $wire:tt: $kind:ident,)*) => {
        /// A contract decoded from a stored record. Each value is the text that responses contain.
        #[derive(Clone, Copy, Debug, Default)]
        pub struct EncodedContract<'a> {
            $(
                pub $field: encoded!($kind),
            )*
        }
    };
}

contract_fields!(define_encoded);

/// Items from a stored record, each with `N` values.
#[derive(Clone, Copy, Debug, Default)]
pub struct EncodedItems<'a, const N: usize> {
    values: EncodedValues<'a>,
    count: usize,
}

impl<'a, const N: usize> EncodedItems<'a, N> {
    /// Returns `None` if the record ends within the list.
    fn read(values: &mut EncodedValues<'a>) -> Option<Self> {
        if values.is_at_end() {
            return Some(Self::default());
        }
        let count = usize::try_from(values.number()?).ok()?;
        let items = Self {
            values: *values,
            count,
        };
        // Each value takes up at least one byte, so a damaged count cannot cause a long loop.
        for _ in 0..count.checked_mul(N)? {
            values.value()?;
        }
        Some(items)
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }
}

impl<'a, const N: usize> Iterator for EncodedItems<'a, N> {
    type Item = [Encoded<'a>; N];

    fn next(&mut self) -> Option<Self::Item> {
        self.count = self.count.checked_sub(1)?;
        let mut item = [self.values.value()?; N];
        for value in item.iter_mut().skip(1) {
            *value = self.values.value()?;
        }
        Some(item)
    }
}

macro_rules! define_encoded_item {
    ([] $($field:ident $wire:tt: $kind:ident,)*) => {
        /// An item of a contract. Each value is the text that responses contain.
        #[derive(Clone, Copy, Debug, Default)]
        pub struct EncodedContractItem<'a> {
            $(
                pub $field: Encoded<'a>,
            )*
        }

        impl<'a> EncodedContractItem<'a> {
            fn new([$($field),*]: [Encoded<'a>; ITEM_VALUES]) -> Self {
                Self { $($field),* }
            }
        }

        const ITEM_VALUES: usize = [$(stringify!($field)),*].len();
    };
}

item_fields!(define_encoded_item);

/// The items of a contract, as stored separately from the contract's record.
#[derive(Clone, Copy, Debug, Default)]
pub struct EncodedContractItems<'a>(EncodedItems<'a, ITEM_VALUES>);

impl<'a> EncodedContractItems<'a> {
    /// Decodes the output of [`Contract::encode_items`], or returns `None` if the bytes are
    /// anything else.
    pub fn decode(bytes: &'a [u8]) -> Option<Self> {
        let mut values = EncodedValues::new(bytes);
        let count = usize::try_from(values.number()?).ok()?;
        let items = EncodedItems { values, count };
        for _ in 0..count.checked_mul(ITEM_VALUES)? {
            values.value()?;
        }
        (count > 0 && values.is_at_end()).then_some(Self(items))
    }

    /// Returns the values of each item, in the order of the fields of [`ContractItem`].
    pub fn values(self) -> EncodedItems<'a, ITEM_VALUES> {
        self.0
    }

    pub fn is_empty(self) -> bool {
        self.0.is_empty()
    }
}

impl<'a> Iterator for EncodedContractItems<'a> {
    type Item = EncodedContractItem<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(EncodedContractItem::new)
    }
}

impl ContractItem {
    fn is_on_page(&self) -> bool {
        let on_page = Self {
            code: self.code.clone(),
            sum: self.sum,
            ..Self::default()
        };
        *self == on_page
    }
}

macro_rules! encode_fields {
    ([$to:ident $record:expr] $($field:ident $wire:tt: $kind:ident,)*) => {
        $($to.$kind(&$record.$field);)*
    };
}

impl Contract {
    pub fn encode(&self) -> Vec<u8> {
        let mut to = Encoder::default();
        contract_fields!(encode_fields to self);
        let mut record = Vec::with_capacity(to.values.len() + 16);
        encode_number(&mut record, to.flags << STAGE_BITS | to.stage);
        record.extend_from_slice(&to.values);
        record
    }

    /// Encodes all values of the items. The result is empty if the contract page shows all of them
    /// anyway.
    pub fn encode_items(&self) -> Vec<u8> {
        let mut to = Encoder::default();
        if self.products.iter().all(ContractItem::is_on_page) {
            return to.values;
        }
        encode_number(&mut to.values, self.products.len() as u64);
        for item in &self.products {
            item_fields!(encode_fields to item);
        }
        to.values
    }
}

/// Writes a record, with one method per kind of field.
#[derive(Default)]
struct Encoder {
    flags: u64,
    flag_count: u32,
    stage: u64,
    values: Vec<u8>,
    text: Vec<u8>,
}

impl Encoder {
    fn key(&mut self, text: &str) {
        self.text(text);
    }

    fn text(&mut self, text: &str) {
        encode_text(&mut self.values, text);
    }

    fn amount(&mut self, amount: &Option<Amount>) {
        self.text.clear();
        if let Some(amount) = amount {
            amount.write_to(&mut self.text);
        }
        encode_bytes(&mut self.values, &self.text);
    }

    fn amount_or_zero(&mut self, amount: &Option<Amount>) {
        self.amount(&Some(amount.unwrap_or(Amount::from(0))));
    }

    fn total(&mut self, amount: &Option<Amount>) {
        self.amount(amount);
    }

    fn date(&mut self, date: &Option<Date>) {
        let text = date.map(Date::iso);
        let text = text.as_ref().map_or(&[][..], |text| text);
        encode_bytes(&mut self.values, text);
    }

    fn count(&mut self, count: &u64) {
        self.amount(&Some((*count).into()));
    }

    fn flag(&mut self, flag: &bool) {
        self.flags |= u64::from(*flag) << self.flag_count;
        self.flag_count += 1;
    }

    fn stage(&mut self, stage: &Option<ContractStage>) {
        self.stage = stage.map_or(0, |stage| stage.number().into());
    }

    fn products(&mut self, products: &[ContractItem]) {
        encode_number(&mut self.values, products.len() as u64);
        for product in products {
            product_fields!(encode_fields self product);
        }
    }

    fn claims(&mut self, claims: &[GuaranteeClaim]) {
        encode_number(&mut self.values, claims.len() as u64);
        for claim in claims {
            claim_fields!(encode_fields self claim);
        }
    }

    fn termination(&mut self, termination: &Termination) {
        termination_fields!(encode_fields self termination);
    }
}

macro_rules! decode_fields {
    ([$from:ident $record:ident] $($field:ident $wire:tt: $kind:ident,)*) => {
        $($record.$field = $from.$kind()?;)*
    };
}

/// Returns the registry number in a contract's record without decoding the rest. Returns `None` if
/// the record is damaged.
pub fn reg_num_in(record: &[u8]) -> Option<Encoded<'_>> {
    let mut values = EncodedValues::new(record);
    values.number()?;
    values.value()
}

impl<'a> EncodedContract<'a> {
    /// Decodes a contract's record, or returns `None` if it is damaged.
    pub fn decode(record: &'a [u8]) -> Option<Self> {
        let mut contract = Self::default();
        contract.read(record)?;
        Some(contract)
    }

    /// Decodes like [`EncodedContract::decode`], but into an existing value, which avoids copying
    /// all fields on return. If the result is `None`, some fields have already been overwritten.
    #[inline(always)]
    pub fn read(&mut self, record: &'a [u8]) -> Option<()> {
        let mut values = EncodedValues::new(record);
        let state = values.number()?;
        let stage = match state & ((1 << STAGE_BITS) - 1) {
            0 => None,
            number => Some(ContractStage::from_number(number)?),
        };
        let mut from = Decoder {
            flags: state >> STAGE_BITS,
            stage,
            values,
        };
        contract_fields!(decode_fields from self);
        from.values.is_at_end().then_some(())
    }
}

/// Reads a record, with one method per kind of field.
struct Decoder<'a> {
    /// The lowest bit is the flag to be decoded next.
    flags: u64,
    stage: Option<ContractStage>,
    values: EncodedValues<'a>,
}

macro_rules! decode_values {
    ($($kind:ident)*) => {
        $(
            #[inline(always)]
            fn $kind(&mut self) -> Option<Encoded<'a>> {
                match self.values.is_at_end() {
                    true => Some(Encoded::default()),
                    false => self.values.value(),
                }
            }
        )*
    };
}

impl<'a> Decoder<'a> {
    decode_values!(key text amount amount_or_zero total date count);

    #[inline(always)]
    fn flag(&mut self) -> Option<bool> {
        let flag = self.flags & 1 == 1;
        self.flags >>= 1;
        Some(flag)
    }

    #[inline(always)]
    fn stage(&mut self) -> Option<Option<ContractStage>> {
        Some(self.stage)
    }

    #[inline(always)]
    fn products(&mut self) -> Option<EncodedItems<'a, 2>> {
        EncodedItems::read(&mut self.values)
    }

    #[inline(always)]
    fn claims(&mut self) -> Option<EncodedItems<'a, 4>> {
        EncodedItems::read(&mut self.values)
    }

    #[inline(always)]
    fn termination(&mut self) -> Option<Termination> {
        let mut termination = Termination::default();
        termination_fields!(decode_fields self termination);
        Some(termination)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contract() -> Contract {
        Contract {
            reg_num: "1960000001625003831".to_owned(),
            price: "100.5".parse().ok(),
            stage: Some(ContractStage::Annulled),
            treasury_support: true,
            products: vec![ContractItem {
                code: "31.09.14.110".to_owned(),
                sum: "1".parse().ok(),
                ..ContractItem::default()
            }],
            termination: Termination {
                unknown: true,
                ..Termination::default()
            },
            guarantee_claims: vec![GuaranteeClaim {
                grounds: "grounds".to_owned(),
                ..GuaranteeClaim::default()
            }],
            ..Contract::default()
        }
    }

    #[test]
    fn missing_last_fields_are_read_as_empty() {
        let contract = Contract {
            guarantee_claims: Vec::new(),
            products: Vec::new(),
            ..contract()
        };
        let whole = contract.encode();
        // A zero byte is an empty value or list, so each step removes one field.
        let mut record = whole.clone();
        while record.pop_if(|last| *last == 0).is_some() {
            let fewer = EncodedContract::decode(&record).expect("a contract");
            assert_eq!(fewer.price.text(), "100.5");
            assert_eq!(fewer.stage, Some(ContractStage::Annulled));
            assert!(fewer.budget_name.is_empty() && fewer.products.is_empty());
        }
        assert!(
            whole.len() - record.len() > 3,
            "claims, products, territory, budget"
        );
        record.pop();
        assert!(
            EncodedContract::decode(&record).is_none(),
            "ends in a value"
        );
        assert!(EncodedContract::decode(&[]).is_none());
    }

    #[test]
    fn items_round_trip_and_page_values_are_not_encoded() {
        let mut contract = contract();
        assert!(contract.encode_items().is_empty());
        contract.products.push(ContractItem {
            name: "Бумага «А4»".to_owned(),
            okei: "778".to_owned(),
            okei_name: "Упаковка".to_owned(),
            quantity: "2.5".parse().ok(),
            price: "0.4".parse().ok(),
            okpd2: "17.12.14.110".to_owned(),
            ..ContractItem::default()
        });
        let bytes = contract.encode_items();
        let items: Vec<_> = EncodedContractItems::decode(&bytes)
            .expect("items")
            .collect();
        assert_eq!(items.len(), 2);
        let (first, second) = (items[0], items[1]);
        assert_eq!(
            (first.code.text(), first.sum.text()),
            ("31.09.14.110".into(), "1".into())
        );
        assert!(first.name.is_empty() && first.price.is_empty());
        let values = [second.name, second.okpd2, second.okei, second.okei_name];
        let texts = values.map(|value| value.text().into_owned());
        assert_eq!(texts, ["Бумага «А4»", "17.12.14.110", "778", "Упаковка"]);
        assert_eq!(
            (second.quantity.text(), second.price.text()),
            ("2.5".into(), "0.4".into())
        );
        assert!(second.code.is_empty() && second.sum.is_empty());
        for end in 0..bytes.len() {
            assert!(
                EncodedContractItems::decode(&bytes[..end]).is_none(),
                "{end}"
            );
        }
        let longer = [bytes, vec![0]].concat();
        assert!(EncodedContractItems::decode(&longer).is_none());
    }

    #[test]
    fn a_new_flag_keeps_the_stage() {
        let record = contract().encode();
        let mut values = EncodedValues::new(&record);
        let state = values.number().expect("a number");
        let next = u64::BITS - state.leading_zeros();
        let mut more = Vec::new();
        encode_number(&mut more, state | 1 << next);
        more.extend_from_slice(values.rest());
        let read = EncodedContract::decode(&more).expect("a contract");
        assert_eq!(read.stage, Some(ContractStage::Annulled));
        assert!(read.treasury_support && read.termination.unknown);
        assert!(!read.bank_support);
    }
}

//! A contract as the bytes of its record. A page shows 200 of them, so each value is stored
//! as it is written ([`super::encoded`]) and read without a copy.
//!
//! ```text
//! flags and stage | values | count, products | count, claims
//! ```
//!
//! The fields are in the order of their list (`contract.rs`), the flags from the lowest bit
//! on; above them is the stage's number, 0 for none.

use super::contract::{claim_fields, contract_fields, product_fields, termination_fields};
use super::encoded::{Encoded, EncodedValues, encode_bytes, encode_number, encode_text};
use super::{Amount, Contract, ContractStage, Date, GuaranteeClaim, Product, Termination};

/// The number of flags.
const FLAGS: u32 = 8;

/// The type of a field of this kind.
macro_rules! encoded {
    (flag) => { bool };
    (stage) => { Option<ContractStage> };
    (termination) => { Termination };
    (products) => { EncodedItems<'a, 2> };
    (claims) => { EncodedItems<'a, 4> };
    ($value:ident) => { Encoded<'a> };
}

macro_rules! define {
    ([$(#[$about:meta])* $record:ident] $($(#[$doc:meta])* $field:ident $wire:tt: $kind:ident,)*) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, Default)]
        pub struct $record<'a> {
            $($(#[$doc])* pub $field: encoded!($kind),)*
        }
    };
}

contract_fields! { define
    /// A contract as its record stores it: each value as the text that is written.
    EncodedContract
}

/// The items of a collection, `N` values each, in the order of their fields.
#[derive(Clone, Copy, Debug, Default)]
pub struct EncodedItems<'a, const N: usize> {
    values: EncodedValues<'a>,
    count: usize,
}

impl<'a, const N: usize> EncodedItems<'a, N> {
    /// Reads the items; none if the record ends early.
    fn read(values: &mut EncodedValues<'a>) -> Option<Self> {
        let count = usize::try_from(values.number()?).ok()?;
        let items = Self {
            values: *values,
            count,
        };
        // Each takes a byte at least, so a damaged count ends soon.
        for _ in 0..count.checked_mul(N)? {
            values.value()?;
        }
        Some(items)
    }

    /// Returns whether the list is empty.
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

macro_rules! encode {
    ([$to:ident $record:expr] $($(#[$doc:meta])* $field:ident $wire:tt: $kind:ident,)*) => {
        $($to.$kind(&$record.$field);)*
    };
}

impl Contract {
    /// The bytes of its record.
    pub fn encode(&self) -> Vec<u8> {
        let mut to = Encoder::default();
        contract_fields!(encode to self);
        let mut record = Vec::with_capacity(to.values.len() + 16);
        encode_number(&mut record, to.stage << FLAGS | to.flags);
        record.extend_from_slice(&to.values);
        record
    }
}

/// Writes a record: a function for each kind of field.
#[derive(Default)]
struct Encoder {
    flags: u64,
    flag_count: u32,
    stage: u64,
    values: Vec<u8>,
    /// A buffer for the text of an amount.
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

    fn products(&mut self, products: &[Product]) {
        encode_number(&mut self.values, products.len() as u64);
        for product in products {
            product_fields!(encode self product);
        }
    }

    fn claims(&mut self, claims: &[GuaranteeClaim]) {
        encode_number(&mut self.values, claims.len() as u64);
        for claim in claims {
            claim_fields!(encode self claim);
        }
    }

    fn termination(&mut self, termination: &Termination) {
        termination_fields!(encode self termination);
    }
}

macro_rules! decode {
    ([$from:ident $record:ident] $($(#[$doc:meta])* $field:ident $wire:tt: $kind:ident,)*) => {
        $record { $($field: $from.$kind()?,)* }
    };
}

impl<'a> EncodedContract<'a> {
    /// Decodes `record`; none if it is not the record of a contract.
    #[inline(always)]
    pub fn decode(record: &'a [u8]) -> Option<Self> {
        let mut values = EncodedValues::new(record);
        let state = values.number()?;
        let stage = match state >> FLAGS {
            0 => None,
            number => Some(ContractStage::from_number(number)?),
        };
        let mut from = Decoder {
            flags: state,
            stage,
            values,
        };
        let contract = contract_fields!(decode from EncodedContract);
        from.values.is_at_end().then_some(contract)
    }
}

/// Reads the rest of a record: a function for each kind of field.
struct Decoder<'a> {
    /// The next flag is the lowest bit.
    flags: u64,
    stage: Option<ContractStage>,
    values: EncodedValues<'a>,
}

macro_rules! decode_values {
    ($($kind:ident)*) => {
        $(
            #[inline(always)]
            fn $kind(&mut self) -> Option<Encoded<'a>> {
                self.values.value()
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
        Some(termination_fields!(decode self Termination))
    }
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

    /// Values of each kind: one for each field of a contract.
    #[derive(Clone, Debug)]
    struct FieldSource {
        texts: Vec<String>,
        amounts: Vec<Option<Amount>>,
        dates: Vec<Option<Date>>,
        flags: Vec<bool>,
        count: u64,
        stage: Option<ContractStage>,
        items: [usize; 2],
    }

    macro_rules! fill {
        ([$from:ident $record:ident] $($(#[$doc:meta])* $field:ident $wire:tt: $kind:ident,)*) => {
            $record { $($field: $from.$kind(),)* }
        };
    }

    impl FieldSource {
        fn key(&mut self) -> String {
            self.text()
        }

        fn text(&mut self) -> String {
            self.texts.pop().expect("a text")
        }

        fn amount(&mut self) -> Option<Amount> {
            self.amounts.pop().expect("an amount")
        }

        fn amount_or_zero(&mut self) -> Option<Amount> {
            self.amount()
        }

        fn total(&mut self) -> Option<Amount> {
            self.amount()
        }

        fn date(&mut self) -> Option<Date> {
            self.dates.pop().expect("a date")
        }

        fn count(&mut self) -> u64 {
            self.count
        }

        fn flag(&mut self) -> bool {
            self.flags.pop().expect("a flag")
        }

        fn stage(&mut self) -> Option<ContractStage> {
            self.stage
        }

        fn products(&mut self) -> Vec<Product> {
            let count = self.items[0];
            let product = |_| product_fields!(fill self Product);
            (0..count).map(product).collect()
        }

        fn claims(&mut self) -> Vec<GuaranteeClaim> {
            let count = self.items[1];
            let claim = |_| claim_fields!(fill self GuaranteeClaim);
            (0..count).map(claim).collect()
        }

        fn termination(&mut self) -> Termination {
            termination_fields!(fill self Termination)
        }
    }

    fn contract() -> impl Strategy<Value = Contract> {
        let source = (
            proptest::collection::vec(".{0,40}", 16),
            proptest::collection::vec(amount(), 16),
            proptest::collection::vec(date(), 10),
            proptest::collection::vec(any::<bool>(), FLAGS as usize),
            prop_oneof![0..200_u64, any::<u64>()],
            proptest::option::of(proptest::sample::select(ContractStage::ALL.to_vec())),
            (0..4_usize, 0..3_usize),
        );
        source.prop_map(|(texts, amounts, dates, flags, count, stage, items)| {
            let mut source = FieldSource {
                texts,
                amounts,
                dates,
                flags,
                count,
                stage,
                items: items.into(),
            };
            let from = &mut source;
            contract_fields!(fill from Contract)
        })
    }

    /// Either form of a value, as the text to write.
    trait AsText {
        fn as_text(&self) -> String;
    }

    macro_rules! texts {
        ([$record:ident] $($(#[$doc:meta])* $field:ident $wire:tt: $kind:ident,)*) => {
            vec![$($record.$field.as_text()),*]
        };
    }

    macro_rules! as_text {
        ($($of:ty: $value:ident => $text:expr;)*) => {
            $(impl AsText for $of { fn as_text(&self) -> String { let $value = self; $text } })*
        };
    }

    as_text! {
        String: text => text.clone();
        u64: count => count.to_string();
        bool: flag => flag.to_string();
        Encoded<'_>: value => value.text().into_owned();
        Option<Amount>: amount => amount.map_or_else(String::new, |amount| amount.to_string());
        Option<Date>: date => date.map_or_else(String::new, |date| date.to_string());
        Option<ContractStage>: stage => stage.map_or("", ContractStage::code).to_owned();
        Termination: flags => format!("{flags:?}");
        Vec<Product>: items => lines(items, |item| product_fields!(texts item));
        Vec<GuaranteeClaim>: items => lines(items, |item| claim_fields!(texts item));
        EncodedItems<'_, 2>: items => lines(*items, |item| item.iter().map(AsText::as_text).collect());
        EncodedItems<'_, 4>: items => lines(*items, |item| item.iter().map(AsText::as_text).collect());
    }

    fn lines<T>(items: impl IntoIterator<Item = T>, texts: impl Fn(&T) -> Vec<String>) -> String {
        items
            .into_iter()
            .map(|item| texts(&item).join("|") + "\n")
            .collect()
    }

    proptest! {
        #[test]
        fn any_contract_comes_back(contract in contract()) {
            let record = contract.encode();
            let read = EncodedContract::decode(&record).expect("a contract");
            let none_is_0 = contract.subcontractors_sum.or(Some(0.into()));
            let expected = Contract { subcontractors_sum: none_is_0, ..contract };
            let (read, expected) = (&read, &expected);
            prop_assert_eq!(contract_fields!(texts read), contract_fields!(texts expected));
            prop_assert_eq!(read.products.is_empty(), expected.products.is_empty());
        }

        #[test]
        fn what_is_no_record_does_no_harm(
            contract in contract(),
            at in any::<usize>(),
            byte in any::<u8>(),
        ) {
            let mut record = contract.encode();
            let at = at % record.len();
            prop_assert!(EncodedContract::decode(&record[..at]).is_none());
            record[at] = byte;
            if let Some(read) = EncodedContract::decode(&record) {
                let read = &read;
                let _ = contract_fields!(texts read);
            }
        }
    }
}

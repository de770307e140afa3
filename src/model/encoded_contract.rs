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
